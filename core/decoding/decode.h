// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "models/sequence_model.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Knowledge of a run before it begins, as another run with the same source has computed it.
struct KnownBeginning
{
    std::shared_ptr<const EncoderOutput> encoded; // null for a decoder-only model
    std::shared_ptr<const DecoderMark> read; // null: nothing but the source
    std::vector<float> logProbabilities = {}; // of the first given tokens, a prompt's after its first and the prefix's
};

// Head of a transcript, which stands in GivenOutput before anything else that is given.
struct SpeechPrompt
{
    int length = 0;
    bool withTimes = false;
    bool heard = false; // its first token, the language, is chosen by the model and replaced
};

// Part of an output that is given, not found.
struct GivenOutput
{
    std::optional<std::vector<TokenId>> whole = {}; // nothing is chosen: scored as it is (teacher forcing)
    std::vector<TokenId> prefix = {}; // it begins with this and goes on freely
    std::vector<std::vector<TokenId>> labels = {}; // texts that a picture is compared with, besides `whole`
    std::vector<std::string> labelTexts = {}; // what they say
    SpeechPrompt prompt = {}; // of models that write down what they hear
    std::optional<KnownBeginning> known = {}; // is not computed again, and its steps are not reported
};

// Results of a run for those that begin as it did.
struct DecodedRun
{
    std::shared_ptr<const EncoderOutput> encoded;
    SpeechPrompt prompt = {}; // of GivenOutput
    std::vector<std::shared_ptr<const DecoderMark>> marks; // of each step: what had been read when it was predicted
};

// Most tokens that a run may produce, a prefix among them. `prompt`: tokens of a decoder-only model's, else 0.
int outputLimit(const ModelInfo& info, const DecodingOptions& options, int prompt);

// Runs a model on source ids and reports everything through context.sink, from begun() to finished(). An encoder-only
// model reads the source and, with a masked-token head, predicts each of its tokens; a decoder-only model reads it as a
// prompt and continues it by options.generate tokens. The marks of what is returned are null unless context.remember.
// Throws Error{Input, Resource, Cancelled}.
DecodedRun decode(const SequenceModel& model, const Source& source, const GivenOutput& given,
                  const DecodingOptions& options, RunContext& context);

} // namespace attn
