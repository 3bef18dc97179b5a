// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/npy.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// A position of the output, as `--of` counts it, or a label, that a reading explains, and the token or label that it
// is explained against.
struct ReadingAbout
{
    std::optional<int> of; // none: the reading is not about the output, or the position is still to be chosen
    bool all = false; // every position
    std::optional<int> against;

    friend auto operator<=>(const ReadingAbout&, const ReadingAbout&) = default; // NOLINT(modernize-use-nullptr)
};

// A check of the path of integrated gradients, which has settled where the sum of a position's readings is near what
// is gained of what is explained from the baseline to the text.
struct Completeness
{
    double sum = 0;
    double difference = 0;

    bool settled() const;
};

// An array of a reading, row-major.
struct ReadArray
{
    NpyArray::Shape shape;
    std::vector<float> values;
    std::vector<std::int64_t> whole = {}; // whole numbers, instead of values
    std::vector<std::string> texts = {}; // of tokens that these are, as people read them; empty: not known
    // Further notes of archives, besides the method and the position.
    std::optional<int> steps = {};
    std::string baseline = {};
    std::string erase = {};
    std::optional<Completeness> completeness = {}; // of integrated gradients of one position
    std::string method = {}; // that made it, as `--method` names it
};

// Readings that a model computed of a run, kept with it: of its best output.
struct KeptReadings
{
    // Arrays by name, "cross_gradients", and by subject; those that have numbers for each position have one array for
    // each, [tokens]. Never null.
    std::map<std::pair<std::string, ReadingAbout>, std::shared_ptr<const ReadArray>> arrays;
    std::set<std::pair<std::string, ReadingAbout>> computed; // methods, and what they were computed about
    std::map<std::string, std::string> lacks; // by method: a sentence that says why the run has none

    // Null: it is not there.
    const ReadArray* find(const std::string& name, const ReadingAbout& about = {}) const;
    // Takes these as well. Of large arrays, which are by layer, those about one position are kept.
    void add(const KeptReadings& more);
};

// Whether an array of this name has one number for each token.
bool isOfTokens(std::string_view array);

} // namespace attn
