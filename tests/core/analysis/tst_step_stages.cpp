// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// moc 6.4 cannot read <compare> before another standard header.
// clang-format off
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/step_stages.h"
// clang-format on

using namespace attn;

namespace {

const std::vector<float> query{1, 2};
const ProbedMatrix keys{3, 2, {1, 0, 0, 1, -1, 1}};
const ProbedMatrix values{3, 2, {10, 0, 0, 10, 5, 5}};
const CellNames cell{"dort", {"the", "cat", "sleeps"}, 1, 1};

const StepStage& stage(const std::vector<StepStage>& stages, const std::string& title)
{
    const auto found = std::ranges::find(stages, title, &StepStage::title);
    if (found == stages.end())
        qFatal("there is no stage %s", title.c_str());
    return *found;
}

bool has(const std::vector<StepStage>& stages, const std::string& title)
{
    return std::ranges::find(stages, title, &StepStage::title) != stages.end();
}

float sum(const std::vector<float>& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0F);
}

} // namespace

class TestStepStages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void dotProductsAddUpStageByStage()
    {
        const float scale = 1 / std::sqrt(2.0F);
        const auto stages = stepStages(dotProductStep(query, keys, values, scale), cell);
        const StepStage& score = stage(stages, "Score");
        QCOMPARE(score.numbers.back().values, (std::vector<float>{0, 2}));
        QCOMPARE(stage(stages, "All products").numbers.back().values, (std::vector<float>{1, 2, 1}));
        QCOMPARE(stage(stages, "All products").numbers.back().marked, 1);
        const StepStage& scaling = stage(stages, "Scaling");
        QCOMPARE(scaling.formula, std::string("e_j = q . k_j / sqrt(2)"));
        QVERIFY(std::abs(scaling.numbers.back().values[1] - 2 * scale) < 1e-6F);
        const auto& weights = stage(stages, "Softmax").numbers.back().values;
        QVERIFY(std::abs(sum(weights) - 1) < 1e-6F);
        const float most = std::exp(scale);
        QVERIFY(std::abs(weights[1] - most / (2 + most)) < 1e-6F);
        const auto& context = stage(stages, "Weighted sum").numbers.back().values;
        QVERIFY(std::abs(context[0] - (10 * weights[0] + 5 * weights[2])) < 1e-5F);
        QVERIFY(!has(stages, "Output projection") && !has(stages, "Position bias") && !has(stages, "Tanh layer"));
    }

    void additiveScoresAddUp()
    {
        const std::vector<float> v{0.5F, -2};
        const auto stages = stepStages(additiveStep(query, keys, values, v), cell);
        const auto& layer = stage(stages, "Tanh layer").numbers.back().values;
        QVERIFY(std::abs(layer[0] - std::tanh(1.0F)) < 1e-6F && std::abs(layer[1] - std::tanh(3.0F)) < 1e-6F);
        const float score = 0.5F * std::tanh(1.0F) - 2 * std::tanh(3.0F);
        QVERIFY(std::abs(sum(stage(stages, "Score").numbers.back().values) - score) < 1e-6F);
        QVERIFY(std::abs(stage(stages, "Mask").numbers.back().values[1] - score) < 1e-6F);
        QVERIFY(!has(stages, "Scaling"));
    }

    void aModelsOwnStepHasItsOwnStages()
    {
        AttentionProbe probe = dotProductStep(query, keys, values, 0.25F);
        probe.input = {1, 2, 3};
        probe.positionBias = {0, 0, -1};
        probe.scores[2] = -HUGE_VALF;
        probe.heads = {1, 2, 3, 4};
        probe.output = {5, 6, 7};
        const auto stages = stepStages(probe, cell);
        QCOMPARE(stage(stages, "Scaling").formula, std::string("e_j = 0.25 (q . k_j)"));
        QCOMPARE(stage(stages, "Position bias").numbers.front().values, probe.positionBias);
        QVERIFY(stage(stages, "Mask").text.starts_with("1 of 3 keys"));
        QCOMPARE(stage(stages, "Heads side by side").numbers.back().values.size(), std::size_t{4});
        QCOMPARE(stage(stages, "Output projection").shape, std::string("[4] -> [3]"));
        QCOMPARE(stages.front().title, std::string("Query"));
        QCOMPARE(stages.back().title, std::string("Output projection"));
    }

    void whatFollowsTheSoftmaxIsAStageOfItsOwn()
    {
        AttentionProbe probe = additiveStep(query, keys, values, query);
        probe.softWeights = probe.weights;
        probe.center = 1.5F;
        probe.window = 2;
        probe.gaussian = true;
        for (float& weight : probe.weights)
            weight /= 2;
        const auto near = stepStages(probe, cell);
        QCOMPARE(stage(near, "Softmax").numbers.back().values, probe.softWeights);
        QCOMPARE(stage(near, "Gaussian").numbers.back().values, probe.weights);
        QVERIFY(stage(near, "Window").text.find("within 2 of p = 1.5, rounded") != std::string::npos);
        QVERIFY(!has(near, "Mask") && !has(near, "Hard choice"));
        probe.hard = true;
        QVERIFY(has(stepStages(probe, cell), "Hard choice"));
        probe.undiscounted = {1, 2, 3};
        QCOMPARE(stage(stepStages(probe, cell), "Discount").numbers.front().values, probe.undiscounted);
    }

    void whatIsNotScaledIsNotSaidToBe()
    {
        AttentionProbe probe = dotProductStep(query, keys, values, 1);
        probe.positionBias = {3, 2, 1};
        const auto stages = stepStages(probe, cell);
        QVERIFY(!has(stages, "Scaling"));
        QCOMPARE(stage(stages, "Position bias").formula, std::string("e_j = q . k_j + b(j - i)"));
        QCOMPARE(stage(stages, "Position bias").numbers.back().values, (std::vector<float>{4, 4, 2}));
    }

    void aLearnedQueryIsAWeight()
    {
        AttentionProbe probe = additiveStep(query, keys, values, query);
        probe.query.clear();
        probe.projectedQuery.clear();
        const auto stages = stepStages(probe, cell);
        QCOMPARE(stages.front().title, std::string("Learned query"));
        QCOMPARE(stages.front().numbers.front().values, probe.v);
        QCOMPARE(stage(stages, "Tanh layer").formula, std::string("tanh(U h + b)"));
        QCOMPARE(stage(stages, "Score").formula, std::string("e = v . tanh(U h + b)"));
    }

    void everyStageIsWhole()
    {
        const AttentionProbe steps[] = {dotProductStep(query, keys, values, 0.5F),
                                        additiveStep(query, keys, values, query)};
        for (const AttentionProbe& probe : steps) {
            for (const StepStage& entry : stepStages(probe, cell)) {
                QVERIFY(!entry.title.empty() && !entry.formula.empty() && !entry.shape.empty() && !entry.text.empty());
                QVERIFY(!entry.numbers.empty());
                for (const StageNumbers& numbers : entry.numbers) {
                    QCOMPARE(numbers.values.size(), static_cast<std::size_t>(numbers.rows * numbers.columns));
                    QVERIFY(numbers.columnNames.empty()
                            || numbers.columnNames.size() == static_cast<std::size_t>(numbers.columns));
                }
            }
        }
    }

    void nothingRecordedHasNoStages() { QVERIFY(stepStages({}, cell).empty()); }

    void aKeyOutsideIsBroughtInside()
    {
        CellNames outside = cell;
        outside.key = 99;
        QCOMPARE(stage(stepStages(dotProductStep(query, keys, values, 1), outside), "Softmax").numbers.back().marked,
                 2);
    }
};

QTEST_GUILESS_MAIN(TestStepStages)

#include "tst_step_stages.moc"
