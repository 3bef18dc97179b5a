// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/head_thumbnails.h"
#include "figures/kinds/shown_range.h"
#include "figures/look/style.h"
#include "maps/map_range.h"

#include <optional>
#include <vector>

namespace attn::ui {

// Finds where the colour scales of thumbnails end, while they are made.
class TileRange
{
public:
    explicit TileRange(const FigureSpec& spec)
        : m_spec(spec)
        , m_all(spec.clip)
    {
    }

    void add(const RangeEnd& own); // of a head, whose tile comes next
    void endLayer();
    // Sets the ranges of thumbnails, which are in the order in which their heads were added.
    void finish(HeadThumbnails& thumbnails) const;

private:
    const FigureSpec& m_spec;
    RangeEnd m_all;
    std::optional<RangeEnd> m_layer;
    std::vector<double> m_ends; // by tile
    std::size_t m_layerStart = 0;
};

// Where rows have scales of their own: divides each by its largest value that counts.
void shareRows(Map& map, const FigureSpec& spec);

// A head's colours, and the bar beside all of them.
ValueScale tileScale(const FigureSpec& spec, const HeadThumbnails& thumbnails, const HeadThumbnails::Tile& tile);
ColorBar tilesBar(const FigureSpec& spec, const HeadThumbnails& thumbnails);

} // namespace attn::ui
