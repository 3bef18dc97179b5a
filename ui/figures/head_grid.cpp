// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/head_grid.h"

#include "figures/color_map.h"
#include "figures/heatmap.h"
#include "figures/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr int thumbnail = 64;
constexpr double margin = 10;
constexpr double gap = 8;

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
    : m_theme(themeColors(spec.theme))
    , m_colorMap(spec.colorMap)
    , m_font(figureFont(spec.baseFontPoints))
    , m_titleFont(figureFont(spec.baseFontPoints * 1.1, true))
    , m_subtitle(runSubtitle(trace))
{
    for (const Site& site : trace.sites()) {
        if (site.stage != spec.site.stage)
            continue;
        const int heads = trace.heads(site);
        m_layers = std::max(m_layers, site.layer + 1);
        m_heads = std::max(m_heads, heads);
        for (int head = 0; head < heads; ++head)
            addTile(spec, trace, site, head);
    }
    m_title = siteTitle({spec.site.stage, 0}, 0, 1) + QStringLiteral(", all heads of all layers");
    m_empty = missingText(spec, trace);
    m_description = m_tiles.empty()
        ? m_empty
        : QStringLiteral("%1: %2 layers of %3 heads.").arg(m_title).arg(m_layers).arg(m_heads);
    layOut(size);
}

void HeadGridFigure::addTile(const FigureSpec& spec, const Trace& trace, Site site, int head)
{
    m_tiles.push_back({site, head, {}, pooled(trace.matrix(site, head, spec.leaf), thumbnail)});
}

void HeadGridFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    if (m_tiles.empty()) {
        if (wanted.height() <= 0)
            m_size.setHeight(wanted.width() * 0.4);
        return;
    }
    const QFontMetricsF metrics(m_font);
    const double left = margin + metrics.horizontalAdvance(QStringLiteral("layer 88")) + gap;
    const double top = margin + QFontMetricsF(m_titleFont).height() + metrics.height() * 2 + gap;
    const double room = std::max(10.0, wanted.width() - left - margin);
    double width = room / m_heads - gap;
    double height = 0;
    if (wanted.height() > 0) {
        height = std::max(4.0, (wanted.height() - top - margin) / m_layers - gap);
        width = std::min(width, height * 1.6);
        height = std::min(height, width * 1.6);
    } else {
        width = std::min(width, 160.0);
        height = width;
        m_size.setHeight(top + (height + gap) * m_layers + margin);
    }
    for (Tile& tile : m_tiles)
        tile.box = QRectF(left + tile.head * (width + gap), top + tile.site.layer * (height + gap), width, height);
}

QRectF HeadGridFigure::cellRect(int row, int column) const
{
    for (const Tile& tile : m_tiles) {
        if (tile.site.layer == row && tile.head == column)
            return tile.box;
    }
    return {};
}

void HeadGridFigure::paintTile(QPainter& painter, const Tile& tile) const
{
    const AttentionMatrix& matrix = tile.pooled;
    if (matrix.rows == 0 || matrix.columns == 0) {
        painter.fillRect(tile.box, m_theme.blank);
        return;
    }
    const ColorTable& table = colorTable(m_colorMap);
    QImage image(matrix.columns, matrix.rows, QImage::Format_RGB32);
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const auto index = std::lround(std::clamp(matrix.at(row, column), 0.0F, 1.0F) * 255);
            image.setPixel(column, row, table[static_cast<std::size_t>(index)]);
        }
    }
    // Enlarged by a whole factor so that viewers of vector files do not blur the cells.
    const int factor = std::max(1, 256 / std::max(matrix.columns, matrix.rows));
    painter.drawImage(tile.box, image.scaled(matrix.columns * factor, matrix.rows * factor));
}

void HeadGridFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_theme.background);
    const QFontMetricsF metrics(m_font);
    if (m_tiles.empty()) {
        painter.setFont(m_font);
        painter.setPen(m_theme.muted);
        painter.drawText(QRectF(QPointF(), m_size).adjusted(30, 10, -30, -10),
                         static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_empty);
        return;
    }
    painter.setFont(m_titleFont);
    painter.setPen(m_theme.ink);
    const double titleHeight = QFontMetricsF(m_titleFont).height();
    const double textWidth = m_size.width() - 2 * margin;
    painter.drawText(QRectF(margin, margin, textWidth, titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     elided(m_title, QFontMetricsF(m_titleFont), textWidth));
    painter.setFont(m_font);
    painter.setPen(m_theme.muted);
    painter.drawText(QRectF(margin, margin + titleHeight, textWidth, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, elided(m_subtitle, metrics, textWidth));
    painter.setBrush(Qt::NoBrush);
    for (const Tile& tile : m_tiles) {
        paintTile(painter, tile);
        painter.setPen(m_theme.muted);
        if (tile.site.layer == 0)
            painter.drawText(QRectF(tile.box.left() - gap, tile.box.top() - metrics.height() - 2,
                                    tile.box.width() + 2 * gap, metrics.height()),
                             Qt::AlignCenter,
                             m_tiles.size() > 1 && tile.box.width() > 44 ? QStringLiteral("head %1").arg(tile.head)
                                                                         : QString::number(tile.head));
        if (tile.head == 0)
            painter.drawText(QRectF(margin, tile.box.center().y() - metrics.height() / 2,
                                    tile.box.left() - margin - gap, metrics.height()),
                             Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("layer %1").arg(tile.site.layer));
        const bool selected = tile.site == highlight.site && tile.head == highlight.head;
        painter.setPen(QPen(selected ? m_theme.accent : m_theme.grid, selected ? 3 : 1));
        painter.drawRect(tile.box);
    }
}

FigureHit HeadGridFigure::hitTest(QPointF point) const
{
    for (const Tile& tile : m_tiles) {
        if (!tile.box.contains(point))
            continue;
        FigureHit hit;
        hit.part = FigureHit::Part::Head;
        hit.site = tile.site;
        hit.head = tile.head;
        hit.text = siteTitle(tile.site, tile.head, 2);
        return hit;
    }
    return {};
}

} // namespace attn::ui
