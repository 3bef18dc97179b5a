// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace attn::ui {

// Times that the words of an output take to appear: on the stage, in a GIF and in a page for a browser.
constexpr std::chrono::milliseconds firstWordTime(800);
constexpr std::chrono::milliseconds laterWordTime(150);
constexpr std::chrono::milliseconds writtenTime(2000); // that the whole stands before it begins again

} // namespace attn::ui
