// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/progress_line.h"

#include <fmt/format.h>
#include <iostream>

namespace attn::app {

ProgressLine::~ProgressLine()
{
    if (m_shown)
        std::cerr << '\n';
}

void ProgressLine::show(std::size_t done, std::size_t all)
{
    m_shown = true;
    std::cerr << fmt::format("\r{} of {}", done, all) << std::flush;
}

} // namespace attn::app
