// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "media/picture_processor.h"
#include "pictures/picture_file.h"

#include <algorithm>

ATTN_FUZZ_TARGET(picture)
{
    using namespace attn;
    return fuzz::answer([&] {
        const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
        const Picture picture = ui::decodePicture(bytes, "picture").picture;
        fuzz::require(picture.rgb.size() == std::size_t(picture.width) * std::size_t(picture.height) * 3);
        const Picture shown = shownPicture(picture);
        fuzz::require(shown.width >= 1 && shown.height >= 1 && std::max(shown.width, shown.height) <= 1024);
    });
}
