// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_thumbnails.h"

#include "base/thread_stop.h"
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
    return std::clamp(static_cast<double>(matrix.rows) / matrix.columns, 0.6, 1.25);
}

// A head's tile, and what is known of all of them.
void addTile(HeadThumbnails& thumbnails, HeadThumbnails::Tile tile, const Map& map, Pooling pooling)
{
    if (!map.numbers.empty())
        thumbnails.aspect = aspectOf(map.numbers);
    tile.pooled = pooled(map, thumbnail, pooling);
    thumbnails.tiles.push_back(std::move(tile));
}

// Whether a reading of each head is wanted that the run lacks.
bool lacksReading(const FigureSpec& spec, const Trace& trace)
{
    return spec.computedReading() != nullptr && trace.heads(spec.site) > 0
        && mapAxes(trace, spec.mapSpec()).lack == MapLack::Reading;
}

// Makes the tiles of one run.
class TileMaker
{
public:
    TileMaker(const FigureSpec& spec, const Trace& trace)
        : m_spec(spec)
        , m_trace(trace)
        , m_shown(trace, spec.mapSpec())
        , m_counted(trace, spec.range.isCommon() ? unfiltered(spec.mapSpec()) : spec.mapSpec())
    {
    }

    void add(HeadThumbnails& thumbnails, TileRange& range, HeadThumbnails::Tile tile)
    {
        const HeadReading head = m_spec.head.ofHead(tile.head);
        const Numbers all = computeWithSinks(head.reading(), readingInput(m_trace, {tile.site, head}, m_spec.leaf), {});
        Map map = m_counted.map(tile.site, head, all); // for the range
        range.add(map);
        if (m_spec.range.isCommon())
            map = m_shown.map(tile.site, head, all);
        tile.edit = m_shown.editOf(tile.site, tile.head);
        shareRows(map, m_spec);
        addTile(thumbnails, std::move(tile), map, m_spec.pooling);
    }

private:
    const FigureSpec& m_spec;
    const Trace& m_trace;
    MapMaker m_shown;
    MapMaker m_counted;
};

} // namespace

std::size_t thumbnailCost(const FigureSpec& spec, const Trace& trace)
{
    const auto [rows, columns] = stageShape(spec, trace);
    return std::max(rows * columns, leastHeadCost) * headCount(spec, trace) * spec.shownRuns(trace).costFactor();
}

QString missingHeads(const FigureSpec& spec, const Trace& trace)
{
    if (const Map axes = spec.shownRuns(trace).axes(spec.mapSpec()); axes.isDifference() && trace.heads(spec.site) > 0)
        return missingText(axes, spec, trace);
    return missingText(lacksReading(spec, trace) ? Missing::Reading : missingAttention(spec, trace), spec, trace);
}

std::shared_ptr<const HeadThumbnails> headThumbnails(const FigureSpec& spec, const Trace& trace)
{
    auto result = std::make_shared<HeadThumbnails>();
    if (!trace.has(spec.leaf) || lacksReading(spec, trace))
        return result;
    const ShownRuns runs = spec.shownRuns(trace);
    TileRange range(spec);
    TileMaker tiles(spec, trace);
    for (const Site& site : trace.sites()) {
        const int heads = site.stage == spec.site.stage ? runs.heads(site) : 0;
        for (int head = 0; head < heads; ++head) {
            ThreadStop::check();
            HeadThumbnails::Tile tile{.site = site, .head = head, .row = result->layers, .pooled = {}};
            if (!spec.against) {
                tiles.add(*result, range, std::move(tile));
                continue;
            }
            FigureSpec one = spec;
            one.site = site;
            one.head = spec.head.ofHead(head);
            Map map = runs.map(one.mapSpec());
            range.add(map);
            shareRows(map, spec);
            addTile(*result, std::move(tile), map, spec.pooling);
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
