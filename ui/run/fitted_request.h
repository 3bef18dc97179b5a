// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inference/run.h"

namespace attn::ui {

// What a model can do of a request: a second text, a forced output and languages that it does not know are left out,
// and where it has no tokenizer the text is read as ids. Throws attn::Error{Input} for a text that is none.
RunRequest fittedRequest(RunRequest request, const LoadedModel& model);

} // namespace attn::ui
