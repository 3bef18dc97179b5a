// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_range.h"

#include "base/index.h"
#include "base/special_tokens.h"
#include "base/thread_stop.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/parts/matrix_figure.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <span>

namespace attn::ui {

namespace {

constexpr unsigned droppedBits = 16; // of a float: what is left of a positive one is its bin
constexpr std::size_t bins = std::size_t{1} << (31 - droppedBits);

bool isCommon(const ColorRange& range)
{
    return range.of == ColorRange::Of::Head || range.of == ColorRange::Of::Layer || range.of == ColorRange::Of::All;
}

// With nothing left out of it.
FigureSpec wholeSpec(const FigureSpec& spec)
{
    FigureSpec whole = spec;
    whole.specials = SpecialTokens::Shown;
    whole.pair = PairFilter::All;
    whole.rows.reset();
    whole.columns.reset();
    return whole;
}

CellTest futureOf(const FigureSpec& spec, const std::vector<AxisGroup>& rows, const std::vector<AxisGroup>& columns)
{
    if (spec.site.stage != Stage::Decoder)
        return {};
    return [&rows, &columns](int row, int column) { return isFuture(rows[row], columns[column]); };
}

void addSite(RangeEnd& end, const FigureSpec& whole, const Trace& trace)
{
    if (whole.against) {
        const ShownDifference shown = shownDifference(whole, trace);
        return addToRange(end, shown.matrix, leftOutOfRange(whole, trace, shown), {});
    }
    const ShownMatrix shown = shownMatrix(whole, trace);
    addToRange(end, shown.matrix, leftOutOfRange(whole, trace, shown.columnGroups),
               futureOf(whole, shown.rowGroups, shown.columnGroups));
}

} // namespace

RangeEnd::RangeEnd(double percentile)
    : m_percentile(percentile)
    , m_bins(percentile < 100 ? bins : 0)
{
}

void RangeEnd::add(float value)
{
    const float size = std::abs(value);
    if (!std::isfinite(size))
        return;
    m_largest = std::max(m_largest, size);
    ++m_count;
    if (!m_bins.empty())
        ++m_bins[std::bit_cast<std::uint32_t>(size) >> droppedBits];
}

void RangeEnd::add(const RangeEnd& other)
{
    m_largest = std::max(m_largest, other.m_largest);
    m_count += other.m_count;
    std::transform(m_bins.begin(), m_bins.end(), other.m_bins.begin(), m_bins.begin(), std::plus());
}

double RangeEnd::value() const
{
    if (m_bins.empty())
        return m_largest;
    const double wanted = m_percentile / 100 * static_cast<double>(m_count);
    std::uint64_t below = 0;
    for (std::uint32_t bin = 0; bin < m_bins.size(); ++bin) {
        below += m_bins[bin];
        if (static_cast<double>(below) >= wanted && below > 0) {
            const double end = std::bit_cast<float>((bin + 1) << droppedBits);
            return bin == 0 ? 0 : std::min<double>(end, m_largest);
        }
    }
    return m_largest;
}

std::vector<bool> leftOutOfRange(const FigureSpec& spec, const Trace& trace, const std::vector<AxisGroup>& columns)
{
    if (spec.rangeWithout == RangeWithout::Nothing || trace.columnAxis(spec.site) != AttentionAxis::Tokens)
        return {};
    const Encoding tokens = trace.columnTokens(spec.site, spec.leaf);
    std::vector<bool> leftOut;
    leftOut.reserve(columns.size());
    for (const AxisGroup& column : columns)
        leftOut.push_back(column.first == 0 || isSpecial(tokens, column.first));
    return leftOut;
}

// The columns of a difference are of both runs.
std::vector<bool> leftOutOfRange(const FigureSpec& spec, const Trace& trace, const ShownDifference& shown)
{
    const auto here = leftOutOfRange(spec, trace, shown.here.columnGroups);
    std::vector<bool> both(shown.columns.size());
    for (std::size_t i = 0; i < both.size() && !here.empty(); ++i) {
        const auto& place = shown.columns[i].here;
        both[i] = place && here[static_cast<std::size_t>(*place)];
    }
    return both;
}

void addToRange(RangeEnd& end, const Numbers& matrix, const std::vector<bool>& leftOut, const CellTest& blank)
{
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const float value = matrix.at(row, column);
            const bool counts = leftOut.empty() || !leftOut[static_cast<std::size_t>(column)];
            if (counts && (value > 0 || !blank || !blank(row, column)))
                end.add(value);
        }
    }
}

double rangeEnd(const FigureSpec& spec, const Trace& trace)
{
    FigureSpec whole = wholeSpec(spec);
    RangeEnd end(spec.clip);
    if (spec.range.of == ColorRange::Of::Head) {
        addSite(end, whole, trace);
        return end.value();
    }
    for (const Site& site : trace.sites()) {
        const bool isAsked = spec.range.of == ColorRange::Of::Layer ? site == spec.site : site.stage == spec.site.stage;
        const int heads = isAsked ? trace.heads(site) : 0;
        const int both = spec.against ? std::min(heads, spec.against->trace.heads(site)) : heads;
        for (int head = 0; head < both; ++head) {
            ThreadStop::check();
            whole.site = site;
            whole.head = head;
            addSite(end, whole, trace);
        }
    }
    return end.value();
}

std::size_t rangeCost(const FigureSpec& spec, const Trace& trace)
{
    if (!isCommon(spec.range) || trace.sites().empty())
        return 0;
    std::size_t heads = 0;
    for (const Site& site : trace.sites()) {
        const bool isAsked = spec.range.of == ColorRange::Of::All ? site.stage == spec.site.stage : site == spec.site;
        heads += isAsked ? static_cast<std::size_t>(trace.heads(site)) : 0;
    }
    constexpr std::size_t pairing = 4; // times as much as one run
    return mapSize(spec, trace) * (spec.range.of == ColorRange::Of::Head ? 1 : heads) * (spec.against ? pairing : 1);
}

FigureSpec countedSpec(const FigureSpec& spec)
{
    return isCommon(spec.range) ? wholeSpec(spec) : spec;
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

void setScale(MatrixContent& content, const FigureSpec& spec, double end, const std::vector<bool>& leftOut)
{
    const ValueScale scale = scaleTo(spec, roundEnd(spec, end), spec.against || content.isDifference());
    content.least = scale.least();
    content.most = scale.most();
    content.scale = spec.scale;
    content.scaleNotes = scaleNotes(spec);
    if (spec.range.of != ColorRange::Of::Row)
        return;
    content.valueName = Figure::tr("share of the largest of the row");
    for (int row = 0; row < content.matrix.rows; ++row) {
        RangeEnd own(spec.clip);
        for (int column = 0; column < content.matrix.columns; ++column) {
            const bool counts = leftOut.empty() || !leftOut[static_cast<std::size_t>(column)];
            if (counts && !(content.blank && content.blank(row, column)))
                own.add(content.matrix.at(row, column));
        }
        content.rowEnds.push_back(own.value() > 0 ? own.value() : scale.most());
    }
}

namespace {

void setShownScale(MatrixContent& content, const FigureSpec& spec, const Trace& trace, const std::vector<bool>& leftOut)
{
    double most = 0;
    if (isCommon(spec.range)) {
        most = spec.rangeEnd ? *spec.rangeEnd : rangeEnd(spec, trace);
    } else if (spec.range.of != ColorRange::Of::Numbers) {
        RangeEnd end(spec.clip);
        addToRange(end, content.matrix, leftOut, content.blank);
        most = end.value();
    }
    if (!(most > 0)) { // what counts is all zeros
        RangeEnd everything(100);
        addToRange(everything, content.matrix, {}, {});
        most = everything.value();
    }
    setScale(content, spec, most, leftOut);
}

} // namespace

void setRange(MatrixContent& content, const FigureSpec& spec, const Trace& trace, const ShownMatrix& shown)
{
    setShownScale(content, spec, trace, leftOutOfRange(spec, trace, shown.columnGroups));
}

void setDifferenceRange(MatrixContent& content, const FigureSpec& spec, const Trace& trace,
                        const ShownDifference& shown)
{
    setShownScale(content, spec, trace, leftOutOfRange(spec, trace, shown));
}

} // namespace attn::ui
