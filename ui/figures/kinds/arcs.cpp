// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "base/progress.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/cell_marks.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/token_figure.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QTransform>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double arcGap = 8;
constexpr double faintest = 0.03; // weaker lines are not drawn unless a threshold says so
constexpr double mostInk = 0.7; // widths of all lines, by the figure's height: more are a ground on which none is seen
constexpr int fewestLines = 300;
constexpr double leastRowPitch = 4; // below it a line of each row would be such a ground already
constexpr double mostDenseInk = 0.25; // likewise, with rows as close as that
constexpr qint64 mostNoNumberLines = 300; // they are all alike
constexpr double widestSpan = 420;
constexpr double leastSpan = 120; // beside a colour bar
constexpr double boxWidth = 9; // of a head's weight beside a token
constexpr double widestBoxes = 96;
constexpr double leastBetween = 70; // from one running text to the other
constexpr int namedPartners = 3; // in what is said of a token
constexpr double leastEdited = 0.45; // opacity of a line that was edited, whatever its weight
constexpr double fadedOpacity = 0.1; // of lines that are not the pointed-at token's
constexpr double hushedOpacity = 0.4; // likewise, where nothing is pointed at
constexpr double mostDots = 16e6; // of a picture of the lines

using Side = TokenSide;
constexpr Side bothSides[] = {Side::Rows, Side::Columns};

struct Line
{
    int head = 0; // index of those that are drawn
    int row = 0;
    int column = 0;
    double strength = 0; // weight by the largest on the scale, 0 .. 1
    CellMark edit = CellMark::Unedited;
    bool stays = false; // however many there are: edited, or a row's largest where rows have room for a line each

    int at(Side side) const { return side == Side::Rows ? row : column; }
    double width() const { return 0.6 + 3 * strength; }
};

// Tokens of one side.
struct ChosenTokens
{
    Side side = Side::Rows;
    std::vector<int> indices;

    bool has(Side other, int index) const
    {
        return other == side && std::ranges::find(indices, index) != indices.end();
    }
};

QPen penOf(CellMark edit, const QColor& color, double width)
{
    return edit == CellMark::Unedited ? QPen(color, width, Qt::SolidLine, Qt::RoundCap)
        : edit == CellMark::Changed   ? QPen(color, width, Qt::DashLine, Qt::FlatCap)
                                      : QPen(color, width, Qt::DotLine, Qt::FlatCap);
}

// Tokens in two lists, output left and input right, or as running text above and below each other, with a line per
// weight whose strength is the weight (after the head view of Vig 2019). Picked tokens, or one that is pointed at,
// stand alone. Several heads have colours of their own; of a difference of two runs the colours are the signs.
class ArcsFigure final : public TokenFigure
{
public:
    ArcsFigure(const FigureSpec& spec, LinesContent content, QSizeF size)
        : TokenFigure(spec, std::move(content.frame), size)
        , m_heads(std::move(content.heads))
    {
        const ValueScale scale = m_content.valueScale();
        m_bar.scale = {std::max(0.0, scale.least()), scale.most(), scale.form()};
        m_bar.name = m_content.valueName;
        m_bar.notes = m_content.scaleNotes;
        m_bar.shares = !m_content.rowEnds.empty();
        m_bar.ink = m_content.map.isSigned || hasBoxes() ? m_style.colors.muted : m_style.colors.bar;
        m_top = margin + headerHeight() + 2 * arcGap + QFontMetricsF(m_style.small).height();
        if (hasNothing())
            return;
        m_content.rowLabels = toldApart(std::move(m_content.rowLabels), m_content.map.rows.textTokens());
        m_content.columnLabels = toldApart(std::move(m_content.columnLabels), m_content.map.columns.textTokens());
        for (const HeadWeights& head : m_heads)
            m_noNumbers += head.map.count(CellState::NaN);
        chooseLines();
        keepStrongest();
        m_noNumberLines = noNumberLines({}, m_noNumbers);
        if (m_lines.empty() && m_noNumbers == 0) {
            m_noLines = whyNoLines();
            m_description += QLatin1Char(' ') + m_noLines + QLatin1Char('.');
        }
        const qint64 cells = qint64{rows()} * columns() * indexSize(m_heads);
        addNote(m_title, m_description, noNumbersNote(m_noNumbers, cells, NoNumberMark::Dashed));
        if (content.texts[0].empty() || !layOutTexts(content.texts))
            layOutLists();
    }

    std::optional<ScaleBar> scaleBar() const override
    {
        if (m_bar.box.isNull())
            return std::nullopt;
        return ScaleBar{ValueScale(m_content.least, m_content.most, m_content.scale), m_bar.box};
    }

    FigureHit hitTest(QPointF point) const override
    {
        const FigureHit hit = TokenFigure::hitTest(point);
        return hit.part == FigureHit::Part::Nothing && scaleBar() ? m_bar.hitAt(point) : hit;
    }

    void prepare(double dots) const override
    {
        if (!m_empty && picked().empty() && fitsPicture(dots))
            linePicture(dots);
    }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        const ChosenTokens alone = isolated(highlight);
        paintNames(painter);
        paintLines(painter, alone);
        if (!m_noLines.isEmpty()) {
            painter.setFont(m_style.font);
            painter.setPen(m_style.colors.muted);
            painter.drawText(
                QRectF(m_left + arcGap, m_top, m_right - m_left - 2 * arcGap, m_size.height() - m_top - margin),
                static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_noLines);
        }
        paintWeights(painter, alone);
        if (isText()) {
            painter.setPen(m_style.colors.ink);
            for (const Side side : bothSides)
                m_texts[at(side)].paint(painter, m_origins[at(side)], written(side));
            paintOutlines(painter, highlight, picked());
            paintUnderlines(painter);
        } else {
            for (const Side side : bothSides)
                paintLabels(painter, side, highlight, alone);
        }
        if (!m_bar.box.isNull())
            m_bar.paint(painter, m_style);
    }

    // Weights to the picked tokens, or else to those with the largest ones; head by head.
    QString valuesOf(TokenPlace place) const override
    {
        QStringList said;
        for (const HeadWeights& head : m_heads) {
            QStringList parts;
            if (!picked().empty() && place.side != pickSide()) {
                parts << valueText(sumOf(head, {pickSide(), picked()}, place.index));
            } else {
                for (const int other : partnersOf(head, place))
                    parts << label({opposite(place.side), other}) + QLatin1Char(' ')
                            + valueText(weight(head, place, other));
                const QString missing =
                    noNumbersNote(noNumbersOf(head, place), count(opposite(place.side)), NoNumberMark::Dashed);
                if (!missing.isEmpty())
                    parts << missing;
            }
            if (!parts.isEmpty())
                said << nameOf(head) + parts.join(QStringLiteral(", "));
        }
        return said.join(QStringLiteral("   "));
    }

    QString weightText(int row, int column) const override
    {
        if (m_heads.size() == 1)
            return TokenFigure::weightText(row, column);
        QStringList said;
        for (const HeadWeights& head : m_heads)
            said << nameOf(head) + valueText(head.map.at(row, column));
        return said.join(QStringLiteral(", "));
    }

private:
    static std::size_t at(Side side) { return side == Side::Rows ? 0 : 1; }
    bool isText() const { return m_flow != Flow::Lists; }
    bool hasBoxes() const { return m_heads.size() > 1; }
    double boxesWidth() const { return hasBoxes() ? std::min(boxWidth * double(m_heads.size()), widestBoxes) : 0; }
    QString valueText(double value) const { return numberText(value, m_content.decimalOf(value, 3)); }
    // Name with a blank behind it; empty: there is but one head.
    QString nameOf(const HeadWeights& head) const
    {
        return hasBoxes() ? headName(*head.head) + QLatin1Char(' ') : QString();
    }

    // --- where it stands

    double naturalPitch(int tokens) const // of a list of so many, where no height is given
    {
        return std::max(std::min(QFontMetricsF(m_style.font).height() * 1.5, 2.0 * m_size.width() / tokens), 1.0);
    }

    void layOutLists()
    {
        const double line = QFontMetricsF(m_style.font).height();
        const int most = std::max(rows(), columns());
        if (m_size.height() <= 0)
            m_size.setHeight(m_top + most * naturalPitch(most) + margin);
        const double available = std::max(10.0, m_size.height() - m_top - margin);
        // The shorter side spreads over the height of the longer one.
        const double room = std::min(available / most, line * 5) * most;
        double widest = 0;
        for (const Side side : bothSides) {
            for (int index = 0; index < count(side); ++index)
                widest = std::max(widest, labelWidth(label({side, index}), QFontMetricsF(m_style.strong)));
            if (!m_spec.noAxisNames)
                widest =
                    std::max(widest, labelWidth(m_content.axisName(side), QFontMetricsF(m_style.small)) - boxesWidth());
        }
        const double labels = std::min(widest + 8, m_size.width() * 0.3);
        const double bar = 2 * arcGap + colorBarWidth + m_bar.labelRoom(m_style);
        const double beside = margin + labels + arcGap + boxesWidth();
        const bool hasBar = !m_spec.noLegend && m_size.width() - bar - 2 * beside >= leastSpan;
        const double width = m_size.width() - (hasBar ? bar : 0);
        const double between =
            std::max(20.0, std::min(width - 2 * beside, std::max(widestSpan, std::min(room, width * 0.6))));
        m_left = (width - between) / 2;
        m_right = m_left + between;
        if (hasBar)
            m_bar.box = QRectF(m_right + boxesWidth() + labels + 3 * arcGap, m_top, colorBarWidth,
                               std::clamp(room, 40.0, 160.0));
        for (const Side side : bothSides) {
            const double pitch = m_pitch[at(side)] = std::min(room / count(side), line * 7);
            const double top = m_top + (room - pitch * count(side)) / 2; // in the middle of each other
            const double left =
                side == Side::Rows ? m_left - arcGap - boxesWidth() - labels : m_right + arcGap + boxesWidth();
            for (int index = 0; index < count(side); ++index) {
                TokenMark mark;
                mark.indices[at(side)] = index;
                mark.boxes = {QRectF(left, top + index * pitch, labels, pitch)};
                addMark(std::move(mark));
            }
        }
    }

    // False where even small letters leave no room for lines.
    bool layOutTexts(const std::array<std::vector<TextPiece>, 2>& texts)
    {
        const double width = m_size.width() - 2 * margin;
        const double below = QFontMetricsF(m_style.small).height() + arcGap;
        for (const double scale : {1.0, 0.85, 0.7}) {
            const QFont font = figureFont(m_spec.baseFontPoints * scale, m_spec.fontFamily);
            for (const Side side : bothSides)
                m_texts[at(side)] = RunningText(texts[at(side)], font, width);
            const double taken = m_top + m_texts[0].height() + m_texts[1].height() + below + margin;
            if (m_size.height() <= 0)
                m_size.setHeight(taken + std::clamp(width * 0.22, leastBetween, 220.0));
            if (m_size.height() - taken < leastBetween)
                continue;
            m_left = margin;
            m_right = m_size.width() - margin;
            m_origins[0].setY(m_top);
            m_origins[1].setY(m_size.height() - margin - below - m_texts[1].height());
            for (const Side side : bothSides) {
                const RunningText& text = m_texts[at(side)];
                const double slack = (width - text.naturalWidth()) / 2;
                m_origins[at(side)].setX(margin + (text.isRightToLeft() ? -slack : slack));
                addMarks(text, m_origins[at(side)], side);
            }
            m_flow = m_texts[0].isRightToLeft() ? Flow::TextFromRight : Flow::Text;
            return true;
        }
        return false;
    }

    // Where the lines of a token end.
    QPointF anchor(Side side, int index) const
    {
        const QRectF box = rectOf({side, index});
        if (!isText())
            return {side == Side::Rows ? m_left : m_right, box.center().y()};
        return {box.center().x(), side == Side::Rows ? box.bottom() : box.top()};
    }

    // --- which lines there are

    // An edited cell has a line whatever its weight.
    void chooseLines()
    {
        std::vector<float> weights(columns());
        for (int head = 0; head < indexSize(m_heads); ++head) {
            const Map& map = m_heads[head].map;
            for (int row = 0; row < written(Side::Rows); ++row) {
                for (int column = 0; column < columns(); ++column)
                    weights[column] = strength(row, map.drawn(row, column)) > 0 ? map.drawn(row, column) : 0;
                const std::vector<int> drawn = drawnColumns(weights, leastDrawn(row, weights), m_spec.topMass);
                std::vector<bool> isDrawn(columns());
                for (const int column : drawn)
                    isDrawn[column] = true;
                for (int column = 0; column < columns(); ++column) {
                    const CellMark mark = map.mark(row, column);
                    if (!isDrawn[column] && mark == CellMark::Unedited)
                        continue;
                    const bool stays = mark != CellMark::Unedited || row == m_content.markedRow
                        || (!isDense() && column == drawn.front());
                    m_lines.push_back({head, row, column, strength(row, map.at(row, column)), mark, stays});
                }
            }
        }
    }

    double roomForLines() const // height, about
    {
        const int most = std::max(rows(), columns());
        return m_size.height() > 0 ? m_size.height() : naturalPitch(most) * most;
    }

    // Whether rows have no room for a line each.
    bool isDense() const { return roomForLines() < leastRowPitch * rows(); }

    // As many as can be told apart, the faintest first.
    void keepStrongest()
    {
        std::ranges::stable_sort(m_lines, {}, [](const Line& line) { return std::pair(line.stays, line.strength); });
        const double enough = (isDense() ? mostDenseInk : mostInk) * roomForLines();
        const int fewest = isDense() ? 0 : fewestLines;
        const int all = indexSize(m_lines);
        double ink = 0;
        int kept = 0;
        for (auto line = m_lines.rbegin(); line != m_lines.rend(); ++line, ++kept) {
            if (!line->stays && kept >= fewest && ink >= enough)
                break;
            ink += line->width();
        }
        m_isCut = kept < all;
        if (m_isCut)
            addNote(m_title, m_description, tr("the %1 strongest of %2 lines").arg(grouped(kept), grouped(all)));
        m_lines.erase(m_lines.begin(), m_lines.end() - kept);
        std::ranges::stable_sort(m_lines, {}, &Line::strength);
    }

    // Why there is no line at all.
    QString whyNoLines() const
    {
        double largest = 0;
        for (const HeadWeights& head : m_heads) {
            if (const auto cell = head.map.largest())
                largest = std::max(largest, std::abs(double{head.map.at(cell->first, cell->second)}));
        }
        if (largest <= 0)
            return tr("No line: every value is 0");
        const bool isBelow = m_spec.threshold > largest;
        const QString most = tr("No line: the largest value is %1");
        const QString least = isBelow ? tr(", the threshold %1") : tr(", the colours begin at %1");
        return most.arg(decimal(largest, 3)) + least.arg(decimal(isBelow ? m_spec.threshold : m_bar.scale.least(), 3));
    }

    // Lines of cells that are no numbers, those of a token if one is given; of very many one of every so many.
    std::vector<Line> noNumberLines(std::optional<TokenPlace> place, qint64 all) const
    {
        std::vector<Line> lines;
        const qint64 every = (all + mostNoNumberLines - 1) / mostNoNumberLines;
        const auto range = [&](Side side) {
            return place && place->side == side ? std::pair(place->index, place->index + 1)
                                                : std::pair(0, written(side));
        };
        qint64 next = 0;
        for (int head = 0; head < (all > 0 ? indexSize(m_heads) : 0); ++head) {
            for (auto [row, lastRow] = range(Side::Rows); row < lastRow; ++row) {
                for (auto [column, lastColumn] = range(Side::Columns); column < lastColumn; ++column) {
                    if (m_heads[head].map.isNaN(row, column) && (next++ + row) % every == 0) // not always the same
                        lines.push_back({head, row, column});
                }
            }
        }
        return lines;
    }

    qint64 noNumbersOf(const HeadWeights& head, TokenPlace place) const
    {
        qint64 found = 0;
        for (int other = 0; other < (m_noNumbers > 0 ? count(opposite(place.side)) : 0); ++other)
            found += isNoNumber(head, place, other) ? 1 : 0;
        return found;
    }

    // Where no threshold is chosen, what is faint on the row's scale is left out, but never a row's largest weight.
    double leastDrawn(int row, std::span<const float> weights) const
    {
        if (m_spec.threshold > 0)
            return m_spec.threshold;
        double largest = 0;
        for (const float weight : weights)
            largest = std::max(largest, std::abs(double{weight}));
        return std::min(std::abs(m_bar.scale.valueAt(faintest) * rowEnd(row)), largest);
    }

    // --- weights of a token and one of the other side

    static FigureCell cellOf(TokenPlace place, int other)
    {
        return place.side == Side::Rows ? FigureCell{place.index, other} : FigureCell{other, place.index};
    }
    static double weight(const HeadWeights& head, TokenPlace place, int other)
    {
        const auto [row, column] = cellOf(place, other);
        return head.map.at(row, column);
    }
    static bool isNoNumber(const HeadWeights& head, TokenPlace place, int other)
    {
        const auto [row, column] = cellOf(place, other);
        return head.map.isNaN(row, column);
    }

    // Tokens that only one of two runs has count as nothing.
    static double sumOf(const HeadWeights& head, const ChosenTokens& alone, int other)
    {
        double sum = 0;
        for (const int index : alone.indices) {
            const auto [row, column] = cellOf({alone.side, index}, other);
            sum += double{head.map.counted(row, column)};
        }
        return sum;
    }

    double rowEnd(int row) const
    {
        return m_content.rowEnds.empty() ? 1 : m_content.rowEnds[static_cast<std::size_t>(row)];
    }

    // Place of a weight in this row on the scale: 0 .. 1.
    double strength(int row, double value) const
    {
        const double onScale = value / rowEnd(row);
        return std::max(0.0, m_bar.scale.fraction(m_content.map.isSigned ? std::abs(onScale) : onScale));
    }

    QColor inkOf(const HeadWeights& head, double value) const
    {
        return m_content.map.isSigned ? m_style.colors.ofSign(value) : head.color;
    }

    // The few on the other side that a token has most to do with, the first of all first.
    std::vector<int> partnersOf(const HeadWeights& head, TokenPlace place) const
    {
        std::vector<std::pair<double, int>> partners;
        for (int other = 0; other < count(opposite(place.side)); ++other) {
            const auto [row, column] = cellOf(place, other);
            if (const double shown = strength(row, head.map.drawn(row, column)); shown > 0)
                partners.emplace_back(-shown, other);
        }
        const auto named = partners.begin() + std::min<std::ptrdiff_t>(namedPartners, std::ssize(partners));
        std::partial_sort(partners.begin(), named, partners.end());
        std::vector<int> first;
        std::transform(partners.begin(), named, std::back_inserter(first), [](const auto& one) { return one.second; });
        return first;
    }

    // The tokens whose lines stand alone: those that are picked, and one that is pointed at, a row before a column.
    ChosenTokens isolated(const Highlight& highlight) const
    {
        ChosenTokens alone{pickSide(), picked()};
        const Side side = highlight.row ? Side::Rows : Side::Columns;
        const auto pointed = highlight.row ? highlight.row : highlight.column;
        if (!pointed || *pointed >= count(side) || isPicked({side, *pointed}))
            return alone;
        if (picked().empty())
            return {side, {*pointed}};
        if (side == pickSide())
            alone.indices.push_back(*pointed);
        return alone;
    }

    // --- lines

    void strokeLine(QPainter& painter, const Line& line, double opacity) const
    {
        const HeadWeights& head = m_heads[line.head];
        const bool ofStep = line.row == m_content.markedRow && !m_content.map.isSigned && !hasBoxes();
        QColor color = ofStep ? m_style.colors.accent : inkOf(head, head.map.at(line.row, line.column));
        const double least = line.edit == CellMark::Unedited ? 0.08 : leastEdited;
        color.setAlphaF(static_cast<float>((least + (0.95 - least) * line.strength) * opacity));
        strokeLine(painter, line, penOf(line.edit, color, line.width()));
    }

    void strokeLine(QPainter& painter, const Line& line, const QPen& pen) const
    {
        ThreadStop::check();
        const QPointF from = anchor(Side::Rows, line.row);
        const QPointF to = anchor(Side::Columns, line.column);
        const QPointF way = to - from;
        const QPointF bend = 0.42 * (isText() ? QPointF(0, way.y()) : QPointF(way.x(), 0));
        QPainterPath path(from);
        path.cubicTo(from + bend, to - bend, to);
        painter.strokePath(path, pen);
    }

    void strokeNoNumbers(QPainter& painter, const std::vector<Line>& lines, double opacity) const
    {
        QPen pen = noNumberPen(m_style);
        QColor color = pen.color();
        color.setAlphaF(static_cast<float>(opacity));
        pen.setColor(color);
        for (const Line& line : lines)
            strokeLine(painter, line, pen);
    }

    void strokeAll(QPainter& painter, double opacity) const
    {
        for (const Line& line : m_lines)
            strokeLine(painter, line, opacity);
        strokeNoNumbers(painter, m_noNumberLines, opacity);
    }

    bool fitsPicture(double scale) const
    {
        return !m_size.isEmpty() && m_size.width() * m_size.height() * scale * scale <= mostDots;
    }

    // Picture of all lines, so that moving the pointer strokes only a token's own.
    const QImage& linePicture(double scale) const
    {
        if (!m_picture.isNull() && qFuzzyCompare(m_pictureScale, scale))
            return m_picture;
        const QSizeF dots = m_size * scale;
        m_picture = QImage(static_cast<int>(std::ceil(dots.width())), static_cast<int>(std::ceil(dots.height())),
                           QImage::Format_ARGB32_Premultiplied);
        m_picture.fill(Qt::transparent);
        m_pictureScale = scale;
        QPainter painter(&m_picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(scale, scale); // a ratio below 1 would not be heeded
        strokeAll(painter, 1);
        return m_picture;
    }

    // Beside tokens that are picked others have none; a token that is pointed at only dims them.
    void paintLines(QPainter& painter, const ChosenTokens& alone) const
    {
        const bool isAlone = !alone.indices.empty();
        const bool hushed = !isAlone && m_content.markedRow; // all but the chosen word's
        const double opacity = hushed ? hushedOpacity : !isAlone ? 1 : picked().empty() ? fadedOpacity : 0;
        const QTransform onDevice = painter.deviceTransform();
        const double scale = onDevice.m11();
        const bool upright =
            onDevice.type() <= QTransform::TxScale && qFuzzyCompare(scale, onDevice.m22()) && scale > 0;
        if (opacity > 0 && isRaster(painter) && upright && fitsPicture(scale)) {
            painter.setOpacity(opacity);
            const QImage& lines = linePicture(scale);
            painter.drawImage(QRectF(QPointF(), QSizeF(lines.size()) / scale), lines);
            painter.setOpacity(1);
        } else if (opacity > 0) {
            strokeAll(painter, opacity);
        }
        const auto isOwn = [&](const Line& line) {
            return hushed ? line.row == m_content.markedRow : alone.has(alone.side, line.at(alone.side));
        };
        double strongest = 0; // of the chosen word
        for (const Line& line : m_lines)
            strongest = hushed && isOwn(line) ? std::max(strongest, line.strength) : strongest;
        for (Line line : m_lines) {
            line.strength /= strongest > 0 ? strongest : 1;
            if (isOwn(line))
                strokeLine(painter, line, 1);
        }
        for (const int index : alone.indices) {
            const TokenPlace place{alone.side, index};
            qint64 all = 0;
            for (const HeadWeights& head : m_heads)
                all += noNumbersOf(head, place) * std::ssize(alone.indices);
            strokeNoNumbers(painter, noNumberLines(place, all), 1);
        }
    }

    // --- tokens

    // The tokens' weights, to or from: of several heads as boxes beside the tokens opposite, of one as their ground.
    void paintWeights(QPainter& painter, const ChosenTokens& alone) const
    {
        const Side side = opposite(alone.side);
        for (int other = 0; other < (alone.indices.empty() ? 0 : count(side)); ++other) {
            ThreadStop::check();
            for (int i = 0; i < indexSize(m_heads); ++i) {
                const double sum = sumOf(m_heads[i], alone, other);
                const QRectF room = weightRect({side, other}, i);
                const bool isBox = hasBoxes() && !isText();
                if (isBox)
                    painter.fillRect(room, m_style.colors.blank);
                QColor color = inkOf(m_heads[i], sum);
                const double shown = strength(side == Side::Rows ? other : alone.indices.front(), sum);
                color.setAlphaF(static_cast<float>((isBox ? 0.95 : 0.55) * shown));
                fillCell(painter, room, sum, color, m_style);
            }
        }
    }

    QRectF weightRect(TokenPlace place, int head) const
    {
        const QRectF box = rectOf(place);
        const auto heads = static_cast<double>(m_heads.size());
        if (isText())
            return {box.left() + head * box.width() / heads, box.top(), box.width() / heads, box.height()};
        if (!hasBoxes())
            return box.adjusted(0, 0.5, 0, -0.5);
        const double part = boxesWidth() / heads;
        const double left = place.side == Side::Rows ? m_left - arcGap / 2 - boxesWidth() : m_right + arcGap / 2;
        const double high = std::max(1.0, std::min(box.height() - 1, part * 1.8));
        return {left + head * part, box.center().y() - high / 2, std::max(part - 1, 1.0), high};
    }

    // They thin out to every so many; those near one that has to be there, of the tokens that stand alone and of their
    // first partners, give way to it.
    void paintLabels(QPainter& painter, Side side, const Highlight& highlight, const ChosenTokens& alone) const
    {
        ChosenTokens first = alone; // or else the chosen word
        if (first.indices.empty() && m_content.markedRow && *m_content.markedRow < written(Side::Rows))
            first = {Side::Rows, {*m_content.markedRow}};
        std::vector<int> needed = first.side == side ? first.indices : std::vector<int>();
        const double height = QFontMetricsF(m_style.font).height();
        const int every = std::max(1, static_cast<int>(std::ceil(height * 0.98 / m_pitch[at(side)])));
        for (const int index : first.side == side ? std::vector<int>() : first.indices) {
            for (const int partner : partnersOf(m_heads.front(), {first.side, index})) {
                if (std::ranges::none_of(needed, [&](int n) { return std::abs(partner - n) < every; }))
                    needed.push_back(partner);
            }
        }
        for (int i = 0; i < written(side); ++i) {
            const TokenPlace place{side, i};
            const bool near = std::ranges::any_of(needed, [&](int n) { return std::abs(i - n) < every; });
            const bool isFound =
                std::ranges::binary_search(side == Side::Rows ? highlight.foundRows : highlight.foundColumns, i);
            if (std::ranges::find(needed, i) == needed.end() && !isFound && (i % every != 0 || near))
                continue;
            const QRectF room = rectOf(place);
            if (m_content.axis(side).isLone(i)) {
                // Behind the end of the room of its label that is beside the lines.
                const double high = std::min(room.height(), height) * 0.8;
                drawHatching(painter,
                             {side == Side::Rows ? room.right() + 1 : room.left() - 1 - (arcGap - 2),
                              room.center().y() - high / 2, arcGap - 2, high},
                             m_style);
            }
            if (isFound)
                painter.fillRect(room.adjusted(0, 0.5, 0, -0.5), foundGround(m_style.colors));
            if (isPicked(place)) {
                painter.setBrush(Qt::NoBrush);
                painter.setPen(QPen(m_style.colors.accent, 1.5));
                painter.drawRoundedRect(QRectF(room.left(), room.center().y() - height / 2, room.width(), height), 3,
                                        3);
            }
            const QColor ink = m_content.inkOf(place, m_style.colors);
            const bool strong = ink == m_style.colors.accent || isFound || isPicked(place)
                || i == (side == Side::Rows ? highlight.row : highlight.column);
            drawLabel(painter,
                      strong                                ? m_style.strong
                          : ink == m_style.colors.generated ? m_style.generated
                                                            : m_style.font,
                      ink, room.adjusted(3, 0, -3, 0), side == Side::Rows ? Qt::AlignRight : Qt::AlignLeft,
                      label(place));
        }
    }

    // --- what it says

    void say(QPainter& painter, const QRectF& box, Qt::AlignmentFlag side, const QString& text) const
    {
        drawLabel(painter, m_style.small, m_style.colors.muted, box, side, text);
    }

    // The names of the two texts, and between them what colours and dashes mean.
    void paintNames(QPainter& painter) const
    {
        const double height = QFontMetricsF(m_style.small).height();
        const double y = m_top - arcGap / 2 - height;
        double legend = m_left;
        if (isText() && !m_spec.noAxisNames) {
            const double width = m_right - m_left;
            say(painter, {m_left, y, width, height}, Qt::AlignLeft, m_content.rowAxis);
            say(painter, {m_left, m_size.height() - margin - height, width, height}, Qt::AlignLeft,
                m_content.columnAxis);
            legend += QFontMetricsF(m_style.small).horizontalAdvance(m_content.rowAxis) + 3 * arcGap;
        } else if (!m_spec.noAxisNames) {
            const double begin = m_right + arcGap + 3;
            const double end = m_bar.box.isNull() ? m_size.width() - margin : m_bar.box.left() - arcGap;
            say(painter, {margin, y, m_left - arcGap - 3 - margin, height}, Qt::AlignRight, m_content.rowAxis);
            say(painter, {begin, y, end - begin, height}, Qt::AlignLeft, m_content.columnAxis);
        }
        if (!m_spec.noLegend)
            paintLegend(painter, legend, y, height);
    }

    // As far as there is room.
    void paintLegend(QPainter& painter, double left, double top, double height) const
    {
        if (m_content.map.isSigned) {
            const double half = (m_right - m_left) / 2 - arcGap;
            drawLabel(painter, m_style.small, m_style.colors.more, {m_left, top, half, height}, Qt::AlignHCenter,
                      m_content.moreName);
            drawLabel(painter, m_style.small, m_style.colors.less, {m_right - half, top, half, height},
                      Qt::AlignHCenter, m_content.lessName);
            return;
        }
        constexpr double sample = 24;
        const QFontMetricsF metrics(m_style.small);
        for (const HeadWeights& head : m_heads) {
            const QString name = head.head ? QString::number(*head.head) : QString();
            const double width = height * 0.6 + 3 + metrics.horizontalAdvance(name) + arcGap;
            if (!head.head || left + width > m_right)
                break;
            painter.fillRect(QRectF(left, top + height * 0.2, height * 0.6, height * 0.6), head.color);
            say(painter, {left + height * 0.6 + 3, top, width - height * 0.6, height}, Qt::AlignLeft, name);
            left += width;
        }
        for (const auto& [mark, state] :
             {std::pair(CellMark::Changed, CellState::Edited), std::pair(CellMark::Hidden, CellState::Hidden)}) {
            const double width = sample + arcGap / 2 + metrics.horizontalAdvance(markName(mark)) + arcGap;
            const bool has = std::ranges::any_of(
                m_heads, [state = state](const HeadWeights& head) { return head.map.count(state) > 0; });
            if (!has || left + width > m_right)
                continue;
            painter.setPen(penOf(mark, m_style.colors.bar, 1.6));
            painter.drawLine(QPointF(left, top + height / 2), QPointF(left + sample, top + height / 2));
            say(painter, {left + sample + arcGap / 2, top, width - sample, height}, Qt::AlignLeft, markName(mark));
            left += width + arcGap;
        }
    }

    std::vector<HeadWeights> m_heads;
    ColorBar m_bar; // of the lines' strength; its box is null where there is no room
    double m_top = 0;
    std::array<double, 2> m_pitch{}; // of lists, from one label of a side to the next
    double m_left = 0; // where the lines of lists start and end
    double m_right = 0;
    std::array<RunningText, 2> m_texts; // by side
    std::array<QPointF, 2> m_origins;
    std::vector<Line> m_lines; // faintest first
    bool m_isCut = false; // only the strongest are there
    QString m_noLines; // why there are none; empty: there are some
    qint64 m_noNumbers = 0; // cells of all heads
    std::vector<Line> m_noNumberLines; // over the others
    mutable double m_pictureScale = 0; // dots of m_picture to one of the figure's
    mutable QImage m_picture;
};

} // namespace

// The tokens in two columns or rows, lines between them.
extern const FigureKind arcsKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<ArcsFigure>(spec, linesContent(spec, trace), size);
    },
    .numbers = heatmapContent,
    .drawsHeadsApart = true,
    .cost =
        [](const FigureSpec& spec, const Trace& trace) {
            constexpr std::size_t stroke = 20; // a line takes as long as so many weights
            return mapCost(spec.mapSpec(), trace) * stroke * std::max<std::size_t>(drawnHeads(spec, trace).size(), 1)
                + tokensCost(spec, trace);
        }};

} // namespace attn::ui
