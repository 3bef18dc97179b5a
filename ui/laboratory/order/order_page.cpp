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
    add(new OrderShuffle(context, jobs()), tr("Shuffle the words"));
    add(new OrderRotation(context, jobs()), tr("An offset is a rotation"));
    add(new OrderSchemes(context, jobs()), tr("Products of positions"));
    current()->place(notes());
    setContent(m_tabs);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        jobs().cancel();
        message().hide();
        current()->place(notes());
        say(current()->result());
        activate();
    });
    connect(&context.appearance, &Appearance::changed, this, [this] {
        for (int i = 0; i < m_tabs->count(); ++i)
            static_cast<OrderTab*>(m_tabs->widget(i))->restyle();
    });
    connect(&context.document, &Document::modelChanged, this, [this] {
        if (isVisible())
            activate();
    });
}

void OrderPage::add(OrderTab* tab, const QString& name)
{
    m_tabs->addTab(tab, name);
    connect(tab, &OrderTab::hovered, this, &OrderPage::hovered);
    connect(tab, &OrderTab::said, this, [this, tab](const QString& result) {
        if (tab == current())
            say(result);
    });
}

OrderTab* OrderPage::current() const
{
    return static_cast<OrderTab*>(m_tabs->currentWidget());
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
