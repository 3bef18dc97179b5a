// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/kinds/head_facts.h"
#include "figures/kinds/head_thumbnails.h"

#include <memory>

namespace attn::ui {

extern const FigureKind headGridKind; // a thumbnail for every head of a stage

// With thumbnails that were made before, and what is known of the heads; null: they are on their way.
std::unique_ptr<const Figure> headGridFigure(const FigureSpec& spec, const Trace& trace,
                                             const std::shared_ptr<const HeadThumbnails>& thumbnails,
                                             const std::shared_ptr<const HeadFacts>& facts, QSizeF size);

} // namespace attn::ui
