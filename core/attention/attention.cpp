// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/attention.h"

#include "nn/normalization.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace attn {

namespace {

std::ptrdiff_t draw(std::span<const float> weights, std::mt19937_64& generator)
{
    double sum = 0;
    for (const float weight : weights)
        sum += weight;
    // 53 random bits: the same number on every platform, unlike std::uniform_real_distribution.
    double left = static_cast<double>(generator() >> 11U) * 0x1.0p-53 * sum;
    std::ptrdiff_t last = 0;
    for (std::ptrdiff_t i = 0; i < std::ssize(weights); ++i) {
        if (weights[i] <= 0)
            continue;
        last = i;
        left -= weights[i];
        if (left < 0)
            break;
    }
    return last;
}

void makeHard(MutableView maps, std::mt19937_64* generator)
{
    const auto values = maps.values();
    for (auto rest = values; !rest.empty(); rest = rest.subspan(maps.columns)) {
        const auto row = rest.first(maps.columns);
        if (!areNumbers(row))
            continue; // all are NaN, and nobody knows which is the largest
        const auto largest = std::ranges::max_element(row);
        const float weight = *largest > 0 ? 1.0F : 0.0F; // a row with nothing to attend to stays so
        const auto chosen = generator != nullptr && weight > 0 ? draw(row, *generator) : largest - row.begin();
        std::ranges::fill(row, 0.0F);
        row[chosen] = weight;
    }
}

template<typename Change>
void changeCells(const LocalScope& local, MutableView maps, const Change& change)
{
    for (int head = 0; head < maps.heads; ++head) {
        for (int row = 0; row < maps.rows; ++row) {
            for (int column = 0; column < maps.columns; ++column)
                change(maps.at(head, row, column), column, double{local.centers.at(row)});
        }
    }
}

void weighByDistance(const LocalScope& local, MutableView weights)
{
    const double deviation = local.window / 2.0;
    changeCells(local, weights, [&](float& weight, int column, double center) {
        const double distance = (column - center) / deviation;
        weight *= static_cast<float>(std::exp(-distance * distance / 2));
    });
}

AttentionBlock blockOf(const AttentionCall& call, NumberView sinkShares)
{
    return {call.site, call.hypothesis, call.firstRow, {}, {}, call.rowAxis, call.columnAxis, sinkShares};
}

void reportAttention(const AttentionRun& run, const AttentionCall& call, Numbers weights, Numbers scores,
                     NumberView sinkShares)
{
    AttentionBlock block = blockOf(call, sinkShares);
    if (call.meaning == AttentionRows::Positions || call.rows == 1) {
        run.sink.finishedAttention(block, std::move(weights), std::move(scores));
        return;
    }
    for (int row = 0; row < call.rows; ++row) {
        block.hypothesis = call.hypothesis + row;
        block.weights = std::as_const(weights).view().rowRange(row, 1);
        if (!scores.empty())
            block.scores = std::as_const(scores).view().rowRange(row, 1);
        if (!sinkShares.empty())
            block.sinks = sinkShares.rowRange(row, 1);
        run.sink.attention(block);
    }
}

// The model's masks, keys that come later, or lie outside a window; and what edits hide.
void hide(const AttentionCall& call, const RowEdits& edits, MutableView scores, const StageReport& stages)
{
    applyMask(call.mask, scores, call.firstRow, call.window);
    if (call.window > 0) {
        const auto keys = static_cast<float>(call.window);
        stages.vector(StageKind::Reach, call.mask == Mask::None ? std::array{keys, keys} : std::array{keys - 1, 0.0F});
    }
    if (call.local != nullptr) {
        hideOutside(*call.local, scores);
        const float center = call.local->centers.at(stages.row());
        stages.vector(StageKind::Window, std::array{center, static_cast<float>(call.local->window)});
    }
    edits.hide(scores);
    stages.rowOf(StageKind::Scores, scores);
}

// Narrows the weights after the softmax, where something does.
void narrow(const AttentionCall& call, MutableView weights, const StageReport& stages)
{
    if (call.local != nullptr && call.local->gaussian) {
        weighByDistance(*call.local, weights);
        stages.rowOf(StageKind::Gaussian, weights);
    }
    if (call.mode == AttentionMode::Hard) {
        makeHard(weights, call.generator);
        stages.rowOf(StageKind::Choice, weights);
    }
    for (const Index head : call.pruned)
        std::ranges::fill(weights.headRange(head, 1).values(), 0.0F);
}

// Applies what the run is made to do differently.
void edit(const RowEdits& edits, MutableView weights, NumberView scores, const StageReport& stages)
{
    if (!edits.changeWeights())
        return;
    edits.change(weights, scores);
    stages.rowOf(StageKind::Edited, weights);
}

void reportSink(const StageReport& stages, const AttentionCall& call, NumberView shares)
{
    if (stages && !shares.empty())
        stages.vector(StageKind::Sink,
                      std::array{call.sinks[stages.head()], shares.at(stages.head(), stages.row(), 0)});
}

void reportSum(const StageReport& stages, NumberView values, NumberView sums)
{
    stages.allOf(StageKind::Values, values);
    stages.rowOf(StageKind::Context, sums);
    if (!stages)
        return;
    std::vector<float> heads;
    for (int head = 0; head < sums.heads; ++head) {
        const auto row = sums.row(head, stages.row());
        heads.insert(heads.end(), row.begin(), row.end());
    }
    stages.vector(StageKind::Heads, heads);
}

// areNumbers() of a view with gaps.
bool holdsNumbers(NumberView view)
{
    for (Index head = 0; head < view.heads; ++head) {
        for (Index row = 0; row < view.rows; ++row) {
            if (!areNumbers(view.row(head, row)))
                return false;
        }
    }
    return true;
}

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

// Keys farther than `window` positions to either side of the query's own.
void hideBeyond(int window, MutableView scores, int firstRow)
{
    for (int head = 0; head < scores.heads; ++head) {
        for (int row = 0; row < scores.rows; ++row) {
            const auto values = scores.row(head, row);
            const int position = firstRow + row;
            std::ranges::fill(values.first(std::clamp(position - window, 0, scores.columns)), minusInfinity);
            std::ranges::fill(values.subspan(std::clamp(position + window + 1, 0, scores.columns)), minusInfinity);
        }
    }
}

} // namespace

void hideOutside(const LocalScope& local, MutableView scores)
{
    changeCells(local, scores, [&](float& score, int column, double center) {
        if (std::abs(column - std::nearbyint(center)) > local.window)
            score = -std::numeric_limits<float>::infinity();
    });
}

// At least two of the heads that share keys and values, since threads do whole heads.
Index headsAtOnce(int threads, std::ptrdiff_t mapSize, Index heads, Index sharing)
{
    constexpr std::ptrdiff_t cached = std::ptrdiff_t{1} << 18; // numbers of a map that one core's cache holds
    if (mapSize * heads <= cached)
        return heads;
    const auto ofEach = std::max<std::ptrdiff_t>(1, cached / (mapSize * sharing));
    const auto shared = std::max<std::ptrdiff_t>(2, ofEach * threads);
    return static_cast<Index>(std::min<std::ptrdiff_t>(heads, shared * sharing));
}

RowEdits AttentionRun::editsOf(const AttentionCall& call) const
{
    if (edits == nullptr)
        return {};
    return edits->rows(call.site, call.firstRow, call.meaning == AttentionRows::Hypotheses);
}

StageReport AttentionRun::stages(const AttentionCall& call, int heads) const
{
    const auto& cell = capture.inside;
    const bool together = call.meaning == AttentionRows::Positions || call.rows == 1;
    if (!cell || !together || cell->site != call.site || cell->hypothesis != call.hypothesis || cell->head < 0
        || cell->head >= heads || cell->row < call.firstRow || cell->row >= call.firstRow + call.rows)
        return {};
    return {sink, heads, cell->head, cell->row - call.firstRow};
}

namespace {

// Heads of a call that are computed together.
struct HeadBlock
{
    Index first = 0;
    Index count = 0;
    MutableView weights; // first their scores: [count, rows, keys]
    MutableView scores; // kept; empty: nobody asks for them
    MutableView sinkShares; // [count, rows, 1]; empty without sinks
    NumberView values;
    MutableView sums;
};

// Memory of a call. Its heads are computed some at a time, so that their maps stay in the caches of the processor's
// cores, and all maps are kept only where they are reported.
class CallMemory
{
public:
    CallMemory(const AttentionRun& run, const AttentionCall& call, const RowEdits& edits, const StageReport& stages,
               NumberView values, MutableView context, const MapSourceMaker& maps)
        : m_run(run)
        , m_call(call)
        , m_values(values)
        , m_context(context)
        , m_maps(maps)
        , m_sharing(context.heads / values.heads)
    {
        const Index heads = context.heads;
        const bool plain =
            edits.empty() && call.local == nullptr && call.mode == AttentionMode::Soft && call.pruned.empty();
        m_isRead = !plain || stages;
        m_together = m_isRead
            ? heads
            : headsAtOnce(run.engine.freeThreads(), std::ptrdiff_t{call.rows} * values.rows, heads, m_sharing);
        m_isStored = run.capture.attention && !(plain && maps);
        // The last block may have more heads, by those that would be alone.
        m_weights =
            Numbers::unset(m_isStored ? heads : std::min(heads, m_together + m_sharing), call.rows, values.rows);
        if ((m_isStored && run.capture.scores) || edits.changeWeights())
            m_scores = Numbers::unset(heads, call.rows, values.rows);
        if (!call.sinks.empty())
            m_sinkShares = Numbers::unset(heads, call.rows, 1);
    }

    // The heads from `first` on; none behind the last.
    HeadBlock block(Index first)
    {
        const Index left = m_context.heads - first;
        HeadBlock block;
        block.first = first;
        block.count = left - m_together <= m_sharing ? left : m_together;
        if (left == 0)
            return block;
        block.weights = m_weights.view().headRange(m_isStored ? first : 0, block.count);
        if (!m_scores.empty())
            block.scores = m_scores.view().headRange(first, block.count);
        if (!m_sinkShares.empty())
            block.sinkShares = m_sinkShares.view().headRange(first, block.count);
        block.values = m_values.headRange(first / m_sharing, block.count / m_sharing);
        block.sums = m_context.headRange(first, block.count);
        return block;
    }

    // Weights that somebody reads before they are summed, and that therefore say where they are NaN.
    bool isRead() const { return m_isRead; }
    NumberView sinkShares() const { return m_sinkShares.view(); }

    // Rows of weights that became NaN are NaN throughout; the sums tell which, where nobody has read the weights.
    void finish(const HeadBlock& block) const
    {
        if (m_isStored && !m_isRead && !holdsNumbers(block.sums))
            spreadNoNumbers(block.weights);
    }

    void report()
    {
        const NumberView shares = sinkShares();
        if (m_isStored)
            reportAttention(m_run, m_call, std::move(m_weights), m_run.capture.scores ? std::move(m_scores) : Numbers(),
                            shares);
        else if (m_run.capture.attention)
            m_run.sink.computableAttention(blockOf(m_call, shares), m_maps());
    }

private:
    const AttentionRun& m_run;
    const AttentionCall& m_call;
    NumberView m_values;
    MutableView m_context;
    const MapSourceMaker& m_maps;
    Index m_sharing; // query heads that share keys and values
    Index m_together = 0; // heads of a block
    bool m_isRead = false;
    bool m_isStored = false;
    Numbers m_weights;
    Numbers m_scores;
    Numbers m_sinkShares;
};

void keepScores(const HeadBlock& block)
{
    if (block.scores.data != nullptr)
        std::ranges::copy(block.weights.values(), block.scores.data);
}

// Step by step the keys of a causal row grow in number, others stay as many as they are.
void normalize(const AttentionRun& run, const AttentionCall& call, const HeadBlock& block)
{
    const bool growing = call.mask != Mask::None && call.rows == 1;
    const SoftmaxWidth width = growing ? SoftmaxWidth::Growing : SoftmaxWidth::Fixed;
    if (call.sinks.empty())
        softmaxOfNumbers(run.engine, block.weights, width);
    else
        softmaxWithSinks(run.engine, block.weights, call.sinks.subspan(block.first, block.count), block.sinkShares,
                         width);
}

} // namespace

// For query i and keys j: e_ij = score(q_i, k_j), a_i = softmax(e_i), c_i = sum over j of a_ij v_j.
void attend(const AttentionRun& run, const AttentionCall& call, const ScoreFunction& score, NumberView values,
            MutableView context, const MapSourceMaker& maps)
{
    const StageReport stages = run.stages(call, context.heads);
    const RowEdits edits = run.editsOf(call);
    CallMemory memory(run, call, edits, stages, values, context, maps);
    for (HeadBlock block = memory.block(0); block.count > 0; block = memory.block(block.first + block.count)) {
        score(block.weights, block.first, stages);
        hide(call, edits, block.weights, stages);
        keepScores(block);
        normalize(run, call, block);
        if (memory.isRead())
            spreadNoNumbers(block.weights);
        reportSink(stages, call, memory.sinkShares());
        stages.rowOf(StageKind::Softmax, block.weights);
        narrow(call, block.weights, stages);
        edit(edits, block.weights, block.scores, stages);
        weightedSum(run.engine, block.weights, block.values, block.sums);
        memory.finish(block);
    }
    reportSum(stages, values, context);
    memory.report();
}

void applyMask(Mask mask, MutableView scores, int firstRow, int window)
{
    if (mask == Mask::None) {
        if (window > 0)
            hideBeyond(window, scores, firstRow);
        return;
    }
    for (int head = 0; head < scores.heads; ++head) {
        for (int row = 0; row < scores.rows; ++row) {
            const auto values = scores.row(head, row);
            const int position = firstRow + row;
            const int visible = std::min(position + (mask == Mask::Causal ? 1 : 0), scores.columns);
            std::ranges::fill(values.subspan(visible), minusInfinity);
            if (window > 0 && position + 1 > window)
                std::ranges::fill(values.first(std::min(position + 1 - window, scores.columns)), minusInfinity);
        }
    }
}

} // namespace attn
