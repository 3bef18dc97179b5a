// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attn {

// One head of a stage's attention.
struct HeadPlace
{
    int layer = 0;
    int head = 0;

    friend auto operator<=>(const HeadPlace&, const HeadPlace&) = default; // NOLINT(modernize-use-nullptr)
};

// The attention of a run that is read.
struct ReadingInput
{
    const Trace& trace;
    Site site;
    std::vector<HeadPlace> heads; // of the site's stage: the one, or those that are combined
    std::optional<StepId> leaf = {};
};

// Heads that a reading is made of.
enum class ReadingOf : std::uint8_t {
    OneHead,
    Heads, // of the layer, or those that were picked
    Layers // all heads of the layer and of those below it
};

// Numbers of a reading: rows that sum to 1, as the weights of a head do; others from 0; or of both signs.
enum class ReadingValues : std::uint8_t { Distribution, Positive, Signed };

// One number for each row and column of a site, made of its maps: a row of readings(). Texts are for translation in the
// context "attn::ui".
struct Reading
{
    const char* id; // in addresses of sites, in settings and archives
    const char* name; // on a button: "Mean"
    const char* title; // "mean over heads", "head %1"
    ReadingOf of = ReadingOf::Heads;
    const char* ofCount = nullptr; // "mean of %1 heads"; null: the title says it
    const char* ofPicked = nullptr; // "mean of %1 picked heads"
    const char* ofNamed = nullptr; // "mean of heads %1"
    ReadingValues values = ReadingValues::Distribution;
    // A sentence without a full stop that says what the run lacks for it; null: it can be computed.
    const char* (*lack)(const ReadingInput& input) = [](const ReadingInput&) -> const char* { return nullptr; };
    // About how many weights are gone through to compute all rows.
    std::size_t (*cost)(const ReadingInput& input, MatrixShape shape);
    // A sink's weight in a row of the reading, made of those of the heads; null: the reading has no sinks.
    float (*ofSinks)(std::span<const float> taken) = nullptr;
    // [rows, columns] of the site. Throws Error{Cancelled} by ThreadStop.
    Numbers (*compute)(const ReadingInput& input, RowSpan rows);
};

// Whether the reading has sinks, which take a part of each row.
bool hasSinks(const Reading& reading, const ReadingInput& input);
// The reading's numbers, with a column of the sinks' weights before those of the tokens where it has sinks.
Numbers computeWithSinks(const Reading& reading, const ReadingInput& input, RowSpan rows);

// In the order in which they are offered. The first is that of one head.
std::span<const Reading* const> readings();
extern const Reading oneHead;
extern const Reading meanOfHeads;
extern const Reading maximumOfHeads;

} // namespace attn
