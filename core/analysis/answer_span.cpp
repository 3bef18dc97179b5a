// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/answer_span.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr Index longest = 15; // tokens

bool mayAnswer(const Encoding& source, Index token)
{
    const auto place = static_cast<std::size_t>(token);
    const bool special = place < source.special.size() && source.special[place];
    const bool pairs = std::ranges::find(source.segments, 1) != source.segments.end();
    return !special && (!pairs || source.segments[place] == 1);
}

} // namespace

std::optional<AnswerSpan> bestSpan(const TokenPredictions& predictions, const Encoding& source)
{
    std::optional<AnswerSpan> best;
    const NumberView logits = predictions.logits.view();
    const Index tokens = std::min(logits.rows, indexSize(source.ids));
    for (Index first = 0; first < tokens; ++first) {
        if (!mayAnswer(source, first))
            continue;
        for (Index last = first; last < std::min(first + longest, tokens); ++last) {
            const float score = logits.at(first, 0) + logits.at(last, 1);
            if (mayAnswer(source, last) && (best ? score > best->score : !std::isnan(score)))
                best = AnswerSpan{first, last, score};
        }
    }
    return best;
}

std::string textOf(const Encoding& source, const AnswerSpan& span)
{
    const auto first = static_cast<std::size_t>(span.first);
    const auto last = static_cast<std::size_t>(span.last);
    if (source.spans.size() == source.size() && source.spans[first].begin < source.spans[last].end
        && source.spans[last].end <= source.text.size())
        return source.text.substr(source.spans[first].begin, source.spans[last].end - source.spans[first].begin);
    std::string text;
    for (std::size_t token = first; token <= last && token < source.tokens.size(); ++token)
        text += (text.empty() ? "" : " ") + source.tokens[token];
    return text;
}

} // namespace attn
