// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/exit_status.h"
#include "base/error.h"
#include "base/index.h"
#include "base/option_row.h"
#include "base/seen_file.h"
#include "inference/answer.h"
#include "nn/engine.h"
#include "question/command_line.h"
#include "question/question.h"
#include "readings/head_reading.h"
#include "session/session.h"
#include "trace/trace.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attn::app {

inline constexpr OptionGroup everyOption[] = {OptionGroup::Input, OptionGroup::Edits, OptionGroup::Run,
                                              OptionGroup::Capture};
inline constexpr std::span<const OptionGroup> inputAndRun = std::span(everyOption).first(3);
inline constexpr std::span<const OptionGroup> editAndRun = inputAndRun.last(2);
inline constexpr std::span<const OptionGroup> runOnly = inputAndRun.last(1);

// A question as it is typed: its rows are the options, and what the command line has besides.
struct RunRequest
{
    Question question;
    std::optional<std::string> textFile;
    std::optional<int> run; // of a session
    int threads = 0;
    WeightStorage weights = WeightStorage::Automatic;

    // Must stay where it is while the command line is parsed. Values beyond their limits throw UsageError.
    void addTo(CLI::App& command, std::span<const OptionGroup> groups);
    bool hasInput() const;
    bool hasPrefix() const { return has("prefix") || has("prefix-ids"); }
    // Reads the text file. Throws UsageError when nothing or too much is given.
    void completeInput();
    // Throws UsageError for a prefix that is given twice, or beside a whole output.
    void checkPrefix(bool wholeOutput) const;
    // Throws UsageError for what this model cannot do.
    void check(const LoadedModel& model) const;

private:
    bool has(std::string_view key) const { return m_given.contains(key); }

    std::set<std::string, std::less<>> m_given; // keys
};

// "cross:0:mean" -> site and head. No text is `best`, with the mean of several heads; a missing head is head 0. Throws
// UsageError for a text that names no site or head; headsOf(site) tells how many there are.
SiteChoice chooseSite(const std::string& text, Site best, const std::function<int(Site)>& headsOf);

// All of a file, or of a pipe until it is closed, without a byte order mark. Throws Error{File}; Error{Input} beyond
// Limit::Text.
std::string readTextFile(const std::string& path);
std::vector<std::string> readLines(const std::string& path); // Throws Error{Input} beyond Limit::Lines, too

// An error in what an option was given means that the command line was wrong: it is thrown on as UsageError.
template<class Read>
auto readGiven(const Read& read)
{
    try {
        return read();
    } catch (const Error& error) {
        throw UsageError(std::string("--") + error.what());
    }
}

// Throws UsageError.
void requireUtf8Option(std::string_view key, std::string_view text);

// The option of a row, which calls `given` with the row's key once it has read a value. Both must stay where they are
// while the command line is parsed.
template<class Owner, class Given>
void addOption(CLI::App& command, const OptionRow<Owner>& row, Owner& owner, Given given)
{
    const std::string name = std::string("--") + row.key;
    const auto take = [&row, &owner, given](const std::string& text) {
        requireUtf8Option(row.key, text);
        readGiven([&] {
            if (row.parse != nullptr)
                row.parse(owner, text);
            else
                setOption(row, owner, text);
        });
        given(row.key);
    };
    if (row.isFlag()) {
        command.add_flag_callback(
            name, [take] { take("true"); }, row.help);
        return;
    }
    if (row.isRepeated()) {
        command
            .add_option(
                name,
                [take](const CLI::results_t& texts) {
                    std::ranges::for_each(texts, take);
                    return true;
                },
                row.help)
            ->type_name(valueName(row))
            ->expected(1, -1) // as often as wanted
            ->allow_extra_args(false); // each time one
        return;
    }
    const bool limited =
        std::holds_alternative<int Owner::*>(row.member) || std::holds_alternative<double Owner::*>(row.member);
    command
        .add_option_function<std::string>(name, take,
                                          limited ? row.help + (" (" + rangeText(row.limits) + ')') : row.help)
        ->type_name(valueName(row))
        ->default_str(optionText(row, owner).value_or(std::string()));
}

// Whether MODEL is something that was run: an archive or a session.
bool holdsRuns(const std::string& model);

// --run N, and the run of a session that is meant; without a number the one on show. Throws UsageError for another.
void addRun(CLI::App& command, std::optional<int>& run);
const SessionRun& chosenRun(const Session& session, const std::optional<int>& run);

// --leaf N, and the hypothesis that is meant. Throws UsageError for a step that the run has not.
void addLeaf(CLI::App& command, std::optional<int>& leaf);
std::optional<StepId> chosenLeaf(const Trace& trace, const std::optional<int>& leaf);

// Where the answer comes from, for a command that asks again from another folder.
RunOrigin originOf(const RunRequest& request);

// The positional MODEL.
void addModel(CLI::App& command, std::string& model, const std::string& description);

// Check of options that CLI11 reads as whole numbers, for which 010 is 8 and 0x8, too.
CLI::Validator decimal();

// --threads, 0 unless it is given, and --weights.
void addEngineOptions(CLI::App& command, int& threads, WeightStorage& weights);

// An option that may be given as an empty text, which is not the same as left out.
CLI::Option* addText(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                     const std::string& description);

// The same question with one more edit.
struct OtherRun
{
    Trace trace;
    OutputScore askedUnderIt; // what was asked without the edit; both are empty where they are not wanted
    OutputScore itUnderAsked;
};

struct MadeTrace
{
    Trace trace;
    Site site; // what to show of it first
    std::optional<OtherRun> other = {};
    std::vector<SeenFile> weightFiles = {}; // of the model that was run
    std::string weightsSha256 = {}; // that a session names
    std::string name = {}; // that the run of a session was given
    ReadingAbout about = {}; // what its readings explain
};

// Readings that are computed of a run and kept with it: methods, and what they explain.
struct ReadingRequest
{
    std::vector<std::string> methods;
    ReadingAbout about;
};

// --against-edit, and whether the outputs of the two are to be seen by each other's question.
struct ComparisonRequest
{
    std::string edit;
    bool scores = false;
};

// Decodes pictures with Qt; empty where the program was built without it.
ReadPicture pictureReader();

// Loads the model and runs it as asked, or reads the archive or session, which has the readings that were kept with it.
// SIGINT ends the run.
MadeTrace makeTrace(RunRequest& request, const std::optional<ComparisonRequest>& other = {},
                    const ReadingRequest& readings = {});
// The trace of an archive, or of a run of a session.
MadeTrace storedTrace(const std::string& path, const std::optional<int>& run = {});

// Says on standard error when --generate asks for more than the positions that a prompt of so many tokens leaves.
void notePositions(const Question& question, const ModelInfo& info, Index prompt);

// The values of an option that takes one of a few; empty for other options. The option's check, its help and the
// shell's completion read them here.
std::vector<std::string> choices(std::string_view option);
// The same as a help text: "light or dark".
std::string choicesText(std::string_view option);

// JSON for standard output and for lines in files: bytes that are not UTF-8 are replaced, and what a terminal would
// obey is spelled out. indent: how far a level is moved in; below 0 all is on one line.
std::string jsonText(const nlohmann::ordered_json& json, int indent = -1);

} // namespace attn::app
