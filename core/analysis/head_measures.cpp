// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_measures.h"

#include "base/words.h"

namespace attn {

namespace {

constexpr HeadMeasure measures[] = {
    {"entropy", ATTN_TRANSLATE_NOOP("attn::ui", "Entropy"),
     ATTN_TRANSLATE_NOOP("attn::ui", "entropy of a row, in nats: 0 where it looks at one token only"),
     [](const DescribedHead& head) { return head.row.entropy; }, false, false},
    {"evenness", ATTN_TRANSLATE_NOOP("attn::ui", "Evenness"),
     ATTN_TRANSLATE_NOOP("attn::ui", "a row's entropy by that of equal weights on all keys"),
     [](const DescribedHead& head) { return head.row.evenness; }},
    {"largest", ATTN_TRANSLATE_NOOP("attn::ui", "Mean largest weight"),
     ATTN_TRANSLATE_NOOP("attn::ui", "the largest weight of a row, the mean of all rows"),
     [](const DescribedHead& head) { return head.row.largest; }},
    {"distance", ATTN_TRANSLATE_NOOP("attn::ui", "Distance"),
     ATTN_TRANSLATE_NOOP("attn::ui", "how many tokens away a row looks"),
     [](const DescribedHead& head) { return head.row.distance; }, false, false},
    {"previous", ATTN_TRANSLATE_NOOP("attn::ui", "Previous token"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of the token before"),
     [](const DescribedHead& head) { return head.row.previous; }},
    {"self", ATTN_TRANSLATE_NOOP("attn::ui", "Same position"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of the same position"),
     [](const DescribedHead& head) { return head.row.self; }},
    {"next", ATTN_TRANSLATE_NOOP("attn::ui", "Next token"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of the token after"),
     [](const DescribedHead& head) { return head.row.next; }},
    {"first", ATTN_TRANSLATE_NOOP("attn::ui", "First token"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of the first token"),
     [](const DescribedHead& head) { return head.row.first; }},
    {"special", ATTN_TRANSLATE_NOOP("attn::ui", "Special tokens"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of all special tokens"),
     [](const DescribedHead& head) { return head.row.special; }},
    {"kl", ATTN_TRANSLATE_NOOP("attn::ui", "Change without it"),
     ATTN_TRANSLATE_NOOP("attn::ui", "without the head, KL divergence of what the model expects, in nats"),
     [](const DescribedHead& head) { return head.without.meanDivergence().value_or(HeadRow::nothing); }, true, false},
    {"delta_logprob", ATTN_TRANSLATE_NOOP("attn::ui", "Log probability without it"),
     ATTN_TRANSLATE_NOOP("attn::ui", "without the head, how much the output's log probability changes"),
     [](const DescribedHead& head) { return head.without.places > 0 ? head.without.logProbability : HeadRow::nothing; },
     true, false}};

} // namespace

std::span<const HeadMeasure> headMeasures()
{
    return measures;
}

} // namespace attn
