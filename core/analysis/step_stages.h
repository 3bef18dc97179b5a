// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/stage.h"

#include <string>
#include <vector>

namespace attn {

// Numbers with a name: one vector, or several below each other.
struct StageNumbers
{
    std::string name; // "query q"
    int rows = 1;
    int columns = 0;
    std::vector<float> values; // [rows, columns]
    std::vector<std::string> rowNames; // empty: the rows have none
    std::vector<std::string> columnNames; // empty: the columns are features, counted from 0
    int marked = -1; // row, or of a single vector with named columns the column, that is being looked at
};

// One stage of a computation: what happens, as a formula, and with which numbers.
struct StepStage
{
    std::string title; // "Softmax"
    std::string formula; // "a = softmax(e)", plain text
    std::string shape; // "[9] -> [9]"
    std::string text; // a sentence for people
    std::vector<StageNumbers> numbers; // inputs first, the result last
};

// Which cell the stages are about.
struct CellNames
{
    std::string query; // the row's token
    std::vector<std::string> keys; // the columns' tokens
    int key = 0; // the column that is looked at
    int heads = 1;
};

// "0.417"; "<0.001" and ">0.999" where that would be read as 0 or 1.
std::string weightText(float weight);

// The whole computation of one attention row, from the query to the output projection: query, keys, score (element-wise
// products, or the tanh layer and v), scaling, position bias, mask, softmax, weighted sum, concatenation of heads,
// output projection. A stage that this kind of attention does not have is left out. Empty when nothing was reported.
std::vector<StepStage> stepStages(const CellStages& reported, const CellNames& cell);

} // namespace attn
