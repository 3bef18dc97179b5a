// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attribution/explained_run.h"
#include "trace/kept_readings.h"

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Arrays by name, and why there are no others.
struct ReadingResults
{
    std::map<std::string, ReadArray> arrays;
    std::map<std::string, std::string> methods; // of the arrays
    std::map<std::string, std::vector<ExplainedOutput>> positions = {}; // of an array's rows; none: those explained
    std::map<std::string, std::string> absent; // methods, with a sentence
    std::vector<std::optional<Completeness>> completeness; // of integrated gradients, by position; none: no such row
};

// A way to read what a run's output depends on: a row of readingMethods().
struct ReadingMethod
{
    const char* id; // of --method
    const char* help; // a line, with the paper
    const char* partOf = ""; // the method of --method that computes this one, too
    bool ofOutput = false; // it explains an output position
    bool ofEach = true; // --of all is defined
    // A sentence that says why the run has no such reading; empty: it has.
    std::string (*lack)(const ExplainedRun& run) = [](const ExplainedRun&) { return std::string(); };
    // Adds its arrays. Throws Error{Input, Resource, Cancelled}.
    void (*compute)(ExplainedRun& run, ReadingResults& results);
};

// In the order of the contract.
std::span<const ReadingMethod* const> readingMethods();

// Results of these methods; what one lacks is said in `absent`. Throws Error{Input} as the methods do.
ReadingResults computeReadings(ExplainedRun& run, std::span<const ReadingMethod* const> methods);

// The row of readingMethods() with the id, which is there.
const ReadingMethod& readingMethod(std::string_view id);
// Keeps what the methods gave, or why they gave nothing, as a trace does.
void keep(KeptReadings& kept, const ExplainedRun& run, std::span<const ReadingMethod* const> methods,
          ReadingResults results);

// "readings", "absent" and "completeness" of an archive's metadata, a JSON object.
std::string readingMetadata(const ExplainedRun& run, const ReadingResults& results);

// For methods: a sentence for a model that is no Transformer, empty for one.
std::string transformersOnly(const ExplainedRun& run);
// The same for a run that has no recording.
std::string differentiableOnly(const ExplainedRun& run);
// And for a run whose attention is not from token to token.
std::string differentiableMapsOnly(const ExplainedRun& run);
// "encoder_gradients": of a stage.
std::string stageArray(Stage stage, const char* what);
// The attentions of a stage by layer; of a recurrent model's, one for each row of its one layer.
std::vector<std::vector<const RecordedAttention*>> attentionsOf(const Recording& recording, Stage stage);

// A matrix of output by source tokens that a reading makes of an encoder-decoder's run, as `align` addresses it.
struct ReadingSite
{
    std::string text; // "norms:2:5", "norms:2:sum", "value_zeroing:2", "rollout", "lrp", "input"
    const ReadingMethod* method = nullptr;
    std::string array;
    std::optional<int> layer = {}; // none: the last, or the array has no layers
    std::optional<int> head = {}; // none: the array has no heads
};

// None for a text that begins with no such name. Throws Error{Input} that names `where` for a layer or head that a
// model with so many does not have.
std::optional<ReadingSite> parseReadingSite(std::string_view text, const ModelInfo& info, const std::string& where);

// Names of the sites, for messages.
std::string readingSiteForms();

// All of a model with encoder-decoder attention, whether or not it has the readings: of heads and layers, layer by
// layer, then those of the whole model.
std::vector<ReadingSite> readingSites(const ModelInfo& info);

// [rows, columns] of the site among readings of all positions, negative values as 0; none: they do not have its array.
std::optional<Numbers> matrixOf(const ReadingSite& site, const ReadingResults& results);

} // namespace attn
