// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "models/model_info.h"
#include "tensor/tensor.h"
#include "trace/capture.h"
#include "trace/map_source.h"
#include "trace/trace_sink.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace attn {

// Numbers of tokens that a run reads and writes, as far as they are known before it begins.
struct RunLength
{
    std::uint64_t source = 0;
    std::uint64_t given = 0; // to the decoder at once: of a decoder-only model prompt and prefix, else output or prefix
    std::uint64_t steps = 0; // that decoding is expected to add, one by one
    std::uint64_t hypotheses = 1; // each of which adds them
    std::uint64_t sentences = 1; // of the source, for a model that reads it sentence by sentence

    // Inputs of the decoder, over all hypotheses.
    std::uint64_t inputs() const { return given + steps * hypotheses; }
};

class AttentionEdits; // edits/attention_edits.h
class Engine; // nn/engine.h
class Tape; // nn/tape.h
struct Variable; // nn/tape.h
struct RecordedInput; // models/recording.h
struct Recording; // models/recording.h
enum class LogitCap : std::uint8_t; // models/recording.h

// Context of a run, for the model. References live as long as the run.
struct RunContext
{
    Engine& engine;
    TraceSink& sink;
    Capture capture;
    std::stop_token stop;
    bool positions = true; // false: the model runs without its positional encoding
    std::optional<std::uint64_t> hardSeed =
        std::nullopt; // hard attention draws its position; none: it takes the largest weight
    const AttentionEdits* edits = nullptr; // null: none
    MapForm maps = MapForm::Numbers; // that the sink is given
    std::size_t outputRoom = 0; // inputs that the decoder is expected to read, for which room is made beforehand
};

// Input of an encoder. Views live as long as the call.
struct Source
{
    Source(std::span<const TokenId> sourceIds, std::span<const int> sourceSegments = {}, NumberView media = {})
        : ids(sourceIds)
        , segments(sourceSegments)
        , input(media)
    {
    }
    Source(const std::vector<TokenId>& sourceIds)
        : ids(sourceIds)
    {
    }

    std::span<const TokenId> ids; // of a picture or sound the numbers of places, from 0, noTokenId for special tokens
    std::span<const int> segments; // one per id, or empty: all 0
    NumberView input; // of a picture [3, height, width], of a sound [bands, frames]; empty: a text
};

// Output of the encoder for the decoder; each model derives its own.
class EncoderOutput
{
public:
    virtual ~EncoderOutput() = default;
    virtual int sourceLength() const = 0;
};

// All that changes while decoding: key/value caches or recurrent states, one entry per live hypothesis.
class DecoderState
{
public:
    virtual ~DecoderState() = default;

    // Feeds several decoder inputs to the one live hypothesis at once (forced target, prefill). Afterwards logits() has
    // one row per input.
    virtual void extend(std::span<const TokenId> inputs, RunContext& context) = 0;
    // Feeds one input per live hypothesis. Afterwards logits() has one row per hypothesis.
    virtual void step(std::span<const TokenId> inputs, RunContext& context) = 0;
    // Hypothesis i becomes a copy of what parents[i] was; the number of live hypotheses becomes parents.size().
    virtual void reorder(std::span<const int> parents) = 0;
    // [inputs of the last extend, or live hypotheses; target vocabulary]. Valid until the next call.
    virtual NumberView logits() const = 0;
    // Number of inputs fed so far.
    virtual int position() const = 0;
    // A decoder of one hypothesis that has read its first `inputs` inputs only, and computes none of them again; it has
    // no logits. Null where such a decoder would have to read them.
    virtual std::unique_ptr<DecoderState> upTo(int inputs, RunContext& context) const;
};

// A loaded model: immutable, shareable between runs on one thread. Text and ids in, attention out through the sink;
// it never knows who watches.
class SequenceModel
{
public:
    virtual ~SequenceModel() = default;

    virtual const ModelInfo& info() const = 0;
    // Most that a run takes beside its maps: what the layers work on, logits, and the hidden states and logits that
    // the capture keeps. What is freed counts, too: where what comes next has another size, it takes other memory.
    virtual std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const = 0;
    // Throws Error{Input} for ids outside the vocabulary or a source longer than the model's positions.
    // Decoder-only models have nothing to encode: throws Error{Input}.
    virtual std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const = 0;
    // Encoder-only models with a masked-token head: logits of the token at each position, [source, vocabulary]. Others
    // throw Error{Input}.
    virtual Tensor predictMasked(const EncoderOutput& encoded, RunContext& context) const;
    // Encoder-only models with a task head: [1, labels], logits of the whole source, or of each of its tokens [source,
    // labels], or [source, 2] of the start and the end of an answer. Others throw Error{Input}.
    virtual Tensor classify(const EncoderOutput& encoded, RunContext& context) const;
    // Models of a picture and a text beside it: where the two lie in one space. text: empty for the picture alone.
    // Others throw Error{Input}.
    virtual PictureMatch match(const EncoderOutput& encoded, std::span<const TokenId> text, RunContext& context) const;
    // Decoder-only models start from null. Encoder-only ones throw Error{Input}.
    virtual std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                                RunContext& context) const = 0;
    // [positions, width]: what is added to the embedding at positions 0 .. positions-1; empty when the model has none.
    virtual Tensor positionalEncoding(int positions) const;
    // [positions, positions], queries by keys: how position alone enters the scores of one head of self-attention. A
    // relative bias: what is added. Rotary positions: the mean over feature pairs of the cosine of the angle between
    // query and key. Empty when positions do not enter there. Throws Error{Input} for a head that does not exist.
    virtual Tensor positionScores(Stage stage, int head, int positions) const;
    // [ids, width]: the rows of the source's (Encoder) or target's (Decoder) embedding table. The ids must lie within
    // the vocabulary. Throws Error{Input} when the model has no such table.
    virtual Tensor embeddings(std::span<const TokenId> ids, Stage stage) const;
    // The whole run at once, on a tape that the model outlives. Throws Error{Unsupported} where gradients are not
    // defined, Error{Input} as a run does.
    virtual Recording record(Tape& tape, const RecordedInput& input) const;
    // Logits of rows of a recording's output, [rows, vocabulary]; of a classifier [1, labels] of all of them together,
    // or of each row. Throws Error{Unsupported} likewise.
    virtual Variable recordLogits(Tape& tape, Variable rows, LogitCap cap) const;
};

} // namespace attn
