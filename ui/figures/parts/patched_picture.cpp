// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/patched_picture.h"

#include "base/index.h"
#include "figures/look/color_map.h"
#include "figures/look/saved_painter.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attn::ui {

double brightness(double part)
{
    constexpr double faintest = 0.25; // where nothing is looked at
    return faintest + (1 - faintest) * part;
}

namespace {

constexpr double pictureDots = 2; // in a pixel of a vector file

double pictureAspect(const SourceMedia& media)
{
    if (media.picture)
        return double{1} * media.picture->width / media.picture->height;
    const QJsonObject about = QJsonDocument::fromJson(QByteArray::fromStdString(media.about)).object();
    const double width = about.value(QStringLiteral("width")).toDouble();
    const double height = about.value(QStringLiteral("height")).toDouble();
    return width > 0 && height > 0 ? width / height : double{1} * media.columns / media.rows;
}

// Colour of a part of the scale, with its opacity; premultiplied.
QRgb veilColor(double part, const PictureWeights& weights, const FigureStyle& style)
{
    const double size = std::min(std::abs(part), 1.0);
    if (weights.overlay == Overlay::Light && !weights.isSigned)
        return qPremultiply(qRgba(0, 0, 0, static_cast<int>(std::lround(255 * (1 - brightness(size))))));
    QColor color = weights.isSigned ? style.colors.ofSign(part) : colorAt(style.colorMap, size);
    color.setAlphaF(static_cast<float>(weights.opacity * (weights.isSigned ? size : 1)));
    return qPremultiply(color.rgba());
}

} // namespace

PatchedPicture::PatchedPicture(std::shared_ptr<const SourceMedia> media, const Encoding& tokens,
                               std::span<const int> firsts)
    : m_media(std::move(media))
{
    for (const int first : firsts) {
        const bool known = first >= 0 && first < indexSize(tokens.boxes);
        m_boxes.push_back(known ? tokens.boxes[static_cast<std::size_t>(first)]
                                : PictureBox{nowhere, nowhere, nowhere, nowhere});
        m_cells.push_back(known ? tokens.ids[static_cast<std::size_t>(first)] : noTokenId);
    }
    const auto places = std::ranges::count_if(tokens.boxes, &PictureBox::isPlace);
    if (places > 0) {
        m_grid = *std::ranges::find_if(tokens.boxes, &PictureBox::isPlace);
        for (const PictureBox& box : tokens.boxes) {
            if (box.isPlace())
                m_grid = {std::min(m_grid.left, box.left), std::min(m_grid.top, box.top),
                          std::max(m_grid.right, box.right), std::max(m_grid.bottom, box.bottom)};
        }
    }
    if (m_media && m_media->isPicture()) {
        m_isGrid = places == std::int64_t{m_media->rows} * m_media->columns;
        m_aspect = pictureAspect(*m_media);
    }
}

QRectF PatchedPicture::rectOf(const PictureBox& box, const QRectF& frame) const
{
    return QRectF(QPointF(frame.x() + static_cast<double>(box.left) * frame.width(),
                          frame.y() + static_cast<double>(box.top) * frame.height()),
                  QPointF(frame.x() + static_cast<double>(box.right) * frame.width(),
                          frame.y() + static_cast<double>(box.bottom) * frame.height()));
}

QRectF PatchedPicture::patch(int index, const QRectF& frame) const
{
    return isPlaced(index) ? rectOf(m_boxes[static_cast<std::size_t>(index)], frame) & frame : QRectF();
}

std::optional<int> PatchedPicture::at(QPointF point, const QRectF& frame) const
{
    for (int index = 0; index < indexSize(m_boxes) && frame.contains(point); ++index) {
        if (patch(index, frame).contains(point))
            return index;
    }
    return std::nullopt;
}

std::vector<int> PatchedPicture::within(const QRectF& band, const QRectF& frame) const
{
    std::vector<int> found;
    for (int index = 0; index < indexSize(m_boxes); ++index) {
        if (isPlaced(index) && band.contains(patch(index, frame).center()))
            found.push_back(index);
    }
    return found;
}

void PatchedPicture::paint(QPainter& painter, const QRectF& frame, const PictureWeights& weights,
                           const FigureStyle& style) const
{
    const SavedPainter saved(painter);
    painter.setClipRect(frame, Qt::IntersectClip);
    const bool blends = !weights.parts.empty() && weights.overlay != Overlay::Cells && m_isGrid;
    if (isRaster(painter) || !blends) {
        paintPixels(painter, frame, isRaster(painter) ? std::abs(painter.deviceTransform().m11()) : pictureDots, style);
        paintWeights(painter, frame, weights, style);
        return;
    }
    // Viewers smooth what is transparent each in its own way: in a vector file picture and weights are one image.
    QImage both((frame.size() * pictureDots).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    QPainter inside(&both);
    inside.scale(both.width() / frame.width(), both.height() / frame.height());
    inside.translate(-frame.topLeft());
    paintPixels(inside, frame, pictureDots, style);
    paintWeights(inside, frame, weights, style);
    inside.end();
    painter.setRenderHint(QPainter::SmoothPixmapTransform); // it is a photograph, no cells
    painter.drawImage(frame, both);
}

void PatchedPicture::paintPixels(QPainter& painter, const QRectF& frame, double dots, const FigureStyle& style) const
{
    if (!m_media || !m_media->picture) {
        painter.fillRect(frame, style.colors.blank);
        return;
    }
    const Picture& pixels = *m_media->picture;
    const QSize size = (frame.size() * dots).toSize().expandedTo({1, 1});
    if (m_scaled.size() != size) {
        const QImage whole(pixels.rgb.data(), pixels.width, pixels.height, qsizetype{3} * pixels.width,
                           QImage::Format_RGB888);
        m_scaled =
            whole.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(frame, m_scaled);
}

void PatchedPicture::paintWeights(QPainter& painter, const QRectF& frame, const PictureWeights& weights,
                                  const FigureStyle& style) const
{
    if (weights.parts.empty())
        return;
    if (weights.overlay == Overlay::Cells || !m_isGrid)
        return paintCells(painter, frame, weights, style);
    // Whole dots: else its edge is drawn twice, each time in part.
    const QTransform& dots = painter.deviceTransform();
    const QRectF grid = dots.inverted().mapRect(QRectF(dots.mapRect(rectOf(m_grid, frame)).toRect()));
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(grid, veil(weights, style));
    if (weights.overlay != Overlay::Light || weights.isSigned)
        return;
    const QColor shadow =
        QColor::fromRgbF(0, 0, 0, static_cast<float>(1 - brightness(0))); // where the model sees nothing
    painter.fillRect(QRectF(frame.topLeft(), QPointF(frame.right(), grid.top())), shadow);
    painter.fillRect(QRectF(QPointF(frame.left(), grid.bottom()), frame.bottomRight()), shadow);
    painter.fillRect(QRectF(QPointF(frame.left(), grid.top()), QPointF(grid.left(), grid.bottom())), shadow);
    painter.fillRect(QRectF(QPointF(grid.right(), grid.top()), QPointF(frame.right(), grid.bottom())), shadow);
}

// Weights between the middles of the patches are interpolated, before they become colours.
QImage PatchedPicture::veil(const PictureWeights& weights, const FigureStyle& style) const
{
    constexpr int finest = 512;
    const int rows = m_media->rows;
    const int columns = m_media->columns;
    std::vector<double> cells(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (int index = 0; index < indexSize(m_cells); ++index) {
        const int cell = m_cells[static_cast<std::size_t>(index)];
        const double part = weights.parts[static_cast<std::size_t>(index)];
        if (cell >= 0 && cell < indexSize(cells))
            cells[static_cast<std::size_t>(cell)] = part;
    }
    const int finer = std::clamp(finest / std::max(rows, columns), 1, 8) | 1; // odd: the middles have samples
    struct Between
    {
        int first = 0;
        int second = 0;
        double share = 0; // of the second
    };
    const auto between = [finer](int sample, int count) -> Between {
        const double at = std::clamp((sample + 0.5) / finer - 0.5, 0.0, count - 1.0);
        const int first = static_cast<int>(at);
        return {first, std::min(first + 1, count - 1), at - first};
    };
    QImage image(columns * finer, rows * finer, QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < image.height(); ++y) {
        const Between down = between(y, rows);
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y)); // NOLINT: the documented way to write a line
        for (int x = 0; x < image.width(); ++x) {
            const Between across = between(x, columns);
            const auto inRow = [&](int row) {
                const double* const first = cells.data() + static_cast<std::ptrdiff_t>(row) * columns;
                return std::lerp(first[across.first], first[across.second], across.share);
            };
            line[x] = veilColor(std::lerp(inRow(down.first), inRow(down.second), down.share), weights, style);
        }
    }
    return image;
}

void PatchedPicture::paintCells(QPainter& painter, const QRectF& frame, const PictureWeights& weights,
                                const FigureStyle& style) const
{
    QColor line = style.colors.background;
    line.setAlphaF(0.5F);
    for (int index = 0; index < indexSize(m_boxes); ++index) {
        if (!isPlaced(index))
            continue;
        const double part = weights.parts[static_cast<std::size_t>(index)];
        const QRectF box = rectOf(m_boxes[static_cast<std::size_t>(index)], frame);
        painter.fillRect(box, QColor::fromRgba(qUnpremultiply(veilColor(part, weights, style))));
        painter.setPen(QPen(line, 0.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
    }
}

} // namespace attn::ui
