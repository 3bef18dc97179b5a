// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "inference/run.h"
#include "nn/engine.h"
#include "trace/trace.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace attn::app {

// The options that several commands share (FORMATS.md section 1), as they were typed.

struct InputOptions
{
    std::optional<std::string> text;
    std::optional<std::string> textFile;
    std::optional<std::string> secondText;
    std::optional<std::string> sourceIds;
    std::optional<std::string> sourceSegments;
    std::optional<std::string> target;
    std::optional<std::string> targetIds;

    void addTo(CLI::App& command);
    bool given() const { return text || textFile || secondText || sourceIds || sourceSegments || target || targetIds; }
    // Reads the text file and the ids into a request. Throws UsageError when nothing or too much is given.
    void apply(RunRequest& request) const;
};

struct RunOptions
{
    std::string decode = "greedy";
    std::optional<std::uint64_t> seed;
    double temperature = 1.0;
    int topK = 0;
    double topP = 1.0;
    int maxLength = DecodingOptions().maxLength;
    int generate = 0;
    std::string hard = "argmax";
    std::optional<std::string> sourceLanguage;
    std::optional<std::string> targetLanguage;
    std::string precision = "f32";
    int threads = 0;

    void addTo(CLI::App& command);
    // Throws UsageError for values that make no sense together.
    DecodingOptions decoding() const;
    // Decoding and languages of a request.
    void apply(RunRequest& request) const;
};

struct CaptureOptions
{
    bool logits = false;
    bool hidden = false;
    bool scores = false;

    void addTo(CLI::App& command);
};

// "cross:0:mean" -> site and head.
struct SiteChoice
{
    Site site;
    HeadChoice head;
};
// Throws UsageError. A missing head means head 0.
SiteChoice parseSite(const std::string& text);

// "5,9,2". Throws UsageError naming the option.
std::vector<TokenId> parseIds(const std::string& text, const std::string& option);

// The whole file. Throws Error{File}; Error{Input} beyond 64 MB.
std::string readTextFile(const std::string& path);
std::vector<std::string> readLines(const std::string& path);

// An attention archive instead of a model.
bool isArchive(const std::string& model);

// An option that may be given as an empty text, which is not the same as left out.
CLI::Option* addText(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                     const std::string& description);

struct MadeTrace
{
    Trace trace;
    Site site; // what to show of it first
};

// Loads the model and runs it as asked, or reads the archive. SIGINT ends the run.
MadeTrace makeTrace(const std::string& model, const InputOptions& input, const RunOptions& options,
                    const Capture& capture);

// "f32" or "bf16". Throws UsageError for anything else.
Precision parsePrecision(const std::string& precision);
// Throws UsageError when a model is asked to decode or to continue its input that does not do so.
void checkGenerate(const RunOptions& options, const ModelInfo& info);
// Says on standard error when --generate asks for more than the positions that a prompt of so many tokens leaves.
void notePositions(const RunOptions& options, const ModelInfo& info, std::size_t prompt);

} // namespace attn::app
