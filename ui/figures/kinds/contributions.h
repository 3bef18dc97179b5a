// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

#include <cstdint>
#include <vector>

namespace attn::ui {

// Part of a model, and what it adds to a logit.
struct Contribution
{
    enum class Part : std::uint8_t { Head, FeedForward, Embedding, Rest };

    Site site;
    int head = 0;
    Part part = Part::Head;
    float value = 0;
};

// In the order of the bars; empty: they were not computed.
std::vector<Contribution> contributionsOf(const FigureSpec& spec, const Trace& trace);

} // namespace attn::ui
