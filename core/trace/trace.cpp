// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/trace.h"

#include "base/error.h"
#include "base/index.h"
#include "base/progress.h"
#include "base/token_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace attn {

namespace {

// Rows of a head into those of `out`, as far as these have columns. room: for rows that are computed.
void combineHead(const AttentionMap& map, Index head, Index first, MutableView out, NumberVector<float>& room,
                 const CombineRow& combine)
{
    const std::size_t width = std::min(map.columns(), out.columns);
    NumberView rows;
    if (map.source) {
        room.resize(static_cast<std::size_t>(out.rows) * map.columns());
        const MutableView computed(room.data(), out.rows, map.columns());
        map.source->compute(MapPart::Weights, head, first, computed);
        rows = computed;
    } else {
        rows = map.weights.view().head(head).rowRange(first, out.rows);
    }
    for (Index row = 0; row < out.rows; ++row)
        combine(rows.row(row).first(width), out.row(row).first(width));
}

void copyHead(const AttentionMap& map, MapPart part, Index head, Index first, MutableView out)
{
    if (!map.source) {
        const NumberView rows = map.numbers(part).view().head(head).rowRange(first, out.rows);
        for (Index row = 0; row < out.rows; ++row)
            std::ranges::copy(rows.row(row).first(std::min(map.columns(), out.columns)), out.row(row).begin());
    } else if (map.columns() == out.columns) {
        map.source->compute(part, head, first, out);
    } else {
        Numbers computed = Numbers::unset(1, out.rows, map.columns());
        map.source->compute(part, head, first, computed.view());
        for (Index row = 0; row < out.rows; ++row)
            std::ranges::copy(computed.row(row).first(std::min(map.columns(), out.columns)), out.row(row).begin());
    }
}

void checkHead(int head, int heads)
{
    if (head < 0 || head >= heads)
        throw Error(ErrorKind::Input, "head " + std::to_string(head),
                    "this attention has heads 0 to " + std::to_string(heads - 1));
}

const StepRow* findRow(const TraceStep& step, Site site)
{
    const auto found = std::ranges::find_if(step.rows, [&](const StepRow& row) { return row.block->site == site; });
    return found == step.rows.end() ? nullptr : &*found;
}

std::vector<TokenId> tokensAlong(const Trace::Path& path, std::optional<TokenId> start = {})
{
    std::vector<TokenId> ids;
    if (start)
        ids.push_back(*start);
    for (const auto& step : path)
        ids.push_back(step->step.token);
    return ids;
}

constexpr std::size_t longestName = 32; // bytes

// Text of the tokens first .. last as far as it is short; empty when the encoding has no text.
std::string beginning(const Encoding& source, std::size_t first, std::size_t last)
{
    if (source.spans.size() != source.size())
        return {};
    const std::size_t begin = source.spans[first].begin;
    std::size_t end = begin;
    bool whole = true;
    for (std::size_t token = first; token <= last; ++token) {
        const ByteSpan span = source.spans[token];
        if (span.end <= span.begin)
            continue;
        whole = span.end - begin <= longestName;
        if (!whole)
            break;
        end = span.end;
    }
    if (begin >= end || end > source.text.size())
        return {};
    const std::string text = source.text.substr(begin, end - begin);
    return whole ? text : text + "\u2026";
}

// Place that each row of a map over sentences looks at: the beginning of each sentence, or nothing. map: [sentences,
// source].
std::vector<std::string> sentenceTexts(const AttentionMap& map, const Encoding& source)
{
    std::vector<std::string> texts;
    for (int row = 0; row < map.weights.rows; ++row) {
        const auto weights = map.weights.row(row);
        std::size_t first = 0;
        while (first < weights.size() && !(weights[first] > 0))
            ++first;
        std::size_t last = first;
        for (std::size_t column = first; column < weights.size(); ++column)
            last = weights[column] > 0 ? column : last;
        texts.push_back(last < source.size() ? beginning(source, first, last) : std::string());
    }
    return texts;
}

} // namespace

Encoding Trace::stepTokens(std::optional<StepId> leaf) const
{
    return stepsAreTokens() ? source() : continuesSource() ? sequence(leaf) : target(leaf);
}

int Trace::firstGenerated() const
{
    return continuesSource() ? indexSize(source()) : std::numeric_limits<int>::max();
}

int Trace::steps(std::optional<StepId> leaf) const
{
    if (stepsAreTokens())
        return indexSize(source());
    return has(leaf) ? indexSize(path(leaf)) : 0;
}

int Trace::rowCount(std::optional<StepId> leaf) const
{
    return stepsAreTokens() ? steps() : has(leaf) ? steps(leaf) + (closingOf(leaf) != nullptr ? 1 : 0) : 0;
}

std::optional<int> Trace::unwrittenRow(std::optional<StepId> leaf) const
{
    const int written = steps(leaf);
    return writesOn() && rowCount(leaf) > written ? std::optional(written) : std::nullopt;
}

bool Trace::hasRowsOfSteps(Site site) const
{
    return rowAxis(site) == AttentionAxis::Tokens && stepsAreTokens() == (site.stage == Stage::Encoder);
}

bool Trace::attendsToItself(Site site) const
{
    return (site.stage == Stage::Encoder || continuesSource()) && rowAxis(site) == AttentionAxis::Tokens
        && columnAxis(site) == AttentionAxis::Tokens;
}

int Trace::givenSteps() const
{
    const int prompt = continuesSource() ? std::max(indexSize(source()) - 1, 0) : 0;
    return prompt + indexSize(provenance().prefixIds);
}

std::optional<StepId> Trace::bestLeaf() const
{
    if (m_summary)
        return m_summary->hypotheses.empty() ? std::nullopt : m_summary->hypotheses.front().step;
    // While a search runs: the deepest step so far, of those the one with the best score.
    std::optional<StepId> best;
    for (int index = stepCount() - 1; index >= 0; --index) {
        const DecodingStep& candidate = step(StepId{index}).step;
        if (best && candidate.position < step(*best).step.position)
            break;
        if (!best || candidate.score > step(*best).step.score || std::isnan(step(*best).step.score))
            best = StepId{index};
    }
    return best;
}

Trace::Path Trace::path(std::optional<StepId> leaf) const
{
    Path result;
    for (auto index = leaf ? leaf : bestLeaf(); index; index = result.back()->step.parent)
        result.push_back(m_steps->at(numberOf(*index)));
    std::ranges::reverse(result);
    return result;
}

Encoding Trace::named(std::vector<TokenId> ids) const
{
    return m_targetDescriber ? m_targetDescriber->describe(ids) : plainEncoding(std::move(ids));
}

Encoding Trace::target(std::optional<StepId> leaf) const
{
    const Path steps = path(leaf);
    const std::size_t before = kind() == ModelKind::DecoderOnly ? 1 : 0; // that no step produced
    Encoding output = m_output ? partOf(*m_output, before, steps.size()) : named(tokensAlong(steps));
    if (const auto times = steps.empty() ? m_times.end() : m_times.find(steps.back()->step.index);
        times != m_times.end())
        output.times = *times->second;
    return output;
}

Encoding Trace::sequence(std::optional<StepId> leaf) const
{
    const Path steps = path(leaf);
    return m_output ? partOf(*m_output, 0, steps.size() + 1) : named(tokensAlong(steps, m_decoderStart));
}

Encoding Trace::textAndNext(std::optional<StepId> leaf) const
{
    Encoding text = stepTokens(leaf);
    if (!unwrittenRow(leaf))
        return text;
    TokenId next = noTokenId;
    std::string label = "?";
    if (const TraceStep& closing = *closingOf(leaf); !closing.step.candidates.empty()) {
        next = closing.step.candidates.front().token;
        label = tokenLabel(named({next}), 0) + " ?";
    }
    const auto add = [](auto& values, auto value, bool kept) {
        if (kept)
            values.push_back(std::move(value));
    };
    add(text.ids, next, true);
    add(text.tokens, label, true);
    add(text.labels, label, !text.labels.empty());
    add(text.spans, ByteSpan{text.text.size(), text.text.size()}, !text.spans.empty());
    add(text.words, noWord, !text.words.empty());
    add(text.special, false, !text.special.empty());
    return text;
}

const TraceStep* Trace::closingOf(std::optional<StepId> leaf) const
{
    const auto found = m_closing.find(leaf ? leaf : bestLeaf());
    return found == m_closing.end() ? nullptr : found->second.get();
}

Trace::Path Trace::rowPath(std::optional<StepId> leaf) const
{
    Path result = path(leaf);
    if (const auto closing = m_closing.find(leaf ? leaf : bestLeaf()); closing != m_closing.end())
        result.push_back(closing->second);
    return result;
}

Encoding Trace::decoderInputs(std::optional<StepId> leaf) const
{
    if (continuesSource()) {
        const std::size_t rows = rowPath(leaf).size();
        if (m_output)
            return partOf(*m_output, 0, rows);
        std::vector<TokenId> ids = tokensAlong(path(leaf), m_decoderStart);
        ids.resize(rows);
        return named(std::move(ids));
    }
    Encoding inputs = target(leaf);
    if (inputs.ids.empty() || provenance().towers)
        return inputs;
    // The start token stands for no text and belongs to no word.
    const auto shift = [](auto& values, auto first) {
        if (values.empty())
            return;
        values.pop_back();
        values.insert(values.begin(), first);
    };
    shift(inputs.ids, m_decoderStart.value_or(noTokenId));
    shift(inputs.tokens, m_decoderStartText);
    shift(inputs.labels, m_decoderStartText);
    shift(inputs.spans, ByteSpan{});
    shift(inputs.words, noWord);
    shift(inputs.special, true);
    inputs.times.clear(); // of what was heard, not of what was read
    return inputs;
}

Encoding Trace::rowTokens(Site site, std::optional<StepId> leaf) const
{
    if (site.stage == Stage::Encoder || site.stage == Stage::Pooling) {
        const auto map = m_maps.find(site);
        const AttentionAxis axis = rowAxis(site);
        return axis == AttentionAxis::Tokens ? source() : places(axis, map->second->rows());
    }
    if (!continuesSource())
        return target(leaf);
    return partOf(textAndNext(leaf), static_cast<std::size_t>(firstStepToken()), rowPath(leaf).size());
}

Encoding Trace::columnTokens(Site site, std::optional<StepId> leaf) const
{
    if (site.stage == Stage::Decoder)
        return decoderInputs(leaf);
    const AttentionAxis axis = columnAxis(site);
    return axis == AttentionAxis::Tokens ? source() : places(axis, m_maps.find(site)->second->columns());
}

AttentionAxis Trace::rowAxis(Site site) const
{
    const auto map = m_maps.find(site);
    return map == m_maps.end() ? AttentionAxis::Tokens : map->second->rowAxis;
}

AttentionAxis Trace::columnAxis(Site site) const
{
    const auto map = m_maps.find(site);
    return map == m_maps.end() ? AttentionAxis::Tokens : map->second->columnAxis;
}

Encoding Trace::places(AttentionAxis axis, int count) const
{
    Encoding result;
    result.ids.assign(count, noTokenId);
    const auto sentences = std::ranges::find_if(
        m_maps, [](const auto& entry) { return entry.second->rowAxis == AttentionAxis::Sentences; });
    if (axis == AttentionAxis::Sentences && sentences != m_maps.end())
        result.tokens = sentenceTexts(*sentences->second, source());
    result.tokens.resize(count);
    return result;
}

const TraceStep* Trace::anyRow() const
{
    if (!m_steps->empty())
        return m_steps->front().get();
    return m_closing.empty() ? nullptr : m_closing.begin()->second.get();
}

std::vector<Site> Trace::sites() const
{
    std::vector<Site> found;
    for (const auto& [site, map] : m_maps)
        found.push_back(site);
    if (const TraceStep* step = anyRow()) {
        for (const StepRow& row : step->rows)
            found.push_back(row.block->site);
    }
    std::ranges::sort(found);
    return found;
}

int Trace::heads(Site site) const
{
    if (const auto map = m_maps.find(site); map != m_maps.end())
        return map->second->heads();
    const TraceStep* step = anyRow();
    const StepRow* row = step == nullptr ? nullptr : findRow(*step, site);
    return row == nullptr ? 0 : row->block->heads();
}

struct Trace::MapRows
{
    const AttentionMap* map = nullptr;
    Index first = 0;
    Index count = 0;

    // For the rows of a matrix, of which these follow each other, that lie in one of them: `visit` is given the
    // map, the first of its rows, and the same rows of `out`, which begins with row `first` of the matrix.
    template<class Visit>
    static void forEach(const std::vector<MapRows>& mapRows, Index first, MutableView out, const Visit& visit)
    {
        Index begin = 0; // of the part in the matrix
        for (const MapRows& part : mapRows) {
            const Index from = std::max(first, begin);
            const Index to = std::min(first + out.rows, begin + part.count);
            if (from < to) {
                ThreadStop::check();
                visit(*part.map, part.first + from - begin, out.rowRange(from - first, to - from));
            }
            begin += part.count;
        }
    }
};

Numbers Trace::matrix(Site site, int head, std::optional<StepId> leaf, RowSpan rows) const
{
    return collect(site, head, leaf, MapPart::Weights, rows);
}

void Trace::combine(Site site, int head, std::optional<StepId> leaf, Index first, MutableView into,
                    const CombineRow& combine) const
{
    checkHead(head, heads(site));
    NumberVector<float> room;
    MapRows::forEach(
        mapRows(site, leaf, MapPart::Weights), first, into,
        [&](const AttentionMap& map, Index row, MutableView out) { combineHead(map, head, row, out, room, combine); });
}

Numbers Trace::scores(Site site, int head, std::optional<StepId> leaf, RowSpan rows) const
{
    return collect(site, head, leaf, MapPart::Scores, rows);
}

Numbers Trace::sinks(Site site, std::optional<StepId> leaf) const
{
    const std::vector<MapRows> all = mapRows(site, leaf, MapPart::Weights);
    if (all.empty() || std::ranges::any_of(all, [](const MapRows& part) { return part.map->sinks.empty(); }))
        return {};
    Numbers result = Numbers::unset(1, heads(site), shapeOf(site, all).rows);
    for (Index head = 0; head < result.rows; ++head) {
        auto written = result.view().row(head).begin();
        for (const auto& [map, first, count] : all) {
            for (Index row = first; row < first + count; ++row)
                *written++ = map->sinks.view().at(head, row, 0);
        }
    }
    return result;
}

std::vector<ChosenExperts> Trace::experts(int layer, std::optional<StepId> leaf) const
{
    std::vector<ChosenExperts> rows;
    for (const auto& step : rowPath(leaf)) {
        const auto found = step->experts.find(layer);
        if (found == step->experts.end())
            return {};
        rows.push_back(*found->second);
    }
    return rows;
}

bool Trace::hasExperts() const
{
    const TraceStep* const row = anyRow();
    return row != nullptr && !row->experts.empty();
}

MatrixShape Trace::shape(Site site, std::optional<StepId> leaf, MapPart part) const
{
    return shapeOf(site, mapRows(site, leaf, part));
}

std::size_t Trace::keptBytes(Site site) const
{
    std::size_t bytes = 0;
    for (const auto& [map, first, count] : mapRows(site, {}, MapPart::Weights)) {
        const NumberView rows(nullptr, map->heads(), count, map->columns());
        const std::size_t parts = map->has(MapPart::Scores) ? 2 : 1;
        bytes += map->source ? map->source->bytes() : rows.size() * parts * sizeof(float);
    }
    return bytes;
}

bool Trace::computes(Site site, std::optional<StepId> leaf) const
{
    return std::ranges::any_of(mapRows(site, leaf, MapPart::Weights),
                               [](const MapRows& part) { return part.map->source != nullptr; });
}

// None where one of the rows is not known.
std::vector<Trace::MapRows> Trace::mapRows(Site site, std::optional<StepId> leaf, MapPart part) const
{
    std::vector<MapRows> found;
    if (const auto map = m_maps.find(site); map != m_maps.end()) {
        if (map->second->has(part))
            found.push_back({map->second.get(), 0, map->second->rows()});
        return found;
    }
    for (const auto& step : rowPath(leaf)) {
        const StepRow* row = findRow(*step, site);
        if (row == nullptr || !row->block->has(part))
            return {};
        const bool follows = !found.empty() && found.back().map == row->block.get()
            && found.back().first + found.back().count == row->row;
        if (follows)
            ++found.back().count;
        else
            found.push_back({row->block.get(), row->row, 1});
    }
    return found;
}

MatrixShape Trace::shapeOf(Site site, const std::vector<MapRows>& mapRows)
{
    MatrixShape shape;
    for (const MapRows& part : mapRows) {
        shape.rows += part.count;
        shape.columns = std::max(shape.columns, part.map->columns());
    }
    // A row may come from a block of another run, in which more tokens followed than here.
    if (site.stage == Stage::Decoder)
        shape.columns = std::min(shape.columns, shape.rows);
    return shape;
}

Numbers Trace::collect(Site site, int head, std::optional<StepId> leaf, MapPart part, RowSpan rows) const
{
    if (const int count = heads(site); count > 0)
        checkHead(head, count);
    const std::vector<MapRows> all = mapRows(site, leaf, part);
    const MatrixShape shape = shapeOf(site, all);
    const Index first = std::clamp<Index>(rows.first, 0, shape.rows);
    Numbers result = Numbers::unset(1, std::clamp<Index>(rows.count, 0, shape.rows - first), shape.columns);
    const float filler = part == MapPart::Weights ? 0.0F : -std::numeric_limits<float>::infinity();
    MapRows::forEach(all, first, result.view(), [&](const AttentionMap& map, Index row, MutableView out) {
        for (Index i = 0; i < out.rows && map.columns() < out.columns; ++i)
            std::ranges::fill(out.row(i), filler);
        copyHead(map, part, head, row, out);
    });
    return result;
}

std::vector<Numbers> Trace::hiddenStates(Stage stage, std::optional<StepId> leaf) const
{
    std::vector<Numbers> layers;
    if (stage == Stage::Encoder) {
        for (const auto& states : m_encoderHidden)
            layers.push_back(states ? *states : Numbers());
        return layers;
    }
    const Path path = rowPath(leaf);
    layers.resize(path.empty() ? 0 : path.front()->hidden.size());
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        Numbers states;
        for (const auto& step : path) {
            const auto row = layer < step->hidden.size() ? step->hidden[layer] : nullptr;
            if (!row || (states.rows > 0 && indexSize(*row) != states.columns)) {
                states = {};
                break;
            }
            states.values.insert(states.values.end(), row->begin(), row->end());
            states.columns = indexSize(*row);
            ++states.rows;
        }
        layers[layer] = std::move(states);
    }
    return layers;
}

Trace Trace::with(std::shared_ptr<const KeptReadings> readings) const
{
    Trace copy = *this;
    copy.m_readings = std::move(readings);
    return copy;
}

Site firstShownSite(const Trace& trace)
{
    const std::vector<Site> sites = trace.sites();
    if (sites.empty())
        return {Stage::Cross, 0};
    if (sites.back().stage != Stage::Cross)
        return sites.front();
    const Site aligning{Stage::Cross, aligningLayer(sites.back().layer + 1)};
    return std::ranges::find(sites, aligning) == sites.end() ? sites.back() : aligning;
}

int Classification::best() const
{
    const auto order = [](float logit) { return std::isnan(logit) ? -std::numeric_limits<float>::infinity() : logit; };
    return static_cast<int>(std::ranges::max_element(logits, {}, order) - logits.begin());
}

Classification classification(std::vector<std::string> labels, std::span<const float> logits, ClassReading reading)
{
    Classification result{std::move(labels), {logits.begin(), logits.end()}, {}, reading};
    if (reading != ClassReading::OneOf) {
        for (const float logit : logits)
            result.probabilities.push_back(reading == ClassReading::Value ? logit : 1.0F / (1.0F + std::exp(-logit)));
        return result;
    }
    const auto largest = static_cast<double>(*std::ranges::max_element(logits));
    std::vector<double> exponents;
    double sum = 0;
    for (const float logit : logits)
        sum += exponents.emplace_back(std::exp(static_cast<double>(logit) - largest));
    for (const double exponent : exponents)
        result.probabilities.push_back(static_cast<float>(exponent / sum));
    return result;
}

Classification TokenPredictions::ofToken(Index token) const
{
    return classification(labels, logits.view().row(token), reading);
}

std::vector<TokenId> givenTokens(const Trace& trace)
{
    std::vector<TokenId> tokens;
    const std::vector<TokenId>& prompt = trace.source().ids;
    if (trace.kind() == ModelKind::DecoderOnly && !prompt.empty())
        tokens.assign(prompt.begin() + 1, prompt.end());
    const std::vector<TokenId>& prefix = trace.provenance().prefixIds;
    tokens.insert(tokens.end(), prefix.begin(), prefix.end());
    return tokens;
}

Trace::Path stepsAlong(const Trace& trace, std::span<const TokenId> tokens)
{
    std::optional<StepId> last;
    for (int index = 0, found = 0; index < trace.stepCount() && found < indexSize(tokens); ++index) {
        const DecodingStep& step = trace.step(StepId{index}).step;
        if (step.parent == last && step.token == tokens[found]) {
            last = step.index;
            ++found;
        }
    }
    return last ? trace.path(last) : Trace::Path();
}

} // namespace attn
