// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <vector>

namespace attn::ui {

// Positive numbers that grow with a number, on logarithmic axes.
struct CurvesContent
{
    struct Point
    {
        double x = 0;
        double y = 0;
        double lower = 0; // of a measurement, quartiles
        double upper = 0;
    };
    struct Curve
    {
        QString name;
        std::vector<Point> points; // in the order of x
        bool measured = false; // points with their quartiles; otherwise a dashed line
    };

    FigureTitle title;
    std::vector<Curve> curves;
    QString xAxis;
    QString yAxis;
};

// A row of cells for each curve, a column for each of its points.
std::unique_ptr<const Figure> curvesFigure(const FigureSpec& spec, const CurvesContent& content, QSizeF size);

// "curve,x,y,lower,upper" (RFC 4180).
QByteArray curvesCsv(const CurvesContent& content);

} // namespace attn::ui
