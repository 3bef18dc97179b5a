// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_grid.h"

#include "base/index.h"
#include "base/progress.h"
#include "figures/kinds/head_notes.h"
#include "figures/kinds/head_tiles.h"
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/tile_range.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/cell_marks.h"
#include "figures/parts/no_numbers.h"
#include "maps/map.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr double wideGap = 8;
constexpr double narrowGap = 5; // between many heads
constexpr int manyHeads = 8;
constexpr int manyTiles = 60;
constexpr double worthFlowing = 1.3; // how much larger tiles must get where layers have no lines of their own
constexpr double smallestNoted = 3; // height of a tile with a note above it, by the note's
constexpr double mostBar = 240;
constexpr double enlargedSide = 250; // of a tile that is pointed at
constexpr double mostWord = 70; // width of a word beside it
constexpr double worthEnlarging = 1.25; // times its side

// Thumbnails of all heads (columns) of all layers (rows) of one stage, on one colour scale. Where that makes them
// larger, the heads of a layer go on in further lines; sorted, they stand under headings.
class HeadGridFigure final : public HeadGrid
{
public:
    HeadGridFigure(const FigureSpec& spec, const Trace& trace, const std::shared_ptr<const HeadThumbnails>& thumbnails,
                   const std::shared_ptr<const HeadFacts>& facts, QSizeF size)
        : HeadGrid(spec, size)
        , m_thumbnails(thumbnails ? thumbnails : std::make_shared<const HeadThumbnails>())
        , m_notes(spec, facts, headsOf(*m_thumbnails))
        , m_kind(trace.kind())
        , m_legend(!spec.noLegend)
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
            m_empty = m_description = thumbnails ? missingText(spec.shownRuns(trace).axes(spec.mapSpec()), spec, trace)
                                                 : tr("The heads are being drawn");
        qint64 cells = 0;
        qint64 noNumbers = 0;
        for (const HeadThumbnails::Tile& tile : m_thumbnails->tiles) {
            cells += tile.pooled.cells;
            noNumbers += tile.pooled.noNumbers;
        }
        addNote(m_title, m_description, noNumbersNote(noNumbers, cells));
        m_bar = tilesBar(spec, *m_thumbnails);
        m_ends = ScaleBar{scaleTo(spec, m_thumbnails->largest, spec.isSigned()), {}};
        std::vector<CellMark> edits;
        for (const HeadThumbnails::Tile& tile : m_thumbnails->tiles) {
            while (indexSize(m_rowStarts) <= tile.row)
                m_rowStarts.push_back(m_boxes.size());
            m_boxes.push_back({&tile, {}, {}, pictureOf(tile, tileScale(spec, *m_thumbnails, tile))});
            edits.push_back(tile.edit);
        }
        m_rowStarts.push_back(m_boxes.size());
        m_written = writtenShare(spec, trace);
        readRows(spec, trace);
        takePicked(spec, trace);
        m_sections = m_notes.words().sections(headsOf(*m_thumbnails));
        if (!m_sections.empty())
            m_description += tr(" %1.").arg(m_sections.front().text());
        m_edits = CellMarks(std::move(edits), indexSize(m_thumbnails->tiles), 1);
        layOut();
        m_read.resize(m_boxes.size());
        std::iota(m_read.begin(), m_read.end(), std::size_t{0});
        std::ranges::sort(m_read, {}, [this](std::size_t index) { return cornerOf(m_boxes[index]); });
    }

    FigureHit hitTest(QPointF point) const override
    {
        FigureHit hit;
        const Boxes near = boxesNear(QRectF(point, QSizeF()));
        for (const Box& box : near) {
            if (box.box.contains(point))
                return hitOf(box);
        }
        for (const Box& box : near) {
            if (box.firstOfLayer && layerLabel(box).contains(point)) {
                hit.part = FigureHit::Part::RowLabel;
                hit.site = box.tile->site;
                hit.text = siteName(hit.site, m_kind);
                return hit;
            }
        }
        if (m_empty || !m_legend || !m_notes.bar() || !m_notes.bar()->box.contains(point))
            return m_empty || !m_legend ? hit : m_bar.hitAt(point);
        hit = m_notes.bar()->hitAt(point);
        hit.part = FigureHit::Part::Nothing; // no scale of weights
        return hit;
    }

    QRectF cellRect(int row, int column) const override // of a thumbnail: layer, head
    {
        const Box* const found = boxAt(row, column);
        return found == nullptr ? QRectF() : found->box;
    }

    FigureTable table() const override
    {
        FigureTable table = StyledFigure::table();
        table.text = table.tip = [this](FigureCell cell) -> QString {
            if (cell.row == FigureTable::header)
                return headName(cell.column);
            const Box* const box = boxAt(cell.row, std::max(0, cell.column));
            return box == nullptr                    ? tr("no such head")
                : cell.column == FigureTable::header ? siteName(box->tile->site, m_kind)
                                                     : hitOf(*box).text;
        };
        return table;
    }

    std::optional<ScaleBar> scaleBar() const override
    {
        return m_empty ? std::nullopt : std::optional(ScaleBar{m_ends.scale, m_bar.box});
    }

    int rows() const override { return m_thumbnails->layers; }
    int columns() const override { return m_thumbnails->heads; }

    std::optional<HeadPlace> nextTo(HeadPlace from, QPointF side) const override
    {
        const Box* const here = boxOf(from);
        if (here == nullptr)
            return m_read.empty() ? std::nullopt : std::optional(placeOf(m_boxes[m_read.front()]));
        const bool across = side.x() != 0;
        const double half = here->box.height() / 2;
        const Box* best = nullptr;
        double least = 0;
        // Returns whether what comes later may be better.
        const auto compare = [&](const Box& box) {
            const QPointF way = box.box.center() - here->box.center();
            const double along = QPointF::dotProduct(way, side);
            const double aside = std::abs(QPointF::dotProduct(way, {side.y(), side.x()}));
            if (across ? way.y() >= half : best != nullptr && along >= least)
                return false;
            constexpr double straight = 4; // better than near
            const double cost = along + straight * aside;
            if (along >= 1 && (!across || aside < half) && (best == nullptr || cost < least)) {
                least = cost;
                best = &box;
            }
            return true;
        };
        const auto walk = [&](auto next, auto end) {
            while (next != end && compare(m_boxes[*next]))
                ++next;
        };
        const auto line = readFrom({here->box.top() - (across ? half : 0.0), leftmost});
        if (side.y() < 0)
            walk(std::make_reverse_iterator(line), m_read.rend());
        else
            walk(line, m_read.end());
        return best == nullptr ? std::nullopt : std::optional(placeOf(*best));
    }

    std::vector<HeadPlace> between(HeadPlace a, HeadPlace b) const override
    {
        const Box* const first = boxOf(a);
        const Box* const last = boxOf(b);
        if (first == nullptr || last == nullptr)
            return {b};
        const auto [from, to] = std::minmax({cornerOf(*first), cornerOf(*last)});
        std::vector<HeadPlace> places;
        for (auto next = readFrom(from); next != m_read.end() && cornerOf(m_boxes[*next]) <= to; ++next)
            places.push_back(placeOf(m_boxes[*next]));
        return places;
    }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        const Boxes seen = boxesNear(exposed(painter));
        for (const Box& box : seen) {
            ThreadStop::check();
            paintMap(painter, box);
            paintLabels(painter, box);
            m_notes.paintMeter(painter, m_style, keyOf(box), box.box, gap());
            if (!box.band.isNull())
                m_notes.paint(painter, m_style, keyOf(box), box.band, nameOf(box));
            paintEdit(painter, box);
            if (box.tile->pooled.noNumbers > 0)
                drawNoNumberCorner(painter, box.box, m_style);
            painter.setPen(QPen(m_style.colors.grid, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.box);
            paintChosenRow(painter, chosenRow(box.box), m_style.colors.accent, 1.5);
        }
        paintMarks(painter, seen, highlight);
        for (const Box& box : seen) {
            if (highlight.isAt({box.tile->row, box.tile->head}))
                paintEnlarged(painter, box);
        }
        for (std::size_t i = 0; i < m_headings.size(); ++i)
            drawLabel(painter, m_style.font, m_style.colors.ink, m_headings[i], Qt::AlignLeft, headingOf(i));
        if (!m_legend)
            return;
        m_bar.paint(painter, m_style);
        ui::paintLegend(painter, m_style, m_bar.box.bottomLeft(), m_edits.legend(m_style));
        if (m_notes.bar())
            m_notes.bar()->paint(painter, m_style);
        drawLabel(painter, m_style.small, m_style.colors.muted, m_legendBox, Qt::AlignLeft, m_notes.legend());
    }

private:
    struct Box
    {
        const HeadThumbnails::Tile* tile = nullptr;
        QRectF box;
        QRectF band; // above it, for its name and what is said of it; null: there is none
        QImage image;
        bool firstOfLayer = false; // the layer's name stands left of it
        bool picked = false; // one of several
    };
    using Boxes = std::vector<std::reference_wrapper<const Box>>;

    const Box* boxAt(int row, int column) const // null: the layer has no such head
    {
        if (row < 0 || column < 0 || row + 1 >= indexSize(m_rowStarts))
            return nullptr;
        const std::size_t index = m_rowStarts[row] + static_cast<std::size_t>(column);
        return index < m_rowStarts[row + 1] ? &m_boxes[index] : nullptr;
    }

    // Thumbnails are made layer by layer and head by head. As many as there are boxes: there is none.
    std::size_t indexOf(const HeadKey& head) const
    {
        const auto found = std::ranges::lower_bound(m_boxes, head, {}, keyOf);
        const bool there = found != m_boxes.end() && keyOf(*found) == head;
        return there ? static_cast<std::size_t>(found - m_boxes.begin()) : m_boxes.size();
    }
    const Box* boxOf(HeadPlace place) const // null: there is none
    {
        const Stage stage = m_boxes.empty() ? Stage() : m_boxes.front().tile->site.stage;
        const std::size_t index = indexOf({{stage, place.layer}, place.head});
        return index < m_boxes.size() ? &m_boxes[index] : nullptr;
    }

    // --- in the order of m_read
    using Corner = std::pair<double, double>; // top before left
    static constexpr double leftmost = -std::numeric_limits<double>::infinity();
    static Corner cornerOf(const Box& box) { return {box.box.top(), box.box.left()}; }
    std::vector<std::size_t>::const_iterator readFrom(Corner corner) const
    {
        return std::ranges::lower_bound(m_read, corner, {},
                                        [this](std::size_t index) { return cornerOf(m_boxes[index]); });
    }

    // Boxes that reach into the area, by themselves or by what is written around them.
    Boxes boxesNear(QRectF area) const
    {
        Boxes found;
        if (m_boxes.empty())
            return found;
        const double around = std::max(band(), lineHeight()) + wideGap;
        area.adjust(-around, -around, around, around);
        const double height = m_boxes.front().box.height(); // as all
        for (auto next = readFrom({area.top() - height, leftmost}); next != m_read.end(); ++next) {
            const Box& box = m_boxes[*next];
            if (box.box.top() > area.bottom())
                break;
            if ((box.firstOfLayer ? 0.0 : box.box.left()) <= area.right() && box.box.right() >= area.left())
                found.emplace_back(box);
        }
        return found;
    }

    using StyledFigure::hitOf;
    FigureHit hitOf(const Box& box) const
    {
        const Site site = box.tile->site;
        FigureHit hit =
            cellHit(box.tile->row, box.tile->head, 0,
                    tr("%1, %2").arg(siteName(site, m_kind), headName(box.tile->head)) + markNote(box.tile->edit));
        if (const QString known = m_notes.words().sentence(keyOf(box)); !known.isEmpty())
            hit.text += QStringLiteral(": ") + known;
        if (const QString note = noNumbersNote(box.tile->pooled.noNumbers, box.tile->pooled.cells); !note.isEmpty())
            hit.text += QStringLiteral(" \u00B7 ") + note;
        hit.part = FigureHit::Part::Head;
        hit.site = site;
        hit.head = box.tile->head;
        return hit;
    }

    static HeadKey keyOf(const Box& box) { return {box.tile->site, box.tile->head}; }
    static HeadPlace placeOf(const Box& box) { return {box.tile->site.layer, box.tile->head}; }
    static std::vector<HeadKey> headsOf(const HeadThumbnails& thumbnails)
    {
        std::vector<HeadKey> heads;
        for (const HeadThumbnails::Tile& tile : thumbnails.tiles)
            heads.emplace_back(tile.site, tile.head);
        return heads;
    }

    // With its rule where there is room for both.
    QString headingOf(std::size_t section) const
    {
        const QString whole = m_sections[section].text();
        const bool fits = labelWidth(whole, QFontMetricsF(m_style.font)) <= m_headings[section].width();
        return fits ? whole : m_sections[section].heading;
    }

    QImage pictureOf(const HeadThumbnails::Tile& tile, const ValueScale& scale) const
    {
        const PooledMap& map = tile.pooled;
        return cellImage(map.numbers.rows, map.numbers.columns, m_style, [&](int row, int column) {
            return map.state(row, column) >= CellState::Blank
                ? std::nullopt
                : std::optional(scale.fraction(map.numbers.at(row, column)));
        });
    }

    bool hasLone() const
    {
        const auto& tiles = m_thumbnails->tiles;
        return std::ranges::any_of(tiles, [](const HeadThumbnails::Tile& tile) {
            return std::ranges::any_of(tile.pooled.states, [](CellState state) { return state > CellState::Blank; });
        });
    }

    // The part of each tile that is written, where the figure fills as rows are.
    static QSizeF writtenShare(const FigureSpec& spec, const Trace& trace)
    {
        if (!spec.untilStep)
            return {1, 1};
        const Map axes = spec.shownRuns(trace).axes(spec.mapSpec());
        const auto share = [](int written, const MapAxis& axis) {
            const int all = indexSize(axis.groups);
            return written < all ? double{1} * written / all : 1;
        };
        const WrittenPart part = writtenPart(spec, trace, axes);
        return {share(part.columns, axes.columns), share(part.rows, axes.rows)};
    }

    void paintMap(QPainter& painter, const Box& box) const
    {
        const SavedPainter saved(painter);
        if (m_written != QSizeF(1, 1))
            painter.setClipRect(
                QRectF(box.box.topLeft(),
                       QSizeF(box.box.width() * m_written.width(), box.box.height() * m_written.height())),
                Qt::IntersectClip);
        if (box.image.isNull())
            painter.fillRect(box.box, m_style.colors.blank);
        else
            drawCells(painter, box.box, box.image, std::max(1, 256 / std::max(box.image.width(), box.image.height())));
        hatch(painter, box);
    }

    // Cells that one of two runs has alone, line by line; lines that are alike make one area.
    void hatch(QPainter& painter, const Box& box) const
    {
        const PooledMap& pooled = box.tile->pooled;
        const Numbers& cells = pooled.numbers;
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
                const bool isLone = pooled.isLone(row, column);
                for (end = column; end < cells.columns && pooled.isLone(row, end) == isLone;)
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

    void takePicked(const FigureSpec& spec, const Trace& trace)
    {
        for (const HeadPlace& place : spec.heads.existing(trace, spec.site)) {
            const std::size_t index = indexOf({{spec.site.stage, place.layer}, place.head});
            if (index < m_boxes.size())
                m_boxes[index].picked = true;
        }
    }

    double gap() const
    {
        const bool many = m_sections.empty() ? columns() > manyHeads : indexSize(m_boxes) > manyTiles;
        return many ? narrowGap : wideGap;
    }
    double lineHeight() const { return QFontMetricsF(m_style.small).height(); }
    double band() const { return m_notes.band(m_style); } // above a line of tiles

    // By place each layer has its lines; sorted, or where that wastes the room, tiles follow each other.
    void layOut()
    {
        const bool natural = m_size.height() <= 0;
        if (hasNothing())
            return;
        place();
        // Small tiles need their room themselves.
        if (m_notes.areTexts() && !natural && m_boxes.front().box.height() < smallestNoted * band()) {
            m_notes.leaveTextsOut();
            place();
        }
        m_notes.fit(m_style, m_boxes.front().box.width(), nameOf(m_boxes.back()));
        placeBars();
    }

    void place()
    {
        const QFontMetricsF metrics(m_style.small);
        const double labels = metrics.horizontalAdvance(tr("layer %1").arg(88)) + wideGap;
        const double top = margin + headerHeight() + wideGap;
        double bars = m_bar.labelRoom(m_style);
        if (m_notes.bar())
            bars = std::max(bars, m_notes.bar()->labelRoom(m_style));
        const double right = (m_legend ? 2 * wideGap + colorBarWidth + bars : 0) + margin;
        const double below = margin + (m_notes.areKinds() ? lineHeight() + wideGap : 0); // for their legend
        const double height = m_size.height() > 0 ? m_size.height() - top - below : 0;
        const auto roomFrom = [&](double left) { return QRectF(left, top, m_size.width() - left - right, height); };
        TileRoom room{roomFrom(margin), m_thumbnails->aspect, gap(), band()};
        std::vector<int> counts;
        if (m_sections.empty()) {
            for (const Box& box : m_boxes) {
                counts.resize(std::max(counts.size(), static_cast<std::size_t>(box.tile->row) + 1));
                ++counts[static_cast<std::size_t>(box.tile->row)];
            }
            TileRoom flowing = room;
            flowing.whole = std::max(1, std::ranges::max(counts));
            room.room = roomFrom(margin + labels);
            room.bandOnce = !m_notes.areTexts();
            room.keepsSections = true;
            const TileLayout lines = layOutTiles(counts, room);
            const TileLayout flow = layOutTiles({indexSize(m_boxes)}, flowing);
            const bool flows = height > 0 && counts.size() > 1 && flow.area() > lines.area() * worthFlowing;
            take(flows ? flow : lines, flows, room.bandOnce);
            return;
        }
        room.heading = QFontMetricsF(m_style.font).height() + 6;
        for (const HeadSection& section : m_sections) {
            counts.push_back(indexSize(section.heads));
            room.leastSection = std::max(room.leastSection, labelWidth(section.heading, QFontMetricsF(m_style.font)));
        }
        take(layOutTiles(counts, room), true, false);
    }

    // The places of the tiles in their order, in the middle of the figure.
    void take(const TileLayout& layout, bool flows, bool bandOnce)
    {
        std::vector<Box*> order;
        for (const HeadSection& section : m_sections) {
            for (const HeadKey& head : section.heads)
                order.push_back(&m_boxes[indexOf(head)]);
        }
        if (m_sections.empty())
            std::ranges::transform(m_boxes, std::back_inserter(order), [](Box& box) { return &box; });
        m_flows = flows;
        const double right = layout.headings.empty() ? 0 : layout.headings.front().right(); // of the room
        const double shift = layout.tiles.empty() ? 0 : (right - layout.tiles.front().left() - layout.across) / 2;
        const double aside = std::max(0.0, m_sections.empty() ? shift : 0.0);
        int row = -1;
        for (std::size_t i = 0; i < order.size(); ++i) {
            Box& box = *order[i];
            box.box = layout.tiles[i].translated(aside, 0);
            box.firstOfLayer = !flows && std::exchange(row, box.tile->row) != box.tile->row;
            const bool banded = flows || !bandOnce || layout.broken || box.tile->row == 0;
            box.band =
                banded ? QRectF(box.box.left(), box.box.top() - band(), box.box.width(), lineHeight()) : QRectF();
        }
        m_headings = m_sections.empty() ? std::vector<QRectF>() : layout.headings;
        m_top = layout.tiles.empty() ? 0 : layout.tiles.front().top();
        m_bottom = layout.bottom;
        m_right = layout.tiles.empty() ? 0 : layout.tiles.front().left() + aside + layout.across;
    }

    void placeBars()
    {
        const double top = m_top;
        const double edits = legendHeight(m_style, m_edits.legend(m_style));
        const double kinds = m_notes.legend().isEmpty() ? 0 : lineHeight() + wideGap;
        const double least = 70 + edits + (m_notes.bar() ? 70 + 2 * wideGap : 0);
        if (m_size.height() <= 0)
            m_size.setHeight(std::max(m_bottom, top + least) + kinds + margin);
        if (!m_notes.legend().isEmpty())
            m_legendBox =
                QRectF(margin, m_size.height() - margin - lineHeight(), m_size.width() - 2 * margin, lineHeight());
        const double room = m_size.height() - margin - kinds - top - edits;
        const double all = std::min(std::max(m_bottom - top, std::min(least, room)), std::max(room, 20.0));
        const double left = m_right + 2 * wideGap;
        const double each = m_notes.bar() ? (all - 3 * wideGap) / 2 : all;
        m_bar.box = QRectF(left, top, colorBarWidth, std::clamp(each, 20.0, mostBar));
        if (m_notes.bar())
            m_notes.bar()->box =
                QRectF(left, m_bar.box.bottom() + edits + 3 * wideGap, colorBarWidth, m_bar.box.height());
    }

    // The head's name, shortened to fit.
    QString nameOf(const Box& box) const
    {
        const bool oneHead = columns() == 1;
        if (m_flows)
            return oneHead ? tr("layer %1").arg(box.tile->site.layer)
                           : tr("L%1 H%2").arg(box.tile->site.layer).arg(box.tile->head);
        const bool spelled = m_boxes.front().box.width()
            >= QFontMetricsF(m_style.small).horizontalAdvance(headName(88)) * (m_notes.areTexts() ? 2 : 1);
        return spelled ? headName(box.tile->head) : QString::number(box.tile->head);
    }

    void paintLabels(QPainter& painter, const Box& box) const
    {
        const QFontMetricsF metrics(m_style.small);
        painter.setFont(m_style.small);
        painter.setPen(m_style.colors.muted);
        if (!box.band.isNull()) {
            const QString text = nameOf(box);
            const QRectF band = box.band.adjusted(-gap() / 2, 0, gap() / 2, 0);
            const bool beside = m_notes.areTexts() || m_flows;
            if (metrics.horizontalAdvance(text) <= (beside ? box.band : band).width())
                drawLabel(painter, beside ? box.band : band, beside ? Qt::AlignLeft : Qt::AlignHCenter, text);
            if (box.firstOfLayer && text == QString::number(box.tile->head))
                drawLabel(painter, QRectF(0, band.top(), box.box.left() - wideGap, band.height()), Qt::AlignRight,
                          tr("head"));
        }
        if (box.firstOfLayer && box.box.height() + gap() >= metrics.height())
            drawLabel(painter, layerLabel(box), Qt::AlignRight, tr("layer %1").arg(box.tile->site.layer));
    }

    QRectF layerLabel(const Box& first) const
    {
        return {0, first.box.center().y() - lineHeight() / 2, first.box.left() - wideGap, lineHeight()};
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

    void paintMarks(QPainter& painter, const Boxes& seen, const Highlight& highlight) const
    {
        const auto outline = [&](const Box& box, const QColor& color, double width) {
            painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.drawRect(box.box.adjusted(-2, -2, 2, 2));
        };
        for (const Box& box : seen) {
            if (box.picked || (box.tile->site == highlight.site && box.tile->head == highlight.head))
                outline(box, m_style.colors.accent, 3);
            if (highlight.isAt({box.tile->row, box.tile->head})
                && (box.picked || box.tile->site != highlight.site || box.tile->head != highlight.head))
                outline(box, m_style.colors.cursor, 2);
        }
    }

    // The map of a small tile in its place, over its neighbours, with what the head does.
    void paintEnlarged(QPainter& painter, const Box& box) const
    {
        const double side = std::max(box.box.width(), box.box.height());
        if (box.image.isNull() || side * worthEnlarging > enlargedSide)
            return;
        const double caption = lineHeight() + 6;
        QRectF map(QPointF(), box.box.size() * (enlargedSide / side));
        const QFontMetricsF small(m_style.small);
        const QSizeF cell(map.width() / std::max(1, box.image.width()), map.height() / std::max(1, box.image.height()));
        const bool worded = !m_rowWords.isEmpty() && std::min(cell.width(), cell.height()) >= small.height() * 0.95;
        const auto roomOf = [&](const QStringList& words) {
            double widest = 0;
            for (const QString& word : words)
                widest = std::max(widest, labelWidth(word, small));
            return worded ? std::min(widest, mostWord) + 4 : 0;
        };
        const double left = roomOf(m_rowWords);
        const double above = roomOf(m_columnWords);
        map.moveCenter(box.box.center());
        const QRectF room(margin + left, margin + above, m_size.width() - 2 * margin - left,
                          m_size.height() - 2 * margin - caption - above);
        map.moveLeft(std::max(room.left(), std::min(map.left(), room.right() - map.width())));
        map.moveTop(std::max(room.top(), std::min(map.top(), room.bottom() - map.height())));
        painter.setPen(QPen(m_style.colors.cursor, 2));
        painter.setBrush(m_style.colors.background);
        painter.drawRect(map.adjusted(-4 - left, -4 - above, 4, 4 + caption));
        painter.setBrush(Qt::NoBrush);
        drawCells(painter, map, box.image, std::max(1, 512 / std::max(box.image.width(), box.image.height())));
        paintChosenRow(painter, chosenRow(map), m_style.colors.accent, 2);
        if (worded)
            paintWords(painter, box, map, cell, {left, above});
        QString text = tr("L%1 H%2").arg(box.tile->site.layer).arg(box.tile->head);
        if (const auto kind = m_notes.words().kind(keyOf(box)))
            text += QStringLiteral(" \u00B7 ") + HeadWords::title(*kind);
        drawLabel(painter, m_style.small, m_style.colors.ink,
                  QRectF(map.left(), map.bottom() + 2, map.width(), caption - 2), Qt::AlignLeft, text);
    }

    // Words beside an enlarged map, and its larger weights in its cells where they have room.
    void paintWords(QPainter& painter, const Box& box, const QRectF& map, QSizeF cell, QSizeF words) const
    {
        constexpr double least = 0.1; // of the weights that are written
        const QFontMetricsF small(m_style.small);
        const Numbers& numbers = box.tile->pooled.numbers;
        for (int row = 0; row < numbers.rows; ++row)
            drawLabel(painter, m_style.small, m_style.colors.ink,
                      {map.left() - words.width(), map.top() + row * cell.height(), words.width() - 4, cell.height()},
                      Qt::AlignRight, m_rowWords.value(row));
        for (int column = 0; column < numbers.columns; ++column) {
            const SavedPainter saved(painter);
            painter.translate(map.left() + (column + 0.5) * cell.width(), map.top());
            painter.rotate(-90);
            drawLabel(painter, m_style.small, m_style.colors.ink,
                      {4, -small.height() / 2, words.height() - 4, small.height()}, Qt::AlignLeft,
                      m_columnWords.value(column));
        }
        for (int row = 0; row < numbers.rows; ++row) {
            for (int column = 0; column < numbers.columns; ++column) {
                const double value = static_cast<double>(numbers.at(row, column));
                const QString text = decimal(value, 2);
                if (std::abs(value) >= least && labelWidth(text, small) <= cell.width())
                    drawLabel(painter, m_style.small, inkOn(box.image.pixelColor(column, row)),
                              {map.left() + column * cell.width(), map.top() + row * cell.height(), cell.width(),
                               cell.height()},
                              Qt::AlignHCenter, text);
            }
        }
    }

    // The row of the chosen step in the map of a head; null: none is chosen.
    QRectF chosenRow(const QRectF& map) const
    {
        return m_chosenRow ? QRectF(map.left(), map.top() + map.height() * *m_chosenRow / m_rowCount, map.width(),
                                    map.height() / m_rowCount)
                           : QRectF();
    }

    // The chosen row, and the words of rows and columns where thumbnails have every cell of their maps.
    void readRows(const FigureSpec& spec, const Trace& trace)
    {
        if (m_thumbnails->tiles.empty())
            return;
        const HeadThumbnails::Tile& tile = m_thumbnails->tiles.front();
        const Numbers& numbers = tile.pooled.numbers;
        MapSpec wanted = spec.mapSpec();
        wanted.site = tile.site;
        const Map axes = spec.shownRuns(trace).axes(wanted);
        m_rowCount = indexSize(axes.rows.groups);
        m_chosenRow = stepRow(spec, trace, axes);
        if (tile.pooled.cells != std::int64_t{numbers.rows} * numbers.columns)
            return;
        if (m_rowCount != numbers.rows || indexSize(axes.columns.groups) != numbers.columns)
            return;
        m_rowWords = axisLabels(axes, TokenSide::Rows);
        m_columnWords = axisLabels(axes, TokenSide::Columns);
    }

    std::shared_ptr<const HeadThumbnails> m_thumbnails;
    std::optional<int> m_chosenRow; // of those of a map
    int m_rowCount = 0;
    QStringList m_rowWords; // empty: thumbnails have no cell for each
    QStringList m_columnWords;
    HeadNotes m_notes;
    ModelKind m_kind;
    bool m_legend;
    ColorBar m_bar;
    ScaleBar m_ends;
    std::vector<Box> m_boxes;
    std::vector<std::size_t> m_rowStarts; // of the boxes of each row, and where the last one ends
    std::vector<std::size_t> m_read; // boxes in the order of their corners
    std::vector<HeadSection> m_sections; // empty: by place
    std::vector<QRectF> m_headings;
    bool m_flows = false; // layers have no lines of their own
    QRectF m_legendBox; // of the marks of kinds
    double m_top = 0; // of the tiles
    double m_bottom = 0;
    double m_right = 0;
    QSizeF m_written; // share of a tile's width and height that is drawn
    CellMarks m_edits; // one a tile
};

} // namespace

std::unique_ptr<const HeadGrid> headGridFigure(const FigureSpec& spec, const Trace& trace,
                                               const std::shared_ptr<const HeadThumbnails>& thumbnails,
                                               const std::shared_ptr<const HeadFacts>& facts, QSizeF size)
{
    return std::make_unique<HeadGridFigure>(spec, trace, thumbnails, facts, size);
}

const FigureKind headGridKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return headGridFigure(spec, trace, headThumbnails(spec, trace), headFacts(spec, trace), size);
    },
    .numbers = heatmapContent,
    .drawsAllHeads = true};

} // namespace attn::ui
