// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/masked_word.h"

#include "analysis/words.h"
#include "base/special_tokens.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace attn::ui {

std::optional<MaskedWord> maskedWord(const Study& study, std::optional<int> token)
{
    const Encoding& source = study.trace().source();
    const auto index = static_cast<std::size_t>(token.value_or(0));
    if (!token || !study.model() || study.model()->maskToken.isEmpty() || index >= source.size()
        || source.spans.size() != source.size() || index >= source.tokens.size())
        return std::nullopt;
    const std::vector<int> words = textWords(source);
    if (index >= words.size() || words[index] == noWord)
        return std::nullopt;
    const int word = words[index];
    const auto isOther = [word](int other) { return other != word; };
    const auto at = words.begin() + *token;
    const auto last = static_cast<std::size_t>(std::find_if(at, words.end(), isOther) - words.begin()) - 1;
    const auto first = static_cast<std::size_t>(
        std::find_if(std::make_reverse_iterator(at), words.rend(), isOther).base() - words.begin());
    if (isMaskPiece(source.tokens[first]) || source.spans[first].begin >= source.spans[last].end
        || source.spans[last].end > source.text.size())
        return std::nullopt;
    // Spans of a pair lie in both texts with a line feed between.
    const std::size_t firstLength = study.trace().provenance().text.size();
    MaskedWord masked;
    masked.inSecond = first < source.segments.size() && source.segments[first] > 0;
    const std::size_t begin = masked.inSecond ? firstLength + 1 : 0;
    const std::size_t end = masked.inSecond || source.segments.empty() ? source.text.size() : firstLength;
    masked.text = source.text.substr(begin, end - begin);
    masked.text.replace(source.spans[first].begin - begin, source.spans[last].end - source.spans[first].begin,
                        study.model()->maskToken.toStdString());
    masked.masksBefore = static_cast<int>(
        std::count_if(source.tokens.begin(), source.tokens.begin() + static_cast<std::ptrdiff_t>(first), isMaskPiece));
    return masked;
}

} // namespace attn::ui
