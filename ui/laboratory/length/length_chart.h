// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/length_experiment.h"
#include "views/chart_canvas.h"

#include <QByteArray>

namespace attn::ui {

// "BLEU" or "log probability per token"
QString measureName(LengthMeasure measure);
// "4" or "7–8"
QString lengthRange(const LengthPoint& point);
// "1 sentence" or "12 sentences"
QString sentenceCount(int sentences);
// A number as the chart shows it.
QString measured(LengthMeasure measure, double value);
// A line per range of lengths and model (RFC 4180).
QByteArray lengthCsv(const LengthCurves& curves);
// From the shortest to the longest sentences, model by model; for people who cannot see the chart, too.
QString lengthSummary(const LengthCurves& curves);

// One line per model over the ranges of lengths; the points say what they are when pointed at.
class LengthChart final : public ChartCanvas
{
    Q_OBJECT

public:
    explicit LengthChart(QWidget* parent = nullptr);

    void showCurves(const LengthCurves& curves);
    // Where a point of a curve is drawn, in the viewport.
    QPointF pointAt(int curve, int point) const;

Q_SIGNALS:
    void pointed(const QString& text); // empty: at nothing

protected:
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyColors(Theme theme);
    void fitLabels();
    void point(QPointF position);
    double columnOf(const LengthPoint& point) const;
    QString textOf(int curve, int point) const;

    LengthCurves m_curves;
    std::vector<std::pair<int, int>> m_ranges; // from .. to, the columns of the chart
    QString m_pointed;
};

} // namespace attn::ui
