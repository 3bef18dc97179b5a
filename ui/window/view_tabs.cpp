// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/view_tabs.h"

#include "figures/look/language.h"

#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

constexpr int nameMargin = 8; // between a button's icon and its text

const ViewRow& rowOf(int index)
{
    return viewRows()[static_cast<std::size_t>(index)];
}

QString titleOf(const ViewRow& row, bool reads)
{
    return translated(reads && row.readingTitle != nullptr ? row.readingTitle : row.title);
}

} // namespace

ViewTabs::ViewTabs(const ViewContext& context, QWidget* parent)
    : QTabWidget(parent)
    , m_context(context)
{
    setObjectName(QStringLiteral("viewTabs"));
    setDocumentMode(true);
    for (const ViewRow& row : viewRows()) {
        auto* page = new QWidget;
        (new QVBoxLayout(page))->setContentsMargins(0, 0, 0, 0);
        addTab(page, titleOf(row, false));
    }
    make(0);
    m_heatmap = &current();
    connect(this, &QTabWidget::currentChanged, this, &ViewTabs::make);
    connect(&context.study, &Study::modelChanged, this, &ViewTabs::nameTabs);
    connect(&context.study, &Study::traceChanged, this, &ViewTabs::nameTabs);
    connect(&context.study, &Study::modelChanged, this, &ViewTabs::showTabs);
    connect(&context.study, &Study::traceChanged, this, &ViewTabs::showTabs);
    connect(&context.study, &Study::readingsChanged, this, &ViewTabs::showTabs);
    showTabs();
}

void ViewTabs::make(int index)
{
    QWidget* page = widget(index);
    if (page == nullptr || page->layout()->count() > 0)
        return;
    const ViewRow& row = rowOf(index);
    page->layout()->addWidget(row.make(m_context));
    const auto all = page->findChildren<FigureView*>();
    for (const FigureView* const each : all)
        connect(each, &FigureView::headOpened, this, [this] { setCurrentIndex(0); });
    FigureView* const view = viewOf(index);
    connect(view, &FigureView::nextChosen, this, &ViewTabs::nextChosen);
    connect(view, &FigureView::orderAsked, this, &ViewTabs::orderAsked);
    connect(view, &FigureView::playAsked, this, &ViewTabs::playAsked);
    connect(view, &FigureView::hearAsked, this, &ViewTabs::hearAsked);
    if (row.figure->drawsPositions) // shows no attention
        return;
    if (view->objectName().isEmpty()) {
        view->setObjectName(QLatin1String(row.id) + QStringLiteral("View"));
        view->setAccessibleName(titleOf(row, false));
    }
    for (const FigureView* const each : all)
        connect(each, &FigureView::hovered, this, [this, each](const FigureHit& hit) {
            const bool drags = each->isDraggable(hit) && !hit.text.isEmpty();
            Q_EMIT hovered(drags ? hit.text + QStringLiteral("   ") + tr("(drag it up or down: another weight)")
                               : hit.text.isEmpty() ? each->whatsThis() // what can be done there
                                                    : hit.text);
        });
    connect(view, &FigureView::painted, this, &ViewTabs::painted);
    connect(view, &FigureView::activated, this, &ViewTabs::activated);
    connect(view, &FigureView::menuRequested, this, &ViewTabs::menuRequested);
    connect(view, &FigureView::valueDragged, this, &ViewTabs::valueDragged);
    connect(view, &FigureView::valueDragEnded, this, &ViewTabs::valueDragEnded);
}

// The one of several that has the row's name.
FigureView* ViewTabs::viewOf(int index) const
{
    auto* named = widget(index)->findChild<FigureView*>(QLatin1String(rowOf(index).id) + QStringLiteral("View"));
    return named != nullptr ? named : widget(index)->findChild<FigureView*>();
}

FigureView& ViewTabs::current() const
{
    return *viewOf(currentIndex());
}

QString ViewTabs::currentId() const
{
    return QLatin1String(rowOf(currentIndex()).id);
}

void ViewTabs::showView(const QString& id)
{
    const auto rows = viewRows();
    const auto found = std::ranges::find(rows, id, [](const ViewRow& row) { return QLatin1String(row.id); });
    if (found != rows.end() && offers(*found))
        setCurrentIndex(static_cast<int>(found - rows.begin()));
    else if (m_context.study.runs().runs().empty())
        m_awaited = id;
}

void ViewTabs::resizeEvent(QResizeEvent* event)
{
    fitCorner();
    QTabWidget::resizeEvent(event);
}

// The tabs need the room of the corner's text more where there is not enough for both.
void ViewTabs::fitCorner()
{
    const QWidget* corner = cornerWidget();
    auto* button = corner == nullptr ? nullptr : corner->findChild<QToolButton*>(QStringLiteral("laboratoryButton"));
    if (button == nullptr)
        return;
    const bool isNamed = button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
    const int name = isNamed ? 0 : button->fontMetrics().horizontalAdvance(button->text()) + nameMargin;
    const int wanted = tabBar()->sizeHint().width() + corner->sizeHint().width() + name;
    button->setToolButtonStyle(wanted > width() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

// A run that has begun and has nothing yet may still have what the one before had; before the first one there is what
// every run has.
void ViewTabs::showTabs()
{
    const Trace& trace = m_context.study.trace();
    if (m_context.study.running() && trace.sites().empty())
        return;
    const bool nothing = trace.sites().empty() && trace.source().tokens.empty() && trace.path().empty();
    for (int i = 0; i < count(); ++i) {
        const auto isIn = rowOf(i).figure->isIn;
        const bool awaits = !rowOf(i).figure->readings.empty() && m_context.study.model() && !trace.readings();
        if (awaits && i == currentIndex())
            continue;
        const auto suits = rowOf(i).suits;
        const bool visible = (isIn == nullptr || isIn(trace)) && (suits == nullptr || suits(m_context.study))
            && (!nothing || i == 0 || (rowOf(i).figure->drawsPositions && m_context.study.model()));
        const bool isNew = visible && !isTabVisible(i);
        if (!visible && i == currentIndex())
            setCurrentIndex(0);
        setTabVisible(i, visible);
        if (isNew && (rowOf(i).figure->comesFirst || QLatin1String(rowOf(i).id) == m_awaited))
            setCurrentIndex(i);
    }
    if (!nothing)
        m_awaited.clear();
    fitCorner();
}

void ViewTabs::nameTabs()
{
    const bool reads = m_context.study.kind() == ModelKind::EncoderOnly;
    if (std::exchange(m_reads, reads) == reads)
        return;
    for (int i = 0; i < count(); ++i)
        setTabText(i, titleOf(rowOf(i), reads));
    fitCorner();
}

} // namespace attn::ui
