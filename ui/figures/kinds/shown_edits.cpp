// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_edits.h"

#include "base/index.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

namespace attn::ui {

namespace {

MapExtent extentOf(const Trace& trace, Site site, int rows, int columns)
{
    const bool ofOutput = site.stage == Stage::Decoder && trace.kind() != ModelKind::DecoderOnly;
    return {site, trace.heads(site), rows, columns, !ofOutput && trace.columnAxis(site) == AttentionAxis::Tokens};
}

} // namespace

std::vector<Edit> editsOf(const Trace& trace)
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

std::vector<CellMark> shownEdits(const FigureSpec& spec, const Trace& trace, const ShownMatrix& shown)
{
    if (trace.provenance().edits.empty() || shown.matrix.rows == 0)
        return {};
    const MatrixShape whole = trace.shape(spec.site, spec.leaf); // though some of it may be shown
    const int columns = whole.columns;
    // Heads of another layer, which a summary was made of, may have maps of another size.
    const auto fit = [](const std::vector<AxisGroup>& groups, int end) {
        return std::ranges::all_of(groups, [end](const AxisGroup& group) { return group.first + group.count <= end; });
    };
    if (!fit(shown.rowGroups, whole.rows) || !fit(shown.columnGroups, columns))
        return {};
    const auto cells = editedCells(editsOf(trace), extentOf(trace, spec.site, whole.rows, columns), spec.head.head());
    if (cells.empty())
        return {};
    const auto merged = [&](const AxisGroup& row, const AxisGroup& column) {
        auto least = CellMark::Hidden;
        auto most = CellMark::Unedited;
        for (int y = row.first; y < row.first + row.count; ++y) {
            const auto* const first = cells.data() + static_cast<std::ptrdiff_t>(y) * columns + column.first;
            const auto [low, high] = std::minmax_element(first, first + column.count);
            least = std::min(least, *low);
            most = std::max(most, *high);
        }
        return most == CellMark::Hidden && least != CellMark::Hidden ? CellMark::Changed : most;
    };
    std::vector<CellMark> marks;
    marks.reserve(shown.matrix.values.size());
    for (const AxisGroup& row : shown.rowGroups) {
        for (const AxisGroup& column : shown.columnGroups)
            marks.push_back(merged(row, column));
    }
    const bool some = std::any_of(marks.begin(), marks.end(), [](CellMark mark) { return mark != CellMark::Unedited; });
    return some ? marks : std::vector<CellMark>();
}

CellMark headEdit(std::span<const Edit> edits, const Trace& trace, Site site, int head, const Numbers& matrix)
{
    const auto cells = editedCells(edits, extentOf(trace, site, matrix.rows, matrix.columns), head);
    if (cells.empty())
        return CellMark::Unedited;
    const auto [least, most] = std::minmax_element(cells.begin(), cells.end());
    return *most == CellMark::Hidden && *least != CellMark::Hidden ? CellMark::Changed : *most;
}

} // namespace attn::ui
