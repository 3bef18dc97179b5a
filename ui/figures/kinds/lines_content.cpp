// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/lines_content.h"

#include "base/index.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/theme.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace attn::ui {

namespace {

constexpr double mostWeights = 24e6; // of all heads that are drawn

std::vector<AxisGroup> groupsOf(const Encoding& encoding, const std::vector<int>& firsts, bool words)
{
    std::vector<AxisGroup> groups;
    for (const AxisGroup& group : words ? wordAxis(encoding) : tokenAxis(encoding)) {
        if (std::binary_search(firsts.begin(), firsts.end(), group.first))
            groups.push_back(group);
    }
    return groups;
}

} // namespace

std::vector<int> drawnColumns(std::span<const float> row, double threshold, double topMass)
{
    const auto size = [&row](int column) { return std::abs(static_cast<double>(row[column])); };
    std::vector<int> columns;
    double sum = 0;
    for (int column = 0; column < static_cast<int>(row.size()); ++column) {
        const double weight = size(column);
        if (!(weight > 0))
            continue;
        sum += weight;
        if (weight >= threshold)
            columns.push_back(column);
    }
    std::stable_sort(columns.begin(), columns.end(), [&size](int a, int b) { return size(a) > size(b); });
    if (topMass >= 1)
        return columns;
    double reached = 0;
    std::size_t kept = 0;
    while (kept < columns.size() && reached < topMass * sum)
        reached += size(columns[kept++]);
    columns.resize(kept);
    return columns;
}

std::vector<int> drawnHeads(const FigureSpec& spec, const Trace& trace)
{
    std::vector<int> heads;
    if (spec.against)
        return heads;
    const int count = trace.heads(spec.site);
    std::ranges::copy_if(spec.heads.ofLayer, std::back_inserter(heads),
                         [count](int head) { return head >= 0 && head < count; });
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    return heads;
}

std::vector<TextPiece> shownText(const Encoding& encoding, const std::vector<int>& firsts, const QStringList& labels,
                                 bool words)
{
    if (!firsts.empty() && firsts.front() == MapAxis::sink) {
        std::vector<TextPiece> pieces = shownText(encoding, {firsts.begin() + 1, firsts.end()}, labels.mid(1), words);
        if (!pieces.empty())
            pieces.front().before = QStringLiteral("  ");
        pieces.insert(pieces.begin(), {QString(), sinkName(), false});
        return pieces;
    }
    const std::vector<AxisGroup> groups =
        std::is_sorted(firsts.begin(), firsts.end()) ? groupsOf(encoding, firsts, words) : std::vector<AxisGroup>();
    if (!groups.empty() && groups.size() == firsts.size())
        return textPieces(encoding, groups);
    std::vector<TextPiece> pieces; // no tokens, or those of two runs
    for (const QString& label : labels)
        pieces.push_back({pieces.empty() ? QString() : QStringLiteral("  "), label, true});
    return pieces;
}

LinesContent linesContent(const FigureSpec& spec, const Trace& trace)
{
    LinesContent content;
    std::vector<int> heads = drawnHeads(spec, trace);
    if (heads.empty()) {
        content.frame = heatmapContent(spec, trace);
        content.heads.push_back({{}, content.frame.map, themeColors(spec.theme).bar});
    }
    double most = 0;
    const std::size_t asked = heads.size();
    for (std::size_t i = 0; i < heads.size(); ++i) {
        FigureSpec one = spec;
        one.head = heads[i];
        MatrixContent shown = heatmapContent(one, trace);
        most = std::max(most, shown.most);
        const double cells = double{1} * shown.rows() * shown.columns();
        if (cells * static_cast<double>(heads.size()) > mostWeights)
            heads.resize(std::max<std::size_t>(1, static_cast<std::size_t>(mostWeights / cells)));
        content.heads.push_back({heads[i], shown.map, headColor(heads[i], spec.theme)});
        if (i > 0)
            shown.description = content.frame.description + QLatin1Char(' ') + headName(heads[i]) + QStringLiteral(": ")
                + shown.description;
        for (std::size_t row = 0; row < std::min(shown.rowEnds.size(), content.frame.rowEnds.size()); ++row)
            shown.rowEnds[row] = std::max(shown.rowEnds[row], content.frame.rowEnds[row]);
        content.frame = std::move(shown);
        content.frame.most = most;
    }
    if (heads.size() < asked)
        content.frame.title.subtitle +=
            Figure::tr("; too long for more than %n heads at once", nullptr, indexSize(heads));
    if (spec.linesLayout == LinesLayout::Rows && content.frame.rows() > 0) {
        content.texts[0] = shownText(trace.rowTokens(spec.site, spec.leaf), content.frame.map.rows.tokens(),
                                     content.frame.rowLabels, spec.words);
        content.texts[1] = shownText(trace.columnTokens(spec.site, spec.leaf), content.frame.map.columns.tokens(),
                                     content.frame.columnLabels, spec.words);
    }
    return content;
}

} // namespace attn::ui
