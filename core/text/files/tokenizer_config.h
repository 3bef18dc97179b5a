// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/text_files.h"
#include "io/json.h"
#include "text/files/tokenizer_json.h"
#include "text/pipeline_tokenizer.h"
#include "text/segment/vocabulary.h"
#include "text/steps/added_tokens.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Statements of config.json, tokenizer_config.json, special_tokens_map.json and added_tokens.json say about a
// tokenizer; each may be missing. Throws Error{File, Format}.
class TokenizerConfig
{
public:
    TokenizerConfig(const std::filesystem::path& directory, TextFilesOf textFilesOf);

    const std::filesystem::path& directory() const { return m_directory; }
    std::filesystem::path file(std::string_view name) const { return m_directory / name; }
    bool hasFile(std::string_view name) const;
    const std::optional<JsonObject>& model() const { return m_model; } // config.json
    const std::string& modelType() const { return m_modelType; }
    // Class without "Fast" and "Tokenizer" at the end: "Bert", "GPT2", "MBart50". Empty also for the class of all.
    const std::string& tokenizerClass() const { return m_class; }
    bool isGeneric() const { return m_isGeneric; } // the class is PreTrainedTokenizerFast or TokenizersBackend
    bool isNamed() const { return !m_class.empty() || !m_modelType.empty(); } // a class or a model
    const TextFiles& textFiles() const { return m_textFiles; } // of the model's type
    const NamedSpellings& named() const { return m_named; }
    // Tokens that were added to the vocabulary, with their ids.
    const std::vector<AddedToken>& added() const { return m_added; }
    // Value in tokenizer_config.json.
    bool flag(std::string_view field, bool fallback) const;
    std::optional<bool> flag(std::string_view field) const;
    std::string text(std::string_view field) const; // empty where missing
    int integer(std::string_view field, int minimum, int maximum, int fallback) const;

private:
    std::string spelling(const char* field) const;
    void readClass(const JsonObject& object);
    void readAdded();

    std::filesystem::path m_directory;
    std::optional<JsonObject> m_model;
    std::optional<JsonObject> m_tokenizer;
    std::optional<JsonObject> m_map;
    std::string m_modelType;
    TextFiles m_textFiles;
    std::string m_class;
    bool m_isGeneric = false;
    NamedSpellings m_named;
    std::vector<AddedToken> m_added;
};

// Whose ids config.json names: those of the list at hand, or those of the other language.
enum class NamedIds : std::uint8_t { OfThis, OfOther };

// A list with a piece a line can be cut off anywhere and still be read. Refuses one that lacks an id which config.json
// names, or more of `sizeField` there than rounding up the embeddings explains. Throws Error{Format}.
void requireWhole(const TokenizerConfig& config, const Vocabulary& pieces, const char* sizeField,
                  const std::filesystem::path& file, NamedIds named = NamedIds::OfThis);

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
