// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/edit_place.h"

#include "base/index.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

IndexSet only(Index number)
{
    return IndexSet({{number, number}});
}

IndexSet covered(const AxisGroup& group)
{
    return IndexSet({{group.first, group.first + group.count - 1}});
}

// Whether an axis of a site's maps counts the tokens of the given input, as far as there are any.
bool isSource(const Trace& trace, Site site, bool rows)
{
    const AttentionAxis axis = rows ? trace.rowAxis(site) : trace.columnAxis(site);
    if (axis != AttentionAxis::Tokens)
        return false;
    return site.stage == Stage::Encoder || trace.kind() == ModelKind::DecoderOnly
        || (site.stage == Stage::Cross && !rows);
}

// before: tokens of the text that stand before those of the axis.
void addTokens(EditPlace& place, const Trace& trace, const AxisGroup& group, int before = 0)
{
    const Encoding& source = trace.source();
    const Index first = group.first + before;
    for (Index token = first; token < std::min(first + group.count, indexSize(source.ids)); ++token)
        place.tokens.push_back(token);
    const auto isPatch = [&](Index token) {
        return token < indexSize(source.boxes) && source.boxes[static_cast<std::size_t>(token)].isPlace();
    };
    place.isText = source.boxes.empty() && source.times.empty();
    place.isPatch = !place.tokens.empty() && std::ranges::all_of(place.tokens, isPatch);
    if (!place.tokens.empty() && place.tokenName.isEmpty())
        place.tokenName = readableToken(group.label);
}

std::vector<Edit> changed(const EditPlace& place, AttentionChange change, float value = 0)
{
    AttentionEdit edit = *place.cells;
    edit.change = change;
    edit.value = value;
    return {edit};
}

template<AttentionChange change>
std::vector<Edit> plainly(const EditPlace& place, const EditInput& /*input*/)
{
    return changed(place, change);
}

bool hasCells(const EditPlace& place)
{
    return place.cells.has_value();
}

template<SourceChange change>
std::vector<Edit> changedTokens(const EditPlace& place, const EditInput& /*input*/)
{
    std::vector<Edit> edits;
    for (const Index token : place.tokens)
        edits.emplace_back(SourceEdit{token, change});
    return edits;
}

std::vector<Edit> wholeHead(const EditPlace& place, const EditInput& /*input*/)
{
    AttentionEdit edit = *place.cells;
    edit.rows = {};
    edit.columns = {};
    edit.change = AttentionChange::Zero;
    return {edit};
}

std::vector<Edit> replacedToken(const EditPlace& place, const EditInput& input)
{
    SourceEdit edit{place.tokens.front(), SourceChange::Word};
    edit.word = input.word;
    if (input.token) {
        edit.change = SourceChange::Token;
        edit.token = *input.token;
    }
    return {edit};
}

constexpr EditRow kinds[] = {
    {"hideCells", QT_TRANSLATE_NOOP("attn::ui", "&Hide"), EditRow::Takes::Nothing, hasCells,
     plainly<AttentionChange::Hide>},
    {"zeroCells", QT_TRANSLATE_NOOP("attn::ui", "Set to &zero"), EditRow::Takes::Nothing, hasCells,
     plainly<AttentionChange::Zero>},
    {"setCells", QT_TRANSLATE_NOOP("attn::ui", "&Set to…"), EditRow::Takes::Number, hasCells,
     [](const EditPlace& place, const EditInput& input) {
         return changed(place, AttentionChange::Set, input.number / static_cast<float>(place.columns));
     }},
    {"scaleCells", QT_TRANSLATE_NOOP("attn::ui", "Scale b&y…"), EditRow::Takes::Number, hasCells,
     [](const EditPlace& place, const EditInput& input) {
         return changed(place, AttentionChange::Scale, input.number);
     }},
    {"uniformCells", QT_TRANSLATE_NOOP("attn::ui", "Make &uniform"), EditRow::Takes::Nothing, hasCells,
     plainly<AttentionChange::Uniform>},
    {"renormalizeRows", QT_TRANSLATE_NOOP("attn::ui", "Re&normalise the row"), EditRow::Takes::Nothing, hasCells,
     plainly<AttentionChange::Renormalize>},
    {"headOff", QT_TRANSLATE_NOOP("attn::ui", "Switch this head &off"), EditRow::Takes::Nothing,
     [](const EditPlace& place) { return hasCells(place) && !place.cells->heads.isAll(); }, wholeHead},
    {"hideToken", QT_TRANSLATE_NOOP("attn::ui", "&Hide this word"), EditRow::Takes::Nothing,
     [](const EditPlace& place) { return !place.tokens.empty() && place.isText; }, changedTokens<SourceChange::Hide>},
    {"hidePatch", QT_TRANSLATE_NOOP("attn::ui", "&Hide from everything"), EditRow::Takes::Nothing,
     [](const EditPlace& place) { return !place.tokens.empty() && !place.isText; }, changedTokens<SourceChange::Hide>},
    {"greyPatch", QT_TRANSLATE_NOOP("attn::ui", "&Grey out in the picture"), EditRow::Takes::Nothing,
     [](const EditPlace& place) { return place.isPatch; }, changedTokens<SourceChange::Grey>},
    {"replaceToken", QT_TRANSLATE_NOOP("attn::ui", "&Replace this word by…"), EditRow::Takes::Token,
     [](const EditPlace& place) { return place.tokens.size() == 1 && place.isText; }, replacedToken},
};

// All of several columns.
EditPlace bandPlace(EditPlace place, const Trace& trace, const MapAxis& axis, const std::vector<int>& columns)
{
    std::vector<IndexRange> ranges;
    for (const int column : columns) {
        if (column < 0 || column >= indexSize(axis.groups) || axis.isSink(column))
            return {};
        const AxisGroup& group = axis.groups[static_cast<std::size_t>(column)];
        ranges.push_back({group.first, group.first + group.count - 1});
        addTokens(place, trace, group);
    }
    place.cells->columns = IndexSet(std::move(ranges));
    return place;
}

} // namespace

EditPlace editPlace(const FigureSpec& spec, const Trace& trace, const FigureHit& hit)
{
    EditPlace place;
    const bool label = hit.part == FigureHit::Part::RowLabel || hit.part == FigureHit::Part::ColumnLabel;
    const bool tile = hit.part == FigureHit::Part::Head || (label && !hit.row && !hit.column); // or a whole layer
    if ((!tile && !label && !hit.isCell()) || spec.kind->drawsExperts)
        return place;
    // A bar of a step names its row, and a token each; other labels count what is shown.
    const bool bar = hit.part == FigureHit::Part::ColumnLabel && hit.row;
    const Site site = tile || bar ? hit.site : spec.site;
    if (trace.heads(site) == 0)
        return place;
    AttentionEdit& cells = place.cells.emplace();
    cells.stage = site.stage;
    cells.layers = only(site.layer);
    const std::optional<int> head = spec.head.head();
    if (tile ? hit.head.has_value() : head.has_value())
        cells.heads = only(tile ? *hit.head : *head);
    if (tile)
        return place;
    FigureSpec shownSpec = spec;
    if (bar) {
        shownSpec.site = site;
        shownSpec.words = false;
        shownSpec.pair = PairFilter::All;
    }
    const Map shown = mapAxes(trace, shownSpec.mapSpec());
    const auto groupAt = [&](const MapAxis& axis, std::optional<int> index) {
        const std::optional<Index> found = index && bar ? axis.indexOf(*index) : index;
        const bool exists = found && *found >= 0 && *found < indexSize(axis.groups);
        return exists ? &axis.groups[static_cast<std::size_t>(*found)] : nullptr;
    };
    const AxisGroup* const row = groupAt(shown.rows, hit.row);
    const AxisGroup* const column = groupAt(shown.columns, hit.column);
    const bool isSink = column != nullptr && column->first == MapAxis::sink;
    if ((hit.row && row == nullptr) || (hit.column && (column == nullptr || isSink))) {
        place.cells.reset();
        return place;
    }
    if (row != nullptr)
        cells.rows = covered(*row);
    if (column != nullptr)
        cells.columns = covered(*column);
    if (!hit.columns.empty())
        return bandPlace(std::move(place), trace, shown.columns, hit.columns);
    place.isCell = row != nullptr && column != nullptr;
    place.columns = column != nullptr ? column->count : 1;
    place.value = hit.value;
    const AxisGroup* const token = column != nullptr ? column : row;
    if (token != nullptr && isSource(trace, site, column == nullptr))
        addTokens(place, trace, *token, column == nullptr ? shown.rows.before : 0);
    return place;
}

std::span<const EditRow> editRows()
{
    return kinds;
}

std::vector<std::string> editTexts(const EditRow& row, const EditPlace& place, const EditInput& input)
{
    std::vector<std::string> texts;
    for (const Edit& edit : row.make(place, input))
        texts.push_back(editText(edit));
    return texts;
}

std::string settingText(const EditPlace& place, float number)
{
    return editText(changed(place, AttentionChange::Set, number / static_cast<float>(place.columns)).front());
}

} // namespace attn::ui
