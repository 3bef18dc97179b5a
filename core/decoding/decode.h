// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "models/sequence_model.h"

#include <optional>
#include <string>
#include <vector>

namespace attn {

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
};

// Most tokens that a run may produce, a prefix among them. `prompt`: tokens of a decoder-only model's, else 0.
int outputLimit(const ModelInfo& info, const DecodingOptions& options, int prompt);

// Runs a model on source ids and reports everything through context.sink, from begun() to finished(). An encoder-only
// model reads the source and, with a masked-token head, predicts each of its tokens; a decoder-only model reads it as a
// prompt and continues it by options.generate tokens.
// Throws Error{Input, Resource, Cancelled}.
void decode(const SequenceModel& model, const Source& source, const GivenOutput& given, const DecodingOptions& options,
            RunContext& context);

} // namespace attn
