// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"
#include "window/opened_path.h"

#include <QMenu>
#include <QMenuBar>

namespace attn::ui {

void MainWindow::buildLaboratoryMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Laboratory"));
    menu->setObjectName(QStringLiteral("laboratoryMenu"));
    for (int i = 0; i < pageCount; ++i) {
        const auto page = static_cast<Page>(i);
        menu->addAction(pageName(page), QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), this,
                        [this, page] { openLaboratory(page); });
    }
}

LaboratoryContext MainWindow::laboratoryContext()
{
    return {m_document,
            m_selection,
            m_appearance,
            *m_controller,
            *m_dialogs,
            [this] { return m_document.model() ? m_document.model()->path : QString(); },
            [this] { return request(0); },
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
