// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "text/segment/subword_model.h"
#include "text/steps/steps.h"
#include "text/unicode/aligned_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace attn {

namespace {

std::string replacedIn(const std::string& text, const Regex& pattern, const std::string& content)
{
    return AlignedText(text, 0).replaced(pattern.matches(text), content).text();
}

// BERT's way to put punctuation back to its word.
void cleanUp(std::string& text)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> repairs{{
        {" .", "."},
        {" ?", "?"},
        {" !", "!"},
        {" ,", ","},
        {" ' ", "'"},
        {" n't", "n't"},
        {" 'm", "'m"},
        {" 's", "'s"},
        {" 've", "'ve"},
        {" 're", "'re"},
    }};
    for (const auto& [wrong, right] : repairs) {
        if (text.find(wrong) == std::string::npos)
            continue;
        std::string repaired;
        std::size_t begin = 0;
        for (std::size_t at = text.find(wrong); at != std::string::npos; at = text.find(wrong, begin)) {
            repaired.append(text, begin, at - begin).append(right);
            begin = at + wrong.size();
        }
        text = repaired.append(text, begin);
    }
}

// At most so many of a character, in front of texts that follow one another and behind them.
struct Strip
{
    std::string content;
    int start = 0;
    int stop = 0;

    void operator()(std::span<std::string> texts) const
    {
        int left = start;
        for (auto text = texts.begin(); text != texts.end() && left > 0; ++text) {
            std::string_view kept = *text;
            for (; left > 0 && kept.starts_with(content); --left)
                kept.remove_prefix(content.size());
            text->erase(0, text->size() - kept.size());
            if (!text->empty())
                break;
        }
        left = stop;
        for (auto text = texts.rbegin(); text != texts.rend() && left > 0; ++text) {
            for (; left > 0 && text->ends_with(content); --left)
                text->resize(text->size() - content.size());
            if (!text->empty())
                break;
        }
    }
};

// Strips every piece, or the whole text where the pieces have been fused.
TokenDecoder readStrip(const JsonObject& spec, bool fused)
{
    constexpr auto most = std::numeric_limits<int>::max();
    Strip strip{spec.requireString("content"), spec.requireInt("start", 0, most), spec.requireInt("stop", 0, most)};
    return [strip = std::move(strip), fused](std::vector<std::string>& texts) {
        if (strip.content.empty())
            return;
        if (fused)
            return strip(texts);
        for (std::string& text : texts)
            strip(std::span(&text, 1));
    };
}

std::uint64_t bytesOf(const std::vector<std::string>& texts)
{
    std::uint64_t bytes = 0;
    for (const std::string& text : texts)
        bytes += text.size();
    return bytes;
}

TokenDecoder readDecoderSequence(const JsonObject& spec)
{
    std::vector<TokenDecoder> steps;
    bool fused = false;
    for (const JsonObject& step : requireSteps(spec, "decoders")) {
        const std::string type = step.requireString("type");
        if (type == "Fuse")
            fused = true;
        else
            steps.push_back(type == "Strip" ? readStrip(step, fused) : readTokenDecoder(step));
    }
    return [steps = std::move(steps)](std::vector<std::string>& texts) {
        const std::uint64_t before = bytesOf(texts);
        const GrowthBudget budget(before);
        for (const TokenDecoder& step : steps) {
            ThreadStop::check();
            step(texts);
            const std::uint64_t after = bytesOf(texts);
            GrowthBudget::spend(after - std::min(after, before));
        }
    };
}

// A step that changes each piece by itself. All that it makes of them has to find room.
template<class Change>
TokenDecoder eachPiece(Change change)
{
    return [change = std::move(change)](std::vector<std::string>& texts) {
        std::uint64_t bytes = 0;
        for (std::string& text : texts) {
            change(text);
            bytes += text.size();
            requireTextRoom(bytes);
        }
    };
}

TokenDecoder wordPieceDecoder(const JsonObject& spec)
{
    return [continuation = spec.stringOr("prefix", "##"),
            tidies = spec.boolOr("cleanup", true)](std::vector<std::string>& texts) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (i > 0 && texts[i].starts_with(continuation))
                texts[i].erase(0, continuation.size());
            else if (i > 0)
                texts[i].insert(0, 1, ' ');
            if (tidies)
                cleanUp(texts[i]);
        }
    };
}

TokenDecoder metaspaceDecoder(const JsonObject& spec)
{
    const std::string replacement = spec.stringOr("replacement", "\u2581");
    const bool dropsFirst = readPrependScheme(spec) != PrependScheme::Never;
    return [mark = Regex::literal(replacement), replacement, dropsFirst](std::vector<std::string>& texts) {
        if (dropsFirst && !texts.empty() && texts.front().starts_with(replacement))
            texts.front().erase(0, replacement.size());
        for (std::string& text : texts)
            text = replacedIn(text, mark, " ");
    };
}

constexpr std::pair<std::string_view, TokenDecoder (*)(const JsonObject& spec)> decoders[] = {
    {"Sequence", readDecoderSequence},
    {"ByteLevel",
     [](const JsonObject& /*spec*/) {
         return eachPiece([](std::string& text) { text = fromByteLevel(text).value_or(text); });
     }},
    {"ByteFallback",
     [](const JsonObject& /*spec*/) {
         return eachPiece([](std::string& text) {
             if (const auto byte = byteOfPiece(text))
                 text.assign(1, *byte);
         });
     }},
    {"WordPiece", wordPieceDecoder},
    {"Metaspace", metaspaceDecoder},
    {"BPEDecoder",
     [](const JsonObject& spec) -> TokenDecoder {
         return [end = Regex::literal(spec.stringOr("suffix", "</w>"))](std::vector<std::string>& texts) {
             for (std::size_t i = 0; i < texts.size(); ++i)
                 texts[i] = replacedIn(texts[i], end, i + 1 < texts.size() ? " " : "");
         };
     }},
    {"Replace",
     [](const JsonObject& spec) {
         return eachPiece([pattern = readPattern(spec), content = spec.requireString("content")](std::string& text) {
             text = replacedIn(text, pattern, content);
         });
     }},
    {"Strip", [](const JsonObject& spec) { return readStrip(spec, false); }},
    {"Fuse", [](const JsonObject& /*spec*/) -> TokenDecoder { return [](std::vector<std::string>&) {}; }},
};

} // namespace

TokenDecoder readTokenDecoder(const JsonObject& spec)
{
    return chosen(decoders, spec, "decoder", spec.requireString("type"))(spec);
}

TokenDecoder spaceDecoder()
{
    return [](std::vector<std::string>& texts) {
        for (std::size_t i = 1; i < texts.size(); ++i)
            texts[i].insert(0, 1, ' ');
    };
}

namespace {

std::size_t stepsInside(const Json& step, const std::string& field)
{
    const auto inner = step.is_object() ? step.find(field) : step.end();
    if (inner == step.end() || !inner->is_array())
        return 0;
    std::size_t steps = 0;
    for (const Json& other : *inner)
        steps += 1 + stepsInside(other, field);
    return steps;
}

} // namespace

void refuseStep(const JsonObject& spec, std::string_view field, std::string_view value)
{
    throw Error(ErrorKind::Unsupported, spec.place(), fmt::format("the {} \"{}\" is not known", field, value));
}

std::vector<JsonObject> requireSteps(const JsonObject& spec, std::string_view field)
{
    if (stepsInside(spec.json(), std::string(field)) > mostSteps)
        spec.refuse(field, fmt::format("a list of at most {} steps, those of lists in it included", mostSteps));
    return spec.requireObjects(field, mostSteps);
}

Regex readPattern(const JsonObject& spec)
{
    const JsonObject pattern = spec.requireObject("pattern");
    if (pattern.has("String"))
        return Regex::literal(pattern.requireString("String"));
    if (pattern.has("Regex"))
        return {pattern.requireString("Regex"), spec.place()};
    spec.refuse("pattern", "a String or a Regex");
}

PrependScheme readPrependScheme(const JsonObject& spec)
{
    constexpr std::pair<std::string_view, PrependScheme> schemes[] = {
        {"always", PrependScheme::Always}, {"first", PrependScheme::First}, {"never", PrependScheme::Never}};
    if (spec.has("prepend_scheme"))
        return chosen(schemes, spec, "prepend_scheme", spec.requireString("prepend_scheme"));
    return spec.boolOr("add_prefix_space", true) ? PrependScheme::Always : PrependScheme::Never;
}

} // namespace attn
