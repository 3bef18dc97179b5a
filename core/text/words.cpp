// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/words.h"

namespace attn {

std::vector<int> wordIndices(std::span<const std::string> pieces, const std::vector<bool>& special)
{
    std::vector<int> words;
    words.reserve(pieces.size());
    int current = -1;
    bool continues = false; // the piece before belongs to a word
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (special[i]) {
            words.push_back(-1);
            continues = false;
            continue;
        }
        if (!continues || pieces[i].starts_with(wordStartMark))
            ++current;
        words.push_back(current);
        continues = true;
    }
    return words;
}

} // namespace attn
