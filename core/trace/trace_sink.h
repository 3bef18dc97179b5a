// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/progress.h"
#include "tensor/number_view.h"
#include "trace/attention_map.h"
#include "trace/map_source.h"
#include "trace/site.h"
#include "trace/stage.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// Result of a classifier for a whole text.
struct Classification
{
    std::vector<std::string> labels;
    std::vector<float> logits; // one per label
    std::vector<float> probabilities; // as the reading has them; of a value the value itself
    ClassReading reading = ClassReading::OneOf;

    int best() const; // index of the most probable label, the first of equals; no NaN before others
};

// `logits`: one per label, at least one.
Classification classification(std::vector<std::string> labels, std::span<const float> logits,
                              ClassReading reading = ClassReading::OneOf);

// Predictions of a head for each token of a text.
struct TokenPredictions
{
    TaskHead task = TaskHead::Tokens; // or Span
    std::vector<std::string> labels; // Tokens: one per column
    Numbers logits; // [tokens, labels], or of the start and the end of an answer [tokens, 2]
    ClassReading reading = ClassReading::OneOf;

    Classification ofToken(Index token) const;
};

// A picture beside a text, as a model of both places them in one space, each of length one.
struct PictureMatch
{
    std::vector<float> image; // empty: the model has no such vector
    std::vector<float> text; // empty: no text was given
    std::optional<float> similarity; // of the two, as the model scales it
    std::vector<std::string> labelTexts; // to choose from
    std::vector<float> labelSimilarities; // of the picture and each of them
    ClassReading reading = ClassReading::OneOf; // of these
};

// Attention that a layer has just computed: [heads, rows, columns], valid during the call only.
// Rows are queries firstRow .. firstRow+rows-1, columns are keys 0 .. columns-1. A row sums to 1, with four
// exceptions: all zeros when the query may attend to nothing, local_p (the Gaussian is not renormalised), rows
// of which a sink takes a share, and rows that an edit changed. scores is empty unless the capture asks for it.
struct AttentionBlock
{
    Site site;
    int hypothesis = 0; // index among the live hypotheses of this step; 0 for the encoder
    int firstRow = 0; // for the decoder: target position, from 0, that the first row predicts
    NumberView weights;
    NumberView scores;
    AttentionAxis rowAxis = AttentionAxis::Tokens; // of the encoder
    AttentionAxis columnAxis = AttentionAxis::Tokens;
    NumberView sinks = {}; // [heads, rows, 1], what each row's sink takes; empty: the model has none
};

// Which experts a layer chose for each position and what it multiplied their outputs with (Shazeer et al. 2017), valid
// during the call only.
struct RoutingBlock
{
    int layer = 0; // of the decoder
    int hypothesis = 0;
    int firstRow = 0;
    std::span<const int> ids; // [rows, chosen], the largest weight first, the lower number of equals
    NumberView weights; // [rows, chosen]
};

// Hidden states that a layer has just computed: [rows, width], valid during the call only.
struct HiddenBlock
{
    Stage stage = Stage::Encoder; // Encoder or Decoder
    int layer = 0; // Transformer: 0 is what enters the first layer; recurrent: layer k's states, no embedding entry
    int hypothesis = 0;
    int firstRow = 0;
    NumberView values;
};

// Logits before the softmax: [rows, vocabulary], valid during the call only. Row r predicts position firstRow + r.
struct LogitsBlock
{
    int hypothesis = 0;
    int firstRow = 0;
    NumberView values;
    Stage stage = Stage::Decoder; // Encoder: row r is what could stand at source position firstRow + r
};

struct Candidate
{
    TokenId token = 0;
    float logProbability = 0; // natural logarithm, the model's own (before temperature and filtering)
};

// Prediction of a masked-token head at one source position.
struct MaskedPrediction
{
    int position = 0;
    float logProbability = 0; // of the token that stands there; NaN: its logits hold no numbers
    std::vector<Candidate> candidates; // the 20 most probable tokens, best first

    bool isLost() const { return std::isnan(logProbability); }
};

// Number of a step of the decoding tree, over all hypotheses; a position in the target is an int.
enum class StepId : int {};

constexpr int numberOf(StepId step)
{
    return static_cast<int>(step);
}

// One hypothesis extended by one token. Steps are numbered 0, 1, 2 ... in the order they are reported; parent is the
// number of the step that this one continues, none at the start, so that the steps of a beam search form a tree and
// each hypothesis is a path to the root.
struct DecodingStep
{
    StepId index{};
    std::optional<StepId> parent = {};
    int position = 0; // of the token in the target, from 0: the depth in the tree
    int hypothesis = 0; // which live hypothesis of the model's step predicted the token; selects its attention rows
    TokenId token = 0;
    float logProbability = 0; // of token; NaN: likewise
    float score = 0; // sum of log probabilities up to here, before length normalisation
    bool ends = false; // the token is the end token
    std::vector<Candidate> candidates; // the 20 most probable next tokens, best first; shared by siblings' parents

    bool isLost() const { return std::isnan(logProbability); }
};

// A hypothesis that the search finished with: the path from `step` to the root.
struct Hypothesis
{
    std::optional<StepId> step = {}; // last step; none for the empty hypothesis
    double sum = 0; // of log probabilities
    double score = 0; // sum / length, end token included
    bool ended = false; // with the end token, not at the length limit
};

struct RunSummary
{
    std::vector<Hypothesis> hypotheses; // best first; empty for encoder-only runs
    double seconds = 0;
};

// The only way out of a model while it runs. All calls come from the thread that runs the model, in order; an
// implementation copies or takes what it keeps and returns without waiting for anyone. Order of a run: begun; the
// encoder's blocks layer by layer; then for every decoding round the blocks of every live hypothesis followed by
// stepped() once per surviving or finished continuation; finished. Either finished() comes last or the run ends in an
// exception. Rows of a decoder or cross block that cover several positions (forced target) are followed by one step
// each. A decoder-only run is one whose decoder starts from the prompt's first token: the rest of the prompt is
// followed like a forced target, what is generated comes after it, and row i belongs to the query x_i, which predicts
// x_{i+1}.
class TraceSink
{
public:
    virtual ~TraceSink() = default;

    // source and decoderStart as ids; the describers that name them are known to whoever made the sink.
    virtual void begun(std::span<const TokenId> source, std::optional<TokenId> decoderStart) = 0;
    virtual void attention(const AttentionBlock& block) = 0;
    // The same of maps that are no longer needed, which a sink that keeps them need not copy. block: its views are not
    // set.
    virtual void finishedAttention(AttentionBlock block, Numbers weights, Numbers scores)
    {
        block.weights = std::as_const(weights).view();
        block.scores = std::as_const(scores).view();
        attention(block);
    }
    // The same of maps that can be computed at any time; a sink that does not override this gets their numbers.
    virtual void computableAttention(AttentionBlock block, std::shared_ptr<const MapSource> maps);
    virtual void stage(const StageBlock& block) = 0; // of the one row that the capture asks for
    virtual void hidden(const HiddenBlock& block) = 0;
    virtual void routed(const RoutingBlock& block) = 0; // layers with experts
    virtual void logits(const LogitsBlock& block) = 0;
    virtual void predicted(const MaskedPrediction& prediction) = 0; // encoder-only, once per position
    virtual void classified(const Classification& result) = 0; // TaskHead::Text, once
    virtual void labelled(const TokenPredictions& result) = 0; // TaskHead::Tokens and Span, once
    virtual void matched(const PictureMatch& /*match*/) { } // models of pictures and texts, once
    // Share of the context that the step at this position reads (Xu et al. 2015, section 4.2.1).
    virtual void gated(int /*hypothesis*/, int /*position*/, float /*share*/) { }
    // Language that is spoken in a sound, where the model was to find out: it is the first token that is given.
    virtual void heard(TokenId /*language*/) { }
    virtual void stepped(const DecodingStep& step) = 0;
    // Decoder-only: the last token of a hypothesis, which `step` produced (none: the prompt is that one token), was
    // read too; what was reported for `hypothesis` since the last step is its own row. next: the most probable tokens
    // that nothing was taken of, best first; empty where none are predicted.
    virtual void closed(std::optional<StepId> step, int hypothesis, const std::vector<Candidate>& next) = 0;
    virtual void progressed(const Progress& progress) = 0;
    virtual void finished(const RunSummary& summary) = 0;
};

// A sink that drops everything; what derives from it picks out what it wants.
class QuietSink : public TraceSink
{
public:
    void begun(std::span<const TokenId> /*source*/, std::optional<TokenId> /*decoderStart*/) override { }
    void attention(const AttentionBlock& /*block*/) override { }
    void stage(const StageBlock& /*block*/) override { }
    void hidden(const HiddenBlock& /*block*/) override { }
    void routed(const RoutingBlock& /*block*/) override { }
    void logits(const LogitsBlock& /*block*/) override { }
    void predicted(const MaskedPrediction& /*prediction*/) override { }
    void classified(const Classification& /*result*/) override { }
    void labelled(const TokenPredictions& /*result*/) override { }
    void stepped(const DecodingStep& /*step*/) override { }
    void closed(std::optional<StepId> /*step*/, int /*hypothesis*/, const std::vector<Candidate>& /*next*/) override { }
    void progressed(const Progress& /*progress*/) override { }
    void finished(const RunSummary& /*summary*/) override { }
};

} // namespace attn
