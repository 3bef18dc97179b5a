// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/model_info.h"

#include <algorithm>

namespace attn {

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
    return result;
}

} // namespace attn
