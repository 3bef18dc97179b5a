// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "edits/attention_edits.h"
#include "loading/model_loader.h"
#include "models/recording.h"
#include "nn/engine.h"
#include "nn/tape.h"
#include "question/question.h"
#include "trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// Most steps of integrated gradients for a figure: with as many those of models that can settle have settled.
constexpr int mostShownSteps = 256;

// Options of readings: what they explain, and how.
struct ReadingOptions
{
    std::optional<int> of; // output position, or a label; none: the contract's default
    bool ofAll = false; // every output position
    std::optional<std::string> against; // "17" or "word:TEXT": why not this token, or label
    int steps = 32; // of integrated gradients
    int mostSteps = 0; // while these have not settled, twice as many are taken, up to so many
    std::optional<TokenId> baseline; // token that their path begins at; none: the zero embedding
    bool eraseHides = false; // erased tokens are hidden, not replaced
    int lensTop = 5; // tokens that the logit lens names
};

// An option that does not fit the run; the message begins with its name.
class ReadingOptionError : public Error
{
public:
    ReadingOptionError(const std::string& option, const std::string& problem, const std::string& advice = {})
        : Error(ErrorKind::Input, option, problem, advice)
    {
    }
};

// The number that is explained of an output: its log probability, or its logit before the softmax.
enum class Explained : std::uint8_t { LogProbability, Logit };

// A position of the output, and where its probability lies among logits, [rows, columns].
struct ExplainedOutput
{
    int position = 0; // of the output, as --of counts it
    std::vector<int> rows; // of the recording's output that its logits are made of
    int answer = 0; // column of the logits; of a span the start's row
    int spanEnd = -1; // of a span the end's row
    std::optional<int> against = {}; // column
};

// A finished run, and what its readings are made of. The engine, the model and the run outlive it.
class ExplainedRun
{
public:
    // run: of the question, by this model. Throws ReadingOptionError for options that do not fit it.
    ExplainedRun(const LoadedModel& model, const Question& question, const Trace& run, ReadingOptions options,
                 Engine& engine, std::stop_token stop = {});

    const LoadedModel& loaded() const { return m_model; }
    const SequenceModel& model() const { return *m_model.model; }
    const ModelInfo& info() const { return m_model.model->info(); }
    const Question& question() const { return m_question; }
    const Trace& run() const { return m_run; }
    const ReadingOptions& options() const { return m_options; }
    Engine& engine() const { return m_engine; }
    const std::stop_token& stop() const { return m_stop; }

    const std::vector<TokenId>& source() const { return m_source; } // of a decoder-only model the sequence
    Source input() const; // all that is read
    const std::vector<TokenId>& decoderInputs() const { return m_inputs; } // of an encoder-decoder
    bool comparesTexts() const { return info().input == InputKind::PictureAndText; } // with a picture

    // A sentence that says why nothing can be explained; empty: something can.
    const std::string& nothingToExplain() const { return m_nothing; }
    // The position of --of, or all of them.
    const std::vector<ExplainedOutput>& explained() const { return m_explained; }
    // Positions that are explained from now on, some of all, so that each reading is computed some rows at a time.
    void explainOnly(std::vector<ExplainedOutput> outputs) { m_explained = std::move(outputs); }
    // Every position of the output, for readings that are about all at once; one for a classifier.
    const std::vector<ExplainedOutput>& everyOutput() const { return m_every; }

    // The run on a tape, with its edits; made when it is first asked for. Throws Error{Unsupported} for models without
    // gradients, Error{Input} naming hard attention.
    const Recording& recording();
    const Tape& tape();
    // The same for what is asked of the embeddings alone: of a long run it has only its ends (RecordedInput).
    struct Recorded
    {
        std::unique_ptr<Tape> tape; // null: not recorded yet
        Recording recording;
    };
    const Recorded& ends();
    RecordedInput recordedInput() const; // of ends()

    // Gradients of what is explained with respect to each of `wanted`, one after the other for each position:
    // [positions * rows, columns].
    std::vector<Tensor> gradients(std::span<const ExplainedOutput> outputs, std::span<const Variable> wanted,
                                  Explained what, BackwardRule rule = BackwardRule::Gradient);
    // Those of the attentions' weights with respect to the one position, 0 at masked cells. Of a long run layers come
    // from the last to the first, and are gone after the call.
    void weightGradients(const WeightGradient& use);
    // As gradients(), of another recording of the model on its tape.
    std::vector<Tensor> gradients(Tape& tape, const Recording& recording, std::span<const ExplainedOutput> outputs,
                                  std::span<const Variable> wanted, Explained what, BackwardRule rule) const;
    // Values of what is explained of a recording, by position.
    std::vector<double> values(Tape& tape, const Recording& recording, std::span<const ExplainedOutput> outputs,
                               Explained what) const;
    // The same from logits of the rows that the position names.
    double value(const ExplainedOutput& output, NumberView logits, Explained what) const;

    // Its logit, or the difference of two, as it is before the model caps logits.
    double logitBeforeCap(const ExplainedOutput& output);

    // Logits of the output, [rows, vocabulary] or [rows, labels], from a row on.
    struct FurtherLogits
    {
        Index firstRow = 0;
        Tensor values;
    };
    // Those of another input and further edits. changed: the first token that differs from the run's, from which
    // a decoder-only model goes on where the run itself was asked for before.
    FurtherLogits logitsOf(const Source& read, std::span<const Edit> further, Index changed = 0);
    double value(const ExplainedOutput& output, const FurtherLogits& logits, Explained what) const;

private:
    ClassReading reading() const; // of the logits
    void explainLabels();
    void explainTokens();
    void choose();
    int againstColumn(const ExplainedOutput& output) const;
    Tensor slopes(const ExplainedOutput& output, NumberView logits, Explained what) const;
    AttentionEdits editsOf(std::span<const Edit> further) const;
    const Recorded& made(Recorded& recorded, bool endsOnly) const;

    const LoadedModel& m_model;
    Question m_question;
    const Trace& m_run;
    ReadingOptions m_options;
    Engine& m_engine;
    std::stop_token m_stop;
    std::vector<TokenId> m_source;
    std::vector<TokenId> m_inputs;
    std::vector<Edit> m_edits;
    AttentionEdits m_attentionEdits;
    std::string m_nothing;
    std::vector<ExplainedOutput> m_every;
    std::vector<ExplainedOutput> m_explained;
    std::unique_ptr<DecoderState> m_read; // of a decoder-only model that has read the run's tokens; null: not yet
    Recorded m_whole;
    Recorded m_ends;
};

} // namespace attn
