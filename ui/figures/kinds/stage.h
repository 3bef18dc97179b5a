// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"

namespace attn::ui {

// The spec with the attention by which steps look at what was read, by words and with special tokens: the one that is
// picked, or else the last one over the source, of its heads the mean.
FigureSpec stepAttention(FigureSpec spec, const Trace& trace);

} // namespace attn::ui
