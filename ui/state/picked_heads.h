// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/appearance.h"
#include "state/selection.h"

#include <vector>

namespace attn::ui {

// Heads of one stage are looked at together: which they are is in the choices of figures, and what of them is shown in
// the selection, the mean unless it is another reading of several heads already. A single one is shown itself; none: no
// head is picked. The site becomes that of `at`, if it is one of them.
void pickHeads(Selection& selection, Appearance& appearance, std::vector<HeadPlace> picked, HeadPlace at);
// The selection stays.
void pickNone(Appearance& appearance);

} // namespace attn::ui
