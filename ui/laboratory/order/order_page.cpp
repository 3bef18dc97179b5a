// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order/order_page.h"

#include "laboratory/order/order_rotation.h"
#include "laboratory/order/order_schemes.h"
#include "laboratory/order/order_shuffle.h"

namespace attn::ui {

OrderPage::OrderPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context,
                     tr("Self-attention alone does not know the order of its words: shuffle them, and the outputs are "
                        "merely shuffled too. Positional encodings put the order in."),
                     parent)
    , m_tabs(new QTabWidget)
{
    m_tabs->setObjectName(QStringLiteral("orderTabs"));
    m_tabs->setDocumentMode(true);
    add(new OrderShuffle(context), tr("Shuffle the words"));
    add(new OrderRotation(context), tr("An offset is a rotation"));
    add(new OrderSchemes(context), tr("Products of positions"));
    setContent(m_tabs);
    notes()->hide(); // each tab has its own
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        for (int i = 0; i < m_tabs->count(); ++i)
            static_cast<LaboratoryPage*>(m_tabs->widget(i))->stop();
        activate();
    });
    connect(&context.study, &Study::modelChanged, this, [this] {
        if (isVisible())
            activate();
    });
}

void OrderPage::add(LaboratoryPage* tab, const QString& name)
{
    m_tabs->addTab(tab, name);
    connect(tab, &LaboratoryPage::hovered, this, &OrderPage::hovered);
}

LaboratoryPage* OrderPage::current() const
{
    return static_cast<LaboratoryPage*>(m_tabs->currentWidget());
}

std::optional<Exportable> OrderPage::exportable() const
{
    return current()->exportable();
}

void OrderPage::activate()
{
    current()->activate();
}

} // namespace attn::ui
