// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "readings/head_reading.h"
#include "sites.h"
#include "support/made_maps.h"
#include "support/test_program.h"
#include "support/verify_error.h"
#include "trace/site.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <stop_token>
#include <thread>

using namespace attn;
using namespace attn::test;

namespace {

Encoding sourceOf(int length)
{
    Encoding encoding;
    for (int i = 0; i < length; ++i) {
        encoding.ids.push_back(i);
        encoding.tokens.push_back("s" + std::to_string(i));
    }
    return encoding;
}

// Names ids "t<id>" and counts how often it is asked.
struct CountedNames final : TokenDescriber
{
    mutable int asked = 0;
    Encoding describe(std::span<const TokenId> ids) const override
    {
        Encoding result;
        for (const TokenId id : ids) {
            ++asked;
            result.ids.push_back(id);
            result.tokens.push_back("t" + std::to_string(id));
            result.spans.push_back({});
            result.words.push_back(id);
            result.special.push_back(false);
        }
        return result;
    }
};

DecodingStep stepOf(int index, std::optional<int> parent, int position, TokenId token, float logProbability = -1)
{
    DecodingStep step;
    step.index = StepId{index};
    if (parent)
        step.parent = StepId{*parent};
    step.position = position;
    step.token = token;
    step.logProbability = logProbability;
    step.score = logProbability * static_cast<float>(position + 1);
    return step;
}

// Of a single hypothesis.
DecodingStep chainedStep(int index, TokenId token)
{
    return stepOf(index, index == 0 ? std::nullopt : std::optional(index - 1), index, token);
}

// A row per hypothesis whose first weight tells which step and hypothesis it is.
void addRow(TraceBuilder& builder, Site site, int hypothesis, int row, int columns, float mark)
{
    NumberVector<float> weights(static_cast<std::size_t>(2 * columns), 0.25F);
    weights[0] = mark;
    weights[static_cast<std::size_t>(columns)] = mark + 100;
    builder.attention({site, hypothesis, row, {weights.data(), 2, 1, columns}, {}});
}

} // namespace

class TestTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void computedMapsAreAskedForWhatIsNeeded()
    {
        const auto maps = std::make_shared<test::MadeMaps>(3, 20, 20);
        TraceBuilder builder(sourceOf(20), nullptr, {});
        builder.begun({}, {});
        builder.computableAttention({encoder0, 0, 0, {}, {}}, maps);
        const Trace trace = builder.snapshot();
        QVERIFY(trace.computes(encoder0));
        QCOMPARE(trace.heads(encoder0), 3);
        QVERIFY((trace.shape(encoder0) == MatrixShape{20, 20}));
        QVERIFY((trace.shape(encoder0, {}, MapPart::Scores) == MatrixShape{}));
        QCOMPARE(trace.rowTokens(encoder0).size(), std::size_t{20});
        QVERIFY(trace.scores(encoder0, 1).empty());
        QCOMPARE(maps->computed(), 0);
        const Numbers row = trace.matrix(encoder0, 2, {}, {5, 1});
        QCOMPARE(maps->computed(), 1);
        QCOMPARE(row.rows, 1);
        QCOMPARE(row.at(0, 7), test::MadeMaps::weight(2, 5, 7));
        QCOMPARE(readWeights(trace, {encoder0, maximumOfHeads}, {}, {18, 9}).rows, 2);
        QCOMPARE(maps->computed(), 1 + 3 * 2);
        const Numbers mean = readWeights(trace, {encoder0, meanOfHeads});
        const Numbers most = readWeights(trace, {encoder0, maximumOfHeads});
        for (int i = 0; i < 20; ++i) {
            float sum = 0;
            float largest = 0;
            for (int head = 0; head < 3; ++head) {
                sum += test::MadeMaps::weight(head, i, 3);
                largest = std::max(largest, test::MadeMaps::weight(head, i, 3));
            }
            QCOMPARE(mean.at(i, 3), sum / 3);
            QCOMPARE(most.at(i, 3), largest);
        }
        QVERIFY_EXCEPTION_THROWN((void)trace.matrix(encoder0, 3), Error);
    }

    void noMapIsComputedForWorkThatIsStopped()
    {
        const auto maps = std::make_shared<test::MadeMaps>(3, 20, 20);
        TraceBuilder builder(sourceOf(20), nullptr, {});
        builder.begun({}, {});
        builder.computableAttention({encoder0, 0, 0, {}, {}}, maps);
        const Trace trace = builder.snapshot();
        std::stop_source source;
        const ThreadStop ofThisThread(source.get_token());
        QCOMPARE(readWeights(trace, {encoder0, meanOfHeads}).rows, 20);
        maps->forget();
        source.request_stop();
        for (const HeadReading& head : {HeadReading(0), HeadReading(meanOfHeads)}) {
            test::verifyError(ErrorKind::Cancelled, {}, [&] { (void)readWeights(trace, {encoder0, head}); });
        }
        QCOMPARE(maps->computed(), 0);
    }

    // A prompt's rows are computed, those of the steps behind it are stored and longer by a key each.
    void storedRowsFollowComputedOnes()
    {
        const auto maps = std::make_shared<test::MadeMaps>(2, 3, 3);
        Provenance provenance;
        provenance.kind = ModelKind::DecoderOnly;
        TraceBuilder builder(sourceOf(4), nullptr, provenance);
        const std::vector<TokenId> prompt{0, 1, 2, 3};
        builder.begun(prompt, 0);
        builder.computableAttention({decoder0, 0, 0, {}, {}}, maps);
        for (int i = 0; i < 3; ++i)
            builder.stepped(stepOf(i, i > 0 ? std::optional(i - 1) : std::nullopt, i, i + 1));
        const std::vector<float> last{0.1F, 0.2F, 0.3F, 0.4F, 0.4F, 0.3F, 0.2F, 0.1F};
        builder.attention({decoder0, 0, 3, {last.data(), 2, 1, 4}, {}});
        builder.closed(StepId{2}, 0, {});
        builder.finished({{{StepId{2}, -3, -1, false}}, 0});
        const Trace trace = builder.snapshot();
        QVERIFY((trace.shape(decoder0) == MatrixShape{4, 4}));
        const Numbers map = trace.matrix(decoder0, 1);
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column)
                QCOMPARE(map.at(row, column), test::MadeMaps::weight(1, row, column));
            QCOMPARE(map.at(row, 3), 0.0F);
        }
        QCOMPARE(map.at(3, 0), 0.4F);
        QCOMPARE(maps->computed(), 3); // at once
        QCOMPARE(readWeights(trace, {decoder0, maximumOfHeads}, {}, {3, 1}).values,
                 (NumberVector<float>{0.4F, 0.3F, 0.3F, 0.4F}));
        QCOMPARE(maps->computed(), 3);
        QCOMPARE(trace.matrix(decoder0, 0, {}, {2, 2}).at(0, 1), test::MadeMaps::weight(0, 2, 1));
        QCOMPARE(maps->computed(), 4);
    }

    // Row i is the step that writes token i + 1; the last one has written nothing yet.
    void rowsOfATextThatGoesOnAreTheWordsThatAreWritten()
    {
        const std::vector<TokenId> prompt{0, 1, 2};
        const NumberVector<float> weights{1, 0, 0, 0.5F, 0.5F, 0, 0.2F, 0.3F, 0.5F};
        const auto run = [&](std::string_view decoding, const std::vector<Candidate>& next, bool ends) {
            Provenance provenance;
            provenance.kind = ModelKind::DecoderOnly;
            provenance.decoding = decoding;
            TraceBuilder builder(sourceOf(3), std::make_shared<CountedNames>(), provenance);
            builder.begun(prompt, 0);
            builder.attention({decoder0, 0, 0, {weights.data(), 1, 3, 3}, {}});
            builder.stepped(stepOf(0, {}, 0, 1));
            builder.stepped(stepOf(1, 0, 1, 2));
            if (ends) {
                builder.closed(StepId{1}, 0, next);
                builder.finished({{{StepId{1}, -3, -1, false}}, 0});
            }
            return builder.snapshot();
        };
        const std::vector<Candidate> next{{7, -0.1F}, {8, -3}};
        const Trace trace = run("greedy", next, true);
        QCOMPARE(trace.rowTokens(decoder0).ids, (std::vector<TokenId>{1, 2, 7}));
        QCOMPARE(trace.rowTokens(decoder0).tokens, (std::vector<std::string>{"t1", "t2", "t7 ?"}));
        QCOMPARE(trace.rowTokens(decoder0).words.back(), noWord);
        QCOMPARE(trace.columnTokens(decoder0).ids, prompt);
        QCOMPARE(trace.textAndNext().ids, (std::vector<TokenId>{0, 1, 2, 7}));
        QCOMPARE(trace.stepTokens().ids, prompt);
        QVERIFY(trace.steps() == 2 && trace.rowCount() == 3 && trace.unwrittenRow() == 2);
        QVERIFY(!trace.stepOf(0) && trace.stepOf(1) == 0);
        const Trace running = run("greedy", next, false);
        QCOMPARE(running.rowTokens(decoder0).ids, (std::vector<TokenId>{1, 2}));
        QVERIFY(running.rowCount() == 2 && !running.unwrittenRow());
        const Trace unknown = run("greedy", {}, true); // of an archive
        QCOMPARE(unknown.rowTokens(decoder0).tokens.back(), std::string("?"));
        QCOMPARE(unknown.rowTokens(decoder0).ids.back(), noTokenId);
        const Trace read = run(readOnly, {}, true);
        QVERIFY(!read.writesOn());
        QCOMPARE(read.rowTokens(decoder0).ids, prompt);
        QVERIFY(read.rowCount() == 3 && !read.unwrittenRow() && read.stepOf(0) == 0);
    }

    void anEmptyTraceAnswersEverything()
    {
        const Trace trace;
        QVERIFY(!trace.bestLeaf());
        QVERIFY(trace.path().empty());
        QVERIFY(trace.sites().empty());
        QCOMPARE(trace.heads(cross0), 0);
        QCOMPARE(trace.matrix(cross0, 0).rows, 0);
        QCOMPARE(trace.target().size(), std::size_t{0});
        QCOMPARE(trace.decoderInputs().size(), std::size_t{0});
        QVERIFY_EXCEPTION_THROWN(trace.step(StepId{0}), std::out_of_range);
    }

    void encoderMapsAreThereAsSoonAsTheyAreReported()
    {
        int changes = 0;
        TraceBuilder builder(sourceOf(2), nullptr, {}, [&] { ++changes; });
        builder.begun(std::vector<TokenId>{0, 1}, 9);
        const NumberVector<float> weights{0.25F, 0.75F, 0.5F, 0.5F, 1, 0, 0, 1};
        builder.attention({encoder0, 0, 0, {weights.data(), 2, 2, 2}, {}});
        QCOMPARE(changes, 2);
        const Trace trace = builder.snapshot();
        QCOMPARE(trace.sites(), std::vector<Site>{encoder0});
        QCOMPARE(trace.heads(encoder0), 2);
        QCOMPARE(trace.matrix(encoder0, 0).values, (NumberVector<float>{0.25F, 0.75F, 0.5F, 0.5F}));
        QCOMPARE(trace.matrix(encoder0, 1).values, (NumberVector<float>{1, 0, 0, 1}));
        QCOMPARE(readWeights(trace, {encoder0, meanOfHeads}).values,
                 (NumberVector<float>{0.625F, 0.375F, 0.25F, 0.75F}));
        QCOMPARE(readWeights(trace, {encoder0, maximumOfHeads}).values, (NumberVector<float>{1, 0.75F, 0.5F, 1}));
        QVERIFY_EXCEPTION_THROWN(trace.matrix(encoder0, 2), Error);
        QVERIFY_EXCEPTION_THROWN(trace.matrix(encoder0, -1), Error);
        QCOMPARE(trace.scores(encoder0, 0).rows, 0);
        QCOMPARE(trace.rowTokens(encoder0).tokens.at(1), std::string("s1"));
    }

    // Whichever head a weight without a number is of.
    void noSummaryHidesWhatIsNoNumber()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (const bool first : {true, false}) {
            TraceBuilder builder(sourceOf(1), nullptr, {});
            builder.begun(std::vector<TokenId>{0}, 9);
            const NumberVector<float> weights{first ? nan : 0.5F, 0.25F, first ? 0.5F : nan};
            builder.attention({encoder0, 0, 0, {weights.data(), 3, 1, 1}, {}});
            const Trace trace = builder.snapshot();
            QVERIFY(std::isnan(readWeights(trace, {encoder0, maximumOfHeads}).at(0, 0)));
            QVERIFY(std::isnan(readWeights(trace, {encoder0, meanOfHeads}).at(0, 0)));
        }
        QCOMPARE(classification({"a", "b", "c"}, std::vector<float>{nan, 1, 2}).best(), 2);
    }

    void whatIsShownFirst_data()
    {
        addColumns<std::vector<Site>, Site>("sites", "first");
        const auto layers = [](Stage stage, int count) {
            std::vector<Site> result;
            for (int layer = 0; layer < count; ++layer)
                result.push_back({stage, layer});
            return result;
        };
        QTest::newRow("nothing") << std::vector<Site>() << cross0;
        QTest::newRow("encoder") << layers(Stage::Encoder, 4) << encoder0;
        QTest::newRow("decoder") << layers(Stage::Decoder, 4) << decoder0;
        QTest::newRow("few cross layers") << layers(Stage::Cross, 3) << Site{Stage::Cross, 2};
        QTest::newRow("six cross layers") << layers(Stage::Cross, 6) << Site{Stage::Cross, 4};
        QTest::newRow("some of six") << std::vector<Site>{encoder0, decoder0, {Stage::Cross, 0}, {Stage::Cross, 5}}
                                     << Site{Stage::Cross, 5};
    }
    void whatIsShownFirst()
    {
        QFETCH(const std::vector<Site>, sites);
        QFETCH(const Site, first);
        TraceBuilder builder(sourceOf(2), nullptr, {});
        builder.begun(std::vector<TokenId>{0, 1}, 9);
        for (const Site& site : sites)
            addRow(builder, site, 0, 0, 1, 0.1F);
        builder.stepped(stepOf(0, {}, 0, 4));
        QCOMPARE(firstShownSite(builder.snapshot()), first);
    }

    void aSnapshotNeverChanges()
    {
        TraceBuilder builder(sourceOf(2), nullptr, {});
        builder.begun(std::vector<TokenId>{0, 1}, 9);
        addRow(builder, cross0, 0, 0, 2, 0.5F);
        builder.stepped(stepOf(0, {}, 0, 4));
        const Trace before = builder.snapshot();
        addRow(builder, cross0, 0, 1, 2, 0.6F);
        builder.stepped(stepOf(1, 0, 1, 5));
        builder.finished({{{StepId{1}, -2, -1, true}}, 0.5});
        QCOMPARE(before.stepCount(), 1);
        QCOMPARE(before.matrix(cross0, 0).rows, 1);
        QVERIFY(!before.summary());
        const Trace after = builder.snapshot();
        QCOMPARE(after.stepCount(), 2);
        QCOMPARE(after.matrix(cross0, 0).rows, 2);
        QCOMPARE(after.bestLeaf(), StepId{1});
        QCOMPARE(builder.progress().fraction, 1.0);
    }

    void eachHypothesisHasItsOwnRows()
    {
        TraceBuilder builder(sourceOf(3), nullptr, {});
        builder.begun(std::vector<TokenId>{0, 1, 2}, 9);
        addRow(builder, cross0, 0, 0, 3, 0.1F);
        builder.stepped(stepOf(0, {}, 0, 4));
        builder.stepped(stepOf(1, {}, 0, 5));
        addRow(builder, cross0, 0, 1, 3, 0.2F); // of step 0
        addRow(builder, cross0, 1, 1, 3, 0.3F); // of step 1
        DecodingStep second = stepOf(2, 1, 1, 6);
        second.hypothesis = 1;
        builder.stepped(second);
        builder.stepped(stepOf(3, 0, 1, 7));
        const Trace trace = builder.snapshot();
        QVERIFY(!trace.step(StepId{0}).step.parent);
        QVERIFY(!trace.step(StepId{1}).step.parent);
        QCOMPARE(trace.step(StepId{2}).step.parent, StepId{1});
        const Numbers first = trace.matrix(cross0, 0, StepId{2});
        QCOMPARE(first.at(0, 0), 0.1F); // siblings share the row that predicted them
        QCOMPARE(first.at(1, 0), 0.3F);
        QCOMPARE(trace.matrix(cross0, 0, StepId{3}).at(1, 0), 0.2F);
        QCOMPARE(trace.matrix(cross0, 1, StepId{3}).at(1, 0), 100.2F);
        QCOMPARE(trace.target(StepId{2}).ids, (std::vector<TokenId>{5, 6}));
        QCOMPARE(trace.step(StepId{0}).rows.at(0).block.get(), trace.step(StepId{1}).rows.at(0).block.get());
    }

    void whileRunningTheBestLeafIsTheDeepestWithTheBestScore()
    {
        TraceBuilder builder(sourceOf(1), nullptr, {});
        builder.begun(std::vector<TokenId>{0}, 9);
        builder.stepped(stepOf(0, {}, 0, 4, -0.1F));
        builder.stepped(stepOf(1, {}, 0, 5, -0.2F));
        builder.stepped(stepOf(2, 0, 1, 6, -0.9F));
        builder.stepped(stepOf(3, 1, 1, 7, -0.3F));
        QCOMPARE(builder.snapshot().bestLeaf(), StepId{3});
    }

    void decoderRowsArePaddedWithZerosAndScoresWithMinusInfinity()
    {
        TraceBuilder builder(sourceOf(1), nullptr, {});
        builder.begun(std::vector<TokenId>{0}, 9);
        for (int i = 0; i < 3; ++i) {
            const NumberVector<float> weights(static_cast<std::size_t>(i + 1), 1 / static_cast<float>(i + 1));
            const NumberVector<float> scores(static_cast<std::size_t>(i + 1), static_cast<float>(i));
            builder.attention({decoder0, 0, i, {weights.data(), 1, i + 1}, {scores.data(), 1, i + 1}});
            builder.stepped(chainedStep(i, 4 + i));
        }
        const Trace trace = builder.snapshot();
        QCOMPARE(trace.matrix(decoder0, 0).values,
                 (NumberVector<float>{1, 0, 0, 0.5F, 0.5F, 0, 1.0F / 3, 1.0F / 3, 1.0F / 3}));
        const Numbers scores = trace.scores(decoder0, 0);
        QCOMPARE(scores.at(0, 1), -std::numeric_limits<float>::infinity());
        QCOMPARE(scores.at(2, 2), 2.0F);
        QCOMPARE(trace.columnTokens(decoder0).ids, (std::vector<TokenId>{9, 4, 5}));
        QCOMPARE(trace.rowTokens(decoder0).ids, (std::vector<TokenId>{4, 5, 6}));
    }

    void aForcedBlockIsDividedAmongItsSteps()
    {
        TraceBuilder builder(sourceOf(2), nullptr, {});
        builder.begun(std::vector<TokenId>{0, 1}, 9);
        const NumberVector<float> weights{0.1F, 0.9F, 0.2F, 0.8F, 0.3F, 0.7F};
        builder.attention({cross0, 0, 0, {weights.data(), 3, 2}, {}});
        const NumberVector<float> hidden{1, 2, 3};
        builder.hidden({Stage::Decoder, 0, 0, 0, {hidden.data(), 3, 1}});
        builder.logits({0, 0, {hidden.data(), 3, 1}});
        for (int i = 0; i < 3; ++i)
            builder.stepped(chainedStep(i, 4 + i));
        const Trace trace = builder.snapshot();
        QCOMPARE(trace.matrix(cross0, 0).values, weights);
        QCOMPARE(*trace.step(StepId{1}).hidden.at(0), std::vector<float>{2});
        QCOMPARE(*trace.step(StepId{2}).logits, std::vector<float>{3});
    }

    // A recurrent model follows a given target row by row; the steps are reported after the last one.
    void aForcedTargetMayComeInSeveralBlocks()
    {
        TraceBuilder builder(sourceOf(1), nullptr, {});
        builder.begun(std::vector<TokenId>{0}, 9);
        for (int i = 0; i < 3; ++i) {
            const NumberVector<float> value{static_cast<float>(i)};
            builder.attention({cross0, 0, i, {value.data(), 1, 1}, {}});
            builder.hidden({Stage::Decoder, 0, 0, i, {value.data(), 1, 1}});
            builder.logits({0, i, {value.data(), 1, 1}});
        }
        for (int i = 0; i < 3; ++i)
            builder.stepped(chainedStep(i, 4 + i));
        const Trace trace = builder.snapshot();
        QCOMPARE(trace.matrix(cross0, 0).values, (NumberVector<float>{0, 1, 2}));
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(*trace.step(StepId{i}).hidden.at(0), std::vector<float>{static_cast<float>(i)});
            QCOMPARE(*trace.step(StepId{i}).logits, std::vector<float>{static_cast<float>(i)});
        }
    }

    void blocksOfAnEarlierRoundAreNotTakenForThisOne()
    {
        TraceBuilder builder(sourceOf(1), nullptr, {});
        builder.begun(std::vector<TokenId>{0}, 9);
        addRow(builder, cross0, 0, 0, 1, 0.1F);
        addRow(builder, cross0, 1, 0, 1, 0.2F);
        builder.stepped(stepOf(0, {}, 0, 4));
        addRow(builder, decoder0, 0, 1, 2, 0.3F); // this round reports no cross attention
        builder.stepped(stepOf(1, 0, 1, 5));
        QCOMPARE(builder.snapshot().step(StepId{1}).rows.size(), std::size_t{1});
        QCOMPARE(builder.snapshot().matrix(cross0, 0).rows, 0); // incomplete along the path: nothing, not half
    }

    void siblingsShareTheNamesOfTheirCandidates()
    {
        const auto names = std::make_shared<CountedNames>();
        TraceBuilder builder(sourceOf(1), names, {});
        builder.begun(std::vector<TokenId>{0}, 9);
        DecodingStep step = stepOf(0, {}, 0, 4);
        for (TokenId token = 0; token < 20; ++token)
            step.candidates.push_back({token, -1});
        builder.stepped(step);
        const int afterFirst = names->asked;
        step.index = StepId{1};
        builder.stepped(step);
        QCOMPARE(names->asked, afterFirst + 1); // the token alone
        const Trace trace = builder.snapshot();
        QCOMPARE(trace.step(StepId{1}).candidateTexts.at(19), std::string("t19"));
        QCOMPARE(trace.step(StepId{1}).text, std::string("t4"));
    }

    void decoderInputsStartWithTheStartToken()
    {
        TraceBuilder builder(sourceOf(1), std::make_shared<CountedNames>(), {});
        builder.begun(std::vector<TokenId>{0}, 9);
        builder.stepped(stepOf(0, {}, 0, 4));
        builder.stepped(stepOf(1, 0, 1, 5));
        const Encoding inputs = builder.snapshot().decoderInputs();
        QCOMPARE(inputs.tokens, (std::vector<std::string>{"t9", "t4"}));
        QCOMPARE(inputs.words, (std::vector<int>{-1, 4}));
        QVERIFY(inputs.special.at(0) && !inputs.special.at(1));
        QCOMPARE(builder.snapshot().target().tokens, (std::vector<std::string>{"t4", "t5"}));
    }

    void sourceIdsWithoutATokenizerAreNamedByNumber()
    {
        TraceBuilder builder({}, nullptr, {});
        builder.begun(std::vector<TokenId>{7, 8}, 9);
        QCOMPARE(builder.snapshot().source().tokens, (std::vector<std::string>{"<7>", "<8>"}));
    }

    void listsOfManyLengthsKeepEveryStep()
    {
        TraceBuilder builder(sourceOf(1), nullptr, {});
        builder.begun(std::vector<TokenId>{0}, 9);
        std::vector<Trace> snapshots;
        constexpr int steps = 1000;
        for (int i = 0; i < steps; ++i) {
            builder.stepped(chainedStep(i, i));
            snapshots.push_back(builder.snapshot());
        }
        for (int i = 0; i < steps; ++i) {
            const Trace& trace = snapshots[static_cast<std::size_t>(i)];
            QCOMPARE(trace.stepCount(), i + 1);
            QCOMPARE(trace.step(StepId{i}).step.token, i);
            QVERIFY_EXCEPTION_THROWN(trace.step(StepId{i + 1}), std::out_of_range);
        }
        QCOMPARE(snapshots.back().path().size(), std::size_t{steps});
    }

    // Looking again where nothing has happened costs nothing.
    void snapshotsShareTheirSteps()
    {
        TraceBuilder builder(sourceOf(1), nullptr, {});
        builder.begun(std::vector<TokenId>{0}, 9);
        builder.stepped(stepOf(0, {}, 0, 0));
        const Trace early = builder.snapshot();
        for (int i = 1; i < 1000; ++i)
            builder.stepped(chainedStep(i, i));
        const Trace later = builder.snapshot();
        QCOMPARE(&later.step(StepId{0}), &early.step(StepId{0}));
        QCOMPARE(&builder.snapshot().step(StepId{999}), &later.step(StepId{999}));
    }

    // One thread runs, another looks at it all the time.
    void snapshotsAreConsistentWhileTheRunGoesOn()
    {
        constexpr int steps = 3000;
        std::atomic<bool> ended = false;
        std::atomic<int> wrong = 0;
        TraceBuilder builder(sourceOf(4), std::make_shared<CountedNames>(), {});
        std::thread reader([&] {
            int last = 0;
            while (!ended) {
                const Trace trace = builder.snapshot();
                const int count = trace.stepCount();
                if (count < last || builder.progress().fraction > 1)
                    ++wrong;
                last = count;
                if (count == 0)
                    continue;
                const StepId leaf{count - 1};
                if (trace.step(leaf).step.index != leaf || trace.step(leaf).text != "t" + std::to_string(count - 1))
                    ++wrong;
                const Numbers matrix = readWeights(trace, {cross0, maximumOfHeads}, std::min(leaf, StepId{60}));
                for (int row = 0; row < matrix.rows; ++row) {
                    if (matrix.at(row, 0) != 100 + static_cast<float>(row))
                        ++wrong;
                }
            }
        });
        builder.begun(std::vector<TokenId>{0, 1, 2, 3}, 9);
        for (int i = 0; i < steps; ++i) {
            builder.progressed({static_cast<double>(i) / steps, Progress::Part::Step, i});
            addRow(builder, cross0, 0, i, 4, static_cast<float>(i));
            builder.stepped(chainedStep(i, i));
        }
        builder.finished({{{StepId{steps - 1}, -1, -1, true}}, 0});
        ended = true;
        reader.join();
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(builder.snapshot().path().size(), std::size_t{steps});
    }

    void sitesAndHeadsHaveOneText()
    {
        for (const Stage stage : {Stage::Encoder, Stage::Decoder, Stage::Cross}) {
            for (const HeadReading head :
                 {HeadReading(0), HeadReading(11), HeadReading(meanOfHeads), HeadReading(maximumOfHeads)}) {
                const SiteChoice read = parseSite(siteText({{stage, 3}, head}), "site");
                QCOMPARE(read.site, (Site{stage, 3}));
                QVERIFY(read.head == head);
            }
        }
        QCOMPARE(siteText({{Stage::Cross, 2}, meanOfHeads}), std::string("cross:2:mean"));
        QCOMPARE(siteText(Site{Stage::Encoder, 0}), std::string("encoder:0"));
        const SiteChoice half = parseSite("decoder:", "site");
        QCOMPARE(half.site, (Site{Stage::Decoder, 0}));
        QVERIFY(half.head == HeadReading(0));
    }

    void textsOfNoSiteAreRefused()
    {
        for (const char* text : {"", "middle:0", "cross:x", "cross:-1", "cross:0:most", "cross:0:-1", "cross:0:0:0",
                                 "cross:99999999999", "cross: 1"}) {
            try {
                (void)parseSite(text, "the site");
                QFAIL(text);
            } catch (const Error& error) {
                QCOMPARE(error.kind(), ErrorKind::Input);
                QVERIFY2(QByteArray(error.what()).startsWith("the site"), error.what());
            }
        }
    }
};

ATTN_TEST(TestTrace)

#include "tst_trace.moc"
