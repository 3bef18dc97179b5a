// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

namespace attn::ui {

// A part of a window that one key goes to.
struct WindowPart
{
    QWidget* area = nullptr;
    QWidget* first = nullptr; // what gets the keyboard there; null, or hidden: what Tab would come to first
};

// From the part that has the keyboard to the next one (1) or the one before (-1) that is to be seen, and round again. A
// part that lies in another one stands after it.
void goToPart(const std::vector<WindowPart>& parts, int by);

} // namespace attn::ui
