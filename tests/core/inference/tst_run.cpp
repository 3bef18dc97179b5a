// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "inference/answer.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/fake_model.h"
#include "support/golden_case.h"
#include "support/sanitizers.h"
#include "support/search_of.h"
#include "support/test_program.h"
#include "support/tiny_models.h"
#include "support/verify_error.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stop_token>
#include <sys/mman.h>
#include <sys/resource.h>

using namespace attn;
using namespace attn::test;

namespace {

constexpr TokenId endToken = 1;

// Letters are tokens: 'a' is 2, 'b' is 3 ...; blanks are none, and the end token is added.
class Letters final : public Tokenizer
{
public:
    explicit Letters(bool addsEnd = true)
        : m_addsEnd(addsEnd)
    {
    }

    Encoding encode(std::string_view text) const override
    {
        std::vector<TokenId> ids;
        for (const char letter : text) {
            if (letter >= 'a')
                ids.push_back(letter - 'a' + 2);
        }
        if (m_addsEnd)
            ids.push_back(endToken);
        Encoding encoding = describe(ids);
        encoding.text = text;
        return encoding;
    }
    Encoding describe(std::span<const TokenId> ids) const override
    {
        Encoding encoding;
        for (const TokenId id : ids) {
            encoding.ids.push_back(id);
            encoding.tokens.push_back(id == endToken ? "</s>" : std::string(1, static_cast<char>('a' + id - 2)));
        }
        return encoding;
    }
    Encoding encodePair(std::string_view first, std::string_view) const override { return encode(first); }
    NamedTokens namedTokens() const override { return {}; }
    std::string description() const override { return "letters"; }

private:
    bool m_addsEnd;
};

std::shared_ptr<FakeModel> endlessModel()
{
    return std::make_shared<FakeModel>(
        6, endToken, [](const std::vector<TokenId>&) { return std::vector<double>{0, 0, 0.4, 0.3, 0.2, 0.1}; });
}

LoadedModel loaded(std::shared_ptr<const SequenceModel> model, bool withTokenizer)
{
    LoadedModel result;
    result.model = std::move(model);
    result.name = "letters";
    if (withTokenizer)
        result.tokenizers.source = result.tokenizers.target = std::make_shared<Letters>();
    return result;
}

Question textQuestion(std::string text)
{
    Question question;
    question.text = std::move(text);
    question.decoding.maxLength = 4;
    return question;
}

// How often the trace still grew after a stop was asked for, when it had grown `before` times; nothing where the run
// ended before that.
std::optional<int> growthAfterStop(const LoadedModel& model, const Question& question, Engine& engine, int before)
{
    std::stop_source stop;
    int changes = 0;
    const auto changed = [&] {
        if (++changes == before)
            stop.request_stop();
    };
    try {
        answer(question, model, engine, {.stop = stop.get_token(), .changed = changed});
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            return changes - before;
    }
    return std::nullopt;
}

} // namespace

class TestRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textBecomesATraceWithNamesAndProvenance()
    {
        Engine engine(1);
        Question question = textQuestion("abc");
        question.decoding = test::searchOf("beam:2");
        question.decoding.maxLength = 3;
        question.decoding.seed = 5;
        const Trace trace = answer(question, loaded(endlessModel(), true), engine);
        QCOMPARE(trace.source().tokens, (std::vector<std::string>{"a", "b", "c", "</s>"}));
        QCOMPARE(trace.target().tokens, (std::vector<std::string>{"a", "a", "a"}));
        QCOMPARE(trace.step(StepId{0}).candidateTexts.at(1), std::string("b"));
        QCOMPARE(trace.provenance().model, std::string("letters"));
        QCOMPARE(trace.provenance().modelType, std::string("fake"));
        QCOMPARE(trace.provenance().text, std::string("abc"));
        QCOMPARE(trace.provenance().decoding, std::string("beam:2"));
        QCOMPARE(trace.provenance().seed, std::uint64_t{5});
        QVERIFY(!trace.provenance().programVersion.empty());
        QVERIFY(trace.summary()->seconds >= 0);
    }

    void weightsThatAreNoNumbersAreRun_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"bart-plain", "bert-mlm", "gpt2-plain", "llama-gqa", "marian-swish", "rnn-bahdanau-gru",
              "rnn-bahdanau-hard", "rnn-intra-bahdanau", "rnn-luong-copy", "rnn-luong-local-m", "rnn-luong-local-p",
              "rnn-temporal-bahdanau", "t5-gated", "text-hierarchical-gru", "text-lstmn-last", "text-structured"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void weightsThatAreNoNumbersAreRun()
    {
        QFETCH(QString, name);
        Engine engine(1);
        for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            test::TinyModel tiny = test::tinyCase(name.toStdString());
            for (auto& [tensor, values] : tiny.checkpoint->tensors)
                std::ranges::fill(values.values(), value);
            const LoadedModel model = loaded(tiny.build(engine), false);
            for (const char* search : {"greedy", "beam:2", "sample"}) {
                Question question = textQuestion({});
                question.sourceIds = std::vector<TokenId>{3, 2, 4};
                const ModelKind kind = model.model->info().kind;
                if (kind != ModelKind::EncoderOnly)
                    question.decoding = test::searchOf(search);
                question.decoding.maxLength = 4;
                question.decoding.generate = kind == ModelKind::DecoderOnly ? 4 : 0;
                const Trace trace = answer(question, model, engine);
                QVERIFY(trace.summary().has_value());
                for (const Site site : trace.sites())
                    QVERIFY(trace.heads(site) == 0 || !trace.matrix(site, 0).values.empty());
            }
        }
    }

    void aPrefixIsReadAsAnOutputWithoutItsEnd()
    {
        Engine engine(1);
        Question question = textQuestion("abc");
        question.prefixText = "cb";
        Trace trace = answer(question, loaded(endlessModel(), true), engine);
        QCOMPARE(trace.target().tokens, (std::vector<std::string>{"c", "b", "a", "a"}));
        QCOMPARE(trace.provenance().prefixIds, (std::vector<TokenId>{4, 3}));
        QCOMPARE(trace.givenSteps(), 2);
        question.prefixText = "";
        trace = answer(question, loaded(endlessModel(), true), engine);
        QCOMPARE(trace.target().tokens.front(), std::string("a"));
        QVERIFY(trace.provenance().prefixIds.empty());
        question.prefixText.reset();
        question.prefixIds = std::vector<TokenId>{5};
        trace = answer(question, loaded(endlessModel(), true), engine);
        QCOMPARE(trace.target().tokens.front(), std::string("d"));
        question.prefixText = "a";
        QVERIFY_EXCEPTION_THROWN(answer(question, loaded(endlessModel(), true), engine), Error);
    }

    void idsAreUsedAsGiven()
    {
        Engine engine(1);
        Question question = textQuestion({});
        question.sourceIds = std::vector<TokenId>{3, 2};
        question.targetIds = std::vector<TokenId>{4, 5};
        for (const bool withTokenizer : {false, true}) {
            const Trace trace = answer(question, loaded(endlessModel(), withTokenizer), engine);
            QCOMPARE(trace.source().ids, (std::vector<TokenId>{3, 2}));
            QCOMPARE(trace.source().tokens.at(0), std::string(withTokenizer ? "b" : "<3>"));
            QCOMPARE(trace.target().ids, (std::vector<TokenId>{4, 5}));
            QCOMPARE(trace.provenance().decoding, std::string("forced"));
        }
    }

    void aTargetTextIsTokenized()
    {
        Engine engine(1);
        Question question = textQuestion("a");
        question.targetText = "cd";
        QCOMPARE(answer(question, loaded(endlessModel(), true), engine).target().ids,
                 (std::vector<TokenId>{4, 5, endToken}));
    }

    void whatCannotRunIsRefused_data()
    {
        addColumns<Question, bool, QString>("question", "withTokenizer", "named");
        Question ids;
        ids.sourceIds = std::vector<TokenId>{};
        QTest::newRow("no ids") << ids << false << QStringLiteral("source");
        QTest::newRow("no tokenizer") << textQuestion("a") << false << QStringLiteral("--source-ids");
        ids.sourceIds = std::vector<TokenId>{2};
        ids.targetText = "a";
        QTest::newRow("no target tokenizer") << ids << false << QStringLiteral("--target-ids");
        ids.targetText.reset();
        ids.targetIds = std::vector<TokenId>{6};
        QTest::newRow("target id") << ids << false << QStringLiteral("6");
        QTest::newRow("too long") << textQuestion("abcdabcdabcd") << true << QStringLiteral("13 tokens");
    }
    void whatCannotRunIsRefused()
    {
        QFETCH(Question, question);
        QFETCH(bool, withTokenizer);
        QFETCH(QString, named);
        Engine engine(1);
        const auto model = endlessModel();
        model->editInfo().maximumLength = 10;
        test::verifyError(ErrorKind::Input, {named.toStdString()},
                          [&] { answer(question, loaded(model, withTokenizer), engine); });
    }

    void aTextOfBlanksIsReadAsTheTokenizerReadsIt_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << QString();
        QTest::newRow("blanks") << QStringLiteral(" \n\t");
    }
    void aTextOfBlanksIsReadAsTheTokenizerReadsIt()
    {
        QFETCH(QString, text);
        Engine engine(1);
        LoadedModel model = loaded(endlessModel(), true);
        const Question question = textQuestion(text.toStdString());
        QCOMPARE(answer(question, model, engine).source().ids, std::vector<TokenId>{endToken});
        model.tokenizers.source = std::make_shared<Letters>(false);
        try {
            answer(question, model, engine);
            QFAIL("it ran on nothing");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            QCOMPARE(error.where(), std::string("text"));
        }
    }

    void aWindowSeesTheBuilderBeforeTheModelRuns()
    {
        Engine engine(1);
        int changes = 0;
        std::shared_ptr<const TraceBuilder> builder;
        const RunObserver observer{.changed = [&] { ++changes; },
                                   .started =
                                       [&](std::shared_ptr<const TraceBuilder> made) {
                                           builder = std::move(made);
                                           QCOMPARE(changes, 0);
                                       }};
        const Trace trace = answer(textQuestion("ab"), loaded(endlessModel(), true), engine, observer);
        QVERIFY(builder);
        QVERIFY(changes >= trace.stepCount());
        QCOMPARE(builder->snapshot().stepCount(), trace.stepCount());
    }

    void aStoppedRunIsCancelledAtOnce()
    {
        Engine engine(1);
        Question question = textQuestion("ab");
        question.decoding.maxLength = 10000000;
        QCOMPARE(growthAfterStop(loaded(endlessModel(), true), question, engine, 100), 0);
    }

    // Between layers and steps, so also while a long text is encoded.
    void bundledModelsStopWhereTheyAre_data()
    {
        QTest::addColumn<QString>("name");
        for (const BundledModel& model : bundledModels()) {
            if (model.task != ModelTask::Captions && model.task != ModelTask::Speech) // which read no text
                QTest::newRow(model.name.c_str()) << QString::fromStdString(model.name);
        }
    }
    void bundledModelsStopWhereTheyAre()
    {
        QFETCH(QString, name);
        Engine engine(2);
        const LoadedModel model = loadModel(name.toStdString(), engine);
        Question question;
        for (int i = 0; i < 20 / test::slowdown(); ++i)
            question.text += "the old man and the sea ";
        question.decoding = test::searchOf("beam:4");
        int changes = 0;
        answer(question, model, engine, {.changed = [&] { ++changes; }});
        for (const int before : {1, changes / 2}) {
            const auto growth = growthAfterStop(model, question, engine, before);
            QVERIFY(growth.has_value());
            QVERIFY2(*growth <= 1, qPrintable(QString::number(*growth)));
        }
    }

    // Neither for further steps nor for the same once more.
    void aWarmRunMakesNoPrimitives_data() { bundledModelsStopWhereTheyAre_data(); }
    void aWarmRunMakesNoPrimitives()
    {
        QFETCH(QString, name);
        for (const char* search : {"greedy", "beam:4"}) {
            Engine engine(2);
            const LoadedModel model = loadModel(name.toStdString(), engine);
            Question question;
            question.text = "the old man and the sea";
            question.decoding = test::searchOf(search);
            question.decoding.maxLength = 4;
            answer(question, model, engine);
            const std::size_t warm = engine.primitivesCreated();
            QVERIFY(warm > 0);
            answer(question, model, engine);
            QCOMPARE(engine.primitivesCreated(), warm);
            if (question.decoding.search != Search::Greedy)
                continue;
            question.decoding.maxLength = 48;
            answer(question, model, engine);
            QCOMPARE(engine.primitivesCreated(), warm);
        }
    }

    // What a run leaves is enough for the next.
    void aWarmRunTakesNoMemoryFromTheSystem_data() { bundledModelsStopWhereTheyAre_data(); }
    void aWarmRunTakesNoMemoryFromTheSystem()
    {
        if (test::hasAddressSanitizer() || test::hasThreadSanitizer())
            QSKIP("the sanitizers keep what is given back");
        QFETCH(QString, name);
        Engine engine(2);
        const LoadedModel model = loadModel(name.toStdString(), engine);
        Question question;
        question.text = "the old man and the sea";
        question.decoding.maxLength = question.decoding.generate = 40;
        const auto pagesOf = [](const auto& work) {
            const auto taken = [] {
                rusage usage{};
                getrusage(RUSAGE_SELF, &usage);
                return usage.ru_minflt;
            };
            const long before = taken();
            work();
            return taken() - before;
        };
        QVERIFY(pagesOf([] { // they are counted
                    constexpr std::size_t size = std::size_t{1} << 16U;
                    void* fresh = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                    if (fresh == MAP_FAILED)
                        return;
                    std::memset(fresh, 1, size);
                    munmap(fresh, size);
                })
                > 0);
        const auto run = [&] { answer(question, model, engine); };
        run();
        long least = std::numeric_limits<long>::max();
        for (int i = 0; i < 5; ++i) // the system may move pages meanwhile
            least = std::min<long>(least, pagesOf(run));
        QVERIFY2(least < 16, qPrintable(QString::number(least))); // it is 0, and 16 are a buffer of 64 kB
    }

    void goldenCasesDecodeToTheExpectedTokens_data()
    {
        addColumns<QString, QString>("folder", "search");
        for (const auto& folder : GoldenCase::directories()) {
            for (const char* search : {"greedy", "beam4"}) {
                if (GoldenCase(folder).has(std::string(search) + "_logprobs"))
                    QTest::newRow((folder.filename().string() + ' ' + search).c_str())
                        << QString::fromStdString(folder.string()) << QString::fromLatin1(search);
            }
        }
    }
    void goldenCasesDecodeToTheExpectedTokens()
    {
        QFETCH(QString, folder);
        QFETCH(QString, search);
        const GoldenCase golden(folder.toStdString());
        const std::string kind = search.toStdString();
        Engine engine(2);
        LoadedModel model;
        model.model = golden.model(engine);
        model.name = golden.name();
        Question question;
        question.sourceIds = golden.ids("source_ids");
        question.decoding = test::searchOf(golden.argument(kind, "--decode"));
        const bool decoderOnly = model.model->info().kind == ModelKind::DecoderOnly;
        int& limit = decoderOnly ? question.decoding.generate : question.decoding.maxLength;
        limit = std::stoi(golden.argument(kind, decoderOnly ? "--generate" : "--max-length"));
        const Trace trace = answer(question, model, engine);
        QCOMPARE((decoderOnly ? trace.sequence() : trace.target()).ids,
                 golden.ids(kind + (decoderOnly ? "_source_ids" : "_target_ids")));
        std::vector<float> logs;
        if (decoderOnly)
            logs.push_back(std::numeric_limits<float>::quiet_NaN());
        for (const auto& step : trace.path())
            logs.push_back(step->step.logProbability);
        const Difference difference = compare(logs, golden.floats(kind + "_logprobs"));
        QVERIFY2(difference.largest < valueTolerance, difference.text().c_str());
        if (kind == "beam4")
            QVERIFY(std::abs(trace.summary()->hypotheses.at(0).score
                             - static_cast<double>(golden.floats("beam4_score").at(0)))
                    < valueTolerance);
    }
};

ATTN_TEST(TestRun)

#include "tst_run.moc"
