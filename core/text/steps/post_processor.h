// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <variant>
#include <vector>

namespace attn {

// The tokens that a model wants around one text or a pair of texts, in order.
struct TemplatePart
{
    enum class Kind { First, Second, Special };
    Kind kind = Kind::First;
    int segment = 0; // token type
    std::vector<TokenId> ids; // of Special
};

using Template = std::vector<TemplatePart>;

// Changes of the tokens of texts.
struct PostProcessor
{
    Template single{{TemplatePart::Kind::First, 0, {}}};
    Template pair{{TemplatePart::Kind::First, 0, {}}, {TemplatePart::Kind::Second, 1, {}}};
    bool trimsSpans = false; // white space at the ends of a token's span is left out
};

// prefix A suffix, and prefix A suffix prefix B suffix.
PostProcessor surroundedBy(const std::vector<TokenId>& prefix, const std::vector<TokenId>& suffix);
// BERT: cls A sep, cls A sep B sep.
PostProcessor bertProcessor(TokenId cls, TokenId sep);
// RoBERTa: cls A sep, cls A sep sep B sep; all of segment 0.
PostProcessor robertaProcessor(TokenId cls, TokenId sep, bool trimsSpans);

} // namespace attn
