// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

namespace attn {

// The position in a path of the step whose next token the model was least sure of: with the largest entropy of its
// candidates, what they leave over counted as one more. The first on ties; 0 where no candidates are known.
// A step with a probability that is no number is passed over.
int mostUncertainStep(const Trace::Path& path);

} // namespace attn
