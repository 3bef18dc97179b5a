// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/mapped_file.h"
#include "support/broken_files.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace attn::test {

inline std::filesystem::path tokenizerData(const char* name)
{
    return std::filesystem::path(ATTN_TEST_DATA) / "tokenizer" / name;
}

inline Bytes readBytes(const std::filesystem::path& path)
{
    return bytesOf(readWholeFile(path));
}

inline void writeText(const std::filesystem::path& path, std::string_view text)
{
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace attn::test
