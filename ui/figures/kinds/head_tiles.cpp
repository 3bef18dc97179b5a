// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_tiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn::ui {

namespace {

constexpr double naturalTile = 150; // where there is no height to fill
constexpr double naturalFlow = 90; // of tiles that are sorted
constexpr double leastFlow = 48; // of many of them
constexpr double tallest = 1.5; // what they may be high by their width
constexpr double largestTile = 1600;
constexpr double smallestTile = 3;
constexpr double widestTile = 1.8; // width by height
constexpr double highestTile = 1.4; // height by what the matrix has
constexpr double worthBreaking = 1.15; // how much larger tiles must get
constexpr double worthCutting = 1.25; // likewise, for lines that end within a layer

// Where sections begin.
struct Sections
{
    struct Begin
    {
        int column = 0;
        int columns = 0; // that it has for itself
        bool newLine = false;
    };

    std::vector<Begin> begins;
    int lines = 0; // of tiles
    int headings = 0; // lines of them
};

// With so many tiles in a line, which with its gap are so wide.
Sections sectionsOf(const std::vector<int>& counts, const TileRoom& room, int perLine, double pitch)
{
    const int least = room.heading > 0 ? static_cast<int>(std::ceil((room.leastSection + room.gap) / pitch)) : perLine;
    Sections sections;
    int used = perLine; // of the line, of which a next section can have the rest
    for (const int count : counts) {
        const int columns = std::clamp(count, std::min(least, perLine), perLine);
        const bool newLine = room.heading <= 0 || columns > perLine - used;
        sections.begins.push_back({newLine ? 0 : used, columns, newLine});
        used = count > perLine ? perLine : sections.begins.back().column + columns;
        sections.lines += newLine ? (count + perLine - 1) / perLine : 0;
        sections.headings += newLine ? 1 : 0;
    }
    return sections;
}

// Sizes with so many tiles in a line.
TileLayout sized(const std::vector<int>& counts, const TileRoom& room, int perLine)
{
    TileLayout layout;
    layout.perLine = perLine;
    layout.width = std::clamp((room.room.width() + room.gap) / perLine - room.gap, smallestTile, largestTile);
    const Sections sections = sectionsOf(counts, room, perLine, layout.width + room.gap);
    const int lines = sections.lines;
    layout.broken = lines > sections.headings;
    const double bands = room.bandOnce && !layout.broken ? room.band : lines * room.band;
    if (room.room.height() <= 0) {
        layout.width = std::min(layout.width, naturalTile);
        layout.height = layout.width * room.aspect;
        return layout;
    }
    const double left = room.room.height() - bands - sections.headings * room.heading;
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
        TileLayout whole;
        for (int perLine = most - 1; perLine >= 1; --perLine) {
            const TileLayout next = sized(counts, room, perLine);
            const double better = !best.broken && room.keepsSections ? worthBreaking : 1.0;
            if (std::sqrt(next.area()) > std::sqrt(best.area()) * better)
                best = next;
            if (perLine % room.whole == 0 && next.area() > whole.area())
                whole = next;
        }
        if (std::sqrt(whole.area()) * worthCutting > std::sqrt(best.area()))
            best = whole;
    } else if (!room.keepsSections) {
        const int fitting = std::max(1, static_cast<int>((room.room.width() + room.gap) / (naturalFlow + room.gap)));
        const auto isTall = [&](const TileLayout& layout) {
            const Sections sections = sectionsOf(counts, room, layout.perLine, layout.width + room.gap);
            return sections.lines * (layout.height + room.gap + room.band) + sections.headings * room.heading
                > tallest * room.room.width();
        };
        best = sized(counts, room, std::min(most, fitting));
        while (best.perLine < most && isTall(best)) {
            const TileLayout next = sized(counts, room, best.perLine + 1);
            if (next.width < leastFlow)
                break;
            best = next;
        }
    }
    best.across = best.perLine * (best.width + room.gap) - room.gap;
    double top = room.room.top();
    const bool once = room.bandOnce && !best.broken;
    top += once ? room.band : 0;
    const double pitch = best.width + room.gap;
    const Sections sections = sectionsOf(counts, room, best.perLine, (room.room.width() + room.gap) / best.perLine);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto [first, columns, newLine] = sections.begins[i];
        const double left = room.room.left() + first * pitch;
        if (!newLine) // beside the one before
            top -= best.height + room.gap + room.band + room.heading;
        const bool alone = first == 0 && (i + 1 == counts.size() || sections.begins[i + 1].newLine);
        best.headings.emplace_back(left, top, alone ? room.room.width() : columns * pitch - room.gap, room.heading);
        top += room.heading;
        for (int tile = 0; tile < counts[i]; ++tile) {
            const int column = tile % best.perLine;
            if (column == 0)
                top += once ? 0 : room.band;
            best.tiles.emplace_back(left + column * pitch, top, best.width, best.height);
            if (column == best.perLine - 1 || tile == counts[i] - 1)
                top += best.height + room.gap;
        }
    }
    best.bottom = top - room.gap;
    return best;
}

} // namespace attn::ui
