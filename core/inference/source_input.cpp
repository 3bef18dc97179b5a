// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/source_input.h"

#include "base/error.h"
#include "media/patches.h"
#include "media/picture_processor.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace attn {

void checkInputKind(const Question& question, const ModelInfo& info)
{
    const std::string kind = inputText(info.input);
    if (info.readsPictures() && !question.image)
        throw Error(ErrorKind::Input, "image", fmt::format("is missing: this model reads a {}", kind),
                    "name a picture's file");
    if (!info.readsPictures() && question.image)
        throw Error(ErrorKind::Input, "text", fmt::format("is missing: this model reads a {}, no picture", kind),
                    "leave the picture out");
    if (info.input == InputKind::Picture && (!question.text.empty() || question.sourceIds))
        throw Error(ErrorKind::Input, "text", "this model reads a picture", "leave the text out");
}

SourceInput readSource(const Question& question, const LoadedModel& model, const ReadPicture& picture)
{
    const std::string& path = question.image.value();
    if (!picture)
        throw Error(ErrorKind::Unsupported, path, "this program was built without what decodes pictures");
    PictureFile file = picture(path);
    const PictureProcessor& processor = model.pictures.value();
    PreparedPicture prepared = attn::prepared(processor, file.picture);
    const PatchLayout& layout = model.model->info().patches;
    SourceInput result;
    result.tokens = patchTokens(layout, prepared);
    const PixelSize input{prepared.pixels.rows, prepared.pixels.columns};
    const PixelSize grid = layout.grid(input);
    auto media = std::make_shared<SourceMedia>();
    media->rows = grid.height;
    media->columns = grid.width;
    const Json about{{"file", std::filesystem::path(path).filename().string()},
                     {"width", file.picture.width},
                     {"height", file.picture.height},
                     {"sha256", file.sha256},
                     {"resized", {prepared.resized.width, prepared.resized.height}},
                     {"crop", {prepared.left, prepared.top, input.width, input.height}}};
    media->about = writtenJson(about);
    media->picture = std::make_shared<const Picture>(shownPicture(file.picture));
    result.values = std::move(prepared.pixels);
    result.shown = std::move(media);
    return result;
}

std::shared_ptr<const SourceMedia> shownMedia(const SourceInput& source, bool input)
{
    if (!source.shown || !input)
        return source.shown;
    auto media = std::make_shared<SourceMedia>(*source.shown);
    media->input = std::make_shared<const Numbers>(source.values);
    return media;
}

bool sameMedia(const Trace& trace, const SourceMedia* media)
{
    const SourceMedia* const before = trace.media().get();
    return before == nullptr || media == nullptr ? before == media : before->about == media->about;
}

} // namespace attn
