// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "maps/map.h"

#include "base/encoding.h"
#include "base/index.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace attn {

namespace {

// A partial matrix has fewer rows than its axis; tokens without names are numbered.
std::vector<AxisGroup> axisGroups(const Encoding& encoding, bool words, Index size)
{
    std::vector<AxisGroup> groups = words ? wordAxis(encoding) : tokenAxis(encoding);
    while (!groups.empty() && groups.back().first >= size)
        groups.pop_back();
    Index covered = 0;
    for (AxisGroup& group : groups) {
        group.count = std::min(group.count, size - group.first);
        covered = group.first + group.count;
    }
    for (; covered < size; ++covered)
        groups.push_back({fmt::format("#{}", covered), covered, 1});
    return groups;
}

int segmentOf(const Encoding& encoding, int token)
{
    return token < indexSize(encoding.segments) ? encoding.segments[token] : 0;
}

// The places in a span, which counts them as they are shown and may end behind them; without one, all.
template<class Places>
Places within(const Places& places, const std::optional<ShownSpan>& span)
{
    if (!span)
        return places;
    const int count = indexSize(places);
    const int first = std::clamp(span->first, 0, count);
    const int last = std::clamp(span->last, first - 1, count - 1);
    return {places.begin() + first, places.begin() + last + 1};
}

template<class Value>
std::vector<Value> chosen(const std::vector<Value>& all, const std::vector<int>& indices)
{
    std::vector<Value> result;
    result.reserve(indices.size());
    for (const int index : indices)
        result.push_back(all[static_cast<std::size_t>(index)]);
    return result;
}

// Each row divided by its sum over the columns in `summed`.
void scaleRowsToOne(Numbers& values, const std::vector<int>& summed)
{
    for (Index row = 0; row < values.rows; ++row) {
        double sum = 0;
        for (const int column : summed)
            sum += values.at(row, column);
        for (float& weight : values.row(row))
            weight = sum > 0 ? static_cast<float>(static_cast<double>(weight) / sum) : weight;
    }
}

// Names that two axes are paired by. Places that are no tokens are told apart by their numbers, too.
std::vector<std::string> pairedNames(const MapAxis& axis)
{
    std::vector<std::string> names;
    names.reserve(axis.groups.size());
    for (const AxisGroup& group : axis.groups)
        names.push_back(group.first == axis.unwritten            ? "?"
                            : axis.kind == AttentionAxis::Tokens ? group.label
                                                                 : fmt::format("{}:{}", group.first, group.label));
    return names;
}

MapAxis pairedAxis(const MapAxis& first, PairedPlaces pairs)
{
    MapAxis axis{.kind = first.kind, .pairs = std::move(pairs)};
    for (const PairedPlace& pair : axis.pairs) {
        if (first.groups.empty())
            break;
        const auto here = pair.here ? std::optional(static_cast<std::size_t>(*pair.here)) : std::nullopt;
        axis.groups.push_back(here ? first.groups[*here] : AxisGroup{{}, MapAxis::noToken, 0});
        axis.sinks.push_back(here && first.sinks[*here]);
    }
    return axis;
}

CellState stateOf(const ComparedMaps& both, const PairedPlace& row, const PairedPlace& column)
{
    if (!row.isPaired() || !column.isPaired())
        return row.here && column.here  ? CellState::OnlyFirst
            : row.there && column.there ? CellState::OnlySecond
                                        : CellState::Neither;
    const CellState first = both.first.state(*row.here, *column.here);
    const CellState second = both.second.state(*row.there, *column.there);
    if (first == CellState::Blank && second == CellState::Blank)
        return CellState::Blank;
    const bool finite = std::isfinite(both.first.at(*row.here, *column.here))
        && std::isfinite(both.second.at(*row.there, *column.there));
    return finite ? CellState::Plain : CellState::NaN;
}

// For each of two runs, without a crop, which is one of the pairs.
std::pair<MapSpec, MapSpec> wholeSpecs(const MapSpec& spec)
{
    std::pair specs(uncropped(spec), uncropped(spec));
    specs.second.leaf.reset();
    return specs;
}

MatrixShape readShape(const ReadingInput& input)
{
    const int layer = input.heads.empty() ? input.site.layer : input.heads.front().layer;
    return input.trace.shape({input.site.stage, layer}, input.leaf);
}

MapExtent extentOf(const Trace& trace, Site site, MatrixShape shape)
{
    const bool ofOutput = site.stage == Stage::Decoder && !trace.continuesSource();
    return {site, trace.heads(site), shape.rows, shape.columns,
            !ofOutput && trace.columnAxis(site) == AttentionAxis::Tokens};
}

bool isPair(const Encoding& encoding)
{
    return std::ranges::any_of(encoding.segments, [](int segment) { return segment > 0; });
}

bool hasSpecial(const Encoding& encoding)
{
    return std::ranges::find(encoding.special, true) != encoding.special.end();
}

} // namespace

std::vector<Edit> editsOfRun(const Trace& trace)
{
    std::vector<Edit> edits;
    for (const std::string& spec : trace.provenance().edits) {
        try {
            edits.push_back(parseEdit(spec));
        } catch (const EditError&) {
            continue;
        }
    }
    return edits;
}

std::optional<PairTexts> shownTexts(const MapSpec& spec, const Trace& trace)
{
    if (spec.pair == PairFilter::All || spec.site.stage != Stage::Encoder || !isPair(trace.source()))
        return std::nullopt;
    const bool toA = spec.pair == PairFilter::AToA || spec.pair == PairFilter::BToA;
    const bool fromA = spec.pair == PairFilter::AToA || spec.pair == PairFilter::AToB;
    return PairTexts{fromA ? 0 : 1, toA ? 0 : 1};
}

bool hidesSpecials(const MapSpec& spec, const Trace& trace)
{
    const bool hidesSink =
        spec.specials == SpecialTokens::HiddenRenormalized && !trace.sinks(spec.site, spec.leaf).empty();
    return hidesSink
        || (spec.specials != SpecialTokens::Shown
            && (hasSpecial(trace.rowTokens(spec.site, spec.leaf))
                || hasSpecial(trace.columnTokens(spec.site, spec.leaf))));
}

std::size_t mapCost(const MapSpec& spec, const Trace& trace)
{
    if (!trace.has(spec.leaf))
        return 0;
    const ReadingInput input = readingInput(trace, {spec.site, spec.head}, spec.leaf, spec.heads);
    return spec.head.reading().cost(input, readShape(input));
}

std::optional<Index> MapAxis::indexOf(int token) const
{
    const auto found = std::ranges::find_if(
        groups, [token](const AxisGroup& group) { return token >= group.first && token < group.first + group.count; });
    return found == groups.end() ? std::nullopt : std::optional(static_cast<Index>(found - groups.begin()));
}

std::optional<int> MapAxis::token(Index index) const
{
    if (kind != AttentionAxis::Tokens || index < 0 || index >= indexSize(groups))
        return std::nullopt;
    const int first = groups[static_cast<std::size_t>(index)].first;
    return first < 0 ? std::nullopt : std::optional(first);
}

std::vector<int> MapAxis::tokens() const
{
    std::vector<int> firsts;
    for (const AxisGroup& group : groups) {
        if (kind == AttentionAxis::Tokens)
            firsts.push_back(group.first);
    }
    return firsts;
}

std::optional<int> MapAxis::textToken(Index index) const
{
    const auto found = token(index);
    return found ? std::optional(*found + before) : std::nullopt;
}

std::vector<int> MapAxis::textTokens() const
{
    std::vector<int> places = tokens();
    for (int& place : places)
        place += place < 0 ? 0 : before;
    return places;
}

std::optional<std::pair<Index, Index>> Map::largest() const
{
    std::optional<std::pair<Index, Index>> found;
    float most = 0;
    for (Index row = 0; row < numbers.rows; ++row) {
        Index column = 0;
        for (const float value : numbers.row(row)) {
            const float size = isSigned ? std::abs(value) : value;
            if (std::isfinite(size) && (!found || size > most)) {
                found = {row, column};
                most = size;
            }
            ++column;
        }
    }
    return found;
}

CellMark Map::mark(Index row, Index column) const
{
    const CellState one = state(row, column);
    return one == CellState::Edited ? CellMark::Changed
        : one == CellState::Hidden  ? CellMark::Hidden
                                    : CellMark::Unedited;
}

std::vector<CellMark> Map::marks() const
{
    std::vector<CellMark> all;
    if (std::ranges::none_of(states,
                             [](CellState one) { return one == CellState::Edited || one == CellState::Hidden; }))
        return all;
    all.reserve(states.size());
    for (Index row = 0; row < numbers.rows; ++row) {
        for (Index column = 0; column < numbers.columns; ++column)
            all.push_back(mark(row, column));
    }
    return all;
}

std::int64_t Map::count(CellState state) const
{
    if (!states.empty())
        return std::ranges::count(states, state);
    const auto numberless = std::ranges::count_if(numbers.values, [](float value) { return !std::isfinite(value); });
    return state == CellState::NaN  ? numberless
        : state == CellState::Plain ? std::ssize(numbers.values) - numberless
                                    : 0;
}

void Map::setBlank(const std::function<bool(Index row, Index column)>& isBlank)
{
    std::vector<CellState> all;
    all.reserve(numbers.values.size());
    for (Index row = 0; row < numbers.rows; ++row) {
        for (Index column = 0; column < numbers.columns; ++column)
            all.push_back(isBlank(row, column) ? CellState::Blank : state(row, column));
    }
    states = std::move(all);
}

// Which rows and columns of a site's matrices are shown; the same for all heads and all layers of a stage.
struct MapMaker::Axes
{
    Site site;
    MatrixShape shape;
    bool sinks = false;
    std::vector<AxisGroup> allRows; // after merging
    std::vector<AxisGroup> allColumns;
    std::vector<int> rows; // of all, those that are shown
    std::vector<int> columns;
    std::vector<int> summed; // columns over which a row is scaled to sum to 1; empty: as it is
    MapAxis rowAxis; // those that are shown
    MapAxis columnAxis;

    bool isFiltered() const { return rows.size() != allRows.size() || columns.size() != allColumns.size(); }

    // The rows of tokens that the shown rows are made of.
    RowSpan neededRows() const
    {
        const AxisGroup& first = allRows[static_cast<std::size_t>(rows.front())];
        const AxisGroup& last = allRows[static_cast<std::size_t>(rows.back())];
        return {first.first, last.first + last.count - first.first};
    }

    // The cells that are shown, of a matrix that begins with row `first`.
    Numbers shown(Numbers matrix, Index first, bool words, bool scales) const
    {
        std::vector<AxisGroup> given;
        std::vector<int> kept;
        for (int i = 0; i < indexSize(allRows); ++i) {
            AxisGroup group = allRows[static_cast<std::size_t>(i)];
            group.first -= first;
            if (group.first < 0 || group.first + group.count > matrix.rows)
                continue;
            if (std::ranges::binary_search(rows, i))
                kept.push_back(indexSize(given));
            given.push_back(std::move(group));
        }
        if (words)
            matrix = merge(matrix, given, allColumns);
        if (scales && !summed.empty())
            scaleRowsToOne(matrix, summed);
        if (kept.size() == given.size() && columns.size() == allColumns.size())
            return matrix;
        Numbers left{indexSize(kept), indexSize(columns), {}};
        left.values.reserve(kept.size() * columns.size());
        for (const int row : kept) {
            for (const int column : columns)
                left.values.push_back(matrix.at(row, column));
        }
        return left;
    }
};

MapMaker::MapMaker(const Trace& trace, MapSpec spec)
    : m_trace(trace)
    , m_spec(std::move(spec))
    , m_edits(editsOfRun(trace))
{
}

MapLack MapMaker::lack(Site site, const HeadReading& head) const
{
    const int heads = m_trace.heads(site);
    const int number = head.head().value_or(0);
    if (heads == 0)
        return MapLack::Attention;
    if (number < 0 || number >= heads)
        return MapLack::Head;
    if (!m_trace.has(m_spec.leaf))
        return MapLack::Step;
    const ReadingInput input = readingInput(m_trace, {site, head}, m_spec.leaf, m_spec.heads);
    return head.reading().lack(input) != nullptr ? MapLack::Reading : MapLack::Nothing;
}

const MapMaker::Axes& MapMaker::axesFor(Site site, MatrixShape shape, bool sinks)
{
    if (m_axes && m_axes->site.stage == site.stage && m_axes->shape == shape && m_axes->sinks == sinks
        && m_axes->rowAxis.kind == m_trace.rowAxis(site) && m_axes->columnAxis.kind == m_trace.columnAxis(site))
        return *m_axes;
    const Encoding rowTokens = m_trace.rowTokens(site, m_spec.leaf);
    const Encoding columnTokens = m_trace.columnTokens(site, m_spec.leaf);
    auto axes = std::make_shared<Axes>();
    axes->site = site;
    axes->shape = shape;
    axes->sinks = sinks;
    axes->allRows = axisGroups(rowTokens, m_spec.words, shape.rows);
    axes->allColumns = axisGroups(columnTokens, m_spec.words, shape.columns);
    if (sinks)
        axes->allColumns.insert(axes->allColumns.begin(), {"(sink)", MapAxis::sink, 1});
    const bool hides = m_spec.specials != SpecialTokens::Shown;
    const auto kept = [&](const std::vector<AxisGroup>& groups, const Encoding& tokens, std::optional<int> text) {
        std::vector<int> indices;
        for (int i = 0; i < indexSize(groups); ++i) {
            const int token = groups[static_cast<std::size_t>(i)].first;
            const bool hidden = token == MapAxis::sink ? m_spec.specials == SpecialTokens::HiddenRenormalized
                                                       : hides && isSpecial(tokens, token);
            if (!hidden && (!text || segmentOf(m_trace.source(), token) == *text))
                indices.push_back(i);
        }
        return indices;
    };
    const auto texts = shownTexts(m_spec, m_trace);
    axes->rows = kept(axes->allRows, rowTokens, texts ? std::optional(texts->query) : std::nullopt);
    axes->columns = kept(axes->allColumns, columnTokens, texts ? std::optional(texts->key) : std::nullopt);
    if (m_spec.specials == SpecialTokens::HiddenRenormalized)
        axes->summed = kept(axes->allColumns, columnTokens, std::nullopt);
    if (axes->summed.size() == axes->allColumns.size())
        axes->summed.clear();
    axes->rows = within(axes->rows, m_spec.rows);
    axes->columns = within(axes->columns, m_spec.columns);
    const auto shownAxis = [](AttentionAxis kind, const std::vector<AxisGroup>& groups, const Encoding& tokens) {
        MapAxis axis{.kind = kind, .groups = groups};
        const int firsts = tokens.boxes.empty() && tokens.times.empty() ? 1 : 0; // of a text
        for (const AxisGroup& group : groups)
            axis.sinks.push_back(kind == AttentionAxis::Tokens
                                 && (group.first < firsts || isSpecial(tokens, group.first)));
        return axis;
    };
    axes->rowAxis = shownAxis(m_trace.rowAxis(site), chosen(axes->allRows, axes->rows), rowTokens);
    axes->columnAxis = shownAxis(m_trace.columnAxis(site), chosen(axes->allColumns, axes->columns), columnTokens);
    if (site.stage == Stage::Decoder) {
        axes->rowAxis.before = m_trace.firstStepToken();
        axes->rowAxis.unwritten = m_trace.unwrittenRow(m_spec.leaf);
    }
    m_axes = std::move(axes);
    return *m_axes;
}

Map MapMaker::emptyMap(Site site, const HeadReading& head)
{
    Map map;
    map.lack = lack(site, head);
    if (map.lack != MapLack::Nothing)
        return map;
    const ReadingInput input = readingInput(m_trace, {site, head}, m_spec.leaf, m_spec.heads);
    const MatrixShape shape = readShape(input);
    if (shape.rows == 0 || shape.columns == 0) {
        map.lack = MapLack::Attention;
        return map;
    }
    const Axes& axes = axesFor(site, shape, hasSinks(head.reading(), input));
    if (axes.rows.empty() || axes.columns.empty()) {
        map.lack = MapLack::Tokens;
        return map;
    }
    map.isSigned = head.reading().values == ReadingValues::Signed;
    map.rows = axes.rowAxis;
    map.columns = axes.columnAxis;
    map.isFiltered = axes.isFiltered();
    return map;
}

Map MapMaker::axes()
{
    return emptyMap(m_spec.site, m_spec.head);
}

Map MapMaker::map()
{
    const auto& [site, head] = std::pair(m_spec.site, m_spec.head);
    Map map = emptyMap(site, head);
    if (map.lack != MapLack::Nothing)
        return map;
    const Reading& reading = head.reading();
    const RowSpan rows = m_axes->neededRows();
    const ReadingInput input = readingInput(m_trace, {site, head}, m_spec.leaf, m_spec.heads);
    map.numbers = m_axes->shown(computeWithSinks(reading, input, rows), rows.first, m_spec.words,
                                reading.values == ReadingValues::Distribution);
    markFuture(map);
    markEdits(map);
    if (reading.rowsOf != nullptr)
        markUnknown(map, reading.rowsOf(input));
    return map;
}

Map MapMaker::map(Site site, const HeadReading& head, const Numbers& all)
{
    Map map = emptyMap(site, head);
    if (map.lack != MapLack::Nothing)
        return map;
    map.numbers = m_axes->shown(all, 0, m_spec.words, head.reading().values == ReadingValues::Distribution);
    markFuture(map);
    return map;
}

CellMark MapMaker::editOf(Site site, int head) const
{
    const auto cells = editedCells(m_edits, extentOf(m_trace, site, m_trace.shape(site, m_spec.leaf)), head);
    if (cells.empty())
        return CellMark::Unedited;
    const auto [least, most] = std::ranges::minmax(cells);
    return most == CellMark::Hidden && least != CellMark::Hidden ? CellMark::Changed : most;
}

// Keys after their query in decoder self-attention, unless they have a weight all the same.
void MapMaker::markFuture(Map& map) const
{
    if (m_spec.site.stage != Stage::Decoder)
        return;
    map.setBlank([&map](Index row, Index column) {
        const AxisGroup& query = map.rows.groups[static_cast<std::size_t>(row)];
        const AxisGroup& key = map.columns.groups[static_cast<std::size_t>(column)];
        return key.first >= query.first + query.count && !(std::abs(map.at(row, column)) > 0);
    });
}

// Rows that a reading has no numbers of. A word counts the tokens that it has numbers of.
void MapMaker::markUnknown(Map& map, const std::vector<Index>& known)
{
    std::vector<bool> isKnown;
    for (Index row = 0; row < map.numbers.rows; ++row) {
        const AxisGroup& group = map.rows.groups[static_cast<std::size_t>(row)];
        const auto own = std::ranges::count_if(
            known, [&group](Index token) { return token >= group.first && token < group.first + group.count; });
        isKnown.push_back(own > 0);
        for (float& value : map.numbers.row(row))
            value = own > 0 ? value * static_cast<float>(group.count) / static_cast<float>(own) : value;
    }
    map.setBlank(
        [&](Index row, Index column) { return !isKnown[static_cast<std::size_t>(row)] || map.isBlank(row, column); });
}

// A merged cell is hidden where every part of it is.
void MapMaker::markEdits(Map& map) const
{
    if (m_edits.empty())
        return;
    const MatrixShape whole = m_trace.shape(m_spec.site, m_spec.leaf); // though some of it may be shown
    // Heads of another layer may have maps of another size.
    const auto fit = [](const MapAxis& axis, Index end) {
        return std::ranges::all_of(axis.groups,
                                   [end](const AxisGroup& group) { return group.first + group.count <= end; });
    };
    if (!fit(map.rows, whole.rows) || !fit(map.columns, whole.columns))
        return;
    const auto cells = editedCells(m_edits, extentOf(m_trace, m_spec.site, whole), m_spec.head.head());
    if (cells.empty())
        return;
    std::vector<CellState> states;
    states.reserve(map.numbers.values.size());
    for (Index row = 0; row < map.numbers.rows; ++row) {
        const AxisGroup& query = map.rows.groups[static_cast<std::size_t>(row)];
        for (Index column = 0; column < map.numbers.columns; ++column) {
            const AxisGroup& key = map.columns.groups[static_cast<std::size_t>(column)];
            if (key.first == MapAxis::sink) { // which edits leave alone
                states.push_back(map.state(row, column));
                continue;
            }
            auto least = CellMark::Hidden;
            auto most = CellMark::Unedited;
            for (int y = query.first; y < query.first + query.count; ++y) {
                const auto* const first = cells.data() + static_cast<std::ptrdiff_t>(y) * whole.columns + key.first;
                const auto [low, high] = std::minmax_element(first, first + key.count);
                least = std::min(least, *low);
                most = std::max(most, *high);
            }
            const CellState state = map.state(row, column);
            states.push_back(state != CellState::Plain || most == CellMark::Unedited ? state
                                 : least == CellMark::Hidden                         ? CellState::Hidden
                                                                                     : CellState::Edited);
        }
    }
    map.states = std::move(states);
}

Map mapOf(const Trace& trace, const MapSpec& spec)
{
    return MapMaker(trace, spec).map();
}

Map mapAxes(const Trace& trace, const MapSpec& spec)
{
    return MapMaker(trace, spec).axes();
}

Map rowOfWords(const Map& map, Index row, const Encoding& columns)
{
    Map merged;
    merged.isFiltered = map.isFiltered;
    merged.isSigned = map.isSigned;
    merged.rows.groups = {map.rows.groups[static_cast<std::size_t>(row)]};
    merged.columns.kind = map.columns.kind;
    const std::vector<AxisGroup> words = wordAxis(columns);
    std::vector<float> sums;
    for (Index column = 0; column < map.numbers.columns; ++column) {
        const AxisGroup& token = map.columns.groups[static_cast<std::size_t>(column)];
        const auto word = std::ranges::find_if(words, [&token](const AxisGroup& group) {
            return token.first >= group.first && token.first < group.first + group.count;
        });
        const CellState state = map.state(row, column);
        auto& groups = merged.columns.groups;
        const bool goesOn = word != words.end() && !groups.empty() && groups.back().first == word->first;
        if (!goesOn) {
            groups.push_back(word == words.end() ? token : *word);
            sums.push_back(0);
            merged.states.push_back(state);
        }
        if (state != CellState::Blank)
            sums.back() += map.at(row, column);
        if (merged.states.back() != state) // a part that counts, or that is edited, is the whole's
            merged.states.back() = merged.states.back() == CellState::Blank ? state
                : state == CellState::NaN                                   ? CellState::NaN
                                                                            : CellState::Edited;
    }
    merged.numbers = Numbers::zeros(1, 1, indexSize(sums));
    std::ranges::copy(sums, merged.numbers.values.begin());
    return merged;
}

MapSpec uncropped(MapSpec spec)
{
    spec.rows.reset();
    spec.columns.reset();
    return spec;
}

Map difference(Map first, Map second, const MapSpec& spec)
{
    if (first.lack != MapLack::Nothing || second.lack != MapLack::Nothing)
        return difference(std::move(first), std::move(second), {}, {});
    const auto paired = [&](const MapAxis& here, const MapAxis& there, const std::optional<ShownSpan>& span) {
        return within(pairPlaces(pairedNames(here), pairedNames(there), spec.pairing), span);
    };
    PairedPlaces rows = paired(first.rows, second.rows, spec.rows);
    PairedPlaces columns = paired(first.columns, second.columns, spec.columns);
    return difference(std::move(first), std::move(second), std::move(rows), std::move(columns));
}

Map difference(Map first, Map second, PairedPlaces rows, PairedPlaces columns)
{
    const auto both = std::make_shared<const ComparedMaps>(ComparedMaps{std::move(first), std::move(second)});
    Map map;
    map.compared = both;
    map.isSigned = true;
    map.lack = both->first.lack != MapLack::Nothing ? both->first.lack : both->second.lack;
    if (map.lack == MapLack::Nothing && (rows.empty() || columns.empty()))
        map.lack = MapLack::Tokens;
    if (map.lack != MapLack::Nothing)
        return map;
    map.rows = pairedAxis(both->first.rows, std::move(rows));
    map.columns = pairedAxis(both->first.columns, std::move(columns));
    if (both->first.numbers.empty() || both->second.numbers.empty())
        return map;
    map.numbers = matrixDifference(both->first.numbers, both->second.numbers, map.rows.pairs, map.columns.pairs);
    map.states.reserve(map.numbers.values.size());
    for (const PairedPlace& row : map.rows.pairs) {
        for (const PairedPlace& column : map.columns.pairs)
            map.states.push_back(stateOf(*both, row, column));
    }
    return map;
}

Map differenceOf(const Trace& first, const Trace& second, const MapSpec& spec)
{
    const auto [here, there] = wholeSpecs(spec);
    return difference(mapOf(first, here), mapOf(second, there), spec);
}

Map differenceAxes(const Trace& first, const Trace& second, const MapSpec& spec)
{
    const auto [here, there] = wholeSpecs(spec);
    return difference(mapAxes(first, here), mapAxes(second, there), spec);
}

Map differenceOfRows(const Trace& first, const Trace& second, const MapSpec& spec, std::pair<Index, Index> rows)
{
    auto [here, there] = wholeSpecs(spec);
    const Map axes = difference(mapAxes(first, here), mapAxes(second, there), spec);
    here.rows = ShownSpan{rows.first, rows.first};
    there.rows = ShownSpan{rows.second, rows.second};
    return difference(mapOf(first, here), mapOf(second, there), PairedPlaces{{0, 0}}, axes.columns.pairs);
}

int ShownRuns::heads(Site site) const
{
    return second != nullptr ? std::min(trace.heads(site), second->heads(site)) : trace.heads(site);
}

Map ShownRuns::map(const MapSpec& spec) const
{
    return second != nullptr ? differenceOf(trace, *second, spec) : mapOf(trace, spec);
}

Map ShownRuns::axes(const MapSpec& spec) const
{
    return second != nullptr ? differenceAxes(trace, *second, spec) : mapAxes(trace, spec);
}

std::size_t ShownRuns::costFactor() const
{
    constexpr std::size_t ofDifference = 4;
    return second != nullptr ? ofDifference : 1;
}

} // namespace attn
