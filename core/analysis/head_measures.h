// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/head_table.h"
#include "analysis/output_change.h"

#include <cmath>
#include <optional>
#include <span>

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

} // namespace attn
