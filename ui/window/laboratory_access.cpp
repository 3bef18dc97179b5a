// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/laboratory_access.h"

#include "analysis/words.h"
#include "figures/look/token_label.h"
#include "laboratory/step/step_page.h"

#include <QCoreApplication>
#include <QMenu>

#include <optional>

namespace attn::ui {

namespace {

// A token under the pointer and whose embedding table it is from.
struct TokenPlace
{
    Stage stage = Stage::Encoder;
    TokenId token = 0;
    QString name;
};

std::optional<TokenPlace> tokenAt(const FigureHit& hit, const Trace& trace, Site site, std::optional<int> leaf)
{
    const bool row = hit.columnToken < 0;
    const int index = row ? hit.rowToken : hit.columnToken;
    const Encoding tokens = row ? trace.rowTokens(site, leaf) : trace.columnTokens(site, leaf);
    if (index < 0 || static_cast<std::size_t>(index) >= tokens.size())
        return std::nullopt;
    const bool read = site.stage == Stage::Encoder || (site.stage == Stage::Cross && !row);
    const auto labels = tokenAxis(tokens);
    return TokenPlace{read ? Stage::Encoder : Stage::Decoder, tokens.ids[static_cast<std::size_t>(index)],
                      readableToken(labels[static_cast<std::size_t>(index)].label)};
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
    }
    m_window->open(page);
    return *m_window;
}

void LaboratoryAccess::showMenu(const FigureHit& hit, QPoint position, const QList<QAction*>& actions)
{
    auto* menu = new QMenu(m_parent);
    menu->setObjectName(QStringLiteral("placeMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& text, Page page) { menu->addAction(text, this, [this, page] { open(page); }); };
    const Study& study = m_context.study;
    const Selection& selection = m_context.selection;
    if (hit.isCell() && study.model())
        menu->addAction(tr("&Inside this step"), this, [this, hit] { lookInside(hit); });
    if (study.model() && !study.trace().sites().empty())
        add(tr("Why scale by the square root of &d? This head's scores"), pageOf("scaling"));
    const auto place = tokenAt(hit, study.trace(), selection.site(), selection.leaf());
    if (place && study.model()) {
        // Joined rather than filled in: tokens may contain "%1".
        QString name = place->name;
        name.replace(QLatin1Char('&'), QStringLiteral("&&"));
        menu->addAction(tr("&Neighbours of ") + name, this, [this, place = *place] {
            open(pageOf("embeddings")).page(pageOf("embeddings")).lookAt(place.stage, place.token);
        });
    }
    menu->addSeparator();
    for (const PageRow& row : pageRows())
        if (row.question != nullptr)
            add(QCoreApplication::translate("attn::ui", row.question), pageOf(row.id));
    menu->addSeparator();
    menu->addActions(actions);
    menu->popup(position);
}

void LaboratoryAccess::follow(const FigureHit& hit)
{
    if (m_window != nullptr && m_window->isVisible() && m_window->current() == pageOf("step"))
        lookInside(hit);
}

// A cell's computation. Of a mean or maximum over heads it shows the head that gives the cell most.
void LaboratoryAccess::lookInside(const FigureHit& hit)
{
    const Trace& trace = m_context.study.trace();
    const Selection& selection = m_context.selection;
    const Site site = selection.site();
    if (!hit.isCell() || trace.heads(site) == 0)
        return;
    const int key = hit.columnToken >= 0 ? hit.columnToken : hit.column;
    StepCell cell{site, 0, hit.rowToken >= 0 ? hit.rowToken : hit.row, key};
    const HeadChoice choice = selection.head();
    if (const int* chosen = std::get_if<int>(&choice)) {
        cell.head = *chosen;
    } else {
        float most = -1;
        for (int other = 0; other < trace.heads(site); ++other) {
            const Numbers map = trace.matrix(site, other, selection.leaf());
            if (cell.row < map.rows && key < map.columns && map.at(cell.row, key) > most) {
                most = map.at(cell.row, key);
                cell.head = other;
            }
        }
    }
    static_cast<StepPage&>(open(pageOf("step")).page(pageOf("step"))).lookAt(cell);
}

} // namespace attn::ui
