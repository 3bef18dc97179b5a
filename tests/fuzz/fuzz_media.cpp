// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/provenance.h"
#include "fuzz_input.h"
#include "media/patches.h"
#include "media/picture_processor.h"
#include "pictures/picture_file.h"
#include "sounds/sound_file.h"

#include <QByteArray>
#include <QString>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

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

// libsndfile 1.2 forgets what libvorbis has begun of a damaged file.
extern "C" const char* __lsan_default_suppressions() // NOLINT
{
    return "leak:vorbis_info_init";
}

ATTN_FUZZ_TARGET(sound)
{
    constexpr std::int64_t most = 4000;
    const auto bytes = attn::fuzz::bytes(data, size);
    int read = attn::fuzz::answer([&] {
        const attn::SoundFile sound = attn::decodeSound(bytes, {16000, 0, most}, "input");
        attn::fuzz::require(std::ssize(sound.samples) <= most && sound.total >= std::ssize(sound.samples));
    });
    // From a place that is not the beginning, at another rate than most files have.
    read += attn::fuzz::answer([&] {
        const attn::SoundFile sound = attn::decodeSound(bytes, {8000, 9000, most}, "input");
        attn::fuzz::require(std::ssize(sound.samples) <= most);
    });
    return read;
}

// The first byte chooses the form. What was found can be written, and is found again as it was written.
ATTN_FUZZ_TARGET(provenance)
{
    constexpr std::array forms = {"png", "svg", "pdf", "tex", "html", "gif"};
    if (size == 0)
        return 0;
    const QString form = QLatin1String(forms[data[0] % forms.size()]);
    const auto found = attn::ui::parseProvenance(attn::fuzz::text(data, size).substr(1), form);
    if (!found)
        return 0;
    const QByteArray lines = attn::ui::provenanceLines(*found, "% ");
    const std::string_view written(lines.constData(), static_cast<std::size_t>(lines.size()));
    const auto again = attn::ui::parseProvenance(written, QStringLiteral("tex"));
    attn::fuzz::require(again && attn::ui::provenanceLines(*again, "% ") == lines);
    return 0;
}
