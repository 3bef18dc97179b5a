// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/study.h"
#include "views/figure_recipe.h"

#include <memory>

namespace attn::ui {

// Origin of the run on show, whatever a view shows of it.
FigureOrigin runOrigin(const Study& study);

// Origin of what a view of the study shows. What only a session can make again needs that the study is saved in one.
FigureOrigin figureOrigin(const Study& study, const FigureSpec& spec);

// Run that a figure from there is compared with: runs of a session are called as its file calls them.
std::shared_ptr<const Against> againstAsIn(const FigureOrigin& origin, const Study& study,
                                           std::shared_ptr<const Against> against);

} // namespace attn::ui
