// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/version.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "loading/model_places.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

bool isDirectory(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

// Below the prefix that this program was installed to: PREFIX/bin/attnscope.
std::optional<fs::path> installedModels()
{
    std::error_code problem;
    const fs::path program = fs::read_symlink("/proc/self/exe", problem);
    if (problem)
        return std::nullopt;
    return program.parent_path().parent_path() / installedModelsDirectory;
}

fs::path bundledDirectory()
{
    if (const char* chosen = std::getenv("ATTNSCOPE_MODELS"); chosen != nullptr && *chosen != '\0')
        return chosen;
    if (const auto installed = installedModels(); installed && isDirectory(*installed))
        return *installed;
    return sourceModelsDirectory;
}

// A folder that holds one model means that one.
fs::path onlyModel(const fs::path& path)
{
    constexpr std::size_t mostNamed = 12;
    const std::vector<fs::path> models = isDirectory(path) ? modelsIn(path) : std::vector<fs::path>{};
    if (models.size() == 1 && isDirectory(models.front()))
        return onlyModel(modelBehind(models.front()));
    if (models.size() <= 1)
        return path;
    std::vector<std::string> names;
    for (const fs::path& model : models)
        if (names.size() < mostNamed)
            names.push_back(model.filename().string());
    throw Error(ErrorKind::File, path.string(),
                fmt::format("holds {} models: {}{}", models.size(), fmt::join(names, ", "),
                            models.size() > mostNamed ? ", ..." : ""),
                "name one of them");
}

// Names of tasks by ModelTask: the one of cards, and one for people.
constexpr std::pair<std::string_view, const char*> tasks[] = {
    {"", ""},
    {"translation", ATTN_TRANSLATE_NOOP("model", "translation")},
    {"fill-mask", ATTN_TRANSLATE_NOOP("model", "masked words")},
    {"text-generation", ATTN_TRANSLATE_NOOP("model", "continuation")},
    {"text-classification", ATTN_TRANSLATE_NOOP("model", "classification")},
    {"image-to-text", ATTN_TRANSLATE_NOOP("model", "captions of pictures")},
    {"automatic-speech-recognition", ATTN_TRANSLATE_NOOP("model", "transcription of speech")}};

// Names of families that are no names of people or papers.
constexpr const char* families[] = {ATTN_TRANSLATE_NOOP("model", "RNN without attention"),
                                    ATTN_TRANSLATE_NOOP("model", "Luong, general attention"),
                                    ATTN_TRANSLATE_NOOP("model", "Luong, local-p attention"),
                                    ATTN_TRANSLATE_NOOP("model", "Attention pooling"),
                                    ATTN_TRANSLATE_NOOP("model", "Structured self-attention"),
                                    ATTN_TRANSLATE_NOOP("model", "Hierarchical attention network")};

} // namespace

std::uintmax_t BundledModel::bytes() const
{
    std::uintmax_t sum = 0;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
        if (entry.is_regular_file(ignored))
            sum += entry.file_size(ignored);
    }
    return sum;
}

ModelTask taskOf(std::string_view tag)
{
    const auto found = std::ranges::find(tasks, tag, [](const auto& task) { return task.first; });
    return found == std::end(tasks) ? ModelTask::Unknown : static_cast<ModelTask>(found - std::begin(tasks));
}

std::string taskText(ModelTask task, Translate translate)
{
    return task == ModelTask::Unknown ? std::string()
                                      : translate("model", tasks[static_cast<std::size_t>(task)].second);
}

std::string familyText(const BundledModel& model, Translate translate)
{
    const auto* const known = std::ranges::find(families, std::string_view(model.family));
    return known == std::end(families) ? model.family : translate("model", *known);
}

std::string languagesText(const BundledModel& model, Translate translate)
{
    std::vector<std::string> names;
    for (const std::string& code : model.languages)
        names.push_back(languageName(code, translate));
    if (model.task == ModelTask::Translation && names.size() == 2)
        return filled(translate("model", "%1 to %2"), {names[0], names[1]});
    return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<BundledModel> bundledModels()
{
    std::vector<BundledModel> models;
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(bundledDirectory(), problem)) {
        if (!isDirectory(entry.path()) || !fs::exists(entry.path() / "config.json", problem))
            continue;
        models.push_back({entry.path().filename().string(), {}, entry.path()});
        describe(models.back(), modelCardText(entry.path()));
    }
    std::ranges::sort(models, {}, &BundledModel::name);
    return models;
}

void requireBundledFolder()
{
    std::error_code problem;
    const fs::directory_iterator entries(bundledDirectory(), problem);
    if (problem && problem != std::errc::no_such_file_or_directory)
        throw Error(ErrorKind::File, bundledDirectory().string(), "cannot be read: " + problem.message(),
                    "it is where the bundled models are looked for");
}

bool comesWithTheProgram(const fs::path& modelDirectory)
{
    const auto isIn = [&](const fs::path& models) {
        std::error_code ignored;
        return fs::equivalent(modelDirectory.parent_path(), models, ignored);
    };
    const auto installed = installedModels();
    return isIn(sourceModelsDirectory) || (installed && isIn(*installed));
}

fs::path modelPath(const std::string& nameOrPath)
{
    const std::vector<BundledModel> bundled = bundledModels();
    if (const auto found = std::ranges::find(bundled, nameOrPath, &BundledModel::name); found != bundled.end())
        return found->directory;
    std::error_code ignored;
    if (isDirectory(nameOrPath) || fs::is_regular_file(nameOrPath, ignored))
        return onlyModel(modelBehind(nameOrPath));
    if (ignored == std::errc::permission_denied)
        throw Error(ErrorKind::File, nameOrPath, "cannot be read: " + ignored.message(),
                    "check the permissions of the folders above it");
    std::string names;
    for (const BundledModel& model : bundled)
        names += (names.empty() ? "" : ", ") + model.name;
    requireBundledFolder();
    throw Error(ErrorKind::File, nameOrPath.empty() ? "model" : nameOrPath,
                "is neither a bundled model nor a checkpoint directory or file",
                names.empty() ? "no models are bundled; give the path of a checkpoint directory"
                              : fmt::format("bundled models: {}", names));
}

std::string lastingModel(const std::string& model)
{
    const auto bundled = bundledModels();
    if (std::ranges::find(bundled, model, &BundledModel::name) != bundled.end())
        return model;
    return lastingPath(model).string();
}

fs::path lastingPath(const fs::path& path)
{
    std::error_code unknown;
    const fs::path whole = fs::absolute(path, unknown);
    if (unknown)
        return path;
    fs::path result;
    for (const fs::path& part : whole) {
        result /= part;
        if (part != "..") // which leads out of where a link leads
            continue;
        if (const fs::path there = fs::weakly_canonical(result, unknown); !unknown)
            result = there;
    }
    result = result.lexically_normal();
    return result.has_filename() ? result : result.parent_path();
}

} // namespace attn
