// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <map>
#include <string>
#include <vector>

namespace attn {

// Words, special marks and readable text of pieces whose tokenizer is not at hand, from the spelling that the common
// vocabularies share: "▁" or "Ġ" starts a word, "##" continues one, "<...>" and "[...]" are special.
Encoding encodingOfPieces(std::vector<TokenId> ids, std::vector<std::string> pieces);

// Names ids by the pieces that an archive stored with them.
class ArchiveTokens final : public TokenDescriber
{
public:
    ArchiveTokens(const std::vector<TokenId>& ids, const std::vector<std::string>& pieces);

    Encoding describe(std::span<const TokenId> ids) const override;

private:
    std::map<TokenId, std::string> m_pieces;
};

} // namespace attn
