// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_view.h"

namespace attn::ui {

namespace {

// One attention matrix. A click on a row goes to the decoding step that produced it.
class HeatmapView final : public FigureView
{
public:
    explicit HeatmapView(const ViewContext& context)
        : FigureView(heatmapKind, context)
    {
        setObjectName(QStringLiteral("heatmapView"));
        setAccessibleName(tr("Attention matrix"));
    }

protected:
    void choose(const FigureHit& hit) override
    {
        if (hit.isCell() || hit.part == FigureHit::Part::RowLabel || hit.part == FigureHit::Part::ColumnLabel)
            chooseStep(hit);
    }
};

} // namespace

QWidget* makeHeatmapView(const ViewContext& context)
{
    return new HeatmapView(context);
}

} // namespace attn::ui
