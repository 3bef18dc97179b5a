// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "io/model_config.h"

ATTN_FUZZ_TARGET(model_config)
{
    static const attn::fuzz::Folder folder("model-config");
    const auto files = attn::fuzz::parts(attn::fuzz::text(data, size), 2);
    folder.put("config.json", files[0]);
    folder.put("generation_config.json", files[1]);
    return attn::fuzz::answer([] { (void)attn::readModelConfig(folder.path()); });
}
