// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/unicode/regex.h"

#include <functional>
#include <string>
#include <vector>

namespace attn {

// Turns pieces back into text, in place: one text per piece, possibly only part of a character. The steps are those of
// Hugging Face's `tokenizers`, under the same names.
using TokenDecoder = std::function<void(std::vector<std::string>&)>;

struct StripDecoding
{
    std::string content; // a character
    int start = 0; // at most so many are removed in front
    int stop = 0; // and behind
    bool fused = false; // of the whole text, not of every piece
};

TokenDecoder decoderSequence(std::vector<TokenDecoder> steps);
TokenDecoder byteLevelDecoder();
TokenDecoder byteFallbackDecoder();
TokenDecoder wordPieceDecoder(std::string continuation, bool cleanup);
TokenDecoder metaspaceDecoder(const std::string& replacement, bool dropsFirst);
TokenDecoder wordEndDecoder(const std::string& suffix);
TokenDecoder replaceDecoder(Regex pattern, std::string content);
TokenDecoder stripDecoder(StripDecoding options);
TokenDecoder spaceDecoder(); // blanks between pieces

} // namespace attn
