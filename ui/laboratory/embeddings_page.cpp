// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/embeddings_page.h"

namespace attn::ui {

EmbeddingsPage::EmbeddingsPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context, tr("Embeddings"),
                     tr("Tokens with similar meaning point in similar directions. The neighbours of a token by cosine, "
                        "and the tokens of the sentence seen in the plane in which they vary most, layer by layer."),
                     parent)
{
}

std::optional<Exportable> EmbeddingsPage::exportable() const
{
    return std::nullopt;
}

void EmbeddingsPage::activate() { }

} // namespace attn::ui
