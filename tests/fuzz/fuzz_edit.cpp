// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/edit.h"
#include "fuzz_input.h"

ATTN_FUZZ_TARGET(edit)
{
    return attn::fuzz::answer([&] {
        const attn::Edit edit = attn::parseEdit(attn::fuzz::text(data, size));
        attn::fuzz::require(attn::parseEdit(attn::editText(edit)) == edit);
    });
}
