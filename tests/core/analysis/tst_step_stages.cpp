// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// moc 6.4 cannot read <compare> before another standard header.
// clang-format off
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/test_program.h"
#include "analysis/step_stages.h"
// clang-format on

using namespace attn;

namespace {

using Values = NumberVector<float>;

const Values query{1, 2};
const Values keys{1, 0, 0, 1, -1, 1}; // [3, 2]
const Values values{10, 0, 0, 10, 5, 5};

void put(CellStages& stages, StageKind kind, const Values& numbers, int rows = 1)
{
    stages.add({kind, {numbers.data(), rows, static_cast<int>(numbers.size()) / rows}});
}

void finish(CellStages& stages, const Values& scores)
{
    Values weights;
    for (const float score : scores)
        weights.push_back(std::exp(score));
    const float all = std::accumulate(weights.begin(), weights.end(), 0.0F);
    Values context(2, 0);
    for (std::size_t key = 0; key < weights.size(); ++key) {
        weights[key] /= all;
        for (std::size_t i = 0; i < 2; ++i)
            context[i] += weights[key] * values[2 * key + i];
    }
    put(stages, StageKind::Scores, scores);
    put(stages, StageKind::Softmax, weights);
    put(stages, StageKind::Values, values, 3);
    put(stages, StageKind::Context, context);
}

CellStages dotProductStep(float scale)
{
    CellStages stages;
    Values products;
    for (std::size_t key = 0; key < 3; ++key)
        products.push_back(query[0] * keys[2 * key] + query[1] * keys[2 * key + 1]);
    Values scores = products;
    for (float& score : scores)
        score *= scale;
    put(stages, StageKind::Query, query);
    put(stages, StageKind::Keys, keys, 3);
    put(stages, StageKind::Products, products);
    put(stages, StageKind::Scale, {scale});
    finish(stages, scores);
    return stages;
}

CellStages additiveStep(const Values& v, bool learned = false)
{
    CellStages stages;
    Values layer;
    Values scores;
    for (std::size_t key = 0; key < 3; ++key) {
        for (std::size_t i = 0; i < 2; ++i)
            layer.push_back(std::tanh(query[i] + keys[2 * key + i]));
        scores.push_back(v[0] * layer[2 * key] + v[1] * layer[2 * key + 1]);
    }
    if (!learned) {
        put(stages, StageKind::Query, query);
        put(stages, StageKind::ProjectedQuery, query);
    }
    put(stages, StageKind::ProjectedKeys, keys, 3);
    put(stages, StageKind::TanhLayer, layer, 3);
    put(stages, StageKind::ScoreVector, v);
    finish(stages, scores);
    return stages;
}

const StepStage& stage(const std::vector<StepStage>& stages, StepKind kind)
{
    const auto found = std::ranges::find(stages, kind, &StepStage::kind);
    if (found == stages.end())
        qFatal("there is no stage %d", static_cast<int>(kind));
    return *found;
}

bool has(const std::vector<StepStage>& stages, StepKind kind)
{
    return std::ranges::find(stages, kind, &StepStage::kind) != stages.end();
}

float sum(const NumberVector<float>& numbers)
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
        const auto stages = stepStages(dotProductStep(scale), 1);
        const StepStage& score = stage(stages, StepKind::Score);
        QCOMPARE(score.numbers.back().values, (NumberVector<float>{0, 2}));
        QCOMPARE(stage(stages, StepKind::AllProducts).numbers.back().values, (NumberVector<float>{1, 2, 1}));
        QCOMPARE(stage(stages, StepKind::AllProducts).numbers.back().marked, 1);
        const StepStage& scaling = stage(stages, StepKind::Scaling);
        QCOMPARE(scaling.width, 2);
        QVERIFY(std::abs(scaling.numbers.back().values[1] - 2 * scale) < 1e-6F);
        const auto& weights = stage(stages, StepKind::Softmax).numbers.back().values;
        QVERIFY(std::abs(sum(weights) - 1) < 1e-6F);
        const float most = std::exp(scale);
        QVERIFY(std::abs(weights[1] - most / (2 + most)) < 1e-6F);
        const auto& context = stage(stages, StepKind::WeightedSum).numbers.back().values;
        QVERIFY(std::abs(context[0] - (10 * weights[0] + 5 * weights[2])) < 1e-5F);
        QVERIFY(!has(stages, StepKind::OutputProjection) && !has(stages, StepKind::PositionBias)
                && !has(stages, StepKind::TanhLayer));
    }

    void additiveScoresAddUp()
    {
        const NumberVector<float> v{0.5F, -2};
        const auto stages = stepStages(additiveStep(v), 1);
        const auto& layer = stage(stages, StepKind::TanhLayer).numbers.back().values;
        QVERIFY(std::abs(layer[0] - std::tanh(1.0F)) < 1e-6F && std::abs(layer[1] - std::tanh(3.0F)) < 1e-6F);
        const float score = 0.5F * std::tanh(1.0F) - 2 * std::tanh(3.0F);
        QVERIFY(std::abs(sum(stage(stages, StepKind::Score).numbers.back().values) - score) < 1e-6F);
        QVERIFY(std::abs(stage(stages, StepKind::Mask).numbers.back().values[1] - score) < 1e-6F);
        QVERIFY(!has(stages, StepKind::Scaling));
    }

    void aModelsOwnStepHasItsOwnStages()
    {
        CellStages reported = dotProductStep(0.25F);
        const Values bias{0, 0, -1};
        put(reported, StageKind::Input, {1, 2, 3});
        put(reported, StageKind::PositionBias, bias);
        put(reported, StageKind::Scores, {1, 2, -HUGE_VALF});
        put(reported, StageKind::Heads, {1, 2, 3, 4});
        put(reported, StageKind::Output, {5, 6, 7});
        const auto stages = stepStages(reported, 1);
        QCOMPARE(stage(stages, StepKind::PositionBias).numbers.front().values, bias);
        QCOMPARE(stage(stages, StepKind::Heads).numbers.back().values.size(), std::size_t{4});
        QCOMPARE(stage(stages, StepKind::OutputProjection).numbers.back().columns, 3);
        QVERIFY(stages.front().kind == StepKind::Query);
        QVERIFY(stages.back().kind == StepKind::OutputProjection);
    }

    void whatFollowsTheSoftmaxIsAStageOfItsOwn()
    {
        CellStages reported = additiveStep(query);
        const auto soft = reported.values(StageKind::Softmax);
        const Values before(soft.begin(), soft.end());
        Values after = before;
        for (float& weight : after)
            weight /= 2;
        put(reported, StageKind::Window, {1.5F, 2});
        put(reported, StageKind::Gaussian, after);
        const auto near = stepStages(reported, 1);
        QCOMPARE(stage(near, StepKind::Softmax).numbers.back().values, before);
        QCOMPARE(stage(near, StepKind::Gaussian).numbers.back().values, after);
        QVERIFY(has(near, StepKind::Window));
        QVERIFY(!has(near, StepKind::Mask) && !has(near, StepKind::HardChoice));
        put(reported, StageKind::Choice, {0, 1, 0});
        const auto hard = stepStages(reported, 1);
        QCOMPARE(stage(hard, StepKind::HardChoice).numbers.back().values, (Values{0, 1, 0}));
        QCOMPARE(stage(hard, StepKind::WeightedSum).numbers.front().values, (Values{0, 1, 0}));
        put(reported, StageKind::Edited, {0, 0.5F, 0.25F});
        const auto edited = stepStages(reported, 1);
        QCOMPARE(stage(edited, StepKind::HardChoice).numbers.back().values, (Values{0, 1, 0}));
        QCOMPARE(stage(edited, StepKind::Edits).numbers.front().values, (Values{0, 1, 0}));
        QCOMPARE(stage(edited, StepKind::WeightedSum).numbers.front().values, (Values{0, 0.5F, 0.25F}));
        put(reported, StageKind::Undiscounted, {1, 2, 3});
        QCOMPARE(stage(stepStages(reported, 1), StepKind::Discount).numbers.front().values, (Values{1, 2, 3}));
    }

    void aTransformersSwitchesAreStages()
    {
        CellStages reported = dotProductStep(1);
        put(reported, StageKind::Embedding, {1, 2});
        put(reported, StageKind::EmbeddingScale, {3});
        put(reported, StageKind::State, {3, 6});
        put(reported, StageKind::Input, {0.5F, 1});
        put(reported, StageKind::NormedQuery, {0.5F, 1});
        put(reported, StageKind::OwnKey, {2, 0});
        put(reported, StageKind::NormedKey, {1, 0});
        put(reported, StageKind::Cap, {2});
        put(reported, StageKind::Capped, {0.9F, 1.5F, 0.9F});
        put(reported, StageKind::Output, {1, 1});
        put(reported, StageKind::FeedForward, {1, 0});
        put(reported, StageKind::Sum, {5, 7});
        const auto stages = stepStages(reported, 1);
        QVERIFY(stages.front().kind == StepKind::Embedding);
        QCOMPARE(stages.front().numbers[1].values, (Values{3, 6}));
        QCOMPARE(stage(stages, StepKind::Query).numbers.front().values, (Values{3, 6})); // before its norm
        QCOMPARE(stage(stages, StepKind::HeadNorms).numbers.size(), std::size_t{4});
        QCOMPARE(stage(stages, StepKind::Cap).numbers.front().values, (Values{1, 2, 1}));
        QCOMPARE(stage(stages, StepKind::Cap).numbers.back().values, (Values{0.9F, 1.5F, 0.9F}));
        QVERIFY(stages.back().kind == StepKind::ParallelBlocks);
        QCOMPARE(stages.back().numbers.size(), std::size_t{4});
        put(reported, StageKind::Rotation, {0, 0, 2});
        QVERIFY(has(stepStages(reported, 1), StepKind::NoPositions));
        put(reported, StageKind::RotatedQuery, {1, 0.5F});
        const auto turned = stepStages(reported, 1);
        QVERIFY(!has(turned, StepKind::NoPositions));
        QCOMPARE(stage(turned, StepKind::Rotation).numbers.front().values, (Values{0.5F, 1}));
        QCOMPARE(stage(turned, StepKind::Score).numbers.front().values, (Values{1, 0.5F}));
    }

    void aDecodersAttentionalStateIsShown()
    {
        CellStages reported = dotProductStep(1);
        put(reported, StageKind::Heads, {1, 2});
        put(reported, StageKind::JointState, {1, 2, 3, 4});
        put(reported, StageKind::AttentionalState, {0.5F});
        QVERIFY(stepStages(reported, 1).back().kind == StepKind::AttentionalState);
        QVERIFY(!has(stepStages(reported, 1), StepKind::Heads));
    }

    void whatIsNotScaledIsNotSaidToBe()
    {
        CellStages reported = dotProductStep(1);
        put(reported, StageKind::PositionBias, {3, 2, 1});
        const auto stages = stepStages(reported, 1);
        QVERIFY(!has(stages, StepKind::Scaling));
        QCOMPARE(stage(stages, StepKind::PositionBias).numbers.back().values, (NumberVector<float>{4, 4, 2}));
    }

    void aLearnedQueryIsAWeight()
    {
        const auto stages = stepStages(additiveStep(query, true), 1);
        QVERIFY(stages.front().kind == StepKind::LearnedQuery);
        QCOMPARE(stages.front().numbers.front().values, query);
        QCOMPARE(stage(stages, StepKind::TanhLayer).numbers.size(), std::size_t{2}); // no W q
    }

    void everyStageIsWhole()
    {
        for (const CellStages& reported : {dotProductStep(0.5F), additiveStep(query)}) {
            for (const StepStage& entry : stepStages(reported, 1)) {
                QVERIFY(!entry.numbers.empty());
                for (const StageNumbers& numbers : entry.numbers) {
                    QCOMPARE(numbers.values.size(), static_cast<std::size_t>(numbers.rows * numbers.columns));
                    QVERIFY(!numbers.marked || numbers.marked == 1);
                }
            }
        }
    }

    void nothingRecordedHasNoStages() { QVERIFY(stepStages({}, 1).empty()); }

    void aKeyOutsideIsBroughtInside()
    {
        QCOMPARE(stage(stepStages(dotProductStep(1), 99), StepKind::Softmax).numbers.back().marked, 2);
    }
};

ATTN_TEST(TestStepStages)

#include "tst_step_stages.moc"
