// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/attention_map.h"
#include "trace/site.h"
#include "trace/source_media.h"
#include "trace/stage.h"
#include "trace/trace_sink.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct KeptReadings;

// Takes the row of a head into one of the same size.
using CombineRow = std::function<void(std::span<const float> row, std::span<float> into)>;

// Some of a matrix's rows; those that there are.
struct RowSpan
{
    Index first = 0;
    Index count = std::numeric_limits<Index>::max();
};

// Rows and columns of a matrix.
struct MatrixShape
{
    Index rows = 0;
    Index columns = 0;

    friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

// Where attention rows lie that several steps share: row `row` of a block of decoder or cross attention.
struct StepRow
{
    std::shared_ptr<const AttentionMap> block;
    int row = 0; // within the block
};

// The experts that a layer chose for one position, the largest weight first, and what their outputs are multiplied
// with.
struct ChosenExperts
{
    std::vector<int> ids;
    std::vector<float> weights;
};

// A decoding step and everything that led to its token. Immutable once published.
struct TraceStep
{
    DecodingStep step;
    std::string text; // the token's piece
    std::vector<std::string> candidateTexts;
    std::vector<StepRow> rows; // one per decoder and cross site
    std::vector<std::shared_ptr<const std::vector<float>>> hidden; // per decoder layer, [width]; empty unless captured
    std::shared_ptr<const std::vector<float>> logits; // [vocabulary]; null unless captured
    std::map<int, std::shared_ptr<const ChosenExperts>> experts = {}; // by decoder layer, of those that have some
    std::optional<float> gate = {}; // share of the context that was read, of models that have such a gate
};

// Prediction of a masked-token head at a source position, with the pieces of its candidates.
struct TracePrediction
{
    MaskedPrediction prediction;
    std::vector<std::string> candidateTexts;
};

// Provenance::decoding of a run of a model that predicts no tokens.
inline constexpr std::string_view readOnly = "none, only read";

// Origin of a run: enough to repeat it. Strings are shown to people and written to archives.
struct Provenance
{
    std::string model; // name or path
    ModelKind kind = ModelKind::EncoderDecoder;
    std::string modelType; // "marian", "rnn_encoder_decoder", empty when unknown
    std::string text;
    std::optional<std::string> secondText; // of a sentence pair
    std::string decoding; // how the tokens were chosen, for people: "greedy", "beam:4", "sample seed=1", "forced"
    std::string precision = "f32";
    std::uint64_t seed = 0;
    std::string programVersion;
    std::vector<std::string> edits; // what the run was made to do differently, as given
    std::string question; // what was asked, in its canonical text form; empty when unknown
    std::vector<TokenId> prefixIds = {}; // that the output was made to begin with
    bool towers = false; // encoder and decoder each read an input of their own: a picture, and a text beside it
    std::string command = {}; // that writes the archive again which this was read from; empty: none is known
};

// Results of a run so far. A value made of pointers to immutable parts: copying is cheap, a snapshot never changes.
// A live run, a saved archive and a Python dump all become this.
class Trace
{
public:
    using Path = std::vector<std::shared_ptr<const TraceStep>>; // from the root, one step per target token

    // Decoder-only: the prompt. Its first token is where the tree of steps starts; the other tokens of the prompt are
    // the first steps of every path, and what was generated follows.
    const Encoding& source() const { return *m_source; }
    // The picture or sound that the source's tokens are places of; null for a text.
    const std::shared_ptr<const SourceMedia>& media() const { return m_media; }
    const Provenance& provenance() const { return *m_provenance; }
    ModelKind kind() const { return m_provenance->kind; }

    // Number of decoding steps of all hypotheses, and one of them by its number.
    int stepCount() const { return indexSize(*m_steps); }
    const TraceStep& step(StepId id) const { return *m_steps->at(numberOf(id)); }
    // Whether there is such a step; the best, which none stands for, there always is.
    bool has(std::optional<StepId> leaf) const { return !leaf || numberOf(*leaf) < stepCount(); }

    // Whether it reads a text and writes none: its tokens take the place of steps.
    bool stepsAreTokens() const { return kind() == ModelKind::EncoderOnly; }
    // Whether its output goes on after the text that it read: sequence() is both.
    bool continuesSource() const { return kind() == ModelKind::DecoderOnly; }
    // Whether steps say at each token what comes next: step i writes token i + 1 of such a text, a prompt's as it is
    // given. A model without an output only reads: step i is then about the token that it reads.
    bool writesOn() const { return continuesSource() && !readsOnly(); }
    // Whether there is one text: no other one is written beside it.
    bool hasOneText() const { return stepsAreTokens() || continuesSource(); }
    // The tokens that steps are about: the output, with the text before it where it goes on, or the text that is only
    // read.
    Encoding stepTokens(std::optional<StepId> leaf = {}) const;
    // The one of these tokens that step 0 is about: an output that goes on starts from the first token.
    int firstStepToken() const { return writesOn() ? 1 : 0; }
    // The step that is about one of these tokens; none: no step writes the first token of a text that goes on.
    std::optional<int> stepOf(int token) const
    {
        return token < firstStepToken() ? std::nullopt : std::optional(token - firstStepToken());
    }
    // The first of these tokens that was generated; past every token where the output does not go on.
    int firstGenerated() const;
    int steps(std::optional<StepId> leaf = {}) const; // 0 for a hypothesis that does not exist
    // The same with what read the last token of a text that goes on, and has written nothing yet.
    int rowCount(std::optional<StepId> leaf = {}) const;
    // The row of that, where it says what comes next.
    std::optional<int> unwrittenRow(std::optional<StepId> leaf = {}) const;
    // Whether a site's row i is that of step i, which writes the row's word. Without an output the rows are the tokens
    // of the text.
    bool hasRowsOfSteps(Site site) const;
    // Whether a site's rows and columns are tokens of the same text.
    bool attendsToItself(Site site) const;

    // Number of steps at the beginning of every path that were given, not found: the prompt's and the prefix's.
    int givenSteps() const;

    // Empty until the run has finished.
    const std::optional<RunSummary>& summary() const { return m_summary; }

    // The step that ends the best hypothesis, or while the run goes on the latest step; none before the first.
    std::optional<StepId> bestLeaf() const;

    // Root to `leaf`, the last step of a hypothesis; without one, bestLeaf().
    Path path(std::optional<StepId> leaf = {}) const;
    // Tokens along a path. With decoderInputs: what entered the decoder, i.e. the start token and all but the last.
    Encoding target(std::optional<StepId> leaf = {}) const;
    Encoding decoderInputs(std::optional<StepId> leaf = {}) const;

    // Decoder-only: the prompt and what was generated.
    Encoding sequence(std::optional<StepId> leaf = {}) const;
    // The tokens that steps are about and, where that is asked for, what would come next: the most probable token with
    // a question mark, or the mark alone.
    Encoding textAndNext(std::optional<StepId> leaf = {}) const;
    // The path's steps, and for a decoder-only run the row of its last token when that was read too: what holds
    // attention rows, hidden states and logits, one entry a row.
    Path rowPath(std::optional<StepId> leaf = {}) const;

    // Tokens of the rows and columns of a site's matrix: for the decoder its outputs and its inputs, those of
    // textAndNext() where a text goes on. A model without an output has the tokens that were read on both sides. Where
    // they are no tokens, one for each place, without an id: of a sentence its beginning.
    Encoding rowTokens(Site site, std::optional<StepId> leaf = {}) const;
    Encoding columnTokens(Site site, std::optional<StepId> leaf = {}) const;
    // Kinds of a site's rows and columns; no tokens only for an encoder-only model that makes vectors of a text.
    AttentionAxis rowAxis(Site site) const;
    AttentionAxis columnAxis(Site site) const;

    // Every site that has something to show, in the order encoder, decoder, cross, by layer.
    std::vector<Site> sites() const;
    int heads(Site site) const; // 0 when the site has nothing yet
    // Encoder: the whole map. Decoder and cross: the rows along the path to `leaf`. Throws Error{Input} for a head
    // that does not exist; a site without data gives an empty matrix.
    // Maps that are kept as queries and keys are computed by the calling thread: seconds for many large ones. Some rows
    // cost their share, and have as many columns as all. Throws Error{Cancelled} by ThreadStop.
    Numbers matrix(Site site, int head, std::optional<StepId> leaf = {}, RowSpan rows = {}) const;
    // Takes rows of matrix(), from `first` on, into those of `into`, which has as many columns.
    void combine(Site site, int head, std::optional<StepId> leaf, Index first, MutableView into,
                 const CombineRow& combine) const;
    Numbers scores(Site site, int head, std::optional<StepId> leaf = {},
                   RowSpan rows = {}) const; // empty unless captured
    // Weights that the sinks of a site take of each row along the path, [heads, rows] as a matrix; empty where there
    // are none.
    Numbers sinks(Site site, std::optional<StepId> leaf = {}) const;
    // The experts of a decoder layer for each row along the path; empty where the layer has none.
    std::vector<ChosenExperts> experts(int layer, std::optional<StepId> leaf = {}) const;
    // Whether some layer has experts.
    bool hasExperts() const;
    // Shape of matrix() or scores(), without computing anything.
    MatrixShape shape(Site site, std::optional<StepId> leaf = {}, MapPart part = MapPart::Weights) const;
    // About how much memory its rows are kept in, those of one hypothesis.
    std::size_t keptBytes(Site site) const;
    // Whether some of its rows are computed when they are asked for.
    bool computes(Site site, std::optional<StepId> leaf = {}) const;

    // Result of a classifier; null for other models.
    const std::shared_ptr<const Classification>& classification() const { return m_classification; }
    // Result of a model of pictures and texts; null for other models.
    const std::shared_ptr<const PictureMatch>& match() const { return m_match; }
    // Predictions of a head for each token; null for other models.
    const std::shared_ptr<const TokenPredictions>& tokenPredictions() const { return m_tokenPredictions; }
    // Whether its tokens were only read: none was predicted, and none has a probability.
    bool readsOnly() const { return provenance().decoding == readOnly; }
    // Encoder-only with a masked-token head: one per source position.
    const std::vector<std::shared_ptr<const TracePrediction>>& predictions() const { return m_predictions; }
    // Their logits, [vocabulary] each; empty unless captured.
    const std::vector<std::shared_ptr<const std::vector<float>>>& sourceLogits() const { return m_sourceLogits; }

    // Hidden states of the encoder or, along a path, of the decoder, [rows, width] per layer as HiddenBlock counts
    // them. Empty unless captured, and of a layer that is not known for every row.
    std::vector<Numbers> hiddenStates(Stage stage, std::optional<StepId> leaf = {}) const;

    // Stages of the row that the capture asked for; empty where it asked for none, or the row was not computed.
    const CellStages& stages() const { return m_stages; }

    // Readings that a model computed of the run; null: none.
    const std::shared_ptr<const KeptReadings>& readings() const { return m_readings; }
    // The same run with others.
    Trace with(std::shared_ptr<const KeptReadings> readings) const;

private:
    friend class TraceBuilder;

    Encoding named(std::vector<TokenId> ids) const; // tokens of a path, with what stands before it
    const TraceStep* closingOf(std::optional<StepId> leaf) const; // the row of its own token; null: there is none
    Encoding places(AttentionAxis axis, int count) const; // that are no tokens
    const TraceStep* anyRow() const; // a step that has rows; null when there is none
    struct MapRows; // that lie one after another in a map
    std::vector<MapRows> mapRows(Site site, std::optional<StepId> leaf, MapPart part) const;
    static MatrixShape shapeOf(Site site, const std::vector<MapRows>& mapRows);
    Numbers collect(Site site, int head, std::optional<StepId> leaf, MapPart part, RowSpan rows) const;

    std::shared_ptr<const Encoding> m_source = std::make_shared<const Encoding>();
    std::shared_ptr<const SourceMedia> m_media;
    std::shared_ptr<const Provenance> m_provenance = std::make_shared<const Provenance>();
    std::shared_ptr<const TokenDescriber> m_targetDescriber; // null: pieces only
    std::shared_ptr<const Encoding> m_output; // a stored run's tokens by position, see TraceBuilder::setOutput
    std::optional<TokenId> m_decoderStart;
    std::string m_decoderStartText;
    std::map<Site, std::shared_ptr<const AttentionMap>> m_maps; // whole maps: the encoder's
    std::vector<std::shared_ptr<const TracePrediction>> m_predictions;
    std::vector<std::shared_ptr<const std::vector<float>>> m_sourceLogits;
    std::map<std::optional<StepId>, std::shared_ptr<const TraceStep>> m_closing; // by leaf: the row of its own token
    std::vector<std::shared_ptr<const Numbers>> m_encoderHidden;
    std::shared_ptr<const Path> m_steps = std::make_shared<const Path>(); // of all hypotheses, by number
    std::map<StepId, std::shared_ptr<const std::vector<TimeSpan>>> m_times; // of output tokens, by the last step
    std::optional<RunSummary> m_summary;
    std::shared_ptr<const Classification> m_classification;
    std::shared_ptr<const PictureMatch> m_match;
    std::shared_ptr<const TokenPredictions> m_tokenPredictions;
    CellStages m_stages;
    std::shared_ptr<const KeptReadings> m_readings;
};

// Site of a trace to be shown at first, as ModelInfo::bestSite is of a model; {Cross, 0} when there is no attention.
Site firstShownSite(const Trace& trace);

// The tokens that every path of a run was made to begin with: a prompt's after its first, and the prefix's.
std::vector<TokenId> givenTokens(const Trace& trace);

// The steps from the root that produced these tokens one after the other, as far as there are such.
Trace::Path stepsAlong(const Trace& trace, std::span<const TokenId> tokens);

// Log probabilities of an output, natural logarithms.
struct OutputScore
{
    // One per step of the output's path; NaN for a prompt that was continued, and for all where the model has other
    // tokens. Empty: it is not known.
    std::vector<double> tokens;
    double sum = 0; // of the output, NaN where it is not known
};

} // namespace attn
