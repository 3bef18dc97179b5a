// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_choices.h"

#include <QColor>

namespace attn::ui {

// The colour that a head has wherever several are drawn over each other. Neighbours differ most; what is said by colour
// has to be said by the head's number, too.
QColor headColor(int head, Theme theme);

} // namespace attn::ui
