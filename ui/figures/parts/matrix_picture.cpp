// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a matrix figure as a picture, where they are many, and what is beyond its colour scale.
#include "base/index.h"
#include "figures/look/color_map.h"
#include "figures/look/saved_painter.h"
#include "figures/look/theme.h"
#include "figures/parts/matrix_figure.h"

#include <QPainter>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace attn::ui {

namespace {

constexpr double vectorDots = 2; // in a pixel of a vector file, before cells share one

// As many dots as there are cells, or fewer where these are smaller; none is narrower than one on the device, where it
// could be left out.
int dotsOf(int cells, double dotsOfCell)
{
    return dotsOfCell >= 1 ? cells : std::clamp(static_cast<int>(std::floor(cells * dotsOfCell + 1e-9)), 1, cells);
}

} // namespace

void MatrixFigure::paintBeyond(QPainter& painter, int row, int column) const
{
    const double value = m_content.onScale(row, column);
    const bool above = m_bar.scale.isAbove(value);
    // Smaller values are much more common, and matter less.
    if (above || m_bar.scale.isBelow(value))
        drawBeyond(painter, cellRect(row, column), above,
                   above ? inkOn(colorAt(m_style.colorMap, fraction(row, column))) : m_style.colors.muted);
}

const QImage& MatrixFigure::picture(double dots) const
{
    if (!m_picture.isNull() && qFuzzyCompare(m_pictureDots, dots))
        return m_picture;
    const int down = indexSize(m_rows);
    const int across = indexSize(m_columns);
    const int high = dotsOf(down, m_cellHeight * dots);
    const int wide = dotsOf(across, m_cellWidth * dots);
    m_picture = m_all->picture({m_rows.front(), down, high}, {m_columns.front(), across, wide}, m_style);
    m_pictureDots = dots;
    return m_picture;
}

void MatrixFigure::prepare(double dots) const
{
    if (m_pictured)
        picture(dots);
}

void MatrixFigure::paintCellsAsImage(QPainter& painter) const
{
    constexpr int leastBlock = 8;
    constexpr int mostDots = 8192;
    const QImage& image = picture(isRaster(painter) ? std::abs(painter.deviceTransform().m11()) : vectorDots);
    const SavedPainter saved(painter);
    painter.setClipRect(m_cells);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawCells(painter,
              {columnStart(m_columns.front()), rowStart(m_rows.front()), indexSize(m_columns) * m_cellWidth,
               indexSize(m_rows) * m_cellHeight},
              image, std::clamp(mostDots / std::max(image.width(), image.height()), 1, leastBlock));
}

QImage MatrixFigure::overview(QSize most) const
{
    if (m_empty)
        return {};
    const QSize size = QSize(columns(), rows()).boundedTo(most);
    return m_all->overview(size, m_style);
}

std::optional<ScaleBar> MatrixFigure::scaleBar() const
{
    if (m_empty || !m_content.bar)
        return std::nullopt;
    return ScaleBar{ValueScale(m_content.least, m_content.most, m_content.scale), m_bar.box};
}

} // namespace attn::ui
