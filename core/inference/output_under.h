// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loading/model_loader.h"
#include "question/question.h"
#include "trace/output_score.h"
#include "trace/trace.h"

#include <stop_token>

namespace attn {

// The output of a run as another question sees it: that one is asked, of a model that was loaded by `engine`, with the
// output forced. A text that was only read is read again. Throws what answer() throws.
OutputScore outputUnder(const Trace& run, const Question& other, const LoadedModel& model, Engine& engine,
                        const std::stop_token& stop = {});

} // namespace attn
