// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr std::array weightFiles = {"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
                                    "pytorch_model.bin.index.json"};

std::vector<fs::path> filesEnding(const fs::path& directory, std::span<const std::string_view> endings)
{
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::directory_iterator entry(directory, ignored); !ignored && entry != fs::directory_iterator();
         entry.increment(ignored))
        if (std::ranges::find(endings, entry->path().extension().string()) != endings.end())
            files.push_back(entry->path());
    std::ranges::sort(files);
    return files;
}

std::optional<fs::path> usualFile(const fs::path& directory)
{
    for (const char* name : weightFiles) {
        std::error_code ignored;
        const fs::path path = directory / name;
        if (fs::exists(path, ignored) || fs::is_symlink(path, ignored))
            return path;
    }
    return std::nullopt;
}

// Pipes, devices and directories have no contents to map, and reading a pipe never ends.
fs::path requireFile(const fs::path& path)
{
    std::error_code ignored;
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
        throw Error(ErrorKind::File, path.string(), "is not a file", "weights lie in regular files");
    return path;
}

// A folder that must not be looked into seems empty.
void requireReadable(const fs::path& directory)
{
    std::error_code listing;
    const fs::directory_iterator entries(directory, listing);
    std::error_code entering;
    (void)fs::exists(directory / weightFiles.front(), entering);
    for (const std::error_code& problem : {listing, entering})
        if (problem)
            throw Error(ErrorKind::File, directory.string(), "cannot be read: " + problem.message(),
                        "check the permissions of the folder");
}

// Whether a text is this pattern, in which # stands for a digit.
bool matches(std::string_view text, std::string_view pattern)
{
    return std::ranges::equal(
        text, pattern, [](char c, char expected) { return expected == '#' ? c >= '0' && c <= '9' : c == expected; });
}

constexpr std::string_view partNumber = "-#####-of-#####";

// "NAME" of "NAME-00002-of-00003.gguf".
std::optional<std::string> nameOfParts(const fs::path& path)
{
    const std::string stem = path.stem().string();
    if (stem.size() <= partNumber.size())
        return std::nullopt;
    const std::size_t length = stem.size() - partNumber.size();
    return matches(std::string_view(stem).substr(length), partNumber) ? std::optional(stem.substr(0, length))
                                                                      : std::nullopt;
}

// GGUF models of a folder, or the first of what is there in place of one, which says what is missing.
std::vector<fs::path> ggufFiles(const fs::path& directory)
{
    constexpr std::array<std::string_view, 1> ending = {".gguf"};
    std::vector<fs::path> files = filesEnding(directory, ending);
    const std::optional<fs::path> first = files.empty() ? std::nullopt : std::optional(files.front());
    std::erase_if(files, std::not_fn(isGgufModel));
    return files.empty() && first ? std::vector{*first} : files;
}

// "model.safetensors.index.json" beside "model-00002-of-00003.safetensors", where it is there.
std::optional<fs::path> indexOfShard(const fs::path& path)
{
    const auto name = nameOfParts(path);
    if (!name)
        return std::nullopt;
    const fs::path index = path.parent_path() / (*name + path.extension().string() + indexEnding);
    std::error_code ignored;
    return fs::exists(index, ignored) ? std::optional(index) : std::nullopt;
}

constexpr auto adapterConfig = "adapter_config.json";

// Adapter as PEFT saves it: a few matrices trained beside a model.
[[noreturn]] void refuseAdapter(const fs::path& directory)
{
    const JsonObject config(directory / adapterConfig);
    const std::string kind = config.stringOr("peft_type", "LORA");
    const std::string base = config.stringOr("base_model_name_or_path", "another model");
    throw Error(ErrorKind::Unsupported, directory.string(),
                fmt::format("holds {} adapter of {}, not a model", kind == "LORA" ? "a LoRA" : "an", base),
                "merge the two with PEFT (merge_and_unload()), and open what save_pretrained() writes then");
}

// Files by which a folder without weights that are read tells what it holds.
[[noreturn]] void refuseWithoutWeights(const fs::path& directory)
{
    constexpr auto convert = "load it with Hugging Face's transformers (from_tf or from_flax) and save_pretrained() it";
    constexpr std::array<std::array<const char*, 3>, 7> others = {{
        {"tf_model.h5", "TensorFlow's weights (tf_model.h5) only", convert},
        {"model.ckpt.index", "a TensorFlow checkpoint (model.ckpt) only", convert},
        {"saved_model.pb", "a TensorFlow SavedModel only", convert},
        {"flax_model.msgpack", "Flax's weights (flax_model.msgpack) only", convert},
        {"flax_model.msgpack.index.json", "Flax's weights (flax_model.msgpack) only", convert},
        {"model.onnx", "an ONNX program (model.onnx) only", "open the model that it was exported from"},
        {"consolidated.00.pth", "Meta's own form of LLaMA (consolidated.00.pth) only",
         "convert it with transformers' convert_llama_weights_to_hf.py"},
    }};
    std::error_code ignored;
    if (fs::exists(directory / adapterConfig, ignored))
        refuseAdapter(directory);
    for (const auto& [file, what, advice] : others)
        if (fs::exists(directory / file, ignored))
            throw Error(ErrorKind::Unsupported, directory.string(), fmt::format("holds {}", what), advice);
    constexpr std::array<std::string_view, 5> endings = {".safetensors", ".bin", ".pt", ".pth", ".ckpt"};
    const std::vector<fs::path> named = filesEnding(directory, endings);
    throw Error(ErrorKind::File, directory.string(),
                fmt::format("holds no {}, pytorch_model.bin or GGUF file", weightFiles.front()),
                named.empty() ? "name a checkpoint directory"
                              : fmt::format("name the file of weights, such as {}", named.front().filename().string()));
}

std::string withoutOldNames(std::string name)
{
    constexpr std::pair<std::string_view, std::string_view> old[] = {{".gamma", ".weight"}, {".beta", ".bias"}};
    for (const auto& [from, to] : old) {
        if (name.ends_with(from))
            name.replace(name.size() - from.size(), from.size(), to);
    }
    return name;
}

} // namespace

std::optional<Checkpoint::Kept> Checkpoint::asStored(std::string_view tensor) const
{
    const auto view = find(tensor);
    return view && !view->bytes.empty() ? std::optional(Kept{*view, nullptr}) : std::nullopt;
}

std::string Checkpoint::problemOf(std::string_view tensor) const
{
    const DType dtype = find(tensor).value().dtype;
    return isWidened(dtype) ? std::string() : fmt::format("is stored as {}, which is not read", attn::name(dtype));
}

Tensor Checkpoint::load(std::string_view tensor, const Shape& shape) const
{
    const auto view = find(tensor);
    if (!view)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", name(), tensor),
                    fmt::format("is missing; {} asks for it with shape [{}]", configName(), fmt::join(shape, ", ")),
                    fmt::format("the weights do not belong to {}", configName()));
    if (view->shape != shape)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", name(), tensor),
                    fmt::format("expected shape [{}] from {}, found [{}]", fmt::join(shape, ", "), configName(),
                                fmt::join(view->shape, ", ")),
                    fmt::format("the weights do not belong to {}", configName()));
    try {
        return read(tensor);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", name(), tensor), error.problem(), error.advice());
    }
}

bool isGgufFile(const fs::path& path)
{
    constexpr std::string_view magic = "GGUF";
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored))
        return false;
    std::string start(magic.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == magic;
}

bool isGgufModel(const fs::path& path)
{
    constexpr std::string_view first = "-00001-of-";
    constexpr std::string_view eyes = "mmproj"; // a model's half of pictures lies beside it
    const std::string stem = path.stem().string();
    return path.extension() == ".gguf" && stem.find(eyes) == std::string::npos
        && (!nameOfParts(path) || stem.find(first) != std::string::npos);
}

std::optional<fs::path> onlyGgufFile(const fs::path& directory)
{
    const std::vector<fs::path> files = ggufFiles(directory);
    return files.size() == 1 && !usualFile(directory) ? std::optional(files.front()) : std::nullopt;
}

std::vector<fs::path> ggufParts(const fs::path& path)
{
    constexpr std::size_t digits = 5;
    constexpr int mostParts = 4096;
    const auto name = nameOfParts(path);
    const std::string stem = path.stem().string();
    const int count = name ? std::stoi(stem.substr(stem.size() - digits)) : 1;
    if (!name || count < 1 || count > mostParts)
        return {path};
    std::vector<fs::path> parts;
    for (int i = 1; i <= count; ++i) {
        parts.push_back(path.parent_path() / fmt::format("{}-{:05}-of-{:05}.gguf", *name, i, count));
        std::error_code ignored;
        if (!fs::exists(parts.back(), ignored))
            throw Error(ErrorKind::File, parts.back().string(),
                        fmt::format("is missing; the model lies in {} files", count), "put all of them side by side");
    }
    return parts;
}

fs::path weightsPath(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) {
        if (path.stem() == "adapter_model" && fs::exists(path.parent_path() / adapterConfig, ignored))
            refuseAdapter(path.parent_path());
        return indexOfShard(path).value_or(path);
    }
    const bool isThere = fs::exists(path, ignored) || fs::is_symlink(path, ignored); // what it leads to may be gone
    if (isThere && !fs::is_directory(path, ignored))
        return requireFile(path);
    if (const auto usual = usualFile(path))
        return requireFile(*usual);
    const std::vector<fs::path> gguf = ggufFiles(path);
    if (gguf.size() > 1)
        throw Error(ErrorKind::File, path.string(),
                    fmt::format("holds {} GGUF files and no {}", gguf.size(), weightFiles.front()),
                    fmt::format("name one of them, such as {}", gguf.front().filename().string()));
    requireReadable(path);
    if (gguf.empty())
        refuseWithoutWeights(path);
    return requireFile(gguf.front());
}

RenamedCheckpoint::RenamedCheckpoint(std::shared_ptr<const Checkpoint> stored, std::string prefix,
                                     std::vector<std::string> outside)
    : m_stored(std::move(stored))
    , m_outside(std::move(outside))
{
    const auto all = m_stored->tensorNames();
    if (!prefix.empty() && std::ranges::any_of(all, [&](const std::string& name) { return name.starts_with(prefix); }))
        m_prefix = std::move(prefix);
    for (const std::string& name : all) {
        const bool prefixed = !m_prefix.empty() && name.starts_with(m_prefix);
        std::string plain = withoutOldNames(prefixed ? name.substr(m_prefix.size()) : name);
        if (prefixed)
            m_names.insert_or_assign(std::move(plain), name);
        else
            m_names.try_emplace(std::move(plain), name);
    }
}

std::vector<std::string> RenamedCheckpoint::tensorNames() const
{
    std::vector<std::string> names;
    names.reserve(m_names.size());
    for (const auto& [plain, stored] : m_names)
        names.push_back(plain);
    return names;
}

std::optional<TensorView> RenamedCheckpoint::find(std::string_view tensor) const
{
    const auto found = m_names.find(tensor);
    return found == m_names.end() ? std::nullopt : m_stored->find(found->second);
}

Tensor RenamedCheckpoint::load(std::string_view tensor, const Shape& shape) const
{
    return m_stored->load(nameBelow(tensor), shape);
}

std::string RenamedCheckpoint::nameBelow(std::string_view tensor) const
{
    if (const auto found = m_names.find(tensor); found != m_names.end())
        return found->second;
    const bool outside =
        std::ranges::any_of(m_outside, [&](const std::string& start) { return tensor.starts_with(start); });
    return outside ? std::string(tensor) : m_prefix + std::string(tensor);
}

} // namespace attn
