// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_range.h"

#include "figures/figure.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/look/value_scale.h"
#include "maps/map_range.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attn::ui {

double rangeEnd(const FigureSpec& spec, const Trace& trace)
{
    return commonRangeEnd(spec.shownRuns(trace), spec.mapSpec());
}

std::size_t rangeCost(const FigureSpec& spec, const Trace& trace)
{
    return commonRangeCost(spec.shownRuns(trace), spec.mapSpec());
}

double roundEnd(const FigureSpec& spec, double end)
{
    const auto most = static_cast<float>(end);
    return spec.clip < 100 && end > 0 ? end : weightScaleEnd(std::span(&most, 1));
}

ValueScale scaleTo(const FigureSpec& spec, double end, bool aroundZero)
{
    const ColorRange& range = spec.range;
    const bool numbers = range.of == ColorRange::Of::Numbers;
    if (aroundZero) {
        const double most = numbers ? std::max(std::abs(range.least), std::abs(range.most)) : end;
        return {-most, most, spec.scale};
    }
    return numbers ? ValueScale(range.least, range.most, spec.scale) : ValueScale(0, end, spec.scale);
}

QStringList scaleNotes(const FigureSpec& spec)
{
    QStringList notes;
    if (spec.isForAndAgainst())
        notes << Figure::tr("\u2212 against, + for");
    if (spec.scale == ColorScale::SquareRoot)
        notes << Figure::tr("square root");
    else if (spec.scale == ColorScale::Logarithmic)
        notes << Figure::tr("logarithmic");
    if (spec.range.of == ColorRange::Of::Numbers)
        return notes;
    if (spec.rangeWithout == RangeWithout::Sinks)
        notes << Figure::tr("range without first and special tokens");
    if (spec.clip < 100)
        notes << Figure::tr("clipped at %1 %").arg(shortDecimal(spec.clip, 3));
    return notes;
}

void setScale(MatrixContent& content, const FigureSpec& spec, double end)
{
    const ValueScale scale = scaleTo(spec, roundEnd(spec, end), spec.isSigned() || content.map.isSigned);
    content.least = scale.least();
    content.most = scale.most();
    content.scale = spec.scale;
    content.scaleNotes = scaleNotes(spec);
    if (spec.range.of != ColorRange::Of::Row)
        return;
    content.valueName = Figure::tr("share of the largest of the row");
    for (int row = 0; row < content.rows(); ++row) {
        RangeEnd own(spec.clip);
        own.add(content.map, row, spec.rangeWithout);
        content.rowEnds.push_back(own.value() > 0 ? own.value() : scale.most());
    }
}

void setRange(MatrixContent& content, const FigureSpec& spec, const Trace& trace)
{
    double most = 0;
    if (spec.range.isCommon()) {
        most = spec.rangeEnd ? *spec.rangeEnd : rangeEnd(spec, trace);
    } else if (spec.range.of != ColorRange::Of::Numbers) {
        RangeEnd end(spec.clip);
        end.add(content.map, spec.rangeWithout);
        most = end.value();
    }
    if (!(most > 0)) { // what counts is all zeros
        RangeEnd everything(100);
        everything.add(content.map, RangeWithout::Nothing);
        most = everything.value();
    }
    setScale(content, spec, most);
}

} // namespace attn::ui
