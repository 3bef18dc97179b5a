// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "dumps/dump.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace attn {

namespace {

struct SpokenWord
{
    std::string text;
    double start = 0; // seconds
    double end = 0;
};

// A word that was not aligned has no times: WhisperX leaves numbers out.
std::optional<double> secondsOf(const JsonObject& word, const char* key)
{
    if (!word.has(key))
        return std::nullopt;
    constexpr double longest = 7 * 24 * 3600;
    const double seconds = word.numberOr(key, 0);
    if (!(seconds >= 0 && seconds <= longest))
        word.refuse(key, "seconds of a recording");
    return seconds;
}

// "words" of each segment, as Whisper and WhisperX write them, or of the whole, as the API's verbose_json does.
std::vector<SpokenWord> wordsOf(const JsonObject& recording)
{
    constexpr std::size_t most = 1'000'000;
    std::vector<SpokenWord> words;
    const auto add = [&](const JsonObject& owner) {
        for (const JsonObject& word : owner.requireObjects("words", most)) {
            SpokenWord one{word.has("word") ? word.requireString("word") : word.requireString("text")};
            one.start = secondsOf(word, "start").value_or(-1);
            one.end = secondsOf(word, "end").value_or(-1);
            words.push_back(std::move(one));
        }
    };
    if (recording.has("segments")) {
        for (const JsonObject& segment : recording.requireObjects("segments", most)) {
            if (segment.has("words"))
                add(segment);
        }
    }
    if (words.empty() && recording.has("words"))
        add(recording);
    return words;
}

// Words by pieces of time: 0.02 seconds, a position of Whisper's encoder, as often as 1500 of them hold the recording.
DumpedSentence recording(const DumpFile& file)
{
    constexpr double position = 0.02;
    constexpr double mostColumns = 1500;
    const JsonObject json(file.json(), file.where());
    const std::vector<SpokenWord> words = wordsOf(json);
    if (words.empty())
        file.refuse("segments", "name no words with times");
    const double end = std::ranges::max(words, {}, &SpokenWord::end).end;
    const double step = position * std::max(1.0, std::ceil(end / (position * mostColumns)));
    const auto columnOf = [&](double seconds) { return static_cast<std::size_t>(std::lround(seconds / step)); };
    const std::size_t columns = std::max<std::size_t>(columnOf(std::max(end, 0.0)), 1);
    DumpedSentence sentence;
    DumpedMaps maps = zeroMaps(1, 1, words.size(), columns, file.where());
    for (std::size_t column = 0; column < columns; ++column)
        sentence.source.push_back(fmt::format("{:.2f}", static_cast<double>(column) * step));
    for (std::size_t row = 0; row < words.size(); ++row) {
        const SpokenWord& word = words[row];
        sentence.target.push_back(word.text);
        if (word.start < 0 || word.end < word.start)
            continue;
        const std::size_t first = std::min(columnOf(word.start), columns - 1);
        const std::size_t last = std::clamp(columnOf(word.end), first + 1, columns);
        std::fill(maps.weights.begin() + static_cast<std::ptrdiff_t>(row * columns + first),
                  maps.weights.begin() + static_cast<std::ptrdiff_t>(row * columns + last), 1.0F);
    }
    sentence.maps.emplace(Stage::Cross, std::move(maps));
    return sentence;
}

} // namespace

const DumpKind whisperWords = {"Whisper word timestamps (JSON)",
                               [](const DumpFile& file) {
                                   return file.looksLikeJson() && namesKey(file.head(), "words")
                                       && namesKey(file.head(), "start") && namesKey(file.head(), "end");
                               },
                               [](const SharedDumpFile& file) {
                                   return Dump{1, [file](std::size_t) { return recording(*file); }};
                               }};

} // namespace attn
