// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/edit_extent.h"

#include "models/text_model.h"

namespace attn {

namespace {

bool isSentenceMap(const ModelInfo& info, Site site)
{
    return info.architecture.form == Architecture::Form::Hierarchical && site.layer == 1;
}

// Rows of an encoder's maps over `tokens` tokens in `sentences` sentences.
Index encoderRows(const ModelInfo& info, Site site, Index tokens, Index sentences)
{
    switch (info.architecture.form) {
    case Architecture::Form::AttentionPooling:
        return 1;
    case Architecture::Form::StructuredSelfAttention:
        return info.architecture.hops;
    case Architecture::Form::Hierarchical:
        return site.layer == 0 ? sentences : 1;
    case Architecture::Form::Transformer:
    case Architecture::Form::Recurrent:
    case Architecture::Form::Lstmn:
        break;
    }
    return tokens;
}

} // namespace

EditExtent editExtent(const ModelInfo& info)
{
    EditExtent extent;
    extent.vocabulary = info.sourceVocabulary;
    for (const Site& site : info.sites()) {
        const bool ofOutput = site.stage == Stage::Decoder && info.kind != ModelKind::DecoderOnly;
        extent.maps.push_back({site, info.heads(site), {}, {}, !ofOutput && !isSentenceMap(info, site)});
    }
    return extent;
}

EditExtent editExtent(const ModelInfo& info, std::span<const TokenId> source, std::optional<Index> output)
{
    EditExtent extent = editExtent(info);
    const Index tokens = indexSize(source);
    const bool inSentences = info.architecture.form == Architecture::Form::Hierarchical;
    const Index sentences = inSentences ? indexSize(sentenceStarts(source, info.endToken.value())) : 1;
    extent.source = tokens;
    for (MapExtent& map : extent.maps) {
        const bool encodes = map.site.stage == Stage::Encoder;
        map.rows = encodes ? encoderRows(info, map.site, tokens, sentences) : output;
        map.columns = map.site.stage == Stage::Decoder ? output : isSentenceMap(info, map.site) ? sentences : tokens;
    }
    return extent;
}

} // namespace attn
