// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/model_places.h"

#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "io/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <system_error>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view cachedModel = "models--"; // how a folder of a Hugging Face cache begins
constexpr std::string_view manifests = "manifests"; // Ollama's folder of them

bool isFolder(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool holds(const fs::path& directory, const char* file)
{
    std::error_code ignored;
    return fs::exists(directory / file, ignored);
}

std::vector<fs::path> entriesOf(const fs::path& directory)
{
    std::vector<fs::path> entries;
    std::error_code ignored;
    for (fs::directory_iterator entry(directory, ignored); !ignored && entry != fs::directory_iterator();
         entry.increment(ignored))
        entries.push_back(entry->path());
    std::ranges::sort(entries);
    return entries;
}

bool isCachedModel(const fs::path& path)
{
    return path.filename().string().starts_with(cachedModel) && isFolder(path / "snapshots");
}

// The snapshot that refs/main names, else the newest.
fs::path snapshotOf(const fs::path& model)
{
    constexpr std::uint64_t longestRevision = 1024;
    const fs::path snapshots = model / "snapshots";
    if (holds(model, "refs/main")) {
        std::string revision = readWholeFile(model / "refs" / "main", longestRevision);
        revision.erase(revision.find_last_not_of(" \r\n") + 1);
        if (revision.find('/') == std::string::npos && isFolder(snapshots / revision) && !revision.starts_with('.'))
            return snapshots / revision;
    }
    std::optional<fs::path> newest;
    std::error_code ignored;
    for (const fs::path& snapshot : entriesOf(snapshots))
        if (isFolder(snapshot)
            && (!newest || fs::last_write_time(snapshot, ignored) > fs::last_write_time(*newest, ignored)))
            newest = snapshot;
    if (!newest)
        throw Error(ErrorKind::File, snapshots.string(), "holds no snapshot of the model", "download it again");
    return *newest;
}

// The folder above "manifests", for a file below that.
std::optional<fs::path> ollamaFolder(const fs::path& path)
{
    std::error_code unknown;
    if (!fs::is_regular_file(path, unknown))
        return std::nullopt;
    for (fs::path folder = fs::absolute(path, unknown).parent_path(); folder.has_relative_path();
         folder = folder.parent_path())
        if (folder.filename() == manifests)
            return folder.parent_path();
    return std::nullopt;
}

fs::path blobOf(const fs::path& manifest, const fs::path& folder)
{
    constexpr std::string_view algorithm = "sha256:";
    constexpr std::size_t digits = 64;
    const JsonObject json(manifest);
    for (const Json& layer : json.requireList("layers", "a list of layers")) {
        if (!layer.is_object() || layer.value("mediaType", Json()) != "application/vnd.ollama.image.model")
            continue;
        const Json digest = layer.value("digest", Json());
        const std::string text = digest.is_string() ? digest.get<std::string>() : std::string();
        const std::string hash = text.starts_with(algorithm) ? text.substr(algorithm.size()) : std::string();
        if (hash.size() != digits || hash.find_first_not_of("0123456789abcdef") != std::string::npos)
            json.refuse("layers", "the digest of a model, sha256: and 64 digits");
        fs::path blob = folder / "blobs" / ("sha256-" + hash);
        std::error_code ignored;
        if (!fs::exists(blob, ignored))
            throw Error(ErrorKind::File, blob.string(), fmt::format("is missing; {} names it", manifest.string()),
                        "pull the model again");
        return blob;
    }
    throw Error(ErrorKind::Format, manifest.string(), "names no layer of type application/vnd.ollama.image.model",
                "pull the model again");
}

std::optional<fs::path> folderOf(const char* variable)
{
    const char* const value = std::getenv(variable);
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<fs::path>(value);
}

// The first of these variables that is set, with what is added to it.
struct Place
{
    const char* variable = "";
    const char* below = "";
};
std::optional<fs::path> firstOf(std::initializer_list<Place> places)
{
    for (const Place& place : places)
        if (const auto folder = folderOf(place.variable))
            return *folder / place.below;
    return std::nullopt;
}

// Calls visit(file) for the files so many folders below.
template<class Visit>
void forFiles(const fs::path& folder, int depth, const std::stop_token& stop, const Visit& visit)
{
    for (const fs::path& entry : entriesOf(folder)) {
        throwIfStopped(stop);
        if (depth > 0 && isFolder(entry))
            forFiles(entry, depth - 1, stop, visit);
        else if (!isFolder(entry))
            visit(entry);
    }
}

} // namespace

std::vector<FoundModel> findModels(const std::stop_token& stop)
{
    constexpr int ollamaDepth = 3; // registry, owner, model
    constexpr int studioDepth = 2; // publisher, repository
    std::vector<FoundModel> found;
    const auto addGguf = [&](const fs::path& file) {
        if (isGgufModel(file))
            found.push_back({file.stem().string(), file});
    };
    const auto look = [&](const std::optional<fs::path>& folder, auto visit) {
        if (folder)
            visit(*folder);
    };
    look(firstOf({{"HF_HUB_CACHE", ""},
                  {"HF_HOME", "hub"},
                  {"XDG_CACHE_HOME", "huggingface/hub"},
                  {"HOME", ".cache/huggingface/hub"}}),
         [&](const fs::path& hub) {
             for (const fs::path& model : entriesOf(hub)) {
                 throwIfStopped(stop);
                 if (isCachedModel(model))
                     found.push_back({placeName(model), model});
             }
         });
    look(firstOf({{"LLAMA_CACHE", ""}, {"XDG_CACHE_HOME", "llama.cpp"}, {"HOME", ".cache/llama.cpp"}}),
         [&](const fs::path& folder) { forFiles(folder, 0, stop, addGguf); });
    for (const char* studio : {".lmstudio/models", ".cache/lm-studio/models"})
        look(firstOf({{"HOME", studio}}),
             [&](const fs::path& folder) { forFiles(folder, studioDepth, stop, addGguf); });
    look(firstOf({{"OLLAMA_MODELS", ""}, {"HOME", ".ollama/models"}}), [&](const fs::path& folder) {
        forFiles(folder / manifests, ollamaDepth, stop, [&](const fs::path& manifest) {
            found.push_back({placeName(manifest), manifest});
        });
    });
    std::ranges::sort(found, {}, &FoundModel::name);
    return found;
}

fs::path modelBehind(const fs::path& path)
{
    if (isCachedModel(path))
        return snapshotOf(path);
    if (const auto folder = ollamaFolder(path))
        return blobOf(path, *folder);
    return path;
}

std::string placeName(const fs::path& path)
{
    if (isCachedModel(path)) {
        std::string name = path.filename().string().substr(cachedModel.size());
        if (const std::size_t mark = name.find("--"); mark != std::string::npos)
            name.replace(mark, 2, "/");
        return name;
    }
    return ollamaFolder(path) ? fmt::format("{}:{}", path.parent_path().filename().string(), path.filename().string())
                              : std::string();
}

std::vector<fs::path> modelsIn(const fs::path& directory, const std::stop_token& stop)
{
    std::vector<fs::path> models;
    if (holds(directory, "config.json"))
        return models;
    for (const fs::path& entry : entriesOf(directory)) {
        throwIfStopped(stop);
        if (isFolder(entry) ? holds(entry, "config.json") || isCachedModel(entry) : isGgufModel(entry))
            models.push_back(entry);
    }
    return models;
}

} // namespace attn
