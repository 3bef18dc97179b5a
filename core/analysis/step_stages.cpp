// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/step_stages.h"

#include "analysis/score_samples.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>

namespace attn {

namespace {

class Stages
{
public:
    Stages(const AttentionProbe& probe, const CellNames& cell)
        : m_probe(probe)
        , m_cell(cell)
        , m_key(std::clamp(cell.key, 0, std::max(0, keyCount() - 1)))
    {
    }

    std::vector<StepStage> all()
    {
        addQuery();
        addKeys();
        if (m_probe.tanhLayer.rows > 0)
            addAdditiveScore();
        else
            addProducts();
        addScaling();
        addDiscount();
        addMask();
        addWeights();
        addScope();
        addContext();
        addOutput();
        return std::move(m_stages);
    }

private:
    int keyCount() const { return static_cast<int>(m_probe.weights.size()); }
    const std::vector<float>& scoredQuery() const
    {
        if (!m_probe.rotatedQuery.empty())
            return m_probe.rotatedQuery;
        return m_probe.projectedQuery.empty() ? m_probe.query : m_probe.projectedQuery;
    }
    std::string keyName() const
    {
        const auto index = static_cast<std::size_t>(m_key);
        return index < m_cell.keys.size() ? m_cell.keys[index] : fmt::format("{}", m_key);
    }

    static StageNumbers vector(std::string name, std::span<const float> values)
    {
        return {std::move(name), 1, static_cast<int>(values.size()), {values.begin(), values.end()}, {}, {}, -1};
    }
    // One number for each key.
    StageNumbers overKeys(std::string name, std::span<const float> values) const
    {
        StageNumbers numbers = vector(std::move(name), values);
        numbers.columnNames = m_cell.keys;
        numbers.marked = m_key;
        return numbers;
    }
    StageNumbers matrix(std::string name, const ProbedMatrix& values) const
    {
        return {std::move(name), values.rows, values.columns, values.values, m_cell.keys, {}, m_key};
    }
    static std::span<const float> rowOf(const ProbedMatrix& matrix, int row)
    {
        const auto columns = static_cast<std::size_t>(matrix.columns);
        return std::span(matrix.values).subspan(static_cast<std::size_t>(row) * columns, columns);
    }

    bool additive() const { return m_probe.tanhLayer.rows > 0; }
    // The query is a weight of the model, the same for every text.
    bool learnedQuery() const { return additive() && m_probe.query.empty() && m_probe.projectedQuery.empty(); }

    void addQuery()
    {
        if (learnedQuery()) {
            m_stages.push_back({"Learned query",
                                "v",
                                fmt::format("[{}]", m_probe.v.size()),
                                "A weight of the model that asks every text the same question.",
                                {vector("v", m_probe.v)}});
            return;
        }
        StepStage stage{"Query",
                        "q",
                        fmt::format("[{}]", m_probe.query.size()),
                        fmt::format("What “{}” asks for.", m_cell.query),
                        {}};
        if (!m_probe.queryFormula.empty())
            stage.formula = "q = " + m_probe.queryFormula;
        if (!m_probe.input.empty()) {
            stage.formula = "q = W_Q x";
            stage.shape = fmt::format("[{}] -> [{}]", m_probe.input.size(), m_probe.query.size());
            stage.numbers.push_back(vector("state x", m_probe.input));
        }
        stage.numbers.push_back(vector("query q", m_probe.query));
        if (!m_probe.rotatedQuery.empty()) {
            stage.formula += ", then turned by its position";
            stage.numbers.push_back(vector("rotated query q", m_probe.rotatedQuery));
        }
        if (!m_probe.projectedQuery.empty()) {
            stage.formula += additive() ? ", W q" : ", U q";
            stage.numbers.push_back(vector(additive() ? "W q" : "projected query U q", m_probe.projectedQuery));
        }
        m_stages.push_back(std::move(stage));
    }

    void addKeys()
    {
        const ProbedMatrix& keys = additive() ? m_probe.projectedKeys : m_probe.keys;
        if (keys.rows == 0)
            return;
        const bool projected = additive() || m_probe.score == "general" || m_probe.score == "low_rank";
        StepStage stage{"Keys",
                        additive()                   ? "U h_j + b"
                            : projected              ? "k_j = W h_j"
                            : !m_probe.input.empty() ? "k_j = W_K x_j"
                                                     : "k_j",
                        fmt::format("[{} keys, {}]", keys.rows, keys.columns),
                        fmt::format("What each token offers; “{}” is looked at.", keyName()),
                        {}};
        if (!m_probe.rotatedQuery.empty())
            stage.formula += ", each turned by its position";
        const ProbedMatrix& annotations = m_probe.annotations.rows > 0 ? m_probe.annotations : m_probe.values;
        if (projected && annotations.rows == keys.rows)
            stage.numbers.push_back(matrix("annotations h", annotations));
        stage.numbers.push_back(matrix(projected ? "projected keys" : "keys", keys));
        m_stages.push_back(std::move(stage));
    }

    void addProducts()
    {
        if (m_probe.keys.rows == 0)
            return;
        const auto& query = scoredQuery();
        const auto key = rowOf(m_probe.keys, m_key);
        std::vector<float> products(std::min(query.size(), key.size()));
        std::transform(query.begin(), query.begin() + static_cast<std::ptrdiff_t>(products.size()), key.begin(),
                       products.begin(), std::multiplies<>());
        m_stages.push_back(
            {"Score",
             "q . k = sum_i q_i k_i",
             fmt::format("[{0}] . [{0}] -> 1", query.size()),
             fmt::format("Feature by feature, the products of query and key; for “{}” they sum to {:.4g}.", keyName(),
                         std::accumulate(products.begin(), products.end(), 0.0F)),
             {vector("query q", query), vector("key k", key), vector("products q_i k_i", products)}});
        m_stages.push_back({"All products",
                            "q . k_j",
                            fmt::format("[{}]", m_probe.products.size()),
                            "The same for every key.",
                            {overKeys("q . k_j", m_probe.products)}});
    }

    void addAdditiveScore()
    {
        const auto key = rowOf(m_probe.projectedKeys, m_key);
        const auto layer = rowOf(m_probe.tanhLayer, m_key);
        std::vector<float> products(layer.size());
        std::ranges::transform(layer, m_probe.v, products.begin(), std::multiplies<>());
        StepStage hidden{
            "Tanh layer",
            learnedQuery() ? "tanh(U h + b)" : "tanh(W q + U h + b)",
            fmt::format(fmt::runtime(learnedQuery() ? "[{0}] -> [{0}]" : "[{0}] + [{0}] -> [{0}]"), layer.size()),
            learnedQuery() ? fmt::format("Shown for “{}”.", keyName())
                           : fmt::format("Query and key meet in a hidden layer; shown for “{}”.", keyName()),
            {}};
        if (!m_probe.projectedQuery.empty())
            hidden.numbers.push_back(vector("W q", m_probe.projectedQuery));
        hidden.numbers.push_back(vector("U h + b", key));
        hidden.numbers.push_back(vector("tanh layer", layer));
        m_stages.push_back(std::move(hidden));
        m_stages.push_back({"Score",
                            learnedQuery() ? "e = v . tanh(U h + b)" : "e = v . tanh(W q + U h + b)",
                            fmt::format("[{0}] . [{0}] -> 1", layer.size()),
                            fmt::format("The layer's units, weighed with v, sum to {:.4g}.",
                                        std::accumulate(products.begin(), products.end(), 0.0F)),
                            {vector("tanh layer", layer), vector("v", m_probe.v), vector("products", products)}});
    }

    void addScaling()
    {
        if (m_probe.products.empty())
            return;
        std::vector<float> scaled = m_probe.products;
        for (float& value : scaled)
            value *= m_probe.scale;
        if (m_probe.scale != 1.0F) {
            StepStage stage{"Scaling",
                            fmt::format("e_j = {:.4g} (q . k_j)", m_probe.scale),
                            fmt::format("[{0}] -> [{0}]", scaled.size()),
                            "Without it the scores would spread more the wider the vectors are.",
                            {overKeys("q . k_j", m_probe.products), overKeys("scaled", scaled)}};
            if (std::abs(m_probe.scale * m_probe.scale * static_cast<float>(scoredQuery().size()) - 1) < 1e-3F)
                stage.formula = fmt::format("e_j = q . k_j / sqrt({})", scoredQuery().size());
            m_stages.push_back(std::move(stage));
        }
        if (m_probe.positionBias.empty())
            return;
        std::vector<float> biased = scaled;
        std::ranges::transform(biased, m_probe.positionBias, biased.begin(), std::plus<>());
        m_stages.push_back({"Position bias",
                            m_probe.scale == 1.0F ? "e_j = q . k_j + b(j - i)" : "e_j + b(j - i)",
                            fmt::format("[{0}] -> [{0}]", scaled.size()),
                            "This model knows positions by a learned number for each distance.",
                            {overKeys("bias", m_probe.positionBias), overKeys("biased scores", biased)}});
    }

    void addDiscount()
    {
        if (m_probe.undiscounted.empty())
            return;
        m_stages.push_back({"Discount",
                            "e_j - log(sum_s exp(e_sj)), s: the steps before",
                            fmt::format("[{0}] -> [{0}]", keyCount()),
                            "Intra-temporal attention: what was attended to before counts for less now.",
                            {overKeys("scores", m_probe.undiscounted), overKeys("discounted e", m_probe.scores)}});
    }

    std::string windowFormula() const
    {
        if (!m_probe.center)
            return "e_j = -inf where key j must not be seen";
        const std::string outside = "e_j = -inf where |j - round(p)| > D";
        return (m_probe.gaussian ? "p = (S - 1) sigmoid(v . tanh(W_p q)); " : "p = min(t, S - 1); ") + outside;
    }

    void addMask()
    {
        const auto masked = std::ranges::count_if(m_probe.scores, [](float score) { return !std::isfinite(score); });
        std::string text = "Every key may be seen here.";
        if (m_probe.center)
            text = fmt::format("Only keys within {} of p = {:.3g}, rounded, are seen; {} of {} are hidden.",
                               m_probe.window, *m_probe.center, masked, keyCount());
        else if (masked > 0)
            text = fmt::format("{} of {} keys are hidden from this query.", masked, keyCount());
        m_stages.push_back({m_probe.center ? "Window" : "Mask",
                            windowFormula(),
                            fmt::format("[{0}] -> [{0}]", keyCount()),
                            text,
                            {overKeys("scores e", m_probe.scores)}});
    }

    void addWeights()
    {
        const auto& weights = m_probe.softWeights.empty() ? m_probe.weights : m_probe.softWeights;
        m_stages.push_back({"Softmax",
                            "a_j = exp(e_j) / sum_l exp(e_l)",
                            fmt::format("[{0}] -> [{0}]", keyCount()),
                            fmt::format("Positive numbers that sum to {:.3g}; “{}” gets {}.",
                                        std::accumulate(weights.begin(), weights.end(), 0.0F), keyName(),
                                        weightText(weights.at(static_cast<std::size_t>(m_key)))),
                            {overKeys("scores e", m_probe.scores), overKeys("weights a", weights)}});
    }

    // What follows the softmax: a Gaussian around the centre, or the choice of one key.
    void addScope()
    {
        if (m_probe.softWeights.empty())
            return;
        StepStage stage{"Gaussian",
                        "a_j exp(-(j - p)^2 / (2 (D/2)^2))",
                        fmt::format("[{0}] -> [{0}]", keyCount()),
                        fmt::format("Keys near p = {:.3g} count most; the weights sum to {:.3g} now.",
                                    m_probe.center.value_or(0),
                                    std::accumulate(m_probe.weights.begin(), m_probe.weights.end(), 0.0F)),
                        {overKeys("softmax", m_probe.softWeights), overKeys("weights a", m_probe.weights)}};
        if (m_probe.hard) {
            stage.title = "Hard choice";
            stage.formula = "a_j = 1 for one key, 0 for the others";
            stage.text = "Hard attention takes the value of a single key instead of a mixture.";
        }
        m_stages.push_back(std::move(stage));
    }

    void addContext()
    {
        if (m_probe.values.rows == 0)
            return;
        m_stages.push_back({"Weighted sum",
                            "c = sum_j a_j v_j",
                            fmt::format("[{0}] x [{0}, {1}] -> [{1}]", m_probe.values.rows, m_probe.values.columns),
                            "The values, mixed by the weights: what this head reads.",
                            {overKeys("weights a", m_probe.weights), matrix("values v", m_probe.values),
                             vector("context c", m_probe.context)}});
    }

    void addOutput()
    {
        if (m_probe.output.empty())
            return;
        if (m_probe.attentional) {
            const bool intra = m_probe.heads.size() > m_probe.context.size() + m_probe.query.size();
            const std::string joined = intra ? "[c; s; c_d]" : "[c; s]"; // c_d: what intra-decoder attention read
            m_stages.push_back({"Context and state",
                                joined,
                                fmt::format("[{}]", m_probe.heads.size()),
                                "What was read and the decoder's state, one after the other.",
                                {vector("context and state", m_probe.heads)}});
            m_stages.push_back({"Attentional state",
                                "tanh(W_c " + joined + ")",
                                fmt::format("[{}] -> [{}]", m_probe.heads.size(), m_probe.output.size()),
                                "What the next word is predicted from.",
                                {vector("attentional state", m_probe.output)}});
            return;
        }
        m_stages.push_back(
            {"Heads side by side",
             "[c_1; ...; c_h]",
             fmt::format("{} x [{}] -> [{}]", m_cell.heads, m_probe.context.size(), m_probe.heads.size()),
             "The contexts of all heads, one after the other.",
             {vector("contexts of all heads", m_probe.heads)}});
        m_stages.push_back({"Output projection",
                            "W_O [c_1; ...; c_h]",
                            fmt::format("[{}] -> [{}]", m_probe.heads.size(), m_probe.output.size()),
                            "What the layer adds to its input.",
                            {vector("output", m_probe.output)}});
    }

    const AttentionProbe& m_probe;
    const CellNames& m_cell;
    int m_key;
    std::vector<StepStage> m_stages;
};

void finish(AttentionProbe& probe, const ProbedMatrix& values)
{
    probe.weights = softmax(probe.scores);
    probe.values = values;
    probe.context.assign(static_cast<std::size_t>(values.columns), 0);
    for (int row = 0; row < values.rows; ++row) {
        for (int column = 0; column < values.columns; ++column)
            probe.context[static_cast<std::size_t>(column)] += probe.weights[static_cast<std::size_t>(row)]
                * values.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(values.columns)
                                + static_cast<std::size_t>(column)];
    }
    probe.found = true;
}

} // namespace

std::string weightText(float weight)
{
    if (weight == 0 || weight == 1)
        return fmt::format("{}", weight);
    if (weight > 0 && weight < 0.0005F)
        return "<0.001";
    if (weight < 1 && weight >= 0.9995F)
        return ">0.999";
    return fmt::format("{:.3f}", weight);
}

std::vector<StepStage> stepStages(const AttentionProbe& probe, const CellNames& cell)
{
    if (!probe.found || probe.weights.empty())
        return {};
    return Stages(probe, cell).all();
}

AttentionProbe dotProductStep(std::span<const float> query, const ProbedMatrix& keys, const ProbedMatrix& values,
                              float scale)
{
    AttentionProbe probe;
    probe.score = scale == 1.0F ? "dot" : "scaled_dot";
    probe.query.assign(query.begin(), query.end());
    probe.keys = keys;
    probe.scale = scale;
    for (int row = 0; row < keys.rows; ++row) {
        const auto key = keys.values.begin() + std::ptrdiff_t{row} * keys.columns;
        probe.products.push_back(std::inner_product(query.begin(), query.end(), key, 0.0F));
        probe.scores.push_back(scale * probe.products.back());
    }
    finish(probe, values);
    return probe;
}

AttentionProbe additiveStep(std::span<const float> query, const ProbedMatrix& keys, const ProbedMatrix& values,
                            std::span<const float> v)
{
    AttentionProbe probe;
    probe.score = "additive";
    probe.query.assign(query.begin(), query.end());
    probe.projectedQuery = probe.query;
    probe.projectedKeys = keys;
    probe.v.assign(v.begin(), v.end());
    probe.tanhLayer = keys;
    for (int row = 0; row < keys.rows; ++row) {
        float score = 0;
        for (int column = 0; column < keys.columns; ++column) {
            const auto i = static_cast<std::size_t>(column);
            float& unit =
                probe.tanhLayer.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(keys.columns) + i];
            unit = std::tanh(unit + query[i]);
            score += v[i] * unit;
        }
        probe.scores.push_back(score);
    }
    finish(probe, values);
    return probe;
}

} // namespace attn
