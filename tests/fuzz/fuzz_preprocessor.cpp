// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "media/patches.h"
#include "media/picture_processor.h"

#include <algorithm>
#include <string>
#include <vector>

ATTN_FUZZ_TARGET(preprocessor)
{
    using namespace attn;
    return fuzz::answer([&] {
        const JsonObject file = JsonObject::parse(std::string(fuzz::text(data, size)), "preprocessor_config.json");
        const PictureProcessor processor = readPictureProcessor(&file, PixelSize{224, 224});
        const auto output = processor.output();
        constexpr Index large = 512; // pixels a side; more only takes longer
        if (output && std::max(output->height, output->width) > large)
            return;
        const Picture picture{5, 3, std::vector<std::uint8_t>(45, 200)};
        const PreparedPicture read = prepared(processor, picture);
        fuzz::require(!output || PixelSize{read.pixels.rows, read.pixels.columns} == *output);
        const PatchLayout layout{{"[CLS]"}, {1, 1}};
        fuzz::require(patchTokens(layout, read).size() == std::size_t(read.pixels.rows) * read.pixels.columns + 1);
    });
}
