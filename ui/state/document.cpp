// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/document.h"

#include <utility>

namespace attn::ui {

void Document::setTrace(Trace trace, bool running)
{
    m_trace = std::move(trace);
    Q_EMIT traceChanged();
    setRunning(running);
}

void Document::setModel(std::optional<ModelSummary> model)
{
    m_model = std::move(model);
    Q_EMIT modelChanged();
}

void Document::setRunning(bool running)
{
    if (std::exchange(m_running, running) != running)
        Q_EMIT runningChanged(running);
}

} // namespace attn::ui
