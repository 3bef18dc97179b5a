// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <QString>

#include <optional>
#include <string>

namespace attn::ui {

// Words for an edit, whose tokens are called as in this run: "she = 0.45 for elle", "head 5 off (encoder, layer 3)". As
// it is written where the run has no such place. Of a search, tokens are those of the hypothesis that ends there; none:
// the best.
QString editInWords(const std::string& spec, const Trace& trace, std::optional<StepId> leaf = {});

} // namespace attn::ui
