// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/encoding.h"
#include "base/index.h"
#include "figures/kinds/beam_figure.h"
#include "views/figure_view.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace attn::ui {

namespace {

// The hypotheses of the search. A click or the arrow keys choose a token of one of them, which the other views then
// show; tokens without a branch are folded into one box and unfolded again.
class BeamView final : public FigureView
{
public:
    explicit BeamView(const ViewContext& context)
        : FigureView(beamKind, context)
    {
        setObjectName(QStringLiteral("beamView"));
        setAccessibleName(tr("Hypotheses of the search as a tree"));
        connect(&this->context().study, &Study::traceReplaced, this, [this] { m_layout.reset(); });
    }

    FigureSpec spec() const override
    {
        FigureSpec shown = FigureView::spec();
        shown.refolded = m_refolded;
        return shown;
    }

protected:
    std::shared_ptr<const Figure> makeFigure(const FigureSpec& spec, const Trace& trace) override
    {
        const Key wanted{context().study.revision(), m_refolded};
        const std::shared_ptr<const BeamLayout> before = m_layout;
        if (!m_layout || wanted != m_key) {
            m_layout = std::make_shared<const BeamLayout>(beamLayout(trace, m_refolded));
            m_key = wanted;
        }
        FigureSpec shown = spec;
        if (before && before != m_layout && !placed().isNull()) {
            setPlaced(kept(placed(), *before));
            shown.visible = placed();
        }
        m_anchor.reset();
        auto figure = beamFigure(shown, trace, m_layout, size());
        m_shown = figure.get();
        return figure;
    }

    QRectF shownCells() override
    {
        const BeamFigure& shown = shownFigure();
        return shown.seen() & QRectF(0, 0, shown.columns(), shown.rows());
    }
    QSizeF fewestCells() override { return shownFigure().fewestCells(); }
    std::optional<QPointF> cellsAt(QPointF point) override { return shownFigure().cellsAt(point); }
    bool leavesPlace(Selection::Fields) const override { return false; }

    void forgetPlace() override
    {
        m_refolded.clear();
        m_walked.reset();
        FigureView::forgetPlace();
    }

    void lookAt(const FigureHit&) override { } // no cells of a matrix

    FigureHit keyboardHit() override
    {
        const BeamFigure& shown = shownFigure();
        const auto node = shown.rows() > 0 ? current() : std::nullopt;
        return node ? shown.nodeHit(*node) : FigureHit();
    }

    void choose(const FigureHit& hit) override
    {
        if (!hit.node)
            return;
        if (hit.part == FigureHit::Part::Fold)
            fold(numberOf(*hit.node));
        else
            look(numberOf(*hit.node));
    }

    void mouseDoubleClickEvent(QMouseEvent* event) override
    {
        const FigureHit hit = hitAt(event->position());
        if (event->button() == Qt::LeftButton && hit.part == FigureHit::Part::Node)
            fold(numberOf(*hit.node));
        else if (event->button() == Qt::LeftButton && hit.part == FigureHit::Part::Nothing)
            FigureView::mouseDoubleClickEvent(event);
    }

    bool handleKey(QKeyEvent* event) override
    {
        if (shownFigure().rows() == 0)
            return false;
        switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Home:
            if (const auto next = goneTo(event->key()))
                walkTo(*next);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            if (const auto node = current())
                fold(*node);
            return true;
        default:
            return false;
        }
    }

    void hideEvent(QHideEvent* event) override
    {
        Q_EMIT hovered({});
        FigureView::hideEvent(event);
    }

private:
    using Key = std::tuple<quint64, std::set<StepId>>; // all that a layout depends on

    const BeamFigure& shownFigure() // as it is now
    {
        currentFigure();
        return *m_shown;
    }

    // The visible part of another layout, so that what is looked at stays where it is on the screen.
    QRectF kept(QRectF visible, const BeamLayout& before) const
    {
        std::optional<int> anchor = m_anchor;
        if (!anchor) {
            const auto column = static_cast<int>(visible.center().x());
            if (const auto item = before.nearest(column, visible.center().y()))
                anchor = before.node(before.items[*item], column - before.items[*item].column);
        }
        if (anchor && *anchor < indexSize(m_layout->nodeRows) && *anchor < indexSize(before.nodeRows))
            visible.translate(0, m_layout->nodeRows[*anchor] - before.nodeRows[*anchor]);
        return visible;
    }

    // The node that is looked at: while a run goes on, the selection follows its newest step.
    std::optional<int> current() const
    {
        const Selection& selection = context().selection;
        const Trace& trace = context().study.trace();
        if (context().study.running() && m_walked && *m_walked < trace.stepCount())
            return m_walked;
        return beamNodeAt(trace, selection.leaf(), selection.step());
    }

    std::optional<int> goneTo(int key) const
    {
        const BeamTree& tree = m_layout->tree;
        const std::optional<int> from = current();
        if (key == Qt::Key_Home || !from) {
            const auto best = context().study.trace().bestLeaf();
            return best ? std::optional(numberOf(*best)) : std::nullopt;
        }
        const BeamItem& item = m_layout->itemAt(*from);
        if (key == Qt::Key_Left)
            return item.isFolded() ? tree.nodes[m_layout->firstNode(item)].parent : tree.nodes[*from].parent;
        if (key == Qt::Key_Right) {
            const int last = item.isFolded() ? m_layout->lastNode(item) : *from;
            return childOf(last);
        }
        return besides(*from, key == Qt::Key_Down ? 1 : -1);
    }

    // The child that goes on in the best hypothesis.
    std::optional<int> childOf(int node) const
    {
        const std::vector<int>& children = m_layout->tree.nodes[node].children;
        const int leaf = m_layout->leafOf[node];
        const auto best =
            std::find_if(children.begin(), children.end(), [&](int child) { return m_layout->leafOf[child] == leaf; });
        return best == children.end() ? std::nullopt : std::optional(*best);
    }

    // The sibling above or below; where there is none, the neighbour of the same step.
    std::optional<int> besides(int node, int by) const
    {
        const int position = m_layout->tree.nodes[node].position;
        const std::vector<int>& column = m_layout->columns[position];
        const auto at = std::find(column.begin(), column.end(), m_layout->itemOf[node]);
        if (at == column.end() || (by < 0 ? at == column.begin() : at + 1 == column.end()))
            return std::nullopt;
        const BeamItem& next = m_layout->items[*(at + by)];
        return m_layout->node(next, position - next.column);
    }

    void walkTo(int node)
    {
        pick(node);
        const double row = m_layout->nodeRows[node];
        const int column = m_layout->tree.nodes[node].position;
        reveal({static_cast<int>(std::floor(row)), column});
        reveal({static_cast<int>(std::ceil(row)), column});
        Q_EMIT hovered(shownFigure().nodeHit(node));
    }

    void pick(int node)
    {
        Selection& selection = context().selection;
        const Trace& trace = context().study.trace();
        const int position = m_layout->tree.nodes[node].position;
        m_walked = node;
        if (beamNodeAt(trace, selection.leaf(), position) != node) {
            const StepId leaf{m_layout->leafOf[node]};
            selection.setLeaf(leaf == trace.bestLeaf() && trace.summary() ? std::nullopt : std::optional(leaf));
        }
        selection.setStep(position);
        relayout();
    }

    // A hypothesis that was chosen by its end is looked at where its last word is: other views show no row of the end.
    void look(int node)
    {
        pick(node);
        Selection& selection = context().selection;
        const Encoding target = context().study.trace().target(selection.leaf());
        int step = m_layout->tree.nodes[node].position;
        while (step > 0 && isSpecial(target, step))
            --step;
        if (spec().specials != SpecialTokens::Shown && !isSpecial(target, step))
            selection.setStep(step);
    }

    void fold(int node)
    {
        const BeamItem& item = m_layout->itemAt(node);
        if (!item.folds)
            return;
        const StepId begin{item.begin};
        if (m_refolded.erase(begin) == 0)
            m_refolded.insert(begin);
        m_anchor = node;
        relayout();
    }

    const BeamFigure* m_shown = nullptr; // that the canvas holds
    std::shared_ptr<const BeamLayout> m_layout;
    Key m_key; // of m_layout
    std::set<StepId> m_refolded; // as FigureSpec says it
    std::optional<int> m_anchor; // node that stays where it is on the screen
    std::optional<int> m_walked; // node that was picked last
};

} // namespace

QWidget* makeBeamView(const ViewContext& context)
{
    return new BeamView(context);
}

} // namespace attn::ui
