// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/attention_map.h"

#include <string>
#include <vector>

namespace attn {

// A hard link between a source and a target word, numbered from 0 without special tokens.
struct AlignmentLink
{
    int source = 0;
    int target = 0;
    float weight = 0; // attention of the target word, averaged over its tokens, to all tokens of the source word

    friend bool operator==(const AlignmentLink&, const AlignmentLink&) = default;
};

// Every target word with the source word it attends to most (the first of equals), in target order. `matrix` is
// [target tokens, source tokens]; subwords are merged first. Special tokens take no part; a target word without any
// weight on source words gets no link.
std::vector<AlignmentLink> alignmentLinks(const AttentionMatrix& matrix, const Encoding& source,
                                          const Encoding& target);

// Pharaoh format: "0-0 1-2".
std::string pharaoh(const std::vector<AlignmentLink>& links);

} // namespace attn
