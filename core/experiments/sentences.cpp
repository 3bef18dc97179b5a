// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sentences.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "io/mapped_file.h"
#include "question/question.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace attn {

namespace {

constexpr auto ofWholeFile = "file"; // where a problem is that is not a line's

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\v\f";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lineName(std::size_t number)
{
    return fmt::format("line {}", number);
}

// Each line with a word, by parse(line, number); advice: what a line should be.
template<class Parse>
auto parseLines(std::string_view text, const char* advice, const Parse& parse)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark))
        text.remove_prefix(mark.size());
    const std::uint64_t most = limit(Limit::Sentences);
    std::vector<decltype(parse(text, std::size_t{}))> result;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (withoutBlanks(line).empty())
            continue;
        if (result.size() == most)
            throw Error(ErrorKind::Input, ofWholeFile,
                        fmt::format("has more than the {} sentences that are read", most),
                        "choose a smaller part of it; " + otherLimit(Limit::Sentences));
        if (validUtf8Prefix(line) != line.size())
            throw Error(ErrorKind::Format, lineName(number), "is not UTF-8", "save the file as UTF-8");
        result.push_back(parse(line, number));
    }
    if (result.empty())
        throw Error(ErrorKind::Input, ofWholeFile, "has no sentences", advice);
    return result;
}

constexpr auto writePairs = "write a source, a tab and a reference on each line";

SentencePair pairOf(std::string_view line, std::size_t number)
{
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos)
        throw Error(ErrorKind::Format, lineName(number), "has no tab character", writePairs);
    const std::string_view source = withoutBlanks(line.substr(0, tab));
    const std::string_view rest = line.substr(tab + 1);
    const std::string_view reference = withoutBlanks(rest.substr(0, rest.find('\t')));
    if (source.empty() || reference.empty())
        throw Error(ErrorKind::Format, lineName(number), source.empty() ? "has no source" : "has no reference",
                    writePairs);
    return {std::string(source), std::string(reference)};
}

template<class Parse>
auto readLines(const std::filesystem::path& path, const Parse& parse)
{
    const std::string text = readWholeFile(path, Limit::Text);
    try {
        return parse(text);
    } catch (const Error& error) {
        const std::string name = path.filename().string();
        const std::string where = error.where() == ofWholeFile ? name : fmt::format("{}: {}", name, error.where());
        throw Error(error.kind(), where, error.problem(), error.advice());
    }
}

} // namespace

std::vector<std::string> parseSentences(std::string_view text)
{
    return parseLines(text, "write one on each line",
                      [](std::string_view line, std::size_t /*number*/) { return std::string(withoutBlanks(line)); });
}

std::vector<SentencePair> parseSentencePairs(std::string_view text)
{
    return parseLines(text, writePairs, pairOf);
}

std::vector<std::string> readSentences(const std::filesystem::path& path)
{
    return readLines(path, parseSentences);
}

std::vector<SentencePair> readSentencePairs(const std::filesystem::path& path)
{
    return readLines(path, parseSentencePairs);
}

void clearTexts(Question& question)
{
    question.secondText.reset();
    question.sourceIds.reset();
    question.sourceSegments.clear();
    question.targetText.reset();
    question.targetIds.reset();
}

std::vector<std::string> linesOf(std::string_view text, const std::string& where)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        if (lines.size() == limit(Limit::Lines))
            throw Error(ErrorKind::Input, where, fmt::format("has more than the {} lines that are read", lines.size()),
                        "split it; " + otherLimit(Limit::Lines));
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.emplace_back(line);
    }
    return lines;
}

} // namespace attn
