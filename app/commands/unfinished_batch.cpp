// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/unfinished_batch.h"

#include "app/exit_status.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "base/progress.h"
#include "base/version.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "io/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iostream>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

namespace attn::app {

namespace {

namespace fs = std::filesystem;

// Limit of the record of what was asked: it has some options and no sentences.
constexpr std::uint64_t mostAsked = std::uint64_t{16} << 20U;

// The whole lines of a file, one after the other.
class LineReader
{
public:
    explicit LineReader(const fs::path& path)
        : m_file(path)
    {
    }

    // False behind the last one.
    bool next()
    {
        const bool isWhole = std::getline(m_file, m_line) && !m_file.eof();
        m_end += isWhole ? m_line.size() + 1 : 0;
        return isWhole;
    }

    const std::string& line() const { return m_line; } // without its end
    std::uint64_t end() const { return m_end; } // in the file

private:
    std::ifstream m_file;
    std::string m_line;
    std::uint64_t m_end = 0;
};

// Beginning of the line that answers a sentence.
std::string startOfAnswer(const char* key, const std::string& source, std::optional<double> second)
{
    nlohmann::ordered_json answer{{key, source}};
    if (second)
        answer["start"] = *second;
    std::string start = answerText(answer);
    start.resize(start.size() - std::string_view("}\n").size());
    return start + ',';
}

// The parser takes a NUL for the end.
bool isAnswer(const std::string& line)
{
    return line.starts_with('{') && line.find('\0') == std::string::npos && nlohmann::json::accept(line);
}

// Values of what was asked, those of the question beside the others.
Json valuesOf(const std::string& text, const std::string& where)
{
    const auto asked = JsonObject::parse(text, where, {.bytes = mostAsked});
    Json values = asked.json();
    values.erase("question");
    values.update(asked.requireObject("question").json());
    return values;
}

} // namespace

std::string askedText(const AskedOfBatch& asked)
{
    Json json;
    json["alignments"] = asked.alignments;
    json["computed"] = asked.computed;
    json["files"] = asked.files;
    json["program"] = programVersion;
    json["question"] = Json::parse(questionText(asked.question));
    json["site"] = asked.site;
    json["targets_fnv1a"] = asked.targetsHash;
    return writtenJson(json) + '\n';
}

std::string askedDifferences(const std::string& before, const std::string& now, const std::string& where)
{
    const Json was = valuesOf(before, where);
    const Json is = valuesOf(now, where);
    Json all = was;
    all.update(is);
    const auto told = [](const Json& value) { return value.is_null() ? "not given" : writtenJson(value); };
    std::vector<std::string> words;
    for (const auto& [key, value] : all.items()) {
        const Json old = was.value(key, Json());
        const Json given = is.value(key, Json());
        if (old != given)
            words.push_back(value.is_primitive() ? fmt::format("{} (was {}, is {})", key, told(old), told(given))
                                                 : key);
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

fs::path askedPath(const fs::path& output)
{
    return unfinishedPath(output) += ".asked";
}

AskedFile::AskedFile(const fs::path& output, const fs::path& alignments)
    : m_unfinished(unfinishedPath(output))
    , m_unfinishedLinks(alignments.empty() ? m_unfinished : unfinishedPath(alignments))
    , m_path(askedPath(output))
{
}

AskedFile::~AskedFile()
{
    std::error_code ignored;
    if (!fs::exists(m_unfinished, ignored) && !fs::exists(m_unfinishedLinks, ignored))
        fs::remove(m_path, ignored);
}

void AskedFile::write(const AskedOfBatch& asked)
{
    AtomicFile file(m_path);
    file.write(askedText(asked));
    file.commit();
}

std::vector<std::string> describedFiles(const LoadedModel& model)
{
    std::vector<std::string> files;
    for (const auto& [path, state] : model.files)
        files.push_back(
            fmt::format("{} {} {}.{:09}", path.filename().string(), state.bytes, state.seconds, state.nanoseconds));
    return files;
}

std::string answerText(const nlohmann::ordered_json& answer)
{
    return jsonText(answer) + '\n';
}

FinishedLines readFinishedLines(const fs::path& output, const std::optional<fs::path>& alignments,
                                std::span<const std::string> sources, const std::stop_token& stop, const char* key,
                                std::span<const double> starts)
{
    LineReader answers(output);
    std::optional<LineReader> links;
    if (alignments)
        links.emplace(*alignments);
    FinishedLines finished;
    while (answers.next()) {
        throwIfStopped(stop);
        finished.hasDamage = !isAnswer(answers.line()) || (links && !links->next());
        if (finished.hasDamage)
            break;
        const std::size_t line = finished.lines;
        const auto second = line < starts.size() ? std::optional(starts[line]) : std::nullopt;
        const std::string start = line < sources.size() ? startOfAnswer(key, sources[line], second) : std::string();
        if (start.empty() || !answers.line().starts_with(start))
            throw UsageError(fmt::format("--resume: line {} of {} is not the answer to that line of --lines; give the "
                                         "same lines, or leave out --resume to begin anew",
                                         finished.lines + 1, output.string()));
        ++finished.lines;
        finished.failed += answers.line().substr(start.size()).starts_with("\"error\":") ? 1 : 0;
        finished.outputBytes = answers.end();
        finished.alignmentBytes = links ? links->end() : 0;
    }
    return finished;
}

FinishedLines resumedLines(const fs::path& output, const std::optional<fs::path>& alignments,
                           std::span<const std::string> sources, const AskedOfBatch& asked, const std::stop_token& stop,
                           const char* key, std::span<const double> starts)
{
    const fs::path unfinished = unfinishedPath(output);
    FinishedLines finished = readFinishedLines(unfinished, alignments, sources, stop, key, starts);
    if (finished.lines == 0 && !finished.hasDamage)
        return finished;
    std::string differences;
    try {
        const fs::path before = askedPath(output);
        differences = askedDifferences(readWholeFile(before, mostAsked), askedText(asked), before.string());
    } catch (const Error& error) {
        throw UsageError(fmt::format("--resume: {}; leave out --resume to begin anew", error.what()));
    }
    if (!differences.empty())
        throw UsageError(fmt::format("--resume: the unfinished batch {} was asked something else: {}; ask the same, or "
                                     "leave out --resume to begin anew",
                                     unfinished.string(), differences));
    if (finished.hasDamage)
        std::cerr << fmt::format("attnscope: --resume: line {} of {} is damaged or has no alignments; what is behind "
                                 "the finished lines is asked again\n",
                                 finished.lines + 1, escaped(unfinished.string()));
    return finished;
}

std::size_t writeJsonLines(const JsonLines& job)
{
    const ThreadStop ofFiles(job.stop);
    AskedFile askedFile(job.output, {});
    AtomicFile output(job.output, job.resume ? std::numeric_limits<std::uint64_t>::max() : 0);
    if (job.resume && !output.goesBack())
        throw UsageError("--resume: --output is a device or a pipe, which keeps no lines to go on from");
    FinishedLines finished;
    if (job.resume)
        finished = resumedLines(job.output, {}, job.lines, job.asked, job.stop);
    if (job.written) {
        LineReader kept(unfinishedPath(job.output));
        for (std::size_t i = 0; i < finished.lines && kept.next(); ++i)
            job.written(nlohmann::ordered_json::parse(kept.line()));
    }
    output.cut(finished.outputBytes);
    if (output.goesBack())
        askedFile.write(job.asked);
    std::size_t failed = finished.failed;
    ProgressLine progress;
    for (std::size_t i = finished.lines; i < job.lines.size(); ++i) {
        nlohmann::ordered_json line{{"source", job.lines[i]}};
        try {
            line.update(job.answer(job.lines[i]));
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                throw Error(ErrorKind::Cancelled, job.output,
                            fmt::format("cancelled after {} of {} lines", i, job.lines.size()),
                            i > 0 && output.goesBack() ? "--resume goes on from there" : "");
            line["error"] = error.whole();
        } catch (const std::bad_alloc&) {
            line["error"] = "out of memory";
        }
        failed += line.contains("error") ? 1 : 0;
        if (job.written)
            job.written(line);
        output.write(answerText(line));
        progress.show(i + 1, job.lines.size());
    }
    output.commit();
    if (failed > 0)
        std::cerr << fmt::format("attnscope: {}: {} of the lines failed; \"error\" says why\n", escaped(job.output),
                                 failed);
    return failed;
}

} // namespace attn::app
