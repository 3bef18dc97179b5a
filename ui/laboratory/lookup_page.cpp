// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/lookup_page.h"

namespace attn::ui {

LookupPage::LookupPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context, tr("A lookup that is soft"),
                     tr("A table answers only a query that equals one of its keys. Attention answers every query: each "
                        "value contributes as much as its key fits."),
                     parent)
{
}

std::optional<Exportable> LookupPage::exportable() const
{
    return std::nullopt;
}

void LookupPage::activate() { }

} // namespace attn::ui
