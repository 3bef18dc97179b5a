// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_thumbnails.h"

#include "base/progress.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/tile_range.h"
#include "maps/map_range.h"

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

constexpr int thumbnail = 64;

double aspectOf(const Numbers& matrix)
{
    constexpr double slab = 0.2; // a row, which is no square of stripes
    return matrix.rows == 1 ? slab : std::clamp(static_cast<double>(matrix.rows) / matrix.columns, 0.6, 1.25);
}

// Whether a reading of each head is wanted that the run lacks.
bool lacksReading(const FigureSpec& spec, const Trace& trace)
{
    return spec.computedReading() != nullptr && trace.heads(spec.site) > 0
        && mapAxes(trace, spec.mapSpec()).lack == MapLack::Reading;
}

} // namespace

std::size_t thumbnailCost(const FigureSpec& spec, const Trace& trace)
{
    const auto [rows, columns] = stageShape(spec, trace);
    return std::max(rows * columns, leastHeadCost) * headCount(spec, trace) * spec.shownRuns(trace).costFactor();
}

std::shared_ptr<const HeadThumbnails> headThumbnails(const FigureSpec& spec, const Trace& trace)
{
    auto result = std::make_shared<HeadThumbnails>();
    if (!trace.has(spec.leaf) || lacksReading(spec, trace))
        return result;
    const ShownRuns runs = spec.shownRuns(trace);
    HeadMapMaker maker(runs, spec.mapSpec());
    TileRange range(spec);
    for (const Site& site : trace.sites()) {
        const int heads = site.stage == spec.site.stage ? runs.heads(site) : 0;
        for (int head = 0; head < heads; ++head) {
            ThreadStop::check();
            RangeEnd end(spec.clip);
            Map map = maker.map(site, head, end);
            range.add(end);
            shareRows(map, spec);
            if (!map.numbers.empty())
                result->aspect =
                    result->tiles.empty() ? aspectOf(map.numbers) : std::max(result->aspect, aspectOf(map.numbers));
            result->tiles.push_back({.site = site,
                                     .head = head,
                                     .row = result->layers,
                                     .pooled = pooled(map, thumbnail, spec.pooling),
                                     .edit = maker.editOf(site, head)});
        }
        if (heads == 0)
            continue;
        range.endLayer();
        result->heads = std::max(result->heads, heads);
        ++result->layers;
    }
    range.finish(*result);
    return result;
}

} // namespace attn::ui
