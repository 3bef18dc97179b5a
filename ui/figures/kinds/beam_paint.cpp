// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "base/progress.h"
#include "figures/kinds/beam_figure.h"
#include "figures/kinds/beam_words.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double fateGap = 4;
constexpr double textInset = 4;
constexpr double leastText = 14; // narrower boxes are empty
constexpr double narrowBox = 40; // whose letters begin at its edge
constexpr int mostJoined = 60; // tokens of a folded box that may fit
constexpr int curveParts = 10;
constexpr int mostFinal = 160; // boxes with letters among very many

using Strength = BeamLayout::Strength;

// Part of a line that lies inside a rectangle; a null line where nothing does.
QLineF clipped(QLineF line, const QRectF& box)
{
    double from = 0;
    double to = 1;
    const auto cut = [&](double along, double room) { // along * t <= room
        if (along > 0)
            to = std::min(to, room / along);
        else if (along < 0)
            from = std::max(from, room / along);
        else if (room < 0)
            to = -1;
    };
    cut(-line.dx(), line.x1() - box.left());
    cut(line.dx(), box.right() - line.x1());
    cut(-line.dy(), line.y1() - box.top());
    cut(line.dy(), box.bottom() - line.y1());
    return from < to ? QLineF(line.pointAt(from), line.pointAt(to)) : QLineF();
}

// The least of 1, 2, 5, 10, 20, ... that is not below.
int roundStride(double least)
{
    int decade = 1;
    while (10 * decade < least)
        decade *= 10;
    for (const int factor : {1, 2, 5}) {
        if (factor * decade >= least)
            return factor * decade;
    }
    return 10 * decade;
}

QString shortProbability(double probability)
{
    return probability > 0 && probability < 0.01 ? probabilityText(probability) : decimal(probability, 2);
}

} // namespace

QColor BeamFigure::inkOf(Strength strength) const
{
    return strength == Strength::Best ? m_style.colors.accent
        : strength == Strength::Kept  ? m_style.colors.bar
                                      : m_style.colors.grid;
}

// Every item of which something may be visible, in each column that it covers.
template<class Visit>
void BeamFigure::forVisible(const Band& band, const Visit& visit) const
{
    const int first = std::max(0, static_cast<int>(std::floor(band.cells.left())));
    const int end = std::min(indexSize(m_layout->columns), static_cast<int>(std::ceil(band.cells.right())));
    for (int column = first; column < end; ++column) {
        ThreadStop::check();
        const std::vector<int>& all = m_layout->columns[column];
        const auto row = [&](int item) { return m_layout->row(m_layout->items[item], column); };
        auto at =
            std::partition_point(all.begin(), all.end(), [&](int item) { return row(item) + 1 <= band.cells.top(); });
        for (; at != all.end() && row(*at) < band.cells.bottom(); ++at)
            visit(m_layout->items[*at], column);
    }
}

int BeamFigure::visibleItems(const Band& band) const
{
    int count = 0;
    forVisible(band, [&count](const BeamItem& item, int column) { count += column == item.column ? 1 : 0; });
    return count;
}

void BeamFigure::draw(QPainter& painter, const Highlight&) const
{
    const SavedPainter saved(painter);
    for (const Band& band : m_bands) {
        paintAxis(painter, band);
        paintEdges(painter, band);
        paintBoxes(painter, band);
    }
    paintCurrent(painter);
    paintRanking(painter);
    if (m_legend)
        paintLegend(painter);
}

// Adds a line from a row to another, in the gap before a column.
void BeamFigure::addLine(const Band& band, int column, double fromRow, double toRow, QList<QLineF>& lines) const
{
    const QRectF room = band.plot.adjusted(-m_gutter, 0, 0, 0);
    const QPointF to = at(band, column, toRow + 0.5);
    const QPointF from(to.x() - m_gutter, at(band, 0, fromRow + 0.5).y());
    if (m_detail == Detail::Strengths || std::abs(to.y() - from.y()) < 1) {
        lines << clipped({from, to}, room);
        return;
    }
    QPointF before = from;
    for (int part = 1; part <= curveParts; ++part) {
        const double along = static_cast<double>(part) / curveParts;
        const double smooth = along * along * (3 - 2 * along);
        const QPointF next(from.x() + (to.x() - from.x()) * along, from.y() + (to.y() - from.y()) * smooth);
        lines << clipped({before, next}, room);
        before = next;
    }
}

void BeamFigure::paintEdges(QPainter& painter, const Band& band) const
{
    std::array<QList<QLineF>, 3> lines; // by strength
    const auto& items = m_layout->items;
    const int first = std::max(0, static_cast<int>(std::floor(band.cells.left())));
    const int end = std::min(indexSize(m_layout->columns), static_cast<int>(std::ceil(band.cells.right())));
    const std::vector<int>& roots = m_layout->columns.front();
    double root = 0;
    for (const int index : roots)
        root += m_layout->row(items[index]) / indexSize(roots);
    for (int column = first; column < end; ++column) {
        ThreadStop::check();
        const std::vector<int>& all = m_layout->columns[column];
        const auto row = [&](int index) { return m_layout->row(items[index], column); };
        const auto rowBefore = [&](int index) {
            const BeamItem& item = items[index];
            const std::optional<int> before = item.column < column ? index : item.parent;
            return before ? m_layout->row(items[*before], column - 1) : root;
        };
        // Rows and those before them grow together, so that the lines that may be seen stand together.
        auto at = std::partition_point(all.begin(), all.end(), [&](int index) {
            return std::max(row(index), rowBefore(index)) + 1 <= band.cells.top();
        });
        for (; at != all.end() && std::min(row(*at), rowBefore(*at)) < band.cells.bottom(); ++at) {
            const bool goesOn = items[*at].column < column;
            if (goesOn && m_layout->roomy)
                continue;
            auto& own = lines[static_cast<std::size_t>(m_layout->strengths[m_layout->firstNode(items[*at])])];
            addLine(band, column, rowBefore(*at), row(*at), own);
            if (goesOn && m_detail != Detail::Strengths) {
                const QPointF from = this->at(band, column, row(*at) + 0.5);
                own << clipped({from, from + QPointF(m_cellWidth - m_gutter, 0)}, band.plot);
            }
        }
    }
    const bool small = m_detail == Detail::Strengths;
    painter.setRenderHint(QPainter::Antialiasing, !small || !isRaster(painter));
    for (const Strength strength : {Strength::Dropped, Strength::Kept, Strength::Best}) {
        // Width 0 is a dot of the screen, which is drawn many times faster.
        const double thin = !small ? 1.2 : isRaster(painter) ? 0 : 0.6;
        const double width = strength != Strength::Best ? thin : small ? 1.5 : 2.4;
        painter.setPen(QPen(inkOf(strength), width, Qt::SolidLine, small ? Qt::FlatCap : Qt::RoundCap));
        auto& own = lines[static_cast<std::size_t>(strength)];
        own.erase(std::remove_if(own.begin(), own.end(), [](const QLineF& line) { return line.isNull(); }), own.end());
        painter.drawLines(own);
    }
    if (band.cells.left() <= 0 && roots.size() > 1 && !small) {
        const QPointF start = at(band, 0, root + 0.5) - QPointF(m_gutter, 0);
        if (start.y() >= band.plot.top() && start.y() <= band.plot.bottom()) {
            painter.setBrush(m_style.colors.muted);
            painter.setPen(Qt::NoPen);
            painter.drawEllipse(start, 3, 3);
            painter.setBrush(Qt::NoBrush);
        }
    }
}

void BeamFigure::paintBoxes(QPainter& painter, const Band& band) const
{
    if (m_detail == Detail::Strengths) {
        paintStrengths(painter, band);
        return paintFinal(painter, band);
    }
    const int first = std::max(0, static_cast<int>(std::floor(band.cells.left())));
    forVisible(band, [&](const BeamItem& item, int column) {
        if (column == (m_layout->roomy ? std::max(item.column, first) : item.column))
            paintItem(painter, band, item);
    });
}

// Many at once.
void BeamFigure::paintStrengths(QPainter& painter, const Band& band) const
{
    std::array<QList<QRectF>, 3> boxes; // by strength
    QList<QRectF> noNumbers;
    forVisible(band, [&](const BeamItem& item, int column) {
        const int node = m_layout->node(item, column - item.column);
        if (m_crossesOut && !m_layout->tree.nodes[node].hasProbability())
            noNumbers << nodeBox(band, node);
        else
            boxes[static_cast<std::size_t>(m_layout->strengths[node])] << nodeBox(band, node);
    });
    painter.setRenderHint(QPainter::Antialiasing, !isRaster(painter));
    painter.setPen(Qt::NoPen);
    for (const Strength strength : {Strength::Dropped, Strength::Kept, Strength::Best}) {
        painter.setBrush(inkOf(strength));
        painter.drawRects(boxes[static_cast<std::size_t>(strength)]);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QRectF& box : noNumbers) {
        painter.fillRect(box, m_style.colors.background);
        drawNoNumber(painter, box, m_style);
    }
}

// Boxes with tokens where there are more than can be written in: those of hypotheses still there, or the best alone.
void BeamFigure::paintFinal(QPainter& painter, const Band& band) const
{
    if (m_cellHeight < QFontMetricsF(m_style.small).height() || m_cellWidth - m_gutter < leastText)
        return;
    for (const bool all : {true, false}) {
        std::vector<const BeamItem*> written;
        forVisible(band, [&](const BeamItem& item, int column) {
            const Strength strength = m_layout->strengths[m_layout->firstNode(item)];
            if (column == item.column && (strength == Strength::Best || (all && strength == Strength::Kept)))
                written.push_back(&item);
        });
        if (indexSize(written) > mostFinal)
            continue;
        for (const BeamItem* const item : written)
            paintItem(painter, band, *item);
        return;
    }
}

void BeamFigure::paintItem(QPainter& painter, const Band& band, const BeamItem& item) const
{
    const QRectF box = boxOf(band, item) & band.plot;
    if (box.width() <= 1 || box.height() <= 1)
        return;
    const Strength strength = m_layout->strengths[m_layout->firstNode(item)];
    const ThemeColors& colors = m_style.colors;
    const bool given = m_layout->tree.nodes[m_layout->firstNode(item)].given;
    painter.fillRect(box,
                     strength == Strength::Best       ? mixed(colors.background, colors.accent, 0.14)
                         : strength == Strength::Kept ? colors.blank
                                                      : colors.background);
    painter.setPen(QPen(inkOf(strength), strength == Strength::Best ? 1.4 : 1, given ? Qt::DashLine : Qt::SolidLine));
    painter.drawRect(box);
    for (int place = 0; place < item.columns(); ++place) {
        if (const int node = m_layout->node(item, place); m_crossesOut && !m_layout->tree.nodes[node].hasProbability())
            drawNoNumber(painter, item.isFolded() ? nodeBox(band, node) : box, m_style);
    }
    paintTexts(painter, band, item, box);
    paintFold(painter, band, item);
    paintFate(painter, band, item);
}

// Tokens, and below them probability and sum.
void BeamFigure::paintTexts(QPainter& painter, const Band& band, const BeamItem& item, const QRectF& box) const
{
    const bool whole = box.height() >= boxOf(band, item).height() - 0.5;
    if (!whole || box.width() < leastText)
        return;
    const BeamTree& tree = m_layout->tree;
    const Strength strength = m_layout->strengths[m_layout->firstNode(item)];
    const ThemeColors& colors = m_style.colors;
    const QColor ink = strength == Strength::Dropped ? colors.muted : colors.ink;
    const int firstSeen =
        std::clamp(static_cast<int>(std::ceil(band.cells.left())) - item.column, 0, item.columns() - 1);
    QStringList tokens;
    for (int place = firstSeen; place < std::min(item.columns(), firstSeen + mostJoined); ++place)
        tokens << readableToken(tree.nodes[m_layout->node(item, place)].text);
    const QString text = joinedTokens(tokens, m_marksWords);
    const QFont& usual = strength == Strength::Best ? m_style.strong : m_style.font;
    const double line = QFontMetricsF(m_style.strong).height();
    const double inset = box.width() < narrowBox ? 2 : textInset;
    const double top = m_detail == Detail::Numbers ? box.top() + textInset / 2 : box.center().y() - line / 2;
    const QRectF sign = foldBox(band, item);
    const QRectF upper(box.left() + inset, top, box.width() - 2 * inset, line);
    const QRectF letters = upper.adjusted(sign.isNull() ? 0 : sign.width() + 2, 0, 0, 0);
    const bool fits = m_cellHeight >= line && QFontMetricsF(usual).horizontalAdvance(text) <= letters.width();
    drawLabel(painter, fits ? usual : m_style.small, ink, letters, Qt::AlignLeft, text);
    if (m_detail != Detail::Numbers)
        return;
    const QFontMetricsF small(m_style.small);
    const QRectF lower(upper.left(), upper.bottom(), upper.width(), small.height());
    const BeamNode& last = tree.nodes[m_layout->lastNode(item)];
    const double probability = std::exp(double{tree.nodes[m_layout->firstNode(item)].logProbability});
    const QString left = item.isFolded() ? tr("%1 tokens").arg(item.columns()) : shortProbability(probability);
    const QString sum = decimal(last.sum, 2);
    drawLabel(painter, m_style.small, colors.muted, lower, Qt::AlignLeft, left);
    if (small.horizontalAdvance(left) + small.horizontalAdvance(sum) + textInset <= lower.width())
        drawLabel(painter, m_style.small, colors.muted, lower, Qt::AlignRight, sum);
    if (item.isFolded() || box.width() < boxOf(band, item).width() - 0.5
        || !tree.nodes[m_layout->firstNode(item)].hasProbability())
        return;
    painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width() * std::min(1.0, probability), 2),
                     strength == Strength::Best ? colors.accent : colors.bar);
}

void BeamFigure::paintFold(QPainter& painter, const Band& band, const BeamItem& item) const
{
    const QRectF sign = foldBox(band, item);
    if (sign.isNull())
        return;
    painter.setPen(QPen(m_style.colors.muted, 1));
    painter.drawRect(sign);
    const QPointF middle = sign.center();
    const double arm = sign.width() / 2 - 2;
    painter.drawLine(middle - QPointF(arm, 0), middle + QPointF(arm, 0));
    if (item.isFolded())
        painter.drawLine(middle - QPointF(0, arm), middle + QPointF(0, arm));
}

// Behind the end of a hypothesis: in words where they have room, otherwise a final one's rank or a cross.
void BeamFigure::paintFate(QPainter& painter, const Band& band, const BeamItem& item) const
{
    const BeamTree& tree = m_layout->tree;
    const int node = m_layout->lastNode(item);
    const BeamNode& last = tree.nodes[node];
    const QString words = shortFate(tree, node);
    const QRectF box = boxOf(band, item);
    if (!last.children.empty() || words.isEmpty() || box.top() < band.plot.top() || box.bottom() > band.plot.bottom()
        || box.right() > band.plot.right())
        return;
    const bool best = last.best;
    const QColor ink = best ? m_style.colors.accent : m_style.colors.muted;
    const QFontMetricsF small(m_style.small);
    const QRectF slot(box.right() + fateGap, box.top(), m_cellWidth - fateGap + m_gutter - 2 * textInset, box.height());
    if (m_layout->roomy && m_detail == Detail::Numbers && slot.right() <= band.plot.right() + m_gutter) {
        painter.setFont(m_style.small);
        painter.setPen(ink);
        painter.drawText(slot.adjusted(0, -textInset, 0, textInset),
                         static_cast<int>(Qt::AlignLeft) | Qt::AlignVCenter | Qt::TextWordWrap, words);
        return;
    }
    const QString mark = last.rank       ? QString::number(*last.rank + 1)
        : last.fate == BeamFate::FellOut ? QStringLiteral("\u00D7")
                                         : QString();
    if (small.horizontalAdvance(mark) <= m_gutter)
        drawLabel(painter, m_style.small, ink, {box.right() + 2, box.top(), m_gutter, box.height()}, Qt::AlignLeft,
                  mark);
}

// The positions above a band, as many as have room.
void BeamFigure::paintAxis(QPainter& painter, const Band& band) const
{
    const QFontMetricsF small(m_style.small);
    const int positions = indexSize(m_layout->columns);
    const double widest = small.horizontalAdvance(QString::number(positions)) + 8;
    const int stride = roundStride(widest / m_cellWidth);
    const double top = band.plot.top() - small.height() - 3;
    const QString name = tr("step");
    for (int column = std::max(0, static_cast<int>(std::ceil(band.cells.left()))); column < positions; ++column) {
        const double x = at(band, column, 0).x();
        const double width = std::max(widest, m_cellWidth - m_gutter);
        if (x + widest > band.plot.right() + 1)
            break;
        if (column % stride == 0) {
            const bool named = column == 0 && m_cellWidth - m_gutter >= small.horizontalAdvance(name) + widest;
            drawLabel(painter, m_style.small, m_style.colors.muted, {x, top, width, small.height()}, Qt::AlignLeft,
                      named ? tr("step %1").arg(column) : QString::number(column));
        }
    }
    painter.setPen(QPen(m_style.colors.blank, 1));
    painter.drawLine(QPointF(band.plot.left(), band.plot.top() - 1), QPointF(band.plot.right(), band.plot.top() - 1));
}

void BeamFigure::paintCurrent(QPainter& painter) const
{
    const QRectF token = m_current ? nodeRect(*m_current) : QRectF();
    const Band* band = m_current ? bandOf(m_layout->tree.nodes[*m_current].position) : nullptr;
    if (token.isEmpty() || band == nullptr)
        return;
    const QRectF whole = boxOf(*band, m_layout->itemAt(*m_current)) & band->plot;
    const QRectF box = m_layout->roomy ? whole : token;
    painter.setPen(QPen(m_style.colors.cursor, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    const double out = m_detail == Detail::Strengths ? 2 : 1;
    painter.drawRect(box.adjusted(-out, -out, out, out));
    if (box == token)
        return;
    const double high = std::clamp(token.height() * 0.15, 1.5, 4.0); // of the bar under one of several
    painter.fillRect(QRectF(token.left() + textInset / 2, token.bottom() - high, token.width() - textInset, high),
                     m_style.colors.cursor);
}

void BeamFigure::paintRanking(QPainter& painter) const
{
    if (m_ranking.empty())
        return;
    const QFontMetricsF small(m_style.small);
    const QFontMetricsF metrics(m_style.font);
    const ThemeColors& colors = m_style.colors;
    painter.setPen(QPen(colors.grid, 1));
    painter.drawLine(m_rankingBox.topLeft() - QPointF(fateGap + 2, 0),
                     m_rankingBox.bottomLeft() - QPointF(fateGap + 2, 0));
    QRectF line(m_rankingBox.left(), m_rankingBox.top(), m_rankingBox.width(), small.height());
    drawLabel(painter, m_style.small, colors.muted, line, Qt::AlignLeft, tr("ranking: score = sum / length"));
    for (const RankingEntry& entry : m_ranking) {
        const bool best = entry.place == 0;
        const QRectF upper(entry.box.left(), entry.box.top(), entry.box.width(), metrics.height());
        drawLabel(painter, best ? m_style.strong : m_style.font, best ? colors.accent : colors.ink,
                  upper.adjusted(0, 0, rankRoom - upper.width(), 0), Qt::AlignLeft, QString::number(entry.place + 1));
        drawLabel(painter, best ? m_style.strong : m_style.font, colors.ink, upper.adjusted(rankRoom, 0, 0, 0),
                  Qt::AlignLeft, entry.text);
        drawLabel(painter, m_style.small, colors.muted,
                  {entry.box.left() + rankRoom, upper.bottom(), entry.box.width() - rankRoom, small.height()},
                  Qt::AlignLeft, entry.score);
        line.moveTop(entry.box.bottom() + fateGap);
    }
    drawLabel(painter, m_style.small, colors.muted, line.adjusted(rankRoom, 0, 0, 0), Qt::AlignLeft, m_moreRanks);
}

void BeamFigure::paintLegend(QPainter& painter) const
{
    const QFontMetricsF small(m_style.small);
    const auto& strengths = m_layout->strengths;
    double left = margin;
    const auto add = [&](const QString& text, std::optional<Strength> strength, Qt::PenStyle style) {
        const double sample = strength ? 18 : 0;
        const double width = small.horizontalAdvance(text);
        if (left + sample + width > m_size.width() - margin)
            return;
        const double middle = m_legendTop + small.height() / 2;
        if (strength) {
            painter.setPen(QPen(inkOf(*strength), strength == Strength::Best ? 2.4 : 1.4, style));
            painter.drawLine(QPointF(left, middle), QPointF(left + sample - 5, middle));
        }
        drawLabel(painter, m_style.small, m_style.colors.muted, {left + sample, m_legendTop, width + 1, small.height()},
                  Qt::AlignLeft, text);
        left += sample + width + 14;
    };
    struct Entry
    {
        Strength strength;
        QString text;
    };
    const bool finished = !m_layout->tree.ranking.empty();
    const Entry entries[] = {{Strength::Best, tr("best hypothesis")},
                             {Strength::Kept, finished ? tr("other final ones") : tr("still alive")},
                             {Strength::Dropped, tr("dropped")}};
    for (const Entry& entry : entries) {
        if (std::find(strengths.begin(), strengths.end(), entry.strength) != strengths.end())
            add(entry.text, entry.strength, Qt::SolidLine);
    }
    const auto& nodes = m_layout->tree.nodes;
    if (std::any_of(nodes.begin(), nodes.end(), [](const BeamNode& node) { return node.given; }))
        add(tr("given"), Strength::Kept, Qt::DashLine);
    if (m_detail == Detail::Numbers)
        add(tr("left: probability, right: sum of log probabilities"), std::nullopt, Qt::SolidLine);
    if (finished && (m_detail == Detail::Tokens || !m_layout->roomy))
        add(tr("\u00D7 fell out, number: rank"), std::nullopt, Qt::SolidLine);
}

} // namespace attn::ui
