// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "io/npz.h"
#include "support/test_program.h"
#include "support/verify_error.h"
#include "trace/archive.h"
#include "trace/trace_builder.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;

namespace {

constexpr float hidden = -std::numeric_limits<float>::infinity();
constexpr Site words{Stage::Encoder, 0};
constexpr Site sentences{Stage::Encoder, 1};

const NumberVector<float> wordWeights{0.25F, 0.75F, 0, 0, 0, 1};
const NumberVector<float> wordScores{1, 2, hidden, hidden, hidden, 3};
const NumberVector<float> sentenceWeights{0.125F, 0.875F};
const NumberVector<float> sentenceScores{-1, 1};

AttentionBlock blockOf(Site site, int rows, int columns, const NumberVector<float>& weights,
                       const NumberVector<float>& scores)
{
    AttentionBlock block{site, 0, 0, {weights.data(), rows, columns}, {}};
    if (!scores.empty())
        block.scores = {scores.data(), rows, columns};
    block.rowAxis = rows > 1 ? AttentionAxis::Sentences : AttentionAxis::Text;
    block.columnAxis = site == sentences ? AttentionAxis::Sentences : AttentionAxis::Tokens;
    return block;
}

// "Go. Home" in two sentences, classified.
Trace sentenceWise()
{
    Encoding source;
    source.ids = {4, 3, 5};
    source.tokens = {"Go.", "</s>", "Home"};
    source.text = "Go. Home";
    source.spans = {{0, 3}, {3, 3}, {4, 8}};
    Provenance provenance;
    provenance.kind = ModelKind::EncoderOnly;
    provenance.modelType = "hierarchical_attention";
    TraceBuilder builder(std::move(source), nullptr, std::move(provenance));
    builder.begun(std::vector<TokenId>{4, 3, 5}, {});
    builder.attention(blockOf(words, 2, 3, wordWeights, wordScores));
    builder.attention(blockOf(sentences, 1, 2, sentenceWeights, sentenceScores));
    builder.classified(classification({"no", "yes"}, NumberVector<float>{0, std::log(3.0F)}));
    builder.finished({});
    return builder.snapshot();
}

} // namespace

// Maps whose rows are no tokens, classifications, and their archives.
class TestSummaries : public QObject
{
    Q_OBJECT

private:
    std::string file(const QString& name) const { return m_folder.filePath(name).toStdString(); }

    static void verifyTrace(const Trace& trace)
    {
        QCOMPARE(trace.kind(), ModelKind::EncoderOnly);
        QCOMPARE(trace.sites(), (std::vector<Site>{words, sentences}));
        QCOMPARE(trace.rowAxis(words), AttentionAxis::Sentences);
        QCOMPARE(trace.columnAxis(words), AttentionAxis::Tokens);
        QCOMPARE(trace.rowAxis(sentences), AttentionAxis::Text);
        QCOMPARE(trace.columnAxis(sentences), AttentionAxis::Sentences);
        QCOMPARE(trace.matrix(words, 0).values, wordWeights);
        QCOMPARE(trace.matrix(words, 0).rows, 2);
        QCOMPARE(trace.scores(words, 0).values, wordScores);
        QCOMPARE(trace.matrix(sentences, 0).values, sentenceWeights);
        QCOMPARE(trace.scores(sentences, 0).values, sentenceScores);
        QVERIFY(trace.classification());
        QCOMPARE(trace.classification()->labels, (std::vector<std::string>{"no", "yes"}));
        QCOMPARE(trace.classification()->best(), 1);
        QVERIFY(qAbs(trace.classification()->probabilities[1] - 0.75F) < 1e-6F);
    }

    // The arrays of the sample, one of them replaced.
    std::string changed(const std::string& name, const NpyArray& array)
    {
        const std::string path = file(QStringLiteral("whole.npz"));
        writeArchive(path, sentenceWise(), {.scores = true});
        const NpzReader whole(path);
        NpzWriter writer;
        for (const std::string& other : whole.names()) {
            if (other != name)
                writer.add(other, *whole.find(other));
        }
        writer.add(name, array);
        writer.save(file(QStringLiteral("changed.npz")));
        return file(QStringLiteral("changed.npz"));
    }

private Q_SLOTS:
    void rowsAndColumnsHaveNames()
    {
        const Trace trace = sentenceWise();
        verifyTrace(trace);
        QCOMPARE(trace.rowTokens(words).tokens, (std::vector<std::string>{"Go.", "Home"}));
        QCOMPARE(trace.rowTokens(words).ids, (std::vector<TokenId>{noTokenId, noTokenId}));
        QCOMPARE(trace.columnTokens(words).tokens, trace.source().tokens);
        QCOMPARE(trace.rowTokens(sentences).tokens, std::vector<std::string>{""});
        QCOMPARE(trace.columnTokens(sentences).tokens, (std::vector<std::string>{"Go.", "Home"}));
    }

    void longSentencesAreCutAtATokenAndHopsAreCounted()
    {
        Encoding source;
        const std::string word = "gar\u00e7onnerie"; // 12 bytes
        for (int i = 0; i < 6; ++i) {
            source.ids.push_back(i);
            source.tokens.push_back(word);
            source.spans.push_back({source.text.size(), source.text.size() + word.size()});
            source.text += word + ' ';
        }
        TraceBuilder builder(source, nullptr, {});
        const NumberVector<float> weights(12, 1.0F / 6);
        builder.attention(blockOf(words, 2, 6, weights, {}));
        QCOMPARE(builder.snapshot().rowTokens(words).tokens.front(), word + ' ' + word + "\u2026");
        AttentionBlock hops = blockOf(words, 2, 6, weights, {});
        hops.rowAxis = AttentionAxis::Hops;
        builder.attention(hops);
        QCOMPARE(builder.snapshot().rowTokens(words).tokens, (std::vector<std::string>{"", ""}));
    }

    void withoutTextSentencesAreCounted()
    {
        Encoding source;
        source.ids = {4, 3, 5};
        TraceBuilder builder(std::move(source), nullptr, {});
        const NumberVector<float> zeros(6, 0.0F);
        builder.attention(blockOf(words, 2, 3, zeros, {}));
        QCOMPARE(builder.snapshot().rowTokens(words).tokens, (std::vector<std::string>{"", ""}));
    }

    void whatIsWrittenIsReadBack_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("npz") << QStringLiteral("a.npz");
        QTest::newRow("json") << QStringLiteral("a.json");
    }
    void whatIsWrittenIsReadBack()
    {
        QFETCH(const QString, name);
        writeArchive(file(name), sentenceWise(), {.scores = true, .hidden = true, .logits = true});
        const Trace trace = readArchive(file(name));
        verifyTrace(trace);
    }

    void arraysHaveTheShapesOfTheFormat()
    {
        writeArchive(file(QStringLiteral("a.npz")), sentenceWise());
        const NpzReader npz(file(QStringLiteral("a.npz")));
        QCOMPARE(npz.find("summary_attentions")->shape(), (NpyArray::Shape{2, 3}));
        QCOMPARE(npz.find("sentence_attentions")->shape(), (NpyArray::Shape{2}));
        QCOMPARE(npz.find("label_names")->texts(), (std::vector<std::string>{"no", "yes"}));
        QVERIFY(!npz.contains("encoder_attentions"));
        QVERIFY(!npz.contains("summary_scores"));
    }

    void classesMayLackNames()
    {
        const std::string path = changed("class_logits", NpyArray::fromFloats({3}, NumberVector<float>{1, 2, 3}));
        QVERIFY_EXCEPTION_THROWN(readArchive(path), Error);
        NpzWriter writer;
        writer.add("source_ids", NpyArray::fromIntegers({2}, std::vector<std::int64_t>{1, 2}));
        writer.add("class_logits", NpyArray::fromFloats({2}, NumberVector<float>{1, 2}));
        writer.add("summary_attentions", NpyArray::fromFloats({1, 2}, NumberVector<float>{0.5F, 0.5F}));
        writer.save(file(QStringLiteral("plain.npz")));
        const Trace trace = readArchive(file(QStringLiteral("plain.npz")));
        QCOMPARE(trace.classification()->labels, (std::vector<std::string>{"LABEL_0", "LABEL_1"}));
        QCOMPARE(trace.rowAxis(words), AttentionAxis::Text);
    }

    void whatDoesNotFitIsRefusedByName_data()
    {
        test::addColumns<QByteArray, std::vector<std::int64_t>>("name", "shape");
        const auto refused = [](const char* row, const char* name, std::vector<std::int64_t> shape) {
            QTest::newRow(row) << QByteArray(name) << std::move(shape);
        };
        refused("another length", "summary_attentions", {2, 4});
        refused("four dimensions", "summary_attentions", {1, 1, 2, 3});
        refused("no rows", "summary_attentions", {0, 3});
        refused("more sentences", "sentence_attentions", {3});
        refused("sentences by two", "sentence_attentions", {1, 2});
        refused("other scores", "summary_scores", {3, 2});
        refused("other sentence scores", "sentence_scores", {3});
        refused("no classes", "class_logits", {0});
        refused("classes by two", "class_logits", {1, 2});
    }
    void whatDoesNotFitIsRefusedByName()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const std::vector<std::int64_t>, shape);
        std::size_t size = 1;
        for (const auto dimension : shape)
            size *= static_cast<std::size_t>(dimension);
        const std::string path =
            changed(name.toStdString(), NpyArray::fromFloats(shape, NumberVector<float>(size, 0.0F)));
        test::verifyError(ErrorKind::Format, {name.toStdString()}, [&] { (void)readArchive(path); });
    }

private:
    QTemporaryDir m_folder;
};

ATTN_TEST(TestSummaries)

#include "tst_summaries.moc"
