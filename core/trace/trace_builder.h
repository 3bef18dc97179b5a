// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"
#include "trace/trace_sink.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// The sink that grows a Trace. Sink calls come from the running thread; snapshot() may be called from any other.
class TraceBuilder final : public TraceSink
{
public:
    // targetDescriber names the tokens that are produced or, without a decoder, predicted; null leaves "<id>". changed
    // is called on the running thread after every append and must return at once.
    TraceBuilder(Encoding source, std::shared_ptr<const TokenDescriber> targetDescriber, Provenance provenance,
                 std::function<void()> changed = {});

    Trace snapshot() const;
    Progress progress() const;

    void begun(std::span<const TokenId> source, std::optional<TokenId> decoderStart) override;
    void attention(const AttentionBlock& block) override;
    void finishedAttention(AttentionBlock block, Numbers weights, Numbers scores) override;
    void computableAttention(AttentionBlock block, std::shared_ptr<const MapSource> maps) override;
    void stage(const StageBlock& block) override;
    void hidden(const HiddenBlock& block) override;
    void routed(const RoutingBlock& block) override;
    void logits(const LogitsBlock& block) override;
    void predicted(const MaskedPrediction& prediction) override;
    void classified(const Classification& result) override;
    void labelled(const TokenPredictions& result) override;
    void matched(const PictureMatch& match) override;
    void gated(int hypothesis, int position, float share) override;
    void heard(TokenId language) override;
    void stepped(const DecodingStep& step) override;
    void closed(std::optional<StepId> step, int hypothesis, const std::vector<Candidate>& next) override;
    void progressed(const Progress& progress) override;
    void finished(const RunSummary& summary) override;

    // For readers of stored runs: a map that is handed over instead of copied, the tokens of the one path by position
    // (of a decoder-only run all that was read and produced), the picture or sound that was read, and the start token,
    // whose piece is known without a vocabulary.
    void stored(AttentionMap map);
    void setOutput(Encoding tokens);
    void setMedia(std::shared_ptr<const SourceMedia> media);
    void setDecoderStartText(std::string text);
    // Seconds of each output token of a hypothesis, by its last step.
    void setTimes(StepId leaf, std::vector<TimeSpan> times);

private:
    using Rows = std::vector<std::shared_ptr<const AttentionMap>>;
    using RowsByPosition = std::map<int, std::shared_ptr<const std::vector<float>>>;

    // Reports of the model for one live hypothesis since the last round of steps.
    struct Pending
    {
        Rows blocks;
        std::map<int, RowsByPosition> hidden; // by layer
        RowsByPosition logits;
        std::map<int, float> gates; // by position
        std::map<int, std::map<int, std::shared_ptr<const ChosenExperts>>> experts; // by layer and position
    };

    Pending& pending(int hypothesis);
    void keep(std::shared_ptr<const AttentionMap> map, int hypothesis);
    std::string nameOf(TokenId token) const;
    std::string storedName(int step) const; // of the token that it produced
    const std::vector<std::string>& namesOf(const std::vector<Candidate>& candidates);
    void published();

    mutable std::mutex m_mutex; // held while pointers are pushed and copied
    mutable Trace m_trace; // without the steps since the last snapshot
    Trace::Path m_steps;
    Progress m_progress;
    std::function<void()> m_changed;
    std::map<int, Pending> m_pending; // by hypothesis; touched by the running thread only
    bool m_roundEnded = false; // steps were reported since the last block
    std::vector<Candidate> m_namedCandidates; // the last candidates that were named, and their names:
    std::vector<std::string> m_candidateNames; // siblings share them
};

} // namespace attn
