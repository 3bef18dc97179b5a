// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/square_matrix.h"

#include "figures/look/theme.h"
#include "figures/parts/panel_figure.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace attn::ui {

FigureLayout squareMatrix(const FigureSpec& spec, const MatrixContent& content)
{
    return [spec, content](QSizeF size) -> std::unique_ptr<const Figure> {
        auto matrix = std::make_unique<MatrixFigure>(spec, content, size);
        const double higher = matrix->cellsRect().height() - matrix->cellsRect().width();
        if (higher > 0 && size.height() > 0)
            matrix = std::make_unique<MatrixFigure>(spec, content, size - QSizeF(0, higher));
        std::vector<Panel> panels;
        panels.push_back({std::move(matrix), {}});
        const QSizeF whole(size.width(), std::max(size.height(), panels.front().figure->size().height()));
        return std::make_unique<PanelFigure>(std::move(panels), whole, themeColors(spec.theme).background);
    };
}

} // namespace attn::ui
