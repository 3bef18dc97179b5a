// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_page.h"

namespace attn::ui {

// Two equal keys: running the model again would give the same trace.
QString requestKey(const QString& model, const RunRequest& request);

} // namespace attn::ui
