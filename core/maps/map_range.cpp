// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "maps/map_range.h"

#include "base/progress.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace attn {

namespace {

constexpr unsigned droppedBits = 16; // of a float: what is left of a positive one is its bin
constexpr std::size_t bins = std::size_t{1} << (31 - droppedBits);

// The sites whose heads count.
std::vector<Site> countedSites(const Trace& trace, const MapSpec& spec)
{
    std::vector<Site> sites = trace.sites();
    std::erase_if(sites, [&](Site site) {
        return spec.range.of == ColorRange::Of::All ? site.stage != spec.site.stage : site != spec.site;
    });
    return sites;
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

void RangeEnd::add(const Map& map, RangeWithout without)
{
    for (Index row = 0; row < map.numbers.rows; ++row)
        add(map, row, without);
}

void RangeEnd::add(const Map& map, Index row, RangeWithout without)
{
    const std::vector<bool>& sinks = map.columns.sinks;
    const bool all = without == RangeWithout::Nothing || sinks.empty();
    for (Index column = 0; column < map.numbers.columns; ++column) {
        if ((all || !sinks[static_cast<std::size_t>(column)]) && map.hasNumber(row, column))
            add(map.at(row, column));
    }
}

void RangeEnd::add(const RangeEnd& other)
{
    m_largest = std::max(m_largest, other.m_largest);
    m_count += other.m_count;
    std::ranges::transform(m_bins, other.m_bins, m_bins.begin(), std::plus());
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

double largestMagnitude(std::span<const float> values)
{
    RangeEnd end(100);
    for (const float value : values)
        end.add(value);
    return end.value() > 0 ? end.value() : 1;
}

std::optional<NumberRange> rangeOfNumbers(std::span<const float> values)
{
    std::optional<NumberRange> range;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        if (!range)
            range = NumberRange{value, value};
        range->least = std::min<double>(range->least, value);
        range->most = std::max<double>(range->most, value);
    }
    return range;
}

double commonRangeEnd(const ShownRuns& runs, const MapSpec& spec)
{
    MapSpec one = unfiltered(spec);
    RangeEnd end(spec.clip);
    const auto addOne = [&] {
        ThreadStop::check();
        end.add(runs.map(one), spec.rangeWithout);
    };
    if (spec.range.of == ColorRange::Of::Head) {
        addOne();
        return end.value();
    }
    for (const Site& site : countedSites(runs.trace, spec)) {
        one.site = site;
        const bool isOfLayer = spec.head.reading().computed && spec.head.reading().of != ReadingOf::EachHead;
        if (isOfLayer) {
            addOne();
            continue;
        }
        for (int head = 0; head < runs.heads(site); ++head) {
            one.head = spec.head.ofHead(head);
            addOne();
        }
    }
    return end.value();
}

std::size_t commonRangeCost(const ShownRuns& runs, const MapSpec& spec)
{
    if (!spec.range.isCommon())
        return 0;
    std::size_t heads = 0;
    for (const Site& site : countedSites(runs.trace, spec))
        heads += static_cast<std::size_t>(runs.trace.heads(site));
    const std::size_t maps = spec.range.of == ColorRange::Of::Head ? std::min<std::size_t>(heads, 1) : heads;
    return mapCost(spec, runs.trace) * maps * runs.costFactor();
}

HeadMapMaker::HeadMapMaker(const ShownRuns& runs, const MapSpec& spec)
    : m_runs(runs)
    , m_spec(spec)
    , m_shown(runs.trace, spec)
    , m_counted(runs.trace, spec.range.isCommon() ? unfiltered(spec) : spec)
{
}

Map HeadMapMaker::map(Site site, int head, RangeEnd& end)
{
    MapSpec one = m_spec;
    one.site = site;
    one.head = m_spec.head.ofHead(head);
    const ReadingInput input = readingInput(m_runs.trace, {site, one.head}, one.leaf);
    const Numbers all = m_runs.second ? Numbers() : computeWithSinks(one.head.reading(), input, {});
    Map map = m_runs.second ? m_runs.map(one) : m_counted.map(site, one.head, all);
    end.add(map, one.rangeWithout);
    if (m_runs.second == nullptr && one.range.isCommon())
        map = m_shown.map(site, one.head, all);
    return map;
}

CellMark HeadMapMaker::editOf(Site site, int head) const
{
    return m_runs.second ? CellMark::Unedited : m_shown.editOf(site, head);
}

MapSpec unfiltered(MapSpec spec)
{
    spec.specials = SpecialTokens::Shown;
    spec.pair = PairFilter::All;
    return uncropped(std::move(spec));
}

} // namespace attn
