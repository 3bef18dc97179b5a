// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/model_info.h"

#include <algorithm>

namespace attn {

const char* inputText(InputKind kind)
{
    constexpr const char* names[] = {"text", "picture", "sound", "picture and text"};
    return names[static_cast<std::size_t>(kind)];
}

bool ModelInfo::ends(TokenId token) const
{
    return endToken == token || std::ranges::find(otherEndTokens, token) != otherEndTokens.end();
}

bool ModelInfo::hasSite(Site site) const
{
    return heads(site) > 0;
}

int ModelInfo::heads(Site site) const
{
    const auto inside = [&](int layers, int headCount) {
        return site.layer >= 0 && site.layer < layers ? headCount : 0;
    };
    switch (site.stage) {
    case Stage::Encoder:
        return inside(encoderLayers, encoderHeads);
    case Stage::Decoder:
        return inside(decoderAttentionLayers.value_or(decoderLayers), decoderHeads);
    case Stage::Cross:
        return inside(crossLayers, crossHeads);
    case Stage::Pooling:
        return inside(1, poolingHeads);
    }
    return 0;
}

std::vector<Site> ModelInfo::sites() const
{
    std::vector<Site> result;
    const auto append = [&](Stage stage, int layers) {
        for (int layer = 0; layer < layers; ++layer) {
            if (hasSite({stage, layer}))
                result.push_back({stage, layer});
        }
    };
    append(Stage::Encoder, encoderLayers);
    append(Stage::Decoder, decoderLayers);
    append(Stage::Cross, crossLayers);
    append(Stage::Pooling, 1);
    return result;
}

std::string architectureText(const ModelInfo& info, Translate translate)
{
    constexpr const char* sides[] = {ATTN_TRANSLATE_NOOP("model", "Transformer"), // by ModelKind
                                     ATTN_TRANSLATE_NOOP("model", "Transformer encoder"),
                                     ATTN_TRANSLATE_NOOP("model", "Transformer decoder")};
    constexpr const char* norms[] = {ATTN_TRANSLATE_NOOP("model", ", pre-norm"), // by NormPlace
                                     ATTN_TRANSLATE_NOOP("model", ", post-norm"),
                                     ATTN_TRANSLATE_NOOP("model", ", norms around each block"),
                                     ATTN_TRANSLATE_NOOP("model", ", norms of each block's output")};
    constexpr const char* forms[] = {"%1",
                                     "%1", // by Form
                                     ATTN_TRANSLATE_NOOP("model", "%1 with attention pooling"),
                                     ATTN_TRANSLATE_NOOP("model", "%1 with structured self-attention, %2 hops"),
                                     ATTN_TRANSLATE_NOOP("model", "LSTM with intra-attention (LSTMN)"),
                                     ATTN_TRANSLATE_NOOP("model", "hierarchical attention network")};
    const Architecture& made = info.architecture;
    const auto where = [](bool has, const std::string& text) { return has ? text : std::string(); };
    const auto cell = [](bool lstm) { return std::string(lstm ? "LSTM" : "GRU"); };
    std::string cells = cell(made.encoderLstm);
    if (made.form == Architecture::Form::Transformer)
        return translate("model", sides[static_cast<std::size_t>(info.kind)])
            + translate("model", norms[static_cast<std::size_t>(made.norms)])
            + where(made.parallel, translate("model", ", parallel blocks"))
            + where(made.gated, translate("model", ", gated feed-forward"))
            + where(made.experts > 0,
                    filled(translate("model", ", %1 of %2 experts"),
                           {std::to_string(info.expertsOfToken), std::to_string(made.experts)}));
    if (made.form != Architecture::Form::Recurrent)
        return filled(translate("model", forms[static_cast<std::size_t>(made.form)]),
                      {made.bidirectional ? filled(translate("model", "bidirectional %1"), {cells}) : cells,
                       std::to_string(made.hops)});
    if (made.decoderLstm != made.encoderLstm)
        cells = filled(translate("model", "%1 and %2"), {cells, cell(made.decoderLstm)});
    const std::string intra = where(made.intraDecoder, translate("model", ", intra-decoder attention"));
    if (made.score.empty())
        return filled(translate("model", "%1 without attention (one fixed context)"), {cells}) + intra;
    if (made.luong)
        cells = filled(translate("model", "%1, Luong's decoder"), {cells});
    const std::string kind = where(info.hardAttention, translate("model", "hard") + ' ')
        + where(made.scope == AttentionScope::LocalMonotonic, translate("model", "local monotonic") + ' ')
        + where(made.scope == AttentionScope::LocalPredictive, translate("model", "local predictive") + ' ')
        + where(made.temporal, translate("model", "intra-temporal") + ' ') + made.score;
    return filled(translate("model", "%1 with %2 attention"), {cells, kind}) + intra;
}

} // namespace attn
