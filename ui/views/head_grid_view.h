// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure_view.h"

namespace attn::ui {

// All heads of all layers of a stage. A click or the arrow keys select a head for all views.
class HeadGridView final : public FigureView
{
    Q_OBJECT

public:
    explicit HeadGridView(ViewContext context, QWidget* parent = nullptr);

protected:
    void choose(const FigureHit& hit) override;
    bool handleKey(QKeyEvent* event) override;
};

} // namespace attn::ui
