// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/atomic_file.h"
#include "loading/model_loader.h"
#include "question/question.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attn::app {

// Record of all that the answers of a batch depend on besides the sentence of each line.
struct AskedOfBatch
{
    std::string program; // its version
    Question question; // without a sentence
    std::vector<std::string> files; // that the model was loaded from, each with its size and time
    std::string site; // that is aligned
    std::string computed; // options of `readings` or `heads`; empty: another command
    std::string alignments; // the file, from the output's folder; empty: none is written
    std::size_t targets = 0; // lines of --target-lines
    std::string targetsHash; // hashOfLines() of them

    friend bool operator==(const AskedOfBatch&, const AskedOfBatch&) = default;
};

// 16 hexadecimal digits.
std::string hashOfLines(std::span<const std::string> lines);

// A JSON object; bytes that are no UTF-8 are replaced.
std::string askedText(const AskedOfBatch& asked);
// Throws Error{Format, Input} naming `where` and the field.
AskedOfBatch parseAsked(std::string_view text, const std::string& where);
// Beside the unfinished file of this output. Throws Error{File}, too.
std::filesystem::path askedPath(const std::filesystem::path& output);
AskedOfBatch readAsked(const std::filesystem::path& output);

// A file that says what is asked, beside the unfinished lines for as long as there are any.
class AskedFile
{
public:
    AskedFile(const std::filesystem::path& output, const std::filesystem::path& alignments); // which may be empty
    ~AskedFile();
    AskedFile(const AskedFile&) = delete;
    AskedFile& operator=(const AskedFile&) = delete;

    // Without lines yet, it goes with the empty file of them when a signal ends the program.
    void write(const AskedOfBatch& asked, bool hasLines);
    // Before the first line is written.
    void keep() { m_removed.reset(); }

private:
    std::filesystem::path m_unfinished;
    std::filesystem::path m_unfinishedLinks;
    std::filesystem::path m_path;
    std::optional<RemovedOnSignals> m_removed;
};

// The files of a loaded model, each with its size and time.
std::vector<std::string> describedFiles(const LoadedModel& model);

// A line of the output, with its end; bytes that are no UTF-8 are replaced.
std::string answerText(const nlohmann::ordered_json& answer);

// Lines that an interrupted batch has finished.
struct FinishedLines
{
    std::size_t lines = 0;
    std::size_t failed = 0; // of them
    std::uint64_t outputBytes = 0; // that they take
    std::uint64_t alignmentBytes = 0;
    std::size_t dropped = 0; // whole lines of the output behind them, which are to be made again
    std::string reason; // why: "line 3 of out.jsonl.part is damaged"
};

// Of the unfinished files of a batch, read in pieces, up to the first line that is damaged or has no alignments. What
// is behind the end of the last line was not finished. A file that is not there has no lines. Throws UsageError for a
// line that answers another sentence, Error{File}, Error{Format} beyond Limit::Unfinished, Error{Cancelled}.
FinishedLines readFinishedLines(const std::filesystem::path& output,
                                const std::optional<std::filesystem::path>& alignments,
                                std::span<const std::string> sources, const std::stop_token& stop,
                                const char* key = "source", // of the sources in the lines
                                std::span<const double> starts = {}); // of windows of sounds; empty: none

// The same of a command that goes on, which asks asked(before). Says on standard error which lines are made again.
// Throws UsageError where something else was asked before, too.
FinishedLines resumedLines(const std::filesystem::path& output, const std::optional<std::filesystem::path>& alignments,
                           std::span<const std::string> sources,
                           const std::function<AskedOfBatch(const AskedOfBatch& before)>& asked,
                           const std::stop_token& stop, const char* key = "source",
                           std::span<const double> starts = {});

// A command that writes a JSON object for each line of a file and can go on where it was interrupted.
struct JsonLines
{
    std::vector<std::string> lines;
    std::string output;
    bool resume = false;
    AskedOfBatch asked;
    // Members of a line's object besides "source". What it throws is said in the object, but for Error{Cancelled}.
    std::function<nlohmann::ordered_json(const std::string& line)> answer;
    std::function<void(const nlohmann::ordered_json& object)> written = {}; // takes each, finished ones first
    std::stop_token stop;
};
// Returns how many lines failed, and says on standard error that some did.
std::size_t writeJsonLines(const JsonLines& job);

} // namespace attn::app
