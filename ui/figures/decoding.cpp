// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/decoding.h"

#include "analysis/words.h"
#include "figures/heatmap.h"
#include "figures/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double margin = 12;
constexpr double gap = 8;

} // namespace

DecodingFigure::DecodingFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
    : m_theme(themeColors(spec.theme))
    , m_bar(spec.theme == Theme::Dark ? QColor(0x6b, 0x7f, 0xa8) : QColor(0x9a, 0xac, 0xc8))
    , m_font(figureFont(spec.baseFontPoints))
    , m_titleFont(figureFont(spec.baseFontPoints * 1.1, true))
    , m_subtitle(runSubtitle(trace))
{
    const auto path = trace.path(spec.leaf);
    m_title = spec.title.isEmpty() ? QStringLiteral("Decoding") : spec.title;
    if (path.empty()) {
        m_empty = QStringLiteral("Nothing has been decoded yet.");
        m_description = m_empty;
        layOut(size);
        return;
    }
    const auto last = static_cast<int>(path.size()) - 1;
    const int position = spec.currentStep < 0 ? last : std::min(spec.currentStep, last);
    const TraceStep& step = *path[static_cast<std::size_t>(position)];
    m_title += QStringLiteral(", step %1 of %2").arg(position).arg(last);
    const Encoding target = trace.target(spec.leaf);
    const auto labels = tokenAxis(target);
    for (int i = 0; i < position; ++i)
        m_output += readableToken(labels[static_cast<std::size_t>(i)].label) + QLatin1Char(' ');
    const QString token = readableToken(labels[static_cast<std::size_t>(position)].label);
    m_output += QStringLiteral("\u2192 ") + token;
    if (trace.heads(spec.site) > 0 && spec.site.stage != Stage::Encoder) {
        const AttentionMatrix matrix = trace.matrix(spec.site, spec.head, spec.leaf);
        const auto columns = tokenAxis(trace.columnTokens(spec.site, spec.leaf));
        m_attention.title = siteTitle(spec.site, spec.head, trace.heads(spec.site));
        const int shown = spec.site.stage == Stage::Decoder ? position + 1 : matrix.columns;
        for (int column = 0; column < shown; ++column)
            m_attention.bars.push_back({readableToken(columns[static_cast<std::size_t>(column)].label),
                                        static_cast<double>(matrix.at(position, column)),
                                        false,
                                        {}});
    }
    m_candidates.title = QStringLiteral("candidates");
    for (std::size_t i = 0; i < step.step.candidates.size(); ++i) {
        const Candidate& candidate = step.step.candidates[i];
        QString piece = QString::fromStdString(step.candidateTexts[i]);
        piece.replace(QChar(0x2581), QChar(0x00B7)); // the mark of a word's beginning
        m_candidates.bars.push_back(
            {piece, std::exp(static_cast<double>(candidate.logProbability)), candidate.token == step.step.token, {}});
    }
    m_description = QStringLiteral("%1: %2. Taken with probability %3.")
                        .arg(m_title, m_output)
                        .arg(std::exp(static_cast<double>(step.step.logProbability)), 0, 'f', 2);
    layOut(size);
}

QRectF DecodingFigure::cellRect(int, int) const
{
    return {};
}

void DecodingFigure::layOutPanel(Panel& panel, QRectF box) const
{
    panel.box = box;
    if (panel.bars.empty())
        return;
    const QFontMetricsF metrics(m_font);
    const double top = box.top() + metrics.height() + gap;
    const double pitch =
        std::min((box.bottom() - top) / static_cast<double>(panel.bars.size()), metrics.height() * 1.5);
    panel.labelWidth = 0;
    panel.most = 0;
    for (std::size_t i = 0; i < panel.bars.size(); ++i) {
        Bar& bar = panel.bars[i];
        bar.box = QRectF(box.left(), top + pitch * static_cast<double>(i), box.width(), pitch);
        panel.labelWidth = std::max(panel.labelWidth, metrics.horizontalAdvance(bar.label));
        panel.most = std::max(panel.most, bar.value);
    }
    panel.labelWidth = std::min(panel.labelWidth, box.width() * 0.4);
    panel.most = std::max(panel.most, 1e-6);
}

void DecodingFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    const QFontMetricsF metrics(m_font);
    const double top = margin + QFontMetricsF(m_titleFont).height() + metrics.height() * 4.2;
    const auto lines = static_cast<double>(std::max(m_attention.bars.size(), m_candidates.bars.size()));
    if (wanted.height() <= 0)
        m_size.setHeight(lines == 0 ? wanted.width() * 0.4 : top + metrics.height() * (1.35 * lines + 2) + margin);
    const double height = m_size.height() - top - margin;
    if (m_attention.bars.empty()) {
        layOutPanel(m_candidates, QRectF(margin, top, m_size.width() - 2 * margin, height));
        return;
    }
    const double width = (m_size.width() - 2 * margin - 3 * gap) / 2;
    layOutPanel(m_attention, QRectF(margin, top, width, height));
    layOutPanel(m_candidates, QRectF(m_size.width() - margin - width, top, width, height));
}

void DecodingFigure::paintPanel(QPainter& painter, const Panel& panel) const
{
    if (panel.bars.empty())
        return;
    const QFontMetricsF metrics(m_font);
    painter.setFont(m_font);
    painter.setPen(m_theme.muted);
    painter.drawText(QRectF(panel.box.left(), panel.box.top(), panel.box.width(), metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, elided(panel.title, metrics, panel.box.width()));
    const double numbers = metrics.horizontalAdvance(QStringLiteral("0.0000"));
    const double left = panel.box.left() + panel.labelWidth + gap;
    const double room = panel.box.right() - left - numbers - gap;
    const double pitch = panel.bars.front().box.height();
    const auto every = std::max(1, static_cast<int>(std::ceil(metrics.height() * 0.9 / pitch)));
    int index = 0;
    for (const Bar& bar : panel.bars) {
        const double width = room * bar.value / panel.most;
        painter.fillRect(QRectF(left, bar.box.top() + pitch * 0.12, std::max(width, 0.5), pitch * 0.76),
                         bar.strong ? m_theme.accent : m_bar);
        if (index++ % every != 0)
            continue;
        painter.setPen(bar.strong ? m_theme.accent : m_theme.ink);
        painter.drawText(QRectF(panel.box.left(), bar.box.top(), panel.labelWidth, pitch),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                         elided(bar.label, metrics, panel.labelWidth + 0.5));
        painter.setPen(m_theme.muted);
        painter.drawText(QRectF(left + width + 4, bar.box.top(), numbers + gap, pitch),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, QString::number(bar.value, 'f', 3));
    }
}

void DecodingFigure::paint(QPainter& painter, const Highlight&) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_theme.background);
    const QFontMetricsF metrics(m_font);
    if (!m_empty.isEmpty()) {
        painter.setFont(m_font);
        painter.setPen(m_theme.muted);
        painter.drawText(QRectF(QPointF(), m_size).adjusted(30, 10, -30, -10),
                         static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_empty);
        return;
    }
    const double width = m_size.width() - 2 * margin;
    const double titleHeight = QFontMetricsF(m_titleFont).height();
    painter.setFont(m_titleFont);
    painter.setPen(m_theme.ink);
    painter.drawText(QRectF(margin, margin, width, titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     elided(m_title, QFontMetricsF(m_titleFont), width));
    painter.setFont(m_font);
    painter.setPen(m_theme.muted);
    painter.drawText(QRectF(margin, margin + titleHeight, width, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     elided(m_subtitle, metrics, width));
    painter.setPen(m_theme.ink);
    // The end of a long output matters more than its beginning.
    painter.drawText(QRectF(margin, margin + titleHeight + metrics.height() * 1.6, width, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(m_output, Qt::ElideLeft, width));
    paintPanel(painter, m_attention);
    paintPanel(painter, m_candidates);
}

FigureHit DecodingFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    for (const Panel* panel : {&m_attention, &m_candidates}) {
        int index = 0;
        for (const Bar& bar : panel->bars) {
            if (bar.box.contains(point)) {
                hit.part = panel == &m_candidates ? FigureHit::Part::Candidate : FigureHit::Part::ColumnLabel;
                hit.column = index;
                hit.value = static_cast<float>(bar.value);
                hit.text = QStringLiteral("%1   %2").arg(bar.label).arg(bar.value, 0, 'f', 4);
                return hit;
            }
            ++index;
        }
    }
    return hit;
}

} // namespace attn::ui
