// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "decoding/decode.h"
#include "decoding/sampling.h"
#include "decoding/search.h"
#include "support/scripted_runs.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace attn;
using namespace attn::test;

namespace {

Tokens firstOf(const Tokens& tokens, std::size_t count)
{
    return {tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Every word may follow every other, by probabilities that depend on the two tokens before.
FakeModel wordy(int vocabulary = 9)
{
    return {vocabulary, end, [vocabulary](const Tokens& prefix) {
                const TokenId last = prefix.back();
                const TokenId before = prefix.size() > 1 ? prefix[prefix.size() - 2] : 0;
                std::vector<double> weights{0};
                double sum = 0;
                for (int token = 1; token < vocabulary; ++token) {
                    weights.push_back(token == end ? 0.4 : 1 + (token * 7 + last * 5 + before * 3) % 11);
                    sum += weights.back();
                }
                for (double& weight : weights)
                    weight /= sum;
                return weights;
            }};
}

FakeModel wordyPrompt()
{
    FakeModel model = wordy();
    model.editInfo().kind = ModelKind::DecoderOnly;
    model.editInfo().decoderStart.reset();
    return model;
}

Run withPrefix(const SequenceModel& model, const DecodingOptions& options, Tokens prefix)
{
    return decodeGiven(model, options, {.prefix = std::move(prefix)});
}

void verifySameRun(const Run& found, const Run& expected)
{
    QCOMPARE(found.trace.stepCount(), expected.trace.stepCount());
    for (int i = 0; i < expected.trace.stepCount(); ++i) {
        const TraceStep& step = found.trace.step(StepId{i});
        const TraceStep& wanted = expected.trace.step(StepId{i});
        QCOMPARE(step.step.token, wanted.step.token);
        QCOMPARE(step.step.parent, wanted.step.parent);
        QCOMPARE(step.step.position, wanted.step.position);
        QCOMPARE(step.step.logProbability, wanted.step.logProbability);
        QCOMPARE(step.step.score, wanted.step.score);
        QCOMPARE(step.step.ends, wanted.step.ends);
        QCOMPARE(*step.logits, *wanted.logits);
        QVERIFY(std::ranges::equal(step.step.candidates, wanted.step.candidates, [](const auto& a, const auto& b) {
            return a.token == b.token && a.logProbability == b.logProbability;
        }));
    }
    for (const Site& site : expected.trace.sites())
        QCOMPARE(found.trace.matrix(site, 0).values, expected.trace.matrix(site, 0).values);
    QCOMPARE(found.summary.hypotheses.size(), expected.summary.hypotheses.size());
    QCOMPARE(found.summary.hypotheses.at(0).sum, expected.summary.hypotheses.at(0).sum);
    QCOMPARE(found.summary.hypotheses.at(0).score, expected.summary.hypotheses.at(0).score);
    QCOMPARE(found.summary.hypotheses.at(0).ended, expected.summary.hypotheses.at(0).ended);
}

// The sum and the score that a model's script gives a whole output.
void verifyScored(const FakeModel& model, const Run& run, std::size_t hypothesis)
{
    const Run forced = decodeWith(model, {}, run.tokens(hypothesis));
    QVERIFY(near(run.summary.hypotheses[hypothesis].sum, forced.summary.hypotheses.at(0).sum));
    QVERIFY(near(run.summary.hypotheses[hypothesis].score, forced.summary.hypotheses.at(0).score));
}

} // namespace

class TestPrefix : public QObject
{
    Q_OBJECT

private:
    static std::string refusal(const SequenceModel& model, const DecodingOptions& options, const GivenOutput& given)
    {
        try {
            decodeGiven(model, options, given);
        } catch (const Error& error) {
            return error.kind() == ErrorKind::Input ? error.what() : "another kind of error";
        }
        return "nothing was thrown";
    }

private Q_SLOTS:
    void aPrefixOfTheGreedyOutputGivesTheGreedyRun()
    {
        const FakeModel model = wordy();
        DecodingOptions options;
        options.maxLength = 7;
        const Run greedy = decodeWith(model, options);
        QCOMPARE(greedy.best().size(), std::size_t{7});
        for (std::size_t length = 0; length <= greedy.best().size(); ++length)
            verifySameRun(withPrefix(model, options, firstOf(greedy.best(), length)), greedy);
    }

    void aPrefixOfWhatIsGeneratedGivesTheSameRun()
    {
        const FakeModel model = wordyPrompt();
        DecodingOptions options;
        options.generate = 5;
        const Run greedy = decodeWith(model, options);
        const Tokens whole = greedy.best();
        QCOMPARE(whole.size(), std::size_t{7}); // two more tokens of the prompt
        for (std::size_t length = 0; length <= 5; ++length) {
            const Tokens prefix(whole.begin() + 2, whole.begin() + 2 + static_cast<int>(length));
            const Run run = withPrefix(model, options, prefix);
            verifySameRun(run, greedy);
            QCOMPARE(run.trace.givenSteps(), 2 + static_cast<int>(length));
            QCOMPARE(run.trace.rowPath().size(), std::size_t{8}); // the last token has its row too
        }
    }

    void anotherWordIsGoneOnFrom()
    {
        const Run run = withPrefix(gardenPath(), {}, {3});
        QCOMPARE(run.best(), (Tokens{3, 3, 1})); // greedy itself takes 2
        QVERIFY(near(run.summary.hypotheses.at(0).sum, logOf({0.44, 0.94, 0.97})));
        QVERIFY(near(run.summary.hypotheses[0].score, logOf({0.44, 0.94, 0.97}) / 3));
        QCOMPARE(run.trace.step(StepId{0}).step.candidates.front().token, 2); // what was expected there
        QCOMPARE(run.trace.matrix({Stage::Cross, 0}, 0).rows, 3);
        QCOMPARE(run.trace.matrix({Stage::Decoder, 0}, 0).at(2, 1), 0.03F);
    }

    void itIsReadAtOnce()
    {
        const FakeModel model = wordy();
        DecodingOptions options;
        options.maxLength = 5;
        const Run run = withPrefix(model, options, {4, 5, 6});
        QCOMPARE(run.trace.step(StepId{1}).rows.front().block, run.trace.step(StepId{3}).rows.front().block);
        QCOMPARE(model.work().inputs, 5); // the start token and all but the last
    }

    void beamsCountItInSumsAndLengths()
    {
        const FakeModel model = wordy();
        for (const int size : {1, 2, 4}) {
            const Run run = withPrefix(model, beam(size, 6), {5, 2});
            QVERIFY(!run.summary.hypotheses.empty());
            for (std::size_t i = 0; i < run.summary.hypotheses.size(); ++i) {
                QCOMPARE(firstOf(run.tokens(i), 2), (Tokens{5, 2}));
                QVERIFY(run.tokens(i).size() <= 6);
                verifyScored(model, run, i);
            }
            QCOMPARE(run.trace.step(StepId{0}).step.token, 5);
            QCOMPARE(run.trace.step(StepId{1}).step.parent, std::optional(StepId{0}));
        }
    }

    void aBeamOfOneWithAPrefixIsGreedyWithIt()
    {
        const FakeModel model = wordy();
        DecodingOptions options;
        options.maxLength = 6;
        QCOMPARE(withPrefix(model, beam(1, 6), {5, 2}).best(), withPrefix(model, options, {5, 2}).best());
    }

    // The best of all outputs that begin with the prefix, by trying them out.
    void aWideBeamFindsTheBestThatBeginsWithIt()
    {
        const FakeModel model = wordy(5);
        const Tokens prefix{3, 2};
        double best = -1e9;
        for (TokenId third = 1; third < 5; ++third) {
            if (third == end) {
                best = std::max(best, decodeWith(model, {}, Tokens{3, 2, end}).summary.hypotheses.at(0).score);
                continue;
            }
            for (TokenId fourth = 1; fourth < 5; ++fourth)
                best = std::max(best, decodeWith(model, {}, Tokens{3, 2, third, fourth}).summary.hypotheses[0].score);
        }
        QVERIFY(near(withPrefix(model, beam(64, 4), prefix).summary.hypotheses.at(0).score, best));
    }

    // The numbers that a seed gives are for what is drawn: the first token after the prefix takes the first of them.
    void noRandomNumberIsDrawnForIt()
    {
        std::mt19937_64 generator(42);
        const FakeModel model(5, end, scripted({}, {0, 0, 0.5, 0.3, 0.2}));
        Tokens expected{4, 4, 2};
        for (int i = 0; i < 9; ++i) {
            const double draw = static_cast<double>(generator() >> 11U) * 0x1.0p-53;
            expected.push_back(draw < 0.5 ? 2 : draw < 0.8 ? 3 : 4);
        }
        const Run run = withPrefix(model, sampling(42, 12), {4, 4, 2});
        QCOMPARE(run.best(), expected);
        QVERIFY(near(static_cast<double>(run.trace.step(StepId{0}).step.logProbability), std::log(0.2)));
    }

    void itMayTakeAllThereIs()
    {
        for (const Search search : {Search::Greedy, Search::Beam, Search::Sampling}) {
            DecodingOptions options;
            options.search = search;
            options.maxLength = 3;
            const Run run = withPrefix(gardenPath(), options, {2, 4, 3});
            QCOMPARE(run.best(), (Tokens{2, 4, 3}));
            QCOMPARE(run.trace.stepCount(), 3);
            QVERIFY(!run.summary.hypotheses.at(0).ended);
            QVERIFY(near(run.summary.hypotheses[0].score, logOf({0.5, 0.1, 0.25}) / 3));
            QCOMPARE(run.trace.matrix({Stage::Cross, 0}, 0).rows, 3);

            options.generate = 3;
            const Run continued = withPrefix(wordyPrompt(), options, {2, 4, 3});
            QCOMPARE(continued.best(), (Tokens{6, 7, 2, 4, 3}));
            QCOMPARE(continued.trace.rowPath().size(), std::size_t{6});
            QCOMPARE(continued.trace.matrix({Stage::Decoder, 0}, 0).at(5, 5), 0.03F);
        }
    }

    // A token that is never chosen may be given: it has the probability that the model gives it, and the candidates
    // are those of a search.
    void itsLogProbabilitiesAreTheModelsOwn()
    {
        FakeModel model(4, end, scripted({{{}, {0.6, 0.1, 0.2, 0.1}}}, {0.1, 0.8, 0.1, 0}));
        model.editInfo().badTokens = {0};
        const Run run = withPrefix(model, {}, {0, 2});
        QCOMPARE(run.best(), (Tokens{0, 2, 1}));
        QVERIFY(near(static_cast<double>(run.trace.step(StepId{0}).step.logProbability), std::log(0.6)));
        QVERIFY(near(run.summary.hypotheses.at(0).sum, logOf({0.6, 0.1, 0.8})));
        for (const int step : {0, 1, 2}) {
            for (const Candidate& candidate : run.trace.step(StepId{step}).step.candidates)
                QVERIFY(candidate.token != 0);
        }
        model.editInfo().firstToken = 3;
        QCOMPARE(withPrefix(model, {}, {2}).best(), (Tokens{2, 1}));
        QCOMPARE(withPrefix(model, {}, {2}).trace.step(StepId{0}).step.candidates.at(0).token, 3);
        QCOMPARE(withPrefix(model, {}, {2}).trace.step(StepId{1}).step.candidates.at(0).token, 1);
    }

    void whatCannotBeBegunIsRefused()
    {
        const FakeModel model = wordy();
        DecodingOptions three;
        three.maxLength = 3;
        QVERIFY(refusal(model, three, {.prefix = {2, 3, 4, 5}}).find("--max-length") != std::string::npos);
        FakeModel narrow = wordy();
        narrow.editInfo().maximumLength = 2;
        QVERIFY(refusal(narrow, {}, {.prefix = {2, 3, 4}}).find("3 tokens") != std::string::npos);
        QVERIFY(refusal(model, {}, {.prefix = {2, end, 3}}).find("position 1") != std::string::npos);
        FakeModel twoEnds = wordy();
        twoEnds.editInfo().otherEndTokens = {7};
        QVERIFY(refusal(twoEnds, {}, {.prefix = {7}}).find("token 7") != std::string::npos);
        QVERIFY(refusal(model, {}, {.prefix = {2, 9}}).find('9') != std::string::npos);
        QVERIFY(refusal(model, {}, {.prefix = {-1}}).find("-1") != std::string::npos);
        QVERIFY(refusal(model, {}, {.whole = Tokens{2}, .prefix = {2}}).starts_with("prefix"));
        FakeModel encoder = wordy();
        encoder.editInfo().kind = ModelKind::EncoderOnly;
        QVERIFY(refusal(encoder, {}, {.prefix = {2}}).find("encoder-only") != std::string::npos);
        const FakeModel prompted = wordyPrompt();
        QVERIFY(refusal(prompted, {}, {.prefix = {2}}).find("--generate") != std::string::npos);
        DecodingOptions two;
        two.generate = 2;
        QVERIFY(refusal(prompted, two, {.prefix = {2, 3, 4}}).find("--generate") != std::string::npos);
        QCOMPARE(model.work().encoded + model.work().inputs, 0); // nothing was computed for it
    }

    void whatWouldBeDrawnIsKnownBefore()
    {
        std::vector<float> logs;
        for (const double p : {0.1, 0.4, 0.2, 0.3})
            logs.push_back(static_cast<float>(std::log(p)));
        const auto chances = [&](const std::function<void(DecodingOptions&)>& change) {
            DecodingOptions options;
            change(options);
            return drawProbabilities(logs, options);
        };
        const auto verify = [](const std::vector<double>& found, const std::vector<double>& expected) {
            QCOMPARE(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                QVERIFY2(near(found[i], expected[i]), std::to_string(found[i]).c_str());
        };
        verify(chances([](DecodingOptions&) {}), {0.1, 0.4, 0.2, 0.3});
        verify(chances([](DecodingOptions& o) { o.topK = 2; }), {0, 4 / 7.0, 0, 3 / 7.0});
        verify(chances([](DecodingOptions& o) { o.topP = 0.8; }), {0, 4 / 9.0, 2 / 9.0, 3 / 9.0});
        verify(chances([](DecodingOptions& o) { o.minP = 0.6; }), {0, 4 / 7.0, 0, 3 / 7.0});
        verify(chances([](DecodingOptions& o) { o.temperature = 0.5; }), {1 / 30.0, 16 / 30.0, 4 / 30.0, 9 / 30.0});
    }
};

ATTN_TEST(TestPrefix)

#include "tst_prefix.moc"
