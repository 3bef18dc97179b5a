// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a matrix figure as a picture, where they are many, and what is beyond its colour scale.
#include "base/index.h"
#include "figures/look/color_map.h"
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

int startOf(int dot, int dots, int cells)
{
    return static_cast<int>(qint64{dot} * cells / dots);
}

} // namespace

void MatrixFigure::paintBeyond(QPainter& painter, int row, int column) const
{
    const double value = m_content.onScale(row, column);
    const bool above = m_bar.scale.isAbove(value);
    // What is below is much more common, and matters less.
    if (above || m_bar.scale.isBelow(value))
        drawBeyond(painter, cellRect(row, column), above,
                   above ? inkOn(colorAt(m_style.colorMap, fraction(row, column))) : m_style.colors.muted);
}

// Of cells that share a dot: of the largest of them, or of their mean. None where all of them are blank or hidden.
std::optional<double> MatrixFigure::pooledFraction(int firstRow, int endRow, int firstColumn, int endColumn) const
{
    const bool mean = m_spec.pooling == Pooling::Mean;
    double result = 0;
    int count = 0;
    bool isColoured = false;
    for (int row = firstRow; row < endRow; ++row) {
        for (int column = firstColumn; column < endColumn; ++column) {
            if (isBlank(row, column) || m_edits.isHidden(row, column))
                continue;
            isColoured = true;
            if (!isNumber(row, column))
                continue;
            const double value = m_content.onScale(row, column);
            ++count;
            if (mean)
                result += value;
            else if (count == 1 || (m_content.isDifference() ? std::abs(value) > std::abs(result) : value > result))
                result = value;
        }
    }
    if (count == 0)
        return isColoured ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
    return m_bar.scale.fraction(mean ? result / count : result);
}

const QImage& MatrixFigure::picture(double dots) const
{
    if (!m_picture.isNull() && qFuzzyCompare(m_pictureDots, dots))
        return m_picture;
    const int down = indexSize(m_rows);
    const int across = indexSize(m_columns);
    const int high = dotsOf(down, m_cellHeight * dots);
    const int wide = dotsOf(across, m_cellWidth * dots);
    m_pictureDots = dots;
    m_picture = cellImage(high, wide, m_style, [&](int y, int x) {
        return pooledFraction(m_rows.front() + startOf(y, high, down), m_rows.front() + startOf(y + 1, high, down),
                              m_columns.front() + startOf(x, wide, across),
                              m_columns.front() + startOf(x + 1, wide, across));
    });
    return m_picture;
}

void MatrixFigure::paintCellsAsImage(QPainter& painter) const
{
    constexpr int leastBlock = 8;
    constexpr int mostDots = 8192;
    const QImage& image = picture(isRaster(painter) ? std::abs(painter.deviceTransform().m11()) : vectorDots);
    painter.save();
    painter.setClipRect(m_cells);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawCells(painter,
              {columnStart(m_columns.front()), rowStart(m_rows.front()), indexSize(m_columns) * m_cellWidth,
               indexSize(m_rows) * m_cellHeight},
              image, std::clamp(mostDots / std::max(image.width(), image.height()), 1, leastBlock));
    painter.restore();
}

QImage MatrixFigure::overview(QSize most) const
{
    if (m_empty)
        return {};
    const QSize size = QSize(columns(), rows()).boundedTo(most);
    return cellImage(size.height(), size.width(), m_style, [&](int y, int x) {
        return pooledFraction(startOf(y, size.height(), rows()), startOf(y + 1, size.height(), rows()),
                              startOf(x, size.width(), columns()), startOf(x + 1, size.width(), columns()));
    });
}

std::optional<ScaleBar> MatrixFigure::scaleBar() const
{
    if (m_empty || !m_content.bar)
        return std::nullopt;
    return ScaleBar{ValueScale(m_content.least, m_content.most, m_content.scale), m_bar.box};
}

} // namespace attn::ui
