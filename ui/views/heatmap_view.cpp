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
        const Trace& trace = context().study.trace();
        const bool reads = trace.kind() == ModelKind::EncoderOnly;
        // The last token of a text that was continued is followed by no step.
        const auto steps =
            static_cast<int>(reads ? trace.source().size() : trace.path(context().selection.leaf()).size());
        const bool ofSteps = reads == (context().selection.site().stage == Stage::Encoder);
        const bool row = hit.part == FigureHit::Part::Cell || hit.part == FigureHit::Part::RowLabel;
        if (reads && hit.part == FigureHit::Part::ColumnLabel && hit.columnToken)
            context().selection.setStep(hit.columnToken);
        else if (row && ofSteps && hit.rowToken && hit.rowToken < steps)
            context().selection.setStep(hit.rowToken);
        else if (row && ofSteps && !reads && hit.rowToken == steps && trace.kind() == ModelKind::DecoderOnly)
            Q_EMIT lastTokenChosen();
    }
};

} // namespace

QWidget* makeHeatmapView(const ViewContext& context)
{
    return new HeatmapView(context);
}

} // namespace attn::ui
