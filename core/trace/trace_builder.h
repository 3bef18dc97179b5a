// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"
#include "trace/trace_sink.h"

#include <functional>
#include <memory>
#include <mutex>

namespace attn {

// The sink that grows a Trace. Sink calls come from the running thread; snapshot() may be called from any other.
class TraceBuilder final : public TraceSink
{
public:
    // targetDescriber names the produced tokens; null leaves "<id>". changed is called on the running thread after
    // every append and must return at once.
    TraceBuilder(Encoding source, std::shared_ptr<const TokenDescriber> targetDescriber, Provenance provenance,
                 std::function<void()> changed = {});

    Trace snapshot() const;
    Progress progress() const;

    void begun(std::span<const TokenId> source, TokenId decoderStart) override;
    void attention(const AttentionBlock& block) override;
    void hidden(const HiddenBlock& block) override;
    void logits(const LogitsBlock& block) override;
    void stepped(const DecodingStep& step) override;
    void progressed(const Progress& progress) override;
    void finished(const RunSummary& summary) override;

private:
    mutable std::mutex m_mutex; // held for pointer pushes only
    Trace m_trace;
    Progress m_progress;
    std::function<void()> m_changed;

};

} // namespace attn
