// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/index.h"
#include "inference/answer.h"
#include "inference/map_memory.h"
#include "nn/engine.h"
#include "readings/head_reading.h"
#include "support/compare.h"
#include "support/golden_case.h"
#include "support/test_program.h"
#include "support/verify_error.h"
#include "trace/archive.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

using namespace attn;
using test::compare;

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::vector<TokenId> someIds(int count)
{
    std::vector<TokenId> ids;
    for (int i = 0; i < count; ++i)
        ids.push_back(5 + (i * 7 + i * i) % 80);
    return ids;
}

} // namespace

// A run that keeps queries and keys shows what one shows that keeps numbers.
class TestComputedMaps : public QObject
{
    Q_OBJECT

private:
    LoadedModel load(const std::string& name) { return test::loadedCase(name, m_engine); }

    static Question questionFor(const LoadedModel& model, int length = 40)
    {
        Question question;
        question.sourceIds = someIds(length);
        if (model.model->info().kind == ModelKind::EncoderDecoder)
            question.targetIds = someIds(30);
        question.decoding.generate = 0;
        question.capture.scores = true;
        return question;
    }

    Trace run(const LoadedModel& model, const Question& question, std::uint64_t mapBytes)
    {
        return answer(question, model, m_engine, {.mapBytes = mapBytes});
    }

    // To the last bit, as long as whole heads are asked for.
    static void verifySame(const Trace& found, const Trace& expected)
    {
        QVERIFY(found.sites() == expected.sites());
        for (const Site& site : expected.sites()) {
            QVERIFY(found.shape(site) == expected.shape(site));
            for (int head = 0; head < expected.heads(site); ++head) {
                QVERIFY(found.matrix(site, head).values == expected.matrix(site, head).values);
                QVERIFY(found.scores(site, head).values == expected.scores(site, head).values);
            }
            for (const Reading* summary : {&meanOfHeads, &maximumOfHeads})
                QVERIFY(readWeights(found, {site, *summary}).values == readWeights(expected, {site, *summary}).values);
        }
    }

    Engine m_engine{2};

private Q_SLOTS:
    void whatIsComputedIsWhatWasUsed_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bert-mlm", "gpt2-plain", "gpt2-inverse-layer", "llama-gqa", "llama-rope-dynamic",
                                 "t5-gated", "mistral-window", "qwen2-window", "bart-plain"})
            QTest::newRow(name) << name;
    }
    void whatIsComputedIsWhatWasUsed()
    {
        QFETCH(const QString, name);
        const LoadedModel model = load(name.toStdString());
        const Question question = questionFor(model);
        const Trace stored = run(model, question, unlimited);
        const Trace computed = run(model, question, 0);
        for (const Site& site : stored.sites()) {
            QVERIFY(!stored.computes(site));
            QVERIFY(computed.computes(site));
        }
        verifySame(computed, stored);
        const ArchiveOptions everything{.scores = true};
        QVERIFY(archiveBytes(computed, everything) == archiveBytes(stored, everything));
    }

    void someRowsAreThoseOfTheWhole_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bert-mlm", "llama-gqa", "t5-gated", "mistral-window", "bart-plain"})
            QTest::newRow(name) << name;
    }
    void someRowsAreThoseOfTheWhole()
    {
        QFETCH(const QString, name);
        const LoadedModel model = load(name.toStdString());
        const Trace trace = run(model, questionFor(model), 0);
        for (const Site& site : trace.sites()) {
            for (const HeadReading head : {HeadReading(1), HeadReading(meanOfHeads), HeadReading(maximumOfHeads)}) {
                const Numbers whole = readWeights(trace, {site, head});
                for (const RowSpan span : {RowSpan{7, 1}, RowSpan{3, 9}, RowSpan{whole.rows - 2, 5}, RowSpan{200, 1}}) {
                    const Numbers part = readWeights(trace, {site, head}, {}, span);
                    QCOMPARE(part.rows, std::clamp(whole.rows - span.first, 0, span.count));
                    QCOMPARE(part.columns, whole.columns);
                    for (Index row = 0; row < part.rows; ++row)
                        QVERIFY(compare(part.row(row), whole.row(span.first + row)).largest < 1e-6);
                }
            }
        }
    }

    // What was decoded is stored row by row, behind a prompt that is not.
    void aContinuedPromptHasTheSameRows_data()
    {
        QTest::addColumn<int>("search");
        QTest::newRow("greedy") << int(Search::Greedy);
        QTest::newRow("beam") << int(Search::Beam);
    }
    void aContinuedPromptHasTheSameRows()
    {
        QFETCH(const int, search);
        for (const char* name : {"gpt2-plain", "llama-gqa", "llama-rope-dynamic"}) {
            const LoadedModel model = load(name);
            Question question = questionFor(model, 30);
            question.decoding.search = static_cast<Search>(search);
            question.decoding.generate = 6;
            const Trace stored = run(model, question, unlimited);
            const Trace computed = run(model, question, 0);
            QVERIFY(computed.computes({Stage::Decoder, 0}));
            for (const Hypothesis& hypothesis : stored.summary()->hypotheses) {
                for (const Site& site : stored.sites()) {
                    const Numbers found = computed.matrix(site, 2, hypothesis.step);
                    const Numbers expected = stored.matrix(site, 2, hypothesis.step);
                    QCOMPARE(found.rows, expected.rows);
                    QVERIFY(compare(found.values, expected.values).largest < 1e-6);
                }
            }
        }
    }

    void whatIsEditedIsStored()
    {
        const LoadedModel model = load("bert-mlm");
        Question question = questionFor(model);
        question.edits = {"encoder:1:2:3:4=set:0.5"};
        try {
            const Trace stored = run(model, question, unlimited);
            const Trace computed = run(model, question, 0);
            QVERIFY(computed.computes({Stage::Encoder, 0}));
            QVERIFY(!computed.computes({Stage::Encoder, 1}));
            QVERIFY(!(stored.matrix({Stage::Encoder, 1}, 2).values
                      == run(model, questionFor(model), unlimited).matrix({Stage::Encoder, 1}, 2).values));
            verifySame(computed, stored);
        } catch (const Error& error) {
            QFAIL(error.what());
        }
    }

    void aShortTextIsStored()
    {
        const LoadedModel model = load("bert-mlm");
        const Trace trace = run(model, questionFor(model, 12), 0); // queries and keys would be larger
        QVERIFY(!trace.computes({Stage::Encoder, 0}));
        const std::uint64_t bytes = 4 * 2 * 40 * 40 * 2 * sizeof(float); // heads, layers, weights and scores
        QVERIFY(!run(model, questionFor(model), bytes).computes({Stage::Encoder, 0}));
        QVERIFY(run(model, questionFor(model), bytes - 1).computes({Stage::Encoder, 0}));
    }

    void theInsideOfACellIsTheSame()
    {
        const LoadedModel model = load("llama-gqa");
        Question question = questionFor(model);
        question.capture.inside = CellAddress{{Stage::Decoder, 1}, 3, 20, 0};
        const Trace stored = run(model, question, unlimited);
        const Trace computed = run(model, question, 0);
        QVERIFY(!stored.stages().empty());
        QVERIFY(computed.computes({Stage::Decoder, 1}));
        QVERIFY(computed.stages().weights().size() == 21 || computed.stages().weights().size() == 40);
        QVERIFY(compare(computed.stages().weights(), stored.stages().weights()).largest == 0);
        QVERIFY(compare(computed.matrix({Stage::Decoder, 1}, 3).row(20), stored.stages().weights()).largest == 0);
    }

    void severalThreadsAskAtOnce()
    {
        const LoadedModel model = load("bert-mlm");
        const Trace stored = run(model, questionFor(model), unlimited);
        const Trace computed = run(model, questionFor(model), 0);
        std::vector<int> different(8);
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&, i] {
                for (int again = 0; again < 20; ++again) {
                    const Site site{Stage::Encoder, (i + again) % 2};
                    const int head = (i + again) % 4;
                    different[i] += computed.matrix(site, head).values != stored.matrix(site, head).values;
                    different[i] += readWeights(computed, {site, maximumOfHeads}).values
                        != readWeights(stored, {site, maximumOfHeads}).values;
                }
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(different, std::vector<int>(8, 0));
    }

    // Long runs are planned by what they keep: 4,096 tokens by 12 x 12 heads fit 4 GiB.
    void theNeededMemoryIsThatOfTheWayOfKeeping()
    {
        ModelInfo info;
        info.kind = ModelKind::EncoderOnly;
        info.encoderLayers = 12;
        info.encoderHeads = 12;
        info.headWidth = 64;
        const RunLength length{4096, 0, 0};
        constexpr std::uint64_t map = std::uint64_t{4096} * 4096 * sizeof(float);
        constexpr std::uint64_t gibi = std::uint64_t{1} << 30U;
        const MapPlan numbers = planMaps(info, length, {}, {}, 2, unlimited);
        QVERIFY(numbers.form == MapForm::Numbers);
        QCOMPARE(numbers.kept, 144 * map);
        QCOMPARE(numbers.atOnce, std::uint64_t{0});
        const MapPlan plan = planMaps(info, length, {}, {}, 2, gibi);
        QVERIFY(plan.form == MapForm::QueriesAndKeys);
        QCOMPARE(plan.kept, std::uint64_t{144} * 2 * 4096 * 64 * sizeof(float));
        QCOMPARE(plan.atOnce, 3 * map);
        QVERIFY(plan.kept + plan.atOnce < 4 * gibi);
        // A cell's inside needs all heads of its site; what is not captured needs no more than what is.
        const Capture inside{.inside = CellAddress{{Stage::Encoder, 3}, 0, 0, 0}};
        QCOMPARE(planMaps(info, length, inside, {}, 2, gibi).atOnce, 12 * map);
        QCOMPARE(planMaps(info, length, {.attention = false}, {}, 2, gibi).kept, std::uint64_t{0});
        QCOMPARE(planMaps(info, length, {.attention = false}, {}, 2, gibi).atOnce, 3 * map);
        info.architecture.form = Architecture::Form::Lstmn; // cannot be computed again
        QCOMPARE(planMaps(info, length, {}, {}, 2, gibi).kept, 144 * map);
        info.architecture.form = Architecture::Form::Transformer;
        info.kind = ModelKind::DecoderOnly;
        info.decoderHeads = std::exchange(info.encoderHeads, 0);
        info.decoderLayers = std::exchange(info.encoderLayers, 0);
        info.keyValueHeads = 3; // rows of steps are kept as numbers
        QCOMPARE(planMaps(info, {4096, 4096, 1}, {}, {}, 2, gibi).kept,
                 (std::uint64_t{12} * (12 + 3) * 4096 * 64 + 144 * 4097) * sizeof(float));
        // Each hypothesis has rows of its own, over the source and over what it wrote before.
        ModelInfo translator;
        translator.kind = ModelKind::EncoderDecoder;
        translator.encoderLayers = translator.decoderLayers = translator.crossLayers = 6;
        translator.encoderHeads = translator.decoderHeads = translator.crossHeads = 8;
        translator.headWidth = 64;
        QCOMPARE(planMaps(translator, {100, 0, 50, 4}, {}, {}, 2, gibi).kept,
                 std::uint64_t{48} * (100 * 100 + 4 * 50 * (25 + 100)) * sizeof(float));
    }

    void whatCannotFitIsRefusedWithTheBytes()
    {
        const LoadedModel model = load("t5-gated"); // reads texts of any length
        Question question = questionFor(model);
        question.sourceIds = std::vector<TokenId>(2'000'000, 7);
        test::verifyError(ErrorKind::Resource, {"needs about 48.0 TB of memory"},
                          [&] { (void)run(model, question, 0); });
        // What a beam is expected to write counts for each hypothesis; a mere limit does not.
        question.sourceIds = std::vector<TokenId>(10'000, 7);
        question.targetIds.reset();
        question.decoding.search = Search::Beam;
        question.decoding.beamSize = 64;
        question.decoding.maxLength = 10'000'000;
        test::verifyError(ErrorKind::Resource, {"needs about 1.2 TB"}, [&] { (void)run(model, question, 0); });
    }
};

ATTN_TEST(TestComputedMaps)
#include "tst_computed_maps.moc"
