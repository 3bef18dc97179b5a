// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"
#include "figures/parts/cell_marks.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/styled_figure.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QTransform>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr double arcGap = 8;
constexpr double faintest = 0.03; // weaker lines are not drawn
constexpr std::ptrdiff_t mostLines = 20000;
constexpr double widestSpan = 420;
constexpr double leastSpan = 120; // beside a colour bar
constexpr double leastEdited = 0.45; // opacity of a line that was edited, whatever its weight
constexpr double fadedOpacity = 0.15; // of lines that are not the pointed-at token's
constexpr double mostDots = 16e6; // of a picture of the lines

// Two columns of tokens, output left and input right, with a line per weight whose strength is the weight (after the
// head view of Vig 2019). A pointed-at token's own lines stand out. Of a difference of two runs the colours are the
// signs.
class ArcsFigure final : public StyledFigure
{
public:
    ArcsFigure(const FigureSpec& spec, MatrixContent content, QSizeF size)
        : StyledFigure(spec, size)
        , m_content(std::move(content))
    {
        m_title = m_content.title;
        m_description = m_content.description;
        if (rows() == 0 || columns() == 0)
            m_empty = m_content.empty;
        m_edits = CellMarks(std::move(m_content.edits), rows(), columns());
        const ValueScale scale = m_content.valueScale();
        m_bar.scale = {std::max(0.0, scale.least()), scale.most(), scale.form()};
        m_bar.name = m_content.valueName;
        m_bar.notes = m_content.scaleNotes;
        m_bar.shares = !m_content.rowEnds.empty();
        m_bar.ink = m_content.isDifference() ? m_style.colors.muted : m_style.colors.bar;
        chooseLines();
        layOut();
    }

    std::optional<ScaleBar> scaleBar() const override
    {
        if (m_empty || m_bar.box.isNull())
            return std::nullopt;
        return ScaleBar{ValueScale(m_content.least, m_content.most, m_content.scale), m_bar.box};
    }
    QStringList rowLabels() const override { return m_content.rowLabels; }
    QStringList columnLabels() const override { return m_content.columnLabels; }

    FigureHit hitTest(QPointF point) const override
    {
        FigureHit hit;
        for (const Side side : {Rows, Columns}) {
            if (m_empty || point.y() < m_top)
                continue;
            const auto index = static_cast<int>((point.y() - m_top) / m_pitch[side]);
            if (index >= count(side) || !labelRect(side, index).contains(point))
                continue;
            hit.part = side == Rows ? FigureHit::Part::RowLabel : FigureHit::Part::ColumnLabel;
            (side == Rows ? hit.row : hit.column) = index;
            (side == Rows ? hit.rowToken : hit.columnToken) =
                side == Rows ? m_content.rowToken(index) : m_content.columnToken(index);
            hit.text = labels(side).value(index);
        }
        return hit.part == FigureHit::Part::Nothing && !m_empty ? m_bar.hitAt(point) : hit;
    }

    int rows() const override { return m_content.matrix.rows; }
    int columns() const override { return m_content.matrix.columns; }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        const double height = QFontMetricsF(m_style.small).height();
        const double y = m_top - arcGap / 2 - height;
        drawLabel(painter, m_style.small, m_style.colors.muted, {0, y, m_left - arcGap - 3, height}, Qt::AlignRight,
                  m_content.rowAxis);
        drawLabel(painter, {m_right + arcGap + 3, y, m_size.width() - m_right - arcGap - 3, height}, Qt::AlignLeft,
                  m_content.columnAxis);
        if (m_content.isDifference())
            paintSigns(painter, y);
        else
            paintLegend(painter, y, height);
        paintLines(painter, highlight);
        paintGrounds(painter, highlight);
        for (const Side side : {Rows, Columns})
            paintLabels(painter, side, highlight);
        if (!m_bar.box.isNull())
            m_bar.paint(painter, m_style);
    }

private:
    enum Side { Rows, Columns };
    struct Line
    {
        int row = 0;
        int column = 0;
        double strength = 0; // weight by the largest on the scale, 0 .. 1
        CellMark edit = CellMark::Unedited;
    };

    int count(Side side) const { return side == Rows ? rows() : columns(); }
    const QStringList& labels(Side side) const { return side == Rows ? m_content.rowLabels : m_content.columnLabels; }
    static Side opposite(Side side) { return side == Rows ? Columns : Rows; }

    void layOut()
    {
        const QFontMetricsF metrics(m_style.font);
        m_top = margin + headerHeight() + 2 * arcGap + QFontMetricsF(m_style.small).height();
        const int most = std::max(rows(), columns());
        if (m_size.height() <= 0) {
            const double pitch = std::max(std::min(metrics.height() * 1.5, 2.0 * m_size.width() / most), 1.0);
            m_size.setHeight(most > 0 ? m_top + most * pitch + margin : m_size.width() * 0.3);
        }
        if (m_empty)
            return;
        const double room = std::max(10.0, m_size.height() - m_top - margin);
        // The shorter side spreads over the height of the longer one, up to a line and a half more.
        const double longest = std::min(room / most, metrics.height() * 2);
        double widest = 0;
        for (const Side side : {Rows, Columns}) {
            m_pitch[side] = std::min(longest * most / count(side), metrics.height() * 2.4);
            for (const QString& label : labels(side))
                widest = std::max(widest, labelWidth(label, QFontMetricsF(m_style.strong)));
        }
        m_labelWidth = std::min(widest + 8, m_size.width() * 0.3);
        const double bar = 2 * arcGap + colorBarWidth + m_bar.labelRoom(m_style);
        const double labels = 2 * (margin + m_labelWidth + arcGap);
        const bool hasBar = m_size.width() - bar - labels >= leastSpan;
        const double width = m_size.width() - (hasBar ? bar : 0);
        const double between = std::min(width - labels, widestSpan);
        m_left = (width - between) / 2;
        m_right = m_left + between;
        if (hasBar)
            m_bar.box = QRectF(m_right + m_labelWidth + 3 * arcGap, m_top, colorBarWidth, std::clamp(room, 40.0, 160.0));
    }

    QRectF labelRect(Side side, int index) const
    {
        return {side == Rows ? m_left - arcGap - m_labelWidth : m_right + arcGap, m_top + index * m_pitch[side],
                m_labelWidth, m_pitch[side]};
    }

    void chooseLines()
    {
        for (int row = 0; row < rows(); ++row) {
            for (int column = 0; column < columns(); ++column) {
                const CellMark edit = isBlank(row, column) ? CellMark::Unedited : m_edits.at(row, column);
                const double value = strength(Rows, row, column);
                if (value >= faintest || edit != CellMark::Unedited)
                    m_lines.push_back({row, column, value, edit});
            }
        }
        std::ranges::stable_sort(m_lines, {}, &Line::strength);
        if (std::ssize(m_lines) > mostLines)
            m_lines.erase(m_lines.begin(), m_lines.end() - mostLines);
    }

    bool isBlank(int row, int column) const { return m_content.blank && m_content.blank(row, column); }

    // Of a token and one of the other side.
    double weight(Side side, int index, int other) const
    {
        return side == Rows ? m_content.matrix.at(index, other) : m_content.matrix.at(other, index);
    }

    double strength(Side side, int index, int other) const
    {
        const double value = side == Rows ? m_content.onScale(index, other) : m_content.onScale(other, index);
        const double part = m_bar.scale.fraction(m_content.isDifference() ? std::abs(value) : value);
        return part > 0 ? part : 0;
    }

    const QColor& inkOf(double value) const
    {
        const ThemeColors& colors = m_style.colors;
        return !m_content.isDifference() ? colors.bar : value > 0 ? colors.more : colors.less;
    }

    const PairedPlaces& pairs(Side side) const { return side == Rows ? m_content.rowPairs : m_content.columnPairs; }
    bool isLone(Side side, int index) const
    {
        return side == Rows ? m_content.isLoneRow(index) : m_content.isLoneColumn(index);
    }

    // The token of the other side that one has most to do with.
    std::optional<int> strongest(Side side, int index) const
    {
        std::optional<int> best;
        for (int other = 0; index < count(side) && other < count(opposite(side)); ++other) {
            if (strength(side, index, other) > (best ? strength(side, index, *best) : 0))
                best = other;
        }
        return best;
    }

    // What is pointed at, a row before a column.
    static std::optional<std::pair<Side, int>> pointedAt(const Highlight& highlight)
    {
        if (highlight.row)
            return std::pair(Rows, *highlight.row);
        return highlight.column ? std::optional(std::pair(Columns, *highlight.column)) : std::nullopt;
    }

    void strokeLine(QPainter& painter, const Line& line, double opacity) const
    {
        QColor color = line.row == m_content.markedRow && !m_content.isDifference()
            ? m_style.colors.accent
            : inkOf(weight(Rows, line.row, line.column));
        const double least = line.edit == CellMark::Unedited ? 0.08 : leastEdited;
        color.setAlphaF(static_cast<float>((least + (0.95 - least) * line.strength) * opacity));
        const QPointF from(m_left, labelRect(Rows, line.row).center().y());
        const QPointF to(m_right, labelRect(Columns, line.column).center().y());
        const double bend = (m_right - m_left) * 0.42;
        QPainterPath path(from);
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
        painter.setPen(penOf(line.edit, color, 0.6 + 3 * line.strength));
        painter.drawPath(path);
    }

    static QPen penOf(CellMark edit, const QColor& color, double width)
    {
        return edit == CellMark::Unedited ? QPen(color, width, Qt::SolidLine, Qt::RoundCap)
            : edit == CellMark::Changed   ? QPen(color, width, Qt::DashLine, Qt::FlatCap)
                                          : QPen(color, width, Qt::DotLine, Qt::FlatCap);
    }

    // Between the names of the axes, as far as there is room.
    void paintLegend(QPainter& painter, double top, double height) const
    {
        constexpr double sample = 24;
        const QFontMetricsF metrics(m_style.small);
        double left = m_left;
        for (const CellMark mark : {CellMark::Changed, CellMark::Hidden}) {
            const double width = sample + arcGap / 2 + metrics.horizontalAdvance(markName(mark)) + arcGap;
            if (m_edits.count(mark) == 0 || left + width > m_right)
                continue;
            painter.setPen(penOf(mark, m_style.colors.bar, 1.6));
            painter.drawLine(QPointF(left, top + height / 2), QPointF(left + sample, top + height / 2));
            drawLabel(painter, m_style.small, m_style.colors.muted,
                      {left + sample + arcGap / 2, top, width - sample, height}, Qt::AlignLeft, markName(mark));
            left += width + arcGap;
        }
    }

    const QImage& linePicture(double scale) const
    {
        if (!m_picture.isNull() && qFuzzyCompare(m_picture.devicePixelRatio(), scale))
            return m_picture;
        const QSizeF dots = m_size * scale;
        m_picture = QImage(static_cast<int>(std::ceil(dots.width())), static_cast<int>(std::ceil(dots.height())),
                           QImage::Format_ARGB32_Premultiplied);
        m_picture.setDevicePixelRatio(scale);
        m_picture.fill(Qt::transparent);
        QPainter painter(&m_picture);
        painter.setRenderHint(QPainter::Antialiasing);
        for (const Line& line : m_lines)
            strokeLine(painter, line, 1);
        return m_picture;
    }

    void paintLines(QPainter& painter, const Highlight& highlight) const
    {
        const auto pointed = pointedAt(highlight);
        const double opacity = pointed ? fadedOpacity : 1;
        const QTransform onDevice = painter.deviceTransform();
        const double scale = onDevice.m11();
        const bool upright =
            onDevice.type() <= QTransform::TxScale && qFuzzyCompare(scale, onDevice.m22()) && scale > 0;
        const bool pictured = isRaster(painter) && upright && !m_size.isEmpty()
            && m_size.width() * m_size.height() * scale * scale <= mostDots;
        if (pictured) {
            painter.setOpacity(opacity);
            painter.drawImage(QPointF(), linePicture(scale));
            painter.setOpacity(1);
        }
        for (const Line& line : m_lines) {
            const bool own = pointed && (pointed->first == Rows ? line.row : line.column) == pointed->second;
            if (own || !pictured)
                strokeLine(painter, line, own ? 1 : opacity);
        }
    }

    // What the pointed-at token attends to, or is attended from, as grounds behind the labels opposite.
    void paintGrounds(QPainter& painter, const Highlight& highlight) const
    {
        const auto pointed = pointedAt(highlight);
        if (!pointed || pointed->second >= count(pointed->first))
            return;
        const auto [side, index] = *pointed;
        for (int other = 0; other < count(opposite(side)); ++other) {
            QColor color = inkOf(weight(side, index, other));
            color.setAlphaF(static_cast<float>(0.55 * strength(side, index, other)));
            painter.fillRect(labelRect(opposite(side), other).adjusted(0, 0.5, 0, -0.5), color);
        }
    }

    // Which colour is whose, over the lines.
    void paintSigns(QPainter& painter, double y) const
    {
        const double half = (m_right - m_left) / 2 - arcGap;
        const double height = QFontMetricsF(m_style.small).height();
        drawLabel(painter, m_style.small, m_style.colors.more, {m_left, y, half, height}, Qt::AlignHCenter,
                  tr("more in the first"));
        drawLabel(painter, m_style.small, m_style.colors.less, {m_right - half, y, half, height}, Qt::AlignHCenter,
                  tr("more in the second"));
    }

    // Behind the end of the room of its label that is beside the lines.
    void paintLoneGround(QPainter& painter, Side side, int index) const
    {
        const QRectF label = labelRect(side, index);
        const double height = std::min(label.height(), QFontMetricsF(m_style.font).height()) * 0.8;
        drawHatching(painter,
                     {side == Rows ? label.right() + 1 : label.left() - 1 - (arcGap - 2),
                      label.center().y() - height / 2, arcGap - 2, height},
                     m_style);
    }

    QColor labelInk(Side side, int index, bool generated) const
    {
        const ThemeColors& colors = m_style.colors;
        if (isLone(side, index))
            return pairs(side)[index].here ? colors.more : colors.less;
        return generated ? colors.generated : colors.ink;
    }

    // They thin out to every so many; those near one that has to be there give way to it.
    void paintLabels(QPainter& painter, Side side, const Highlight& highlight) const
    {
        const double height = QFontMetricsF(m_style.font).height();
        const int every = std::max(1, static_cast<int>(std::ceil(height * 0.98 / m_pitch[side])));
        std::optional<int> needed;
        if (const auto pointed = pointedAt(highlight))
            needed = pointed->first == side ? pointed->second : strongest(pointed->first, pointed->second);
        for (int i = 0; i < count(side); ++i) {
            const auto& found = side == Rows ? highlight.foundRows : highlight.foundColumns;
            const bool isFound = std::ranges::binary_search(found, i);
            if (i != needed && !isFound && (i % every != 0 || (needed && std::abs(i - *needed) < every)))
                continue;
            const bool step = side == Rows && i == m_content.markedRow;
            const bool generated = side == Rows ? m_content.isGeneratedRow(i) : m_content.isGeneratedColumn(i);
            if (isLone(side, i))
                paintLoneGround(painter, side, i);
            if (isFound)
                painter.fillRect(labelRect(side, i).adjusted(0, 0.5, 0, -0.5), foundGround(m_style.colors));
            const bool strong = step || isFound || i == (side == Rows ? highlight.row : highlight.column);
            drawLabel(painter,
                      strong          ? m_style.strong
                          : generated ? m_style.generated
                                      : m_style.font,
                      step ? m_style.colors.accent : labelInk(side, i, generated),
                      labelRect(side, i).adjusted(3, 0, -3, 0), side == Rows ? Qt::AlignRight : Qt::AlignLeft,
                      labels(side).value(i));
        }
    }

    MatrixContent m_content;
    CellMarks m_edits;
    ColorBar m_bar; // of the lines' strength
    double m_top = 0;
    std::array<double, 2> m_pitch{}; // from one label of a side to the next
    double m_labelWidth = 0;
    double m_left = 0; // where the lines start and end
    double m_right = 0;
    std::vector<Line> m_lines; // faintest first
    mutable QImage m_picture; // of all lines, so that moving the pointer strokes only a token's own; made on first need
};

} // namespace

// The tokens in two columns, lines between them.
extern const FigureKind arcsKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<ArcsFigure>(spec, heatmapContent(spec, trace), size);
    },
    .numbers = heatmapContent};

} // namespace attn::ui
