// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "support/npy_bytes.h"

ATTN_FUZZ_TARGET(npy)
{
    const auto bytes = attn::fuzz::bytes(data, size);
    attn::fuzz::answer([&] {
        const attn::NpyArray array = attn::test::readNpy(bytes, "input");
        if (array.kind() == attn::NpyKind::Text)
            (void)array.texts();
        else if (array.kind() != attn::NpyKind::Float)
            (void)array.integers();
    });
    return attn::fuzz::answer([&] {
        attn::NpyStream stream = attn::test::npyStream(bytes, "input");
        (void)stream.floats(stream.size() / 2);
        (void)stream.floats(stream.size() - stream.size() / 2);
    });
}
