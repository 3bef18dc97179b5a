// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/head_grid_view.h"

#include <QKeyEvent>
#include <QtConcurrent>

#include <algorithm>
#include <memory>

namespace attn::ui {

namespace {

constexpr std::size_t cheap = 300'000; // weights that thumbnails are made of within a frame

}

HeadGridView::HeadGridView(ViewContext context, QWidget* parent)
    : FigureView(headGridKind, context, parent)
{
    setObjectName(QStringLiteral("headGridView"));
    setAccessibleName(tr("All heads of all layers"));
    connect(&this->context().study, &Study::traceReplaced, this, [this] { m_thumbnails = nullptr; });
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &HeadGridView::thumbnailsMade);
}

HeadGridView::~HeadGridView()
{
    m_watcher.waitForFinished();
}

std::unique_ptr<const Figure> HeadGridView::makeFigure(const FigureSpec& spec, const Trace& trace)
{
    const Key wanted{context().study.revision(), spec.site.stage, spec.leaf, spec.words, spec.specials, spec.pair};
    if (wanted != m_key || !m_thumbnails) {
        if (thumbnailCost(spec, trace) <= cheap) {
            m_key = wanted;
            m_thumbnails = headThumbnails(spec, trace);
        } else if (!m_watcher.isRunning()) {
            m_beingMade = wanted;
            m_watcher.setFuture(QtConcurrent::run(headThumbnails, spec, trace));
        }
    }
    return std::make_unique<HeadGridFigure>(spec, trace, m_thumbnails, QSizeF(size()));
}

void HeadGridView::thumbnailsMade()
{
    m_key = m_beingMade;
    m_thumbnails = m_watcher.result();
    relayout();
}

void HeadGridView::choose(const FigureHit& hit)
{
    if (hit.part == FigureHit::Part::Head)
        context().selection.setSiteAndHead(hit.site, hit.head);
}

bool HeadGridView::handleKey(QKeyEvent* event)
{
    int layers = 0;
    int heads = 0;
    const Selection& selection = context().selection;
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        heads = event->key() == Qt::Key_Left ? -1 : 1;
    else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        layers = event->key() == Qt::Key_Up ? -1 : 1;
    else
        return false;
    Site site = selection.site();
    site.layer += layers;
    const int count = context().study.trace().heads(site);
    if (count == 0)
        return true;
    const HeadChoice choice = selection.head();
    const int* head = std::get_if<int>(&choice);
    context().selection.setSiteAndHead(site, head == nullptr ? 0 : std::clamp(*head + heads, 0, count - 1));
    return true;
}

} // namespace attn::ui
