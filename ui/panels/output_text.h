// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <QString>

#include <optional>

namespace attn::ui {

// Text that a model wrote on the way to `leaf`, of a text that was continued with its beginning; empty: it wrote
// nothing.
QString writtenText(const Trace& trace, std::optional<StepId> leaf);

} // namespace attn::ui
