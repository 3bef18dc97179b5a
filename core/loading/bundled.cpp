// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/version.h"
#include "loading/model_loader.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
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

// By ModelTask: as cards have it, and for people.
constexpr std::pair<std::string_view, const char*> tasks[] = {
    {"", ""},
    {"translation", ATTN_TRANSLATE_NOOP("model", "translation")},
    {"fill-mask", ATTN_TRANSLATE_NOOP("model", "masked words")},
    {"text-generation", ATTN_TRANSLATE_NOOP("model", "continuation")},
    {"text-classification", ATTN_TRANSLATE_NOOP("model", "classification")}};

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string_view::npos ? std::string_view{}
                                           : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// "en" or "[en, fr]".
std::vector<std::string> listOf(std::string_view value)
{
    if (value.starts_with('[') && value.ends_with(']'))
        value = value.substr(1, value.size() - 2);
    std::vector<std::string> entries;
    while (!value.empty()) {
        const std::size_t comma = std::min(value.find(','), value.size());
        if (const std::string_view entry = trimmed(value.substr(0, comma)); !entry.empty())
            entries.emplace_back(entry);
        value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return entries;
}

// A line "key: value" of the card's front matter.
void readProperty(std::string_view line, BundledModel& model)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return;
    const std::string_view key = trimmed(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (key == "model_name")
        model.family = value;
    else if (key == "language")
        model.languages = listOf(value);
    else if (key == "pipeline_tag") {
        for (const auto& task : tasks)
            if (value == task.first)
                model.task = static_cast<ModelTask>(&task - tasks);
    }
}

std::string firstSentence(const std::string& text)
{
    auto end = text.find(". ");
    while (end != std::string::npos && text.substr(0, end).ends_with(" al"))
        end = text.find(". ", end + 1);
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

// The front matter of a model card, and the first sentence of its text after headings.
void readCard(const fs::path& card, BundledModel& model)
{
    std::error_code ignored;
    if (!fs::is_regular_file(card, ignored))
        return;
    std::ifstream file(card);
    std::string line;
    std::string text;
    bool frontMatter = false;
    for (int number = 0; std::getline(file, line); ++number) {
        if (line == "---" && (number == 0 || frontMatter))
            frontMatter = !frontMatter;
        else if (frontMatter)
            readProperty(line, model);
        else if (line.empty() && !text.empty())
            break;
        else if (!line.starts_with('#'))
            text += (text.empty() ? "" : " ") + line;
    }
    model.summary = firstSentence(text);
}

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

std::string taskText(ModelTask task, Translate translate)
{
    return task == ModelTask::Unknown ? std::string()
                                      : translate("model", tasks[static_cast<std::size_t>(task)].second);
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
        readCard(entry.path() / "README.md", models.back());
    }
    std::ranges::sort(models, {}, &BundledModel::name);
    return models;
}

fs::path modelPath(const std::string& nameOrPath)
{
    const std::vector<BundledModel> bundled = bundledModels();
    if (const auto found = std::ranges::find(bundled, nameOrPath, &BundledModel::name); found != bundled.end())
        return found->directory;
    if (isDirectory(nameOrPath))
        return nameOrPath;
    std::error_code ignored;
    if (fs::is_regular_file(nameOrPath, ignored))
        return nameOrPath;
    if (ignored == std::errc::permission_denied)
        throw Error(ErrorKind::File, nameOrPath, "cannot be read: " + ignored.message(),
                    "check the permissions of the folders above it");
    std::string names;
    for (const BundledModel& model : bundled)
        names += (names.empty() ? "" : ", ") + model.name;
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
    std::error_code unknown;
    const std::filesystem::path path = std::filesystem::absolute(model, unknown);
    return unknown ? model : path.lexically_normal().string();
}

} // namespace attn
