// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "fuzz_input.h"

ATTN_FUZZ_TARGET(shard_index)
{
    static const attn::fuzz::Folder folder("shard-index");
    static const bool copied = [] {
        const std::filesystem::path whole =
            std::filesystem::path(ATTN_TEST_DATA) / "cases/marian-relu/model.safetensors";
        for (const char* name : {"a.safetensors", "b.safetensors"})
            std::filesystem::copy_file(whole, folder.path() / name);
        return true;
    }();
    folder.put("model.safetensors.index.json", attn::fuzz::text(data, size));
    return attn::fuzz::answer([] {
        attn::fuzz::require(copied);
        const auto checkpoint = attn::openCheckpoint(folder.path());
        for (const std::string& name : checkpoint->tensorNames())
            attn::fuzz::answer([&] { (void)checkpoint->load(name, checkpoint->find(name).value().shape); });
    });
}
