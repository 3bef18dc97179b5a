// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_page.h"

#include <QTabWidget>

namespace attn::ui {

// What positions are for and what they look like: words shuffled, an offset as a rotation, and what each scheme makes
// of two positions.
class OrderPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit OrderPage(const LaboratoryContext& context, QWidget* parent = nullptr);

    std::optional<Exportable> exportable() const override;
    void activate() override;
    bool busy() const override { return current()->busy(); }

private:
    void redraw() override { } // the tabs do
    LaboratoryPage* current() const;
    void add(LaboratoryPage* tab, const QString& name);

    QTabWidget* m_tabs = nullptr;
};

} // namespace attn::ui
