// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace attn {

// Settings of tokenizer_config.json that are said once more than tokenizer.json, and is to be followed.
enum class JsonSettings : std::uint8_t {
    None,
    PrefixSpace, // add_prefix_space
    Bert, // do_lower_case, strip_accents, tokenize_chinese_chars
    BeginAndEnd // add_bos_token, add_eos_token
};

using TokenizerLoader = std::shared_ptr<const PipelineTokenizer>(const TokenizerConfig& config);

// A tokenizer class of Hugging Face's libraries.
struct TokenizerClass
{
    std::string_view name; // without "Tokenizer" and "Fast" at the end
    std::array<std::string_view, 2> files; // what it reads where there is no tokenizer.json; either may be empty
    TokenizerLoader* load; // null with languages
    JsonSettings settings = JsonSettings::None;
    bool isUsual = false; // what these files are read with when nothing names a class or a model
    const LanguageScheme* languages = nullptr; // of a multilingual model's

    bool hasFiles(const TokenizerConfig& config) const;
    std::shared_ptr<const PipelineTokenizer> read(const TokenizerConfig& config) const; // without languages
};

// All that can be read.
std::span<const TokenizerClass> tokenizerClasses();

// The class that a configuration names, else that of its model's family; null when it is none of them.
const TokenizerClass* findTokenizerClass(const TokenizerConfig& config);

} // namespace attn
