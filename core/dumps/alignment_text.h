// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dumps/dump.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Parts of a text between separators; without `keepEmpty`, empty ones are left out.
enum class EmptyParts : std::uint8_t { Kept, LeftOut };
std::vector<std::string_view> partsOf(std::string_view text, std::string_view separator, EmptyParts empty);
std::vector<std::string> wordsOf(std::string_view text); // between blanks
std::vector<std::string_view> linesOf(std::string_view text);

// One link of a hard alignment, counted from 0.
struct WordLink
{
    std::size_t source = 0;
    std::size_t target = 0;
};
// "0-0 1-2", source first; none for another text. Scores behind a link ("1-2:0.9") are left out.
std::optional<std::vector<WordLink>> hardAlignment(std::string_view text);
// Rows of weights, one a target token: values between commas and rows between blanks (Marian, fairseq), or values
// between blanks and rows between semicolons (OpenNMT-tf); none for another text.
std::optional<DumpedMaps> softAlignment(std::string_view text);

// A sentence of an alignment; texts whose tokens do not fit, such as detokenized ones, name none. Throws Error{Format}.
DumpedSentence aligned(const std::vector<WordLink>& links, std::vector<std::string> source,
                       std::vector<std::string> target, const std::string& where);
DumpedSentence aligned(DumpedMaps maps, std::vector<std::string> source, std::vector<std::string> target);

} // namespace attn
