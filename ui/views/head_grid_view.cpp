// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"
#include "figures/kinds/head_grid.h"
#include "figures/kinds/shown_matrix.h"
#include "run/latest_request.h"
#include "run/user_message.h"
#include "state/selection.h"
#include "views/figure_view.h"
#include "views/head_bar.h"

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr std::chrono::milliseconds longestRest{50};
constexpr std::size_t cheap = 100'000; // weights that are gone through in a small part of a frame

// Something made of a trace, here or, when it takes longer than a frame, on another thread; the last one stays until
// the next is there.
template<class Key, class Value>
class MadeOfTrace
{
public:
    MadeOfTrace(QObject& owner, std::function<void()> made)
        : m_made(std::move(made))
        , m_latest(owner)
    {
        m_rest.setSingleShot(true);
        QObject::connect(&m_rest, &QTimer::timeout, &owner, m_made);
    }

    const std::shared_ptr<const Value>& value() const { return m_value; } // null before the first

    // make() gives a shared pointer; ThreadStop ends it.
    template<class Make>
    void want(const Key& key, std::size_t cost, Make make)
    {
        if (key == m_key)
            return;
        if (cost <= cheap)
            return keep(key, make());
        if (m_latest.pending() || m_rest.isActive()) // a run that goes on must not begin it again and again
            return;
        m_taken.start();
        QThreadPool::globalInstance()->start(HandedOver([this, key, make = std::move(make), ticket = m_latest.begin()] {
            const ThreadStop ofMaps(ticket.stop());
            std::shared_ptr<const Value> made; // stays null when there is no memory for it
            caught([&] { made = make(); });
            ticket.report([this, key, made] {
                keep(key, made);
                m_rest.start(std::min(std::chrono::milliseconds(m_taken.elapsed()), longestRest));
                m_made();
            });
        }));
    }
    void forget()
    {
        m_rest.stop();
        keep(std::nullopt, nullptr);
    }

private:
    void keep(const std::optional<Key>& key, const std::shared_ptr<const Value>& value)
    {
        m_latest.end();
        m_key = key;
        m_value = value;
    }

    std::function<void()> m_made; // elsewhere
    LatestRequest m_latest;
    QElapsedTimer m_taken; // since it was begun
    QTimer m_rest; // as long again belongs to what else there is to do
    std::optional<Key> m_key; // of m_value
    std::shared_ptr<const Value> m_value;
};

// All heads of all layers. A click or the arrow keys choose one, with Ctrl, Shift or Space several.
class HeadGridView final : public FigureView
{
public:
    explicit HeadGridView(const ViewContext& context)
        : FigureView(headGridKind, context)
    {
        setObjectName(QStringLiteral("headGridView"));
        setAccessibleName(tr("All heads of all layers"));
        connect(&this->context().study, &Study::traceReplaced, this, [this] {
            m_thumbnails.forget();
            m_facts.forget();
            m_figure.forget();
        });
        connect(&this->context().study, &Study::headsSwept, this, &HeadGridView::relayout);
        connect(&this->context().study, &Study::shownRunChanged, this, &HeadGridView::relayout);
        connect(&this->context().selection, &Selection::changed, this, [this](Selection::Fields fields) {
            if (fields & (Selection::SiteField | Selection::HeadField))
                m_at.reset();
        });
    }

    FigureSpec spec() const override
    {
        FigureSpec spec = FigureView::spec();
        spec.without = context().study.withoutHeads();
        return spec;
    }

protected:
    std::shared_ptr<const Figure> makeFigure(const FigureSpec& spec, const Trace& trace) override
    {
        const quint64 revision = context().study.revision();
        m_thumbnails.want({revision, spec.site.stage, spec.leaf, spec.words, spec.specials, spec.pair, spec.against,
                           spec.range.of, spec.rangeWithout, spec.clip, spec.pooling},
                          thumbnailCost(spec, trace), [spec, trace] { return headThumbnails(spec, trace); });
        m_facts.want({revision, spec.site.stage, spec.leaf, spec.headOrder == HeadOrder::Likeness, spec.against},
                     factsCost(spec, trace), [spec, trace] { return headFacts(spec, trace); });
        const auto thumbnails = m_thumbnails.value();
        const auto facts = m_facts.value();
        if (!thumbnails)
            return m_shown = headGridFigure(spec, trace, nullptr, nullptr, size());
        // Another head needs no other figure.
        const bool marks = !spec.heads.empty();
        const Site site{spec.site.stage, marks ? spec.site.layer : 0};
        m_figure.want({revision, site, spec.leaf, spec.against, spec.without, spec.stopped, spec.archive,
                       spec.untilStep, thumbnails, facts, size(), spec},
                      pictureCost(*thumbnails), [spec, trace, thumbnails, facts, size = size()] {
                          return headGridFigure(spec, trace, thumbnails, facts, size);
                      });
        m_shown = m_figure.value();
        if (!m_shown)
            m_shown = headGridFigure(spec, trace, nullptr, nullptr, size());
        return m_shown;
    }

    Highlight highlight() const override
    {
        Highlight marks = FigureView::highlight();
        if (m_at && hasFocus())
            marks.cursor = FigureCell{rowOf(m_at->layer), m_at->head};
        return marks;
    }

    FigureHit keyboardHit() override
    {
        FigureHit hit;
        hit.part = FigureHit::Part::Head;
        hit.row = rowOf(at().layer);
        hit.column = at().head;
        return hit;
    }

    // The head is enlarged in its place, and the status bar has its numbers.
    bool event(QEvent* event) override { return event->type() == QEvent::ToolTip || FigureView::event(event); }

    void mouseReleaseEvent(QMouseEvent* event) override
    {
        m_modifiers = event->modifiers();
        FigureView::mouseReleaseEvent(event);
        m_modifiers = {};
    }

    void mouseDoubleClickEvent(QMouseEvent* event) override
    {
        if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier && hitAt(event->position()).head)
            Q_EMIT headOpened();
    }

    void choose(const FigureHit& hit) override
    {
        if (hit.head)
            choose(HeadPlace{hit.site.layer, *hit.head}, m_modifiers);
    }

    bool handleKey(QKeyEvent* event) override
    {
        struct Move
        {
            Qt::Key key;
            QPointF by;
        };
        static constexpr Move moves[] = {
            {Qt::Key_Left, {-1, 0}}, {Qt::Key_Right, {1, 0}}, {Qt::Key_Up, {0, -1}}, {Qt::Key_Down, {0, 1}}};
        const auto* const move = std::ranges::find(moves, event->key(), &Move::key);
        if (move != std::end(moves)) {
            if (const auto next = grid().nextTo(at(), move->by))
                walkTo(*next, event->modifiers());
            return true;
        }
        switch (event->key()) {
        case Qt::Key_Space:
            choose(at(), Qt::ControlModifier);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_at)
                choose(*m_at, Qt::NoModifier);
            Q_EMIT headOpened();
            return true;
        case Qt::Key_Escape:
            if (picked().empty())
                return false;
            pickNone(context().appearance);
            return true;
        default:
            return false;
        }
    }

private:
    // All that thumbnails depend on, that what is known of the heads does, and that the figure of both does.
    using ThumbnailKey =
        std::tuple<quint64, Stage, std::optional<StepId>, bool, SpecialTokens, PairFilter,
                   std::shared_ptr<const ReferenceRun>, ColorRange::Of, RangeWithout, double, CellPooling>;
    using FactsKey = std::tuple<quint64, Stage, std::optional<StepId>, bool, std::shared_ptr<const ReferenceRun>>;
    using FigureKey =
        std::tuple<quint64, Site, std::optional<StepId>, std::shared_ptr<const ReferenceRun>,
                   std::shared_ptr<const HeadChanges>, bool, bool, bool, std::shared_ptr<const HeadThumbnails>,
                   std::shared_ptr<const HeadFacts>, QSize, FigureChoices>;

    // In weights that are gone through, as far as it has to be known.
    static std::size_t pictureCost(const HeadThumbnails& thumbnails)
    {
        constexpr std::size_t perTile = 50; // at least
        std::size_t cost = 0;
        for (const HeadThumbnails::Tile& tile : thumbnails.tiles) {
            cost += std::max(tile.pooled.states.size() * 3 / 2, perTile);
            if (cost > cheap)
                break;
        }
        return cost;
    }

    std::vector<HeadPlace> picked() const
    {
        return context().appearance.choices().heads.existing(context().study.trace(), context().selection.site());
    }

    // The head that the keyboard is at.
    HeadPlace at() const
    {
        return m_at.value_or(
            HeadPlace{context().selection.site().layer, context().selection.head().head().value_or(0)});
    }

    std::vector<Site> sites() const // rows of the figure
    {
        std::vector<Site> found;
        const Trace& trace = context().study.trace();
        const Stage stage = context().selection.site().stage;
        std::ranges::copy_if(trace.sites(), std::back_inserter(found),
                             [&](Site site) { return site.stage == stage && trace.heads(site) > 0; });
        return found;
    }
    int rowOf(int layer) const
    {
        const std::vector<Site> all = sites();
        return static_cast<int>(std::ranges::find(all, layer, &Site::layer) - all.begin());
    }

    const HeadGrid& grid()
    {
        currentFigure(); // makes it, where that is needed
        return *m_shown;
    }

    // Where several are picked only the keyboard's place moves.
    void walkTo(HeadPlace next, Qt::KeyboardModifiers modifiers)
    {
        if ((modifiers & Qt::ShiftModifier) == 0 && picked().empty() && (modifiers & Qt::ControlModifier) == 0)
            return choose(next, Qt::NoModifier);
        if ((modifiers & Qt::ShiftModifier) != 0)
            choose(next, Qt::ShiftModifier);
        m_at = next;
        update();
    }

    void choose(HeadPlace place, Qt::KeyboardModifiers modifiers)
    {
        Selection& selection = context().selection;
        if ((modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) == 0) {
            m_anchor = place;
            pickNone(context().appearance);
            selection.setSiteAndHead({selection.site().stage, place.layer}, selection.head().ofHead(place.head));
            return;
        }
        std::vector<HeadPlace> all = picked();
        if (const auto head = selection.head().head(); all.empty() && head)
            all.push_back({selection.site().layer, *head});
        if ((modifiers & Qt::ShiftModifier) != 0) {
            all = grid().between(m_anchor.value_or(all.empty() ? place : all.front()), place);
        } else if (const auto found = std::ranges::find(all, place); found == all.end() || all.size() == 1) {
            if (found == all.end())
                all.push_back(place);
            m_anchor = place;
        } else {
            all.erase(found);
        }
        pickHeads(selection, context().appearance, std::move(all), place);
        m_at = place;
    }

    MadeOfTrace<ThumbnailKey, HeadThumbnails> m_thumbnails{*this, [this] { relayout(); }};
    MadeOfTrace<FactsKey, HeadFacts> m_facts{*this, [this] { relayout(); }};
    MadeOfTrace<FigureKey, HeadGrid> m_figure{*this, [this] { relayout(); }};
    std::shared_ptr<const HeadGrid> m_shown; // null before the first
    Qt::KeyboardModifiers m_modifiers; // of the click that is being handled
    std::optional<HeadPlace> m_at; // where the keyboard is, if that is not what is selected
    std::optional<HeadPlace> m_anchor; // from which Shift picks
};

} // namespace

QWidget* makeHeadGridView(const ViewContext& context)
{
    auto* page = new QWidget;
    auto* view = new HeadGridView(context);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new HeadBar(context));
    layout->addWidget(view, 1);
    page->setFocusProxy(view);
    return page;
}

} // namespace attn::ui
