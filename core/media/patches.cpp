// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "media/patches.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

// Edge `part` of `parts` equal ones.
Index evenEdge(Index part, Index parts, Index size)
{
    return static_cast<Index>(std::int64_t{part} * size / parts);
}

} // namespace

PixelSize PatchLayout::grid(PixelSize input) const
{
    return cells.height > 0 ? cells : PixelSize{input.height / patch.height, input.width / patch.width};
}

PixelRect patchPixels(const PatchLayout& layout, PixelSize input, Index place)
{
    const PixelSize grid = layout.grid(input);
    const Index row = place / grid.width;
    const Index column = place % grid.width;
    if (layout.cells.height == 0)
        return {column * layout.patch.width, row * layout.patch.height, (column + 1) * layout.patch.width,
                (row + 1) * layout.patch.height};
    return {evenEdge(column, grid.width, input.width), evenEdge(row, grid.height, input.height),
            evenEdge(column + 1, grid.width, input.width), evenEdge(row + 1, grid.height, input.height)};
}

Encoding patchTokens(const PatchLayout& layout, const PreparedPicture& picture)
{
    const PixelSize input{picture.pixels.rows, picture.pixels.columns};
    const PixelSize grid = layout.grid(input);
    Encoding result;
    for (const std::string& special : layout.specials) {
        result.ids.push_back(noTokenId);
        result.tokens.push_back(special);
        result.words.push_back(noWord);
        result.special.push_back(true);
        result.boxes.push_back({nowhere, nowhere, nowhere, nowhere});
    }
    // A cell that divides the input evenly may begin within a pixel.
    const auto edge = [](Index part, Index parts, Index size, Index patch) {
        return patch > 0 ? double(part) * patch : double(part) * size / parts;
    };
    for (Index row = 0; row < grid.height; ++row) {
        for (Index column = 0; column < grid.width; ++column) {
            const auto x = [&](Index part) {
                return static_cast<float>((edge(part, grid.width, input.width, layout.patch.width) + picture.left)
                                          / picture.resized.width);
            };
            const auto y = [&](Index part) {
                return static_cast<float>((edge(part, grid.height, input.height, layout.patch.height) + picture.top)
                                          / picture.resized.height);
            };
            const Index place = row * grid.width + column;
            result.ids.push_back(place);
            result.tokens.push_back(fmt::format("{},{}", row, column));
            result.words.push_back(place);
            result.special.push_back(false);
            result.boxes.push_back({x(column), y(row), x(column + 1), y(row + 1)});
        }
    }
    return result;
}

void greyPatch(const PatchLayout& layout, MutableView pixels, Index place)
{
    const PixelRect rect = patchPixels(layout, {pixels.rows, pixels.columns}, place);
    for (Index channel = 0; channel < pixels.heads; ++channel) {
        for (Index y = rect.top; y < rect.bottom; ++y) {
            const auto row = pixels.row(channel, y);
            std::fill(row.begin() + rect.left, row.begin() + rect.right, 0.0F);
        }
    }
}

} // namespace attn
