// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace attn {

// Statement of a family of models about the files of its tokenizer (resources/documentation/formats.md).
struct TextFiles
{
    enum class Kind : std::uint8_t {
        HuggingFace, // tokenizer.json, or the files of a class of tokenizers
        Marian, // a SentencePiece model for each side and the ids of its pieces
        EncoderDecoder, // a SentencePiece model of both sides, or a list of words for each
        Caption, // the same of what is written alone
        OneText, // one of these for a single text
        Sentences // the same, read sentence by sentence
    };

    Kind kind = Kind::HuggingFace;
    std::string_view tokenizerClass = {}; // of files that name none; empty: these are not read
    std::string_view multilingualClass = {}; // of those that name another, or none beside a vocab.json
};

// Files for a model_type of config.json, also for an unknown one.
using TextFilesOf = TextFiles (*)(std::string_view modelType);

} // namespace attn
