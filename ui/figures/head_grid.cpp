// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/head_grid.h"

#include "figures/color_map.h"
#include "figures/color_scale.h"
#include "figures/shown_matrix.h"
#include "figures/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr int thumbnail = 64;
constexpr double margin = 12;
constexpr double gap = 8;
constexpr double naturalTile = 150;
constexpr double largestTile = 320;

} // namespace

AttentionMatrix pooled(const AttentionMatrix& matrix, int most)
{
    const int rowBlock = (matrix.rows + most - 1) / most;
    const int columnBlock = (matrix.columns + most - 1) / most;
    if (rowBlock <= 1 && columnBlock <= 1)
        return matrix;
    AttentionMatrix result;
    result.rows = (matrix.rows + rowBlock - 1) / rowBlock;
    result.columns = (matrix.columns + columnBlock - 1) / columnBlock;
    result.values.assign(static_cast<std::size_t>(result.rows) * static_cast<std::size_t>(result.columns), 0.0F);
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const auto at = static_cast<std::size_t>(row / rowBlock) * static_cast<std::size_t>(result.columns)
                + static_cast<std::size_t>(column / columnBlock);
            result.values[at] = std::max(result.values[at], matrix.at(row, column));
        }
    }
    return result;
}

HeadGridFigure::HeadGridFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
    : m_style(spec)
    , m_title(figureTitle(spec, trace))
{
    if (spec.leaf < trace.stepCount())
        addTiles(spec, trace);
    if (spec.title.isEmpty())
        m_title.title += QStringLiteral(", all heads");
    m_empty = missingAttention(spec.site, trace);
    m_description = m_tiles.empty()
        ? m_empty
        : QStringList{m_title.title, QStringLiteral(": %1 layers of %2 heads.").arg(m_layers).arg(m_heads)}.join(
            QString());
    layOut(size);
}

void HeadGridFigure::addTiles(const FigureSpec& spec, const Trace& trace)
{
    std::vector<float> largest;
    int most = 0;
    for (const Site& site : trace.sites()) {
        const int heads = trace.heads(site);
        if (site.stage != spec.site.stage || heads == 0)
            continue;
        for (int head = 0; head < heads; ++head) {
            const AttentionMatrix matrix = trace.matrix(site, head, spec.leaf);
            if (!matrix.values.empty())
                largest.push_back(std::ranges::max(matrix.values));
            if (matrix.columns > 0 && matrix.rows * matrix.columns > most) {
                most = matrix.rows * matrix.columns;
                m_aspect = std::clamp(static_cast<double>(matrix.rows) / matrix.columns, 0.6, 1.25);
            }
            m_tiles.push_back({site, head, heads, m_layers, {}, pooled(matrix, thumbnail), {}});
        }
        m_heads = std::max(m_heads, heads);
        ++m_layers;
    }
    m_bar = {0, weightScaleEnd(largest), QStringLiteral("attention weight"), {}};
    for (Tile& tile : m_tiles)
        drawThumbnail(tile);
}

void HeadGridFigure::drawThumbnail(Tile& tile) const
{
    const AttentionMatrix& matrix = tile.pooled;
    if (matrix.rows == 0 || matrix.columns == 0)
        return;
    const ColorTable& table = colorTable(m_style.colorMap);
    tile.image = QImage(matrix.columns, matrix.rows, QImage::Format_RGB32);
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const double part = static_cast<double>(matrix.at(row, column)) / m_bar.most;
            const auto index = part > 0 ? static_cast<std::size_t>(std::min(part, 1.0) * 255 + 0.5) : 0U;
            // Keys after their query: decoder self-attention pools its square in square blocks.
            const bool future = tile.site.stage == Stage::Decoder && column > row && index == 0;
            tile.image.setPixel(column, row, future ? m_style.colors.blank.rgb() : table[index]);
        }
    }
    // Enlarged by a whole factor, because viewers smooth the images in vector files.
    const int factor = std::max(1, 256 / std::max(matrix.columns, matrix.rows));
    tile.image = tile.image.scaled(matrix.columns * factor, matrix.rows * factor);
}

void HeadGridFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    const bool natural = wanted.height() <= 0;
    if (m_tiles.empty()) {
        if (natural)
            m_size.setHeight(wanted.width() * 0.3);
        return;
    }
    const QFontMetricsF metrics(m_style.small);
    const double left = margin + metrics.horizontalAdvance(QStringLiteral("layer 88")) + gap;
    const double top = margin + headerHeight(m_style) + gap + metrics.height() + 4;
    const double right = 2 * gap + colorBarWidth + m_bar.labelRoom(m_style) + margin;
    double width = std::max(3.0, (wanted.width() - left - right + gap) / m_heads - gap);
    width = std::min(width, natural ? naturalTile : largestTile);
    double height = width * m_aspect;
    if (!natural) {
        const double room = std::max(3.0, (wanted.height() - top - margin + gap) / m_layers - gap);
        height = std::min(height, room);
        width = std::min(width, height * 1.8);
    }
    const double slack = wanted.width() - left - right - m_heads * (width + gap) + gap;
    const double start = left + std::max(0.0, slack / 2);
    for (Tile& tile : m_tiles)
        tile.box = QRectF(start + tile.head * (width + gap), top + tile.row * (height + gap), width, height);
    const double bottom = top + m_layers * (height + gap) - gap;
    if (natural)
        m_size.setHeight(std::max(bottom, top + 70) + margin);
    m_bar.box =
        QRectF(start + m_heads * (width + gap) + gap, top, colorBarWidth, std::clamp(bottom - top, 20.0, 240.0));
    if (bottom - top < 70)
        m_bar.box.setHeight(std::max(20.0, std::min(70.0, m_size.height() - margin - top)));
}

QRectF HeadGridFigure::cellRect(int row, int column) const
{
    const auto found = std::ranges::find_if(
        m_tiles, [row, column](const Tile& tile) { return tile.row == row && tile.head == column; });
    return found == m_tiles.end() ? QRectF() : found->box;
}

void HeadGridFigure::paintLabels(QPainter& painter, const Tile& tile) const
{
    const QFontMetricsF metrics(m_style.small);
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    if (tile.row == 0) {
        const QString full = QStringLiteral("head %1").arg(tile.head);
        const bool fits = tile.box.width() >= metrics.horizontalAdvance(QStringLiteral("head 88"));
        const QString text = fits ? full : QString::number(tile.head);
        if (metrics.horizontalAdvance(text) <= tile.box.width() + gap)
            drawLabel(painter,
                      {tile.box.left() - gap / 2, tile.box.top() - metrics.height() - 4, tile.box.width() + gap,
                       metrics.height()},
                      Qt::AlignHCenter, text);
    }
    if (tile.head == 0 && tile.box.height() + gap >= metrics.height()) {
        drawLabel(painter, {0, tile.box.center().y() - metrics.height() / 2, tile.box.left() - gap, metrics.height()},
                  Qt::AlignRight, QStringLiteral("layer %1").arg(tile.site.layer));
    }
}

void HeadGridFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    if (m_tiles.empty()) {
        paintEmpty(painter, m_style, m_size, m_empty);
        return;
    }
    paintHeader(painter, m_style, m_title, margin, m_size.width() - margin);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    for (const Tile& tile : m_tiles) {
        if (tile.image.isNull())
            painter.fillRect(tile.box, m_style.colors.blank);
        else
            painter.drawImage(tile.box, tile.image);
        paintLabels(painter, tile);
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawRect(tile.box);
    }
    for (const Tile& tile : m_tiles) {
        const bool cursor = tile.row == highlight.row && tile.head == highlight.column;
        if (tile.site == highlight.site && tile.head == highlight.head)
            painter.setPen(QPen(m_style.colors.accent, 3, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        else if (cursor)
            painter.setPen(QPen(m_style.colors.cursor, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        else
            continue;
        painter.drawRect(tile.box.adjusted(-2, -2, 2, 2));
    }
    m_bar.paint(painter, m_style);
}

FigureHit HeadGridFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    for (const Tile& tile : m_tiles) {
        if (!tile.box.contains(point))
            continue;
        hit.part = FigureHit::Part::Head;
        hit.row = tile.row;
        hit.column = tile.head;
        hit.site = tile.site;
        hit.head = tile.head;
        hit.text = QStringLiteral("%1, head %2").arg(siteName(tile.site)).arg(tile.head);
        return hit;
    }
    if (!m_tiles.empty() && m_bar.box.contains(point)) {
        hit.part = FigureHit::Part::ColorBar;
        hit.value = static_cast<float>(m_bar.valueAt(point.y()));
        hit.text = QStringLiteral("attention weight: %1").arg(m_bar.valueAt(point.y()), 0, 'g', 3);
    }
    return hit;
}

} // namespace attn::ui
