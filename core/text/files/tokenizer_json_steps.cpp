// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/json.h"
#include "text/files/tokenizer_json.h"
#include "text/unicode/character_map.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace attn {

namespace {

// {"String": "..."} or {"Regex": "..."}.
Regex readPattern(const JsonObject& spec)
{
    const JsonObject pattern = spec.requireObject("pattern");
    if (pattern.has("String"))
        return Regex::literal(pattern.requireString("String"));
    if (pattern.has("Regex"))
        return {pattern.requireString("Regex"), spec.place()};
    spec.refuse("pattern", "a String or a Regex");
}

SplitBehavior readBehavior(const JsonObject& spec, const std::string& fallback)
{
    const std::string name = spec.stringOr("behavior", fallback);
    if (name == "Removed")
        return SplitBehavior::Removed;
    if (name == "Isolated")
        return SplitBehavior::Isolated;
    if (name == "MergedWithPrevious")
        return SplitBehavior::MergedWithPrevious;
    if (name == "MergedWithNext")
        return SplitBehavior::MergedWithNext;
    if (name == "Contiguous")
        return SplitBehavior::Contiguous;
    refuseStep(spec, "behavior", name);
}

// Older files have add_prefix_space, newer ones prepend_scheme.
PrependScheme readPrependScheme(const JsonObject& spec)
{
    if (!spec.has("prepend_scheme"))
        return spec.boolOr("add_prefix_space", true) ? PrependScheme::Always : PrependScheme::Never;
    const std::string name = spec.requireString("prepend_scheme");
    if (name == "always")
        return PrependScheme::Always;
    if (name == "first")
        return PrependScheme::First;
    if (name == "never")
        return PrependScheme::Never;
    refuseStep(spec, "prepend_scheme", name);
}

template<class Step, class Read>
std::vector<Step> readSteps(const JsonObject& spec, std::string_view field, Read read)
{
    std::vector<Step> steps;
    for (const JsonObject& step : spec.requireObjects(field, mostSteps))
        steps.push_back(read(step));
    return steps;
}

Normalizer readBertNormalizer(const JsonObject& spec)
{
    BertNormalization options;
    options.cleanText = spec.boolOr("clean_text", true);
    options.separateChinese = spec.boolOr("handle_chinese_chars", true);
    options.lowercase = spec.boolOr("lowercase", true);
    options.stripAccents = spec.boolOr("strip_accents", options.lowercase);
    return bertNormalizer(options);
}

TokenDecoder readStrip(const JsonObject& spec, bool fused)
{
    constexpr auto most = std::numeric_limits<int>::max();
    return stripDecoder(
        {spec.requireString("content"), spec.requireInt("start", 0, most), spec.requireInt("stop", 0, most), fused});
}

TokenDecoder readDecoderSequence(const JsonObject& spec)
{
    std::vector<TokenDecoder> steps;
    bool fused = false;
    for (const JsonObject& step : spec.requireObjects("decoders", mostSteps)) {
        const std::string type = step.requireString("type");
        if (type == "Fuse")
            fused = true;
        else
            steps.push_back(type == "Strip" ? readStrip(step, fused) : readTokenDecoder(step));
    }
    return decoderSequence(std::move(steps));
}

} // namespace

Normalizer readNormalizer(const JsonObject& spec)
{
    const std::string type = spec.requireString("type");
    if (type == "Sequence")
        return normalizerSequence(readSteps<Normalizer>(spec, "normalizers", readNormalizer));
    if (type == "BertNormalizer")
        return readBertNormalizer(spec);
    if (type == "NFC")
        return unicodeNormalizer(UnicodeForm::NFC);
    if (type == "NFD")
        return unicodeNormalizer(UnicodeForm::NFD);
    if (type == "NFKC")
        return unicodeNormalizer(UnicodeForm::NFKC);
    if (type == "NFKD")
        return unicodeNormalizer(UnicodeForm::NFKD);
    if (type == "Lowercase")
        return lowercaseNormalizer();
    if (type == "Strip")
        return stripNormalizer(spec.boolOr("strip_left", true), spec.boolOr("strip_right", true));
    if (type == "StripAccents")
        return stripAccentsNormalizer();
    if (type == "Replace")
        return replaceNormalizer(readPattern(spec), spec.requireString("content"));
    if (type == "Prepend")
        return prependNormalizer(spec.requireString("prepend"));
    if (type == "Nmt")
        return nmtNormalizer();
    if (type == "ByteLevel")
        return byteLevelNormalizer();
    if (type == "Precompiled") // null where the model was trained without
        return spec.stringOr("precompiled_charsmap", {}).empty()
            ? normalizerSequence({})
            : precompiledNormalizer(std::make_shared<const CharacterMap>(
                CharacterMap::fromBase64(spec.requireString("precompiled_charsmap"), spec.place())));
    refuseStep(spec, "normalizer", type);
}

PreTokenizer readPreTokenizer(const JsonObject& spec)
{
    const std::string type = spec.requireString("type");
    if (type == "Sequence")
        return preTokenizerSequence(readSteps<PreTokenizer>(spec, "pretokenizers", readPreTokenizer));
    if (type == "BertPreTokenizer")
        return bertPreTokenizer();
    if (type == "ByteLevel")
        return byteLevelPreTokenizer({spec.boolOr("add_prefix_space", true), spec.boolOr("use_regex", true)});
    if (type == "Metaspace")
        return metaspacePreTokenizer(
            {spec.stringOr("replacement", "\u2581"), readPrependScheme(spec), spec.boolOr("split", true)});
    if (type == "Whitespace")
        return whitespacePreTokenizer();
    if (type == "WhitespaceSplit")
        return whitespaceSplitPreTokenizer();
    if (type == "Punctuation")
        return punctuationPreTokenizer(readBehavior(spec, "Isolated"));
    if (type == "Digits")
        return digitsPreTokenizer(spec.boolOr("individual_digits", false));
    if (type == "CharDelimiterSplit")
        return delimiterPreTokenizer(spec.requireString("delimiter"));
    if (type == "Split")
        return splitPreTokenizer(readPattern(spec), readBehavior(spec, {}), spec.boolOr("invert", false));
    refuseStep(spec, "pre-tokenizer", type);
}

TokenDecoder readTokenDecoder(const JsonObject& spec)
{
    const std::string type = spec.requireString("type");
    if (type == "Sequence")
        return readDecoderSequence(spec);
    if (type == "ByteLevel")
        return byteLevelDecoder();
    if (type == "ByteFallback")
        return byteFallbackDecoder();
    if (type == "WordPiece")
        return wordPieceDecoder(spec.stringOr("prefix", "##"), spec.boolOr("cleanup", true));
    if (type == "Metaspace")
        return metaspaceDecoder(spec.stringOr("replacement", "\u2581"),
                                readPrependScheme(spec) != PrependScheme::Never);
    if (type == "BPEDecoder")
        return wordEndDecoder(spec.stringOr("suffix", "</w>"));
    if (type == "Replace")
        return replaceDecoder(readPattern(spec), spec.requireString("content"));
    if (type == "Strip")
        return readStrip(spec, false);
    if (type == "Fuse")
        return decoderSequence({});
    refuseStep(spec, "decoder", type);
}

} // namespace attn
