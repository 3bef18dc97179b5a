// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/memory.h"
#include "decoding/decode.h"
#include "inference/answer.h"
#include "inference/map_memory.h"
#include "loading/model_loader.h"
#include "models/sequence_model.h"
#include "nn/engine.h"
#include "support/counting_model.h"
#include "support/memory_used.h"
#include "support/test_program.h"
#include "support/tiny_models.h"
#include "support/verify_error.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

using namespace attn;
using test::CountingModel;
using test::TinyModel;

namespace {

constexpr std::uint64_t mega = std::uint64_t{1} << 20U;
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();
constexpr const char* recurrentCases[] = {"rnn-bahdanau-gru", "rnn-luong-general-feeding", "rnn-temporal-bahdanau",
                                          "rnn-none-unidirectional"};
constexpr const char* poolingCases[] = {"text-pooling-lstm", "text-pooling-gru-dot", "text-structured",
                                        "text-hierarchical-gru", "text-hierarchical-lstm"};

// Sentences of 100 words for those that read sentences.
std::vector<TokenId> words(std::size_t count)
{
    std::vector<TokenId> ids(count, 7);
    for (std::size_t i = 99; i < count; i += 100)
        ids[i] = 3;
    return ids;
}

std::uint64_t plannedBytes(const SequenceModel& model, const RunLength& length, const Capture& capture,
                           const Engine& engine)
{
    const MapPlan plan = planMaps(model.info(), length, capture, {}, 1, endless);
    return plan.kept + plan.atOnce + workBytes(model, length, capture, engine);
}

// The source, and a few steps of several hypotheses or a given output. Nothing is kept of it.
void runWithoutMaps(const SequenceModel& model, const RunLength& length, Engine& engine)
{
    QuietSink quiet;
    RunContext context{engine, quiet, {.attention = false}, {}};
    context.outputRoom = length.given + length.steps;
    const std::vector<TokenId> source = words(length.source);
    const auto encoded = model.info().kind == ModelKind::DecoderOnly ? nullptr : model.encode(source, context);
    if (model.info().kind == ModelKind::EncoderOnly)
        return;
    const auto state = model.start(encoded, context);
    if (length.given > 0)
        state->extend(std::vector<TokenId>(length.given, 5), context);
    const std::vector<TokenId> inputs(length.hypotheses, 5);
    if (length.steps > 0)
        state->reorder(std::vector<int>(length.hypotheses, 0));
    for (std::uint64_t step = 0; step < length.steps; ++step)
        state->step(inputs, context);
}

} // namespace

// What a run needs is known before it begins, for every kind of model.
class TestWorkMemory : public QObject
{
    Q_OBJECT

private:
    static LoadedModel loaded(std::shared_ptr<const SequenceModel> model)
    {
        LoadedModel result;
        result.model = std::move(model);
        result.name = "tiny";
        return result;
    }

    // Not below what the run takes, and not far above it. What is a matter of some MB, or of how the allocator cuts its
    // blocks, counts for nothing.
    static void verifyEstimate(const SequenceModel& model, const RunLength& length, Engine& engine)
    {
        const auto planned = static_cast<double>(plannedBytes(model, length, {.attention = false}, engine));
        RunLength few = length; // with which oneDNN's code comes into memory
        few.source = std::min<std::uint64_t>(length.source, 600);
        few.given = std::min<std::uint64_t>(length.given, 6);
        runWithoutMaps(model, few, engine);
        releaseFreedNumbers();
        const auto taken = test::mostMemoryOf([&] { runWithoutMaps(model, length, engine); });
        if (!taken)
            QSKIP("what is taken cannot be measured here");
        constexpr double little = 3e6;
        constexpr double cut = 1.15;
        const QByteArray numbers =
            QByteArray::number(planned / 1e6) + " MB are planned, " + QByteArray::number(*taken / 1e6) + " are taken";
        QVERIFY2(*taken <= cut * planned + little && planned <= 4 * *taken + little, numbers.constData());
    }

    QuietSink m_quiet;

private Q_SLOTS:
    void initTestCase() { qputenv("ATTNSCOPE_LIMITS", "memory=100M"); }

    void whatDoesNotFitIsRefusedBeforeItBegins_data()
    {
        test::addColumns<QByteArray, int>("name", "words");
        for (const char* name : recurrentCases)
            QTest::newRow(name) << QByteArray(name) << 1'000'000;
        for (const char* name : poolingCases)
            QTest::newRow(name) << QByteArray(name) << 1'000'000;
        QTest::newRow("text-lstmn-last") << QByteArray("text-lstmn-last") << 20'000;
        QTest::newRow("t5-gated") << QByteArray("t5-gated") << 20'000;
    }
    void whatDoesNotFitIsRefusedBeforeItBegins()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const int, words);
        Engine engine(1);
        const auto counting = std::make_shared<CountingModel>(test::tinyCase(name.toStdString()).build(engine));
        Question question;
        question.sourceIds = ::words(static_cast<std::size_t>(words));
        question.decoding.maxLength = 3;
        test::verifyError(ErrorKind::Resource, {std::to_string(words), "needs about ", "104.9 MB are free"},
                          [&] { (void)answer(question, loaded(counting), engine); });
        QCOMPARE(counting->takeWork().encoded, 0);
    }

    // Their maps are one row for a query or a sentence, not one for each word.
    void aLongTextIsPooled_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : poolingCases)
            QTest::newRow(name) << QByteArray(name);
    }
    void aLongTextIsPooled()
    {
        QFETCH(const QByteArray, name);
        Engine engine(1);
        const LoadedModel model = loaded(test::tinyCase(name.toStdString()).build(engine));
        Question question;
        question.sourceIds = words(10'000); // a map of all words by all words takes 400 MB
        const Trace trace = answer(question, model, engine);
        QCOMPARE(trace.matrix(trace.sites().front(), 0).columns, 10'000);
        RunLength length{.source = 10'000, .sentences = 100};
        std::uint64_t numbers = 0;
        for (const Site& site : trace.sites()) {
            const Numbers map = trace.matrix(site, 0);
            numbers += map.values.size();
        }
        QCOMPARE(planMaps(model.model->info(), length, {}, {}, 1, endless).kept, numbers * sizeof(float));
        QCOMPARE(planMaps(model.model->info(), length, {.attention = false}, {}, 1, endless).kept, std::uint64_t{0});
    }

    void theEstimateIsWhatIsTaken_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : recurrentCases)
            QTest::newRow(name) << QByteArray(name);
        for (const char* name : poolingCases)
            QTest::newRow(name) << QByteArray(name);
    }
    void theEstimateIsWhatIsTaken()
    {
        QFETCH(const QByteArray, name);
        Engine engine(1);
        const auto model = test::tinyCase(name.toStdString()).build(engine);
        RunLength length{.source = 60'000};
        length.sentences = 600;
        if (model->info().kind == ModelKind::EncoderDecoder) {
            length.steps = 2;
            length.hypotheses = 6;
        }
        verifyEstimate(*model, length, engine);
    }

    void theEstimateOfAGivenOutputCountsItsLogits()
    {
        Engine engine(1);
        TinyModel tiny = test::tinyTransformer({1, 2, 16, 20'000, 1024});
        const auto model = tiny.build(engine);
        verifyEstimate(*model, {.source = 10, .given = 600}, engine);
    }

    void theEstimateOfATransformerCountsItsRows()
    {
        Engine engine(1);
        const auto model = test::tinyTransformer({1, 1, 384, 30, 2048}).build(engine);
        verifyEstimate(*model, {.source = 2000}, engine);
    }

    // Those of each layer, which are kept; without them the same text fits.
    void hiddenStatesAreCounted()
    {
        constexpr int layers = 12;
        constexpr int width = 384;
        Engine engine(1);
        const LoadedModel model = loaded(test::tinyTransformer({layers, 1, width, 30, 2048}).build(engine));
        const auto planned = [&](std::size_t tokens, bool hidden) {
            const RunLength length{.source = tokens, .steps = 1};
            return static_cast<double>(
                plannedBytes(*model.model, length, {.attention = false, .hidden = hidden}, engine));
        };
        const auto run = [&](std::size_t tokens, bool hidden) {
            Question question;
            question.sourceIds = words(tokens);
            question.decoding.maxLength = 1;
            question.capture = {.attention = false, .hidden = hidden};
            (void)answer(question, model, engine);
        };
        const double with = planned(600, true);
        QVERIFY(with - planned(600, false) >= (layers + 1) * 600.0 * width * sizeof(float));
        run(600, false);
        releaseFreedNumbers();
        const auto taken = test::mostMemoryOf([&] { run(600, true); });
        QVERIFY2(!taken || (*taken <= with + 3e6 && with <= 2 * *taken + 3e6), QByteArray::number(with).constData());
        QVERIFY(planned(1500, false) < 100.0 * mega);
        QVERIFY_EXCEPTION_THROWN(run(1500, true), Error);
    }

    // A layer's map is handed over, not copied.
    void anLstmnTakesOneMapForEachLayer()
    {
        Engine engine(1);
        const LoadedModel model = loaded(test::tinyCase("text-lstmn-last").build(engine));
        const RunLength length{.source = 2500};
        Question question;
        question.sourceIds = words(length.source);
        const auto planned = static_cast<double>(plannedBytes(*model.model, length, {}, engine));
        QVERIFY(planned > 2500.0 * 2500 * 4);
        Question shorter = question;
        shorter.sourceIds = words(100);
        (void)answer(shorter, model, engine);
        releaseFreedNumbers();
        const auto taken = test::mostMemoryOf([&] { (void)answer(question, model, engine); });
        if (!taken)
            QSKIP("what is taken cannot be measured here");
        QVERIFY2(*taken < 1.8 * planned, QByteArray::number(*taken / planned).constData());
    }

    // In proportion to the text, but for what a Transformer computes anew; what is kept counts besides.
    void theEstimateGrowsWithTheText_data() { theEstimateIsWhatIsTaken_data(); }
    void theEstimateGrowsWithTheText()
    {
        QFETCH(const QByteArray, name);
        Engine engine(1);
        const auto model = test::tinyCase(name.toStdString()).build(engine);
        const Capture nothing{.attention = false};
        const auto bytes = [&](std::uint64_t source, const Capture& capture) {
            return static_cast<double>(
                model->workBytes({.source = source, .sentences = source / 100}, capture, engine));
        };
        const double twice = bytes(2'000'000, nothing) / bytes(1'000'000, nothing);
        QVERIFY2(twice > 1.9 && twice < 2.1, QByteArray::number(twice).constData());
        QVERIFY(bytes(1000, {.attention = false, .hidden = true}) > bytes(1000, nothing));
    }

    void hypothesesCount()
    {
        Engine engine(1);
        const Capture nothing{.attention = false};
        for (const char* name : {"rnn-bahdanau-gru", "rnn-temporal-bahdanau", "rnn-paulus-lstm", "marian-relu"}) {
            const auto model = test::tinyCase(name).build(engine);
            RunLength length{.source = 50, .steps = 1000};
            const std::uint64_t one = model->workBytes(length, nothing, engine);
            length.hypotheses = 64;
            QVERIFY2(model->workBytes(length, nothing, engine) > one, name);
        }
    }

    void littleIsKeptAfterALongText()
    {
        Engine engine(1);
        const LoadedModel model = loadModel("luong-general-en-fr", engine);
        RunContext context{engine, m_quiet, {.attention = false}, {}};
        (void)model.model->encode(words(600), context);
        QVERIFY(engine.scratchpadBytes() > 16 * mega);
        Question question;
        question.sourceIds = words(600);
        question.decoding.maxLength = 2;
        (void)answer(question, model, engine);
        QVERIFY(engine.scratchpadBytes() <= 16 * mega);
    }

    // At the lengths that they are used with, they run on small machines.
    void whatIsUsualNeedsLittle()
    {
        Engine engine(1);
        for (const BundledModel& bundled : bundledModels()) {
            const LoadedModel model = loadModel(bundled.name, engine);
            RunLength length{.source = 128, .sentences = 10};
            if (model.model->info().kind == ModelKind::EncoderDecoder)
                length = {.source = 128, .steps = 256, .hypotheses = 4};
            if (model.model->info().kind == ModelKind::DecoderOnly)
                length = {.source = 128, .given = 128, .steps = 128, .hypotheses = 4};
            const std::uint64_t planned = plannedBytes(*model.model, length, {}, engine);
            QVERIFY2(planned < 100 * mega, (bundled.name + ": " + std::to_string(planned)).c_str());
        }
    }
};

ATTN_TEST(TestWorkMemory)

#include "tst_work_memory.moc"
