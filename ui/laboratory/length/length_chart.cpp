// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/length/length_chart.h"

#include "base/index.h"
#include "figures/export/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"

#include <QBarCategoryAxis>
#include <QFileInfo>
#include <QFontInfo>
#include <QHelpEvent>
#include <QLineF>
#include <QLineSeries>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <utility>

namespace attn::ui {

namespace {

constexpr double reach = 12; // pixels from a point
constexpr int narrow = 680; // pixels

QString rangeText(int from, int to)
{
    return from == to ? QString::number(from) : QStringLiteral("%1–%2").arg(from).arg(to);
}

// Told apart with every kind of colour vision (after Okabe and Ito 2008), with a contrast of at least 3 on the ground.
QColor lineColor(int index, Theme theme)
{
    constexpr std::array<QRgb, 7> light{0xff0072b2, 0xffb85000, 0xff00775a, 0xff9c4a80,
                                        0xff5a5e68, 0xff7a6400, 0xff8e1b1b};
    constexpr std::array<QRgb, 7> dark{0xff56b4e9, 0xfff2a54a, 0xff2fc79a, 0xffe08cc0,
                                       0xffc9ccd3, 0xfff0e442, 0xffff7f6b};
    const auto& colors = theme == Theme::Dark ? dark : light;
    return QColor::fromRgb(colors[static_cast<std::size_t>(index) % colors.size()]);
}

QString modelName(const LengthCurve& curve)
{
    return QFileInfo(QString::fromStdString(curve.model)).fileName();
}

// With round bounds around the values.
QAbstractAxis* measureAxis(const LengthCurves& curves)
{
    const bool bleu = curves.measure == LengthMeasure::Bleu;
    double least = 0;
    double most = bleu ? 1 : -100;
    for (const LengthCurve& curve : curves.curves) {
        for (const LengthPoint& point : curve.points) {
            least = std::min(least, point.value);
            most = std::max(most, point.value);
        }
    }
    return roundAxis(least, bleu ? most * 1.05 : std::min(0.0, most * 0.9), 6);
}

} // namespace

QString measureName(LengthMeasure measure)
{
    return measure == LengthMeasure::Bleu ? LengthChart::tr("BLEU") : LengthChart::tr("log probability per token");
}

QString lengthRange(const LengthPoint& point)
{
    return rangeText(point.from, point.to);
}

QString sentenceCount(int sentences)
{
    return sentences == 1 ? LengthChart::tr("1 sentence") : LengthChart::tr("%1 sentences").arg(grouped(sentences));
}

QString measured(LengthMeasure measure, double value)
{
    return decimal(value, measure == LengthMeasure::Bleu ? 1 : 2);
}

QByteArray lengthCsv(const LengthCurves& curves)
{
    QString lines = QStringLiteral("source words from,source words to,model,sentences,%1\r\n")
                        .arg(curves.measure == LengthMeasure::Bleu ? QStringLiteral("BLEU")
                                                                   : QStringLiteral("log probability per token"));
    for (const LengthCurve& curve : curves.curves) {
        for (const LengthPoint& point : curve.points) {
            lines += QStringLiteral("%1,%2,").arg(point.from).arg(point.to) + csvField(modelName(curve))
                + QStringLiteral(",%1,").arg(point.sentences) + csvNumber(point.value) + QStringLiteral("\r\n");
        }
    }
    return lines.toUtf8();
}

QString lengthSummary(const LengthCurves& curves)
{
    QStringList parts;
    int sentences = 0;
    for (const LengthCurve& curve : curves.curves) {
        if (curve.points.empty())
            continue;
        int read = 0;
        for (const LengthPoint& point : curve.points)
            read += point.sentences;
        sentences = std::max(sentences, read);
        const LengthPoint& first = curve.points.front();
        const LengthPoint& last = curve.points.back();
        parts << LengthChart::tr("%1 %2 → %3")
                     .arg(modelName(curve), measured(curves.measure, first.value),
                          measured(curves.measure, last.value));
    }
    if (parts.isEmpty())
        return {};
    return LengthChart::tr("%1 from the shortest to the longest of %2: %3.")
        .arg(curves.measure == LengthMeasure::Bleu ? LengthChart::tr("BLEU")
                                                   : LengthChart::tr("Log probability per token"),
             curves.file.empty()
                 ? LengthChart::tr("%1 held-out sentences, beam search").arg(grouped(sentences))
                 : LengthChart::tr("%1 of %2").arg(sentenceCount(sentences), QString::fromStdString(curves.file)),
             parts.join(QStringLiteral(", ")));
}

LengthChart::LengthChart(QWidget* parent)
    : ChartCanvas(parent)
{
    setObjectName(QStringLiteral("lengthChart"));
    setAccessibleName(tr("Quality by sentence length"));
    viewport()->setMouseTracking(true);
}

double LengthChart::columnOf(const LengthPoint& point) const
{
    const auto found = std::ranges::find(m_ranges, std::pair(point.from, point.to));
    return static_cast<double>(found - m_ranges.begin());
}

void LengthChart::showCurves(const LengthCurves& curves)
{
    m_curves = curves;
    m_ranges.clear();
    for (const LengthCurve& curve : curves.curves) {
        for (const LengthPoint& point : curve.points)
            m_ranges.emplace_back(point.from, point.to);
    }
    std::ranges::sort(m_ranges);
    m_ranges.erase(std::ranges::unique(m_ranges).begin(), m_ranges.end());
    auto* chart = new QChart;
    auto* across = new QBarCategoryAxis;
    for (const auto& [from, to] : m_ranges)
        across->append(rangeText(from, to));
    QAbstractAxis* up = measureAxis(curves);
    across->setTitleText(tr("source words"));
    up->setTitleText(measureName(curves.measure));
    for (const LengthCurve& curve : curves.curves) {
        QList<QPointF> points;
        for (const LengthPoint& point : curve.points)
            points.append({columnOf(point), point.value});
        addLine(*chart, modelName(curve), points, true);
    }
    setAxes(*chart, across, up);
    chart->legend()->setAlignment(Qt::AlignRight);
    chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    const Theme theme = palette().color(QPalette::Window).lightness() < 128 ? Theme::Dark : Theme::Light;
    show(chart, theme);
    applyColors(theme);
    fitLabels();
    setAccessibleDescription(lengthSummary(curves));
}

// Smaller where the lengths would be cut.
void LengthChart::fitLabels()
{
    QFont small = font();
    small.setPointSizeF(QFontInfo(font()).pointSizeF() * (width() < narrow ? 0.85 : 1));
    chart()->axes(Qt::Horizontal).constFirst()->setLabelsFont(small);
    chart()->legend()->setFont(small);
}

void LengthChart::resizeEvent(QResizeEvent* event)
{
    ChartCanvas::resizeEvent(event);
    if (!m_curves.curves.empty())
        fitLabels();
}

// Calm lines behind, and for every model the colour that it has whatever else is shown.
void LengthChart::applyColors(Theme theme)
{
    for (QAbstractAxis* axis : chart()->axes()) {
        axis->setGridLineColor(themeColors(theme).grid);
        axis->setLinePenColor(themeColors(theme).muted);
    }
    chart()->axes(Qt::Horizontal).constFirst()->setGridLineVisible(false);
    const auto series = chart()->series();
    for (std::size_t i = 0; i < m_curves.curves.size(); ++i) {
        auto* line = static_cast<QLineSeries*>(series.at(static_cast<qsizetype>(i)));
        line->setPen(QPen(lineColor(m_curves.curves[i].number, theme), 2));
        line->setMarkerSize(4.5);
    }
}

QPointF LengthChart::pointAt(int curve, int point) const
{
    const auto series = chart()->series();
    const LengthPoint& shown = m_curves.curves.at(curve).points.at(point);
    const QPointF inChart = chart()->mapToPosition({columnOf(shown), shown.value}, series.at(curve));
    return mapFromScene(chart()->mapToScene(inChart));
}

QString LengthChart::textOf(int curve, int point) const
{
    const LengthCurve& line = m_curves.curves.at(curve);
    const LengthPoint& shown = line.points.at(point);
    return tr("%1, %2 words, %3: %4 %5")
        .arg(modelName(line), lengthRange(shown), sentenceCount(shown.sentences), measureName(m_curves.measure),
             measured(m_curves.measure, shown.value));
}

void LengthChart::point(QPointF position)
{
    QString nearest;
    double distance = reach;
    for (int curve = 0; curve < indexSize(m_curves.curves); ++curve) {
        const auto count = indexSize(m_curves.curves[curve].points);
        for (int i = 0; i < count; ++i) {
            const double away = QLineF(pointAt(curve, i), position).length();
            if (away < distance) {
                distance = away;
                nearest = textOf(curve, i);
            }
        }
    }
    if (nearest == m_pointed)
        return;
    m_pointed = nearest;
    Q_EMIT pointed(nearest);
}

void LengthChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && !m_curves.curves.empty())
        showCurves(LengthCurves(m_curves));
    ChartCanvas::changeEvent(event);
}

bool LengthChart::viewportEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseMove:
        point(static_cast<QMouseEvent*>(event)->position());
        break;
    case QEvent::Leave:
        m_pointed.clear();
        Q_EMIT pointed({});
        break;
    case QEvent::ToolTip:
        if (m_pointed.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), m_pointed.toHtmlEscaped(), this);
        return true;
    default:
        break;
    }
    return ChartCanvas::viewportEvent(event);
}

} // namespace attn::ui
