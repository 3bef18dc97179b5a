// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "laboratory/embeddings/embeddings_page.h"
#include "laboratory/step/step_page.h"
#include "window/main_window.h"
#include "window/opened_path.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

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

std::optional<TokenPlace> tokenAt(const FigureHit& hit, const Trace& trace, Site site, int leaf)
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

void MainWindow::buildLaboratoryMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Laboratory"));
    menu->setObjectName(QStringLiteral("laboratoryMenu"));
    for (int i = 0; i < static_cast<int>(pageRows().size()); ++i) {
        const auto page = static_cast<Page>(i);
        menu->addAction(pageName(page), pageShortcut(page), this, [this, page] { openLaboratory(page); });
    }
}

// Stands over the views while what they show is older than what is chosen.
QWidget* MainWindow::olderSign()
{
    m_older = new QToolButton;
    m_older->setObjectName(QStringLiteral("olderSign"));
    m_older->setToolTip(tr("What is shown was made before the last changes. Enter, or a click here, runs the model on "
                           "what is chosen now."));
    m_older->setAutoRaise(true);
    m_older->setText(tr("Older than the choices"));
    m_older->hide();
    const auto color = [this] {
        QPalette colors;
        colors.setColor(QPalette::ButtonText, themeColors(m_appearance.theme()).accent);
        m_older->setPalette(colors);
    };
    connect(&m_appearance, &Appearance::changed, m_older, color);
    color();
    return m_older;
}

// The same pages where the views are, so that they are found.
void MainWindow::addLaboratoryCorner()
{
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("laboratoryButton"));
    button->setText(tr("Laboratory") + QStringLiteral("  ")); // room for the arrow
    button->setToolTip(tr("Experiments with attention, and how it is computed"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAutoRaise(true);
    auto* menu = new QMenu(button);
    for (int i = 0; i < static_cast<int>(pageRows().size()); ++i) {
        const auto page = static_cast<Page>(i);
        menu->addAction(pageName(page), this, [this, page] { openLaboratory(page); });
    }
    button->setMenu(menu);
    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(olderSign());
    row->addWidget(button);
    m_tabs->setCornerWidget(corner);
}

void MainWindow::askLaboratory(FigureView* view)
{
    connect(view, &FigureView::menuRequested, this, [this](const FigureHit& hit, QPoint position) {
        auto* menu = new QMenu(this);
        menu->setObjectName(QStringLiteral("placeMenu"));
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillPlaceMenu(*menu, hit);
        menu->popup(position);
    });
    connect(view, &FigureView::activated, this, [this](const FigureHit& hit) {
        if (m_laboratory != nullptr && m_laboratory->isVisible() && m_laboratory->current() == pageOf("step"))
            lookInside(hit);
    });
}

void MainWindow::fillPlaceMenu(QMenu& menu, const FigureHit& hit)
{
    const auto add = [&](const QString& text, Page page) {
        return menu.addAction(text, this, [this, page] { openLaboratory(page); });
    };
    if (hit.isCell() && m_document.model())
        menu.addAction(tr("&Inside this step"), this, [this, hit] { lookInside(hit); });
    const Trace& trace = m_document.trace();
    if (m_document.model() && !trace.sites().empty())
        add(tr("Why scale by the square root of &d? This head's scores"), pageOf("scaling"));
    if (const auto place = tokenAt(hit, trace, m_selection.site(), m_selection.leaf()); place && m_document.model()) {
        // Joined rather than filled in: tokens may contain "%1".
        QString name = place->name;
        name.replace(QLatin1Char('&'), QStringLiteral("&&"));
        menu.addAction(tr("&Neighbours of ") + name, this, [this, place = *place] {
            openLaboratory(pageOf("embeddings"));
            static_cast<EmbeddingsPage&>(m_laboratory->page(pageOf("embeddings"))).lookAt(place.stage, place.token);
        });
    }
    menu.addSeparator();
    for (const PageRow& row : pageRows())
        if (row.question != nullptr)
            add(QCoreApplication::translate("attn::ui", row.question), pageOf(row.id));
    menu.addSeparator();
    QAction* write = menu.addAction(tr("&Export…"), this, &MainWindow::exportView);
    write->setEnabled(!trace.sites().empty());
    menu.addAction(tr("Copy i&mage"), this, &MainWindow::copyImage);
}

// A cell's computation. Of a mean or maximum over heads it shows the head that gives the cell most.
void MainWindow::lookInside(const FigureHit& hit)
{
    const Trace& trace = m_document.trace();
    const Site site = m_selection.site();
    if (!hit.isCell() || trace.heads(site) == 0)
        return;
    StepCell cell{site, 0, hit.rowToken >= 0 ? hit.rowToken : hit.row,
                  hit.columnToken >= 0 ? hit.columnToken : hit.column};
    const HeadChoice choice = m_selection.head();
    if (const int* chosen = std::get_if<int>(&choice)) {
        cell.head = *chosen;
    } else {
        float most = -1;
        for (int other = 0; other < trace.heads(site); ++other) {
            const AttentionMatrix map = trace.matrix(site, other, m_selection.leaf());
            if (cell.row < map.rows && cell.key < map.columns && map.at(cell.row, cell.key) > most) {
                most = map.at(cell.row, cell.key);
                cell.head = other;
            }
        }
    }
    openLaboratory(pageOf("step"));
    static_cast<StepPage&>(m_laboratory->page(pageOf("step"))).lookAt(cell);
}

LaboratoryContext MainWindow::laboratoryContext()
{
    return {m_document,
            m_selection,
            m_appearance,
            *m_controller,
            *m_dialogs,
            [this] {
                Question asked = question(0);
                asked.model = m_document.model() ? m_document.model()->path.toStdString() : std::string();
                return asked;
            },
            [this] { return m_settings.recent; }};
}

LaboratoryWindow& MainWindow::openLaboratory(Page page)
{
    if (m_laboratory == nullptr) {
        m_laboratory = new LaboratoryWindow(laboratoryContext(), this);
        connect(m_laboratory, &LaboratoryWindow::exportRequested, this,
                [this](const Exportable& figure) { write(figure, m_laboratory); });
        connect(m_laboratory, &LaboratoryWindow::copyRequested, this, [this](const Exportable& figure) {
            copy(figure, m_laboratory->page(m_laboratory->current()).width());
        });
    }
    m_laboratory->open(page);
    return *m_laboratory;
}

} // namespace attn::ui
