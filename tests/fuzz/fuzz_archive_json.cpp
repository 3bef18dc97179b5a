// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "whole_trace.h"

ATTN_FUZZ_TARGET(archive_json)
{
    static const attn::fuzz::Folder folder("archive");
    const auto path = folder.put("run.json", attn::fuzz::text(data, size));
    return attn::fuzz::answer([&] { attn::fuzz::readAll(attn::readArchive(path)); });
}
