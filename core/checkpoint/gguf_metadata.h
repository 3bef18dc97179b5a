// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/gguf.h"

#include <cstdint>
#include <optional>
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

// What a GGUF file says of its model, by names below the architecture's: "embedding_length". Throws Error{Format,
// Unsupported} naming file and key for what is missing or cannot be.
class GgufMetadata
{
public:
    // file: must outlive this. Throws Error{Unsupported} for a mixture of experts and for one part of a split model.
    explicit GgufMetadata(const GgufFile& file);

    const std::string& architecture() const { return m_architecture; } // empty where the file names none
    const std::string& where() const { return m_file.where(); }
    std::string key(std::string_view name) const { return m_architecture + '.' + std::string(name); }

    bool has(std::string_view name) const { return m_file.has(key(name)); }
    std::string text(std::string_view name) const { return m_file.text(key(name)).value_or(""); }
    std::int64_t size(std::string_view name) const;
    std::optional<std::int64_t> optionalSize(std::string_view name) const;
    std::optional<double> number(std::string_view name) const;
    GgufHeads heads() const;

    bool hasTensor(std::string_view name) const { return find(name) != nullptr; }
    std::int64_t rows(std::string_view matrix) const;
    // The values of a list of `count` f32 numbers.
    std::vector<float> numbers(std::string_view tensor, std::int64_t count) const;

private:
    const GgufTensor* find(std::string_view name) const;

    const GgufFile& m_file;
    std::string m_architecture;
};

} // namespace attn
