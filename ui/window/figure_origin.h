// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/study.h"
#include "views/figure_recipe.h"

namespace attn::ui {

// Of what a view of the study shows. What only a session can make again needs that the study is saved in one.
FigureOrigin figureOrigin(const Study& study, const FigureSpec& spec);

} // namespace attn::ui
