// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/token_view.h"

#include "figures/kinds/shown_matrix.h"

#include <QGuiApplication>
#include <QKeyEvent>

#include <algorithm>
#include <utility>
#include <vector>

namespace attn::ui {

TokenView::TokenView(const FigureKind& kind, ViewContext context, QWidget* bar, Bar place)
    : FigureView(kind, context)
    , m_bar(bar)
    , m_place(place)
    , m_stage(context.selection.site().stage)
{
    if (m_bar != nullptr) {
        m_bar->setParent(this);
        m_bar->setAutoFillBackground(place == Bar::Below);
        m_bar->setCursor(Qt::ArrowCursor);
    }
    placeBar();
    connect(&context.study, &Study::traceReplaced, this, [this] {
        if (!this->context().study.onlyEditsDiffer())
            letGo();
    });
    connect(&context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
        const Stage stage = this->context().selection.site().stage;
        if (std::exchange(m_stage, stage) != stage || (fields & Selection::LeafField) != 0)
            letGo();
        else if (fields & Selection::StepField)
            pickStep();
    });
}

// --- the bar ---

void TokenView::placeBar()
{
    if (m_bar == nullptr)
        return;
    const int high = std::min(m_bar->sizeHint().height(), height() / 2);
    const int wide = m_place == Bar::Below ? width() : std::min(m_bar->sizeHint().width(), width());
    const QRect place(width() - wide, height() - high, wide, high);
    if (m_bar->geometry() != place) {
        m_bar->setGeometry(place);
        relayout();
    }
}

bool TokenView::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest)
        placeBar();
    return FigureView::event(event);
}

void TokenView::resizeEvent(QResizeEvent* event)
{
    placeBar();
    FigureView::resizeEvent(event);
}

QSizeF TokenView::room() const
{
    const int below = m_bar != nullptr && m_place == Bar::Below ? m_bar->height() : 0;
    return {double(width()), double(std::max(1, height() - below))};
}

// --- tokens ---

const TokenFigure* TokenView::tokens()
{
    return dynamic_cast<const TokenFigure*>(currentFigure());
}

Highlight TokenView::highlight() const
{
    Highlight marks = FigureView::highlight();
    if (hasFocus() && m_at && !marks.row && !marks.column)
        (m_at->side == TokenSide::Rows ? marks.row : marks.column) = m_at->index;
    return marks;
}

FigureHit TokenView::keyboardHit()
{
    const TokenFigure* const shown = m_at ? tokens() : nullptr;
    const bool there =
        shown != nullptr && m_at->index < (m_at->side == TokenSide::Rows ? shown->rows() : shown->columns());
    return there ? shown->hitOf(*m_at) : FigureHit();
}

void TokenView::lookAt(const FigureHit& hit)
{
    FigureView::lookAt(hit);
    if (const auto place = TokenFigure::placeOf(hit))
        m_at = place;
}

void TokenView::letGo()
{
    context().appearance.choose([](FigureChoices& choices) { choices.picked.clear(); });
}

// The picked token follows the step, which another view may have chosen.
void TokenView::pickStep()
{
    const auto step = context().selection.step();
    const FigureChoices& now = context().appearance.choices();
    const bool ofSteps = now.shading == Shading::AttendedTo || context().study.trace().hasOneText();
    if (!step || now.picked.empty() || !ofSteps || !context().study.trace().hasRowsOfSteps(context().selection.site()))
        return;
    const int column = *step + context().study.trace().firstStepToken();
    const int token = now.shading == Shading::AttendedTo ? *step : column;
    if (std::ranges::find(now.picked, token) == now.picked.end())
        context().appearance.choose([token](FigureChoices& choices) { choices.picked = {token}; });
}

// Returns whether it is picked now.
bool TokenView::pick(TokenPlace place, bool further)
{
    const auto name = tokens()->nameOf(place);
    if (!name)
        return false;
    context().appearance.choose([&](FigureChoices& choices) {
        std::vector<int> picked;
        if (further && choices.shading == TokenFigure::shadingOf(place.side))
            picked = choices.picked;
        const bool alone = choices.picked == std::vector<int>{*name};
        const bool same = choices.shading == TokenFigure::shadingOf(place.side);
        const auto found = std::find(picked.begin(), picked.end(), *name);
        if (found != picked.end())
            picked.erase(found);
        else if (further || !alone || !same)
            picked.push_back(*name);
        choices.picked = std::move(picked);
        choices.shading = TokenFigure::shadingOf(place.side);
    });
    return std::ranges::find(context().appearance.choices().picked, *name)
        != context().appearance.choices().picked.end();
}

void TokenView::choose(const FigureHit& hit)
{
    const auto place = TokenFigure::placeOf(hit);
    if (place && tokens() != nullptr
        && pick(*place, QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier)))
        chooseStep(hit);
}

bool TokenView::handleKey(QKeyEvent* event)
{
    const TokenFigure* shown = tokens();
    if (shown == nullptr)
        return false;
    const int key = event->key();
    if (key == Qt::Key_Escape && !context().appearance.choices().picked.empty()) {
        letGo();
        return true;
    }
    if (event->modifiers().testFlag(Qt::AltModifier))
        return false;
    if (m_at && shown->rectOf(*m_at).isNull())
        m_at.reset();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_at) {
        choose(shown->hitOf(*m_at));
        return true;
    }
    const QPoint toward(key == Qt::Key_Left        ? -1
                            : key == Qt::Key_Right ? 1
                                                   : 0,
                        key == Qt::Key_Up         ? -1
                            : key == Qt::Key_Down ? 1
                                                  : 0);
    const std::vector<TokenPlace> all = shown->places();
    std::optional<TokenPlace> next;
    if (!toward.isNull())
        next = shown->neighbour(m_at, toward);
    else if (!all.empty() && (key == Qt::Key_Home || key == Qt::Key_End))
        next = key == Qt::Key_Home ? all.front() : all.back();
    if (!next)
        return false;
    hover(shown->hitOf(*next));
    walkedTo(*next);
    return true;
}

} // namespace attn::ui
