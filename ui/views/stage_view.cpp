// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage_view.h"

#include "figures/kinds/stage.h"
#include "maps/map.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace attn::ui {

extern const FigureKind stageKind;

StageView::StageView(const ViewContext& context, QWidget* parent)
    : FigureView(stageKind, context, parent)
{
    setObjectName(QStringLiteral("stage"));
    setAccessibleName(tr("The text that was read, and what was written"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & Selection::MomentField)
            relayout();
    });
    connect(&context.study, &Study::traceChanged, this, &StageView::fit);
    connect(&context.study, &Study::modelChanged, this, &StageView::fit);
    fit();
}

QSize StageView::sizeHint() const
{
    constexpr int widest = 900;
    const auto figure = layoutFigure(spec(), context().study.trace(), {double{widest}, 0});
    return {widest, static_cast<int>(std::ceil(figure->size().height()))};
}

FigureSpec StageView::mapSpec() const
{
    return stepAttention(spec(), context().study.trace());
}

FigureHit StageView::onMap(FigureHit hit) const
{
    const Map axes = mapAxes(context().study.trace(), mapSpec().mapSpec());
    const auto place = [](const MapAxis& axis, std::optional<int> token) -> std::optional<int> {
        return token ? axis.indexOf(*token) : std::nullopt;
    };
    const bool row = hit.part == FigureHit::Part::RowLabel;
    hit.row = row ? place(axes.rows, hit.rowToken) : std::nullopt;
    hit.column = row ? std::nullopt : place(axes.columns, hit.columnToken);
    return hit;
}

// Before anything is read it has its room already, so that nothing jumps.
void StageView::fit()
{
    if (const int high = sizeHint().height(); high != height() || maximumHeight() != high)
        setFixedHeight(high);
}

void StageView::changeEvent(QEvent* event)
{
    FigureView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void StageView::choose(const FigureHit& hit)
{
    if (!hit.rowToken)
        return;
    if (*hit.rowToken < context().study.trace().steps(context().selection.leaf()))
        context().selection.setStep(hit.rowToken);
    else
        Q_EMIT lastTokenChosen();
}

void StageView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const FigureHit hit = hitAt(event->position());
    if (hit.part == FigureHit::Part::ColumnLabel && hit.columnToken)
        Q_EMIT wordOpened(*hit.columnToken);
}

void StageView::walk(int words)
{
    const FigureTable& shown = table();
    if (shown.rows == 0)
        return;
    const int from = shown.chosenRows.empty() ? (words > 0 ? -1 : shown.rows) : shown.chosenRows.front();
    for (int word = from + words; word >= 0 && word < shown.rows; word += words) {
        const QRectF box = shown.rect({word, 0});
        const FigureHit hit = box.isNull() ? FigureHit() : hitAt(box.center());
        if (hit.rowToken)
            return choose(hit);
    }
}

bool StageView::handleKey(QKeyEvent* event)
{
    if (event->modifiers() != Qt::NoModifier && event->modifiers() != Qt::KeypadModifier)
        return false;
    if (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)
        return false;
    walk(event->key() == Qt::Key_Left ? -1 : 1);
    return true;
}

} // namespace attn::ui
