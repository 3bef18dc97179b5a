// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/source_input.h"

#include "base/error.h"
#include "media/picture_processor.h"
#include "media/sound_processor.h"
#include "sounds/sound_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

SourceInput readPicture(const Question& question, const LoadedModel& model, const ReadPicture& read)
{
    const std::string& path = question.image.value();
    if (!read)
        throw Error(ErrorKind::Unsupported, path, "this program was built without what decodes pictures");
    PictureFile file = read(path);
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

SourceInput readSound(const Question& question, const LoadedModel& model, const KeptBytes& kept)
{
    const std::string& path = question.audio.value();
    const SoundProcessor& processor = model.sounds.value();
    const auto first = static_cast<std::int64_t>(std::floor(question.start * processor.rate + 0.5));
    const SoundExcerpt excerpt{processor.rate, first, processor.samples()};
    const auto bytes = kept ? kept(path) : nullptr;
    SoundFile file = bytes ? readSoundBytes(*bytes, excerpt, path) : readSoundFile(path, excerpt);
    if (file.total == 0)
        throw Error(ErrorKind::Input, path, "is empty: it has no samples", "record it again");
    if (file.samples.empty())
        throw Error(ErrorKind::Input, "start", fmt::format("the sound ends at second {:.2f}", file.seconds),
                    "begin earlier");
    if (!std::ranges::all_of(file.samples, [](float sample) { return std::isfinite(sample); }))
        throw Error(ErrorKind::Input, path, "has samples that are NaN or infinite", "record or convert it again");
    SourceInput result;
    result.tokens = soundTokens(processor);
    result.values = logMelSpectrogram(processor, file.samples);
    result.shown.rate = processor.rate;
    result.shown.unread = static_cast<double>(file.total - first - std::ssize(file.samples)) / processor.rate;
    const Json about{{"file", std::filesystem::path(path).filename().string()},
                     {"rate", file.rate},
                     {"channels", file.channels},
                     {"seconds", file.seconds},
                     {"start", question.start},
                     {"sha256", file.sha256},
                     {"sampling_rate", processor.rate}};
    result.shown.about = writtenJson(about);
    result.shown.audio = std::make_shared<const std::vector<float>>(std::move(file.samples));
    return result;
}

} // namespace

void checkInputKind(const Question& question, const ModelInfo& info)
{
    const std::string kind = inputText(info.input);
    const bool hears = info.input == InputKind::Sound;
    if (info.readsPictures() && !question.image)
        throw Error(ErrorKind::Input, "image", fmt::format("is missing: this model reads a {}", kind),
                    "name a picture's file");
    if (hears && !question.audio)
        throw Error(ErrorKind::Input, "audio", "is missing: this model reads a sound", "name a sound's file");
    if ((question.image && !info.readsPictures()) || (question.audio && !hears))
        throw Error(ErrorKind::Input,
                    hears                      ? "audio"
                        : info.readsPictures() ? "image"
                                               : "text",
                    fmt::format("is what this model reads: a {}", kind), "leave the other file out");
    if ((info.input == InputKind::Picture || hears) && (!question.text.empty() || question.sourceIds))
        throw Error(ErrorKind::Input, "text", fmt::format("this model reads a {}", kind), "leave the text out");
}

SourceInput readSource(const Question& question, const LoadedModel& model, const ReadFiles& files)
{
    return model.model->info().input == InputKind::Sound ? readSound(question, model, files.sound)
                                                         : readPicture(question, model, files.picture);
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
    if (before != nullptr && before->picture && media.picture && *before->picture == *media.picture)
        media.picture = before->picture;
    if (before != nullptr && before->input && before->input->values == media.input->values)
        media.input = before->input;
    return std::make_shared<const SourceMedia>(std::move(media));
}

NumberView inputOf(const SourceMedia* media)
{
    return media != nullptr && media->input ? media->input->view() : NumberView();
}

} // namespace attn
