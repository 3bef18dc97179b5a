// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/site.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// Tokens with a job of their own in a model that writes down what it hears (Radford et al. 2023), and how the times of
// its words are found.
struct Speech
{
    std::map<std::string, TokenId> languages; // by code, "fr"; empty: one language, which is not named
    std::map<std::string, TokenId> tasks; // "transcribe", "translate"
    bool multilingual = false; // language and task stand at the head of an output
    TokenId textEnd = 0; // the end token: text lies below it
    TokenId withoutTimes = 0; // says that no times are written; times are the tokens above it, 0.02 s apart
    std::optional<int> latestFirst; // number of the last time that an output may begin with
    std::vector<TokenId> notFirst; // tokens that are not produced right behind the prompt
    std::vector<std::pair<Site, int>> alignmentHeads; // layer and head of cross attention that follows the words
    int medianWidth = 7; // of the filter over their weights in time

    bool isTime(TokenId token) const { return token > withoutTimes; }
    // Seconds that a token says which is a time.
    double seconds(TokenId token) const { return 0.02 * (token - withoutTimes - 1); }
    // Number of tokens at the head of a given output that are its prompt.
    int promptLength(std::span<const TokenId> output) const
    {
        const auto end = std::ranges::find_if(output, [this](TokenId id) { return id <= textEnd || isTime(id); });
        return static_cast<int>(end - output.begin());
    }
};

} // namespace attn
