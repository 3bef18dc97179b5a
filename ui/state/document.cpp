// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/document.h"

#include <utility>

namespace attn::ui {

void Document::replaceTrace(Trace trace, bool running)
{
    Q_EMIT traceReplaced();
    growTrace(std::move(trace), running);
}

void Document::growTrace(Trace trace, bool running)
{
    if (running)
        setRunning(true);
    m_trace = std::move(trace);
    ++m_revision;
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
