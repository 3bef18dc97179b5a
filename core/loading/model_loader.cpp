// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/model_loader.h"

#include "base/error.h"
#include "base/stop.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "loading/memory.h"
#include "models/families/registry.h"

#include <fmt/format.h>
#include <new>
#include <system_error>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

// As float32; the mapped file comes and goes as the system likes. Layers are packed one after the other, so that the
// plain copy of one is all that comes on top.
std::uint64_t neededMemory(const Checkpoint& checkpoint)
{
    std::uint64_t needed = 0;
    for (const std::string& name : checkpoint.tensorNames()) {
        const auto view = checkpoint.find(name);
        needed += static_cast<std::uint64_t>(elementCount(view->shape)) * sizeof(float);
    }
    return needed;
}

std::string describeWeights(const Checkpoint& checkpoint, const fs::path& directory, const std::string& dtype)
{
    std::error_code problem;
    const auto bytes = fs::file_size(directory / checkpoint.name(), problem);
    const std::string text =
        fmt::format("{}: {} tensors, {}", checkpoint.name(), checkpoint.tensorNames().size(), dtype);
    return problem ? text : fmt::format("{}, {}", text, byteText(bytes));
}

std::vector<std::string> describeTokenizers(const Tokenizers& tokenizers)
{
    std::vector<std::string> lines;
    if (tokenizers.source && tokenizers.source == tokenizers.target)
        return {"tokenizer: " + tokenizers.source->description()};
    if (tokenizers.source)
        lines.push_back("source tokenizer: " + tokenizers.source->description());
    if (tokenizers.target)
        lines.push_back("target tokenizer: " + tokenizers.target->description());
    return lines;
}

LoadedModel load(const fs::path& directory, Engine& engine, const ProgressCallback& progress,
                 const std::stop_token& stop)
{
    throwIfStopped(stop);
    const JsonObject config(directory / "config.json");
    const Family& family = familyOf(config);
    const auto checkpoint = openCheckpoint(directory);
    requireMemory(neededMemory(*checkpoint), availableMemory(), checkpoint->name());
    FamilyOutput built = family.build({config, checkpoint, engine, progress, stop});

    LoadedModel loaded;
    loaded.tokenizers = loadTokenizers(directory);
    loaded.files.push_back(describeWeights(*checkpoint, directory, built.model->info().storedDType));
    for (std::string& line : describeTokenizers(loaded.tokenizers))
        loaded.files.push_back(std::move(line));
    loaded.model = std::move(built.model);
    loaded.ignoredTensors = std::move(built.ignoredTensors);
    return loaded;
}

} // namespace

LoadedModel loadModel(const std::string& nameOrPath, Engine& engine, const ProgressCallback& progress,
                      const std::stop_token& stop)
{
    const fs::path directory = modelDirectory(nameOrPath);
    try {
        LoadedModel loaded = load(directory, engine, progress, stop);
        const fs::path plain = fs::absolute(directory).lexically_normal();
        loaded.name = (plain.has_filename() ? plain : plain.parent_path()).filename().string();
        loaded.directory = directory;
        return loaded;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::Resource, directory.string(), "not enough memory to load the model",
                    "close other programs or use a smaller model");
    }
}

} // namespace attn
