// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/tabbed_page.h"

namespace attn::ui {

TabbedPage::TabbedPage(const LaboratoryContext& context, const char* tabsName, const QString& about)
    : LaboratoryPage(context, about)
    , m_tabs(new QTabWidget)
{
    m_tabs->setObjectName(QLatin1String(tabsName));
    m_tabs->setDocumentMode(true);
    setContent(m_tabs);
    notes()->hide(); // each tab has its own
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        for (int i = 0; i < m_tabs->count(); ++i)
            static_cast<LaboratoryPage*>(m_tabs->widget(i))->stop();
        if (isVisible())
            activate();
    });
    connect(&context.study, &Study::modelChanged, this, [this] {
        if (isVisible())
            activate();
    });
}

void TabbedPage::add(LaboratoryPage* tab, const QString& name)
{
    m_tabs->addTab(tab, name);
    connect(tab, &LaboratoryPage::hovered, this, &TabbedPage::hovered);
}

std::optional<Exportable> TabbedPage::exportable() const
{
    return current()->exportable();
}

void TabbedPage::activate()
{
    current()->activate();
}

bool TabbedPage::busy() const
{
    return current()->busy();
}

} // namespace attn::ui
