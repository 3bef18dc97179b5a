// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "text/segment/sentence_piece.h"
#include "varied_texts.h"

ATTN_FUZZ_TARGET(sentence_piece)
{
    return attn::fuzz::answer([&] {
        const attn::SentencePieceModel model(attn::fuzz::bytes(data, size), "input");
        const std::vector<std::string>& known = model.pieces();
        const auto spell = [&](std::size_t number) { return known[number % known.size()]; };
        attn::fuzz::forEachText(data, size, spell, [&](const std::string& text) {
            std::vector<std::string> pieces;
            for (const auto& piece : model.encode(text)) {
                attn::fuzz::require(piece.span.begin <= piece.span.end && piece.span.end <= text.size());
                pieces.push_back(piece.text);
            }
            model.decode(pieces);
        });
    });
}
