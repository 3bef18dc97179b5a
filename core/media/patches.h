// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/index.h"
#include "media/picture_processor.h"
#include "tensor/number_view.h"

#include <string>
#include <vector>

namespace attn {

// Division of an encoder's input picture into tokens: special tokens, then patches row by row.
struct PatchLayout
{
    std::vector<std::string> specials; // "[CLS]"
    PixelSize patch = {}; // what remains at the right and at the bottom is not read
    PixelSize cells = {}; // in place of `patch`: rows and columns that divide the input evenly

    bool empty() const { return patch.height == 0 && cells.height == 0; }
    // Rows and columns of an input of this size.
    PixelSize grid(PixelSize input) const;
};

// Pixels of an input, [top, bottom) and [left, right).
struct PixelRect
{
    Index left = 0;
    Index top = 0;
    Index right = 0;
    Index bottom = 0;
};
PixelRect patchPixels(const PatchLayout& layout, PixelSize input, Index place);

// The tokens of a picture, with their places in the upright picture.
Encoding patchTokens(const PatchLayout& layout, const PreparedPicture& picture);

// Makes pixels of a patch 0, the mean of a normalised picture. pixels: [3, height, width].
void greyPatch(const PatchLayout& layout, MutableView pixels, Index place);

} // namespace attn
