// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure_view.h"

namespace attn::ui {

// One attention matrix. A click on a row goes to the decoding step that produced it.
class HeatmapView final : public FigureView
{
    Q_OBJECT

public:
    explicit HeatmapView(ViewContext context, QWidget* parent = nullptr);

Q_SIGNALS:
    void lastTokenChosen(); // of a decoder-only model: no step follows it yet

protected:
    void choose(const FigureHit& hit) override;
};

} // namespace attn::ui
