// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/text_files.h"
#include "base/utf8.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Something about each of the tokens that have a job of their own.
template<class Value>
struct Named
{
    Value bos; // begin of sequence
    Value eos; // end of sequence
    Value sep; // BERT's separator
    Value cls; // BERT's first token
    Value mask;
    Value pad;
    Value unk; // stands for text outside the vocabulary

    static constexpr std::array<Value Named::*, 7> members()
    {
        return {&Named::bos, &Named::eos, &Named::sep, &Named::cls, &Named::mask, &Named::pad, &Named::unk};
    }

    // convert(value) for each of them.
    template<class To, class Convert>
    Named<To> mapped(Convert convert) const
    {
        Named<To> result;
        for (std::size_t i = 0; i < members().size(); ++i)
            result.*Named<To>::members()[i] = convert(this->*members()[i]);
        return result;
    }
};

// Their ids, where the tokenizer has them.
using NamedTokens = Named<std::optional<TokenId>>;

// A text's way into ids and back. Immutable. A long text takes its time,
// which ends by ThreadStop.
class Tokenizer : public TokenDescriber
{
public:
    // Text to ids with the model's special tokens (the end token where the model reads one). Throws Error{Input} for
    // text that is not UTF-8.
    virtual Encoding encode(std::string_view text) const = 0;
    // A sentence pair with the model's special tokens; segments tell the two apart, and the encoding's text is both
    // with a line feed between. Throws Error{Input} also when the tokenizer knows no pairs.
    virtual Encoding encodePair(std::string_view first, std::string_view second) const = 0;
    // Readable text of ids, special tokens left out.
    std::string decode(std::span<const TokenId> ids) const { return describe(ids).text; }
    // One line for `info`: "SentencePiece unigram, 8000 pieces".
    virtual std::string description() const = 0;
    virtual NamedTokens namedTokens() const = 0;
    std::optional<TokenId> maskToken() const { return namedTokens().mask; }
};

struct LanguageScheme;

// Name of a language by its code, with or without script and country: "French" of "fr", "fra_Latn" and "fr_XX". The
// code itself where it has none.
std::string languageName(std::string_view code, Translate translate = inEnglish);

// The languages of a multilingual model.
struct Languages
{
    const LanguageScheme* scheme = nullptr; // of its family
    std::vector<std::string> codes; // all of them, as users write them: "en_XX", "fr", "eng_Latn"
    std::string source;
    std::string target; // empty where the files name none
    std::optional<TokenId> decoderStart; // what decoding starts from for this target, where it is not the model's own
    std::optional<TokenId> forcedFirst; // the token that the decoder must produce first
};

// The two sides of an encoder-decoder model; the same object when they share one.
struct Tokenizers
{
    std::shared_ptr<const Tokenizer> source;
    std::shared_ptr<const Tokenizer> target;
    std::optional<Languages> languages; // of multilingual models
};

// The same tokenizers for other languages; an empty target names none. Throws Error{Input} for a language that the
// model does not have.
Tokenizers chooseLanguages(const Tokenizers& tokenizers, const std::string& source, const std::string& target);

// Tokenizers from the files in a directory (resources/documentation/formats.md sections 1 and 2), which needs no
// weights, or from a GGUF file. Both are null when there are no tokenizer files. Throws Error{Format} for broken ones.
Tokenizers loadTokenizers(const std::filesystem::path& directory, TextFilesOf textFilesOf);

} // namespace attn
