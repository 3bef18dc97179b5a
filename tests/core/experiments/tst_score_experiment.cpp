// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <cmath>
#include <limits>
#include <span>
// clang-format on
#include "experiments/score_experiment.h"
#include "support/test_program.h"
#include "workplace.h"

using namespace attn;
using test::Workplace;

namespace {

bool close(double a, double b)
{
    return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b));
}

} // namespace

class TestScoreExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersOfScoresLeaveOutWhatIsHidden()
    {
        const float hidden = -std::numeric_limits<float>::infinity();
        const float two = std::log(2.0F);
        const ScoreNumbers numbers = scoreNumbers({3, 2, {0, hidden, 0, two, hidden, hidden}});
        QCOMPARE(numbers.scores.size(), std::size_t{3});
        QCOMPARE(numbers.largest.size(), std::size_t{2});
        QVERIFY(close(numbers.meanLargest, (1 + 2.0 / 3) / 2));
        QVERIFY(close(numbers.uniform, 0.75)); // one key, then two
        QVERIFY(std::abs(numbers.sensitivity - 2 * (1.0 / 3) * (2.0 / 3) / 3) < 1e-6);
        const Numbers doubled = scaledScores({1, 2, {3, hidden}}, 2);
        QCOMPARE(doubled.values[0], 6.0F);
        QCOMPARE(doubled.values[1], hidden);
        const ScoreNumbers* shown[] = {&numbers};
        QVERIFY(scoreRange(shown).first <= 0 && scoreRange(shown).second >= static_cast<double>(two));
        QVERIFY(scoreRange({}).first < scoreRange({}).second);
    }

    void theReportedStagesTellHowScoresAreMade()
    {
        const std::vector<float> numbers(8, 1);
        CellStages stages;
        const auto formWith = [&](StageKind kind) {
            stages.add({kind, {numbers.data(), 2, 4}});
            return scoringOf(stages).form;
        };
        QCOMPARE(scoringOf(stages).form, ScoreForm::Unknown);
        QCOMPARE(formWith(StageKind::Keys), ScoreForm::Product);
        QCOMPARE(scoringOf(stages).width, 4);
        QCOMPARE(formWith(StageKind::ProjectedKeys), ScoreForm::General);
        QCOMPARE(formWith(StageKind::ProjectedQuery), ScoreForm::LowRank);
        QVERIFY(!scoringOf(stages).biased);
        stages.add({StageKind::PositionBias, {numbers.data(), 1, 2}});
        QVERIFY(scoringOf(stages).biased);
        QCOMPARE(formWith(StageKind::TanhLayer), ScoreForm::Additive);
        QVERIFY(!scoringOf(stages).learnedQuery);
    }

    void scalingIsTakenAwayAddedOrMeansNothing()
    {
        QVERIFY(close(otherScaling({ScoreForm::Product, 0.125, 64, false, false}).value(), 8));
        QVERIFY(close(otherScaling({ScoreForm::Product, 1, 16, false, false}).value(), 0.25));
        QVERIFY(close(otherScaling({ScoreForm::General, 1, 4, false, false}).value(), 0.5));
        QVERIFY(!otherScaling({ScoreForm::Additive, 1, 16, false, false}));
        QVERIFY(!otherScaling({ScoreForm::Product, 1, 64, true, false})); // T5: a bias beside the products
        QVERIFY(!otherScaling({}));
    }

    void randomScoresOfEveryKindAreSampled()
    {
        Workplace place;
        const ScoreExperiment settings{16, 8, 50, 3};
        SamplingExperiment experiment(settings);
        carryOut(experiment, place.bench());
        for (std::size_t i = 0; i < SamplingExperiment::kinds.size(); ++i) {
            const ScoreNumbers expected = scoreNumbers(sampleScores(SamplingExperiment::kinds.at(i), settings));
            QCOMPARE(experiment.numbers().at(i).scores, expected.scores);
            QCOMPARE(experiment.numbers().at(i).meanLargest, expected.meanLargest);
        }
    }

    void aHeadsScoresAreThoseOfTheRun()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::transformerModel), "s4 s5 s6 s7");
        HeadScoresExperiment first(question, {Stage::Encoder, 0}, 0, {});
        carryOut(first, place.bench());
        Question own = question;
        own.capture.scores = true;
        const Trace trace = answer(own, *place.load(question.model), place.engine);
        const auto expected = [&](Site site, int head) { return scoreNumbers(trace.scores(site, head)); };
        QCOMPARE(first.scores().own.scores, expected({Stage::Encoder, 0}, 0).scores);
        QVERIFY(first.scores().scaled() && first.scores().scoring.scalesByRoot());
        const double root = std::sqrt(first.scores().scoring.width);
        QVERIFY(std::abs(first.scores().other.value().moments.deviation - first.scores().own.moments.deviation * root)
                < 1e-4);
        // Another head of the site needs no other run; another site does, and keeps what is known of the first.
        place.said.clear();
        HeadScoresExperiment second(question, {Stage::Encoder, 0}, 1, first.sentence());
        carryOut(second, place.bench());
        QVERIFY(place.said.empty() && second.sentence() == first.sentence());
        HeadScoresExperiment third(question, {Stage::Cross, 0}, 0, second.sentence());
        carryOut(third, place.bench());
        QVERIFY(!place.said.empty());
        QCOMPARE(third.sentence()->scoring.size(), std::size_t{2});
        QCOMPARE(third.scores().own.scores, expected({Stage::Cross, 0}, 0).scores);
    }

    void anAdditiveModelHasNothingToScale()
    {
        Workplace place;
        HeadScoresExperiment experiment(test::asked(place.model(test::recurrentModel), "s4 s5"), {Stage::Cross, 0}, 0,
                                        {});
        carryOut(experiment, place.bench());
        QVERIFY(experiment.scores().scoring.form == ScoreForm::Additive);
        QVERIFY(!experiment.scores().other);
    }
};

ATTN_TEST(TestScoreExperiment)
#include "tst_score_experiment.moc"
