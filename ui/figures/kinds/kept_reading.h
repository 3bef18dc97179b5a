// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <QString>

namespace attn::ui {

// Whether a run has the results of a method, or may still get them.
bool hasReading(const Trace& trace, const char* method);
// A subtitle after the model's name.
QString withModel(const Trace& trace, const QString& text);
// A sentence that says why they are not there.
QString whyNotKept(const char* method, const Trace& trace);

} // namespace attn::ui
