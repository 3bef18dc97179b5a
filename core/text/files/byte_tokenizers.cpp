// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn {

// ByT5's (Xue et al. 2022): the text's bytes are its tokens.
std::shared_ptr<const PipelineTokenizer> loadByT5Bytes(const TokenizerConfig& config)
{
    constexpr int usualSentinels = 125;
    constexpr int mostSentinels = 10000;
    const std::string where = config.directory().string();
    const NamedSpellings named = withDefaults(config.named(), {{}, "</s>", {}, {}, {}, "<pad>", "<unk>"});
    std::vector<std::string> pieces{named.pad, named.eos, named.unk};
    for (int byte = 0; byte < 256; ++byte)
        pieces.push_back(fmt::format("<0x{:02X}>", byte));
    std::vector<AddedToken> special;
    for (TokenId id = 0; id < 3; ++id)
        special.push_back({.id = id, .content = pieces[id], .special = true});
    const int sentinels = config.integer("extra_ids", 0, mostSentinels, usualSentinels);
    for (TokenId i = 0; i < sentinels; ++i)
        special.push_back({.id = indexSize(pieces) + i, .content = fmt::format("<extra_id_{}>", i), .special = true});

    PipelineTokenizer::Parts parts;
    const Json words{{"type", "Split"},
                     {"pattern", {{"Regex", R"( ?\S+|\s+(?!\S)|\s+)"}}},
                     {"behavior", "Isolated"},
                     {"invert", false}};
    parts.preTokenizer = readPreTokenizer({words, where});
    parts.decoder = readTokenDecoder({Json{{"type", "ByteFallback"}}, where});
    parts.model = bpeModel(std::make_shared<const Vocabulary>(std::move(pieces)), {},
                           {.byteFallback = true, .name = "bytes"}, where);
    addTokens(parts, withMissing(config.added(), special), named, where);
    if (parts.named.eos)
        parts.processor = surroundedBy({}, {*parts.named.eos});
    return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

} // namespace attn
