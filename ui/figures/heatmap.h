// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/matrix_figure.h"

#include <QString>

namespace attn::ui {

// The attention matrix that a spec asks for: rows are what is written, columns what is read.
MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace);

// The positional encoding: positions by dimensions.
MatrixContent positionsContent(const FigureSpec& spec);

// "Encoder-decoder attention, layer 2, mean of 8 heads".
QString siteTitle(Site site, HeadChoice head, int heads);
// "transformer-en-fr: I am not deaf."
QString runSubtitle(const Trace& trace);
// Why a trace has nothing to show at a site.
QString missingText(const FigureSpec& spec, const Trace& trace);

} // namespace attn::ui
