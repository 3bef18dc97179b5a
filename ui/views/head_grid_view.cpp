// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_grid.h"
#include "run/latest_request.h"
#include "run/user_message.h"
#include "views/figure_view.h"

#include <QKeyEvent>
#include <QThreadPool>

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
        connect(&this->context().study, &Study::traceReplaced, this, [this] { keep(std::nullopt, nullptr); });
    }

protected:
    std::unique_ptr<const Figure> makeFigure(const FigureSpec& spec, const Trace& trace) override
    {
        const Key wanted{context().study.revision(),
                         spec.site.stage,
                         spec.leaf,
                         spec.words,
                         spec.specials,
                         spec.pair,
                         spec.against,
                         spec.range.of,
                         spec.rangeWithout,
                         spec.clip,
                         spec.pooling};
        if (wanted != m_key) {
            if (thumbnailCost(spec, trace) <= cheap)
                keep(wanted, headThumbnails(spec, trace));
            else if (!m_latest.pending()) // a run that goes on must not begin them again and again
                makeElsewhere(wanted, spec, trace);
        }
        return headGridFigure(spec, trace, m_thumbnails, size());
    }

    void choose(const FigureHit& hit) override
    {
        if (hit.head)
            context().selection.setSiteAndHead(hit.site, *hit.head);
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
    using Key = std::tuple<quint64, Stage, std::optional<StepId>, bool, SpecialTokens, PairFilter,
                           std::shared_ptr<const Against>, ColorRange::Of, RangeWithout, double, Pooling>;
    using Thumbnails = std::shared_ptr<const HeadThumbnails>;

    void makeElsewhere(const Key& key, const FigureSpec& spec, const Trace& trace)
    {
        QThreadPool::globalInstance()->start([this, key, spec, trace, ticket = m_latest.begin()] {
            Thumbnails made; // stays null when there is no memory for them
            caught([&] { made = headThumbnails(spec, trace, ticket.stop()); });
            ticket.report([this, key, made] {
                keep(key, made);
                relayout();
            });
        });
    }

    void keep(const std::optional<Key>& key, const Thumbnails& thumbnails)
    {
        m_latest.end();
        m_key = key;
        m_thumbnails = thumbnails;
    }

    LatestRequest m_latest{*this};
    std::optional<Key> m_key; // of m_thumbnails
    Thumbnails m_thumbnails; // null before the first
};

} // namespace

QWidget* makeHeadGridView(const ViewContext& context)
{
    return new HeadGridView(context);
}

} // namespace attn::ui
