// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/kinds/contributions.h"
#include "views/figure_view.h"

#include <QSplitter>

#include <algorithm>
#include <optional>
#include <vector>

namespace attn::ui {

extern const FigureKind lensKind;
extern const FigureKind directKind;

namespace {

// The logit lens. A click on a column chooses its step, one on a cell or a row opens the maps of its layer.
class LensView final : public FigureView
{
public:
    using FigureView::FigureView;

protected:
    void choose(const FigureHit& hit) override
    {
        Selection& selection = context().selection;
        const Trace& trace = context().study.trace();
        if (hit.column && *hit.column < trace.steps(selection.leaf()))
            selection.setStep(hit.column);
        if (!hit.row || *hit.row == 0) // what enters the first layer
            return;
        const Site site{trace.stepsAreTokens() ? Stage::Encoder : Stage::Decoder, *hit.row - 1};
        if (trace.heads(site) == 0)
            return;
        selection.setSite(site);
        Q_EMIT headOpened();
    }
};

// What adds up to a logit. A click on the bar of a head opens its map.
class DirectView final : public FigureView
{
public:
    using FigureView::FigureView;

    // Part of a bar; none: it is of several, or there is no bar.
    std::optional<Contribution> partAt(const FigureHit& hit) const
    {
        if (figure() == nullptr)
            return {};
        const std::vector<Contribution> parts = contributionsOf(spec(), context().study.trace());
        const bool hasOthers = figure()->rows() < indexSize(parts); // in the last bar
        if (!hit.row || *hit.row >= std::min(figure()->rows() - (hasOthers ? 1 : 0), indexSize(parts)))
            return {};
        return parts[static_cast<std::size_t>(*hit.row)];
    }

protected:
    void choose(const FigureHit& hit) override
    {
        const std::optional<Contribution> part = partAt(hit);
        if (!part || part->part != Contribution::Part::Head)
            return;
        context().selection.setSiteAndHead(part->site, part->head);
        Q_EMIT headOpened();
    }
};

// The lens, and beside it what adds up to the logit of the token that is chosen there. The lens marks that token, in
// the layer of the bar that is pointed at.
class LensAndBars final : public QSplitter
{
public:
    explicit LensAndBars(const ViewContext& context)
        : m_context(context)
        , m_lens(new LensView(lensKind, context))
        , m_bars(new DirectView(directKind, context))
    {
        m_bars->setObjectName(QStringLiteral("directView"));
        m_bars->setAccessibleName(Figure::tr("Who wrote it"));
        setChildrenCollapsible(false);
        addWidget(m_lens);
        addWidget(m_bars);
        setStretchFactor(0, 3);
        setStretchFactor(1, 2);
        connect(m_bars, &FigureView::hovered, this, &LensAndBars::mark);
        connect(&context.selection, &Selection::changed, this, [this] { mark({}); });
        for (const auto signal : {&Study::traceChanged, &Study::readingsChanged})
            connect(&context.study, signal, this, &LensAndBars::showBars);
        showBars();
    }

private:
    void showBars()
    {
        m_bars->setHidden(!directKind.isIn(m_context.study.trace()));
        mark({});
    }

    void mark(const FigureHit& hit)
    {
        const Trace& trace = m_context.study.trace();
        const auto of = m_context.selection.about().of;
        Highlight marks;
        if (of && m_bars->isVisibleTo(this)) {
            marks.column = *of - trace.firstStepToken();
            marks.row = 0; // what enters the first layer
            for (const Site site : trace.sites()) // what the last one says
                marks.row = std::max(*marks.row, site.stage == Stage::Decoder ? site.layer + 1 : 0);
            if (const std::optional<Contribution> part = m_bars->partAt(hit)) {
                if (part->part == Contribution::Part::Embedding)
                    marks.row = 0;
                else if (part->part != Contribution::Part::Rest)
                    marks.row = part->site.layer + 1;
            }
        }
        m_lens->setMarks(marks);
    }

    ViewContext m_context;
    LensView* m_lens;
    DirectView* m_bars;
};

} // namespace

QWidget* makeLensView(const ViewContext& context)
{
    return new LensAndBars(context);
}

QWidget* makeDirectView(const ViewContext& context)
{
    return new DirectView(directKind, context);
}

} // namespace attn::ui
