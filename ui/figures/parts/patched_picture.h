// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "figures/look/style.h"
#include "trace/source_media.h"

#include <QImage>
#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace attn::ui {

// Weights over a picture.
struct PictureWeights
{
    std::span<const double>
        parts; // of each patch, of the scale: 0 to 1, with both signs -1 to 1; empty: none are shown
    Overlay overlay = Overlay::Light;
    double opacity = 1; // of the colours of heat and cells
    bool isSigned = false;
};

// Brightness of a picture where so much of the scale goes to it, 0 to 1.
double brightness(double part);

// A picture, and where in it the tokens of an axis lie; a frame is where it is drawn. Without its pixels it is grey.
class PatchedPicture
{
public:
    PatchedPicture() = default;
    // `tokens` are those of the axis, `firsts` the shown ones of them; one that is none of them has no place.
    PatchedPicture(std::shared_ptr<const SourceMedia> media, const Encoding& tokens, std::span<const int> firsts);

    double aspect() const { return m_aspect; } // width by height
    bool isPlaced(int index) const { return m_boxes[static_cast<std::size_t>(index)].isPlace(); }
    QRectF patch(int index, const QRectF& frame) const; // null: it has no place
    std::optional<int> at(QPointF point, const QRectF& frame) const;
    std::vector<int> within(const QRectF& band, const QRectF& frame) const; // patches whose middle lies there

    void paint(QPainter& painter, const QRectF& frame, const PictureWeights& weights, const FigureStyle& style) const;

private:
    QRectF rectOf(const PictureBox& box, const QRectF& frame) const;
    void paintPixels(QPainter& painter, const QRectF& frame, double dots, const FigureStyle& style) const;
    void paintWeights(QPainter& painter, const QRectF& frame, const PictureWeights& weights,
                      const FigureStyle& style) const;
    void paintCells(QPainter& painter, const QRectF& frame, const PictureWeights& weights,
                    const FigureStyle& style) const;
    QImage veil(const PictureWeights& weights, const FigureStyle& style) const;

    std::shared_ptr<const SourceMedia> m_media;
    std::vector<PictureBox> m_boxes; // of the shown tokens
    std::vector<int> m_cells; // of the grid, likewise
    PictureBox m_grid; // all of it
    bool m_isGrid = false; // the patches fill it
    double m_aspect = 1;
    mutable QImage m_scaled; // as it was painted last
};

} // namespace attn::ui
