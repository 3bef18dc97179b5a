// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_grid.h"

#include "figures/kinds/heatmap.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr int thumbnail = 64;
constexpr double gridMargin = 12;
constexpr double wideGap = 8;
constexpr double narrowGap = 5; // between many heads
constexpr int manyHeads = 8;
constexpr double naturalTile = 150;
constexpr double largestTile = 320;
constexpr double widestTile = 1.8; // width by height
constexpr double highestTile = 1.4; // height by what the matrix has
constexpr double worthBreaking = 1.15; // how much larger tiles must get
constexpr float future = -1;

// Viewers smooth embedded images, so each pixel becomes a block of several dots.
QImage enlargedTile(const QImage& image)
{
    const int factor = std::max(1, 256 / std::max(image.width(), image.height()));
    return image.scaled(image.width() * factor, image.height() * factor);
}

// Marks what decoder self-attention cannot look at.
void markFuture(Numbers& matrix, const std::vector<AxisGroup>& rows, const std::vector<AxisGroup>& columns)
{
    for (int row = 0; row < matrix.rows; ++row) {
        const AxisGroup& query = rows[row];
        for (int column = 0; column < matrix.columns; ++column) {
            float& weight = matrix.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.columns)
                                          + static_cast<std::size_t>(column)];
            if (columns[column].first >= query.first + query.count && !(weight > 0))
                weight = future;
        }
    }
}

std::vector<AxisGroup> shownGroups(const std::vector<AxisGroup>& groups, const std::vector<int>& indices)
{
    std::vector<AxisGroup> shown;
    for (const int index : indices)
        shown.push_back(groups[index]);
    return shown;
}

} // namespace

Numbers pooled(const Numbers& matrix, int most)
{
    const int rowBlock = (matrix.rows + most - 1) / most;
    const int columnBlock = (matrix.columns + most - 1) / most;
    if (rowBlock <= 1 && columnBlock <= 1)
        return matrix;
    Numbers result;
    result.rows = (matrix.rows + rowBlock - 1) / rowBlock;
    result.columns = (matrix.columns + columnBlock - 1) / columnBlock;
    result.values.assign(static_cast<std::size_t>(result.rows) * static_cast<std::size_t>(result.columns), future);
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const auto at = static_cast<std::size_t>(row / rowBlock) * static_cast<std::size_t>(result.columns)
                + static_cast<std::size_t>(column / columnBlock);
            result.values[at] = std::max(result.values[at], matrix.at(row, column));
        }
    }
    return result;
}

std::size_t thumbnailCost(const FigureSpec& spec, const Trace& trace)
{
    if (trace.sites().empty())
        return 0;
    const std::size_t rows =
        spec.site.stage == Stage::Encoder ? trace.source().size() : trace.rowPath(spec.leaf).size();
    const std::size_t columns = spec.site.stage == Stage::Decoder ? rows : trace.source().size();
    std::size_t heads = 0;
    for (const Site& site : trace.sites())
        heads += site.stage == spec.site.stage ? static_cast<std::size_t>(trace.heads(site)) : 0;
    return rows * columns * heads;
}

std::shared_ptr<const HeadThumbnails> headThumbnails(const FigureSpec& spec, const Trace& trace)
{
    auto result = std::make_shared<HeadThumbnails>();
    if (spec.leaf >= trace.stepCount())
        return result;
    std::vector<float> largest;
    MatrixAxes axes;
    std::pair<int, int> size{0, 0};
    for (const Site& site : trace.sites()) {
        const int heads = trace.heads(site);
        if (site.stage != spec.site.stage || heads == 0)
            continue;
        for (int head = 0; head < heads; ++head) {
            Numbers matrix = trace.matrix(site, head, spec.leaf);
            if (size != std::pair{matrix.rows, matrix.columns}) {
                size = {matrix.rows, matrix.columns};
                axes = matrixAxes(spec, trace, matrix.rows, matrix.columns);
            }
            if (matrix.rows > 0)
                matrix = shownValues(axes, std::move(matrix), head);
            if (!matrix.values.empty())
                largest.push_back(std::ranges::max(matrix.values));
            if (matrix.rows > 0 && matrix.columns > 0)
                result->aspect = std::clamp(static_cast<double>(matrix.rows) / matrix.columns, 0.6, 1.25);
            if (site.stage == Stage::Decoder && !matrix.values.empty())
                markFuture(matrix, shownGroups(axes.allRows, axes.rows), shownGroups(axes.allColumns, axes.columns));
            result->tiles.push_back({site, head, result->layers, pooled(matrix, thumbnail)});
        }
        result->heads = std::max(result->heads, heads);
        ++result->layers;
    }
    result->largest = weightScaleEnd(largest);
    return result;
}

HeadGridFigure::HeadGridFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
    : HeadGridFigure(spec, trace, headThumbnails(spec, trace), size)
{
}

HeadGridFigure::HeadGridFigure(const FigureSpec& spec, const Trace& trace,
                               std::shared_ptr<const HeadThumbnails> thumbnails, QSizeF size)
    : m_thumbnails(std::move(thumbnails))
    , m_style(spec)
    , m_title(figureTitle(spec, trace))
    , m_kind(trace.kind())
{
    m_empty = m_thumbnails ? missingAttention(spec, trace) : QStringLiteral("The heads are being drawn");
    if (!m_thumbnails)
        m_thumbnails = std::make_shared<const HeadThumbnails>();
    if (spec.title.isEmpty())
        m_title.title += QStringLiteral(", all heads");
    const bool empty = m_thumbnails->tiles.empty();
    m_description = empty
        ? m_empty
        : QStringList{m_title.title,
                      QStringLiteral(": %1 layers of %2 heads.").arg(m_thumbnails->layers).arg(m_thumbnails->heads)}
              .join(QString());
    m_bar = {0, m_thumbnails->largest, QStringLiteral("attention weight"), {}};
    for (const HeadThumbnails::Tile& tile : m_thumbnails->tiles) {
        m_boxes.push_back({&tile, 0, 0, {}, {}});
        draw(m_boxes.back());
    }
    layOut(size);
}

void HeadGridFigure::draw(Box& box) const
{
    const Numbers& matrix = box.tile->pooled;
    if (matrix.rows == 0 || matrix.columns == 0)
        return;
    const ColorTable& table = colorTable(m_style.colorMap);
    const QRgb blank = m_style.colors.blank.rgb();
    box.image = QImage(matrix.columns, matrix.rows, QImage::Format_RGB32);
    for (int row = 0; row < matrix.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(box.image.scanLine(row)); // NOLINT: the documented way to write a line
        for (int column = 0; column < matrix.columns; ++column) {
            const float weight = matrix.at(row, column);
            const double part = static_cast<double>(weight) / m_bar.most;
            const auto index = part > 0 ? static_cast<std::size_t>(std::min(part, 1.0) * 255 + 0.5) : 0U;
            line[column] = weight < 0 ? blank : table[index];
        }
    }
}

double HeadGridFigure::gap() const
{
    return m_thumbnails->heads > manyHeads ? narrowGap : wideGap;
}

double HeadGridFigure::headBand() const
{
    return QFontMetricsF(m_style.small).height() + 4;
}

// Tiles that fill a room of this size as well as they can, with so many of a layer in a line.
HeadGridFigure::Lines HeadGridFigure::fittingLines(double width, double height, int perLine) const
{
    Lines lines;
    lines.perLine = perLine;
    lines.count = (m_thumbnails->heads + perLine - 1) / perLine;
    const int total = lines.count * m_thumbnails->layers;
    const double bands = lines.count > 1 ? total * headBand() : headBand();
    lines.width = std::clamp((width + gap()) / perLine - gap(), 3.0, largestTile);
    const double room = std::max(3.0, (height - bands + gap()) / total - gap());
    lines.height = std::min(room, lines.width * m_thumbnails->aspect * highestTile);
    lines.width = std::min(lines.width, lines.height * widestTile);
    return lines;
}

HeadGridFigure::Lines HeadGridFigure::bestLines(double width, double height) const
{
    const auto area = [](const Lines& lines) { return std::sqrt(lines.width * lines.height); };
    Lines best = fittingLines(width, height, m_thumbnails->heads);
    for (int count = 2; count <= m_thumbnails->heads; ++count) {
        const Lines broken = fittingLines(width, height, (m_thumbnails->heads + count - 1) / count);
        if (area(broken) > area(best) * (best.count == 1 ? worthBreaking : 1.0))
            best = broken;
    }
    return best;
}

void HeadGridFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    const bool natural = wanted.height() <= 0;
    if (m_boxes.empty()) {
        if (natural)
            m_size.setHeight(wanted.width() * 0.3);
        return;
    }
    const QFontMetricsF metrics(m_style.small);
    const double left = gridMargin + metrics.horizontalAdvance(QStringLiteral("layer 88")) + wideGap;
    const double top = gridMargin + headerHeight(m_style) + wideGap;
    const double right = 2 * wideGap + colorBarWidth + m_bar.labelRoom(m_style) + gridMargin;
    const double width = wanted.width() - left - right;
    if (natural) {
        m_lines = fittingLines(width, 1e6, m_thumbnails->heads);
        m_lines.width = std::min(m_lines.width, naturalTile);
        m_lines.height = m_lines.width * m_thumbnails->aspect;
    } else {
        m_lines = bestLines(width, wanted.height() - top - gridMargin);
    }
    placeTiles(m_lines, wanted, left, right, top);
}

void HeadGridFigure::placeTiles(const Lines& lines, QSizeF wanted, double left, double right, double top)
{
    const double slack = wanted.width() - left - right - lines.perLine * (lines.width + gap()) + gap();
    const double start = left + std::max(0.0, slack / 2);
    const bool broken = lines.count > 1;
    const double pitch = lines.height + gap() + (broken ? headBand() : 0);
    double bottom = top;
    for (Box& box : m_boxes) {
        box.column = box.tile->head % lines.perLine;
        box.line = box.tile->head / lines.perLine;
        const int line = box.tile->row * lines.count + box.line;
        box.box = QRectF(start + box.column * (lines.width + gap()), top + headBand() + line * pitch, lines.width,
                         lines.height);
        bottom = std::max(bottom, box.box.bottom());
    }
    if (wanted.height() <= 0)
        m_size.setHeight(std::max(bottom, top + 70) + gridMargin);
    const double barTop = top + headBand();
    const double barHeight = std::max(bottom - barTop, std::min(70.0, m_size.height() - gridMargin - barTop));
    m_bar.box = QRectF(start + lines.perLine * (lines.width + gap()) + wideGap, barTop, colorBarWidth,
                       std::clamp(barHeight, 20.0, 240.0));
}

QRectF HeadGridFigure::cellRect(int row, int column) const
{
    const auto found = std::ranges::find_if(
        m_boxes, [row, column](const Box& box) { return box.tile->row == row && box.tile->head == column; });
    return found == m_boxes.end() ? QRectF() : found->box;
}

void HeadGridFigure::paintLabels(QPainter& painter, const Box& box) const
{
    const QFontMetricsF metrics(m_style.small);
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    const bool first = box.column == 0;
    const double above = box.box.top() - metrics.height() - 3;
    const QRectF leftOf(0, 0, box.box.left() - wideGap, metrics.height());
    const bool spelled = box.box.width() >= metrics.horizontalAdvance(QStringLiteral("head 88"));
    if (m_lines.count > 1 || box.tile->row == 0) {
        const QString text = spelled ? QStringLiteral("head %1").arg(box.tile->head) : QString::number(box.tile->head);
        if (metrics.horizontalAdvance(text) <= box.box.width() + gap())
            drawLabel(painter, {box.box.left() - gap() / 2, above, box.box.width() + gap(), metrics.height()},
                      Qt::AlignHCenter, text);
        if (first && !spelled)
            drawLabel(painter, leftOf.translated(0, above), Qt::AlignRight, QStringLiteral("head"));
    }
    if (first && box.line == 0 && box.box.height() + gap() >= metrics.height())
        drawLabel(painter, leftOf.translated(0, box.box.center().y() - metrics.height() / 2), Qt::AlignRight,
                  QStringLiteral("layer %1").arg(box.tile->site.layer));
}

void HeadGridFigure::paintMarks(QPainter& painter, const Highlight& highlight) const
{
    for (const Box& box : m_boxes) {
        const bool cursor = box.tile->row == highlight.row && box.tile->head == highlight.column;
        if (box.tile->site == highlight.site && box.tile->head == highlight.head)
            painter.setPen(QPen(m_style.colors.accent, 3, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        else if (cursor)
            painter.setPen(QPen(m_style.colors.cursor, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        else
            continue;
        painter.drawRect(box.box.adjusted(-2, -2, 2, 2));
    }
}

void HeadGridFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    if (m_boxes.empty()) {
        paintEmpty(painter, m_style, m_size, m_empty);
        return;
    }
    paintHeader(painter, m_style, m_title, gridMargin, m_size.width() - gridMargin);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    const bool raster = isRaster(painter);
    for (const Box& box : m_boxes) {
        if (box.image.isNull())
            painter.fillRect(box.box, m_style.colors.blank);
        else
            painter.drawImage(box.box, raster ? box.image : enlargedTile(box.image));
        paintLabels(painter, box);
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawRect(box.box);
    }
    paintMarks(painter, highlight);
    m_bar.paint(painter, m_style);
}

FigureHit HeadGridFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    for (const Box& box : m_boxes) {
        if (!box.box.contains(point))
            continue;
        hit.part = FigureHit::Part::Head;
        hit.row = box.tile->row;
        hit.column = box.tile->head;
        hit.site = box.tile->site;
        hit.head = box.tile->head;
        hit.text = QStringLiteral("%1, head %2").arg(siteName(hit.site, m_kind)).arg(hit.head);
        return hit;
    }
    if (!m_boxes.empty() && m_bar.box.contains(point)) {
        hit.part = FigureHit::Part::ColorBar;
        hit.value = static_cast<float>(m_bar.valueAt(point.y()));
        hit.text = QStringLiteral("attention weight: %1").arg(significant(m_bar.valueAt(point.y()), 3));
    }
    return hit;
}

const FigureKind headGridKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<HeadGridFigure>(spec, trace, size);
    },
    .numbers = heatmapContent,
    .drawsAllHeads = true};

} // namespace attn::ui
