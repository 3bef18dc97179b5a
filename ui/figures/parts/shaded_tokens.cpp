// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/shaded_tokens.h"

#include "base/index.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double strongest = 0.62; // opacity of the colour of the largest weight: letters stay readable on it
constexpr double besideBar = 4;
constexpr double twoDecimals = 0.1; // from here on they tell values apart

} // namespace

std::optional<int> ShadedTokens::onlyRow() const
{
    std::optional<int> only;
    if (m_spec.head.reading().rowsOf == nullptr)
        return only;
    for (int row = 0; row < rows(); ++row) {
        int column = 0;
        while (column < columns() && !m_content.map.hasNumber(row, column))
            ++column;
        if (column == columns())
            continue;
        if (only)
            return std::nullopt;
        only = row;
    }
    return only;
}

std::vector<int> ShadedTokens::usualSources() const
{
    if (pickSide() == TokenSide::Columns)
        return picked();
    if (const auto row = onlyRow())
        return {*row};
    return picked().empty() && m_content.markedRow ? std::vector{*m_content.markedRow} : picked();
}

void ShadedTokens::shade(std::vector<int> sources)
{
    m_sources = std::move(sources);
    const bool forth = pickSide() == TokenSide::Rows;
    const int count = isMean() ? written(pickSide()) : indexSize(m_sources);
    m_values.assign(static_cast<std::size_t>(this->count(shadedSide())), 0);
    for (int i = 0; i < count; ++i) {
        const int source = isMean() ? i : m_sources[static_cast<std::size_t>(i)];
        for (int other = 0; other < indexSize(m_values); ++other) {
            const int row = forth ? source : other;
            const int column = forth ? other : source;
            m_values[static_cast<std::size_t>(other)] +=
                static_cast<double>(m_content.map.counted(row, column)) / (isMean() ? count : 1);
        }
    }
}

bool ShadedTokens::hasChosenEnd() const
{
    return m_spec.range.of == ColorRange::Of::Numbers || (m_sources.size() == 1 && m_spec.range.isCommon());
}

void ShadedTokens::setEnd(double most)
{
    m_most = hasChosenEnd() ? m_content.most : most;
    m_scale = ValueScale(hasChosenEnd() ? std::max(0.0, m_content.least) : 0, m_most, m_content.scale);
}

double ShadedTokens::fraction(double value) const
{
    return m_scale.fraction(std::abs(value));
}

QColor ShadedTokens::ground(double value) const
{
    const ThemeColors& colors = m_style.colors;
    return mixed(colors.background, m_content.map.isSigned ? colors.ofSign(value) : colors.bar,
                 strongest * fraction(value));
}

void ShadedTokens::paintGround(QPainter& painter, const QRectF& box, double value, const QRectF& beside) const
{
    fillCell(painter, box, value, ground(value), m_style, beside);
}

QString ShadedTokens::valueText(double value) const
{
    return numberText(value, m_content.decimalOf(value, 4));
}

QString ShadedTokens::pickedNames() const
{
    constexpr qsizetype most = 4;
    QStringList names;
    for (const int index : m_sources)
        names << label({pickSide(), index});
    const bool more = names.size() > most;
    return names.mid(0, most).join(QStringLiteral(", ")) + (more ? QString(QChar(0x2026)) : QString());
}

void ShadedTokens::sayShades(const Sentences& sentences)
{
    const QString& picked = pickSide() == TokenSide::Rows ? sentences.forth : sentences.back;
    m_shows = !sentences.explained.isEmpty() ? capitalized(sentences.explained)
        : isMean()                           ? sentences.mean
                                             : picked.arg(pickedNames());
}

void ShadedTokens::describeShades()
{
    m_description += QLatin1Char(' ') + m_shows;
    addNote(m_title, m_description, noNumbersNote(m_content.map));
}

double ShadedTokens::shadeLegendHeight() const
{
    return m_spec.noLegend ? 0 : barHeight + shadedGap + 2 * QFontMetricsF(m_style.small).height();
}

void ShadedTokens::paintShadeLegend(QPainter& painter, const std::function<QColor(double value)>& colorOf) const
{
    if (m_spec.noLegend)
        return;
    const double line = QFontMetricsF(m_style.small).height();
    drawLabel(painter, m_style.small, m_style.colors.muted, {margin, m_legendTop, m_size.width() - 2 * margin, line},
              Qt::AlignLeft, m_shows);
    const double least = m_content.map.isSigned ? -m_most : 0;
    const QString low = m_content.map.isSigned ? signedDecimal(least, 2) : QStringLiteral("0");
    const double y = m_legendTop + line + besideBar;
    const double left = margin + QFontMetricsF(m_style.small).horizontalAdvance(low) + besideBar;
    const QRectF bar(left, y + (line - barHeight) / 2, barWidth, barHeight);
    constexpr int steps = 30;
    painter.setRenderHint(QPainter::Antialiasing, false); // no seams; in vector files each reaches under the next
    for (int i = 0; i < steps; ++i)
        painter.fillRect(bar.adjusted(i * barWidth / steps, 0, 0, 0),
                         colorOf(least + (m_most - least) * (i + 0.5) / steps));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    drawLabel(painter, m_style.small, m_style.colors.muted, {margin, y, left - margin, line}, Qt::AlignLeft, low);
    drawLabel(painter, m_style.small, m_style.colors.muted,
              {bar.right() + besideBar, y, m_size.width() - margin - bar.right(), line}, Qt::AlignLeft,
              (m_most < twoDecimals ? significant(m_most, 2) : shortDecimal(m_most, 2)) + QStringLiteral("   ")
                  + (m_sources.size() > 1 ? tr("%1, summed").arg(m_content.valueName) : m_content.valueName)
                  + (m_content.map.isSigned && !m_content.scaleNotes.isEmpty()
                         ? QStringLiteral(": ") + m_content.scaleNotes.front()
                         : QString()));
}

} // namespace attn::ui
