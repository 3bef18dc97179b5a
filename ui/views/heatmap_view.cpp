// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_view.h"

namespace attn::ui {

extern const FigureKind expertsKind;

namespace {

// A matrix whose rows are tokens. A click on a row goes to the decoding step that produced it.
class HeatmapView final : public FigureView
{
public:
    using FigureView::FigureView;

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
    auto* view = new HeatmapView(heatmapKind, context);
    view->setObjectName(QStringLiteral("heatmapView"));
    view->setAccessibleName(FigureView::tr("Attention matrix"));
    return view;
}

QWidget* makeExpertsView(const ViewContext& context)
{
    return new HeatmapView(expertsKind, context);
}

} // namespace attn::ui
