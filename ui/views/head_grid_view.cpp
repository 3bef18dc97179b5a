// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_grid.h"
#include "figures/kinds/kinds.h"
#include "views/view_rows.h"

#include <QFutureWatcher>
#include <QKeyEvent>
#include <QtConcurrent>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

namespace attn::ui {

namespace {

constexpr std::size_t cheap = 300'000; // weights that thumbnails are made of within a frame

// All heads of all layers; a click or the arrow keys choose one. The thumbnails of long texts are made on another
// thread, the last ones stay until they are there.
class HeadGridView final : public FigureView
{
public:
    explicit HeadGridView(const ViewContext& context)
        : FigureView(headGridKind, context)
    {
        setObjectName(QStringLiteral("headGridView"));
        setAccessibleName(tr("All heads of all layers"));
        connect(&this->context().study, &Study::traceReplaced, this, [this] { m_thumbnails = nullptr; });
        connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
            m_key = m_beingMade;
            m_thumbnails = m_watcher.result();
            relayout();
        });
    }

    ~HeadGridView() override { m_watcher.waitForFinished(); } // for thumbnails that are being made

protected:
    std::unique_ptr<const Figure> makeFigure(const FigureSpec& spec, const Trace& trace) override
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
        return headGridFigure(spec, trace, m_thumbnails, size());
    }

    void choose(const FigureHit& hit) override
    {
        if (hit.part == FigureHit::Part::Head)
            context().selection.setSiteAndHead(hit.site, hit.head);
    }

    bool handleKey(QKeyEvent* event) override
    {
        const int key = event->key();
        const int heads = key == Qt::Key_Left ? -1 : key == Qt::Key_Right ? 1 : 0;
        const int layers = key == Qt::Key_Up ? -1 : key == Qt::Key_Down ? 1 : 0;
        if (heads == 0 && layers == 0)
            return false;
        Selection& selection = context().selection;
        Site site = selection.site();
        site.layer += layers;
        const HeadChoice choice = selection.head();
        const int* head = std::get_if<int>(&choice);
        if (const int count = context().study.trace().heads(site); count > 0)
            selection.setSiteAndHead(site, head == nullptr ? 0 : std::clamp(*head + heads, 0, count - 1));
        return true;
    }

private:
    // All that thumbnails depend on.
    using Key = std::tuple<quint64, Stage, std::optional<int>, bool, SpecialTokens, PairFilter>;
    using Thumbnails = std::shared_ptr<const HeadThumbnails>;

    Key m_key{}; // of m_thumbnails
    Key m_beingMade{};
    Thumbnails m_thumbnails; // null before the first
    QFutureWatcher<Thumbnails> m_watcher;
};

} // namespace

QWidget* makeHeadGridView(const ViewContext& context)
{
    return new HeadGridView(context);
}

} // namespace attn::ui
