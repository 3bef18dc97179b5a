// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure.h"

namespace attn::ui {

std::unique_ptr<const Figure> layoutFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
{
    return spec.kind->layOut(spec, trace, size);
}

} // namespace attn::ui
