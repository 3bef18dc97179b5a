// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/exportable.h"
#include "views/table_access.h"

#include <QAbstractAxis>
#include <QChart>
#include <QChartView>
#include <QList>
#include <QPointF>

#include <cstdint>

namespace attn::ui {

// An axis with about `ticks` ticks at round values, written as numbers are in figures and with the decimals that the
// step between them needs. It ends at the round values around [least, most], or where that ends.
enum class AxisEnds : std::uint8_t { Round, Data };
QAbstractAxis* roundAxis(double least, double most, int ticks = 5, AxisEnds ends = AxisEnds::Round);

// A line through points, (x, y) one after the other: straight from each to the next, with the points marked, or curved.
enum class LineForm : std::uint8_t { Straight, Marked, Smooth };
void addLine(QChart& chart, const QString& name, const QList<QPointF>& points, LineForm form = LineForm::Straight);
// The axes of all its series.
void setAxes(QChart& chart, QAbstractAxis* across, QAbstractAxis* up);

// Shows a chart and lets it be exported. To assistive technology it is a table: a row for each place on the axis, a
// column for each line.
class ChartCanvas : public QChartView, public TableSource
{
    Q_OBJECT

public:
    explicit ChartCanvas(QWidget* parent = nullptr);

    // Takes the chart, in the window's colours; the old one is deleted.
    void show(QChart* chart, Theme theme);
    // The chart on the screen, as lines and text; null when there is no chart.
    FigureLayout layout(const QString& description);

    const FigureTable& table() override { return m_table; }
    std::optional<FigureCell> keyboardCell() override { return {}; }

    QSize sizeHint() const override { return {560, 320}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    using QChartView::setChart;
    using QWidget::show;

    FigureTable m_table;
};

} // namespace attn::ui
