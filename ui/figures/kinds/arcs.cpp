// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/kinds/arcs_figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace attn::ui {

namespace {

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

} // namespace

ArcsFigure::ArcsFigure(const FigureSpec& spec, LinesContent content, QSizeF size)
    : TokenFigure(spec, std::move(content.frame), size)
    , m_heads(std::move(content.heads))
{
    const ValueScale scale = m_content.valueScale();
    m_bar.scale = {std::max(0.0, scale.least()), scale.most(), scale.form()};
    m_bar.name = m_content.valueName;
    m_bar.notes = m_content.scaleNotes;
    m_bar.shares = !m_content.rowEnds.empty();
    m_bar.ink = m_content.map.isSigned || hasBoxes() ? m_style.colors.muted : m_style.colors.bar;
    if (!m_empty) {
        chooseLines();
        if (m_lines.empty() && m_noNumbers == 0)
            m_noLines = whyNoLines();
        if (!m_noLines.isEmpty())
            m_description += QLatin1Char(' ') + m_noLines + QLatin1Char('.');
        const qint64 cells = qint64{rows()} * columns() * indexSize(m_heads);
        addNote(m_title, m_description, noNumbersNote(m_noNumbers, cells, NoNumberMark::Dashed));
    }
    layOut(content.texts);
}

std::optional<ScaleBar> ArcsFigure::scaleBar() const
{
    if (m_empty || m_bar.box.isNull())
        return std::nullopt;
    return ScaleBar{ValueScale(m_content.least, m_content.most, m_content.scale), m_bar.box};
}

FigureHit ArcsFigure::hitTest(QPointF point) const
{
    if (m_empty)
        return {};
    for (const Side side : {Side::Rows, Side::Columns}) {
        if (isText()) {
            if (const auto index = text(side).at(point - origin(side)); index && *index < written(side))
                return TokenFigure::hitOf(TokenPlace{side, *index});
            continue;
        }
        const double above = point.y() - top(side);
        const auto index = static_cast<int>(std::floor(above / pitch(side)));
        if (above >= 0 && index < written(side) && labelRect(side, index).contains(point))
            return TokenFigure::hitOf(TokenPlace{side, index});
    }
    return m_bar.box.isNull() ? FigureHit() : m_bar.hitAt(point);
}

std::vector<TokenPlace> ArcsFigure::places() const
{
    std::vector<TokenPlace> all;
    for (const Side side : {Side::Rows, Side::Columns}) {
        for (int index = 0; index < (m_empty ? 0 : written(side)); ++index)
            all.push_back({side, index});
    }
    return all;
}

QRectF ArcsFigure::rectOf(TokenPlace place) const
{
    if (m_empty || place.index < 0 || place.index >= count(place.side))
        return {};
    return isText() ? text(place.side).rects(place.index).front().translated(origin(place.side))
                    : labelRect(place.side, place.index);
}

ArcsFigure::Flow ArcsFigure::flow() const
{
    return !isText() ? Flow::Lists : m_texts[0].isRightToLeft() ? Flow::TextFromRight : Flow::Text;
}

QString ArcsFigure::valuesOf(TokenPlace place) const
{
    QStringList said;
    const bool ofPicked = !picked().empty() && place.side != pickSide();
    for (const HeadWeights& head : m_heads) {
        const QString name = m_heads.size() > 1 ? headName(*head.head) + QLatin1Char(' ') : QString();
        if (ofPicked) {
            std::vector<TokenPlace> all;
            for (const int index : picked())
                all.push_back({pickSide(), index});
            said << name + valueText(sumOf(head, all, place.index));
            continue;
        }
        QStringList partners;
        const std::vector<int> all = partnersOf(head, place);
        for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), namedPartners); ++i)
            partners << label({opposite(place.side), all[i]}) + QLatin1Char(' ')
                    + valueText(weight(head, place.side, place.index, all[i]));
        qint64 missing = 0;
        for (int other = 0; other < (m_noNumbers > 0 ? count(opposite(place.side)) : 0); ++other)
            missing += isNoNumber(head, place, other) ? 1 : 0;
        if (missing > 0)
            partners << noNumbersNote(missing, count(opposite(place.side)), NoNumberMark::Dashed);
        if (!partners.isEmpty())
            said << name + partners.join(QStringLiteral(", "));
    }
    return said.join(QStringLiteral("   "));
}

QString ArcsFigure::weightText(int row, int column) const
{
    if (m_heads.size() == 1)
        return TokenFigure::weightText(row, column);
    QStringList said;
    for (const HeadWeights& head : m_heads) {
        const QString name = headName(*head.head) + QLatin1Char(' ');
        said << name + valueText(weight(head, Side::Rows, row, column));
    }
    return said.join(QStringLiteral(", "));
}

double ArcsFigure::boxesWidth() const
{
    return hasBoxes() ? std::min(boxWidth * static_cast<double>(m_heads.size()), widestBoxes) : 0;
}

QString ArcsFigure::valueText(double value) const
{
    return numberText(value, m_content.decimalOf(value, 3));
}

void ArcsFigure::layOut(const std::array<std::vector<TextPiece>, 2>& texts)
{
    m_top = margin + headerHeight() + 2 * arcGap + QFontMetricsF(m_style.small).height();
    if (hasNothing())
        return;
    if (texts[0].empty() || !layOutTexts(texts))
        layOutLists();
}

double ArcsFigure::naturalPitch(int tokens) const
{
    return std::max(std::min(QFontMetricsF(m_style.font).height() * 1.5, 2.0 * m_size.width() / tokens), 1.0);
}

void ArcsFigure::layOutLists()
{
    const double line = QFontMetricsF(m_style.font).height();
    const int most = std::max(rows(), columns());
    if (m_size.height() <= 0)
        m_size.setHeight(m_top + most * naturalPitch(most) + margin);
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
    if (!m_spec.noAxisNames) {
        for (const QString& name : {m_content.rowAxis, m_content.columnAxis})
            widest = std::max(widest, labelWidth(name, QFontMetricsF(m_style.small)) - boxesWidth());
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

bool ArcsFigure::layOutTexts(const std::array<std::vector<TextPiece>, 2>& texts)
{
    const double width = m_size.width() - 2 * margin;
    const double below = QFontMetricsF(m_style.small).height() + arcGap;
    for (const double scale : {1.0, 0.85, 0.7}) {
        const QFont font = figureFont(m_spec.baseFontPoints * scale, m_spec.fontFamily);
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

QRectF ArcsFigure::labelRect(Side side, int index) const
{
    return {side == Side::Rows ? m_left - arcGap - boxesWidth() - m_labelWidth : m_right + arcGap + boxesWidth(),
            top(side) + index * pitch(side), m_labelWidth, pitch(side)};
}

QPointF ArcsFigure::anchor(Side side, int index) const
{
    if (!isText())
        return {side == Side::Rows ? m_left : m_right, labelRect(side, index).center().y()};
    const QRectF box = rectOf({side, index});
    return {box.center().x(), side == Side::Rows ? box.bottom() : box.top()};
}

void ArcsFigure::chooseLines()
{
    std::vector<float> weights(columns());
    for (int head = 0; head < indexSize(m_heads); ++head) {
        const HeadWeights& of = m_heads[head];
        for (int row = 0; row < written(Side::Rows); ++row) {
            for (int column = 0; column < columns(); ++column)
                weights[column] = strength(row, of.map.at(row, column)) > 0 ? of.map.at(row, column) : 0;
            std::vector<bool> isDrawn(columns());
            bool largest = !isDense(); // comes first
            for (const int column : drawnColumns(weights, leastDrawn(row, weights), m_spec.topMass)) {
                const CellMark mark = of.map.mark(row, column);
                const bool stays =
                    std::exchange(largest, false) || mark != CellMark::Unedited || row == m_content.markedRow;
                m_lines.push_back({head, row, column, strength(row, weights[column]), mark, stays});
                isDrawn[column] = true;
            }
            for (int column = 0; column < (of.map.states.empty() ? 0 : columns()); ++column) {
                if (const CellMark mark = of.map.mark(row, column); mark != CellMark::Unedited && !isDrawn[column])
                    m_lines.push_back({head, row, column, strength(row, of.map.at(row, column)), mark, true});
            }
        }
    }
    std::stable_sort(m_lines.begin(), m_lines.end(), [](const Line& a, const Line& b) {
        return std::pair(a.stays, a.strength) < std::pair(b.stays, b.strength);
    });
    keepStrongest();
    std::stable_sort(m_lines.begin(), m_lines.end(),
                     [](const Line& a, const Line& b) { return a.strength < b.strength; });
    for (const HeadWeights& head : m_heads)
        m_noNumbers += head.map.count(CellState::NaN);
    m_noNumberLines = noNumberLines();
}

double ArcsFigure::roomForLines() const
{
    const int most = std::max(rows(), columns());
    return m_size.height() > 0 ? m_size.height() : naturalPitch(most) * most;
}

bool ArcsFigure::isDense() const
{
    return roomForLines() < leastRowPitch * rows();
}

// As many as can be told apart.
void ArcsFigure::keepStrongest()
{
    const double enough = (isDense() ? mostDenseInk : mostInk) * roomForLines();
    const int fewest = isDense() ? 0 : fewestLines;
    double ink = 0;
    int kept = 0;
    for (auto line = m_lines.rbegin(); line != m_lines.rend(); ++line, ++kept) {
        if (!line->stays && kept >= fewest && ink >= enough)
            break;
        ink += widthOf(*line);
    }
    const int all = indexSize(m_lines);
    if (kept == all)
        return;
    m_isCut = true;
    m_lines.erase(m_lines.begin(), m_lines.end() - kept);
    addNote(m_title, m_description, tr("the %1 strongest of %2 lines").arg(grouped(kept), grouped(all)));
}

// Why there is no line at all.
QString ArcsFigure::whyNoLines() const
{
    double largest = 0;
    for (const HeadWeights& head : m_heads) {
        if (const auto cell = head.map.largest())
            largest = std::max(largest, std::abs(static_cast<double>(head.map.at(cell->first, cell->second))));
    }
    if (largest <= 0)
        return tr("No line: every value is 0");
    const bool isBelow = m_spec.threshold > largest;
    const QString most = tr("No line: the largest value is %1");
    const QString least = isBelow ? tr(", the threshold %1") : tr(", the colours begin at %1");
    return most.arg(decimal(largest, 3)) + least.arg(decimal(isBelow ? m_spec.threshold : m_bar.scale.least(), 3));
}

std::vector<ArcsFigure::Line> ArcsFigure::noNumberLines(std::optional<TokenPlace> place, int places) const
{
    std::vector<Line> lines;
    if (m_noNumbers == 0)
        return lines;
    const auto range = [&](Side side) {
        return place && place->side == side ? std::pair(place->index, place->index + 1) : std::pair(0, written(side));
    };
    const auto forEach = [&](const auto& visit) {
        for (int head = 0; head < indexSize(m_heads); ++head) {
            for (auto [row, lastRow] = range(Side::Rows); row < lastRow; ++row) {
                for (auto [column, lastColumn] = range(Side::Columns); column < lastColumn; ++column) {
                    if (isNoNumber(m_heads[head], {Side::Rows, row}, column))
                        visit(Line{head, row, column});
                }
            }
        }
    };
    qint64 count = 0;
    forEach([&count](const Line&) { ++count; });
    const qint64 every = (count * places + mostNoNumberLines - 1) / mostNoNumberLines;
    qint64 next = 0;
    forEach([&](const Line& line) {
        if ((next++ + line.row) % every == 0) // not always the same columns
            lines.push_back(line);
    });
    return lines;
}

bool ArcsFigure::isNoNumber(const HeadWeights& head, TokenPlace place, int other) const
{
    const int row = place.side == Side::Rows ? place.index : other;
    const int column = place.side == Side::Rows ? other : place.index;
    return head.map.isNaN(row, column);
}

// Where no threshold is chosen, what is faint on the row's scale is left out, but never a row's largest weight.
double ArcsFigure::leastDrawn(int row, std::span<const float> weights) const
{
    if (m_spec.threshold > 0)
        return m_spec.threshold;
    const double end = m_content.rowEnds.empty() ? 1 : m_content.rowEnds[static_cast<std::size_t>(row)];
    double largest = 0;
    for (const float weight : weights) {
        if (std::isfinite(weight))
            largest = std::max(largest, std::abs(static_cast<double>(weight)));
    }
    return std::min(std::abs(m_bar.scale.valueAt(faintest) * end), largest);
}

double ArcsFigure::weight(const HeadWeights& head, Side side, int index, int other)
{
    return static_cast<double>(side == Side::Rows ? head.map.at(index, other) : head.map.at(other, index));
}

double ArcsFigure::sumOf(const HeadWeights& head, const std::vector<TokenPlace>& places, int other) const
{
    double sum = 0;
    for (const TokenPlace& place : places) {
        const double value = weight(head, place.side, place.index, other);
        sum += std::isfinite(value) || isNoNumber(head, place, other) ? value : 0;
    }
    return sum;
}

double ArcsFigure::strength(int row, double value) const
{
    const double onScale = m_content.rowEnds.empty() ? value : value / m_content.rowEnds[static_cast<std::size_t>(row)];
    const double part = m_bar.scale.fraction(m_content.map.isSigned ? std::abs(onScale) : onScale);
    return part > 0 ? part : 0;
}

double ArcsFigure::strength(const HeadWeights& head, TokenPlace place, int other) const
{
    return strength(place.side == Side::Rows ? place.index : other, weight(head, place.side, place.index, other));
}

QColor ArcsFigure::inkOf(const HeadWeights& head, double value) const
{
    const ThemeColors& colors = m_style.colors;
    return !m_content.map.isSigned ? head.color : value > 0 ? colors.more : colors.less;
}

std::vector<int> ArcsFigure::partnersOf(const HeadWeights& head, TokenPlace place) const
{
    std::vector<int> partners;
    for (int other = 0; other < count(opposite(place.side)); ++other) {
        if (std::isfinite(weight(head, place.side, place.index, other)) && strength(head, place, other) > 0)
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

std::optional<TokenPlace> ArcsFigure::pointedAt(const Highlight& highlight) const
{
    std::optional<TokenPlace> place;
    if (highlight.row)
        place = {Side::Rows, *highlight.row};
    else if (highlight.column)
        place = {Side::Columns, *highlight.column};
    return place && place->index < count(place->side) ? place : std::nullopt;
}

std::vector<TokenPlace> ArcsFigure::isolated(const Highlight& highlight) const
{
    std::vector<TokenPlace> alone;
    for (const int index : picked())
        alone.push_back({pickSide(), index});
    const auto pointed = pointedAt(highlight);
    if (pointed && (alone.empty() || (pointed->side == pickSide() && !isPicked(*pointed))))
        alone.push_back(*pointed);
    return alone;
}

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
