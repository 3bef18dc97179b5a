// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/lookup_figure.h"

#include "base/index.h"
#include "figures/look/attention_formulas.h"
#include "figures/look/color_map.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/styled_figure.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <numeric>

namespace attn::ui {

namespace {

constexpr double columnGap = 14;

class LookupFigure final : public StyledFigure
{
public:
    LookupFigure(const FigureSpec& spec, const LookupContent& content, QSizeF size)
        : StyledFigure(spec, size)
        , m_content(content)
    {
        const QString query = lookupVector(content.query);
        const QString sharpness = shortDecimal(content.sharpness);
        m_title.title = tr("Query %1").arg(query);
        m_title.below = formulas::lookup(
            {tr("weights"), tr("query"), tr("key"), tr("result"), tr("weight"), tr("value")}, sharpness);
        m_title.subtitle = m_title.below.reading();
        QStringList sentences;
        for (int row = 0; row < rows(); ++row)
            sentences << sentenceOf(row);
        m_description = tr("A lookup of %1 in %2 entries with sharpness %3. %4. Result %5.")
                            .arg(query, QString::number(rows()), sharpness, sentences.join(QStringLiteral(". ")),
                                 shortDecimal(content.answer.result));
        layOut();
    }

    QRectF cellRect(int row, int column) const override // the whole row
    {
        if (row < 0 || row >= rows() || column != 0)
            return {};
        return {margin / 2, m_top + row * m_rowHeight, m_size.width() - margin, m_rowHeight};
    }

    int rows() const override { return indexSize(m_content.entries); }
    int columns() const override { return rows() > 0 ? 1 : 0; }

protected:
    FigureHit hitOf(int row, int column) const override
    {
        return cellHit(row, column, m_content.answer.weights[row], sentenceOf(row));
    }

    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        if (rows() == 0)
            return paintEmpty(painter, tr("The table has no entries: there is nothing to look up."));
        paintHead(painter);
        const QRectF walked = highlight.cursor ? cellRect(highlight.cursor->row, 0) : QRectF();
        const QRectF pointed = highlight.row ? cellRect(*highlight.row, 0) : QRectF();
        for (const QRectF& ground : {pointed, walked})
            painter.fillRect(ground, m_style.colors.blank);
        painter.setPen(QPen(m_style.colors.cursor, 1.5));
        if (!walked.isNull())
            painter.drawRect(walked);
        for (int row = 0; row < rows(); ++row)
            paintEntry(painter, row, m_content.exact == static_cast<std::size_t>(row) || row == highlight.row);
        paintSum(painter);
    }

private:
    enum Column { Name, Key, Score, Weight, Value, Part, columnCount };
    using Texts = std::array<QString, columnCount>;

    static constexpr Qt::AlignmentFlag side(int column)
    {
        return column == Score || column >= Value ? Qt::AlignRight : Qt::AlignLeft;
    }

    static AttentionRole roleOf(int column)
    {
        return column == Key ? AttentionRole::Key : column == Value ? AttentionRole::Value : AttentionRole::Other;
    }

    // A column's colour; `otherwise` where it is neither of keys nor of values.
    QColor inkOf(int column, const QColor& otherwise) const
    {
        const AttentionRole role = roleOf(column);
        return role == AttentionRole::Other ? otherwise : m_style.colors.ofRole(role);
    }

    static Texts heads()
    {
        return {tr("entry"), tr("key"), tr("score"), tr("weight"), tr("value"), tr("weight × value")};
    }

    Texts textsOf(int row) const
    {
        const LookupEntry& entry = m_content.entries[row];
        return {readableToken(m_content.names.value(row).toStdString()),
                lookupVector(entry.key),
                shortDecimal(m_content.answer.scores[row]),
                percent(m_content.answer.weights[row]),
                shortDecimal(entry.value),
                shortDecimal(m_content.part(row))};
    }

    QString sentenceOf(int row) const
    {
        return tr("%1: score %2, weight %3, contributes %3 · %4 = %5")
            .arg(m_content.names.value(row), shortDecimal(m_content.answer.scores[row]),
                 decimal(m_content.answer.weights[row], 3), shortDecimal(m_content.entries[row].value),
                 shortDecimal(m_content.part(row)));
    }

    void layOut()
    {
        const QFontMetricsF metrics(m_style.font);
        const QFontMetricsF strong(m_style.strong);
        const QFontMetricsF small(m_style.small);
        m_top = margin + headerHeight() + 10 + small.height() + 6;
        const double comfortable = metrics.height() + 12;
        const double lines = rows() + 1.0;
        m_rowHeight = m_size.height() <= 0
            ? comfortable
            : std::clamp((m_size.height() - m_top - margin) / lines, metrics.height() + 1, comfortable + 8);
        if (m_size.height() <= 0)
            m_size.setHeight(m_top + m_rowHeight * lines + margin);
        std::array<double, columnCount> widths{};
        std::ranges::transform(heads(), widths.begin(),
                               [&](const QString& head) { return small.horizontalAdvance(head); });
        for (int row = 0; row < rows(); ++row) {
            Texts texts = textsOf(row);
            texts[Name] = elided(texts[Name], metrics, 130);
            for (int column = 0; column < columnCount; ++column)
                widths[column] = std::max(widths[column], strong.horizontalAdvance(texts[column]));
        }
        widths[Key] = std::min(widths[Key], (m_size.width() - 2 * margin) * 0.25);
        widths[Weight] = 0; // the others leave it the rest
        const double others = std::accumulate(widths.begin(), widths.end(), 2 * margin + columnGap * (columnCount - 1));
        widths[Weight] = std::max(40.0, m_size.width() - others);
        m_left.assign(1, margin);
        for (const double width : widths)
            m_left.push_back(m_left.back() + width + columnGap);
    }

    QRectF cell(int row, int column) const
    {
        const double left = m_left[column];
        return {left, m_top + row * m_rowHeight, m_left[column + 1] - left - columnGap, m_rowHeight};
    }

    QRectF track(int row) const // a bar of weight 1
    {
        const double number = QFontMetricsF(m_style.font).horizontalAdvance(QStringLiteral("< 0.1 %")) + 8;
        const double thick = std::max(4.0, m_rowHeight * 0.56);
        const QRectF room = cell(row, Weight);
        return {room.left(), room.center().y() - thick / 2, std::max(10.0, room.width() - number), thick};
    }

    void paintHead(QPainter& painter) const
    {
        const double height = QFontMetricsF(m_style.small).height();
        const Texts names = heads();
        for (int column = 0; column < columnCount; ++column) {
            const QRectF box = cell(0, column);
            drawLabel(painter, m_style.small, inkOf(column, m_style.colors.muted),
                      {box.left(), m_top - height - 4, box.width(), height}, side(column), names[column]);
        }
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawLine(QPointF(margin, m_top), QPointF(m_size.width() - margin, m_top));
    }

    void paintEntry(QPainter& painter, int row, bool strong) const
    {
        const QRectF whole = track(row);
        QRectF bar = whole;
        bar.setWidth(whole.width() * m_content.answer.weights[row]);
        painter.fillRect(whole, m_style.colors.blank);
        painter.fillRect(bar, colorAt(m_style.colorMap, m_content.answer.weights[row]));
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawRect(whole);
        painter.setFont(strong ? m_style.strong : m_style.font);
        const Texts texts = textsOf(row);
        for (int column = 0; column < columnCount; ++column) {
            QRectF box = cell(row, column);
            if (column == Weight) // right of its bar
                box.setLeft(whole.right() + 8);
            painter.setPen(inkOf(column, m_style.colors.ink));
            drawLabel(painter, box, side(column), texts[column]);
        }
    }

    void paintSum(QPainter& painter) const
    {
        const double top = m_top + rows() * m_rowHeight;
        painter.setPen(QPen(m_style.colors.muted, 1));
        painter.drawLine(QPointF(margin, top), QPointF(m_size.width() - margin, top));
        drawLabel(painter, m_style.strong, m_style.colors.accent, cell(rows(), Name).united(cell(rows(), Score)),
                  Qt::AlignLeft, tr("result"));
        drawLabel(painter, cell(rows(), Value).united(cell(rows(), Part)), Qt::AlignRight,
                  shortDecimal(m_content.answer.result));
        drawLabel(painter, m_style.small, m_style.colors.muted, cell(rows(), Weight), Qt::AlignLeft,
                  tr("weights sum to 1"));
    }

    LookupContent m_content;
    double m_top = 0; // of the first entry
    double m_rowHeight = 0;
    std::vector<double> m_left; // of every column, and the right end of the last
};

} // namespace

QString lookupVector(std::span<const float> components)
{
    QStringList numbers;
    for (const float component : components)
        numbers << shortDecimal(component);
    return QLatin1Char('(') + numberList(numbers) + QLatin1Char(')');
}

QByteArray lookupCsv(const LookupContent& content)
{
    const auto width = indexSize(content.query);
    QString lines = QStringLiteral("entry");
    for (int i = 1; i <= width; ++i)
        lines += QStringLiteral(",key %1").arg(i);
    lines += QStringLiteral(",score,weight,value,weight x value\r\n");
    const auto add = [&lines](std::span<const float> numbers) {
        for (const float number : numbers)
            lines += QLatin1Char(',') + csvNumber(number);
    };
    for (int i = 0; i < indexSize(content.entries); ++i) {
        const LookupEntry& entry = content.entries[i];
        lines += csvField(content.names.value(i));
        add(entry.key);
        add(std::array{content.answer.scores[i], content.answer.weights[i], entry.value, content.part(i)});
        lines += QStringLiteral("\r\n");
    }
    lines += csvField(QStringLiteral("query"));
    add(content.query);
    lines += QStringLiteral(",,,,\r\n") + csvField(QStringLiteral("result")) + QString(width, u',')
        + QStringLiteral(",,,,") + csvNumber(content.answer.result) + QStringLiteral("\r\n");
    return lines.toUtf8();
}

std::unique_ptr<const Figure> lookupFigure(const FigureSpec& spec, const LookupContent& content, QSizeF size)
{
    return std::make_unique<LookupFigure>(spec, content, size);
}

} // namespace attn::ui
