// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/length_page.h"

namespace attn::ui {

LengthPage::LengthPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(
        context, tr("The curse of sentence length"),
        tr("A model without attention must put a whole sentence into one vector, and the longer the sentence, the more "
           "is lost. With attention the decoder looks back at every word, and quality hardly depends on length."),
        parent)
{
}

std::optional<Exportable> LengthPage::exportable() const
{
    return std::nullopt;
}

void LengthPage::activate() { }

} // namespace attn::ui
