// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/edited_cells.h"
#include "figures/kinds/shown_matrix.h"

#include <span>
#include <vector>

namespace attn::ui {

// What the run's edits did to the cells of what is shown of it, row by row; empty: nothing. Of merged cells hidden are
// those of which every part is.
std::vector<CellMark> shownEdits(const FigureSpec& spec, const Trace& trace, const ShownMatrix& shown);

// The run's edits; those that cannot be read, in an archive, are left out.
std::vector<Edit> editsOf(const Trace& trace);
// What they did to a whole head: hidden is one of which every cell is.
CellMark headEdit(std::span<const Edit> edits, const Trace& trace, Site site, int head, const Numbers& matrix);

} // namespace attn::ui
