// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/scaling_page.h"

namespace attn::ui {

ScalingPage::ScalingPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context, tr("Why scale by the square root of d"),
                     tr("The dot product of two random vectors of width d has a standard deviation of √d. Unscaled, "
                        "the softmax saturates: one key takes everything and almost no gradient is left."),
                     parent)
{
}

std::optional<Exportable> ScalingPage::exportable() const
{
    return std::nullopt;
}

void ScalingPage::activate() { }

} // namespace attn::ui
