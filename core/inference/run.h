// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inference/answer.h"

namespace attn {

struct RunRequest : Question
{
    std::shared_ptr<AttentionProbe> probe; // filled by the run; may be null
};

inline Trace run(const LoadedModel& model, const RunRequest& request, Engine& engine, const std::stop_token& stop = {},
                 const std::function<void()>& changed = {},
                 const std::function<void(std::shared_ptr<const TraceBuilder>)>& started = {})
{
    return answer(request, model, engine, {stop, changed, started, request.probe});
}

} // namespace attn
