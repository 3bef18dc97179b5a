// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/step_stages.h"
#include "figures/charts/stages_figure.h"

#include <vector>

namespace attn::ui {

// Which cell the stages are about, in the words of the heatmap.
struct CellNames
{
    QString query; // the row's token
    QStringList keys; // the columns' tokens
    int key = 0; // the column that is looked at
    int heads = 1;
};

// The stages of a step in words: what happens, as a formula, with which shapes and numbers.
std::vector<StageContent> stageContents(const CellStages& reported, const CellNames& cell);

} // namespace attn::ui
