// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/kept_readings.h"
#include "trace/trace.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
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

struct Reading;

// The attention of a run that is read.
struct ReadingInput
{
    const Trace& trace;
    Site site;
    std::vector<HeadPlace> heads; // of the site's stage: the one, or those that are combined
    std::optional<StepId> leaf = {};
    const Reading* reading = nullptr; // null: one that needs none of what follows
    std::optional<int> head = {}; // of a reading that has numbers for each head; none: all together
    ReadingAbout about = {};
};

// Heads that a reading is made of.
enum class ReadingOf : std::uint8_t {
    OneHead,
    Heads, // of the layer, or those that were picked
    Layers, // all heads of the layer and of those below it
    EachHead, // one head, or all heads of the layer
    Layer, // the layer as a whole
    Tokens // no layer: what an output token owes to each input token
};

// Numbers of a reading: rows that sum to 1, as the weights of a head do; others from 0; or of both signs.
enum class ReadingValues : std::uint8_t { Distribution, Positive, Signed };

// A reading that a model computes (core/attribution), and where a trace keeps it.
struct ComputedReading
{
    const char* method; // a row of readingMethods()
    const char* array; // its array, after the stage or the side: "norms" of cross_norms, "lrp" of source_lrp
    const char* ofHeads = nullptr; // the array of all heads together; null: their mean
    bool explains = false; // a position of the output
};

// Weights of the heads: each once, where the run does not keep them.
std::size_t costOfMaps(const ReadingInput& input, MatrixShape shape);

// One number for each row and column of a site, made of its maps or kept with the run: a row of readings(). Texts are
// for translation in the context "attn::ui".
struct Reading
{
    const char* id; // in addresses of sites, in settings and archives
    const char* name; // on a button: "Mean"
    const char* title; // "mean over heads", "head %1"
    ReadingOf of = ReadingOf::Heads;
    const char* ofCount = nullptr; // "mean of %1 heads"; null: the title says it
    const char* ofPicked = nullptr; // "mean of %1 picked heads"; null: they are named
    const char* ofNamed = nullptr; // "mean of heads %1"; null: behind the title
    const char* number = nullptr; // one of its numbers, beside colours: "attention weight"; null: the title says it
    ReadingValues values = ReadingValues::Distribution;
    // A sentence without a full stop that says what the run lacks for it; null: it can be computed.
    const char* (*lack)(const ReadingInput& input) = [](const ReadingInput&) -> const char* { return nullptr; };
    // About how many weights are gone through to compute all rows.
    std::size_t (*cost)(const ReadingInput& input, MatrixShape shape) = costOfMaps;
    // A sink's weight in a row of the reading, made of those of the heads; null: the reading has no sinks.
    float (*ofSinks)(std::span<const float> taken) = nullptr;
    // [rows, columns] of the site. Throws Error{Cancelled} by ThreadStop.
    Numbers (*compute)(const ReadingInput& input, RowSpan rows);
    // Rows that it has numbers of, rising, where these may be some; null: all.
    std::vector<Index> (*rowsOf)(const ReadingInput& input) = nullptr;
    const char* meaning = nullptr; // sentences: what its numbers say, and when they mislead
    const char* paper = nullptr; // "Abnar and Zuidema 2020"
    std::optional<ComputedReading> computed = {}; // none: it is made of the run's maps
};

// The lack of a reading that is to be computed first.
extern const char* const notComputed;
// Whether a reading explains positions of the output, one or all.
inline bool explainsOutput(const Reading& reading)
{
    return reading.computed && reading.computed->explains;
}
// The position that a run holds a reading of, where `wanted` is one that it holds none of: the last such position.
ReadingAbout heldAbout(const Trace& trace, const Reading& reading, const ReadingAbout& wanted);
// Names of the arrays, "cross_norms", that a reading of a site is kept in: of one head or of all; empty: the reading is
// not of this attention.
std::string keptArray(const Reading& reading, const Trace& trace, Site site, bool ofHeads = false);
// The row of a site that shows what a reading says of an output position. As attention, that of a text that goes on is
// the row of the token before; a label of a whole text has the row that it is read from, the first or the last.
Index explainedRow(const Trace& trace, Site site, int position);

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
