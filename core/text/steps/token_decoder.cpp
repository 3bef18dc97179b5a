// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/token_decoder.h"

#include "text/segment/subword_model.h"
#include "text/unicode/byte_level.h"

#include <array>
#include <string_view>
#include <utility>

namespace attn {

namespace {

std::string replacedIn(const std::string& text, const Regex& pattern, const std::string& content)
{
    std::string result;
    std::size_t position = 0;
    for (const ByteSpan match : pattern.matches(text)) {
        result.append(text, position, match.begin - position);
        result += content;
        position = match.end;
    }
    return result.append(text, position);
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
    for (const auto& [wrong, right] : repairs)
        for (std::size_t at = text.find(wrong); at != std::string::npos; at = text.find(wrong, at + right.size()))
            text.replace(at, wrong.size(), right);
}

void stripFront(std::vector<std::string>& texts, std::size_t first, std::size_t end, const StripDecoding& options)
{
    int left = options.start;
    for (std::size_t i = first; i < end && left > 0; ++i) {
        for (; left > 0 && texts[i].starts_with(options.content); --left)
            texts[i].erase(0, options.content.size());
        if (!texts[i].empty())
            return;
    }
}

void stripBack(std::vector<std::string>& texts, std::size_t first, std::size_t end, const StripDecoding& options)
{
    int left = options.stop;
    for (std::size_t i = end; i > first && left > 0; --i) {
        std::string& text = texts[i - 1];
        for (; left > 0 && text.ends_with(options.content); --left)
            text.erase(text.size() - options.content.size());
        if (!text.empty())
            return;
    }
}

} // namespace

TokenDecoder decoderSequence(std::vector<TokenDecoder> steps)
{
    return [steps = std::move(steps)](std::vector<std::string>& texts) {
        for (const TokenDecoder& step : steps)
            step(texts);
    };
}

TokenDecoder byteLevelDecoder()
{
    return [](std::vector<std::string>& texts) {
        for (std::string& text : texts)
            if (auto bytes = fromByteLevel(text))
                text = std::move(*bytes);
    };
}

TokenDecoder byteFallbackDecoder()
{
    return [](std::vector<std::string>& texts) {
        for (std::string& text : texts)
            if (const int byte = byteOfPiece(text); byte >= 0)
                text.assign(1, static_cast<char>(byte));
    };
}

TokenDecoder wordPieceDecoder(std::string continuation, bool cleanup)
{
    return [continuation = std::move(continuation), cleanup](std::vector<std::string>& texts) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (i > 0 && texts[i].starts_with(continuation))
                texts[i].erase(0, continuation.size());
            else if (i > 0)
                texts[i].insert(0, 1, ' ');
            if (cleanup)
                cleanUp(texts[i]);
        }
    };
}

TokenDecoder metaspaceDecoder(const std::string& replacement, bool dropsFirst)
{
    return [mark = Regex::literal(replacement), replacement, dropsFirst](std::vector<std::string>& texts) {
        if (dropsFirst && !texts.empty() && texts.front().starts_with(replacement))
            texts.front().erase(0, replacement.size());
        for (std::string& text : texts)
            text = replacedIn(text, mark, " ");
    };
}

TokenDecoder wordEndDecoder(const std::string& suffix)
{
    return [end = Regex::literal(suffix)](std::vector<std::string>& texts) {
        for (std::size_t i = 0; i < texts.size(); ++i)
            texts[i] = replacedIn(texts[i], end, i + 1 < texts.size() ? " " : "");
    };
}

TokenDecoder replaceDecoder(Regex pattern, std::string content)
{
    return [pattern = std::move(pattern), content = std::move(content)](std::vector<std::string>& texts) {
        for (std::string& text : texts)
            text = replacedIn(text, pattern, content);
    };
}

TokenDecoder stripDecoder(StripDecoding options)
{
    return [options = std::move(options)](std::vector<std::string>& texts) {
        if (options.content.empty())
            return;
        for (std::size_t i = 0; !options.fused && i < texts.size(); ++i) {
            stripFront(texts, i, i + 1, options);
            stripBack(texts, i, i + 1, options);
        }
        if (options.fused) {
            stripFront(texts, 0, texts.size(), options);
            stripBack(texts, 0, texts.size(), options);
        }
    };
}

TokenDecoder spaceDecoder()
{
    return [](std::vector<std::string>& texts) {
        for (std::size_t i = 1; i < texts.size(); ++i)
            texts[i].insert(0, 1, ' ');
    };
}

} // namespace attn
