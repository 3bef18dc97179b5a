// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/study.h"

#include <optional>
#include <string>

namespace attn::ui {

// A text on show with the model's mask in place of one of its words.
struct MaskedWord
{
    std::string text; // of the sentence that the word stands in
    bool inSecond = false; // of a pair
    int masksBefore = 0; // in both sentences
};

// The word that a token of the run on show belongs to; none where it is masked already, or nothing can be.
std::optional<MaskedWord> maskedWord(const Study& study, std::optional<int> token);

} // namespace attn::ui
