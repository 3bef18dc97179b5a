// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/appearance.h"

#include <span>

class QMenu;

namespace attn::ui {

// Choices of colours and their range beside a colour bar, and elsewhere.
inline constexpr const char* scaleChoiceKeys[] = {"scale", "range", "range-without", "clip"};
// The rest that the View menu has of the rows of figureRows().
inline constexpr const char* viewChoiceKeys[] = {"zoomed-out", "margins"};

// A submenu for each of these rows, with what it offers; what is chosen is ticked.
void addChoiceMenus(QMenu& menu, Appearance& appearance, std::span<const char* const> keys);

} // namespace attn::ui
