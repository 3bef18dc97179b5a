// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/index.h"
#include "text/segment/prefix_index.h"
#include "text/steps/steps.h"
#include "text/unicode/aligned_text.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A token that is found in the text before anything else happens to it, such as "[MASK]" or "<extra_id_0>".
struct AddedToken
{
    TokenId id = 0;
    std::string content;
    bool special = false; // stands for no text
    bool singleWord = false; // not inside a word
    bool leftStrip = false; // takes the white space in front of it along
    bool rightStrip = false; // and that behind it
    bool normalized = false; // looked for in the normalized text
    bool isTyped = true; // false: no text becomes this token, whatever it says
};

// `first` and those of `more` that have neither an id nor a content of it.
std::vector<AddedToken> withMissing(std::vector<AddedToken> first, const std::vector<AddedToken>& more);

// The added tokens of a tokenizer. Immutable.
class AddedTokens
{
public:
    AddedTokens() = default;
    // `normalizer` (may be empty) is applied to the content of normalized tokens. Throws Error{Format} for an id that
    // is given twice.
    AddedTokens(std::vector<AddedToken> tokens, const Normalizer& normalizer, const std::string& where);

    // A segment of a text: an added token, or what lies between two.
    struct Segment
    {
        ByteSpan range;
        const AddedToken* token = nullptr;
    };
    enum class Kind { Raw, Normalized };
    // Covers the text from left to right; of several tokens at one place the longest counts.
    std::vector<Segment> split(std::string_view text, Kind kind) const;

    const AddedToken* find(TokenId id) const;
    const AddedToken* find(std::string_view content) const; // the first of equal ones

private:
    std::shared_ptr<const std::vector<AddedToken>> m_tokens = std::make_shared<std::vector<AddedToken>>();
    // In order: a file could choose ids and contents that a hash does not tell apart.
    std::map<TokenId, Index> m_byId;
    std::map<std::string_view, Index> m_byContent;
    std::shared_ptr<const std::vector<std::string>> m_keys;
    PrefixIndex m_raw;
    PrefixIndex m_normalized;
};

} // namespace attn
