// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_page.h"

#include <QTabWidget>

namespace attn::ui {

// A page whose parts are pages of their own, of which one is in front. Only that one works.
class TabbedPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    TabbedPage(const LaboratoryContext& context, const char* tabsName, const QString& about);

    void add(LaboratoryPage* tab, const QString& name); // which is taken

    std::optional<Exportable> exportable() const override;
    void activate() override;
    bool busy() const override;

private:
    void redraw() override { } // the tabs do
    LaboratoryPage* current() const { return static_cast<LaboratoryPage*>(m_tabs->currentWidget()); }

    QTabWidget* m_tabs = nullptr;
};

} // namespace attn::ui
