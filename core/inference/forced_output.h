// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "edits/edit.h"
#include "edits/edit_check.h"
#include "inference/answer.h"
#include "loading/model_loader.h"
#include "models/sequence_model.h"
#include "question/question.h"
#include "text/tokenizer.h"
#include "trace/trace.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace attn {

// The output of a finished run, forced again with further edits: what the model then expects at each of its places.
// Attention is not reported, and the source is encoded again only for edits that reach into the encoder.
class ForcedOutput
{
public:
    // run: of the question, by this model.
    ForcedOutput(std::shared_ptr<const SequenceModel> model, const Question& question, const Trace& run);

    // Tokens at each place: the output's tokens; of a decoder-only model those of the sequence after the first; of
    // a masked-word head the tokens read; of a classifier the label found, of each token its label, of a span its start
    // and its end. None where a model expects nothing.
    const std::vector<int>& tokens() const { return m_tokens; }
    // Tokens of what was read.
    const Encoding& source() const { return m_source; }

    // [places or more, vocabulary or labels], with `further` edits behind the question's. There must be places. Throws
    // Error{Resource, Cancelled}.
    Tensor logits(std::span<const Edit> further, Engine& engine, const std::stop_token& stop);

private:
    std::shared_ptr<const EncoderOutput> encoded(std::span<const Edit> further, RunContext& context, RunContext& own);

    std::shared_ptr<const SequenceModel> m_model;
    std::vector<Edit> m_edits; // the question's
    std::vector<MapExtent> m_maps;
    bool m_positions = true;
    std::optional<std::uint64_t> m_hardSeed;
    Encoding m_source;
    std::shared_ptr<const SourceMedia> m_media; // null: a text
    std::vector<int> m_tokens;
    std::vector<TokenId> m_inputs; // of the decoder
    std::shared_ptr<const EncoderOutput> m_encoded; // with the question's edits; null: not yet, or nothing is encoded
};

// The output of a run as another question sees it: that one is asked, of a model that was loaded by `engine`, with the
// output forced. A text that was only read is read again. Throws what answer() throws.
OutputScore outputUnder(const Trace& run, const Question& other, const LoadedModel& model, Engine& engine,
                        const RunObserver& observer = {});

// Where a run is to go on otherwise.
struct Branch
{
    std::optional<StepId> leaf = {}; // of the hypothesis; none: the best
    int step = 0; // of its path
    std::vector<TokenId> tokens; // in the place of what that step and those after it produced
};

// The question whose run does so. `asked` is what the run was asked, and how the rest is to be searched for; a run that
// followed a given output goes on freely. Of a decoder-only model, a step of the prompt ends the prompt there: as a
// text where `tokenizer` (null: there is none) reads the shorter text as these tokens, else as ids. As many tokens are
// generated as before, and at least one after those that are put there.
Question branched(Question asked, const Trace& trace, const Branch& branch, const Tokenizer* tokenizer);

} // namespace attn
