// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/other_weights.h"

#include "analysis/scores.h"
#include "analysis/word_order.h"
#include "base/error.h"
#include "base/index.h"
#include "edits/edit.h"
#include "inference/forced_output.h"
#include "trace/site.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace attn {

namespace {

constexpr int mostKeys = 16; // single keys that weights are moved towards
constexpr int halvings = 5; // of how far

// The weights of a row of one head's map, or others for it.
struct WeightRow
{
    Site site;
    int head = 0;
    int row = 0;
    std::vector<float> weights;
    std::vector<int> keys; // columns that some head of the site sees in this row
};

// Jensen-Shannon divergence of two rows that are made to sum to one, nats.
double divergenceOf(std::span<const float> left, std::span<const float> right)
{
    const double leftSum = std::accumulate(left.begin(), left.end(), 0.0);
    const double rightSum = std::accumulate(right.begin(), right.end(), 0.0);
    if (!(leftSum > 0) || !(rightSum > 0))
        return 0;
    const auto term = [](double p, double mean) { return p > 0 ? p * std::log(p / mean) : 0; };
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        const double p = static_cast<double>(left[i]) / leftSum;
        const double q = static_cast<double>(right[i]) / rightSum;
        sum += (term(p, (p + q) / 2) + term(q, (p + q) / 2)) / 2;
    }
    return std::max(0.0, sum);
}

double meanDivergence(const std::vector<WeightRow>& rows, const std::vector<WeightRow>& others)
{
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        sum += divergenceOf(rows[i].weights, others[i].weights);
    return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
}

float sumOf(const WeightRow& row)
{
    return std::accumulate(row.weights.begin(), row.weights.end(), 0.0F);
}

std::vector<WeightRow> made(std::vector<WeightRow> rows, const std::function<void(WeightRow&)>& change)
{
    std::ranges::for_each(rows, change);
    return rows;
}

std::vector<WeightRow> uniformRows(const std::vector<WeightRow>& rows)
{
    return made(rows, [](WeightRow& row) {
        const float share = sumOf(row) / static_cast<float>(row.keys.size());
        for (const int key : row.keys)
            row.weights[key] = share;
    });
}

// The same order for every head of a row.
std::vector<WeightRow> shuffledRows(const std::vector<WeightRow>& rows, int number)
{
    return made(rows, [number](WeightRow& row) {
        const std::vector<int> order = shuffledOrder(indexSize(row.keys), static_cast<std::uint64_t>(number) + 1);
        const std::vector<float> before = row.weights;
        for (std::size_t i = 0; i < row.keys.size(); ++i)
            row.weights[row.keys[i]] = before[row.keys[order[i]]];
    });
}

// A share of the weights goes to one key; rows that do not see it stay as they are.
std::vector<WeightRow> movedRows(const std::vector<WeightRow>& rows, int key, double share)
{
    return made(rows, [key, share](WeightRow& row) {
        if (std::ranges::find(row.keys, key) == row.keys.end())
            return;
        const float sum = sumOf(row);
        for (float& weight : row.weights)
            weight *= static_cast<float>(1 - share);
        row.weights[key] += static_cast<float>(share) * sum;
    });
}

std::vector<Edit> editsTo(const std::vector<WeightRow>& rows)
{
    const auto only = [](int index) { return IndexSet({{index, index}}); };
    std::vector<Edit> edits;
    for (const WeightRow& row : rows) {
        for (const int key : row.keys)
            edits.emplace_back(AttentionEdit{.stage = row.site.stage,
                                             .layers = only(row.site.layer),
                                             .heads = only(row.head),
                                             .rows = only(row.row),
                                             .columns = only(key),
                                             .change = AttentionChange::Set,
                                             .value = row.weights[key]});
    }
    return edits;
}

std::vector<float> meanWeights(const std::vector<WeightRow>& rows)
{
    std::vector<float> mean(rows.front().weights.size());
    for (const WeightRow& row : rows) {
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += row.weights[i] / static_cast<float>(rows.size());
    }
    return mean;
}

} // namespace

struct OtherWeightsExperiment::Work
{
    std::shared_ptr<const LoadedModel> model;
    ForcedOutput output;
    std::vector<std::pair<Site, int>> heads;
    ClassReading reading = ClassReading::OneOf;
    std::vector<std::vector<float>> before; // distributions, by place

    Work(std::shared_ptr<const LoadedModel> loaded, const Question& question, const Trace& run)
        : model(std::move(loaded))
        , output(model->model, question, run)
    {
    }

    std::vector<std::vector<float>> distributions(std::span<const Edit> edits, const Workbench& bench)
    {
        const Tensor logits = output.logits(edits, bench.engine, bench.stop);
        std::vector<std::vector<float>> places;
        for (int place = 0; place < indexSize(output.tokens()); ++place)
            places.push_back(distribution(logits.matrix().row(place)));
        return places;
    }

    // Labels that are independent of each other are as many distributions of two values.
    std::vector<float> distribution(std::span<const float> logits) const
    {
        if (reading == ClassReading::OneOf)
            return softmax(logits);
        std::vector<float> labels;
        for (const float logit : logits)
            labels.push_back(1 / (1 + std::exp(-logit)));
        return labels;
    }

    // Total variation distance; of independent labels the mean of theirs.
    double distance(const std::vector<float>& p, const std::vector<float>& q) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < p.size(); ++i)
            sum += std::abs(static_cast<double>(p[i]) - static_cast<double>(q[i]));
        return reading == ClassReading::OneOf ? sum / 2 : sum / static_cast<double>(p.size());
    }
};

OtherWeightsExperiment::OtherWeightsExperiment(Plan plan)
    : m_plan(std::move(plan))
{
    m_result.site = m_plan.site;
}

bool OtherWeightsExperiment::advance(const Workbench& bench)
{
    if (!m_work) {
        begin(bench);
        return true;
    }
    bench.say({ExperimentProgress::Step::Run, static_cast<double>(m_next) / m_result.count, m_work->model->name, m_next,
               m_result.count});
    OtherWeights replaced = replace(m_next, bench);
    if (!replaced.weights.empty())
        m_result.outputs.push_back(std::move(replaced));
    return ++m_next < m_result.count;
}

void OtherWeightsExperiment::begin(const Workbench& bench)
{
    bench.say({ExperimentProgress::Step::Loading, 0, m_plan.question.model});
    auto model = bench.load(m_plan.question.model);
    Question question = fitted(m_plan.question, *model);
    question.capture = {.attention = true};
    const Trace run = answer(question, *model, bench.engine, bench.observer());
    auto work = std::make_shared<Work>(std::move(model), question, run);
    for (const Site site : run.sites()) {
        if (site.stage != m_plan.site.stage || (site.layer != m_plan.site.layer && !m_plan.allLayers))
            continue;
        for (int head = 0; head < run.heads(site); ++head) {
            if (m_plan.head.value_or(head) == head)
                work->heads.emplace_back(site, head);
        }
    }
    if (work->heads.empty())
        throw Error(ErrorKind::Input, siteText(m_plan.site), "the model has no such attention");
    if (work->output.tokens().empty())
        throw Error(ErrorKind::Input, work->model->name, "the model has no output that could change");
    if (run.classification())
        work->reading = run.classification()->reading;
    if (work->reading == ClassReading::Value)
        throw Error(ErrorKind::Input, work->model->name, "the output is a number, not a distribution");
    work->before = work->distributions({}, bench);
    const TaskHead task = work->model->model->info().task;
    const bool ownRows = m_plan.site.stage != Stage::Encoder || run.kind() == ModelKind::EncoderOnly;
    m_result.wholeMap = !ownRows || task == TaskHead::Text || task == TaskHead::Span
        || run.rowAxis(m_plan.site) != AttentionAxis::Tokens;
    m_result.count = m_result.wholeMap ? 1 : indexSize(work->output.tokens());
    m_result.run = run;
    m_work = std::move(work);
}

// Result for one place; without weights where no row has a choice of keys.
OtherWeights OtherWeightsExperiment::replace(int place, const Workbench& bench) const
{
    Work& work = *m_work;
    std::vector<WeightRow> rows;
    for (const auto& [site, head] : work.heads) {
        const Numbers weights = m_result.run->matrix(site, head);
        for (int row = 0; row < weights.rows; ++row) {
            if (m_result.wholeMap || row == place) {
                const auto own = weights.row(row);
                rows.push_back({site, head, row, {own.begin(), own.end()}, {}});
            }
        }
    }
    for (WeightRow& row : rows) {
        for (int key = 0; key < indexSize(row.weights); ++key) {
            const bool isSeen = std::ranges::any_of(rows, [&](const WeightRow& other) {
                return other.site == row.site && other.row == row.row && other.weights[key] > 0;
            });
            if (isSeen)
                row.keys.push_back(key);
        }
    }
    std::erase_if(rows, [](const WeightRow& row) { return row.keys.size() < 2; });
    OtherWeights found;
    found.place = place;
    if (rows.empty())
        return found;

    const int first = m_result.wholeMap ? 0 : place;
    const int end = m_result.wholeMap ? indexSize(work.before) : place + 1;
    // The mean change over the places, and whether the most probable stays everywhere.
    const auto changeBy = [&](const std::vector<WeightRow>& others) {
        throwIfStopped(bench.stop);
        const auto after = work.distributions(editsTo(others), bench);
        double sum = 0;
        bool keeps = true;
        for (int i = first; i < end; ++i) {
            sum += work.distance(work.before[i], after[i]);
            keeps = keeps
                && std::ranges::max_element(work.before[i]) - work.before[i].begin()
                    == std::ranges::max_element(after[i]) - after[i].begin();
        }
        return std::pair(sum / (end - first), keeps);
    };

    found.weights = found.others = meanWeights(rows);
    found.largest = static_cast<double>(std::ranges::max(found.weights));
    std::tie(found.uniform, found.uniformKeeps) = changeBy(uniformRows(rows));
    const auto take = [&](const std::vector<WeightRow>& others, double change) {
        const double divergence = meanDivergence(rows, others);
        if (change > m_plan.most || divergence <= found.divergence)
            return;
        found.divergence = divergence;
        found.adversarial = change;
        found.others = meanWeights(others);
    };
    for (int order = 0; order < m_plan.orders; ++order) {
        const std::vector<WeightRow> others = shuffledRows(rows, order);
        const auto [change, keeps] = changeBy(others);
        found.shuffled.push_back(change);
        found.keeping += keeps ? 1.0 / m_plan.orders : 0;
        take(others, change);
    }
    std::ranges::sort(found.shuffled);

    std::vector<std::pair<double, int>> keys; // by how different all weight there is, the most different first
    for (int key = 0; key < indexSize(found.weights); ++key)
        keys.emplace_back(-meanDivergence(rows, movedRows(rows, key, 1)), key);
    std::ranges::sort(keys);
    keys.resize(std::min<std::size_t>(keys.size(), mostKeys));
    for (const auto& [negative, key] : keys) {
        double most = 1; // share that may be moved
        double least = 0;
        for (int i = 0; i <= halvings; ++i) {
            const double share = i == 0 ? most : (least + most) / 2;
            const std::vector<WeightRow> others = movedRows(rows, key, share);
            if (meanDivergence(rows, others) <= found.divergence) { // even if it may be
                if (i == 0)
                    break;
                least = share;
                continue;
            }
            const auto [change, keeps] = changeBy(others);
            take(others, change);
            if (change <= m_plan.most && i == 0)
                break;
            (change <= m_plan.most ? least : most) = share;
        }
    }
    return found;
}

} // namespace attn
