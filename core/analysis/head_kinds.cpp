// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_kinds.h"

#include "base/words.h"

#include <tuple>

namespace attn {

namespace {

constexpr HeadKindRow kinds[] = {
    {ATTN_TRANSLATE_NOOP("attn::ui", "previous token"), "\u22121",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on the token before (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "next token"), "+1",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on the token after (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "same position"), "0",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on the same position (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "first token"), "|\u2039",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on the first token (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "same word"), "=",
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "of tokens that occur again, more than half of the weight on the others (Vig 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "induction"), "ab",
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "of tokens that came before, more than half of the weight on what followed them "
                         "(Olsson et al. 2022)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "special tokens"), "[]",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on special tokens (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "broad"), "~",
     ATTN_TRANSLATE_NOOP(
         "attn::ui",
         "nearly equal weights: an evenness of 0.95 or more where there are four keys (after Clark et al. 2019)")}};

} // namespace

std::span<const HeadKindRow> headKindRows()
{
    return kinds;
}

std::optional<HeadKind> headKind(const HeadRow& row)
{
    if (row.rows < kindRows)
        return std::nullopt;
    if (row.wideEvenness >= broadEvenness) // before places: half of an even short row may lie on one of them
        return row.wideRows >= kindRows ? std::optional(HeadKind::Broad) : std::nullopt;
    double most = kindShare;
    std::optional<HeadKind> kind;
    for (const auto& [place, share, shuffled] : {std::tuple(HeadKind::Previous, row.previous, row.shuffled.previous),
                                                 {HeadKind::Next, row.next, row.shuffled.next},
                                                 {HeadKind::Self, row.self, row.shuffled.self},
                                                 {HeadKind::First, row.first, row.shuffled.first}}) {
        if (share > most && share > shuffled) {
            most = share;
            kind = place;
        }
    }
    if (kind)
        return kind;
    const auto isMost = [](double share, double shuffled) { return share > kindShare && share > shuffled; };
    if (row.sameRows >= sameTokenRows && isMost(row.same, row.shuffled.same))
        return HeadKind::SameToken;
    if (row.inductionRows >= sameTokenRows && isMost(row.induction, row.shuffled.induction))
        return HeadKind::Induction;
    return isMost(row.special, row.shuffled.special) ? std::optional(HeadKind::Special) : std::nullopt;
}

} // namespace attn
