// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/compare_page.h"

namespace attn::ui {

ComparePage::ComparePage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context, tr("Compare models"),
                     tr("One sentence through two to four models. All of them read the same words, in columns, and are "
                        "coloured on one scale; the rows are what each of them writes."),
                     parent)
{
}

std::optional<Exportable> ComparePage::exportable() const
{
    return std::nullopt;
}

void ComparePage::activate() { }

} // namespace attn::ui
