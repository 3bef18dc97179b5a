// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "whole_trace.h"

ATTN_FUZZ_TARGET(archive)
{
    return attn::fuzz::answer([&] { attn::fuzz::readAll(attn::readArchive(attn::fuzz::bytes(data, size), "input")); });
}
