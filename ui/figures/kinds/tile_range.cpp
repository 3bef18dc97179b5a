// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/tile_range.h"

#include <algorithm>

namespace attn::ui {

void TileRange::add(const RangeEnd& own)
{
    m_all.add(own);
    if (!m_layer)
        m_layer.emplace(m_spec.clip);
    m_layer->add(own);
    m_ends.push_back(m_spec.range.of == ColorRange::Of::Head ? own.value() : 0);
}

void TileRange::endLayer()
{
    if (m_spec.range.of == ColorRange::Of::Layer && m_layer)
        std::fill(m_ends.begin() + static_cast<std::ptrdiff_t>(m_layerStart), m_ends.end(), m_layer->value());
    m_layer.reset();
    m_layerStart = m_ends.size();
}

void TileRange::finish(HeadThumbnails& thumbnails) const
{
    thumbnails.largest = m_spec.range.of == ColorRange::Of::Row ? 1 : roundEnd(m_spec, m_all.value());
    for (std::size_t i = 0; i < thumbnails.tiles.size(); ++i)
        thumbnails.tiles[i].end = m_ends[i] > 0 ? m_ends[i] : thumbnails.largest;
}

void shareRows(Map& map, const FigureSpec& spec)
{
    for (int row = 0; row < map.numbers.rows && spec.range.of == ColorRange::Of::Row; ++row) {
        RangeEnd counting(spec.clip);
        RangeEnd everything(spec.clip);
        counting.add(map, row, spec.rangeWithout);
        everything.add(map, row, RangeWithout::Nothing);
        const double end = counting.value() > 0 ? counting.value() : everything.value();
        for (float& value : map.numbers.row(row))
            value = end > 0 ? static_cast<float>(static_cast<double>(value) / end) : value;
    }
}

ValueScale tileScale(const FigureSpec& spec, const HeadThumbnails& thumbnails, const HeadThumbnails::Tile& tile)
{
    return scaleTo(spec, tile.end > 0 ? tile.end : thumbnails.largest, spec.isSigned());
}

ColorBar tilesBar(const FigureSpec& spec, const HeadThumbnails& thumbnails)
{
    ColorBar bar;
    bar.notes = scaleNotes(spec);
    const ColorRange::Of of = spec.range.of;
    bar.shares = of == ColorRange::Of::Row || of == ColorRange::Of::Head || of == ColorRange::Of::Layer;
    bar.scale = bar.shares ? ValueScale(spec.isSigned() ? -1 : 0, 1, spec.scale)
                           : scaleTo(spec, thumbnails.largest, spec.isSigned());
    bar.name = of == ColorRange::Of::Row ? Figure::tr("share of the largest of the row")
        : of == ColorRange::Of::Head     ? Figure::tr("share of the largest of the head")
        : of == ColorRange::Of::Layer    ? Figure::tr("share of the largest of the layer")
                                         : valueName(spec);
    for (const HeadThumbnails::Tile& tile : thumbnails.tiles) {
        const ValueScale scale = tileScale(spec, thumbnails, tile);
        const PooledMap& pooled = tile.pooled;
        for (std::size_t i = 0; i < pooled.states.size(); ++i) {
            const float value = pooled.numbers.values[i];
            bar.hasAbove = bar.hasAbove || (pooled.states[i] <= CellState::Hidden && scale.isAbove(value));
            bar.hasBelow = bar.hasBelow || (pooled.states[i] <= CellState::Hidden && scale.isBelow(value));
        }
    }
    return bar;
}

} // namespace attn::ui
