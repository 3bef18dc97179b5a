// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chart_canvas.h"

#include "figures/look/color_scale.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/picture_figure.h"

#include <QCategoryAxis>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>
#include <QXYSeries>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace attn::ui {

void styleChart(QChart& chart, Theme theme, const QWidget& window)
{
    chart.setTheme(theme == Theme::Dark ? QChart::ChartThemeDark : QChart::ChartThemeLight);
    chart.setMargins({4, 8, 4, 4}); // half of the topmost tick is above the plot
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    chart.setBackgroundRoundness(0);
    const ThemeColors colors = themeColors(theme);
    chart.setBackgroundBrush(colors.background);
    const QBrush ink = colors.ink;
    const QFont plain = withoutLigatures(window.font());
    QFont strong = plain;
    strong.setBold(true);
    chart.setTitleFont(strong);
    chart.setTitleBrush(ink);
    const QColor grey = theme == Theme::Dark ? colors.muted.darker(140) : colors.muted.lighter(150);
    const std::array lines{colors.bar, colors.accent, colors.generated, grey, colors.ink};
    std::size_t drawn = 0;
    for (QAbstractSeries* series : chart.series()) {
        if (auto* line = qobject_cast<QXYSeries*>(series))
            line->setPen(QPen(lines.at(drawn++ % lines.size()), 2));
    }
    for (QAbstractAxis* axis : chart.axes()) {
        axis->setGridLineColor(colors.grid);
        axis->setLinePenColor(colors.grid);
        axis->setTitleFont(plain);
        axis->setLabelsFont(plain);
        axis->setLabelsBrush(ink);
        axis->setTitleBrush(ink);
    }
    chart.legend()->setFont(plain);
    chart.legend()->setLabelBrush(ink);
}

QAbstractAxis* roundAxis(double least, double most, int ticks)
{
    if (!(most > least)) {
        const double around = std::max(std::abs(least), 1.0) / 2;
        least -= around;
        most = least + 2 * around;
    }
    QValueAxis round;
    round.setRange(least, most);
    round.setTickCount(ticks);
    round.applyNiceNumbers();
    const double step = (round.max() - round.min()) / std::max(1, round.tickCount() - 1);
    std::vector<double> all;
    for (int i = 0; i < round.tickCount(); ++i)
        all.push_back(std::round(round.min() / step + i) * step);
    auto* axis = new QCategoryAxis;
    axis->setStartValue(all.front());
    for (const double tick : all)
        axis->append(tickText(tick, all), tick);
    axis->setRange(all.front(), all.back());
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    axis->setTruncateLabels(false); // where the chart believes lines to be too close
    return axis;
}

void addLine(QChart& chart, const QString& name, const QList<QPointF>& points, bool marked)
{
    auto* line = new QLineSeries;
    line->setName(name);
    line->setPointsVisible(marked);
    line->append(points);
    chart.addSeries(line);
}

void setAxes(QChart& chart, QAbstractAxis* across, QAbstractAxis* up)
{
    chart.addAxis(across, Qt::AlignBottom);
    chart.addAxis(up, Qt::AlignLeft);
    for (QAbstractSeries* series : chart.series()) {
        series->attachAxis(across);
        series->attachAxis(up);
    }
}

ChartCanvas::ChartCanvas(QWidget* parent)
    : QChartView(parent)
{
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(160);
}

void ChartCanvas::show(QChart* newChart, Theme theme)
{
    styleChart(*newChart, theme, *this);
    setBackgroundBrush(themeColors(theme).background);
    QChart* old = chart();
    setChart(newChart);
    delete old;
}

FigureLayout ChartCanvas::layout(const QString& description)
{
    if (chart() == nullptr || chart()->series().isEmpty())
        return {};
    QPicture picture;
    const QSizeF recorded(viewport()->size());
    QPainter painter(&picture);
    render(&painter, QRectF(QPointF(), recorded), viewport()->rect());
    painter.end();
    const QColor ground = backgroundBrush().color();
    return [picture, recorded, ground, description](QSizeF size) {
        return std::make_unique<PictureFigure>(picture, recorded, size, ground, description);
    };
}

} // namespace attn::ui
