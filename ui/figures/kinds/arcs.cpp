// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/token_figure.h"

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
constexpr double faintest = 0.03; // weaker lines are not drawn unless a threshold says so
constexpr std::ptrdiff_t mostLines = 20000;
constexpr double widestSpan = 420;
constexpr double leastSpan = 120; // beside a colour bar
constexpr double leastEdited = 0.45; // opacity of a line that was edited, whatever its weight
constexpr double fadedOpacity = 0.1; // of lines that are not the pointed-at token's
constexpr double mostDots = 16e6; // of a picture of the lines
constexpr double boxWidth = 9; // of a head's weight beside a token
constexpr double widestBoxes = 96;
constexpr double leastBetween = 70; // from one running text to the other
constexpr int namedPartners = 3; // in what is said of a token

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
        m_bar.ink = m_content.isDifference() || hasBoxes() ? m_style.colors.muted : m_style.colors.bar;
        if (!m_empty)
            chooseLines();
        layOut(content.texts);
    }

    std::optional<ScaleBar> scaleBar() const override
    {
        if (m_empty || m_bar.box.isNull())
            return std::nullopt;
        return ScaleBar{ValueScale(m_content.least, m_content.most, m_content.scale), m_bar.box};
    }

    FigureHit hitTest(QPointF point) const override
    {
        if (m_empty)
            return {};
        for (const Side side : {Side::Rows, Side::Columns}) {
            if (isText()) {
                if (const auto index = text(side).at(point - origin(side)))
                    return TokenFigure::hitOf(TokenPlace{side, *index});
                continue;
            }
            const double above = point.y() - top(side);
            const auto index = static_cast<int>(std::floor(above / pitch(side)));
            if (above >= 0 && index < count(side) && labelRect(side, index).contains(point))
                return TokenFigure::hitOf(TokenPlace{side, index});
        }
        return m_bar.box.isNull() ? FigureHit() : m_bar.hitAt(point);
    }

    std::vector<TokenPlace> places() const override
    {
        std::vector<TokenPlace> all;
        for (const Side side : {Side::Rows, Side::Columns}) {
            for (int index = 0; index < (m_empty ? 0 : count(side)); ++index)
                all.push_back({side, index});
        }
        return all;
    }

    QRectF rectOf(TokenPlace place) const override
    {
        if (m_empty || place.index < 0 || place.index >= count(place.side))
            return {};
        return isText() ? text(place.side).rects(place.index).front().translated(origin(place.side))
                        : labelRect(place.side, place.index);
    }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        paintNames(painter);
        const std::vector<TokenPlace> alone = isolated(highlight);
        paintLines(painter, alone);
        paintWeights(painter, alone);
        for (const Side side : {Side::Rows, Side::Columns}) {
            if (isText())
                paintText(painter, side, highlight);
            else
                paintLabels(painter, side, highlight);
        }
        if (!m_bar.box.isNull())
            m_bar.paint(painter, m_style);
    }

    Flow flow() const override
    {
        return !isText() ? Flow::Lists : m_texts[0].isRightToLeft() ? Flow::TextFromRight : Flow::Text;
    }

    // To the picked tokens, or else to those that it has most to do with; head by head.
    QString valuesOf(TokenPlace place) const override
    {
        QStringList said;
        const bool ofPicked = !picked().empty() && place.side != pickSide();
        for (const HeadWeights& head : m_heads) {
            const QString name = m_heads.size() > 1 ? headName(*head.head) + QLatin1Char(' ') : QString();
            if (ofPicked) {
                double sum = 0;
                for (const int index : picked())
                    sum += weight(head, pickSide(), index, place.index);
                said << name + valueText(sum);
                continue;
            }
            QStringList partners;
            const std::vector<int> all = partnersOf(head, place);
            for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), namedPartners); ++i)
                partners << label({opposite(place.side), all[i]}) + QLatin1Char(' ')
                        + valueText(weight(head, place.side, place.index, all[i]));
            if (!partners.isEmpty())
                said << name + partners.join(QStringLiteral(", "));
        }
        return said.join(QStringLiteral("   "));
    }

private:
    using Side = TokenSide;
    struct Line
    {
        int head = 0; // index in m_heads
        int row = 0;
        int column = 0;
        double strength = 0; // weight by the largest on the scale, 0 .. 1
        CellMark edit = CellMark::Unedited;
    };

    static std::size_t at(Side side) { return side == Side::Rows ? 0 : 1; }
    bool isText() const { return m_texts[0].count() > 0; }
    const RunningText& text(Side side) const { return m_texts[at(side)]; }
    QPointF origin(Side side) const { return m_origins[at(side)]; }
    double pitch(Side side) const { return m_pitch[at(side)]; }
    // The lists stand in the middle of each other.
    double top(Side side) const { return m_top + (m_room - pitch(side) * count(side)) / 2; }
    bool hasBoxes() const { return m_heads.size() > 1; }
    double boxesWidth() const
    {
        return hasBoxes() ? std::min(boxWidth * static_cast<double>(m_heads.size()), widestBoxes) : 0;
    }

    QString valueText(double value) const
    {
        return m_content.isDifference() ? signedDecimal(value, 3) : decimal(value, 3);
    }

    void layOut(const std::array<std::vector<TextPiece>, 2>& texts)
    {
        m_top = margin + headerHeight() + 2 * arcGap + QFontMetricsF(m_style.small).height();
        if (m_empty) {
            if (m_size.height() <= 0)
                m_size.setHeight(m_size.width() * 0.3);
            return;
        }
        if (texts[0].empty() || !layOutTexts(texts))
            layOutLists();
    }

    void layOutLists()
    {
        const double line = QFontMetricsF(m_style.font).height();
        const int most = std::max(rows(), columns());
        if (m_size.height() <= 0)
            m_size.setHeight(m_top + most * std::max(std::min(line * 1.5, 2.0 * m_size.width() / most), 1.0) + margin);
        const double available = std::max(10.0, m_size.height() - m_top - margin);
        // The shorter side spreads over the height of the longer one.
        const double longest = std::min(available / most, line * 5);
        m_room = longest * most;
        double widest = 0;
        for (const Side side : {Side::Rows, Side::Columns}) {
            m_pitch[at(side)] = std::min(m_room / count(side), line * 7);
            for (int index = 0; index < count(side); ++index)
                widest = std::max(widest, labelWidth(label({side, index}), QFontMetricsF(m_style.strong)));
        }
        m_labelWidth = std::min(widest + 8, m_size.width() * 0.3);
        const double bar = 2 * arcGap + colorBarWidth + m_bar.labelRoom(m_style);
        const double beside = margin + m_labelWidth + arcGap + boxesWidth();
        const bool hasBar = !m_spec.noLegend && m_size.width() - bar - 2 * beside >= leastSpan;
        const double width = m_size.width() - (hasBar ? bar : 0);
        const double between =
            std::max(20.0, std::min(width - 2 * beside, std::max(widestSpan, std::min(m_room, width * 0.6))));
        m_left = (width - between) / 2;
        m_right = m_left + between;
        if (hasBar)
            m_bar.box = QRectF(m_right + boxesWidth() + m_labelWidth + 3 * arcGap, m_top, colorBarWidth,
                               std::clamp(m_room, 40.0, 160.0));
    }

    // False where even small letters leave no room for lines.
    bool layOutTexts(const std::array<std::vector<TextPiece>, 2>& texts)
    {
        const double width = m_size.width() - 2 * margin;
        const double below = QFontMetricsF(m_style.small).height() + arcGap;
        for (const double scale : {1.0, 0.85, 0.7}) {
            const QFont font = figureFont(m_spec.baseFontPoints * scale);
            for (std::size_t side = 0; side < 2; ++side)
                m_texts[side] = RunningText(texts[side], font, width);
            const double taken = m_top + m_texts[0].height() + m_texts[1].height() + below + margin;
            const double natural = std::clamp(width * 0.22, leastBetween, 220.0);
            if (m_size.height() <= 0)
                m_size.setHeight(taken + natural);
            if (m_size.height() - taken < leastBetween)
                continue;
            m_left = margin;
            m_right = m_size.width() - margin;
            for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
                const double slack = (width - m_texts[side].naturalWidth()) / 2;
                m_origins[side].setX(margin + (m_texts[side].isRightToLeft() ? -slack : slack));
            }
            m_origins[0].setY(m_top);
            m_origins[1].setY(m_size.height() - margin - below - m_texts[1].height());
            return true;
        }
        m_texts = {};
        return false;
    }

    QRectF labelRect(Side side, int index) const
    {
        return {side == Side::Rows ? m_left - arcGap - boxesWidth() - m_labelWidth : m_right + arcGap + boxesWidth(),
                top(side) + index * pitch(side), m_labelWidth, pitch(side)};
    }

    // Where the lines of a token end.
    QPointF anchor(Side side, int index) const
    {
        if (!isText())
            return {side == Side::Rows ? m_left : m_right, labelRect(side, index).center().y()};
        const QRectF box = rectOf({side, index});
        return {box.center().x(), side == Side::Rows ? box.bottom() : box.top()};
    }

    // What was edited has a line whatever its weight.
    void chooseLines()
    {
        const double threshold = m_spec.threshold > 0 ? m_spec.threshold : faintest * m_content.most;
        std::vector<float> weights(columns());
        for (int head = 0; head < indexSize(m_heads); ++head) {
            const HeadWeights& of = m_heads[head];
            for (int row = 0; row < rows(); ++row) {
                for (int column = 0; column < columns(); ++column)
                    weights[column] = strength(row, of.matrix.at(row, column)) > 0 ? of.matrix.at(row, column) : 0;
                std::vector<bool> isDrawn(columns());
                for (const int column : drawnColumns(weights, threshold, m_spec.topMass)) {
                    m_lines.push_back({head, row, column, strength(row, weights[column]), editOf(of, row, column)});
                    isDrawn[column] = true;
                }
                for (int column = 0; column < (of.edits.empty() ? 0 : columns()); ++column) {
                    if (const CellMark mark = editOf(of, row, column); mark != CellMark::Unedited && !isDrawn[column])
                        m_lines.push_back({head, row, column, strength(row, of.matrix.at(row, column)), mark});
                }
            }
        }
        std::stable_sort(m_lines.begin(), m_lines.end(),
                         [](const Line& a, const Line& b) { return a.strength < b.strength; });
        if (std::ssize(m_lines) > mostLines)
            m_lines.erase(m_lines.begin(), m_lines.end() - mostLines);
    }

    CellMark editOf(const HeadWeights& head, int row, int column) const
    {
        return head.edits.empty() || isBlank(row, column) ? CellMark::Unedited : head.edits.at(row, column);
    }

    // Of a token and one of the other side.
    static double weight(const HeadWeights& head, Side side, int index, int other)
    {
        return static_cast<double>(side == Side::Rows ? head.matrix.at(index, other) : head.matrix.at(other, index));
    }

    // Of a weight in this row, as the scale has it: 0 .. 1.
    double strength(int row, double value) const
    {
        const double onScale =
            m_content.rowEnds.empty() ? value : value / m_content.rowEnds[static_cast<std::size_t>(row)];
        const double part = m_bar.scale.fraction(m_content.isDifference() ? std::abs(onScale) : onScale);
        return part > 0 ? part : 0;
    }
    double strength(const HeadWeights& head, TokenPlace place, int other) const
    {
        return strength(place.side == Side::Rows ? place.index : other, weight(head, place.side, place.index, other));
    }

    QColor inkOf(const HeadWeights& head, double value) const
    {
        const ThemeColors& colors = m_style.colors;
        return !m_content.isDifference() ? head.color : value > 0 ? colors.more : colors.less;
    }

    const PairedPlaces& pairs(Side side) const
    {
        return side == Side::Rows ? m_content.rowPairs : m_content.columnPairs;
    }
    bool isLone(Side side, int index) const
    {
        return side == Side::Rows ? m_content.isLoneRow(index) : m_content.isLoneColumn(index);
    }

    // On the other side, what a token has most to do with first.
    std::vector<int> partnersOf(const HeadWeights& head, TokenPlace place) const
    {
        std::vector<int> partners;
        for (int other = 0; other < count(opposite(place.side)); ++other) {
            if (strength(head, place, other) > 0)
                partners.push_back(other);
        }
        const auto named = std::min<std::ptrdiff_t>(namedPartners, std::ssize(partners));
        std::partial_sort(partners.begin(), partners.begin() + named, partners.end(), [&](int a, int b) {
            const double first = strength(head, place, a);
            const double second = strength(head, place, b);
            return first != second ? first > second : a < b;
        });
        return partners;
    }

    // What is pointed at, a row before a column.
    std::optional<TokenPlace> pointedAt(const Highlight& highlight) const
    {
        std::optional<TokenPlace> place;
        if (highlight.row)
            place = {Side::Rows, *highlight.row};
        else if (highlight.column)
            place = {Side::Columns, *highlight.column};
        return place && place->index < count(place->side) ? place : std::nullopt;
    }

    // The tokens whose lines stand alone; all of one side.
    std::vector<TokenPlace> isolated(const Highlight& highlight) const
    {
        std::vector<TokenPlace> alone;
        for (const int index : picked())
            alone.push_back({pickSide(), index});
        const auto pointed = pointedAt(highlight);
        if (pointed && (alone.empty() || (pointed->side == pickSide() && !isPicked(*pointed))))
            alone.push_back(*pointed);
        return alone;
    }

    void strokeLine(QPainter& painter, const Line& line, double opacity) const
    {
        const HeadWeights& head = m_heads[line.head];
        const bool ofStep = line.row == m_content.markedRow && !m_content.isDifference() && !hasBoxes();
        QColor color = ofStep ? m_style.colors.accent : inkOf(head, weight(head, Side::Rows, line.row, line.column));
        const double least = line.edit == CellMark::Unedited ? 0.08 : leastEdited;
        color.setAlphaF(static_cast<float>((least + (0.95 - least) * line.strength) * opacity));
        const QPointF from = anchor(Side::Rows, line.row);
        const QPointF to = anchor(Side::Columns, line.column);
        const QPointF bend = isText() ? QPointF(0, (to.y() - from.y()) * 0.42) : QPointF((to.x() - from.x()) * 0.42, 0);
        QPainterPath path(from);
        path.cubicTo(from + bend, to - bend, to);
        painter.setPen(penOf(line.edit, color, 0.6 + 3 * line.strength));
        painter.drawPath(path);
    }

    static QPen penOf(CellMark edit, const QColor& color, double width)
    {
        return edit == CellMark::Unedited ? QPen(color, width, Qt::SolidLine, Qt::RoundCap)
            : edit == CellMark::Changed   ? QPen(color, width, Qt::DashLine, Qt::FlatCap)
                                          : QPen(color, width, Qt::DotLine, Qt::FlatCap);
    }

    // The names of the two texts, and between them what colours and dashes mean.
    void paintNames(QPainter& painter) const
    {
        const double height = QFontMetricsF(m_style.small).height();
        const double y = m_top - arcGap / 2 - height;
        const QColor& muted = m_style.colors.muted;
        double legend = m_left;
        if (isText() && !m_spec.noAxisNames) {
            drawLabel(painter, m_style.small, muted, {m_left, y, m_right - m_left, height}, Qt::AlignLeft,
                      m_content.rowAxis);
            drawLabel(painter, m_style.small, muted,
                      {m_left, m_size.height() - margin - height, m_right - m_left, height}, Qt::AlignLeft,
                      m_content.columnAxis);
            legend += QFontMetricsF(m_style.small).horizontalAdvance(m_content.rowAxis) + 3 * arcGap;
        } else if (!m_spec.noAxisNames) {
            drawLabel(painter, m_style.small, muted, {0, y, m_left - arcGap - 3, height}, Qt::AlignRight,
                      m_content.rowAxis);
            drawLabel(painter, m_style.small, muted,
                      {m_right + arcGap + 3, y, m_size.width() - m_right - arcGap - 3, height}, Qt::AlignLeft,
                      m_content.columnAxis);
        }
        if (m_spec.noLegend)
            return;
        if (m_content.isDifference())
            paintSigns(painter, y);
        else
            paintLegend(painter, legend, y, height);
    }

    // As far as there is room.
    void paintLegend(QPainter& painter, double left, double top, double height) const
    {
        constexpr double sample = 24;
        const QFontMetricsF metrics(m_style.small);
        for (const HeadWeights& head : m_heads) {
            if (!head.head)
                continue;
            const QString name = QString::number(*head.head);
            const double width = height * 0.6 + 3 + metrics.horizontalAdvance(name) + arcGap;
            if (left + width > m_right)
                break;
            painter.fillRect(QRectF(left, top + height * 0.2, height * 0.6, height * 0.6), head.color);
            drawLabel(painter, m_style.small, m_style.colors.muted,
                      {left + height * 0.6 + 3, top, width - height * 0.6, height}, Qt::AlignLeft, name);
            left += width;
        }
        for (const CellMark mark : {CellMark::Changed, CellMark::Hidden}) {
            const double width = sample + arcGap / 2 + metrics.horizontalAdvance(markName(mark)) + arcGap;
            const bool has = std::any_of(m_heads.begin(), m_heads.end(),
                                         [mark](const HeadWeights& head) { return head.edits.count(mark) > 0; });
            if (!has || left + width > m_right)
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

    // Beside tokens that are picked others have none; a token that is pointed at only dims them.
    void paintLines(QPainter& painter, const std::vector<TokenPlace>& alone) const
    {
        const double opacity = alone.empty() ? 1 : picked().empty() ? fadedOpacity : 0;
        const QTransform onDevice = painter.deviceTransform();
        const double scale = onDevice.m11();
        const bool upright =
            onDevice.type() <= QTransform::TxScale && qFuzzyCompare(scale, onDevice.m22()) && scale > 0;
        const bool pictured = isRaster(painter) && upright && !m_size.isEmpty()
            && m_size.width() * m_size.height() * scale * scale <= mostDots;
        if (pictured && opacity > 0) {
            painter.setOpacity(opacity);
            painter.drawImage(QPointF(), linePicture(scale));
            painter.setOpacity(1);
        }
        for (const Line& line : m_lines) {
            const bool own = std::any_of(alone.begin(), alone.end(), [&line](const TokenPlace& place) {
                return place.index == (place.side == Side::Rows ? line.row : line.column);
            });
            if (own || (!pictured && opacity > 0))
                strokeLine(painter, line, own ? 1 : opacity);
        }
    }

    // What the tokens attend to, or are attended from: of several heads as boxes beside the tokens opposite, of one as
    // their ground.
    void paintWeights(QPainter& painter, const std::vector<TokenPlace>& alone) const
    {
        if (alone.empty())
            return;
        const Side side = opposite(alone.front().side);
        const double part = boxesWidth() / static_cast<double>(m_heads.size());
        for (int other = 0; other < count(side); ++other) {
            const QRectF box = rectOf({side, other});
            for (int i = 0; i < indexSize(m_heads); ++i) {
                double sum = 0;
                for (const TokenPlace& place : alone)
                    sum += weight(m_heads[i], place.side, place.index, other);
                const double shown = strength(side == Side::Rows ? other : alone.front().index, sum);
                QColor color = inkOf(m_heads[i], sum);
                if (isText()) {
                    const double share = box.width() / static_cast<double>(m_heads.size());
                    color.setAlphaF(static_cast<float>(0.55 * shown));
                    painter.fillRect(QRectF(box.left() + i * share, box.top(), share, box.height()), color);
                } else if (!hasBoxes()) {
                    color.setAlphaF(static_cast<float>(0.55 * shown));
                    painter.fillRect(box.adjusted(0, 0.5, 0, -0.5), color);
                } else {
                    const double left = side == Side::Rows ? m_left - arcGap / 2 - boxesWidth() : m_right + arcGap / 2;
                    const double high = std::max(1.0, std::min(box.height() - 1, part * 1.8));
                    const QRectF room(left + i * part, box.center().y() - high / 2, std::max(part - 1, 1.0), high);
                    painter.fillRect(room, m_style.colors.blank);
                    color.setAlphaF(static_cast<float>(0.95 * shown));
                    painter.fillRect(room, color);
                }
            }
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
                     {side == Side::Rows ? label.right() + 1 : label.left() - 1 - (arcGap - 2),
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

    // The tokens of a side that have to be named; those near them give way.
    std::vector<int> namedFirst(Side side, const Highlight& highlight) const
    {
        std::vector<int> named;
        for (const TokenPlace& place : isolated(highlight)) {
            if (place.side == side)
                named.push_back(place.index);
            else if (const std::vector<int> partners = partnersOf(m_heads.front(), place); !partners.empty())
                named.push_back(partners.front());
        }
        return named;
    }

    // They thin out to every so many; those near one that has to be there give way to it.
    void paintLabels(QPainter& painter, Side side, const Highlight& highlight) const
    {
        const double height = QFontMetricsF(m_style.font).height();
        const int every = std::max(1, static_cast<int>(std::ceil(height * 0.98 / pitch(side))));
        const std::vector<int> named = namedFirst(side, highlight);
        for (int i = 0; i < count(side); ++i) {
            const bool needed = std::find(named.begin(), named.end(), i) != named.end();
            const bool near = std::any_of(named.begin(), named.end(), [&](int n) { return std::abs(i - n) < every; });
            const auto& found = side == Side::Rows ? highlight.foundRows : highlight.foundColumns;
            const bool isFound = std::ranges::binary_search(found, i);
            if (!needed && !isFound && (i % every != 0 || near))
                continue;
            const bool step = side == Side::Rows && i == m_content.markedRow;
            const bool generated = side == Side::Rows ? m_content.isGeneratedRow(i) : m_content.isGeneratedColumn(i);
            if (isLone(side, i))
                paintLoneGround(painter, side, i);
            const QRectF room = labelRect(side, i);
            if (isFound)
                painter.fillRect(room.adjusted(0, 0.5, 0, -0.5), foundGround(m_style.colors));
            if (isPicked({side, i}))
                paintPick(painter, QRectF(room.left(), room.center().y() - height / 2, room.width(), height));
            const bool strong =
                step || isFound || isPicked({side, i}) || i == (side == Side::Rows ? highlight.row : highlight.column);
            drawLabel(painter,
                      strong          ? m_style.strong
                          : generated ? m_style.generated
                                      : m_style.font,
                      step ? m_style.colors.accent : labelInk(side, i, generated), room.adjusted(3, 0, -3, 0),
                      side == Side::Rows ? Qt::AlignRight : Qt::AlignLeft, label({side, i}));
        }
    }

    void paintPick(QPainter& painter, const QRectF& box) const
    {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_style.colors.accent, 1.5));
        painter.drawRoundedRect(box, 3, 3);
    }

    void paintText(QPainter& painter, Side side, const Highlight& highlight) const
    {
        painter.setPen(m_style.colors.ink);
        text(side).paint(painter, origin(side));
        const auto pointed = pointedAt(highlight);
        for (int i = 0; i < count(side); ++i) {
            const bool generated = side == Side::Rows ? m_content.isGeneratedRow(i) : m_content.isGeneratedColumn(i);
            for (const QRectF& rect : text(side).rects(i)) {
                const QRectF box = rect.translated(origin(side));
                if (isPicked({side, i}))
                    paintPick(painter, box.adjusted(-1, 0, 1, 0));
                else if (pointed == TokenPlace{side, i}) {
                    painter.setPen(QPen(m_style.colors.cursor, 1.2));
                    painter.drawRoundedRect(box.adjusted(-1, 0, 1, 0), 3, 3);
                }
                if (generated || (side == Side::Rows && i == m_content.markedRow) || isLone(side, i)) {
                    painter.setPen(QPen(i == m_content.markedRow && side == Side::Rows ? m_style.colors.accent
                                                                                       : labelInk(side, i, generated),
                                        1.5));
                    painter.drawLine(box.bottomLeft(), box.bottomRight());
                }
            }
        }
    }

    std::vector<HeadWeights> m_heads;
    ColorBar m_bar; // of the lines' strength; its box is null where there is no room
    double m_top = 0;
    double m_room = 0; // height of the lists
    std::array<double, 2> m_pitch{}; // from one label of a side to the next
    double m_labelWidth = 0;
    double m_left = 0; // where the lines of lists start and end
    double m_right = 0;
    std::array<RunningText, 2> m_texts; // by side; empty: they are lists
    std::array<QPointF, 2> m_origins;
    std::vector<Line> m_lines; // faintest first
    mutable QImage m_picture; // of all lines, so that moving the pointer strokes only a token's own; made on first need
};

} // namespace

// The tokens in two columns or rows, lines between them.
extern const FigureKind arcsKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<ArcsFigure>(spec, linesContent(spec, trace), size);
    },
    .numbers = heatmapContent,
    .drawsHeadsApart = true};

} // namespace attn::ui
