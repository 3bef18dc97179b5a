// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "io/json.h"

ATTN_FUZZ_TARGET(json)
{
    return attn::fuzz::answer([&] {
        const auto object =
            attn::JsonObject::parse(attn::fuzz::text(data, size), "input", {.bytes = 1 << 20, .uniqueKeys = true});
        for (const std::string& field : object.fields()) {
            attn::fuzz::answer([&] { (void)object.requireInt(field, -5, 5); });
            attn::fuzz::answer([&] { (void)object.numberOr(field, 1); });
            attn::fuzz::answer([&] { (void)object.stringOr(field, {}); });
            attn::fuzz::answer([&] { (void)object.requireObject(field).fields(); });
        }
    });
}
