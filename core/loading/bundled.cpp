// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/version.h"
#include "loading/model_loader.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <system_error>

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

// The first sentence of a model card's text, after its front matter and headings.
std::string firstSentence(const fs::path& card)
{
    std::error_code ignored;
    if (!fs::is_regular_file(card, ignored))
        return {};
    std::ifstream file(card);
    std::string line;
    std::string text;
    bool frontMatter = false;
    for (int number = 0; std::getline(file, line); ++number) {
        if (line == "---" && (number == 0 || frontMatter)) {
            frontMatter = !frontMatter;
            continue;
        }
        if (frontMatter || line.starts_with('#'))
            continue;
        if (line.empty() && !text.empty())
            break;
        text += (text.empty() ? "" : " ") + line;
    }
    auto end = text.find(". ");
    while (end != std::string::npos && text.substr(0, end).ends_with(" al"))
        end = text.find(". ", end + 1);
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

} // namespace

std::vector<BundledModel> bundledModels()
{
    std::vector<BundledModel> models;
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(bundledDirectory(), problem)) {
        if (isDirectory(entry.path()) && fs::exists(entry.path() / "config.json", problem))
            models.push_back(
                {entry.path().filename().string(), firstSentence(entry.path() / "README.md"), entry.path()});
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
    std::string names;
    for (const BundledModel& model : bundled)
        names += (names.empty() ? "" : ", ") + model.name;
    throw Error(ErrorKind::File, nameOrPath.empty() ? "model" : nameOrPath,
                "is neither a bundled model nor a checkpoint directory or file",
                names.empty() ? "no models are bundled; give the path of a checkpoint directory"
                              : fmt::format("bundled models: {}", names));
}

} // namespace attn
