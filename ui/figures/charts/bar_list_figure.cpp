// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/bar_list_figure.h"

#include "base/index.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/styled_figure.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

namespace attn::ui {

namespace {

constexpr double barListGap = 6;
constexpr double mostRowHeight = 34;
constexpr double tickLength = 3;
constexpr double touchingRows = 0.85; // height by that of letters
constexpr float paleBar = 0.35F; // opacity
constexpr double drawnInset = 0.34; // of the line's height, above and below
constexpr double mostLabel = 0.45; // of the width
constexpr std::size_t mostMeasured = 200; // labels
constexpr int mostSaid = 200; // rows in the description; all are in the table

// About how wide a text is, in Latin letters.
int lettersOf(const QString& text)
{
    constexpr char16_t firstWide = 0x1100; // Hangul, after which come most scripts of wide characters
    const auto wide = std::ranges::count_if(text, [](QChar c) { return c.unicode() >= firstWide; });
    return static_cast<int>(text.size() + wide);
}

// The width of the widest text, or of one that is at least so wide. Of many texts the longest are measured.
double widestOf(const std::vector<BarListContent::Entry>& entries, QString BarListContent::Entry::*text,
                const QFontMetricsF& metrics, double enough)
{
    std::vector<std::pair<int, const QString*>> longest;
    for (const BarListContent::Entry& entry : entries) {
        if (!(entry.*text).isEmpty())
            longest.emplace_back(lettersOf(entry.*text), &(entry.*text));
    }
    const std::size_t measured = std::min(longest.size(), mostMeasured);
    std::ranges::partial_sort(longest, longest.begin() + static_cast<std::ptrdiff_t>(measured), std::greater(),
                              &std::pair<int, const QString*>::first);
    double widest = 0;
    for (std::size_t i = 0; i < measured && widest < enough; ++i)
        widest = std::max(widest, labelWidth(*longest[i].second, metrics));
    return widest;
}

class BarListFigure final : public StyledFigure
{
public:
    BarListFigure(const FigureSpec& spec, const BarListContent& content, QSizeF size)
        : StyledFigure(spec, size)
        , m_content(content)
    {
        m_title = content.title;
        const auto noNumbers =
            content.noNumbersLeftOut + countNoNumbers(content.entries, &BarListContent::Entry::value);
        const int all = rows() + content.leftOut;
        const QString note =
            content.probabilities ? noProbabilitiesNote(noNumbers, all) : noNumbersNote(noNumbers, all);
        if (content.ground.isValid())
            m_style.colors.background = content.ground;
        const QFontMetricsF metrics(m_style.font);
        m_top = m_title.title.isEmpty() ? barListGap : 10 + headerHeight() + 2 * barListGap;
        if (m_size.height() <= 0)
            m_size.setHeight(m_top + metrics.height() * 1.4 * std::max(rows(), 5) + axisRoom() + margin);
        m_rowHeight =
            rows() > 0 ? std::min(mostRowHeight, (m_size.height() - m_top - axisRoom() - margin) / rows()) : 0;
        const double room = m_size.width() - 2 * margin;
        const double most = room * mostLabel;
        m_labelWidth = std::min(widestOf(content.entries, &BarListContent::Entry::label, metrics, most) + 1, most);
        m_numberWidth = std::max(metrics.horizontalAdvance(QStringLiteral("\u22120.000")),
                                 widestOf(content.entries, &BarListContent::Entry::number, metrics, room));
        for (const double end : {content.least, content.most})
            m_numberWidth = std::max(m_numberWidth, metrics.horizontalAdvance(number(end)));
        m_numberWidth += 1;
        chooseNamed(metrics.height());
        m_description = m_title.title + QStringLiteral(": ") + rowTexts();
        addNote(m_title, m_description, note);
        if (m_title.title.isEmpty()) // no room for a header
            m_title.subtitle.clear();
        if (content.entries.empty())
            m_empty = m_description = content.empty;
    }

    QRectF cellRect(int row, int column) const override
    {
        if (column != 0 || row < 0 || row >= rows())
            return {};
        return {margin, m_top + row * m_rowHeight, m_size.width() - 2 * margin, m_rowHeight};
    }

    FigureHit hitTest(QPointF point) const override
    {
        const int row = rowAt(point.y());
        return cellRect(row, 0).contains(point) ? hitOf(row, 0) : FigureHit();
    }

    int rows() const override { return indexSize(m_content.entries); }
    int columns() const override { return m_content.entries.empty() ? 0 : 1; }

protected:
    FigureHit hitOf(int row, int column) const override
    {
        const auto& entry = m_content.entries[row];
        return cellHit(row, column, entry.value, rowText(entry));
    }

    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        const QRectF seen = exposed(painter);
        const double over = QFontMetricsF(m_style.font).height(); // that letters reach beyond a low row
        const int end = std::min(rowAt(seen.bottom() + over) + 1, rows());
        for (int row = rowAt(seen.top() - over); row < end; ++row) {
            const QRectF line = cellRect(row, 0);
            const auto& entry = m_content.entries[row];
            const bool pointed = highlight.isAt({row, 0});
            const ThemeColors& colors = m_style.colors;
            if (pointed)
                painter.fillRect(line.adjusted(-barListGap, 0, barListGap, 0), colors.blank);
            const QColor& bar = pointed ? colors.cursor : entry.taken ? colors.accent : colors.bar;
            const bool struck = entry.drawn && *entry.drawn <= 0;
            QFont font = m_style.font;
            font.setStrikeOut(struck);
            const bool named = m_named.empty() || m_named[static_cast<std::size_t>(row)];
            if (named)
                drawLabel(painter, font,
                          pointed || entry.taken ? bar
                              : struck           ? colors.muted
                                                 : colors.ink,
                          {line.left(), line.top(), m_labelWidth, line.height()}, Qt::AlignLeft, entry.label);
            const QColor& full = m_content.signs && !pointed ? colors.ofSign(entry.value) : bar;
            QColor under = full;
            under.setAlphaF(entry.drawn ? paleBar : 1.0F);
            fillBar(painter, barRect(line, entry.value), entry.value, under, m_style);
            if (entry.drawn && *entry.drawn > 0)
                painter.fillRect(barRect(line, *entry.drawn, drawnInset), bar);
            if (!named)
                continue;
            painter.setFont(m_style.font);
            painter.setPen(colors.muted);
            drawLabel(painter, {line.right() - m_numberWidth, line.top(), m_numberWidth, line.height()}, Qt::AlignRight,
                      entry.number.isEmpty() ? number(entry.drawn.value_or(entry.value)) : entry.number);
        }
        if (m_content.signs && rows() > 0)
            paintAxis(painter);
    }

private:
    // Where rows are lower than letters, the largest have their texts, as far as they do not touch.
    void chooseNamed(double height)
    {
        if (m_rowHeight >= height * touchingRows || rows() == 0)
            return;
        std::vector<int> order(m_content.entries.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::greater(), [this](int row) {
            const auto& entry = m_content.entries[row];
            return std::pair(entry.taken, numberOrLeast(std::abs(entry.value)));
        });
        m_named.resize(order.size());
        order.resize(std::min(order.size(), mostMeasured));
        const int apart = static_cast<int>(std::ceil(height * touchingRows / m_rowHeight));
        for (const int row : order) {
            const auto first = m_named.begin() + std::max(0, row - apart + 1);
            const auto end = m_named.begin() + std::min(rows(), row + apart);
            m_named[static_cast<std::size_t>(row)] = std::find(first, end, true) == end;
        }
    }

    double axisRoom() const
    {
        const double line = QFontMetricsF(m_style.small).height();
        return m_content.signs ? tickLength + (m_content.axis.isEmpty() ? 1 : 2) * line : 0;
    }

    // Below the bars, with every number that there is room for, and a line at zero, where they begin.
    void paintAxis(QPainter& painter) const
    {
        const QFontMetricsF metrics(m_style.small);
        const QRectF line = cellRect(rows() - 1, 0);
        const auto xOf = [&](double value) {
            const QRectF bar = barRect(line, value);
            return value < 0 ? bar.left() : bar.right();
        };
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawLine(QPointF(xOf(0), m_top), QPointF(xOf(0), line.bottom()));
        painter.setFont(m_style.small);
        painter.setPen(QPen(m_style.colors.muted, 1));
        painter.drawLine(QPointF(xOf(m_content.least), line.bottom()), QPointF(xOf(m_content.most), line.bottom()));
        const QRectF all = barRect(line, m_content.least).united(barRect(line, m_content.most));
        drawLabel(painter, {all.left(), line.bottom() + tickLength + metrics.height(), all.width(), metrics.height()},
                  Qt::AlignHCenter, m_content.axis);
        double end = 0; // of the last number
        for (const ValueScale::Tick& tick : scale().ticks()) {
            const double x = xOf(tick.value);
            const double width = labelWidth(tick.text, metrics) + 2;
            painter.drawLine(QPointF(x, line.bottom()), QPointF(x, line.bottom() + tickLength));
            if (x - width / 2 < end + barListGap || x + width / 2 > m_size.width())
                continue;
            drawLabel(painter, {x - width / 2, line.bottom() + tickLength, width, metrics.height()}, Qt::AlignHCenter,
                      tick.text);
            end = x + width / 2;
        }
    }

    ValueScale scale() const { return ValueScale(m_content.least, m_content.most, m_content.scale); }

    // The nearest one; 0 where there is none.
    int rowAt(double y) const
    {
        return m_rowHeight > 0 ? static_cast<int>(std::clamp((y - m_top) / m_rowHeight, 0.0, rows() - 1.0)) : 0;
    }

    // Texts of the first rows.
    QString rowTexts() const
    {
        QStringList texts;
        for (int row = 0; row < std::min(rows(), mostSaid); ++row)
            texts << rowText(m_content.entries[row]);
        return texts.join(QStringLiteral(", ")) + (rows() > mostSaid ? QChar(0x2026) : QLatin1Char('.'));
    }

    QRectF barRect(const QRectF& line, double value, double inset = 0.2) const
    {
        const double left = line.left() + m_labelWidth + barListGap;
        const double width = std::max(1.0, line.right() - m_numberWidth - barListGap - left);
        const auto at = [&](double end) { return left + scale().fraction(end) * width; };
        const double thin = line.height() * inset;
        return {QPointF(at(std::min(0.0, value)), line.top() + thin),
                QPointF(at(std::max(0.0, value)), line.bottom() - thin)};
    }

    QString number(double value) const
    {
        return m_content.probabilities ? probabilityText(value)
            : m_content.signs          ? signedDecimal(value, 3)
                                       : decimal(value, 3);
    }

    QString exact(double value) const
    {
        return numberText(value, m_content.probabilities ? significant(value, 4) : decimal(value, 3));
    }

    QString rowText(const BarListContent::Entry& entry) const
    {
        if (!entry.number.isEmpty())
            return entry.label + QStringLiteral("  ") + number(entry.value) + QStringLiteral("  ") + entry.number;
        QString text = entry.label + QStringLiteral("  ") + exact(entry.value);
        if (entry.drawn)
            text += *entry.drawn > 0 ? QCoreApplication::translate("figures", ", drawn with ") + exact(*entry.drawn)
                                     : QCoreApplication::translate("figures", ", cut off");
        return entry.hint.isEmpty() ? text : text + QStringLiteral(". ") + entry.hint;
    }

    BarListContent m_content;
    double m_top = 0;
    double m_rowHeight = 0;
    double m_labelWidth = 0;
    double m_numberWidth = 0;
    std::vector<bool> m_named; // rows with texts; empty: all
};

} // namespace

std::unique_ptr<const Figure> barListFigure(const FigureSpec& spec, const BarListContent& content, QSizeF size)
{
    return std::make_unique<BarListFigure>(spec, content, size);
}

} // namespace attn::ui
