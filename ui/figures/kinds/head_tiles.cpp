// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_tiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn::ui {

namespace {

constexpr double naturalTile = 150; // where there is no height to fill
constexpr double naturalFlow = 90; // of tiles that are sorted
constexpr double largestTile = 900;
constexpr double smallestTile = 3;
constexpr double widestTile = 1.8; // width by height
constexpr double highestTile = 1.4; // height by what the matrix has
constexpr double worthBreaking = 1.15; // how much larger tiles must get

int linesOf(int count, int perLine)
{
    return (count + perLine - 1) / perLine;
}

// Sizes with so many tiles in a line.
TileLayout sized(const std::vector<int>& counts, const TileRoom& room, int perLine)
{
    TileLayout layout;
    layout.perLine = perLine;
    const int lines = std::accumulate(counts.begin(), counts.end(), 0,
                                      [perLine](int sum, int count) { return sum + linesOf(count, perLine); });
    layout.broken = lines > static_cast<int>(counts.size());
    layout.width = std::clamp((room.room.width() + room.gap) / perLine - room.gap, smallestTile, largestTile);
    const double bands = room.bandOnce && !layout.broken ? room.band : lines * room.band;
    if (room.room.height() <= 0) {
        layout.width = std::min(layout.width, naturalTile);
        layout.height = layout.width * room.aspect;
        return layout;
    }
    const double left = room.room.height() - bands - static_cast<double>(counts.size()) * room.heading;
    layout.height = std::max(smallestTile, (left + room.gap) / lines - room.gap);
    layout.height = std::min(layout.height, layout.width * room.aspect * highestTile);
    layout.width = std::min(layout.width, layout.height * widestTile);
    return layout;
}

} // namespace

TileLayout layOutTiles(const std::vector<int>& counts, const TileRoom& room)
{
    const int most = counts.empty() ? 1 : std::max(1, std::ranges::max(counts));
    TileLayout best = sized(counts, room, most);
    if (room.room.height() > 0) {
        for (int perLine = most - 1; perLine >= 1; --perLine) {
            const TileLayout next = sized(counts, room, perLine);
            const double better = !best.broken && room.keepsSections ? worthBreaking : 1.0;
            if (std::sqrt(next.area()) > std::sqrt(best.area()) * better)
                best = next;
        }
    } else if (!room.keepsSections) {
        const int fitting = std::max(1, static_cast<int>((room.room.width() + room.gap) / (naturalFlow + room.gap)));
        best = sized(counts, room, std::min(most, fitting));
    }
    best.across = best.perLine * (best.width + room.gap) - room.gap;
    double top = room.room.top();
    const bool once = room.bandOnce && !best.broken;
    top += once ? room.band : 0;
    for (const int count : counts) {
        best.headings.emplace_back(room.room.left(), top, room.room.width(), room.heading);
        top += room.heading;
        for (int i = 0; i < count; ++i) {
            const int column = i % best.perLine;
            if (column == 0)
                top += once ? 0 : room.band;
            best.tiles.emplace_back(room.room.left() + column * (best.width + room.gap), top, best.width, best.height);
            if (column == best.perLine - 1 || i == count - 1)
                top += best.height + room.gap;
        }
    }
    best.bottom = top - room.gap;
    return best;
}

} // namespace attn::ui
