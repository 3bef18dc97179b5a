// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "trace/trace.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace attn::ui {

// Whether a run has the results of a method, or may still get them.
bool hasReading(const Trace& trace, const char* method);
// A subtitle after the model's name.
QString withModel(const Trace& trace, const QString& text);
// A sentence that says why they are not there.
QString whyNotKept(const char* method, const Trace& trace);

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
