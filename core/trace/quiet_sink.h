// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace_sink.h"

namespace attn {

// A sink that drops everything; what derives from it picks out what it wants.
class QuietSink : public TraceSink
{
public:
    void begun(std::span<const TokenId> /*source*/, std::optional<TokenId> /*decoderStart*/) override { }
    void attention(const AttentionBlock& /*block*/) override { }
    void stage(const StageBlock& /*block*/) override { }
    void hidden(const HiddenBlock& /*block*/) override { }
    void logits(const LogitsBlock& /*block*/) override { }
    void predicted(const MaskedPrediction& /*prediction*/) override { }
    void classified(const Classification& /*result*/) override { }
    void stepped(const DecodingStep& /*step*/) override { }
    void closed(std::optional<int> /*step*/, int /*hypothesis*/) override { }
    void progressed(const Progress& /*progress*/) override { }
    void finished(const RunSummary& /*summary*/) override { }
};

} // namespace attn
