// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_page.h"

#include <QTabWidget>

namespace attn::ui {

class OrderTab;

// What positions are for and what they look like: words shuffled, an offset as a rotation, and what each scheme makes
// of two positions.
class OrderPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit OrderPage(const LaboratoryContext& context, QWidget* parent = nullptr);

    std::optional<Exportable> exportable() const override;
    void activate() override;

private:
    OrderTab* current() const;
    void add(OrderTab* tab, const QString& name);

    QTabWidget* m_tabs = nullptr;
};

} // namespace attn::ui
