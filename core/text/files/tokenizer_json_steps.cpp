// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/tokenizer_json.h"
#include "text/json_spec.h"
#include "text/unicode/character_map.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace attn {

namespace {

// {"String": "..."} or {"Regex": "..."}.
Regex readPattern(const JsonSpec& spec)
{
    const JsonSpec pattern = spec.object("pattern");
    if (pattern.has("String"))
        return Regex::literal(pattern.text("String"));
    if (pattern.has("Regex"))
        return {pattern.text("Regex"), spec.where()};
    spec.refuse("pattern", "a String or a Regex");
}

SplitBehavior readBehavior(const JsonSpec& spec, const std::string& fallback)
{
    const std::string name = spec.textOr("behavior", fallback);
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
    spec.unsupported("behavior", name);
}

// Older files have add_prefix_space, newer ones prepend_scheme.
PrependScheme readPrependScheme(const JsonSpec& spec)
{
    if (!spec.has("prepend_scheme"))
        return spec.flag("add_prefix_space", true) ? PrependScheme::Always : PrependScheme::Never;
    const std::string name = spec.text("prepend_scheme");
    if (name == "always")
        return PrependScheme::Always;
    if (name == "first")
        return PrependScheme::First;
    if (name == "never")
        return PrependScheme::Never;
    spec.unsupported("prepend_scheme", name);
}

template<class Step, class Read>
std::vector<Step> readSteps(const JsonSpec& spec, std::string_view field, Read read)
{
    std::vector<Step> steps;
    for (const JsonSpec& step : spec.objects(field))
        steps.push_back(read(step));
    return steps;
}

Normalizer readBertNormalizer(const JsonSpec& spec)
{
    BertNormalization options;
    options.cleanText = spec.flag("clean_text", true);
    options.separateChinese = spec.flag("handle_chinese_chars", true);
    options.lowercase = spec.flag("lowercase", true);
    options.stripAccents = spec.flag("strip_accents", options.lowercase);
    return bertNormalizer(options);
}

TokenDecoder readStrip(const JsonSpec& spec, bool fused)
{
    constexpr auto most = std::numeric_limits<int>::max();
    return stripDecoder({spec.text("content"), static_cast<int>(spec.integer("start", 0, most)),
                         static_cast<int>(spec.integer("stop", 0, most)), fused});
}

TokenDecoder readDecoderSequence(const JsonSpec& spec)
{
    std::vector<TokenDecoder> steps;
    bool fused = false;
    for (const JsonSpec& step : spec.objects("decoders")) {
        const std::string type = step.text("type");
        if (type == "Fuse")
            fused = true;
        else
            steps.push_back(type == "Strip" ? readStrip(step, fused) : readTokenDecoder(step));
    }
    return decoderSequence(std::move(steps));
}

} // namespace

Normalizer readNormalizer(const JsonSpec& spec)
{
    const std::string type = spec.text("type");
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
        return stripNormalizer(spec.flag("strip_left", true), spec.flag("strip_right", true));
    if (type == "StripAccents")
        return stripAccentsNormalizer();
    if (type == "Replace")
        return replaceNormalizer(readPattern(spec), spec.text("content"));
    if (type == "Prepend")
        return prependNormalizer(spec.text("prepend"));
    if (type == "Nmt")
        return nmtNormalizer();
    if (type == "ByteLevel")
        return byteLevelNormalizer();
    if (type == "Precompiled") // null where the model was trained without
        return spec.textOr("precompiled_charsmap", {}).empty()
            ? normalizerSequence({})
            : precompiledNormalizer(std::make_shared<const CharacterMap>(
                CharacterMap::fromBase64(spec.text("precompiled_charsmap"), spec.where())));
    spec.unsupported("normalizer", type);
}

PreTokenizer readPreTokenizer(const JsonSpec& spec)
{
    const std::string type = spec.text("type");
    if (type == "Sequence")
        return preTokenizerSequence(readSteps<PreTokenizer>(spec, "pretokenizers", readPreTokenizer));
    if (type == "BertPreTokenizer")
        return bertPreTokenizer();
    if (type == "ByteLevel")
        return byteLevelPreTokenizer({spec.flag("add_prefix_space", true), spec.flag("use_regex", true)});
    if (type == "Metaspace")
        return metaspacePreTokenizer(
            {spec.textOr("replacement", "\u2581"), readPrependScheme(spec), spec.flag("split", true)});
    if (type == "Whitespace")
        return whitespacePreTokenizer();
    if (type == "WhitespaceSplit")
        return whitespaceSplitPreTokenizer();
    if (type == "Punctuation")
        return punctuationPreTokenizer(readBehavior(spec, "Isolated"));
    if (type == "Digits")
        return digitsPreTokenizer(spec.flag("individual_digits", false));
    if (type == "CharDelimiterSplit")
        return delimiterPreTokenizer(spec.text("delimiter"));
    if (type == "Split")
        return splitPreTokenizer(readPattern(spec), readBehavior(spec, {}), spec.flag("invert", false));
    spec.unsupported("pre-tokenizer", type);
}

TokenDecoder readTokenDecoder(const JsonSpec& spec)
{
    const std::string type = spec.text("type");
    if (type == "Sequence")
        return readDecoderSequence(spec);
    if (type == "ByteLevel")
        return byteLevelDecoder();
    if (type == "ByteFallback")
        return byteFallbackDecoder();
    if (type == "WordPiece")
        return wordPieceDecoder(spec.textOr("prefix", "##"), spec.flag("cleanup", true));
    if (type == "Metaspace")
        return metaspaceDecoder(spec.textOr("replacement", "\u2581"), readPrependScheme(spec) != PrependScheme::Never);
    if (type == "BPEDecoder")
        return wordEndDecoder(spec.textOr("suffix", "</w>"));
    if (type == "Replace")
        return replaceDecoder(readPattern(spec), spec.text("content"));
    if (type == "Strip")
        return readStrip(spec, false);
    if (type == "Fuse")
        return decoderSequence({});
    spec.unsupported("decoder", type);
}

} // namespace attn
