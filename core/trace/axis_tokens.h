// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/attention_map.h"

#include <string>
#include <vector>

namespace attn {

// What each row of a map over sentences looks at, as text: the beginning of each sentence. map: [sentences, source].
std::vector<std::string> sentenceNames(const AttentionMap& map, const Encoding& source);

// Names for the rows or columns of a map that are no tokens, with ids of -1. Sentences are called by `sentences` where
// these are as many.
Encoding axisTokens(AttentionAxis axis, int count, const std::vector<std::string>& sentences);

} // namespace attn
