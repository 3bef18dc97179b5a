// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "question/question.h"
#include "state/model_summary.h"

namespace attn::ui {

// A question without what makes no difference to this model's answer: the size of a beam that is not searched with, the
// seed of what draws nothing, a text that the model does not read. Two questions that differ in nothing else are equal
// here.
Question effectiveQuestion(Question question, const ModelSummary& model);

} // namespace attn::ui
