// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/attention_edits.h"
#include "figures/figure.h"
#include "maps/pooled_map.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace attn::ui {

// The small maps of all heads of one stage, apart from how they are laid out and coloured. They take time for long
// texts, so a window makes them on another thread.
struct HeadThumbnails
{
    struct Tile
    {
        Site site;
        int head = 0;
        int row = 0; // of the grid: the layers that there are, from 0
        PooledMap pooled; // at most 64 by 64
        CellMark edit = CellMark::Unedited; // what the run's edits did to some of it, or to all
        double end = 0; // of its colours; 0: the largest of all
    };

    int layers = 0;
    int heads = 0; // most of a layer
    double aspect = 1; // height of a thumbnail by its width
    double largest = 0; // end of the colour scale
    std::vector<Tile> tiles;
};

// About how many weights headThumbnails() goes through, to decide where to do it.
std::size_t thumbnailCost(const FigureSpec& spec, const Trace& trace);
// Throws attn::Error{Cancelled} by ThreadStop.
std::shared_ptr<const HeadThumbnails> headThumbnails(const FigureSpec& spec, const Trace& trace);

} // namespace attn::ui
