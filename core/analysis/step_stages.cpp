// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/step_stages.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace attn {

namespace {

class Stages
{
public:
    Stages(const CellStages& reported, const CellNames& cell)
        : m_reported(reported)
        , m_cell(cell)
        , m_key(std::clamp(cell.key, 0, std::max(0, keyCount() - 1)))
    {
    }

    std::vector<StepStage> all()
    {
        addQuery();
        addKeys();
        if (additive())
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
    int keyCount() const { return static_cast<int>(m_reported.weights().size()); }
    bool has(StageKind kind) const { return m_reported.has(kind); }
    std::span<const float> values(StageKind kind) const { return m_reported.values(kind); }
    std::span<const float> scoredQuery() const
    {
        for (const StageKind kind : {StageKind::RotatedQuery, StageKind::ProjectedQuery}) {
            if (has(kind))
                return values(kind);
        }
        return values(StageKind::Query);
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
    StageNumbers matrix(std::string name, const StageMatrix& values) const
    {
        return {std::move(name), values.rows, values.columns, values.values, m_cell.keys, {}, m_key};
    }

    bool additive() const { return has(StageKind::TanhLayer); }
    // The query is a weight of the model, the same for every text.
    bool learnedQuery() const { return additive() && !has(StageKind::Query); }

    void addQuery()
    {
        if (learnedQuery()) {
            m_stages.push_back({"Learned query",
                                "v",
                                fmt::format("[{}]", values(StageKind::ScoreVector).size()),
                                "A weight of the model that asks every text the same question.",
                                {vector("v", values(StageKind::ScoreVector))}});
            return;
        }
        const auto query = values(StageKind::Query);
        StepStage stage{
            "Query", "q", fmt::format("[{}]", query.size()), fmt::format("What “{}” asks for.", m_cell.query), {}};
        if (has(StageKind::Summary))
            stage.formula = "q = [x_t; h~_(t-1)]";
        if (has(StageKind::Input)) {
            const auto input = values(StageKind::Input);
            stage.formula = "q = W_Q x";
            stage.shape = fmt::format("[{}] -> [{}]", input.size(), query.size());
            stage.numbers.push_back(vector("state x", input));
        }
        stage.numbers.push_back(vector("query q", query));
        if (has(StageKind::RotatedQuery)) {
            stage.formula += ", then turned by its position";
            stage.numbers.push_back(vector("rotated query q", values(StageKind::RotatedQuery)));
        }
        if (has(StageKind::ProjectedQuery)) {
            stage.formula += additive() ? ", W q" : ", U q";
            stage.numbers.push_back(
                vector(additive() ? "W q" : "projected query U q", values(StageKind::ProjectedQuery)));
        }
        m_stages.push_back(std::move(stage));
    }

    void addKeys()
    {
        const StageMatrix* const keys = scoredKeys();
        if (keys == nullptr)
            return;
        const bool projected = has(StageKind::ProjectedKeys);
        StepStage stage{"Keys",
                        additive()                  ? "U h_j + b"
                            : projected             ? "k_j = W h_j"
                            : has(StageKind::Input) ? "k_j = W_K x_j"
                                                    : "k_j",
                        fmt::format("[{} keys, {}]", keys->rows, keys->columns),
                        fmt::format("What each token offers; “{}” is looked at.", keyName()),
                        {}};
        if (has(StageKind::RotatedQuery))
            stage.formula += ", each turned by its position";
        const StageMatrix* const annotations =
            m_reported.find(has(StageKind::Annotations) ? StageKind::Annotations : StageKind::Values);
        if (projected && annotations != nullptr && annotations->rows == keys->rows)
            stage.numbers.push_back(matrix("annotations h", *annotations));
        stage.numbers.push_back(matrix(projected ? "projected keys" : "keys", *keys));
        m_stages.push_back(std::move(stage));
    }

    const StageMatrix* scoredKeys() const
    {
        const StageMatrix* const projected = m_reported.find(StageKind::ProjectedKeys);
        return projected != nullptr ? projected : m_reported.find(StageKind::Keys);
    }

    void addProducts()
    {
        const StageMatrix* const keys = scoredKeys();
        if (keys == nullptr)
            return;
        const auto query = scoredQuery();
        const auto key = keys->row(m_key);
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
                            fmt::format("[{}]", values(StageKind::Products).size()),
                            "The same for every key.",
                            {overKeys("q . k_j", values(StageKind::Products))}});
    }

    void addAdditiveScore()
    {
        const auto key = scoredKeys()->row(m_key);
        const auto layer = m_reported.find(StageKind::TanhLayer)->row(m_key);
        const auto v = values(StageKind::ScoreVector);
        std::vector<float> products(layer.size());
        std::ranges::transform(layer, v, products.begin(), std::multiplies<>());
        StepStage hidden{
            "Tanh layer",
            learnedQuery() ? "tanh(U h + b)" : "tanh(W q + U h + b)",
            fmt::format(fmt::runtime(learnedQuery() ? "[{0}] -> [{0}]" : "[{0}] + [{0}] -> [{0}]"), layer.size()),
            learnedQuery() ? fmt::format("Shown for “{}”.", keyName())
                           : fmt::format("Query and key meet in a hidden layer; shown for “{}”.", keyName()),
            {}};
        if (has(StageKind::ProjectedQuery))
            hidden.numbers.push_back(vector("W q", values(StageKind::ProjectedQuery)));
        hidden.numbers.push_back(vector("U h + b", key));
        hidden.numbers.push_back(vector("tanh layer", layer));
        m_stages.push_back(std::move(hidden));
        m_stages.push_back({"Score",
                            learnedQuery() ? "e = v . tanh(U h + b)" : "e = v . tanh(W q + U h + b)",
                            fmt::format("[{0}] . [{0}] -> 1", layer.size()),
                            fmt::format("The layer's units, weighed with v, sum to {:.4g}.",
                                        std::accumulate(products.begin(), products.end(), 0.0F)),
                            {vector("tanh layer", layer), vector("v", v), vector("products", products)}});
    }

    void addScaling()
    {
        const auto products = values(StageKind::Products);
        if (products.empty())
            return;
        const float scale = has(StageKind::Scale) ? values(StageKind::Scale).front() : 1.0F;
        std::vector<float> scaled(products.begin(), products.end());
        for (float& value : scaled)
            value *= scale;
        if (scale != 1.0F) {
            StepStage stage{"Scaling",
                            fmt::format("e_j = {:.4g} (q . k_j)", scale),
                            fmt::format("[{0}] -> [{0}]", scaled.size()),
                            "Without it the scores would spread more the wider the vectors are.",
                            {overKeys("q . k_j", products), overKeys("scaled", scaled)}};
            if (std::abs(scale * scale * static_cast<float>(scoredQuery().size()) - 1) < 1e-3F)
                stage.formula = fmt::format("e_j = q . k_j / sqrt({})", scoredQuery().size());
            m_stages.push_back(std::move(stage));
        }
        const auto bias = values(StageKind::PositionBias);
        if (bias.empty())
            return;
        std::vector<float> biased = scaled;
        std::ranges::transform(biased, bias, biased.begin(), std::plus<>());
        m_stages.push_back({"Position bias",
                            scale == 1.0F ? "e_j = q . k_j + b(j - i)" : "e_j + b(j - i)",
                            fmt::format("[{0}] -> [{0}]", scaled.size()),
                            "This model knows positions by a learned number for each distance.",
                            {overKeys("bias", bias), overKeys("biased scores", biased)}});
    }

    void addDiscount()
    {
        if (!has(StageKind::Undiscounted))
            return;
        m_stages.push_back({"Discount",
                            "e_j - log(sum_s exp(e_sj)), s: the steps before",
                            fmt::format("[{0}] -> [{0}]", keyCount()),
                            "Intra-temporal attention: what was attended to before counts for less now.",
                            {overKeys("scores", values(StageKind::Undiscounted)),
                             overKeys("discounted e", values(StageKind::Scores))}});
    }

    std::string windowFormula() const
    {
        if (!has(StageKind::Window))
            return "e_j = -inf where key j must not be seen";
        const std::string outside = "e_j = -inf where |j - round(p)| > D";
        return (has(StageKind::Gaussian) ? "p = (S - 1) sigmoid(v . tanh(W_p q)); " : "p = min(t, S - 1); ") + outside;
    }

    void addMask()
    {
        const auto scores = values(StageKind::Scores);
        const auto masked = std::ranges::count_if(scores, [](float score) { return !std::isfinite(score); });
        std::string text = "Every key may be seen here.";
        if (const auto window = values(StageKind::Window); !window.empty())
            text = fmt::format("Only keys within {} of p = {:.3g}, rounded, are seen; {} of {} are hidden.",
                               window.back(), window.front(), masked, keyCount());
        else if (masked > 0)
            text = fmt::format("{} of {} keys are hidden from this query.", masked, keyCount());
        m_stages.push_back({has(StageKind::Window) ? "Window" : "Mask",
                            windowFormula(),
                            fmt::format("[{0}] -> [{0}]", keyCount()),
                            text,
                            {overKeys("scores e", scores)}});
    }

    void addWeights()
    {
        const auto weights = values(StageKind::Softmax);
        m_stages.push_back({"Softmax",
                            "a_j = exp(e_j) / sum_l exp(e_l)",
                            fmt::format("[{0}] -> [{0}]", keyCount()),
                            fmt::format("Positive numbers that sum to {:.3g}; “{}” gets {}.",
                                        std::accumulate(weights.begin(), weights.end(), 0.0F), keyName(),
                                        weightText(weights[static_cast<std::size_t>(m_key)])),
                            {overKeys("scores e", values(StageKind::Scores)), overKeys("weights a", weights)}});
    }

    // What follows the softmax: a Gaussian around the centre, or the choice of one key.
    void addScope()
    {
        if (!has(StageKind::Gaussian) && !has(StageKind::Choice))
            return;
        const auto weights = m_reported.weights();
        const auto window = values(StageKind::Window);
        StepStage stage{"Gaussian",
                        "a_j exp(-(j - p)^2 / (2 (D/2)^2))",
                        fmt::format("[{0}] -> [{0}]", keyCount()),
                        fmt::format("Keys near p = {:.3g} count most; the weights sum to {:.3g} now.",
                                    window.empty() ? 0 : window.front(),
                                    std::accumulate(weights.begin(), weights.end(), 0.0F)),
                        {overKeys("softmax", values(StageKind::Softmax)), overKeys("weights a", weights)}};
        if (has(StageKind::Choice)) {
            stage.title = "Hard choice";
            stage.formula = "a_j = 1 for one key, 0 for the others";
            stage.text = "Hard attention takes the value of a single key instead of a mixture.";
        }
        m_stages.push_back(std::move(stage));
    }

    void addContext()
    {
        const StageMatrix* const summed = m_reported.find(StageKind::Values);
        if (summed == nullptr)
            return;
        m_stages.push_back({"Weighted sum",
                            "c = sum_j a_j v_j",
                            fmt::format("[{0}] x [{0}, {1}] -> [{1}]", summed->rows, summed->columns),
                            "The values, mixed by the weights: what this head reads.",
                            {overKeys("weights a", m_reported.weights()), matrix("values v", *summed),
                             vector("context c", values(StageKind::Context))}});
    }

    void addOutput()
    {
        const auto context = values(StageKind::Context);
        if (const auto joint = values(StageKind::JointState); !joint.empty()) {
            const auto state = values(StageKind::AttentionalState);
            const bool intra = joint.size() > context.size() + values(StageKind::Query).size();
            const std::string joined = intra ? "[c; s; c_d]" : "[c; s]"; // c_d: what intra-decoder attention read
            m_stages.push_back({"Context and state",
                                joined,
                                fmt::format("[{}]", joint.size()),
                                "What was read and the decoder's state, one after the other.",
                                {vector("context and state", joint)}});
            m_stages.push_back({"Attentional state",
                                "tanh(W_c " + joined + ")",
                                fmt::format("[{}] -> [{}]", joint.size(), state.size()),
                                "What the next word is predicted from.",
                                {vector("attentional state", state)}});
        }
        const auto output = values(StageKind::Output);
        if (output.empty())
            return;
        const auto heads = values(StageKind::Heads);
        m_stages.push_back({"Heads side by side",
                            "[c_1; ...; c_h]",
                            fmt::format("{} x [{}] -> [{}]", m_cell.heads, context.size(), heads.size()),
                            "The contexts of all heads, one after the other.",
                            {vector("contexts of all heads", heads)}});
        m_stages.push_back({"Output projection",
                            "W_O [c_1; ...; c_h]",
                            fmt::format("[{}] -> [{}]", heads.size(), output.size()),
                            "What the layer adds to its input.",
                            {vector("output", output)}});
    }

    const CellStages& m_reported;
    const CellNames& m_cell;
    int m_key;
    std::vector<StepStage> m_stages;
};

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

std::vector<StepStage> stepStages(const CellStages& reported, const CellNames& cell)
{
    if (reported.weights().empty())
        return {};
    return Stages(reported, cell).all();
}

} // namespace attn
