// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "decoding/decode.h"
#include "support/compare.h"
#include "support/processor.h"
#include "support/recording_sink.h"
#include "support/test_program.h"
#include "support/tiny_models.h"
#include "support/verify_error.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stop_token>
#include <vector>

using namespace attn;
using test::compare;
using test::RecordingSink;
using test::TinyModel;

namespace {

constexpr const char* textCases[] = {"text-pooling-lstm",     "text-pooling-gru-dot", "text-structured",
                                     "text-lstmn-2layers",    "text-lstmn-last",      "text-hierarchical-gru",
                                     "text-hierarchical-lstm"};

const std::vector<TokenId> text{14, 27, 5, 3, 41, 33, 3};

// One run of a model on a text.
struct Reading
{
    explicit Reading(const TinyModel& tiny, const std::vector<TokenId>& ids = text,
                     Precision precision = Precision::F32)
        : engine(1, precision)
        , model(tiny.build(engine))
    {
        RunContext context{engine, sink, {true, true, true, true}, {}};
        decode(*model, ids, {}, {}, context);
    }

    const AttentionMap& map(int layer) const
    {
        const auto found = std::ranges::find_if(sink.attentions, [layer](const auto& entry) {
            return entry.map.site == Site{Stage::Encoder, layer};
        });
        return found->map;
    }
    NumberVector<float> row(int layer, int row) const
    {
        const AttentionMap& whole = map(layer);
        return copyOf(whole.weights.row(row));
    }

    Engine engine;
    std::shared_ptr<const SequenceModel> model;
    RecordingSink sink;
};

} // namespace

// Models that read a text into one vector, beyond what the golden cases show.
class TestTextModels : public QObject
{
    Q_OBJECT

private:
    static void addCases()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : textCases)
            QTest::newRow(name) << QString::fromLatin1(name);
    }
private Q_SLOTS:
    void everyRowSumsToOneOrIsEmpty_data() { addCases(); }
    void everyRowSumsToOneOrIsEmpty()
    {
        QFETCH(const QString, name);
        const Reading reading(test::tinyCase(name.toStdString()));
        QVERIFY(!reading.sink.attentions.empty());
        const bool causal = name.startsWith(QStringLiteral("text-lstmn"));
        for (const auto& [map, hypothesis] : reading.sink.attentions) {
            for (int row = 0; row < map.weights.rows; ++row) {
                const auto weights = map.weights.row(row);
                const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
                QVERIFY(std::abs(sum - (causal && row == 0 ? 0 : 1)) < 1e-5);
            }
        }
    }

    void theClassesAreReported_data() { addCases(); }
    void theClassesAreReported()
    {
        QFETCH(const QString, name);
        const Reading reading(test::tinyCase(name.toStdString()));
        QCOMPARE(reading.sink.classifications.size(), std::size_t{1});
        const Classification& result = reading.sink.classifications.front();
        QCOMPARE(result.labels, (std::vector<std::string>{"no", "yes", "perhaps"}));
        QCOMPARE(result.logits.size(), std::size_t{3});
        QVERIFY(std::abs(std::accumulate(result.probabilities.begin(), result.probabilities.end(), 0.0) - 1) < 1e-6);
        QVERIFY(std::abs(std::log(result.probabilities[0] / result.probabilities[1])
                         - (result.logits[0] - result.logits[1]))
                < 1e-3F);
        QCOMPARE(result.probabilities[static_cast<std::size_t>(result.best())], std::ranges::max(result.probabilities));
    }

    void withoutLabelsThereIsNoClassifier_data() { addCases(); }
    void withoutLabelsThereIsNoClassifier()
    {
        QFETCH(const QString, name);
        TinyModel tiny = test::tinyCase(name.toStdString());
        tiny.replace("\"id2label\"", "\"not_id2label\"");
        Reading reading(tiny);
        QVERIFY(reading.sink.classifications.empty());
        QVERIFY(!reading.sink.attentions.empty());
        QCOMPARE(tiny.ignoredTensors(reading.engine),
                 (std::vector<std::string>{"classifier.bias", "classifier.weight"}));
    }

    void theirSitesAreThoseThatAreReported_data() { addCases(); }
    void theirSitesAreThoseThatAreReported()
    {
        QFETCH(const QString, name);
        const Reading reading(test::tinyCase(name.toStdString()));
        std::vector<Site> reported;
        for (const auto& entry : reading.sink.attentions)
            reported.push_back(entry.map.site);
        QVERIFY(reading.model->info().sites() == reported);
        QVERIFY(reading.model->info().hasSite(reading.model->info().bestSite));
    }

    // One sentence that is read in parts: it can be watched, and stopped.
    void aLongTextIsReadInParts_data()
    {
        addCases();
        QTest::newRow("rnn-bahdanau-gru") << QStringLiteral("rnn-bahdanau-gru");
        QTest::newRow("rnn-bahdanau-lstm-2layers") << QStringLiteral("rnn-bahdanau-lstm-2layers");
    }
    void aLongTextIsReadInParts()
    {
        QFETCH(const QString, name);
        Engine engine(1);
        const auto model = test::tinyCase(name.toStdString()).build(engine);
        RecordingSink sink;
        std::stop_source stop;
        RunContext context{engine, sink, {.attention = false, .hidden = true}, stop.get_token()};
        const std::vector<TokenId> ids(1200, 7);
        (void)model->encode(ids, context);
        QVERIFY(sink.progress.size() > std::size_t{2});
        QVERIFY(std::ranges::is_sorted(sink.progress, {}, &Progress::fraction));
        QVERIFY(sink.progress.front().fraction > 0 && sink.progress.front().fraction < 0.5);
        QCOMPARE(sink.progress.back().fraction, 1.0);

        sink = {};
        sink.onProgress = [&] { stop.request_stop(); };
        test::verifyError(ErrorKind::Cancelled, {"cancelled"}, [&] { (void)model->encode(ids, context); });
        QCOMPARE(sink.progress.size(), std::size_t{1});
        QVERIFY(sink.hiddens.empty());
    }

    void theyHaveNoDecoderAndNoMaskedHead_data() { addCases(); }
    void theyHaveNoDecoderAndNoMaskedHead()
    {
        QFETCH(const QString, name);
        Reading reading(test::tinyCase(name.toStdString()));
        RunContext context{reading.engine, reading.sink, {}, {}};
        const auto encoded = reading.model->encode(text, context);
        QCOMPARE(encoded->sourceLength(), static_cast<int>(text.size()));
        test::verifyError(ErrorKind::Input, {"no decoder"}, [&] { (void)reading.model->start(encoded, context); });
        test::verifyError(ErrorKind::Input, {"masked"}, [&] { (void)reading.model->predictMasked(*encoded, context); });
        test::verifyError(ErrorKind::Input, {"empty"},
                          [&] { (void)reading.model->encode(std::vector<TokenId>{}, context); });
        test::verifyError(ErrorKind::Input, {"60"},
                          [&] { (void)reading.model->encode(std::vector<TokenId>{60}, context); });
        QCOMPARE(reading.model->embeddings(text, Stage::Encoder).dim(0), std::int64_t{7});
    }

    void theyStop_data() { addCases(); }
    void theyStop()
    {
        QFETCH(const QString, name);
        Engine engine(1);
        RecordingSink sink;
        std::stop_source stop;
        const auto model = test::tinyCase(name.toStdString()).build(engine);
        stop.request_stop();
        RunContext context{engine, sink, {}, stop.get_token()};
        test::verifyError(ErrorKind::Cancelled, {""}, [&] { (void)model->encode(text, context); });
    }

    void oneTokenIsEnough_data() { addCases(); }
    void oneTokenIsEnough()
    {
        QFETCH(const QString, name);
        const Reading reading(test::tinyCase(name.toStdString()), {3});
        QCOMPARE(reading.map(0).weights.columns, 1);
        QCOMPARE(reading.map(0).weights.at(0, 0), name.startsWith(QStringLiteral("text-lstmn")) ? 0.0F : 1.0F);
    }

    void aReaderKnowsNothingOfWhatFollows()
    {
        std::vector<TokenId> changed = text;
        changed.back() = 9;
        const Reading first(test::tinyCase("text-lstmn-2layers"));
        const Reading second(test::tinyCase("text-lstmn-2layers"), changed);
        for (const int layer : {0, 1}) {
            for (int row = 0; row + 1 < static_cast<int>(text.size()); ++row)
                QCOMPARE(first.row(layer, row), second.row(layer, row));
        }
        QVERIFY(compare(first.row(0, 6), second.row(0, 6)).largest > 1e-4);
        QVERIFY(compare(first.sink.classifications.front().logits, second.sink.classifications.front().logits).largest
                > 1e-3);
    }

    void sentencesAreReadAlone()
    {
        std::vector<TokenId> changed = text;
        changed[4] = 50;
        const Reading first(test::tinyCase("text-hierarchical-gru"));
        const Reading second(test::tinyCase("text-hierarchical-gru"), changed);
        QCOMPARE(first.map(0).weights.rows, 2);
        QCOMPARE(first.row(0, 0), second.row(0, 0));
        QVERIFY(compare(first.row(0, 1), second.row(0, 1)).largest > 1e-4);
        QVERIFY(compare(first.row(1, 0), second.row(1, 0)).largest > 1e-4);
        for (int column = 0; column < 7; ++column)
            QCOMPARE(first.row(0, column < 4 ? 1 : 0)[static_cast<std::size_t>(column)], 0.0F);
    }

    void sentencesBeginAfterEndTokens()
    {
        const auto starts = [](const std::vector<TokenId>& ids) {
            const Reading reading(test::tinyCase("text-hierarchical-gru"), ids);
            std::vector<std::ptrdiff_t> result;
            for (int sentence = 0; sentence < reading.map(0).weights.rows; ++sentence) {
                const auto weights = reading.row(0, sentence);
                result.push_back(std::ranges::find_if(weights, [](float w) { return w > 0; }) - weights.begin());
            }
            return result;
        };
        QCOMPARE(starts({5, 3, 6, 7}), (std::vector<std::ptrdiff_t>{0, 2}));
        QCOMPARE(starts({3, 3, 3}), (std::vector<std::ptrdiff_t>{0, 1, 2}));
        QCOMPARE(starts({5}), (std::vector<std::ptrdiff_t>{0}));
    }

    void anotherModelsVectorIsNotClassified()
    {
        Reading pooling(test::tinyCase("text-pooling-lstm"));
        Reading structured(test::tinyCase("text-structured"));
        RunContext context{pooling.engine, pooling.sink, {}, {}};
        const auto encoded = pooling.model->encode(text, context);
        test::verifyError(ErrorKind::Input, {"another model"},
                          [&] { (void)structured.model->classify(*encoded, context); });
    }

    void bfloat16StaysNear_data() { addCases(); }
    void bfloat16StaysNear()
    {
        QFETCH(QString, name);
        if (!test::roundsSmallLayersToBfloat16())
            QSKIP("this processor does not round such small layers");
        const TinyModel tiny = test::tinyCase(name.toStdString());
        const Reading exact(tiny);
        const Reading rounded(tiny, text, Precision::BF16);
        QCOMPARE(rounded.sink.attentions.size(), exact.sink.attentions.size());
        float largest = 0;
        for (const auto& entry : exact.sink.attentions) {
            const AttentionMap& other = rounded.map(entry.map.site.layer);
            const NumberVector<float>& reference = exact.map(entry.map.site.layer).weights.values;
            QCOMPARE(other.weights.values.size(), reference.size());
            for (std::size_t i = 0; i < reference.size(); ++i)
                largest = std::max(largest, std::abs(other.weights.values[i] - reference[i]));
        }
        QVERIFY2(largest < 0.02F, qPrintable(QString::number(static_cast<double>(largest))));
        QVERIFY(largest > 0); // it did round
    }

    void weightsThatAreNoNumbersAreRead_data() { addCases(); }
    void weightsThatAreNoNumbersAreRead()
    {
        QFETCH(QString, name);
        for (const char* tensor : {"classifier.weight", "embedding.weight"}) {
            TinyModel tiny = test::tinyCase(name.toStdString());
            const auto found = std::ranges::find_if(tiny.checkpoint->tensors,
                                                    [&](const auto& entry) { return entry.first.ends_with(tensor); });
            if (found == tiny.checkpoint->tensors.end())
                continue; // a model without labels
            std::ranges::fill(found->second.values(), std::numeric_limits<float>::quiet_NaN());
            const Reading reading(tiny);
            QVERIFY(!reading.sink.attentions.empty());
        }
    }

    void whatTheyCannotBeIsRefused_data()
    {
        test::addColumns<QByteArray, QByteArray, QByteArray, QByteArray>("name", "from", "to", "word");
        const auto refused = [](const char* row, const char* name, const char* from, const char* to, const char* word) {
            QTest::newRow(row) << QByteArray(name) << QByteArray(from) << QByteArray(to) << QByteArray(word);
        };
        refused("score", "text-pooling-gru-dot", "\"dot\"", "\"general\"", "attention.score");
        refused("cell", "text-pooling-lstm", "\"lstm\"", "\"rnn\"", "encoder.cell");
        refused("no size", "text-pooling-lstm", "\"size\"", "\"width\"", "attention.size");
        refused("another size", "text-pooling-lstm", "\"size\": 9", "\"size\": 8", "attention.key.weight [9, 24]");
        refused("no layers", "text-pooling-lstm", "\"layers\": 1", "\"layers\": 0", "encoder.layers");
        refused("many layers", "text-pooling-lstm", "\"layers\": 1", "\"layers\": 1000000", "encoder.layers");
        refused("huge", "text-pooling-lstm", "\"hidden_size\": 12", "\"hidden_size\": 4000000000", "hidden_size");
        refused("large", "text-pooling-lstm", "\"hidden_size\": 12", "\"hidden_size\": 16777216", "encoder.rnn");
        refused("no hops", "text-structured", "\"hops\": 4", "\"hops\": 0", "attention.hops");
        refused("many hops", "text-structured", "\"hops\": 4", "\"hops\": 100000000", "attention.hops");
        refused("other hops", "text-structured", "\"hops\": 4", "\"hops\": 5", "classifier.weight [3, 88]");
        refused("two directions", "text-lstmn-last", "\"bidirectional\": false", "\"bidirectional\": true",
                "encoder.bidirectional");
        refused("gru", "text-lstmn-last", "\"lstm\",\n    \"layers\"", "\"gru\",\n    \"layers\"", "encoder.cell");
        refused("pooling", "text-lstmn-last", "\"last\"", "\"first\"", "pooling");
        refused("sentences without end", "text-hierarchical-gru", "\"eos_token_id\"", "\"eos\"", "eos_token_id");
        refused("end outside", "text-hierarchical-gru", "\"eos_token_id\": 3", "\"eos_token_id\": 60", "eos_token_id");
        refused("no end in the text", "text-hierarchical-gru", "\"eos_token_id\"",
                "\"source_eos\": false, \"eos_token_id\"", "source_eos");
        refused("label gap", "text-pooling-lstm", "\"1\": \"yes\"", "\"7\": \"yes\"", "id2label");
        refused("label kind", "text-pooling-lstm", "\"yes\"", "5", "id2label");
        refused("labels", "text-pooling-lstm", "\"id2label\": {", "\"id2label\": [], \"other\": {", "id2label");
        refused("more labels", "text-pooling-lstm", "\"1\": \"yes\"", "\"1\": \"yes\", \"3\": \"never\"",
                "classifier.weight [3, 24] instead of [4, 24]");
    }
    void whatTheyCannotBeIsRefused()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QByteArray, word);
        TinyModel tiny = test::tinyCase(name.toStdString());
        tiny.replace(from.toStdString(), to.toStdString());
        Engine engine(1);
        test::verifyError(ErrorKind::Format, {word.toStdString()}, [&] { (void)tiny.build(engine); });
    }
};

ATTN_TEST(TestTextModels)

#include "tst_text_models.moc"
