// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/edit.h"
#include "edits/edit_check.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// What became of a cell.
enum class CellMark : std::uint8_t { Unedited, Changed, Hidden };

// What edits do to the cells of a map whose rows and columns are known: [rows, columns], row by row, and empty where
// they do nothing to it. head: of one; none: of all of them together, where only what every head hides is hidden. Cells
// that a mask hides anyway are not told apart.
std::vector<CellMark> editedCells(std::span<const Edit> edits, const MapExtent& map, std::optional<Index> head);

} // namespace attn
