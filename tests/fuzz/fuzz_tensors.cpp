// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "checkpoint/gguf_model.h"
#include "checkpoint/stored_tensor.h"
#include "fuzz_input.h"
#include "io/gguf.h"
#include "io/npz.h"
#include "models/families/family.h"
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

ATTN_FUZZ_TARGET(npz)
{
    return attn::fuzz::answer([&] {
        const attn::NpzReader reader(attn::fuzz::bytes(data, size), "input");
        for (const std::string& name : reader.names())
            attn::fuzz::answer([&] { (void)reader.find(name); });
    });
}

ATTN_FUZZ_TARGET(safetensors)
{
    return attn::fuzz::answer([&] {
        for (const auto& [name, tensor] : attn::readSafetensors(attn::fuzz::bytes(data, size), "input"))
            attn::toFloat32(tensor);
    });
}

ATTN_FUZZ_TARGET(torch)
{
    return attn::fuzz::answer([&] {
        for (const auto& entry : attn::readTorchFile(attn::fuzz::bytes(data, size), "input"))
            attn::fuzz::answer([&] { attn::toFloat32(entry.second); });
    });
}

ATTN_FUZZ_TARGET(gguf)
{
    return attn::fuzz::answer([&] {
        static const auto layouts = attn::ggufLayouts();
        const auto bytes = attn::fuzz::bytes(data, size);
        const attn::GgufFile file(bytes, "input");
        for (const std::string& key : file.keys()) {
            attn::fuzz::answer([&] { (void)file.texts(key); });
            attn::fuzz::answer([&] { (void)file.numbers(key); });
        }
        const attn::GgufPart part{bytes, "input"};
        const attn::GgufModel model = attn::readGgufModel({&part, 1}, layouts);
        for (const auto& [name, tensor] : model.tensors.front())
            attn::fuzz::answer([&] { attn::toFloat32(tensor); });
    });
}

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
