// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_grid.h"

#include "base/index.h"
#include "base/stop.h"
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_edits.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/tile_range.h"
#include "figures/look/token_label.h"
#include "figures/parts/cell_marks.h"
#include "figures/parts/styled_figure.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace attn::ui {

namespace {

constexpr int thumbnail = 64;
constexpr double wideGap = 8;
constexpr double narrowGap = 5; // between many heads
constexpr int manyHeads = 8;
constexpr double naturalTile = 150;
constexpr double largestTile = 320;
constexpr double widestTile = 1.8; // width by height
constexpr double highestTile = 1.4; // height by what the matrix has
constexpr double worthBreaking = 1.15; // how much larger tiles must get
constexpr float blank = std::numeric_limits<float>::quiet_NaN();
constexpr float lone = std::numeric_limits<float>::infinity();

// Marks what decoder self-attention cannot look at.
void markFuture(Numbers& matrix, const std::vector<AxisGroup>& rows, const std::vector<AxisGroup>& columns)
{
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            float& weight = matrix.values[static_cast<std::size_t>(row) * matrix.columns + column];
            if (isFuture(rows[row], columns[column]) && !(weight > 0))
                weight = blank;
        }
    }
}

// The value of each block that comes last in an order.
template<class Before>
Numbers pooledBy(const Numbers& matrix, int most, const Before& before)
{
    const int rowBlock = (matrix.rows + most - 1) / most;
    const int columnBlock = (matrix.columns + most - 1) / most;
    if (rowBlock <= 1 && columnBlock <= 1)
        return matrix;
    Numbers result;
    result.rows = (matrix.rows + rowBlock - 1) / rowBlock;
    result.columns = (matrix.columns + columnBlock - 1) / columnBlock;
    result.values.assign(static_cast<std::size_t>(result.rows) * result.columns, blank);
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            float& last = result.at(row / rowBlock, column / columnBlock);
            if (const float weight = matrix.at(row, column); std::isnan(last) || before(last, weight))
                last = weight;
        }
    }
    return result;
}

// One head of one run less that of the other; infinity where one of them has the row or the column alone.
Numbers headDifference(FigureSpec spec, const Trace& trace, Site site, int head, std::vector<bool>& leftOut)
{
    spec.site = site;
    spec.head = head;
    const ShownDifference shown = shownDifference(spec, trace);
    Numbers matrix = shown.matrix;
    leftOut = leftOutOfRange(spec, trace, shown);
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            float& value = matrix.at(row, column);
            if (std::isnan(value))
                value = lone;
            else if (site.stage == Stage::Decoder && isBlankInBoth(shown, row, column))
                value = blank;
        }
    }
    return matrix;
}

double aspectOf(const Numbers& matrix)
{
    return std::clamp(static_cast<double>(matrix.rows) / matrix.columns, 0.6, 1.25);
}

// The thumbnails of the heads that both runs have.
void compareHeads(HeadThumbnails& result, const FigureSpec& spec, const Trace& trace, const std::stop_token& stop)
{
    TileRange range(spec);
    std::vector<bool> leftOut;
    for (const Site& site : trace.sites()) {
        const int heads = std::min(trace.heads(site), spec.against->trace.heads(site));
        if (site.stage != spec.site.stage || heads == 0)
            continue;
        for (int head = 0; head < heads; ++head) {
            throwIfStopped(stop);
            Numbers matrix = headDifference(spec, trace, site, head, leftOut);
            range.add(matrix, leftOut, {});
            shareRows(matrix, spec, leftOut);
            if (matrix.rows > 0 && matrix.columns > 0)
                result.aspect = aspectOf(matrix);
            result.tiles.push_back(
                {site, head, result.layers,
                 spec.pooling == Pooling::Mean ? pooledMean(matrix, thumbnail) : pooledDifference(matrix, thumbnail)});
        }
        range.endLayer();
        result.heads = std::max(result.heads, heads);
        ++result.layers;
    }
    range.finish(result);
}

} // namespace

Numbers pooled(const Numbers& matrix, int most)
{
    return pooledBy(matrix, most, [](float a, float b) { return a < b; });
}

Numbers pooledDifference(const Numbers& matrix, int most)
{
    const auto size = [](float value) { return std::isfinite(value) ? std::abs(value) : -1; };
    return pooledBy(matrix, most, [&size](float a, float b) { return size(a) < size(b); });
}

Numbers pooledMean(const Numbers& matrix, int most)
{
    const int rowBlock = (matrix.rows + most - 1) / most;
    const int columnBlock = (matrix.columns + most - 1) / most;
    if (rowBlock <= 1 && columnBlock <= 1)
        return matrix;
    Numbers result = pooled(matrix, most); // what is no number in all of a block stays
    std::vector<double> sums(result.values.size());
    std::vector<int> counts(result.values.size());
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const auto block = static_cast<std::size_t>(row / rowBlock) * result.columns + column / columnBlock;
            if (const float value = matrix.at(row, column); std::isfinite(value)) {
                sums[block] += value;
                ++counts[block];
            }
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (counts[i] > 0)
            result.values[i] = static_cast<float>(sums[i] / counts[i]);
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
    constexpr std::size_t pairing = 4; // times as much as one run
    return rows * columns * heads * (spec.against ? pairing : 1);
}

std::shared_ptr<const HeadThumbnails> headThumbnails(const FigureSpec& spec, const Trace& trace,
                                                     const std::stop_token& stop)
{
    auto result = std::make_shared<HeadThumbnails>();
    if (!trace.has(spec.leaf))
        return result;
    if (spec.against) {
        compareHeads(*result, spec, trace, stop);
        return result;
    }
    const std::vector<Edit> edits = editsOf(trace);
    TileRange range(spec);
    std::vector<bool> leftOut;
    MatrixAxes axes;
    MatrixAxes counted; // for the range
    const FigureSpec counting = countedSpec(spec);
    std::pair<int, int> size{0, 0};
    for (const Site& site : trace.sites()) {
        const int heads = trace.heads(site);
        if (site.stage != spec.site.stage || heads == 0)
            continue;
        for (int head = 0; head < heads; ++head) {
            throwIfStopped(stop);
            Numbers matrix = trace.matrix(site, head, spec.leaf);
            if (size != std::pair{matrix.rows, matrix.columns}) {
                size = {matrix.rows, matrix.columns};
                axes = matrixAxes(spec, trace, matrix.rows, matrix.columns);
                counted = matrixAxes(counting, trace, matrix.rows, matrix.columns);
                leftOut = leftOutOfRange(spec, trace, counted.columnGroups);
            }
            const CellMark edit = headEdit(edits, trace, site, head, matrix);
            if (matrix.rows > 0) {
                Numbers counts = shownValues(counted, matrix, head);
                range.add(counts, leftOut, [&](int row, int column) {
                    return site.stage == Stage::Decoder
                        && isFuture(counted.rowGroups[row], counted.columnGroups[column]);
                });
                const bool same =
                    counted.rows == axes.rows && counted.columns == axes.columns && counted.summed == axes.summed;
                matrix = same ? std::move(counts) : shownValues(axes, std::move(matrix), head);
                shareRows(matrix, spec, leftOut);
            } else {
                range.add(matrix, {}, {});
            }
            if (matrix.rows > 0 && matrix.columns > 0)
                result->aspect = aspectOf(matrix);
            if (site.stage == Stage::Decoder && !matrix.values.empty())
                markFuture(matrix, axes.rowGroups, axes.columnGroups);
            result->tiles.push_back(
                {site, head, result->layers,
                 spec.pooling == Pooling::Mean ? pooledMean(matrix, thumbnail) : pooled(matrix, thumbnail), edit});
        }
        range.endLayer();
        result->heads = std::max(result->heads, heads);
        ++result->layers;
    }
    range.finish(*result);
    return result;
}

namespace {

// Thumbnails of all heads (columns) of all layers (rows) of one stage, on one colour scale. Where that makes them
// larger, the heads of a layer go on in further lines.
class HeadGridFigure final : public StyledFigure
{
public:
    HeadGridFigure(const FigureSpec& spec, const Trace& trace, const std::shared_ptr<const HeadThumbnails>& thumbnails,
                   QSizeF size)
        : StyledFigure(spec, size)
        , m_thumbnails(thumbnails ? thumbnails : std::make_shared<const HeadThumbnails>())
        , m_kind(trace.kind())
    {
        m_title = figureTitle(spec, trace);
        if (spec.title.isEmpty())
            m_title.title = tr("%1, all heads").arg(m_title.title);
        m_title = differenceTitle(std::move(m_title), spec, trace);
        if (hasLone())
            m_title.subtitle += tr(" \u00B7 hatched: in one of the two only");
        m_description =
            tr("%1: %2 layers of %3 heads.").arg(m_title.title, QString::number(rows()), QString::number(columns()));
        if (m_thumbnails->tiles.empty())
            m_empty = m_description = thumbnails ? whyEmpty(spec, trace) : tr("The heads are being drawn");
        m_bar = tilesBar(spec, *m_thumbnails);
        m_ends = ScaleBar{scaleTo(spec, m_thumbnails->largest, spec.against != nullptr), {}};
        std::vector<CellMark> edits;
        for (const HeadThumbnails::Tile& tile : m_thumbnails->tiles) {
            m_boxes.push_back({&tile, 0, 0, {}, pictureOf(tile, tileScale(spec, *m_thumbnails, tile))});
            edits.push_back(tile.edit);
        }
        m_edits = CellMarks(std::move(edits), indexSize(m_thumbnails->tiles), 1);
        layOut();
    }

    FigureHit hitTest(QPointF point) const override
    {
        FigureHit hit;
        for (const Box& box : m_boxes) {
            if (!box.box.contains(point))
                continue;
            const Site site = box.tile->site;
            hit =
                cellHit(box.tile->row, box.tile->head, 0,
                        tr("%1, %2").arg(siteName(site, m_kind), headName(box.tile->head)) + markNote(box.tile->edit));
            hit.part = FigureHit::Part::Head;
            hit.site = site;
            hit.head = box.tile->head;
            return hit;
        }
        for (const Box& box : m_boxes) {
            if (box.column == 0 && box.line == 0 && layerLabel(box).contains(point)) {
                hit.part = FigureHit::Part::RowLabel;
                hit.site = box.tile->site;
                hit.text = siteName(hit.site, m_kind);
                return hit;
            }
        }
        return m_empty ? hit : m_bar.hitAt(point);
    }

    QRectF cellRect(int row, int column) const override // of a thumbnail: layer, head
    {
        const auto found = std::ranges::find_if(
            m_boxes, [row, column](const Box& box) { return box.tile->row == row && box.tile->head == column; });
        return found == m_boxes.end() ? QRectF() : found->box;
    }

    std::optional<ScaleBar> scaleBar() const override
    {
        return m_empty ? std::nullopt : std::optional(ScaleBar{m_ends.scale, m_bar.box});
    }

    int rows() const override { return m_thumbnails->layers; }
    int columns() const override { return m_thumbnails->heads; }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        for (const Box& box : m_boxes) {
            if (box.image.isNull())
                painter.fillRect(box.box, m_style.colors.blank);
            else
                drawCells(painter, box.box, box.image,
                          std::max(1, 256 / std::max(box.image.width(), box.image.height())));
            hatch(painter, box);
            paintLabels(painter, box);
            paintEdit(painter, box);
            painter.setPen(QPen(m_style.colors.grid, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.box);
        }
        paintMarks(painter, highlight);
        m_bar.paint(painter, m_style);
        m_edits.paintLegend(painter, m_style, m_bar.box.bottomLeft());
    }

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

    QImage pictureOf(const HeadThumbnails::Tile& tile, const ValueScale& scale) const
    {
        return cellImage(tile.pooled.rows, tile.pooled.columns, m_style, [&](int row, int column) {
            const float weight = tile.pooled.at(row, column);
            return std::isfinite(weight) ? std::optional(scale.fraction(weight)) : std::nullopt;
        });
    }

    bool hasLone() const
    {
        const auto& tiles = m_thumbnails->tiles;
        return std::ranges::any_of(tiles, [](const HeadThumbnails::Tile& tile) {
            return std::ranges::any_of(tile.pooled.values, [](float value) { return std::isinf(value); });
        });
    }

    static QString whyEmpty(const FigureSpec& spec, const Trace& trace)
    {
        const QString own = missingText(missingAttention(spec, trace), spec, trace);
        return spec.against && trace.heads(spec.site) > 0 ? shownDifference(spec, trace).missing : own;
    }

    // What one of two runs has alone, line by line of cells; lines that are alike make one area.
    void hatch(QPainter& painter, const Box& box) const
    {
        const Numbers& cells = box.tile->pooled;
        const double height = box.box.height() / std::max(1, cells.rows);
        const double width = box.box.width() / std::max(1, cells.columns);
        QRectF area;
        const auto flush = [&](const QRectF& next) {
            if (!area.isNull())
                drawHatching(painter, area, m_style);
            area = next;
        };
        for (int row = 0; row < cells.rows; ++row) {
            for (int column = 0, end = 0; column < cells.columns; column = end) {
                const bool isLone = std::isinf(cells.at(row, column));
                for (end = column; end < cells.columns && std::isinf(cells.at(row, end)) == isLone;)
                    ++end;
                const QRectF run(box.box.left() + column * width, box.box.top() + row * height, (end - column) * width,
                                 height);
                const bool goesOn = qFuzzyCompare(run.left(), area.left()) && qFuzzyCompare(run.right(), area.right());
                if (isLone && goesOn && !area.isNull())
                    area.setBottom(run.bottom());
                else if (isLone)
                    flush(run);
            }
        }
        flush({});
    }

    void layOut()
    {
        const bool natural = m_size.height() <= 0;
        if (m_empty) {
            if (natural)
                m_size.setHeight(m_size.width() * 0.3);
            return;
        }
        const QFontMetricsF metrics(m_style.small);
        const double left = margin + metrics.horizontalAdvance(tr("layer %1").arg(88)) + wideGap;
        const double top = margin + headerHeight() + wideGap;
        const double right = 2 * wideGap + colorBarWidth + m_bar.labelRoom(m_style) + margin;
        const double width = m_size.width() - left - right;
        if (natural) {
            m_lines = fittingLines(width, 1e6, columns());
            m_lines.width = std::min(m_lines.width, naturalTile);
            m_lines.height = m_lines.width * m_thumbnails->aspect;
        } else {
            m_lines = bestLines(width, m_size.height() - top - margin);
        }
        const double across = m_lines.perLine * (m_lines.width + gap());
        placeTiles(left + std::max(0.0, (width - across + gap()) / 2), top);
        m_bar.box.moveLeft(m_bar.box.left() + across + wideGap);
    }

    void placeTiles(double left, double top)
    {
        const double pitch = m_lines.height + gap() + (m_lines.count > 1 ? headBand() : 0);
        double bottom = top;
        for (Box& box : m_boxes) {
            box.column = box.tile->head % m_lines.perLine;
            box.line = box.tile->head / m_lines.perLine;
            const int line = box.tile->row * m_lines.count + box.line;
            box.box = QRectF(left + box.column * (m_lines.width + gap()), top + headBand() + line * pitch,
                             m_lines.width, m_lines.height);
            bottom = std::max(bottom, box.box.bottom());
        }
        const double legend = m_edits.legendHeight(m_style);
        if (m_size.height() <= 0)
            m_size.setHeight(std::max(bottom, top + 70 + legend) + margin);
        const double barTop = top + headBand();
        const double room = m_size.height() - margin - barTop - legend;
        const double barHeight = std::min(std::max(bottom - barTop, std::min(70.0, room)), std::max(room, 20.0));
        m_bar.box = QRectF(left, barTop, colorBarWidth, std::clamp(barHeight, 20.0, 240.0));
    }

    // Tiles that fill a room of this size as well as they can, with so many of a layer in a line.
    Lines fittingLines(double width, double height, int perLine) const
    {
        Lines lines;
        lines.perLine = perLine;
        lines.count = (columns() + perLine - 1) / perLine;
        const int total = lines.count * rows();
        const double bands = lines.count > 1 ? total * headBand() : headBand();
        lines.width = std::clamp((width + gap()) / perLine - gap(), 3.0, largestTile);
        const double room = std::max(3.0, (height - bands + gap()) / total - gap());
        lines.height = std::min(room, lines.width * m_thumbnails->aspect * highestTile);
        lines.width = std::min(lines.width, lines.height * widestTile);
        return lines;
    }

    Lines bestLines(double width, double height) const
    {
        const auto side = [](const Lines& lines) { return std::sqrt(lines.width * lines.height); };
        Lines best = fittingLines(width, height, columns());
        for (int count = 2; count <= columns(); ++count) {
            const Lines broken = fittingLines(width, height, (columns() + count - 1) / count);
            if (side(broken) > side(best) * (best.count == 1 ? worthBreaking : 1.0))
                best = broken;
        }
        return best;
    }

    double gap() const { return columns() > manyHeads ? narrowGap : wideGap; }
    double headBand() const { return QFontMetricsF(m_style.small).height() + 4; } // of a line of head numbers

    void paintLabels(QPainter& painter, const Box& box) const
    {
        const QFontMetricsF metrics(m_style.small);
        painter.setFont(m_style.small);
        painter.setPen(m_style.colors.muted);
        const bool first = box.column == 0;
        const double above = box.box.top() - metrics.height() - 3;
        const QRectF leftOf(0, 0, box.box.left() - wideGap, metrics.height());
        const bool spelled = box.box.width() >= metrics.horizontalAdvance(headName(88));
        if (m_lines.count > 1 || box.tile->row == 0) {
            const QString text = spelled ? headName(box.tile->head) : QString::number(box.tile->head);
            if (metrics.horizontalAdvance(text) <= box.box.width() + gap())
                drawLabel(painter, {box.box.left() - gap() / 2, above, box.box.width() + gap(), metrics.height()},
                          Qt::AlignHCenter, text);
            if (first && !spelled)
                drawLabel(painter, leftOf.translated(0, above), Qt::AlignRight, tr("head"));
        }
        if (first && box.line == 0 && box.box.height() + gap() >= metrics.height())
            drawLabel(painter, layerLabel(box), Qt::AlignRight, tr("layer %1").arg(box.tile->site.layer));
    }

    QRectF layerLabel(const Box& first) const
    {
        const double height = QFontMetricsF(m_style.small).height();
        return {0, first.box.center().y() - height / 2, first.box.left() - wideGap, height};
    }

    // On the ground of the figure, so that it is seen on every colour map.
    void paintEdit(QPainter& painter, const Box& box) const
    {
        if (box.tile->edit == CellMark::Unedited)
            return;
        const double side = std::clamp(box.box.width() * 0.25, 6.0, 14.0);
        const QRectF corner(box.box.right() - side, box.box.top(), side, side);
        if (box.tile->edit == CellMark::Hidden) {
            painter.fillRect(corner, m_style.colors.background);
            return paintMark(painter, box.tile->edit, corner.adjusted(1, 1, -1, -1), m_style.colors.accent);
        }
        painter.setPen(QPen(m_style.colors.background, 1.5));
        painter.setBrush(m_style.colors.accent);
        painter.drawPolygon(QPolygonF({corner.topLeft(), corner.topRight(), corner.bottomRight()}));
    }

    void paintMarks(QPainter& painter, const Highlight& highlight) const
    {
        const auto outline = [&](const Box& box, const QColor& color, double width) {
            painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.drawRect(box.box.adjusted(-2, -2, 2, 2));
        };
        for (const Box& box : m_boxes) {
            if (box.tile->site == highlight.site && box.tile->head == highlight.head)
                outline(box, m_style.colors.accent, 3);
            else if (box.tile->row == highlight.row && box.tile->head == highlight.column)
                outline(box, m_style.colors.cursor, 2);
        }
    }

    std::shared_ptr<const HeadThumbnails> m_thumbnails;
    ModelKind m_kind;
    Lines m_lines;
    ColorBar m_bar;
    ScaleBar m_ends;
    std::vector<Box> m_boxes;
    CellMarks m_edits; // one a tile
};

} // namespace

std::unique_ptr<const Figure> headGridFigure(const FigureSpec& spec, const Trace& trace,
                                             const std::shared_ptr<const HeadThumbnails>& thumbnails, QSizeF size)
{
    return std::make_unique<HeadGridFigure>(spec, trace, thumbnails, size);
}

const FigureKind headGridKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace,
                 QSizeF size) { return headGridFigure(spec, trace, headThumbnails(spec, trace), size); },
    .numbers = heatmapContent,
    .drawsAllHeads = true};

} // namespace attn::ui
