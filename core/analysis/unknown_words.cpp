// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/unknown_words.h"

#include <algorithm>

namespace attn {

std::vector<UnknownWord> unknownWords(const Encoding& encoding, TokenId unknown)
{
    std::vector<UnknownWord> found;
    const std::size_t size = encoding.size();
    if (encoding.words.size() != size || encoding.spans.size() != size || encoding.tokens.size() != size)
        return found;
    const auto& pieces = encoding.labels.empty() ? encoding.tokens : encoding.labels;
    for (std::size_t first = 0, end = 0; first < size; first = end) {
        end = first + 1;
        while (encoding.words[first] >= 0 && end < size && encoding.words[end] == encoding.words[first])
            ++end;
        const auto isUnknown = [unknown](TokenId id) { return id == unknown; };
        constexpr const char* blanks = " \t\r\n"; // that spans may begin with
        const std::size_t last = std::min(encoding.spans[end - 1].end, encoding.text.size());
        const std::size_t begin = encoding.text.find_first_not_of(blanks, encoding.spans[first].begin);
        if (begin >= last || !std::any_of(encoding.ids.data() + first, encoding.ids.data() + end, isUnknown))
            continue;
        UnknownWord word{encoding.text.substr(begin, last - begin), {pieces.data() + first, pieces.data() + end}};
        if (std::ranges::find(found, word.text, &UnknownWord::text) == found.end())
            found.push_back(std::move(word));
    }
    return found;
}

} // namespace attn
