// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "decoding/decode.h"
#include "decoding/search.h"
#include "nn/engine.h"
#include "support/scripted_runs.h"
#include "support/search_of.h"
#include "support/test_program.h"
#include "support/verify_error.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

using namespace attn;
using namespace attn::test;

namespace {

// The steps that continue nothing.
std::vector<int> firstSteps(const Trace& trace)
{
    std::vector<int> found;
    for (int index = 0; index < trace.stepCount(); ++index) {
        if (!trace.step(StepId{index}).step.parent)
            found.push_back(index);
    }
    return found;
}

} // namespace

class TestDecoding : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void logSoftmaxIsStableAndKnowsWhatIsNoNumber()
    {
        Engine engine(1);
        const std::vector<float> large{1000.0F, 1001.0F};
        const auto logs = logSoftmax(engine, large);
        QVERIFY(near(std::exp(static_cast<double>(logs[0])) + std::exp(static_cast<double>(logs[1])), 1.0, 1e-6));
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float infinity = std::numeric_limits<float>::infinity();
        for (const auto& bad : {std::vector{1.0F, nan}, std::vector{nan, 1.0F}, std::vector{1.0F, infinity},
                                std::vector{-infinity, -infinity}})
            QVERIFY(std::ranges::all_of(logSoftmax(engine, bad), [](float value) { return std::isnan(value); }));
        QCOMPARE(logSoftmax(engine, std::vector{0.0F, -infinity})[1], -infinity);
    }

    void whatIsNoNumberIsNotProbable()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const auto best = mostProbable(std::vector{nan, -1.0F, nan, -2.0F, nan}, 4);
        QCOMPARE(best.size(), std::size_t{2});
        QCOMPARE(best[0].token, 1);
        QCOMPARE(best[1].token, 3);
    }

    // The end token is taken, with a probability that is not known.
    void logitsThatAreNoNumbersEndTheText()
    {
        for (const DecodingOptions& options : {DecodingOptions{}, beam(2), test::searchOf("sample")}) {
            const FakeModel model(3, end, [](const std::vector<TokenId>& tokens) {
                return tokens.size() > 1 ? std::vector<double>(3, std::numeric_limits<double>::quiet_NaN())
                                         : std::vector<double>{0, 0, 1};
            });
            const Run run = decodeWith(model, options);
            QCOMPARE(run.best(), (Tokens{2, 1}));
            const DecodingStep& last = run.trace.step(StepId{1}).step;
            QVERIFY(std::isnan(last.logProbability) && std::isnan(last.score) && last.candidates.empty());
            QVERIFY(last.ends);
            QVERIFY(!std::isnan(run.trace.step(StepId{0}).step.logProbability));
            QVERIFY(std::isnan(run.summary.hypotheses.at(0).sum) && std::isnan(run.summary.hypotheses[0].score));
        }
    }

    void tiesGoToTheLowerId()
    {
        const auto best = mostProbable(std::vector{-2.0F, -1.0F, -1.0F, -2.0F}, 3);
        QCOMPARE(best.size(), std::size_t{3});
        QCOMPARE(best[0].token, 1);
        QCOMPARE(best[1].token, 2);
        QCOMPARE(best[2].token, 0);
    }

    void greedyTakesTheMostProbableAndStopsAfterTheEnd()
    {
        const Run run = decodeWith(gardenPath(), {});
        QCOMPARE(run.best(), (Tokens{2, 1}));
        QVERIFY(run.summary.hypotheses.at(0).ended);
        QVERIFY(near(run.summary.hypotheses[0].sum, logOf({0.5, 0.4})));
        QVERIFY(near(run.summary.hypotheses[0].score, logOf({0.5, 0.4}) / 2));
        QVERIFY(!run.trace.step(StepId{0}).step.ends);
        QVERIFY(run.trace.step(StepId{1}).step.ends);
    }

    void theEndTokenMayComeFirst()
    {
        const FakeModel model(3, end, scripted({}, {0.1, 0.8, 0.1}));
        QCOMPARE(decodeWith(model, {}).best(), (Tokens{1}));
        QCOMPARE(decodeWith(model, beam(1)).best(), (Tokens{1}));
    }

    void theLimitCountsTheEndTokenAndForcesNothing()
    {
        const FakeModel model(4, end, scripted({}, {0, 0.1, 0.5, 0.4}));
        DecodingOptions options;
        options.maxLength = 3;
        const Run run = decodeWith(model, options);
        QCOMPARE(run.best(), (Tokens{2, 2, 2}));
        QVERIFY(!run.summary.hypotheses.at(0).ended);
        options.maxLength = 1;
        QCOMPARE(decodeWith(model, options).best(), (Tokens{2}));
    }

    void theModelsOwnPositionsAreALimit()
    {
        FakeModel model(4, end, scripted({}, {0, 0.1, 0.5, 0.4}));
        model.editInfo().maximumLength = 4;
        QCOMPARE(decodeWith(model, {}).best().size(), std::size_t{4});
    }

    void badTokensAreNotProducedAndTheRestIsNotRenormalised()
    {
        FakeModel model(4, end, scripted({{{}, {0.6, 0.1, 0.2, 0.1}}}, {0.1, 0.8, 0.1, 0}));
        model.editInfo().badTokens = {0};
        const Run run = decodeWith(model, {});
        QCOMPARE(run.best(), (Tokens{2, 1}));
        QVERIFY(near(static_cast<double>(run.trace.step(StepId{0}).step.logProbability), std::log(0.2)));
        for (const Candidate& candidate : run.trace.step(StepId{0}).step.candidates)
            QVERIFY(candidate.token != 0);
        model.editInfo().badTokens = {0, 1, 2, 3};
        QVERIFY_EXCEPTION_THROWN(decodeWith(model, {}), Error);
        QVERIFY_EXCEPTION_THROWN(decodeWith(model, beam(2)), Error);
    }

    void candidatesAreTheTwentyMostProbableBestFirst()
    {
        std::vector<double> probabilities(40);
        for (std::size_t i = 0; i < probabilities.size(); ++i)
            probabilities[i] = static_cast<double>((i * 7) % 40 + 1) / 820;
        const FakeModel model(40, end, scripted({}, probabilities));
        DecodingOptions options;
        options.maxLength = 1;
        const Run run = decodeWith(model, options);
        const auto& candidates = run.trace.step(StepId{0}).step.candidates;
        QCOMPARE(candidates.size(), std::size_t{20});
        for (std::size_t i = 0; i < candidates.size(); ++i)
            QVERIFY(
                near(static_cast<double>(candidates[i].logProbability), std::log(static_cast<double>(40 - i) / 820)));
    }

    void beamFindsWhatGreedyMisses()
    {
        const Run run = decodeWith(gardenPath(), beam(2));
        QCOMPARE(run.best(), (Tokens{3, 3, 1}));
        QVERIFY(near(run.summary.hypotheses.at(0).sum, logOf({0.44, 0.94, 0.97})));
        QVERIFY(near(run.summary.hypotheses[0].score, logOf({0.44, 0.94, 0.97}) / 3));
        // Every finished hypothesis stays, best first.
        QVERIFY(run.summary.hypotheses.size() >= 2);
        QVERIFY(std::ranges::is_sorted(run.summary.hypotheses, std::greater<>(), &Hypothesis::score));
        QCOMPARE(run.tokens(1), (Tokens{2, 1}));
    }

    void beamOfOneIsGreedy()
    {
        QCOMPARE(decodeWith(gardenPath(), beam(1)).best(), decodeWith(gardenPath(), {}).best());
    }

    void beamRowsBelongToTheirOwnHypothesis()
    {
        const Run run = decodeWith(gardenPath(), beam(2));
        for (const Hypothesis& hypothesis : run.summary.hypotheses) {
            const Encoding inputs = run.trace.decoderInputs(hypothesis.step);
            const Numbers cross = run.trace.matrix({Stage::Cross, 0}, 0, hypothesis.step);
            const Numbers self = run.trace.matrix({Stage::Decoder, 0}, 0, hypothesis.step);
            QCOMPARE(cross.rows, static_cast<int>(inputs.size()));
            QCOMPARE(self.columns, static_cast<int>(inputs.size()));
            for (int row = 0; row < cross.rows; ++row) {
                QCOMPARE(cross.at(row, 1), static_cast<float>(inputs.ids[static_cast<std::size_t>(row)]) / 100);
                for (int column = 0; column < self.columns; ++column) {
                    const float expected =
                        column <= row ? static_cast<float>(inputs.ids[static_cast<std::size_t>(column)]) / 100 : 0.0F;
                    QCOMPARE(self.at(row, column), expected);
                }
            }
        }
    }

    void beamStepsFormATreeWithScores()
    {
        const Run run = decodeWith(gardenPath(), beam(2));
        for (int i = 0; i < run.trace.stepCount(); ++i) {
            const DecodingStep& step = run.trace.step(StepId{i}).step;
            QCOMPARE(step.index, StepId{i});
            QVERIFY(step.parent < StepId{i});
            const float before = !step.parent ? 0.0F : run.trace.step(*step.parent).step.score;
            QVERIFY(near(static_cast<double>(step.score), static_cast<double>(before + step.logProbability)));
            QCOMPARE(step.position, !step.parent ? 0 : run.trace.step(*step.parent).step.position + 1);
        }
        QCOMPARE(firstSteps(run.trace), (std::vector<int>{0, 1}));
    }

    // With K = 2, an end that ranks third is dropped although fewer than two have finished.
    void anEndBeyondTheFirstKIsDropped()
    {
        const FakeModel model(5, end, scripted({{{}, {0, 0.2, 0.4, 0.35, 0.05}}}, {0, 0.97, 0.01, 0.01, 0.01}));
        const Run run = decodeWith(model, beam(2));
        for (std::size_t i = 0; i < run.summary.hypotheses.size(); ++i)
            QVERIFY(run.tokens(i) != Tokens{1});
        QCOMPARE(run.best(), (Tokens{2, 1}));
    }

    // An end on rank two is finished, and the walk goes on until two are alive.
    void theWalkGoesOnUntilKAreAlive()
    {
        const FakeModel model(5, end, scripted({{{}, {0, 0.3, 0.4, 0.2, 0.1}}}, {0, 0.97, 0.01, 0.01, 0.01}));
        const Run run = decodeWith(model, beam(2));
        QCOMPARE(firstSteps(run.trace).size(), std::size_t{3});
        QCOMPARE(run.trace.step(StepId{0}).step.token, 2);
        QCOMPARE(run.trace.step(StepId{1}).step.token, end);
        QCOMPARE(run.trace.step(StepId{2}).step.token, 3);
    }

    // Two have finished early, but a live hypothesis is better per token, so the search must not stop yet.
    void aBetterLiveHypothesisKeepsTheSearchGoing()
    {
        const FakeModel model(5, end,
                              scripted({{{}, {0, 0.3, 0.4, 0.2, 0.1}},
                                        {{2}, {0, 0.35, 0.02, 0.03, 0.6}},
                                        {{3}, {0, 0.1, 0.3, 0.3, 0.3}},
                                        {{2, 4}, {0, 0.97, 0.01, 0.01, 0.01}}},
                                       {0, 0.25, 0.25, 0.25, 0.25}));
        const Run run = decodeWith(model, beam(2));
        QCOMPARE(run.best(), (Tokens{2, 4, 1}));
        QCOMPARE(run.tokens(1), (Tokens{2, 1}));
        QCOMPARE(run.tokens(2), (Tokens{1}));
    }

    // The same beginning, but now no live hypothesis is above the second best that has finished.
    void theSearchStopsWhenNoLiveHypothesisCanWin()
    {
        const FakeModel model(
            5, end,
            scripted({{{}, {0, 0.3, 0.4, 0.2, 0.1}}, {{2}, {0, 0.9, 0.03, 0.03, 0.04}}}, {0, 0.01, 0.33, 0.33, 0.33}));
        const Run run = decodeWith(model, beam(2));
        QCOMPARE(run.best(), (Tokens{2, 1}));
        QCOMPARE(run.summary.hypotheses.size(), std::size_t{2});
        int deepest = 0;
        for (int i = 0; i < run.trace.stepCount(); ++i)
            deepest = std::max(deepest, run.trace.step(StepId{i}).step.position);
        QVERIFY(deepest < 9);
    }

    void equalContinuationsKeepTheEarlierHypothesis()
    {
        const FakeModel model(4, end, scripted({{{}, {0, 0, 0.5, 0.5}}}, {0, 0.5, 0.25, 0.25}));
        const Run run = decodeWith(model, beam(2, 2));
        QCOMPARE(run.trace.step(StepId{0}).step.token, 2);
        QCOMPARE(run.trace.step(StepId{1}).step.token, 3);
        QCOMPARE(run.best(), (Tokens{2, 1}));
    }

    void atTheLimitLiveHypothesesCountAsFinished()
    {
        const FakeModel model(4, end, scripted({}, {0, 0.05, 0.55, 0.4}));
        const Run run = decodeWith(model, beam(2, 3));
        QCOMPARE(run.best(), (Tokens{2, 2, 2}));
        QVERIFY(!run.summary.hypotheses.at(0).ended);
    }

    void samplingRepeatsWithItsSeed()
    {
        const FakeModel model(8, end, scripted({}, {0, 0.05, 0.2, 0.15, 0.15, 0.15, 0.15, 0.15}));
        const Tokens first = decodeWith(model, sampling(7)).best();
        QCOMPARE(decodeWith(model, sampling(7)).best(), first);
        bool differs = false;
        for (std::uint64_t seed = 1; seed < 5; ++seed)
            differs = differs || decodeWith(model, sampling(seed)).best() != first;
        QVERIFY(differs);
    }

    // std::mt19937_64 is the same everywhere, and so is the conversion: these tokens must not change.
    void samplingIsTheSameOnEveryPlatform()
    {
        std::mt19937_64 generator(42);
        const FakeModel model(5, end, scripted({}, {0, 0, 0.5, 0.3, 0.2}));
        Tokens expected;
        for (int i = 0; i < 12; ++i) {
            const double draw = static_cast<double>(generator() >> 11U) * 0x1.0p-53;
            expected.push_back(draw < 0.5 ? 2 : draw < 0.8 ? 3 : 4);
        }
        QCOMPARE(decodeWith(model, sampling(42, 12)).best(), expected);
    }

    void samplingFollowsTheDistribution()
    {
        const FakeModel model(5, end, scripted({}, {0, 0, 0.5, 0.3, 0.2}));
        const Tokens drawn = decodeWith(model, sampling(3, 4000)).best();
        const auto share = [&](TokenId token) {
            return static_cast<double>(std::ranges::count(drawn, token)) / static_cast<double>(drawn.size());
        };
        QVERIFY(near(share(2), 0.5, 0.03));
        QVERIFY(near(share(3), 0.3, 0.03));
        QVERIFY(near(share(4), 0.2, 0.03));
    }

    void temperatureTopKAndTopPCutTheDistribution()
    {
        const FakeModel model(5, end, scripted({}, {0, 0, 0.5, 0.3, 0.2}));
        const auto drawn = [&](const std::function<void(DecodingOptions&)>& change) {
            DecodingOptions options = sampling(5, 500);
            change(options);
            return decodeWith(model, options).best();
        };
        const auto count = [](const Tokens& tokens, TokenId token) { return std::ranges::count(tokens, token); };
        QCOMPARE(count(drawn([](DecodingOptions& o) { o.topK = 1; }), 2), 500);
        QCOMPARE(count(drawn([](DecodingOptions& o) { o.topK = 2; }), 4), 0);
        QCOMPARE(count(drawn([](DecodingOptions& o) { o.topP = 0.4; }), 2), 500);
        QCOMPARE(count(drawn([](DecodingOptions& o) { o.topP = 0.7; }), 4), 0);
        QVERIFY(count(drawn([](DecodingOptions& o) { o.topP = 0.7; }), 3) > 0);
        QCOMPARE(count(drawn([](DecodingOptions& o) { o.minP = 0.9; }), 2), 500);
        QCOMPARE(count(drawn([](DecodingOptions& o) { o.minP = 0.5; }), 4), 0);
        QVERIFY(count(drawn([](DecodingOptions& o) { o.minP = 0.5; }), 3) > 0);
        QVERIFY(count(drawn([](DecodingOptions& o) { o.minP = 0.01; }), 4) > 0);
        QCOMPARE(count(drawn([](DecodingOptions& o) { o.temperature = 0.01; }), 2), 500);
        QVERIFY(count(drawn([](DecodingOptions& o) { o.temperature = 100; }), 4) > 120);
    }

    void sampledStepsKeepTheModelsOwnProbabilities()
    {
        const FakeModel model(5, end, scripted({}, {0, 0, 0.5, 0.3, 0.2}));
        DecodingOptions options = sampling(1, 5);
        options.temperature = 3;
        const Run run = decodeWith(model, options);
        for (int i = 0; i < run.trace.stepCount(); ++i) {
            const double expected = std::log(
                std::vector{0, 0, 50, 30, 20}.at(static_cast<std::size_t>(run.trace.step(StepId{i}).step.token))
                / 100.0);
            QVERIFY(near(static_cast<double>(run.trace.step(StepId{i}).step.logProbability), expected));
        }
    }

    void aForcedTargetIsScoredAsGiven()
    {
        const Run run = decodeWith(gardenPath(), {}, Tokens{3, 3, 2});
        QCOMPARE(run.best(), (Tokens{3, 3, 2}));
        QVERIFY(near(run.summary.hypotheses.at(0).sum, logOf({0.44, 0.94, 0.01})));
        QVERIFY(!run.summary.hypotheses[0].ended);
        QCOMPARE(run.trace.matrix({Stage::Cross, 0}, 0).rows, 3);
        QCOMPARE(run.trace.matrix({Stage::Cross, 0}, 0).at(2, 1), 0.03F);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(run.trace.step(StepId{i}).logits->size(), std::size_t{5});
    }

    void aForcedPrefixOfTheGreedyOutputHasItsScores()
    {
        const Run greedy = decodeWith(gardenPath(), {});
        const Run forced = decodeWith(gardenPath(), {}, greedy.best());
        for (int i = 0; i < greedy.trace.stepCount(); ++i) {
            QCOMPARE(forced.trace.step(StepId{i}).step.logProbability,
                     greedy.trace.step(StepId{i}).step.logProbability);
            QCOMPARE(*forced.trace.step(StepId{i}).logits, *greedy.trace.step(StepId{i}).logits);
        }
    }

    void impossibleRequestsAreRefused()
    {
        const FakeModel model = gardenPath();
        QVERIFY_EXCEPTION_THROWN(decodeWith(model, {}, Tokens{}), Error);
        QVERIFY_EXCEPTION_THROWN(decodeWith(model, {}, Tokens{5}), Error);
        QVERIFY_EXCEPTION_THROWN(decodeWith(model, {}, Tokens{-1}), Error);
        DecodingOptions options;
        options.maxLength = 0;
        QVERIFY_EXCEPTION_THROWN(decodeWith(model, options), Error);
        options = sampling(1);
        options.temperature = 0;
        QVERIFY_EXCEPTION_THROWN(decodeWith(model, options), Error);
        options = sampling(1);
        options.topP = 1.5;
        QVERIFY_EXCEPTION_THROWN(decodeWith(model, options), Error);
    }

    void optionsAreParsed()
    {
        QCOMPARE(test::searchOf("greedy").search, Search::Greedy);
        QCOMPARE(test::searchOf("beam:7").beamSize, 7);
        QCOMPARE(test::searchOf("beam:7").describe(), std::string("beam:7"));
        QCOMPARE(test::searchOf("sample").search, Search::Sampling);
        for (const char* bad : {"", "beam", "beam:", "beam:0", "beam:-1", "beam:3x", "beam:99999999999", "Greedy"})
            QVERIFY_EXCEPTION_THROWN(test::searchOf(bad), Error);
        DecodingOptions options = sampling(7);
        options.temperature = 0.5;
        QCOMPARE(options.describe(), std::string("sample temperature=0.5 seed=7"));
    }

    void everyOptionIsHeldToItsLimits()
    {
        for (const DecodingRow& row : decodingRows()) {
            const bool number = std::holds_alternative<int DecodingOptions::*>(row.member)
                || std::holds_alternative<double DecodingOptions::*>(row.member);
            if (!number)
                continue;
            for (const double beyond : {row.limits.least - 1, row.limits.most + 1}) {
                DecodingOptions options;
                visitOption(row, options, [&](auto& value) {
                    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>)
                        value = static_cast<std::decay_t<decltype(value)>>(beyond);
                });
                QVERIFY_EXCEPTION_THROWN(decodeWith(gardenPath(), options), Error);
            }
        }
    }

    void optionsOfOtherModelsAreRefused()
    {
        DecodingOptions generating;
        generating.generate = 3;
        checkDecoding(generating, ModelKind::DecoderOnly, false);
        QVERIFY_EXCEPTION_THROWN(checkDecoding(generating, ModelKind::EncoderDecoder, false), Error);
        QVERIFY_EXCEPTION_THROWN(checkDecoding(generating, ModelKind::EncoderOnly, false), Error);
        QVERIFY_EXCEPTION_THROWN(checkDecoding(beam(2), ModelKind::EncoderOnly, false), Error);
        checkDecoding(beam(2), ModelKind::EncoderDecoder, false);
        DecodingOptions drawn;
        drawn.sampleHardAttention = true;
        checkDecoding(drawn, ModelKind::EncoderDecoder, true);
        QVERIFY_EXCEPTION_THROWN(checkDecoding(drawn, ModelKind::EncoderDecoder, false), Error);
        QVERIFY(fitted(drawn, ModelKind::EncoderDecoder, false) == DecodingOptions());
        QVERIFY(fitted(drawn, ModelKind::EncoderDecoder, true) == drawn);
        QVERIFY(fitted(beam(2), ModelKind::DecoderOnly, false).search == Search::Beam);
    }

    void aRunStopsBetweenSteps()
    {
        const FakeModel model(4, end, scripted({}, {0, 0, 0.6, 0.4}));
        std::stop_source stop;
        int changes = 0;
        DecodingOptions options;
        options.maxLength = 100000;
        test::verifyError(ErrorKind::Cancelled, {}, [&] {
            decodeWith(model, options, std::nullopt, stop.get_token(), [&] {
                if (++changes == 50)
                    stop.request_stop();
            });
        });
        QVERIFY(changes < 55);
    }

    void theOutputCanBeMadeToBeginWithAToken()
    {
        DecodingOptions options;
        options.firstToken = 4;
        const FakeModel model = gardenPath();
        for (const Search search : {Search::Greedy, Search::Beam, Search::Sampling}) {
            options.search = search;
            QCOMPARE(decodeWith(model, options).best().front(), 4);
        }
        options.firstToken = 99;
        test::verifyError(ErrorKind::Input, {}, [&] { (void)decodeWith(model, options); });
    }

    void progressNamesTheStep()
    {
        struct Steps final : TraceSink
        {
            std::vector<int> seen;
            std::vector<std::string> order;
            void begun(std::span<const TokenId>, std::optional<TokenId>) override { order.emplace_back("begun"); }
            void attention(const AttentionBlock&) override { order.emplace_back("attention"); }
            void stage(const StageBlock&) override { order.emplace_back("stage"); }
            void hidden(const HiddenBlock&) override { }
            void routed(const RoutingBlock&) override { order.emplace_back("routed"); }
            void logits(const LogitsBlock&) override { order.emplace_back("logits"); }
            void predicted(const MaskedPrediction&) override { order.emplace_back("predicted"); }
            void classified(const Classification&) override { order.emplace_back("classified"); }
            void labelled(const TokenPredictions&) override { order.emplace_back("labelled"); }
            void stepped(const DecodingStep&) override { order.emplace_back("stepped"); }
            void closed(std::optional<StepId>, int, const std::vector<Candidate>&) override
            {
                order.emplace_back("closed");
            }
            void progressed(const Progress& progress) override
            {
                QVERIFY(progress.part == Progress::Part::Step);
                seen.push_back(progress.number);
                QVERIFY(progress.fraction >= 0 && progress.fraction <= 1);
            }
            void finished(const RunSummary&) override { order.emplace_back("finished"); }
        } sink;
        Engine engine(1);
        const FakeModel model = gardenPath();
        RunContext context{engine, sink, {}, {}};
        decode(model, Tokens{5, 6}, {}, {}, context);
        QCOMPARE(sink.seen, (std::vector<int>{0, 1}));
        QCOMPARE(sink.order,
                 (std::vector<std::string>{"begun", "attention", "attention", "stepped", "attention", "attention",
                                           "stepped", "finished"}));
    }
};

ATTN_TEST(TestDecoding)

#include "tst_decoding.moc"
