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

// All that the answers of a batch depend on besides the sentence of each line.
struct AskedOfBatch
{
    Question question; // without a sentence
    std::vector<std::string> files; // that the model was loaded from, each with its size and time
    std::string site; // that is aligned
    std::string computed; // options of `readings` or `heads`; empty: another command
    std::string alignments; // the file; empty: none is written
    std::uint64_t targetsHash = 0; // fnv1a() of --target-lines
};

// A JSON object; bytes that are no UTF-8 are replaced.
std::string askedText(const AskedOfBatch& asked);
// "decode (was "greedy", is "beam"), files": the fields in which two such texts differ. Throws Error{Format} naming
// `where` for what is none.
std::string askedDifferences(const std::string& before, const std::string& now, const std::string& where);
// Beside the unfinished file of this output.
std::filesystem::path askedPath(const std::filesystem::path& output);

// A file that says what is asked, beside the unfinished lines for as long as there are any.
class AskedFile
{
public:
    AskedFile(const std::filesystem::path& output, const std::filesystem::path& alignments); // which may be empty
    ~AskedFile();
    AskedFile(const AskedFile&) = delete;
    AskedFile& operator=(const AskedFile&) = delete;

    void write(const AskedOfBatch& asked);

private:
    std::filesystem::path m_unfinished;
    std::filesystem::path m_unfinishedLinks;
    std::filesystem::path m_path;
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
    bool hasDamage = false; // behind them, where lines are made again
};

// Lines of the unfinished files of a batch, up to the first one that is torn, damaged or has no alignments. A file that
// is not there has no lines. Throws UsageError for a line that answers another sentence, Error{File, Cancelled}.
FinishedLines readFinishedLines(const std::filesystem::path& output,
                                const std::optional<std::filesystem::path>& alignments,
                                std::span<const std::string> sources, const std::stop_token& stop,
                                const char* key = "source", // of the sources in the lines
                                std::span<const double> starts = {}); // of windows of sounds; empty: none

// The same of a command that goes on. Says on standard error which lines are made again. Throws UsageError where
// something else was asked before, too.
FinishedLines resumedLines(const std::filesystem::path& output, const std::optional<std::filesystem::path>& alignments,
                           std::span<const std::string> sources, const AskedOfBatch& asked, const std::stop_token& stop,
                           const char* key = "source", std::span<const double> starts = {});

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
