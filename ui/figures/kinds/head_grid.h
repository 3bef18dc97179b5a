// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"
#include "trace/attention_map.h"

#include <QImage>

#include <memory>
#include <vector>

namespace attn::ui {

// The small maps of all heads of one stage, apart from how they are laid out and coloured. They take time for long
// texts, so a window makes them on another thread.
struct HeadThumbnails
{
    struct Tile
    {
        Site site;
        int head = 0;
        int row = 0; // of the grid: the layers that there are, from 0
        Numbers pooled; // at most 64 by 64; below 0 where a key lies after its query
    };

    int layers = 0;
    int heads = 0; // most of a layer
    double aspect = 1; // height of a thumbnail by its width
    double largest = 0; // end of the colour scale
    std::vector<Tile> tiles;
};

// Numbers of weights that headThumbnails() goes through, to decide where to do it.
std::size_t thumbnailCost(const FigureSpec& spec, const Trace& trace);
std::shared_ptr<const HeadThumbnails> headThumbnails(const FigureSpec& spec, const Trace& trace);

// Thumbnails of all heads (columns) of all layers (rows) of one stage, on one colour scale. Where that makes them
// larger, the heads of a layer go on in further lines.
class HeadGridFigure final : public Figure
{
public:
    HeadGridFigure(const FigureSpec& spec, const Trace& trace, QSizeF size);
    // With thumbnails that were made before; null: they are on their way.
    HeadGridFigure(const FigureSpec& spec, const Trace& trace, std::shared_ptr<const HeadThumbnails> thumbnails,
                   QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // of a thumbnail: layer, head
    int rows() const override { return m_thumbnails->layers; }
    int columns() const override { return m_thumbnails->heads; }
    QString description() const override { return m_description; }

private:
    // How the tiles lie.
    struct Lines
    {
        int perLine = 1; // tiles of a layer in one line
        int count = 1; // lines of a layer
        double width = 0; // of a tile
        double height = 0;
    };
    struct Box
    {
        const HeadThumbnails::Tile* tile = nullptr;
        int column = 0; // in its line
        int line = 0; // of its layer
        QRectF box;
        QImage image;
    };

    void draw(Box& box) const;
    void layOut(QSizeF wanted);
    void placeTiles(const Lines& lines, QSizeF wanted, double left, double right, double top);
    Lines fittingLines(double width, double height, int perLine) const;
    Lines bestLines(double width, double height) const;
    double gap() const;
    double headBand() const; // height of a line of head numbers
    void paintLabels(QPainter& painter, const Box& box) const;
    void paintMarks(QPainter& painter, const Highlight& highlight) const;

    std::shared_ptr<const HeadThumbnails> m_thumbnails;
    FigureStyle m_style;
    FigureTitle m_title;
    ModelKind m_kind;
    QString m_empty;
    QString m_description;
    QSizeF m_size;
    Lines m_lines;
    ColorBar m_bar;
    std::vector<Box> m_boxes;
};

// Largest values of blocks, so that the result has at most `most` rows and columns: a lone peak stays visible.
Numbers pooled(const Numbers& matrix, int most);

extern const FigureKind headGridKind; // a thumbnail for every head of a stage

} // namespace attn::ui
