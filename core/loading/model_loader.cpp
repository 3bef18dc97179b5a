// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/model_loader.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "io/mapped_file.h"
#include "io/model_config.h"
#include "loading/model_card.h"
#include "loading/model_places.h"
#include "models/families/family.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr auto configuration = "config.json";
constexpr std::uint64_t libraryMemory = std::uint64_t{32} << 20U; // oneDNN takes it once, and dies where there is none

fs::path directoryOf(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored) ? path : fs::absolute(path).parent_path();
}

// A checkpoint's files: the weights, and the directory that describes them or the file that describes itself.
struct Files
{
    explicit Files(const fs::path& path)
    {
        std::error_code ignored;
        directory = directoryOf(path);
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

// Settings of what is done to pictures and sounds; none where no file has them.
std::optional<JsonObject> readPreprocessor(const fs::path& directory)
{
    if (const fs::path file = directory / "preprocessor_config.json"; isThere(file))
        return JsonObject(file);
    const fs::path whole = directory / "processor_config.json";
    if (!isThere(whole))
        return std::nullopt;
    const JsonObject processor(whole);
    if (processor.has("feature_extractor"))
        return processor.requireObject("feature_extractor");
    return processor.has("image_processor") ? std::optional(processor) : std::nullopt;
}

// Beginnings that more than half of the names have in common, the shortest first: "model.", "model.bert.".
std::vector<std::string> commonPrefixes(const Checkpoint& checkpoint)
{
    constexpr std::size_t most = 4;
    const std::vector<std::string> names = checkpoint.tensorNames(); // sorted: those alike stand together
    std::vector<std::string> result;
    const std::string middle = names.empty() ? std::string() : names[names.size() / 2];
    for (std::size_t dot = middle.find('.'); dot != std::string::npos && result.size() < most;
         dot = middle.find('.', dot + 1)) {
        const std::string prefix = middle.substr(0, dot + 1);
        const auto count = std::ranges::count_if(names, [&](const auto& name) { return name.starts_with(prefix); });
        if (2 * count <= std::ssize(names))
            break;
        result.push_back(prefix);
    }
    return result;
}

// The model, and what a wrapper of it (torch.compile, DataParallel, Lightning) has written before the names of all that
// it needs; empty: nothing. Names are compared before anything is read.
std::pair<FamilyOutput, std::string> build(const Family& family, const FamilyInput& input)
{
    std::vector<std::string> prefixes = commonPrefixes(*input.checkpoint);
    prefixes.insert(prefixes.begin(), "");
    std::optional<Error> problem; // with the names as they are stored
    for (const std::string& prefix : prefixes) {
        FamilyInput tried = input;
        if (!prefix.empty())
            tried.checkpoint =
                std::make_shared<RenamedCheckpoint>(input.checkpoint, prefix, std::vector<std::string>());
        try {
            return {family.build(tried), prefix};
        } catch (const Error& error) {
            const bool isOfNames = error.kind() == ErrorKind::Format
                || (problem && error.kind() == ErrorKind::Unsupported); // what is stored beside the wrong names
            if (!isOfNames)
                throw;
            problem = problem.value_or(error);
        }
    }
    throw Error(*problem);
}

// A change of a checkpoint that has been opened.
using WeightChange = std::function<std::shared_ptr<const Checkpoint>(std::shared_ptr<const Checkpoint>)>;

LoadedModel load(const Files& files, Engine& engine, const ProgressCallback& progress, const std::stop_token& stop,
                 const WeightChange& change)
{
    throwIfStopped(stop);
    const ThreadStop ofTexts(stop);
    std::shared_ptr<const Checkpoint> checkpoint =
        files.comesFirst ? openCheckpoint(files.weights, ggufLayouts()) : nullptr;
    const JsonObject* own = checkpoint ? checkpoint->config() : nullptr;
    const JsonObject config = own != nullptr ? *own : readModelConfig(files.directory);
    const Family& family = familyOf(config);
    if (own == nullptr)
        checkConfigKeys(config, family);
    if (!checkpoint)
        checkpoint = openCheckpoint(files.weights);
    if (change)
        checkpoint = change(std::move(checkpoint));
    const auto preprocessor = [&] { return readPreprocessor(files.directory); };
    LoadedModel loaded;
    const auto choose = [&](const WeightMemory& needed) {
        WeightStorage storage = engine.storage();
        const std::uint64_t widened = needed.widened + libraryMemory;
        const std::uint64_t free = availableMemory(2 * widened);
        if (storage == WeightStorage::Automatic)
            storage = widened > free / 2 ? WeightStorage::AsStored : WeightStorage::Widened;
        const bool staysStored = storage == WeightStorage::AsStored;
        const std::uint64_t stored = needed.asStored + libraryMemory;
        if (!staysStored && widened > free && stored <= free)
            throw Error(ErrorKind::Resource, checkpoint->name(),
                        fmt::format("needs about {} of memory with widened weights, {} are free", byteText(widened),
                                    byteText(free)),
                        fmt::format("--weights as-stored takes {}", byteText(stored)));
        requireMemory(staysStored ? stored : widened, free, checkpoint->name());
        loaded.weightMemory = {needed.widened, needed.asStored, staysStored};
        return storage;
    };
    const auto tokenizer = [&]() -> std::shared_ptr<const TokenDescriber> {
        addTokenizers(loaded, files);
        return loaded.tokenizers.target;
    };
    auto [built, prefix] = build(family, {config, checkpoint, engine, progress, stop, choose, preprocessor, tokenizer});
    addTokenizers(loaded, files);
    loaded.config = std::make_shared<const JsonObject>(config);
    loaded.weights = checkpoint->files();
    loaded.model = std::move(built.model);
    if (const ModelInfo& info = loaded.model->info(); info.readsPictures()) {
        const std::optional<JsonObject> file = preprocessor();
        loaded.pictures = readPictureProcessor(file ? &*file : nullptr, info.pictureSize);
    } else if (info.input == InputKind::Sound) {
        const std::optional<JsonObject> file = preprocessor();
        loaded.sounds = readSoundProcessor(file ? &*file : nullptr, info.soundBands);
    }
    loaded.ignoredTensors = std::move(built.ignoredTensors);
    loaded.namePrefix = std::move(prefix);
    return loaded;
}

std::string nameOf(const fs::path& path, const Files& files)
{
    if (path == files.weights && files.describesItself)
        return path.stem().string();
    return lastingPath(files.directory).filename().string();
}

// Names of configurations, tokenizers and weights.
bool isRead(const fs::path& name)
{
    constexpr std::array<std::string_view, 11> endings = {".bin", ".ckpt",        ".gguf", ".json", ".model", ".pt",
                                                          ".pth", ".safetensors", ".spm",  ".txt",  ".vocab"};
    return std::ranges::find(endings, name.extension().string()) != endings.end();
}

std::vector<SeenFile> seenFiles(const Files& files)
{
    std::vector<SeenFile> seen;
    const auto add = [&seen](const fs::path& path) {
        if (const auto state = fileState(path))
            seen.push_back({path, *state});
    };
    const fs::path weights = files.weights.filename();
    add(files.directory / weights);
    std::error_code unread;
    fs::directory_iterator entry(files.directory, unread);
    for (; !files.describesItself && !unread && entry != fs::directory_iterator(); entry.increment(unread)) {
        const fs::path name = entry->path().filename();
        std::error_code ignored;
        if (name != weights && isRead(name) && entry->is_regular_file(ignored))
            add(entry->path());
    }
    std::ranges::sort(seen);
    return seen;
}

LoadedModel loadChanged(const std::string& nameOrPath, Engine& engine, const ProgressCallback& progress,
                        const std::stop_token& stop, const WeightChange& change)
{
    const fs::path path = modelPath(nameOrPath);
    const Files files(path);
    std::vector<SeenFile> seen = seenFiles(files);
    LoadedModel loaded = load(files, engine, progress, stop, change);
    loaded.files = std::move(seen);
    const std::string name = placeName(nameOrPath);
    loaded.name = name.empty() ? nameOf(path, files) : name;
    loaded.directory = files.directory;
    return loaded;
}

} // namespace

LoadedModel loadModel(const std::string& nameOrPath, Engine& engine, const ProgressCallback& progress,
                      const std::stop_token& stop)
{
    return loadChanged(nameOrPath, engine, progress, stop, {});
}

LoadedModel loadShuffled(const std::string& nameOrPath, Engine& engine, const std::stop_token& stop)
{
    return loadChanged(nameOrPath, engine, {}, stop, shuffledWeights);
}

std::vector<SeenFile> modelFiles(const std::string& nameOrPath)
{
    return seenFiles(Files(modelPath(nameOrPath)));
}

std::vector<fs::path> filesByName(const std::string& nameOrPath)
{
    constexpr std::array<std::string_view, 12> texts = {"added_tokens.json",
                                                        "config.json",
                                                        "generation_config.json",
                                                        "merges.txt",
                                                        "preprocessor_config.json",
                                                        "processor_config.json",
                                                        "special_tokens_map.json",
                                                        "target_vocab.json",
                                                        "tokenizer.json",
                                                        "tokenizer_config.json",
                                                        "vocab.json",
                                                        "vocab.txt"};
    const Files files(modelPath(nameOrPath));
    std::vector<fs::path> named;
    for (const SeenFile& file : seenFiles(files)) {
        const std::string name = file.path.filename().string();
        const bool isText = name.ends_with(".json") || name.ends_with(".txt");
        if (!isText || name.ends_with(".index.json") || std::ranges::find(texts, name) != texts.end())
            named.push_back(file.path);
    }
    if (!files.describesItself)
        for (const std::string_view aboutIt : {modelCardFile, modelScoresFile})
            named.push_back(files.directory / aboutIt);
    return named;
}

std::vector<SeenFile> weightFiles(const LoadedModel& model)
{
    std::vector<SeenFile> files;
    for (const CheckpointFile& weights : model.weights) {
        const fs::path path = model.directory / weights.name;
        const auto seen = std::ranges::find(model.files, path, &SeenFile::path);
        files.push_back(seen != model.files.end() ? *seen : SeenFile{path, {}});
    }
    std::ranges::sort(files);
    return files;
}

Tokenizers loadTokenizers(const fs::path& path)
{
    return loadTokenizers(path, textFilesOf);
}

fs::path tokenizerPath(const std::string& nameOrPath)
{
    fs::path path = modelPath(nameOrPath);
    std::error_code ignored;
    const bool isWhole = fs::is_directory(path, ignored) || path.filename() == configuration;
    if (!isWhole && isGgufFile(path))
        return path;
    const fs::path directory = directoryOf(path);
    return (isWhole ? onlyGgufFile(directory) : std::nullopt).value_or(directory);
}

} // namespace attn
