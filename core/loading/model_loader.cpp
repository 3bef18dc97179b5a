// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/model_loader.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/stop.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "io/model_config.h"
#include "models/families/family.h"

#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <system_error>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr auto configuration = "config.json";
constexpr std::uint64_t libraryMemory = std::uint64_t{32} << 20U; // oneDNN takes it once, and dies where there is none

// A checkpoint's files: the weights, and the directory that describes them or the file that describes itself.
struct Files
{
    explicit Files(const fs::path& path)
    {
        std::error_code ignored;
        directory = fs::is_directory(path, ignored) ? path : fs::absolute(path).parent_path();
        weights = weightsPath(path.filename() == configuration ? directory : path);
        describesItself = isGgufFile(weights);
        const bool isNamed = !fs::is_directory(path, ignored) && path.filename() != configuration;
        comesFirst = describesItself || isNamed || weights.extension() == ".gguf";
    }

    fs::path directory;
    fs::path weights;
    bool describesItself = false;
    bool comesFirst = false; // what is wrong with the weights is said before what the directory lacks
};

// A kind of tokenizer that is not known leaves a model that reads ids; a damaged tokenizer is an error.
void addTokenizers(LoadedModel& loaded, const Files& files)
{
    try {
        loaded.tokenizers = loadTokenizers(files.describesItself ? files.weights : files.directory);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Unsupported)
            throw;
        loaded.tokenizerProblem = error;
    }
}

LoadedModel load(const Files& files, Engine& engine, const ProgressCallback& progress, const std::stop_token& stop)
{
    throwIfStopped(stop);
    std::shared_ptr<const Checkpoint> checkpoint =
        files.comesFirst ? openCheckpoint(files.weights, ggufLayouts()) : nullptr;
    const JsonObject* own = checkpoint ? checkpoint->config() : nullptr;
    const JsonObject config = own != nullptr ? *own : readModelConfig(files.directory);
    const Family& family = familyOf(config);
    if (!checkpoint)
        checkpoint = openCheckpoint(files.weights);
    const auto reserve = [&](std::uint64_t bytes) {
        const std::uint64_t needed = bytes + libraryMemory;
        requireMemory(needed, availableMemory(needed), checkpoint->name());
    };
    FamilyOutput built = family.build({config, checkpoint, engine, progress, stop, reserve});

    LoadedModel loaded;
    addTokenizers(loaded, files);
    loaded.weights = checkpoint->files();
    loaded.model = std::move(built.model);
    loaded.ignoredTensors = std::move(built.ignoredTensors);
    return loaded;
}

std::string nameOf(const fs::path& path, const Files& files)
{
    if (path == files.weights && files.describesItself)
        return path.stem().string();
    const fs::path plain = fs::absolute(files.directory).lexically_normal();
    return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

} // namespace

LoadedModel loadModel(const std::string& nameOrPath, Engine& engine, const ProgressCallback& progress,
                      const std::stop_token& stop)
{
    const fs::path path = modelPath(nameOrPath);
    try {
        const Files files(path);
        LoadedModel loaded = load(files, engine, progress, stop);
        loaded.name = nameOf(path, files);
        loaded.directory = files.directory;
        return loaded;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::Resource, path.string(), "not enough memory to load the model",
                    "close other programs or use a smaller model");
    }
}

Tokenizers loadTokenizers(const fs::path& path)
{
    return loadTokenizers(path, textFilesOf);
}

fs::path tokenizerPath(const std::string& nameOrPath)
{
    const fs::path path = modelPath(nameOrPath);
    std::error_code ignored;
    if (!fs::is_directory(path, ignored))
        return isGgufFile(path) ? path : fs::absolute(path).parent_path();
    const auto own = onlyGgufFile(path);
    return own && !fs::exists(path / configuration, ignored) ? *own : path;
}

} // namespace attn
