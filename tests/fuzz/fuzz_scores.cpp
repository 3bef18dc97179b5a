// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "loading/length_scores.h"

ATTN_FUZZ_TARGET(scores)
{
    static const attn::fuzz::Folder folder("scores");
    folder.put("scores.json", attn::fuzz::text(data, size));
    return attn::fuzz::answer([] { (void)attn::readLengthScores(folder.path()); });
}
