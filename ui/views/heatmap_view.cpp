// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/heatmap_view.h"

#include "analysis/words.h"

namespace attn::ui {

HeatmapView::HeatmapView(ViewContext context, QWidget* parent)
    : FigureView(FigureKind::Heatmap, context, parent)
{
    setObjectName(QStringLiteral("heatmapView"));
    setAccessibleName(tr("Attention matrix"));
}

void HeatmapView::choose(const FigureHit& hit)
{
    Selection& selection = context().selection;
    const Trace& trace = context().document.trace();
    const bool row = hit.part == FigureHit::Part::Cell || hit.part == FigureHit::Part::RowLabel;
    if (!row || hit.row < 0 || selection.site().stage == Stage::Encoder || trace.stepCount() == 0)
        return;
    if (!context().appearance.words()) {
        selection.setStep(hit.row);
        return;
    }
    const auto groups = wordAxis(trace.target(selection.leaf()));
    if (static_cast<std::size_t>(hit.row) < groups.size())
        selection.setStep(groups[static_cast<std::size_t>(hit.row)].first);
}

} // namespace attn::ui
