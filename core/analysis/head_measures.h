// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/head_table.h"
#include "analysis/output_change.h"
#include "tensor/number_view.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// A head, with what becomes of the output without it where that is known.
struct DescribedHead
{
    HeadRow row;
    OutputChange without = {};
};

// A number that a head is described by: a column of the table of heads, and what an overview sorts and labels by.
struct HeadMeasure
{
    const char* id; // in files and on the command line
    const char* title; // in lists, for translation in the context "attn::ui"
    const char* help; // likewise, a sentence without a full stop
    double (*value)(const DescribedHead& head); // NaN: means nothing here, is not known, or weights are NaN
    // Likewise, nothing for NaN.
    std::optional<double> known(const DescribedHead& head) const
    {
        const double number = value(head);
        return std::isnan(number) ? std::nullopt : std::optional(number);
    }
    bool ofAblation = false; // known once the model has run without the head
    bool isShare = true; // between 0 and 1
};

// Measures in the order of the table.
std::span<const HeadMeasure> headMeasures();

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

// Part of a head that is compared with other heads: its rows as distributions, negative weights as 0. Of a long text at
// most 32 rows; of many columns those near the diagonal and the first one by one, the others in 16 intervals.
struct HeadSketch
{
    int rows = 0; // of the whole map
    int columns = 0;
    std::vector<float> cells;
    double entropy = 0; // of all rows, nats
    int compared = 0; // rows
};
HeadSketch headSketch(NumberView weights);

// The Jensen-Shannon divergence of their rows, the mean over rows, in nats: 0 for equal heads, ln 2 at most, and that
// for maps of different sizes (Clark et al. 2019, section 6).
double headDistance(const HeadSketch& a, const HeadSketch& b);

// Heads that are alike get the same number, from 0 in the order of their first members. Average linkage: the two
// nearest groups become one while they are nearer than 0.1 nats, or while there are more than eight. Throws
// attn::Error{Cancelled} by ThreadStop. More than 1,024 heads are not compared and are one group.
std::vector<int> groupHeads(const std::vector<HeadSketch>& heads);

} // namespace attn
