// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure.h"

#include "figures/arcs.h"
#include "figures/decoding.h"
#include "figures/head_grid.h"
#include "figures/heatmap.h"
#include "figures/positions.h"

namespace attn::ui {

std::unique_ptr<const Figure> layoutFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
{
    switch (spec.kind) {
    case FigureKind::Heatmap:
        return std::make_unique<MatrixFigure>(spec, heatmapContent(spec, trace), size);
    case FigureKind::HeadGrid:
        return std::make_unique<HeadGridFigure>(spec, trace, size);
    case FigureKind::Arcs:
        return std::make_unique<ArcsFigure>(spec, heatmapContent(spec, trace), size);
    case FigureKind::Positions: {
        FigureSpec diverging = spec;
        diverging.colorMap = ColorMapName::Diverging;
        return std::make_unique<MatrixFigure>(diverging, positionsContent(spec), size);
    }
    case FigureKind::Decoding:
        break;
    }
    return std::make_unique<DecodingFigure>(spec, trace, size);
}

} // namespace attn::ui
