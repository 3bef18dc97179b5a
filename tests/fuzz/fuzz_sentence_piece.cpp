// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "text/segment/sentence_piece.h"

ATTN_FUZZ_TARGET(sentence_piece)
{
    return attn::fuzz::answer([&] {
        const attn::SentencePieceModel model(attn::fuzz::bytes(data, size), "input");
        std::vector<std::string> pieces;
        for (const auto& piece : model.encode("The house is ﬁne…  ½ Où 日."))
            pieces.push_back(piece.text);
        (void)model.decode(pieces);
        (void)model.pieces();
    });
}
