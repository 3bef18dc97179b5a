// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace attn::app {

// What is done so far, on standard error, on a line that ends however the work does.
class ProgressLine
{
public:
    ProgressLine() = default;
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    void show(std::size_t done, std::size_t all);

private:
    bool m_shown = false;
};

} // namespace attn::app
