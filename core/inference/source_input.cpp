// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/source_input.h"

#include "base/error.h"
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
    result.shown.rows = grid.height;
    result.shown.columns = grid.width;
    const Json about{{"file", std::filesystem::path(path).filename().string()},
                     {"width", file.picture.width},
                     {"height", file.picture.height},
                     {"sha256", file.sha256},
                     {"resized", {prepared.resized.width, prepared.resized.height}},
                     {"crop", {prepared.left, prepared.top, input.width, input.height}}};
    result.shown.about = writtenJson(about);
    result.shown.picture = std::make_shared<const Picture>(shownPicture(file.picture));
    result.values = std::move(prepared.pixels);
    return result;
}

void greyPatches(std::span<const Index> positions, const PatchLayout& layout, const Encoding& source, Numbers& values)
{
    for (const Index position : positions) {
        const TokenId place = position < indexSize(source) ? source.ids[position] : noTokenId;
        if (place != noTokenId)
            greyPatch(layout, values.view(), place);
    }
}

std::shared_ptr<const SourceMedia> keptMedia(SourceInput source, const SourceMedia* before)
{
    if (source.values.empty())
        return nullptr;
    SourceMedia& media = source.shown;
    media.input = std::make_shared<const Numbers>(std::move(source.values));
    if (before != nullptr && before->picture && *before->picture == *media.picture)
        media.picture = before->picture;
    if (before != nullptr && before->input && before->input->values == media.input->values)
        media.input = before->input;
    return std::make_shared<const SourceMedia>(std::move(media));
}

NumberView inputOf(const SourceMedia* media)
{
    return media != nullptr && media->input ? media->input->view() : NumberView();
}

bool sameMedia(const SourceMedia* left, const SourceMedia* right)
{
    return left == nullptr || right == nullptr ? left == right : left->about == right->about;
}

} // namespace attn
