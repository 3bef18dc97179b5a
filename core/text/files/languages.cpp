// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/languages.h"

#include "base/error.h"
#include "base/language_codes.h"
#include "io/model_config.h"

#include <unicode/locid.h>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <sstream>
#include <utility>

namespace attn {

namespace {

constexpr LanguageScheme wmt21Languages{{wmt21Codes}, "__en__", true};
constexpr LanguageScheme legacyNllbLanguages{{nllbCodes}, "eng_Latn", false, true};

TokenId requireLanguage(const PipelineTokenizer& tokenizer, const LanguageScheme& scheme, const std::string& code)
{
    const auto id = tokenizer.find(scheme.token(code));
    if (!id)
        throw Error(ErrorKind::Input, "language", fmt::format("\"{}\" is none of this model's languages", code));
    return *id;
}

// The language whose token the configuration forces or starts decoding with.
std::string configuredTarget(const PipelineTokenizer& tokenizer, const TokenizerConfig& config,
                             const Languages& languages)
{
    if (std::string named = config.text("tgt_lang"); !named.empty())
        return named;
    if (!config.model())
        return {};
    const JsonObject model = readModelConfig(config.file("config.json").parent_path());
    for (const char* field : {"forced_bos_token_id", "decoder_start_token_id"}) {
        const auto id = model.optionalInt(field, 0, std::numeric_limits<TokenId>::max());
        for (const std::string& code : languages.codes)
            if (id && tokenizer.find(languages.scheme->token(code)) == *id)
                return code;
    }
    return {};
}

// Both sides of a multilingual model. An empty target leaves the target side without a language. Throws Error{Input}
// for a language without a token.
Tokenizers multilingualTokenizers(const std::shared_ptr<const PipelineTokenizer>& tokenizer, Languages languages)
{
    const LanguageScheme& scheme = *languages.scheme;
    const TokenId source = requireLanguage(*tokenizer, scheme, languages.source);
    const auto end = tokenizer->namedTokens().eos;
    if (!end)
        throw Error(ErrorKind::Format, "tokenizer", "a multilingual model's tokenizer lacks its end token");
    const PostProcessor sourceSide =
        scheme.codeAtEnd ? surroundedBy({}, {*end, source}) : surroundedBy({source}, {*end});
    PostProcessor targetSide = surroundedBy({}, {*end});
    languages.decoderStart.reset();
    languages.forcedFirst.reset();
    if (!languages.target.empty()) {
        const TokenId target = requireLanguage(*tokenizer, scheme, languages.target);
        if (scheme.startsDecoder) {
            languages.decoderStart = target;
        } else {
            languages.forcedFirst = target;
            targetSide = surroundedBy({target}, {*end});
        }
    }
    return {tokenizer->with(sourceSide), tokenizer->with(targetSide), std::move(languages)};
}

} // namespace

std::vector<std::string> LanguageScheme::published() const
{
    std::vector<std::string> result;
    for (const std::string_view part : codes) {
        std::istringstream words{std::string(part)};
        for (std::string code; words >> code;)
            result.push_back(code);
    }
    return result;
}

std::string LanguageScheme::token(std::string_view code) const
{
    return byVocabulary ? fmt::format("__{}__", code) : std::string(code);
}

const LanguageScheme mbartLanguages{{mbartCodes}, "en_XX", false, true, true};
const LanguageScheme mbart50Languages{{mbartCodes, mbart50MoreCodes}, "gl_ES"};
const LanguageScheme m2m100Languages{
    {m2m100Codes}, "__en__", true, false, false, &wmt21Languages, [](const TokenizerConfig& config) {
        return config.text("language_codes") == "wmt21";
    }};
const LanguageScheme nllbLanguages{
    {nllbCodes}, "eng_Latn", false, false, false, &legacyNllbLanguages, [](const TokenizerConfig& config) {
        return config.flag("legacy_behaviour", false);
    }};

std::string languageName(std::string_view code, Translate translate)
{
    const icu::Locale locale(std::string(code.substr(0, code.find('_'))).c_str());
    icu::UnicodeString name;
    // A translation of the program says which language it is in.
    locale.getDisplayLanguage(icu::Locale(translate("language", "en").c_str()), name);
    std::string text;
    name.toUTF8String(text);
    return text.empty() || text == locale.getLanguage() ? std::string(code) : text;
}

Tokenizers withConfiguredLanguages(const std::shared_ptr<const PipelineTokenizer>& tokenizer,
                                   const TokenizerConfig& config, const LanguageScheme& scheme)
{
    Languages languages;
    languages.scheme = &scheme;
    for (std::string& code : scheme.published())
        if (tokenizer->find(scheme.token(code)))
            languages.codes.push_back(std::move(code));
    if (languages.codes.empty())
        return {tokenizer, tokenizer, std::nullopt};
    languages.source = config.text("src_lang");
    for (const char* english : {"en_XX", "en", "eng_Latn"})
        if (languages.source.empty() && std::ranges::find(languages.codes, english) != languages.codes.end())
            languages.source = english;
    if (languages.source.empty())
        languages.source = languages.codes.front();
    languages.target = configuredTarget(*tokenizer, config, languages);
    return multilingualTokenizers(tokenizer, std::move(languages));
}

Tokenizers chooseLanguages(const Tokenizers& tokenizers, const std::string& source, const std::string& target)
{
    const auto tokenizer = std::dynamic_pointer_cast<const PipelineTokenizer>(tokenizers.source);
    if (!tokenizers.languages || !tokenizer)
        throw Error(ErrorKind::Input, "language", "this model has no languages to choose from");
    Languages languages = *tokenizers.languages;
    languages.source = source;
    languages.target = target;
    return multilingualTokenizers(tokenizer, std::move(languages));
}

} // namespace attn
