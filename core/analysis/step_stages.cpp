// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/step_stages.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace attn {

namespace {

class Stages
{
public:
    Stages(const CellStages& reported, int key)
        : m_reported(reported)
        , m_key(std::clamp(key, 0, std::max(0, static_cast<int>(reported.weights().size()) - 1)))
    {
    }

    std::vector<StepStage> all()
    {
        addInput();
        addQuery();
        addPositions();
        addKeys();
        if (additive())
            addAdditiveScore();
        else
            addProducts();
        const std::vector<float> scores = addScaling();
        if (has(StageKind::Undiscounted))
            add(StepKind::Discount,
                {overKeys(StepVector::Undiscounted, values(StageKind::Undiscounted)),
                 overKeys(StepVector::Discounted, values(StageKind::Scores))});
        if (has(StageKind::Capped))
            add(StepKind::Cap,
                {overKeys(StepVector::Uncapped, scores), overKeys(StepVector::Capped, values(StageKind::Capped))});
        add(has(StageKind::Window) ? StepKind::Window : StepKind::Mask,
            {overKeys(StepVector::Scores, values(StageKind::Scores))});
        addWeights();
        addOutput();
        addSum();
        return std::move(m_stages);
    }

private:
    bool has(StageKind kind) const { return m_reported.has(kind); }
    std::span<const float> values(StageKind kind) const { return m_reported.values(kind); }
    bool additive() const { return has(StageKind::TanhLayer); }

    std::span<const float> scoredQuery() const
    {
        for (const StageKind kind : {StageKind::RotatedQuery, StageKind::NormedQuery, StageKind::ProjectedQuery}) {
            if (has(kind))
                return values(kind);
        }
        return values(StageKind::Query);
    }
    const Numbers* scoredKeys() const
    {
        const Numbers* const projected = m_reported.find(StageKind::ProjectedKeys);
        return projected != nullptr ? projected : m_reported.find(StageKind::Keys);
    }

    static StageNumbers vector(StepVector what, std::span<const float> values)
    {
        return {what, 1, static_cast<int>(values.size()), {values.begin(), values.end()}};
    }
    // One number for each key.
    StageNumbers overKeys(StepVector what, std::span<const float> values) const
    {
        StageNumbers numbers = vector(what, values);
        numbers.marked = m_key;
        return numbers;
    }
    // A vector for each key.
    StageNumbers matrix(StepVector what, const Numbers& values) const
    {
        return {what, values.rows, values.columns, values.values, m_key};
    }

    void add(StepKind kind, std::vector<StageNumbers> numbers) { m_stages.push_back({kind, std::move(numbers)}); }

    using NamedVectors = std::initializer_list<std::pair<StageKind, StepVector>>;

    // Stages of them that were reported.
    std::vector<StageNumbers> reported(NamedVectors kinds) const
    {
        std::vector<StageNumbers> numbers;
        for (const auto& [kind, what] : kinds) {
            if (has(kind))
                numbers.push_back(vector(what, values(kind)));
        }
        return numbers;
    }

    // The embedding of the first layer, and what latent attention makes of the state.
    void addInput()
    {
        if (has(StageKind::Embedding)) {
            std::vector<StageNumbers> numbers = reported({{StageKind::Embedding, StepVector::Embedding}});
            if (has(StageKind::EmbeddingScale)) {
                numbers.push_back(vector(StepVector::ScaledEmbedding, values(StageKind::Embedding)));
                for (float& value : numbers.back().values)
                    value *= values(StageKind::EmbeddingScale).front();
            }
            numbers.push_back(vector(StepVector::LayerState, values(StageKind::State)));
            add(StepKind::Embedding, std::move(numbers));
        }
        if (has(StageKind::KeyLatent))
            add(StepKind::Compression,
                reported({{StageKind::Input, StepVector::State},
                          {StageKind::QueryLatent, StepVector::QueryLatent},
                          {StageKind::KeyLatent, StepVector::KeyLatent},
                          {StageKind::SharedKey, StepVector::SharedKey}}));
    }

    void addQuery()
    {
        if (additive() && !has(StageKind::Query))
            return add(StepKind::LearnedQuery, {vector(StepVector::ScoreVector, values(StageKind::ScoreVector))});
        std::vector<StageNumbers> numbers;
        if (has(StageKind::QueryLatent)) {
            numbers = reported({{StageKind::QueryLatent, StepVector::QueryLatent}});
        } else {
            if (has(StageKind::State) && !std::ranges::equal(values(StageKind::State), values(StageKind::Input)))
                numbers = reported({{StageKind::State, StepVector::LayerState}});
            std::ranges::move(reported({{StageKind::Input, StepVector::State}}), std::back_inserter(numbers));
        }
        numbers.push_back(vector(StepVector::Query, values(StageKind::Query)));
        std::ranges::move(reported({{StageKind::ProjectedQuery, StepVector::ProjectedQuery}}),
                          std::back_inserter(numbers));
        add(StepKind::Query, std::move(numbers));
    }

    // Norms and rotary positions, of the query and the key of the row's own token.
    void addPositions()
    {
        if (has(StageKind::NormedQuery) || has(StageKind::NormedKey))
            add(StepKind::HeadNorms,
                reported({{StageKind::Query, StepVector::Query},
                          {StageKind::NormedQuery, StepVector::NormedQuery},
                          {StageKind::OwnKey, StepVector::OwnKey},
                          {StageKind::NormedKey, StepVector::NormedKey}}));
        const auto before = has(StageKind::NormedQuery) ? std::pair{StageKind::NormedQuery, StepVector::NormedQuery}
                                                        : std::pair{StageKind::Query, StepVector::Query};
        const auto key = has(StageKind::NormedKey) ? std::pair{StageKind::NormedKey, StepVector::NormedKey}
                                                   : std::pair{StageKind::OwnKey, StepVector::OwnKey};
        if (has(StageKind::RotatedQuery))
            add(StepKind::Rotation,
                reported({before,
                          {StageKind::Angles, StepVector::Angles},
                          {StageKind::RotatedQuery, StepVector::RotatedQuery},
                          key,
                          {StageKind::RotatedKey, StepVector::RotatedKey}}));
        else if (has(StageKind::Rotation))
            add(StepKind::NoPositions, reported({before}));
    }

    void addKeys()
    {
        const Numbers* const keys = scoredKeys();
        if (keys == nullptr)
            return;
        std::vector<StageNumbers> numbers;
        const Numbers* const annotations =
            m_reported.find(has(StageKind::Annotations) ? StageKind::Annotations : StageKind::Values);
        if (has(StageKind::ProjectedKeys) && annotations != nullptr && annotations->rows == keys->rows)
            numbers.push_back(matrix(StepVector::Annotations, *annotations));
        numbers.push_back(matrix(StepVector::Keys, *keys));
        add(StepKind::Keys, std::move(numbers));
    }

    void addProducts()
    {
        const Numbers* const keys = scoredKeys();
        if (keys == nullptr)
            return;
        const auto query = scoredQuery();
        const auto key = keys->row(m_key);
        std::vector<float> products(std::min(query.size(), key.size()));
        std::transform(query.begin(), query.begin() + static_cast<std::ptrdiff_t>(products.size()), key.begin(),
                       products.begin(), std::multiplies<>());
        add(StepKind::Score,
            {vector(StepVector::Query, query), vector(StepVector::Key, key),
             vector(StepVector::FeatureProducts, products)});
        add(StepKind::AllProducts, {overKeys(StepVector::Products, values(StageKind::Products))});
    }

    void addAdditiveScore()
    {
        const auto layer = m_reported.find(StageKind::TanhLayer)->row(m_key);
        const auto v = values(StageKind::ScoreVector);
        std::vector<float> products(layer.size());
        std::ranges::transform(layer, v, products.begin(), std::multiplies<>());
        std::vector<StageNumbers> hidden;
        if (has(StageKind::ProjectedQuery))
            hidden.push_back(vector(StepVector::ProjectedQuery, values(StageKind::ProjectedQuery)));
        hidden.push_back(vector(StepVector::Key, scoredKeys()->row(m_key)));
        hidden.push_back(vector(StepVector::TanhLayer, layer));
        add(StepKind::TanhLayer, std::move(hidden));
        add(StepKind::Score,
            {vector(StepVector::TanhLayer, layer), vector(StepVector::ScoreVector, v),
             vector(StepVector::FeatureProducts, products)});
    }

    // The products with the keys and, where there are some, those with positions.
    std::vector<float> addPositionParts(std::span<const float> products)
    {
        std::vector<float> sum(products.begin(), products.end());
        std::vector<StageNumbers> numbers{overKeys(StepVector::Products, products)};
        for (const auto& [kind, what] : {std::pair{StageKind::ContentToPosition, StepVector::ContentToPosition},
                                         {StageKind::PositionToContent, StepVector::PositionToContent}}) {
            if (!has(kind))
                continue;
            const auto part = values(kind);
            std::ranges::transform(sum, part, sum.begin(), std::plus<>());
            numbers.push_back(overKeys(what, part));
        }
        if (numbers.size() > 1) {
            numbers.push_back(overKeys(StepVector::AllParts, sum));
            add(StepKind::PositionParts, std::move(numbers));
        }
        return sum;
    }

    // Scaled products, before a cap or mask; empty where the scores are not products.
    std::vector<float> addScaling()
    {
        const auto keyProducts = values(StageKind::Products);
        if (keyProducts.empty())
            return {};
        const std::vector<float> products = addPositionParts(keyProducts);
        const float scale = has(StageKind::Scale) ? values(StageKind::Scale).front() : 1.0F;
        std::vector<float> scaled(products.begin(), products.end());
        for (float& value : scaled)
            value *= scale;
        if (scale != 1.0F) {
            const bool parts = has(StageKind::ContentToPosition) || has(StageKind::PositionToContent);
            add(StepKind::Scaling,
                {overKeys(parts ? StepVector::AllParts : StepVector::Products, products),
                 overKeys(StepVector::Scaled, scaled)});
            m_stages.back().width = static_cast<int>(scoredQuery().size());
        }
        const auto bias = values(StageKind::PositionBias);
        if (bias.empty())
            return scaled;
        std::ranges::transform(scaled, bias, scaled.begin(), std::plus<>());
        add(StepKind::PositionBias, {overKeys(StepVector::Bias, bias), overKeys(StepVector::Biased, scaled)});
        return scaled;
    }

    // The softmax, and what may follow it: a Gaussian around the centre, the choice of one key, edits.
    void addWeights()
    {
        const auto softmax = values(StageKind::Softmax);
        if (has(StageKind::Sink))
            add(StepKind::Sink, {vector(StepVector::Sink, values(StageKind::Sink))});
        add(StepKind::Softmax,
            {overKeys(StepVector::Scores, values(StageKind::Scores)), overKeys(StepVector::Weights, softmax)});
        auto weights = softmax;
        if (has(StageKind::Gaussian) || has(StageKind::Choice)) {
            weights = values(has(StageKind::Choice) ? StageKind::Choice : StageKind::Gaussian);
            add(has(StageKind::Choice) ? StepKind::HardChoice : StepKind::Gaussian,
                {overKeys(StepVector::Softmax, softmax), overKeys(StepVector::Weights, weights)});
        }
        if (has(StageKind::Edited))
            add(StepKind::Edits,
                {overKeys(StepVector::Softmax, weights), overKeys(StepVector::Weights, m_reported.weights())});
        if (const Numbers* const summed = m_reported.find(StageKind::Values))
            add(StepKind::WeightedSum,
                {overKeys(StepVector::Weights, m_reported.weights()), matrix(StepVector::Values, *summed),
                 vector(StepVector::Context, values(StageKind::Context))});
    }

    void addOutput()
    {
        if (has(StageKind::JointState)) {
            add(StepKind::ContextAndState, {vector(StepVector::JointState, values(StageKind::JointState))});
            add(StepKind::AttentionalState,
                {vector(StepVector::AttentionalState, values(StageKind::AttentionalState))});
        }
        if (!has(StageKind::Output))
            return;
        add(StepKind::Heads, {vector(StepVector::Heads, values(StageKind::Heads))});
        add(StepKind::OutputProjection, {vector(StepVector::Output, values(StageKind::Output))});
    }

    // Summand of the state, and the sum.
    void addSum()
    {
        if (!has(StageKind::Sum))
            return;
        const bool changed = has(StageKind::Added);
        add(has(StageKind::FeedForward) ? StepKind::ParallelBlocks : StepKind::Residual,
            reported(
                {{StageKind::State, StepVector::LayerState},
                 {changed ? StageKind::Added : StageKind::Output, changed ? StepVector::Added : StepVector::Output},
                 {StageKind::FeedForward, StepVector::FeedForward},
                 {StageKind::Sum, StepVector::Sum},
                 {StageKind::NormedSum, StepVector::NormedSum}}));
    }

    const CellStages& m_reported;
    int m_key;
    std::vector<StepStage> m_stages;
};

} // namespace

std::vector<StepStage> stepStages(const CellStages& reported, int key)
{
    return reported.weights().empty() ? std::vector<StepStage>() : Stages(reported, key).all();
}

} // namespace attn
