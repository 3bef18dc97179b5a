// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/configured_json.h"

#include "base/error.h"
#include "text/files/tokenizer_classes.h"
#include "text/files/tokenizer_json.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <optional>
#include <utility>

namespace attn {

namespace {

// A setting of the configuration in the place of a field of one part, where both have it.
void replaceFlag(Json& document, const char* part, const char* field, std::optional<bool> value)
{
    if (!value || !document.is_object())
        return;
    const auto found = document.find(part);
    if (found != document.end() && found->is_object() && found->contains(field))
        (*found)[field] = *value;
}

std::vector<TokenId> wantedToken(bool wanted, std::optional<TokenId> id, const char* setting,
                                 const TokenizerConfig& config)
{
    if (!wanted)
        return {};
    if (!id)
        throw Error(ErrorKind::Format, config.file("tokenizer_config.json").string(),
                    fmt::format("{}: the tokenizer has no such token", setting));
    return {*id};
}

std::shared_ptr<const PipelineTokenizer> withBeginAndEnd(std::shared_ptr<const PipelineTokenizer> tokenizer,
                                                         const TokenizerConfig& config)
{
    const Template& single = tokenizer->processor().single;
    if (single.empty())
        return tokenizer;
    const bool begins = single.front().kind == TemplatePart::Kind::Special;
    const bool ends = single.back().kind == TemplatePart::Kind::Special;
    const bool begin = config.flag("add_bos_token").value_or(begins);
    const bool end = config.flag("add_eos_token").value_or(ends);
    if (begin == begins && end == ends)
        return tokenizer;
    const NamedTokens named = tokenizer->namedTokens();
    return tokenizer->with(surroundedBy(wantedToken(begin, named.bos, "add_bos_token", config),
                                        wantedToken(end, named.eos, "add_eos_token", config)));
}

} // namespace

std::shared_ptr<const PipelineTokenizer> loadConfiguredJson(const TokenizerConfig& config)
{
    const std::filesystem::path path = config.file("tokenizer.json");
    const TokenizerClass* known = config.isGeneric() ? nullptr : findTokenizerClass(config);
    const JsonSettings settings = known == nullptr ? JsonSettings::None : known->settings;
    Json document = readJson(path);
    if (settings == JsonSettings::PrefixSpace)
        replaceFlag(document, "pre_tokenizer", "add_prefix_space", config.flag("add_prefix_space"));
    if (settings == JsonSettings::Bert) {
        replaceFlag(document, "normalizer", "lowercase", config.flag("do_lower_case"));
        replaceFlag(document, "normalizer", "strip_accents", config.flag("strip_accents"));
        replaceFlag(document, "normalizer", "handle_chinese_chars", config.flag("tokenize_chinese_chars"));
    }
    auto tokenizer = buildTokenizerJson(std::move(document), path.string(), config.named(), config.added());
    return settings == JsonSettings::BeginAndEnd ? withBeginAndEnd(std::move(tokenizer), config) : tokenizer;
}

} // namespace attn
