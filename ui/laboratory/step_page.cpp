// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/step_page.h"

namespace attn::ui {

StepPage::StepPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context, tr("Inside one step"),
                     tr("Where one attention weight comes from: every stage of the computation with its real numbers, "
                        "from the query to the output of the layer."),
                     parent)
{
}

std::optional<Exportable> StepPage::exportable() const
{
    return std::nullopt;
}

void StepPage::activate() { }

} // namespace attn::ui
