// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/provenance.h"
#include "figures/figure.h"

#include <QByteArray>

namespace attn::ui {

// One page for a browser that needs nothing else, no network either: the maps of all heads of the figure's stage as far
// as they fit, chosen in a menu, with the value under the pointer or the keyboard. `drawing`: of the figure as an SVG
// element, for what is no map; may be empty.
QByteArray htmlPage(const FigureSpec& spec, const Trace& trace, const QByteArray& drawing,
                    const FigureProvenance& provenance);

} // namespace attn::ui
