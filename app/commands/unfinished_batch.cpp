// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/unfinished_batch.h"

#include "app/exit_status.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/plain_text.h"
#include "base/thread_stop.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "io/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <limits>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

namespace attn::app {

namespace {

namespace fs = std::filesystem;

// Limit of the record of what was asked: it has some options and no sentences.
constexpr std::uint64_t mostAsked = std::uint64_t{16} << 20U;
// A character of a sentence may take six in an answer.
constexpr std::uint64_t mostOfSentence = 8;

// The whole lines of a file, one after the other.
class LineReader
{
public:
    explicit LineReader(const fs::path& path)
    {
        std::error_code unknown;
        if (!fs::exists(path, unknown))
            return;
        m_file = openRegularFile(path);
        m_path = path;
        const std::uint64_t most = limit(Limit::Unfinished);
        if (const std::uintmax_t bytes = fs::file_size(path, unknown); !unknown && bytes > most)
            throw Error(ErrorKind::Format, path.string(),
                        fmt::format("holds {}, more than the {} that are read", byteText(bytes), byteText(most)),
                        otherLimit(Limit::Unfinished));
    }

    // False behind the last one.
    bool next()
    {
        m_line.clear();
        m_isTooLong = false;
        while (m_at < m_filled || fill()) {
            const std::string_view rest = std::string_view(m_part.data(), m_filled).substr(m_at);
            const std::size_t length = std::min(rest.find('\n'), rest.size());
            const std::size_t parts = (m_line.size() + length + mostOfSentence - 1) / mostOfSentence;
            m_isTooLong = m_isTooLong || parts > limit(Limit::Text);
            if (!m_isTooLong)
                m_line += rest.substr(0, length);
            const bool isWhole = length < rest.size();
            const std::size_t taken = length + (isWhole ? 1 : 0);
            m_at += taken;
            m_end += taken;
            if (isWhole)
                return true;
        }
        return false;
    }

    const std::string& line() const { return m_line; } // without its end
    bool isTooLong() const { return m_isTooLong; } // and not kept
    std::uint64_t end() const { return m_end; } // in the file

private:
    bool fill()
    {
        m_at = 0;
        m_filled = m_file == nullptr ? 0 : std::fread(m_part.data(), 1, m_part.size(), m_file.get());
        if (m_file != nullptr && std::ferror(m_file.get()) != 0)
            throw Error(ErrorKind::File, m_path.string(), "cannot be read");
        return m_filled > 0;
    }

    fs::path m_path;
    std::unique_ptr<std::FILE, FileCloser> m_file; // null: there is none
    std::array<char, std::size_t{64} << 10U> m_part;
    std::size_t m_at = 0;
    std::size_t m_filled = 0;
    std::string m_line;
    bool m_isTooLong = false;
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

bool isLinks(const std::string& line)
{
    return line.find_first_not_of("0123456789- ") == std::string::npos;
}

// Values of what was asked, those of the question beside the others.
nlohmann::json valuesOf(const AskedOfBatch& asked)
{
    auto values = nlohmann::json::parse(askedText(asked));
    const nlohmann::json question = std::move(values["question"]);
    values.erase("question");
    values.update(question);
    return values;
}

// "decode (was "greedy", is "beam"), files" of values that differ; lists are not said.
std::string differences(const AskedOfBatch& before, const AskedOfBatch& now)
{
    const nlohmann::json was = valuesOf(before);
    const nlohmann::json is = valuesOf(now);
    nlohmann::json all = was;
    all.update(is);
    const auto told = [](const nlohmann::json& value) { return value.is_null() ? "not given" : value.dump(); };
    std::vector<std::string> words;
    for (const auto& [key, value] : all.items()) {
        const nlohmann::json old = was.value(key, nlohmann::json());
        const nlohmann::json given = is.value(key, nlohmann::json());
        if (old != given)
            words.push_back(value.is_primitive() ? fmt::format("{} (was {}, is {})", key, told(old), told(given))
                                                 : key);
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

} // namespace

std::string hashOfLines(std::span<const std::string> lines)
{
    std::uint64_t hash = fnv1a({});
    for (const std::string& line : lines)
        hash = fnv1a("\n", fnv1a(line, hash));
    return fmt::format("{:016x}", hash);
}

std::string askedText(const AskedOfBatch& asked)
{
    nlohmann::json json;
    json["alignments"] = asked.alignments;
    json["computed"] = asked.computed;
    json["files"] = asked.files;
    json["program"] = asked.program;
    json["question"] = nlohmann::json::parse(questionText(asked.question));
    json["site"] = asked.site;
    json["targets"] = asked.targets;
    json["targets_fnv1a"] = asked.targetsHash;
    return writtenJson(json) + '\n';
}

AskedOfBatch parseAsked(std::string_view text, const std::string& where)
{
    const auto json = JsonObject::parse(text, where, {.bytes = mostAsked});
    AskedOfBatch asked;
    asked.alignments = json.requireString("alignments");
    asked.program = json.requireString("program");
    asked.question = parseQuestion(writtenJson(json.requireObject("question").json()), where);
    asked.computed = json.requireString("computed");
    asked.site = json.requireString("site");
    asked.targets = json.requireInt("targets", 0, std::numeric_limits<int>::max());
    asked.targetsHash = json.requireString("targets_fnv1a");
    for (const nlohmann::json& file : json.requireList("files", "a list of texts")) {
        if (!file.is_string())
            json.refuse("files", "a list of texts");
        asked.files.push_back(file.get<std::string>());
    }
    return asked;
}

fs::path askedPath(const fs::path& output)
{
    return unfinishedPath(output) += ".asked";
}

AskedOfBatch readAsked(const fs::path& output)
{
    const fs::path path = askedPath(output);
    return parseAsked(readWholeFile(path, mostAsked), path.string());
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

void AskedFile::write(const AskedOfBatch& asked, bool hasLines)
{
    if (!hasLines)
        m_removed.emplace(m_path);
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
    const auto damaged = [&](const fs::path& file) {
        return fmt::format("line {} of {} is damaged", finished.lines + 1, file.string());
    };
    while (answers.next()) {
        throwIfStopped(stop);
        if (answers.isTooLong() || !isAnswer(answers.line()))
            finished.reason = damaged(output);
        else if (links && !links->next())
            finished.reason = fmt::format("{} has no line {}", alignments->string(), finished.lines + 1);
        else if (links && (links->isTooLong() || !isLinks(links->line())))
            finished.reason = damaged(*alignments);
        if (!finished.reason.empty()) {
            do
                ++finished.dropped;
            while (answers.next());
            break;
        }
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
                           std::span<const std::string> sources,
                           const std::function<AskedOfBatch(const AskedOfBatch& before)>& asked,
                           const std::stop_token& stop, const char* key, std::span<const double> starts)
{
    const fs::path unfinished = unfinishedPath(output);
    FinishedLines finished = readFinishedLines(unfinished, alignments, sources, stop, key, starts);
    if (finished.lines + finished.dropped == 0)
        return finished;
    try {
        const AskedOfBatch before = readAsked(output);
        const AskedOfBatch now = parseAsked(askedText(asked(before)), askedPath(output).string());
        if (before != now)
            throw UsageError(fmt::format("--resume: the unfinished batch {} was asked something else: {}; ask the "
                                         "same, or leave out --resume to begin anew",
                                         unfinished.string(), differences(before, now)));
    } catch (const Error& error) {
        throw UsageError(fmt::format("--resume: {}; leave out --resume to begin anew", error.what()));
    }
    if (finished.dropped > 0)
        std::cerr << fmt::format("attnscope: --resume: {}; finished lines: {} kept, {} dropped and asked again\n",
                                 escaped(finished.reason), finished.lines, finished.dropped);
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
        finished = resumedLines(
            job.output, {}, job.lines, [&job](const AskedOfBatch&) { return job.asked; }, job.stop);
    if (job.written) {
        LineReader kept(unfinishedPath(job.output));
        for (std::size_t i = 0; i < finished.lines && kept.next(); ++i)
            job.written(nlohmann::ordered_json::parse(kept.line()));
    }
    output.cut(finished.outputBytes);
    if (output.goesBack())
        askedFile.write(job.asked, finished.lines > 0);
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
        askedFile.keep();
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
