// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/index.h"
#include "trace/attention_map.h"

#include <span>
#include <string>
#include <vector>

namespace attn {

// The words of a text that several tokenizations have in common, so that maps of different models have the same
// columns.
struct WordGrid
{
    std::vector<std::size_t> starts; // byte at which each word begins, rising
    std::vector<std::string> labels; // the words as they stand in the text
    bool others = false; // there are tokens that stand for no text, such as the end token

    int columns() const { return indexSize(starts) + (others ? 1 : 0); }
};

// The finest division of a text into words at whose borders every encoding begins a word. All encodings are of the same
// text; tokens that were not in it, such as generated ones, count as others.
WordGrid commonWordGrid(std::span<const Encoding* const> encodings);

// Sums the columns of each word; what lies on tokens without text goes into a last column when the grid has one.
// `columns` names the matrix' columns.
Numbers ontoGrid(const Numbers& matrix, const Encoding& columns, const WordGrid& grid);

} // namespace attn
