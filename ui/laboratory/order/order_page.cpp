// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/laboratory_page.h"

#include <QTabWidget>

namespace attn::ui {

// Each is defined in its own file of this folder.
LaboratoryPage* makeOrderShuffle(const LaboratoryContext& context);
LaboratoryPage* makeOrderRotation(const LaboratoryContext& context);
LaboratoryPage* makeOrderSchemes(const LaboratoryContext& context);

namespace {

// Use and form of positions: words shuffled, an offset as a rotation, and what each scheme makes
// of two positions.
class OrderPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(OrderPage)

public:
    explicit OrderPage(const LaboratoryContext& context)
        : LaboratoryPage(context,
                         tr("Self-attention alone does not know the order of its words: shuffle them, and the outputs "
                            "are merely shuffled too. Positional encodings put the order in."))
        , m_tabs(new QTabWidget)
    {
        m_tabs->setObjectName(QStringLiteral("orderTabs"));
        m_tabs->setDocumentMode(true);
        add(makeOrderShuffle(context), tr("Shuffle the words"));
        add(makeOrderRotation(context), tr("An offset is a rotation"));
        add(makeOrderSchemes(context), tr("Products of positions"));
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

    std::optional<Exportable> exportable() const override { return current()->exportable(); }
    void activate() override { current()->activate(); }
    bool busy() const override { return current()->busy(); }

private:
    void redraw() override { } // the tabs do
    LaboratoryPage* current() const { return static_cast<LaboratoryPage*>(m_tabs->currentWidget()); }

    void add(LaboratoryPage* tab, const QString& name)
    {
        m_tabs->addTab(tab, name);
        connect(tab, &LaboratoryPage::hovered, this, &OrderPage::hovered);
    }

    QTabWidget* m_tabs = nullptr;
};

} // namespace

LaboratoryPage* makeOrderPage(const LaboratoryContext& context)
{
    return new OrderPage(context);
}

} // namespace attn::ui
