// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order_page.h"

namespace attn::ui {

OrderPage::OrderPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context, tr("Order"),
                     tr("Self-attention alone does not know the order of its words: shuffle them, and the outputs are "
                        "merely shuffled too. Positional encodings put the order in."),
                     parent)
{
}

std::optional<Exportable> OrderPage::exportable() const
{
    return std::nullopt;
}

void OrderPage::activate() { }

} // namespace attn::ui
