// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/stored_tensor.h"
#include "io/gguf.h"
#include "io/json.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Heads of queries, keys and values, and features of a head.
struct GgufHeads
{
    std::int64_t queries = 1;
    std::int64_t keys = 1;
    std::int64_t features = 1;
};

// Statements of a GGUF file about its model, by names below the architecture's: "embedding_length". Throws
// Error{Format, Unsupported} naming file and key for what is missing or cannot be.
class GgufMetadata
{
public:
    // parts: of one model, the first of which describes it; must outlive this.
    explicit GgufMetadata(std::span<const GgufFile> parts);

    const std::string& architecture() const { return m_architecture; } // empty where the file names none
    const std::string& where() const { return m_file.where(); }
    std::string key(std::string_view name) const { return m_architecture + '.' + std::string(name); }

    bool has(std::string_view name) const { return m_file.has(key(name)); }
    std::string text(std::string_view name) const { return m_file.text(key(name)).value_or(""); }
    std::int64_t size(std::string_view name) const;
    std::optional<std::int64_t> optionalSize(std::string_view name) const;
    std::optional<double> number(std::string_view name) const;
    std::optional<bool> flag(std::string_view name) const { return m_file.boolean(key(name)); }
    GgufHeads heads() const;

    bool hasTensor(std::string_view name) const { return find(name) != nullptr; }
    std::int64_t rows(std::string_view matrix) const;
    // The values of a list of `count` f32 numbers.
    std::vector<float> numbers(std::string_view tensor, std::int64_t count) const;

private:
    const GgufTensor* find(std::string_view name) const;
    std::int64_t sameInAllLayers(std::string_view name) const;

    const GgufFile& m_file;
    std::span<const GgufFile> m_parts;
    std::string m_architecture;
};

// One tensor, without ".weight" and ".bias".
struct GgufName
{
    std::string stored; // llama.cpp's name, in a layer without "blk.N."; "#" stands for an expert's number
    std::string name; // Hugging Face's, in a layer without what stands before and its number
    bool isWhole = false; // Hugging Face's has no ".weight"
};

// Form in which llama.cpp stores the models of one architecture. The families of models know it.
struct GgufLayout
{
    std::string_view architecture; // as general.architecture names it
    std::string_view modelType = {}; // as config.json does
    std::string_view refused = {}; // what the architecture has that is not read; empty: it is read
    // The keys of config.json besides those about tokens; the type, too, where it is not the one above.
    Json (*config)(const GgufMetadata& metadata) = nullptr;
    std::vector<GgufName> whole = {}; // tensors outside the layers
    std::vector<GgufName> inLayer = {};
    std::string layers = {}; // Hugging Face's beginning of a layer's tensors, before the number
    // Queries and keys lie as features that are turned together (2i, 2i + 1), not as halves (i, i + D/2).
    bool neighbouringPairs = false;
};

// A file of a model, or one of several that hold it together.
struct GgufPart
{
    std::span<const std::byte> bytes;
    std::string where;
};

// A GGUF model in Hugging Face's terms.
struct GgufModel
{
    JsonObject config;
    // Tensors of each part, under Hugging Face's names, shapes and row order; the views point into the parts.
    std::vector<StoredTensors> tensors;
    std::function<std::string(std::string_view)> storedName; // llama.cpp's name of one of Hugging Face's
};

bool isGguf(std::span<const std::byte> file);

// Reads a model of one of the architectures. Throws Error{Format, Unsupported}; other architectures and types of values
// are refused by name.
GgufModel readGgufModel(std::span<const GgufPart> parts, std::span<const GgufLayout> layouts);

} // namespace attn
