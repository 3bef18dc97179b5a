// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <vector>

namespace attn::ui {

// Where tiles of the same size may lie.
struct TileRoom
{
    QRectF room; // without a height as high as they need
    double aspect = 1; // height by width of what a tile shows
    double gap = 0;
    double band = 0; // above each line of tiles, for what is said of them
    bool bandOnce = false; // where a section is one line, above the first section only
    double heading = 0; // above each section; sections that have one and are short stand beside each other
    double leastSection = 0; // width that a heading needs
    int whole = 1; // so many tiles, or several times as many, in a line, unless tiles get much larger with others
    bool keepsSections = false; // in one line each, unless tiles get much larger in several
};

// Sections of so many tiles below each other, so that the tiles fill the room as well as they can.
struct TileLayout
{
    int perLine = 1;
    double width = 0; // of a tile
    double height = 0;
    double across = 0; // of the longest line
    bool broken = false; // a section has several lines
    std::vector<QRectF> tiles; // section by section
    std::vector<QRectF> headings; // of each section
    double bottom = 0;

    double area() const { return width * height; }
};
TileLayout layOutTiles(const std::vector<int>& counts, const TileRoom& room);

} // namespace attn::ui
