// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/laboratory_access.h"

#include "analysis/words.h"
#include "base/index.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"

#include <QMenu>

#include <optional>

namespace attn::ui {

namespace {

std::optional<Place::Token> tokenAt(const FigureHit& hit, const Trace& trace, Site site, std::optional<StepId> leaf)
{
    const bool row = !hit.columnToken;
    const std::optional<int> index = row ? hit.rowToken : hit.columnToken;
    const Encoding tokens = row ? trace.rowTokens(site, leaf) : trace.columnTokens(site, leaf);
    if (!index || *index >= indexSize(tokens) || tokens.ids[*index] == noTokenId)
        return std::nullopt;
    const bool read = site.stage == Stage::Encoder || (site.stage == Stage::Cross && !row);
    return Place::Token{read ? Stage::Encoder : Stage::Decoder, tokens.ids[*index],
                        readableToken(tokenAxis(tokens)[*index].label)};
}

} // namespace

LaboratoryAccess::LaboratoryAccess(const LaboratoryContext& context, Exporter& exporter, QWidget* window)
    : m_context(context)
    , m_exporter(exporter)
    , m_parent(window)
{
}

LaboratoryAccess::~LaboratoryAccess()
{
    delete m_window;
    delete m_beside;
}

LaboratoryWindow& LaboratoryAccess::open(Page page)
{
    if (m_window == nullptr) {
        m_window = new LaboratoryWindow(m_context, m_parent);
        connect(m_window, &LaboratoryWindow::exportRequested, this,
                [this](const Exportable& figure) { m_exporter.write(figure, m_window); });
        connect(m_window, &LaboratoryWindow::copyRequested, this, [this](const Exportable& figure) {
            m_exporter.copy(figure, m_window->page(m_window->current()).width());
        });
        connect(m_window, &LaboratoryWindow::helpRequested, this, &LaboratoryAccess::helpRequested);
    }
    m_window->open(page);
    return *m_window;
}

Place LaboratoryAccess::placeOf(const FigureHit& hit) const
{
    const Trace& trace = m_context.study.trace();
    const Site site = m_context.selection.site();
    if (!m_context.study.model())
        return {};
    Place place{{}, tokenAt(hit, trace, site, m_context.selection.leaf())};
    // None of several figures has cells of the attention, and not every cell of a difference is one of the run.
    const bool compares = m_context.appearance.difference() && m_context.study.compared() != nullptr;
    const bool ofRun = !hit.panel && (!compares || (hit.rowToken && hit.columnToken));
    const bool ofToken = hit.columnToken || trace.columnAxis(site) != AttentionAxis::Tokens; // not of a sink
    if (hit.isCell() && ofRun && ofToken && trace.heads(site) > 0)
        place.cell = {hit.rowToken.value_or(*hit.row), hit.columnToken.value_or(*hit.column)};
    return place;
}

void LaboratoryAccess::lookAt(Page page, const Place& place)
{
    open(page).page(page).lookAt(place);
}

void LaboratoryAccess::addPage(QMenu& menu, Page page, const Place& place)
{
    const PageRow& row = rowOf(page);
    QString text = row.question == nullptr ? pageName(page) : translated(row.question);
    if (row.topic == Topic::Token) // joined rather than filled in: tokens may contain "%1"
        text += QString(place.token->name).replace(QLatin1Char('&'), QStringLiteral("&&"));
    menu.addAction(text, this, [this, page, place] { lookAt(page, place); })->setObjectName(QLatin1String(row.id));
}

void LaboratoryAccess::showMenu(const FigureHit& hit, QPoint position, const std::function<void(QMenu&)>& addOthers,
                                const QList<QAction*>& actions)
{
    auto* menu = new QMenu(m_parent);
    menu->setObjectName(QStringLiteral("placeMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const Place place = placeOf(hit);
    if (place.cell) {
        const PageRow& row = rowOf(pageAbout(Topic::Cell));
        menu->addAction(translated(row.question), this, [this, hit] { Q_EMIT whyAsked(hit); })
            ->setObjectName(QLatin1String(row.id));
    }
    addOthers(*menu);
    QMenu& pages = *menu->addMenu(tr("&Laboratory"));
    const Study& study = m_context.study;
    for (int i = 0; i < indexSize(pageRows()); ++i) {
        const auto page = static_cast<Page>(i);
        const Topic topic = rowOf(page).topic;
        const bool raised = topic == Topic::Token ? place.token.has_value()
            : topic == Topic::Head                ? study.model() && !study.trace().sites().empty()
                                                  : topic != Topic::Cell;
        if (raised)
            addPage(pages, page, place);
    }
    menu->addActions(actions);
    menu->popup(position);
}

LaboratoryPage& LaboratoryAccess::lookBeside(const FigureHit& hit)
{
    const Page page = pageAbout(Topic::Cell);
    if (m_beside == nullptr) {
        m_beside = rowOf(page).make(m_context);
        m_beside->setTitle(pageName(page));
    }
    m_beside->lookAt(placeOf(hit));
    return *m_beside;
}

void LaboratoryAccess::follow(const FigureHit& hit)
{
    if (m_beside != nullptr && m_beside->isVisible() && placeOf(hit).cell)
        lookBeside(hit);
    if (m_window == nullptr || !m_window->isVisible() || rowOf(m_window->current()).topic != Topic::Cell)
        return;
    if (const Place place = placeOf(hit); place.cell)
        lookAt(m_window->current(), place);
}

} // namespace attn::ui
