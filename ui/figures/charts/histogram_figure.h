// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/scores.h"
#include "figures/figure.h"
#include "figures/look/style.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

// Parts of a histogram beside its bars.
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
std::unique_ptr<const Figure> histogramFigure(const FigureSpec& spec, const HistogramContent& content, QSizeF size);

// The height that a title needs over a histogram.
double histogramTitleRoom(const FigureSpec& spec, const FigureTitle& title);

// "name,measure,from,to,value": the counts and the numbers of several histograms (RFC 4180).
QByteArray histogramCsv(const std::vector<HistogramContent>& contents);

} // namespace attn::ui
