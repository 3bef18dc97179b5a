// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/attention_map.h"
#include "trace/trace_sink.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace attn::test {

// Keeps everything that a run reports, in order.
class RecordingSink final : public TraceSink
{
public:
    struct Attention
    {
        AttentionMap map;
        int hypothesis = 0;
    };
    struct Hidden
    {
        HiddenBlock block; // without its values, which are:
        NumberVector<float> values;
    };

    std::vector<Attention> attentions;
    std::vector<Hidden> hiddens;
    std::vector<DecodingStep> steps;
    std::vector<RunSummary> summaries;
    std::vector<Progress> progress;
    std::vector<TokenId> source;
    std::optional<TokenId> decoderStart;
    int logitsBlocks = 0;
    NumberVector<float> sourceLogits;
    std::vector<MaskedPrediction> predictions;
    std::vector<std::optional<StepId>> closedSteps;
    std::vector<Classification> classifications;
    std::vector<TokenPredictions> tokenPredictions;
    struct Routing
    {
        RoutingBlock block; // without its ids and weights, which are:
        std::vector<int> ids;
        NumberVector<float> weights;
    };
    std::vector<Routing> routings;
    CellStages stages;
    std::function<void()> onProgress; // called with each progress

    void begun(std::span<const TokenId> ids, std::optional<TokenId> start) override
    {
        source.assign(ids.begin(), ids.end());
        decoderStart = start;
    }
    void stage(const StageBlock& block) override { stages.add(block); }
    void attention(const AttentionBlock& block) override
    {
        attentions.push_back({{block.site,
                               block.firstRow,
                               Numbers::of(block.weights),
                               Numbers::of(block.scores),
                               block.rowAxis,
                               block.columnAxis,
                               {},
                               Numbers::of(block.sinks)},
                              block.hypothesis});
    }
    void hidden(const HiddenBlock& block) override
    {
        hiddens.push_back({block, copyOf(block.values)});
        hiddens.back().block.values = {};
    }
    void routed(const RoutingBlock& block) override
    {
        routings.push_back({block, {block.ids.begin(), block.ids.end()}, copyOf(block.weights)});
        routings.back().block.ids = {};
        routings.back().block.weights = {};
    }
    void logits(const LogitsBlock& block) override
    {
        ++logitsBlocks;
        if (block.stage == Stage::Encoder)
            std::ranges::copy(copyOf(block.values), std::back_inserter(sourceLogits));
    }
    void predicted(const MaskedPrediction& prediction) override { predictions.push_back(prediction); }
    void classified(const Classification& result) override { classifications.push_back(result); }
    void labelled(const TokenPredictions& result) override { tokenPredictions.push_back(result); }
    void stepped(const DecodingStep& step) override { steps.push_back(step); }
    void closed(std::optional<StepId> step, int /*hypothesis*/, const std::vector<Candidate>& /*next*/) override
    {
        closedSteps.push_back(step);
    }
    void progressed(const Progress& how) override
    {
        progress.push_back(how);
        if (onProgress)
            onProgress();
    }
    void finished(const RunSummary& summary) override { summaries.push_back(summary); }
};

} // namespace attn::test
