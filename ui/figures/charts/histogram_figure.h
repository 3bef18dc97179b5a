// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/scores.h"
#include "base/index.h"
#include "figures/figure.h"
#include "figures/look/style.h"

#include <QByteArray>
#include <QColor>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

// What a histogram shows beside its bars.
struct HistogramContent
{
    // A number under the bars, for the export too.
    struct Number
    {
        QString name; // "mean"
        double value = 0;
        int decimals = 2;
    };

    FigureTitle title;
    QString name; // of what was counted, in exports: "q·k scores"
    Histogram histogram;
    std::optional<std::pair<double, double>> shown; // values on the axis; none: those of the bins
    bool perUnit = false; // heights are densities, so that bins of any width can be compared
    QString axis; // name of the values
    std::function<double(double)> density; // expected probability density; may be null
    std::vector<std::pair<double, QString>> marks; // dashed lines
    std::vector<Number> numbers;
    int numberLines = 0; // room under the bars, where other histograms beside it have more numbers
    bool measured = false; // of a model, not of random numbers: another colour
    QString empty; // said instead of bars when nothing was counted
};

// Bars whose heights are shares of all counted values, or these by their width, with a curve and lines to compare them
// with and numbers beneath. One row of cells: the bins.
class HistogramFigure final : public Figure
{
public:
    HistogramFigure(const FigureSpec& spec, HistogramContent content, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // the whole height over a bin
    int rows() const override { return m_total > 0 ? 1 : 0; }
    int columns() const override { return m_total > 0 ? indexSize(m_content.histogram.counts) : 0; }
    QString description() const override;

    QRectF barRect(int bin) const;

private:
    double share(int bin) const;
    double xOf(double value) const;
    double yOf(double part) const;
    std::pair<double, double> axisRange() const;
    double unit() const; // share that 1 on the upright axis stands for
    std::vector<double> heights() const; // ticks of the upright axis
    QString heightText(double height) const;
    QString heightName() const;
    QString binText(int bin) const;
    void paintAxes(QPainter& painter) const;
    void paintHeights(QPainter& painter) const;
    void paintBars(QPainter& painter, const Highlight& highlight) const;
    void paintExpected(QPainter& painter) const;
    void paintNumbers(QPainter& painter) const;

    HistogramContent m_content;
    FigureStyle m_style;
    QSizeF m_size;
    QRectF m_plot;
    int m_total = 0;
    double m_top = 1; // share that the plot's height stands for
};

// "name,measure,from,to,value": the counts and the numbers of several histograms (RFC 4180).
QByteArray histogramCsv(const std::vector<HistogramContent>& contents);

} // namespace attn::ui
