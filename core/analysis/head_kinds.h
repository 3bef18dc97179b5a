// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/head_table.h"

#include <cstdint>
#include <optional>
#include <span>

namespace attn {

// Kind of a head: what it clearly does.
enum class HeadKind : std::uint8_t { Previous, Next, Self, First, SameToken, Induction, Special, Broad };

struct HeadKindRow
{
    const char* title; // for translation in the context "attn::ui"
    const char* mark; // where there is no room for the title
    const char* rule; // likewise for translation, and with the paper: from when on
};

// Rows in the order of HeadKind.
std::span<const HeadKindRow> headKindRows();

// Means from which on a head is of a kind. Clark et al. 2019 ("What does BERT look at?", section 3) call heads after a
// place, or after separators, that have more than half of their attention there, and broad those with a high entropy;
// how high is ours, by the evenness of rows with several keys, so that it hangs neither on the length nor on the first
// rows of causal maps. Heads of the same word: Vig 2019 ("A multiscale visualization of attention in the Transformer
// model"); induction heads: Olsson et al. 2022 ("In-context learning and induction heads"). A share gives a name only
// where it is larger than with the tokens of each row in random order.
inline constexpr double kindShare = 0.5;
inline constexpr double broadEvenness = 0.95;
inline constexpr int kindRows = 4; // fewer rows say nothing; of broad heads, fewer with wideKeys keys
inline constexpr int sameTokenRows = 2; // that have an equal token elsewhere

// None: no kind, or several.
std::optional<HeadKind> headKind(const HeadRow& row);

} // namespace attn
