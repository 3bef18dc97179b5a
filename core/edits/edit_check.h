// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/edit.h"
#include "trace/site.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// One attention of a model and the size of its maps. A number of rows or columns is not known where an output still
// grows, and of several sentences.
struct MapExtent
{
    Site site;
    Index heads = 1;
    std::optional<Index> rows = {};
    std::optional<Index> columns = {};
    bool ofSource = false; // the columns are tokens of the source
};

// Extent that edits are held against: a model, or one run of it.
struct EditExtent
{
    std::vector<MapExtent> maps;
    std::optional<Index> source = {}; // tokens of the given input; none: of several sentences
    Index vocabulary = 0; // of the source
    bool places = false; // the source's tokens are places of a picture or a sound, not of a text
    bool patches = false; // of a picture, behind this many special tokens
    Index specials = 0;
};

// Throws EditError, which quotes `spec` and says the range: for a stage, layer or head that the model does not have,
// for a row or column that is in none of the maps that the other fields name, for a token outside the source or the
// vocabulary. What is not known is not checked.
void checkEdit(const Edit& edit, std::string_view spec, const EditExtent& extent);

// One of several edits that a model or a sentence has no place for.
struct EditProblem
{
    Index number = 0; // among them
    std::string problem; // in one line, which does not name the edit
};

// Fault without the edit, which stands beside it.
std::string withoutEdit(const EditError& error);

} // namespace attn
