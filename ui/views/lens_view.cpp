// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/kinds/kept_reading.h"
#include "views/figure_view.h"

#include <QSplitter>

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
        if (hit.column && *hit.column < trace.rowCount(selection.leaf()))
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

// Contributions that add up to a logit. A click on the bar of a head opens its map.
class DirectView final : public FigureView
{
public:
    using FigureView::FigureView;

protected:
    void choose(const FigureHit& hit) override
    {
        const std::vector<Contribution> parts = contributionsOf(spec(), context().study.trace());
        const bool hasOthers = figure()->rows() < indexSize(parts); // in the last bar
        if (!hit.row || *hit.row >= figure()->rows() - (hasOthers ? 1 : 0))
            return;
        const Contribution& part = parts[static_cast<std::size_t>(*hit.row)];
        if (part.part != Contribution::Part::Head)
            return;
        context().selection.setSiteAndHead(part.site, part.head);
        Q_EMIT headOpened();
    }
};

// The lens, and beside it, where the run has that, what adds up to the logit of the token that is chosen.
class LensAndBars final : public QSplitter
{
public:
    explicit LensAndBars(const ViewContext& context)
        : m_study(context.study)
        , m_bars(new DirectView(directKind, context))
    {
        auto* lens = new LensView(lensKind, context);
        lens->setObjectName(QStringLiteral("lensView"));
        lens->setAccessibleName(Figure::tr("Logit lens"));
        m_bars->setObjectName(QStringLiteral("lensBars"));
        m_bars->setAccessibleName(Figure::tr("Who wrote it"));
        setChildrenCollapsible(false);
        addWidget(lens);
        addWidget(m_bars);
        setStretchFactor(0, lensShare);
        setStretchFactor(1, barsShare);
        for (const auto signal : {&Study::traceChanged, &Study::readingsChanged})
            connect(&m_study, signal, this, &LensAndBars::showBars);
        showBars();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QSplitter::resizeEvent(event);
        showBars();
    }

private:
    static constexpr int lensShare = 3; // of the width
    static constexpr int barsShare = 2;
    static constexpr int leastCell = 44; // pixels, for a word
    static constexpr int besideCells = 150;

    // Beside the lens as long as the words in its cells have room; they have a view of their own.
    void showBars()
    {
        const Trace& trace = m_study.trace();
        const int left = width() * lensShare / (lensShare + barsShare) - besideCells;
        const bool fits = left >= leastCell * static_cast<int>(trace.stepTokens().size());
        m_bars->setHidden(!fits || !directKind.isIn(trace));
    }

    const Study& m_study;
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
