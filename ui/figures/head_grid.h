// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/theme.h"

#include <QFont>
#include <QImage>

#include <vector>

namespace attn::ui {

// Thumbnails of all heads (columns) of all layers (rows) of one stage.
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
        QRectF box;
        AttentionMatrix pooled;
    };

    void addTile(const FigureSpec& spec, const Trace& trace, Site site, int head);
    void layOut(QSizeF wanted);
    void paintTile(QPainter& painter, const Tile& tile) const;

    ThemeColors m_theme;
    ColorMapName m_colorMap;
    QFont m_font;
    QFont m_titleFont;
    QString m_title;
    QString m_subtitle;
    QString m_empty;
    QString m_description;
    QSizeF m_size;
    int m_layers = 0;
    int m_heads = 0;
    std::vector<Tile> m_tiles;
};

// Largest values of blocks, so that the result has at most `most` rows and columns: a lone peak stays visible.
AttentionMatrix pooled(const AttentionMatrix& matrix, int most);

} // namespace attn::ui
