// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/lookup_figure.h"

#include "base/index.h"
#include "figures/export/csv_field.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double lookupMargin = 12;
constexpr double columnGap = 14;

QString text(const char* source)
{
    return QCoreApplication::translate("attn::ui::LookupFigure", source);
}

float part(const LookupContent& content, int row)
{
    const auto i = static_cast<std::size_t>(row);
    return content.answer.weights[i] * content.entries[i].value;
}

QString sentenceOf(const LookupContent& content, int row)
{
    const auto i = static_cast<std::size_t>(row);
    return text("%1: score %2, weight %3, contributes %3 · %4 = %5")
        .arg(content.names.value(row), lookupNumber(static_cast<double>(content.answer.scores[i])),
             decimal(static_cast<double>(content.answer.weights[i]), 3),
             lookupNumber(static_cast<double>(content.entries[i].value)),
             lookupNumber(static_cast<double>(part(content, row))));
}

} // namespace

QString lookupNumber(double value)
{
    QString number = decimal(value, 3);
    while (number.endsWith(QLatin1Char('0')))
        number.chop(1);
    if (number.endsWith(QLatin1Char('.')))
        number.chop(1);
    return number;
}

QString lookupVector(std::span<const float> components)
{
    QStringList numbers;
    for (const float component : components)
        numbers << lookupNumber(static_cast<double>(component));
    return QLatin1Char('(') + numbers.join(QStringLiteral(", ")) + QLatin1Char(')');
}

QByteArray lookupCsv(const LookupContent& content)
{
    const std::size_t width = content.query.size();
    QString lines = QStringLiteral("entry");
    for (std::size_t i = 0; i < width; ++i)
        lines += QStringLiteral(",key %1").arg(i + 1);
    lines += QStringLiteral(",score,weight,value,weight x value\r\n");
    const auto vector = [&lines](std::span<const float> components) {
        for (const float component : components)
            lines += QLatin1Char(',') + csvNumber(static_cast<double>(component));
    };
    for (Index i = 0; i < indexSize(content.entries); ++i) {
        const int row = i;
        lines += csvField(content.names.value(row));
        vector(content.entries[i].key);
        for (const float number :
             {content.answer.scores[i], content.answer.weights[i], content.entries[i].value, part(content, row)})
            lines += QLatin1Char(',') + csvNumber(static_cast<double>(number));
        lines += QStringLiteral("\r\n");
    }
    lines += csvField(QStringLiteral("query"));
    vector(content.query);
    lines += QStringLiteral(",,,,\r\n") + csvField(QStringLiteral("result")) + QString(static_cast<int>(width), u',')
        + QStringLiteral(",,,,") + csvNumber(static_cast<double>(content.answer.result)) + QStringLiteral("\r\n");
    return lines.toUtf8();
}

LookupFigure::LookupFigure(const FigureSpec& spec, LookupContent content, QSizeF size)
    : m_style(spec)
    , m_content(std::move(content))
{
    layOut(size);
}

void LookupFigure::layOut(QSizeF wanted)
{
    const QFontMetricsF metrics(m_style.font);
    const QFontMetricsF small(m_style.small);
    m_top = lookupMargin + headerHeight(m_style) + 10 + small.height() + 6;
    const double comfortable = metrics.height() + 12;
    const double lines = rows() + 1.0;
    m_rowHeight = wanted.height() <= 0
        ? comfortable
        : std::clamp((wanted.height() - m_top - lookupMargin) / lines, metrics.height() + 1, comfortable + 8);
    m_size = {wanted.width(), wanted.height() > 0 ? wanted.height() : m_top + m_rowHeight * lines + lookupMargin};
    std::vector<double> widths(columnCount, 0);
    const QStringList heads{text("entry"), text("key"), text("score"), {}, text("value"), text("weight × value")};
    for (int column = 0; column < columnCount; ++column)
        widths[column] = small.horizontalAdvance(heads.value(column));
    for (int row = 0; row < rows(); ++row) {
        const auto i = static_cast<std::size_t>(row);
        const LookupEntry& entry = m_content.entries[i];
        const auto fit = [&](Column column, const QString& shown) {
            widths[column] = std::max(widths[column], QFontMetricsF(m_style.strong).horizontalAdvance(shown));
        };
        fit(Name, elided(m_content.names.value(row), metrics, 130));
        fit(Key, lookupVector(entry.key));
        fit(Score, lookupNumber(static_cast<double>(m_content.answer.scores[i])));
        fit(Value, lookupNumber(static_cast<double>(entry.value)));
        fit(Part, lookupNumber(static_cast<double>(part(m_content, row))));
    }
    const double key = (m_size.width() - 2 * lookupMargin) * 0.25;
    widths[Key] = std::min(widths[Key], key);
    double others = 2 * lookupMargin + columnGap * (columnCount - 1);
    for (const double width : widths)
        others += width;
    widths[Weight] = std::max(40.0, m_size.width() - others);
    m_left.assign(1, lookupMargin);
    for (const double width : widths)
        m_left.push_back(m_left.back() + width + columnGap);
}

QRectF LookupFigure::cell(int row, Column column) const
{
    const double left = m_left[column];
    return {left, m_top + row * m_rowHeight, m_left[static_cast<std::size_t>(column) + 1] - left - columnGap,
            m_rowHeight};
}

QRectF LookupFigure::track(int row) const
{
    const double number = QFontMetricsF(m_style.font).horizontalAdvance(QStringLiteral("< 0.1 %")) + 8;
    const double thick = std::max(4.0, m_rowHeight * 0.56);
    const QRectF room = cell(row, Weight);
    return {room.left(), room.center().y() - thick / 2, std::max(10.0, room.width() - number), thick};
}

QRectF LookupFigure::barRect(int row) const
{
    QRectF bar = track(row);
    bar.setWidth(bar.width() * static_cast<double>(m_content.answer.weights[row]));
    return bar;
}

QRectF LookupFigure::cellRect(int row, int column) const
{
    if (row < 0 || row >= rows() || column != 0)
        return {};
    return {lookupMargin / 2, m_top + row * m_rowHeight, m_size.width() - lookupMargin, m_rowHeight};
}

FigureHit LookupFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    for (int row = 0; row < rows(); ++row) {
        if (!cellRect(row, 0).contains(point))
            continue;
        hit.part = FigureHit::Part::Cell;
        hit.row = row;
        hit.column = 0;
        hit.value = m_content.answer.weights[row];
        hit.text = sentenceOf(m_content, row);
        break;
    }
    return hit;
}

QString LookupFigure::description() const
{
    QStringList sentences;
    for (int row = 0; row < rows(); ++row)
        sentences << sentenceOf(m_content, row);
    return text("A lookup of %1 in %2 entries with sharpness %3. %4. Result %5.")
        .arg(lookupVector(m_content.query))
        .arg(rows())
        .arg(lookupNumber(static_cast<double>(m_content.sharpness)), sentences.join(QStringLiteral(". ")),
             lookupNumber(static_cast<double>(m_content.answer.result)));
}

void LookupFigure::paintHead(QPainter& painter) const
{
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    const double height = QFontMetricsF(m_style.small).height();
    const auto head = [&](Column column, Qt::AlignmentFlag side, const QString& name) {
        QRectF box = cell(0, column);
        box.setTop(m_top - height - 4);
        box.setHeight(height);
        drawLabel(painter, box, side, name);
    };
    head(Name, Qt::AlignLeft, text("entry"));
    head(Key, Qt::AlignLeft, text("key"));
    head(Score, Qt::AlignRight, text("score"));
    head(Weight, Qt::AlignLeft, text("weight"));
    head(Value, Qt::AlignRight, text("value"));
    head(Part, Qt::AlignRight, text("weight × value"));
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.drawLine(QPointF(lookupMargin, m_top), QPointF(m_size.width() - lookupMargin, m_top));
}

void LookupFigure::paintEntry(QPainter& painter, int row, bool strong) const
{
    const auto i = static_cast<std::size_t>(row);
    const LookupEntry& entry = m_content.entries[i];
    const float weight = m_content.answer.weights[i];
    painter.setPen(m_style.colors.ink);
    painter.setFont(strong ? m_style.strong : m_style.font);
    drawLabel(painter, cell(row, Name), Qt::AlignLeft, readableToken(m_content.names.value(row).toStdString()));
    drawLabel(painter, cell(row, Key), Qt::AlignLeft, lookupVector(entry.key));
    drawLabel(painter, cell(row, Score), Qt::AlignRight, lookupNumber(static_cast<double>(m_content.answer.scores[i])));
    drawLabel(painter, cell(row, Value), Qt::AlignRight, lookupNumber(static_cast<double>(entry.value)));
    drawLabel(painter, cell(row, Part), Qt::AlignRight, lookupNumber(static_cast<double>(part(m_content, row))));
    const QRectF whole = track(row);
    painter.fillRect(whole, m_style.colors.blank);
    painter.fillRect(barRect(row), colorAt(m_style.colorMap, static_cast<double>(weight)));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.drawRect(whole);
    painter.setPen(m_style.colors.ink);
    drawLabel(painter, {whole.right() + 8, whole.top(), cell(row, Weight).right() - whole.right() - 8, whole.height()},
              Qt::AlignLeft, percent(static_cast<double>(weight)));
}

void LookupFigure::paintSum(QPainter& painter) const
{
    const double top = m_top + rows() * m_rowHeight;
    painter.setPen(QPen(m_style.colors.muted, 1));
    painter.drawLine(QPointF(lookupMargin, top), QPointF(m_size.width() - lookupMargin, top));
    painter.setFont(m_style.strong);
    painter.setPen(m_style.colors.accent);
    drawLabel(painter, cell(rows(), Name).united(cell(rows(), Score)), Qt::AlignLeft, text("result"));
    drawLabel(painter, cell(rows(), Value).united(cell(rows(), Part)), Qt::AlignRight,
              lookupNumber(static_cast<double>(m_content.answer.result)));
    const QRectF all = cell(rows(), Weight);
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    drawLabel(painter, all, Qt::AlignLeft, text("weights sum to 1"));
}

void LookupFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    const QString title = text("Query %1").arg(lookupVector(m_content.query));
    const QString formula = text("weights = softmax(%1 · query · key)   result = Σ weight · value")
                                .arg(lookupNumber(static_cast<double>(m_content.sharpness)));
    paintHeader(painter, m_style, {title, formula}, lookupMargin, m_size.width() - lookupMargin);
    if (rows() == 0)
        return paintEmpty(painter, m_style, m_size, text("The table has no entries: there is nothing to look up."));
    paintHead(painter);
    for (const int row : {highlight.row, highlight.cursorRow}) {
        if (row >= 0 && row < rows())
            painter.fillRect(cellRect(row, 0), m_style.colors.blank);
    }
    if (highlight.cursorRow >= 0 && highlight.cursorRow < rows()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_style.colors.cursor, 1.5));
        painter.drawRect(cellRect(highlight.cursorRow, 0));
    }
    for (int row = 0; row < rows(); ++row)
        paintEntry(painter, row, m_content.exact == static_cast<std::size_t>(row) || row == highlight.row);
    paintSum(painter);
}

} // namespace attn::ui
