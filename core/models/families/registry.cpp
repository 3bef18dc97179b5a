// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/registry.h"

#include "base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace attn {

namespace {

constexpr Family known[] = {
    {"bert", "Transformer encoder (BERT)", buildBert},
    {"distilbert", "Transformer encoder (DistilBERT)", buildDistilbert},
    {"electra", "Transformer encoder (ELECTRA)", buildElectra},
    {"roberta", "Transformer encoder (RoBERTa)", buildRoberta},
    {"xlm-roberta", "Transformer encoder (XLM-RoBERTa)", buildRoberta},
    {"gpt2", "Transformer decoder (GPT-2)", buildGpt2},
    {"llama", "Transformer decoder (LLaMA)", buildLlama},
    {"mistral", "Transformer decoder (Mistral)", buildLlama},
    {"qwen2", "Transformer decoder (Qwen2)", buildLlama},
    {"bart", "Transformer encoder-decoder (BART)", buildBart},
    {"m2m_100", "Transformer encoder-decoder (M2M-100, NLLB)", buildM2m100},
    {"marian", "Transformer encoder-decoder (Marian)", buildMarian},
    {"mbart", "Transformer encoder-decoder (mBART)", buildMbart},
    {"mt5", "Transformer encoder-decoder (mT5)", buildT5},
    {"t5", "Transformer encoder-decoder (T5)", buildT5},
    {"rnn_encoder_decoder", "recurrent encoder-decoder", buildRecurrent},
    {"attention_pooling", "recurrent encoder with attention pooling", buildAttentionPooling},
    {"structured_self_attention", "recurrent encoder with structured self-attention", buildStructuredSelfAttention},
    {"lstmn", "LSTM with intra-attention (LSTMN)", buildLstmn},
    {"hierarchical_attention", "hierarchical attention network", buildHierarchical},
};

} // namespace

std::span<const Family> families()
{
    return known;
}

const Family& familyOf(const JsonObject& config)
{
    std::string names;
    for (const Family& family : known)
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", family.modelType);
    if (!config.has("model_type"))
        throw Error(ErrorKind::Unsupported, config.where(), "has no model_type, which says what the model is",
                    fmt::format("add the one that it was trained as: {}", names));
    const std::string type = config.requireString("model_type");
    const auto found = std::ranges::find(known, type, &Family::modelType);
    if (found != std::end(known))
        return *found;
    throw Error(ErrorKind::Unsupported, config.where(), fmt::format("model_type '{}' is not known", type),
                fmt::format("this version runs {}", names));
}

} // namespace attn
