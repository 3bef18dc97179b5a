// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/trace_builder.h"

#include "trace/trace_sink.h"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

using SharedRow = std::shared_ptr<const std::vector<float>>;

void addRows(std::map<int, SharedRow>& byPosition, int first, NumberView rows)
{
    for (int row = 0; row < rows.rows; ++row) {
        const auto part = rows.row(row);
        byPosition[first + row] = std::make_shared<const std::vector<float>>(part.begin(), part.end());
    }
}

template<typename Row>
void placeAt(std::vector<Row>& rows, Index index, Row row)
{
    if (indexSize(rows) <= index)
        rows.resize(index + 1);
    rows[index] = std::move(row);
}

SharedRow rowAt(const std::map<int, SharedRow>& byPosition, int position)
{
    const auto found = byPosition.find(position);
    return found == byPosition.end() ? nullptr : found->second;
}

bool sameCandidates(const std::vector<Candidate>& a, const std::vector<Candidate>& b)
{
    return std::ranges::equal(a, b, [](const Candidate& x, const Candidate& y) { return x.token == y.token; });
}

} // namespace

TraceBuilder::TraceBuilder(Encoding source, std::shared_ptr<const TokenDescriber> targetDescriber,
                           Provenance provenance, std::function<void()> changed)
    : m_changed(std::move(changed))
{
    m_trace.m_source = std::make_shared<const Encoding>(std::move(source));
    m_trace.m_provenance = std::make_shared<const Provenance>(std::move(provenance));
    m_trace.m_targetDescriber = std::move(targetDescriber);
}

Trace TraceBuilder::snapshot() const
{
    const std::lock_guard lock(m_mutex);
    if (m_trace.stepCount() < indexSize(m_steps))
        m_trace.m_steps = std::make_shared<const Trace::Path>(m_steps);
    return m_trace;
}

Progress TraceBuilder::progress() const
{
    const std::lock_guard lock(m_mutex);
    return m_progress;
}

void TraceBuilder::published()
{
    if (m_changed)
        m_changed();
}

std::string TraceBuilder::nameOf(TokenId token) const
{
    if (m_trace.m_targetDescriber) {
        const Encoding named = m_trace.m_targetDescriber->describe(std::span(&token, 1));
        if (!named.tokens.empty())
            return (named.labels.empty() ? named.tokens : named.labels).front();
    }
    return unknownPiece(token);
}

std::string TraceBuilder::storedName(int step) const
{
    const Encoding& tokens = *m_trace.m_output;
    const auto& names = tokens.labels.empty() ? tokens.tokens : tokens.labels;
    return names.at(static_cast<std::size_t>(step) + (m_trace.kind() == ModelKind::DecoderOnly ? 1 : 0));
}

void TraceBuilder::setOutput(Encoding tokens)
{
    const std::lock_guard lock(m_mutex);
    m_trace.m_output = std::make_shared<const Encoding>(std::move(tokens));
}

void TraceBuilder::setMedia(std::shared_ptr<const SourceMedia> media)
{
    const std::lock_guard lock(m_mutex);
    m_trace.m_media = std::move(media);
}

void TraceBuilder::setDecoderStartText(std::string text)
{
    const std::lock_guard lock(m_mutex);
    m_trace.m_decoderStartText = std::move(text);
}

void TraceBuilder::begun(std::span<const TokenId> source, std::optional<TokenId> decoderStart)
{
    std::string name = decoderStart ? nameOf(*decoderStart) : std::string();
    {
        const std::lock_guard lock(m_mutex);
        if (m_trace.m_source->ids.empty())
            m_trace.m_source = std::make_shared<const Encoding>(plainEncoding({source.begin(), source.end()}));
        m_trace.m_decoderStart = decoderStart;
        m_trace.m_decoderStartText = std::move(name);
    }
    published();
}

TraceBuilder::Pending& TraceBuilder::pending(int hypothesis)
{
    if (m_roundEnded) {
        m_pending.clear();
        m_roundEnded = false;
    }
    return m_pending[hypothesis];
}

void TraceBuilder::attention(const AttentionBlock& block)
{
    finishedAttention(block, Numbers::of(block.weights), Numbers::of(block.scores));
}

void TraceBuilder::finishedAttention(AttentionBlock block, Numbers weights, Numbers scores)
{
    keep(std::make_shared<const AttentionMap>(AttentionMap{block.site,
                                                           block.firstRow,
                                                           std::move(weights),
                                                           std::move(scores),
                                                           block.rowAxis,
                                                           block.columnAxis,
                                                           {},
                                                           Numbers::of(block.sinks)}),
         block.hypothesis);
}

void TraceBuilder::computableAttention(AttentionBlock block, std::shared_ptr<const MapSource> maps)
{
    keep(std::make_shared<const AttentionMap>(AttentionMap{block.site,
                                                           block.firstRow,
                                                           {},
                                                           {},
                                                           block.rowAxis,
                                                           block.columnAxis,
                                                           std::move(maps),
                                                           Numbers::of(block.sinks)}),
         block.hypothesis);
}

void TraceBuilder::stored(AttentionMap map)
{
    keep(std::make_shared<const AttentionMap>(std::move(map)), 0);
}

void TraceBuilder::keep(std::shared_ptr<const AttentionMap> map, int hypothesis)
{
    if (map->site.stage != Stage::Encoder && map->site.stage != Stage::Pooling) {
        pending(hypothesis).blocks.push_back(std::move(map));
        return;
    }
    {
        const std::lock_guard lock(m_mutex);
        const Site site = map->site;
        m_trace.m_maps[site] = std::move(map);
    }
    published();
}

void TraceBuilder::stage(const StageBlock& block)
{
    const std::lock_guard lock(m_mutex);
    m_trace.m_stages.add(block);
}

void TraceBuilder::hidden(const HiddenBlock& block)
{
    if (block.stage != Stage::Encoder) {
        addRows(pending(block.hypothesis).hidden[block.layer], block.firstRow, block.values);
        return;
    }
    std::shared_ptr<const Numbers> values = std::make_shared<const Numbers>(Numbers::of(block.values));
    const std::lock_guard lock(m_mutex);
    placeAt(m_trace.m_encoderHidden, block.layer, std::move(values));
}

void TraceBuilder::routed(const RoutingBlock& block)
{
    auto& rows = pending(block.hypothesis).experts[block.layer];
    for (Index row = 0; row < block.weights.rows; ++row) {
        const auto weights = block.weights.row(row);
        const auto ids = block.ids.subspan(static_cast<std::size_t>(row) * weights.size(), weights.size());
        rows[block.firstRow + row] = std::make_shared<const ChosenExperts>(
            ChosenExperts{{ids.begin(), ids.end()}, {weights.begin(), weights.end()}});
    }
}

void TraceBuilder::logits(const LogitsBlock& block)
{
    if (block.stage == Stage::Encoder) {
        std::map<int, SharedRow> rows;
        addRows(rows, block.firstRow, block.values);
        const std::lock_guard lock(m_mutex);
        for (auto& [position, row] : rows)
            placeAt(m_trace.m_sourceLogits, position, std::move(row));
        return;
    }
    addRows(pending(block.hypothesis).logits, block.firstRow, block.values);
}

const std::vector<std::string>& TraceBuilder::namesOf(const std::vector<Candidate>& candidates)
{
    if (m_candidateNames.empty() || !sameCandidates(candidates, m_namedCandidates)) {
        m_namedCandidates = candidates;
        m_candidateNames.clear();
        for (const Candidate& candidate : candidates)
            m_candidateNames.push_back(nameOf(candidate.token));
    }
    return m_candidateNames;
}

void TraceBuilder::predicted(const MaskedPrediction& prediction)
{
    auto named = std::make_shared<const TracePrediction>(TracePrediction{prediction, namesOf(prediction.candidates)});
    {
        const std::lock_guard lock(m_mutex);
        m_trace.m_predictions.push_back(std::move(named));
    }
    published();
}

void TraceBuilder::classified(const Classification& result)
{
    {
        const std::lock_guard lock(m_mutex);
        m_trace.m_classification = std::make_shared<const Classification>(result);
    }
    published();
}

void TraceBuilder::labelled(const TokenPredictions& result)
{
    {
        const std::lock_guard lock(m_mutex);
        m_trace.m_tokenPredictions = std::make_shared<const TokenPredictions>(result);
    }
    published();
}

void TraceBuilder::matched(const PictureMatch& match)
{
    {
        const std::lock_guard lock(m_mutex);
        m_trace.m_match = std::make_shared<const PictureMatch>(match);
    }
    published();
}

void TraceBuilder::gated(int hypothesis, int position, float share)
{
    pending(hypothesis).gates[position] = share;
}

void TraceBuilder::heard(TokenId language)
{
    const std::lock_guard lock(m_mutex);
    Provenance known = *m_trace.m_provenance;
    if (!known.prefixIds.empty())
        known.prefixIds.front() = language;
    m_trace.m_provenance = std::make_shared<const Provenance>(std::move(known));
}

void TraceBuilder::setTimes(StepId leaf, std::vector<TimeSpan> times)
{
    const std::lock_guard lock(m_mutex);
    m_trace.m_times[leaf] = std::make_shared<const std::vector<TimeSpan>>(std::move(times));
}

void TraceBuilder::stepped(const DecodingStep& step)
{
    auto node = std::make_shared<TraceStep>();
    node->step = step;
    node->text = m_trace.m_output ? storedName(step.position) : nameOf(step.token);
    node->candidateTexts = namesOf(step.candidates);
    if (const auto found = m_pending.find(step.hypothesis); found != m_pending.end()) {
        for (const auto& block : found->second.blocks) {
            const int row = step.position - block->firstRow;
            if (row >= 0 && row < block->rows())
                node->rows.push_back({block, row});
        }
        for (const auto& [layer, rows] : found->second.hidden)
            node->hidden.push_back(rowAt(rows, step.position));
        node->logits = rowAt(found->second.logits, step.position);
        if (const auto gate = found->second.gates.find(step.position); gate != found->second.gates.end())
            node->gate = gate->second;
        for (const auto& [layer, rows] : found->second.experts) {
            if (const auto row = rows.find(step.position); row != rows.end())
                node->experts[layer] = row->second;
        }
    }
    m_roundEnded = true;
    {
        const std::lock_guard lock(m_mutex);
        m_steps.push_back(std::move(node));
    }
    published();
}

void TraceBuilder::closed(std::optional<StepId> step, int hypothesis, const std::vector<Candidate>& next)
{
    auto node = std::make_shared<TraceStep>();
    node->step.token = noTokenId;
    node->step.candidates = next;
    node->candidateTexts = namesOf(next);
    if (const auto found = m_pending.find(hypothesis); found != m_pending.end()) {
        for (const auto& block : found->second.blocks)
            node->rows.push_back({block, block->rows() - 1});
        for (const auto& [layer, rows] : found->second.hidden)
            node->hidden.push_back(rows.empty() ? nullptr : rows.rbegin()->second);
        if (!found->second.logits.empty())
            node->logits = found->second.logits.rbegin()->second;
        for (const auto& [layer, rows] : found->second.experts) {
            if (!rows.empty())
                node->experts[layer] = rows.rbegin()->second;
        }
    }
    m_roundEnded = true;
    {
        const std::lock_guard lock(m_mutex);
        m_trace.m_closing[step] = std::move(node);
    }
    published();
}

void TraceBuilder::progressed(const Progress& progress)
{
    {
        const std::lock_guard lock(m_mutex);
        m_progress = progress;
    }
    published();
}

void TraceBuilder::finished(const RunSummary& summary)
{
    {
        const std::lock_guard lock(m_mutex);
        m_trace.m_summary = summary;
        m_progress = {1, Progress::Part::Finished};
    }
    m_pending.clear();
    published();
}

namespace {

Numbers allHeads(const MapSource& maps, MapPart part)
{
    if (!maps.has(part))
        return {};
    Numbers all = Numbers::unset(maps.heads(), maps.rows(), maps.columns());
    for (Index head = 0; head < maps.heads(); ++head)
        maps.compute(part, head, 0, all.view().head(head));
    return all;
}

} // namespace

// Maps come by value: a sink that keeps them moves them.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void TraceSink::computableAttention(AttentionBlock block, std::shared_ptr<const MapSource> maps)
{
    finishedAttention(block, allHeads(*maps, MapPart::Weights), allHeads(*maps, MapPart::Scores));
}

} // namespace attn
