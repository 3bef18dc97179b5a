// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_rows.h"

#include "figures/kinds/kinds.h"
#include "views/heatmap_view.h"
#include "views/position_view.h"

#include <QCoreApplication>

namespace attn::ui {

namespace {

template<class View>
QWidget* makeView(const ViewContext& context)
{
    return new View(context);
}

// A figure that needs no input of its own.
template<const FigureKind& kind>
QWidget* makeFigureView(const ViewContext& context)
{
    return new FigureView(kind, context);
}

constexpr ViewRow rows[] = {
    {"heatmap", QT_TRANSLATE_NOOP("attn::ui", "Heatmap"), nullptr, &heatmapKind, makeView<HeatmapView>},
    {"grid", QT_TRANSLATE_NOOP("attn::ui", "All heads"), nullptr, &headGridKind, makeHeadGridView},
    {"arcs", QT_TRANSLATE_NOOP("attn::ui", "Lines"), nullptr, &arcsKind, makeFigureView<arcsKind>},
    {"decoding", QT_TRANSLATE_NOOP("attn::ui", "Step"), QT_TRANSLATE_NOOP("attn::ui", "Token"), &decodingKind,
     makeFigureView<decodingKind>},
    {"positional", QT_TRANSLATE_NOOP("attn::ui", "Positions"), nullptr, &positionsKind, makeView<PositionView>}};

} // namespace

std::span<const ViewRow> viewRows()
{
    return rows;
}

} // namespace attn::ui
