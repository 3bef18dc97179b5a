// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/subword_model.h"
#include "text/unicode/character_map.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace attn {

// Contents of a SentencePiece model file, a protocol buffer message of type ModelProto.
struct SentencePieceFile
{
    enum class Algorithm : std::uint8_t { Unigram = 1, Bpe, Word, Character };

    struct Normalization
    {
        std::optional<CharacterMap> map;
        bool addsPrefix = true; // a blank in front of the text
        bool dropsBlanks = true; // at both ends, and all but the first of several
        bool marksBlanks = true; // as U+2581
        bool marksWordEnds = false; // the added blank stands behind the text
    };

    ScoredPieces pieces;
    Algorithm algorithm = Algorithm::Unigram;
    bool spellsBytes = false; // unknown characters become the pieces of their bytes
    std::string unknown = "<unk>";
    std::string begin = "<s>";
    std::string end = "</s>";
    std::string padding = "<pad>";
    std::string unknownText = " \u2047 "; // that the unknown piece is read as
    Normalization normalizer;
    Normalization denormalizer; // of text made from pieces; unused without a map
};

// Throws Error{Format, Resource} naming `where`.
SentencePieceFile readSentencePieceFile(std::span<const std::byte> message, const std::string& where);

} // namespace attn
