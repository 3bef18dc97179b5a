// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/archive_arrays.h"
#include "trace/trace.h"

#include <string>

namespace attn {

class TraceBuilder;

// The arrays of models that make vectors of a text and classify it: summary_attentions, sentence_attentions, their
// scores, class_logits and class_names.
void addSummaries(NamedArrays& arrays, const Trace& trace, bool scores);

// Into a trace. Throws Error{Format} naming `where` for shapes that do not fit a text of `length` tokens.
void readSummaries(ArchiveArrays& arrays, const std::string& where, std::size_t length, TraceBuilder& builder);

} // namespace attn
