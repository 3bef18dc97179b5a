// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/style.h"
#include "trace/attention_map.h"

#include <QImage>

#include <vector>

namespace attn::ui {

// Thumbnails of all heads (columns) of all layers (rows) of one stage, on one colour scale.
class HeadGridFigure final : public Figure
{
public:
    HeadGridFigure(const FigureSpec& spec, const Trace& trace, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // of a thumbnail: layer, head
    int rows() const override { return m_layers; }
    int columns() const override { return m_heads; }
    QString description() const override { return m_description; }

private:
    struct Tile
    {
        Site site;
        int head = 0;
        int heads = 0; // of the site
        int row = 0; // in the grid
        QRectF box;
        AttentionMatrix pooled;
        QImage image;
    };

    void addTiles(const FigureSpec& spec, const Trace& trace);
    void drawThumbnail(Tile& tile) const;
    void layOut(QSizeF wanted);
    void paintLabels(QPainter& painter, const Tile& tile) const;

    FigureStyle m_style;
    FigureTitle m_title;
    QString m_empty;
    QString m_description;
    QSizeF m_size;
    int m_layers = 0;
    int m_heads = 0;
    double m_aspect = 1; // height of a thumbnail by its width
    ColorBar m_bar;
    std::vector<Tile> m_tiles;
};

// Largest values of blocks, so that the result has at most `most` rows and columns: a lone peak stays visible.
AttentionMatrix pooled(const AttentionMatrix& matrix, int most);

} // namespace attn::ui
