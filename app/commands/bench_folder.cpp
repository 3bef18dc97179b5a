// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/bench_folder.h"

#include "base/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <system_error>

namespace attn::app {

namespace fs = std::filesystem;

BenchFolder::BenchFolder()
{
    std::error_code none;
    const fs::path parent = fs::temp_directory_path(none);
    if (none)
        throw Error(ErrorKind::File, "TMPDIR", "names no folder: " + none.message(), "let it name one with room");
    std::string name = (parent / "attnscope-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error(ErrorKind::File, name, fmt::format("cannot be written: {}", std::strerror(errno)),
                    "let TMPDIR name a folder with room");
    m_path = name;
}

BenchFolder::~BenchFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

} // namespace attn::app
