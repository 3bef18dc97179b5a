// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_notes.h"

#include "base/index.h"
#include "figures/look/color_map.h"
#include "figures/look/token_label.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double meterHeight = 3;
constexpr double meterGap = 1;
constexpr double bandGap = 4;
constexpr double textGap = 4; // between a name and a note

} // namespace

HeadNotes::HeadNotes(const FigureSpec& spec, const std::shared_ptr<const HeadFacts>& facts,
                     const std::vector<HeadKey>& heads)
    : m_words(spec, facts)
{
    std::vector<double> values;
    for (const HeadKey& head : heads) {
        if (const auto value = m_words.noted() == nullptr ? std::nullopt : m_words.value(*m_words.noted(), head))
            values.push_back(*value);
        if (const auto kind = m_words.kind(head))
            m_used.push_back(*kind);
    }
    std::ranges::sort(m_used);
    const auto again = std::unique(m_used.begin(), m_used.end());
    m_used.erase(again, m_used.end());
    m_kinds = m_words.notesKinds() && !m_used.empty();
    if (values.empty())
        return;
    const auto [least, most] = std::ranges::minmax(values);
    const HeadMeasure& measure = *m_words.noted();
    const double size = std::max({std::abs(least), std::abs(most), 1e-9});
    const bool around = spec.isSigned() || least < 0; // zero is in the middle
    m_bar = ColorBar{.scale = {around ? -size : 0.0, measure.isShare && !around ? 1.0 : size},
                     .name = HeadWords::title(measure)};
}

double HeadNotes::band(const FigureStyle& style) const
{
    return QFontMetricsF(style.small).height() + bandGap + (m_texts && m_bar ? meterHeight + meterGap : 0);
}

void HeadNotes::fit(const FigureStyle& style, double width, const QString& name)
{
    m_legend.clear();
    if (!areKinds())
        return;
    const QFontMetricsF metrics(style.small);
    QStringList marks;
    bool spelled = true;
    for (const HeadKind kind : m_used) {
        spelled &= metrics.horizontalAdvance(HeadWords::title(kind) + name) + textGap <= width;
        marks << HeadWords::mark(kind) + QChar(0x2002) + HeadWords::title(kind);
    }
    if (!spelled)
        m_legend = marks.join(QStringLiteral("     "));
}

QString HeadNotes::textOf(const HeadKey& head) const
{
    if (m_words.noted() != nullptr)
        return m_words.note(head);
    const auto kind = m_words.kind(head);
    if (!kind || !m_words.notesKinds())
        return {};
    return m_legend.isEmpty() ? HeadWords::title(*kind) : HeadWords::mark(*kind);
}

void HeadNotes::paint(QPainter& painter, const FigureStyle& style, const HeadKey& head, const QRectF& band,
                      const QString& name) const
{
    const QFontMetricsF metrics(style.small);
    const QString text = textOf(head);
    if (areTexts() && metrics.horizontalAdvance(name) + textGap + metrics.horizontalAdvance(text) <= band.width())
        drawLabel(painter, style.small, style.colors.ink, band, Qt::AlignRight, text);
}

void HeadNotes::paintMeter(QPainter& painter, const FigureStyle& style, const HeadKey& head, const QRectF& tile,
                           double most) const
{
    const auto value = m_bar ? m_words.value(*m_words.noted(), head) : std::nullopt;
    if (!value)
        return;
    const double part = m_bar->scale.fraction(*value);
    const double zero = m_bar->scale.least() < 0 ? 0.5 : 0.0;
    const double height = std::min(meterHeight, most - meterGap);
    const QRectF meter(tile.left(), tile.top() - height - meterGap, tile.width(), height);
    const auto at = [&](double share) { return meter.left() + share * meter.width(); };
    painter.fillRect(meter, style.colors.blank);
    painter.fillRect(
        QRectF(QPointF(at(std::min(zero, part)), meter.top()), QPointF(at(std::max(zero, part)), meter.bottom())),
        colorAt(style.colorMap, part));
}

} // namespace attn::ui
