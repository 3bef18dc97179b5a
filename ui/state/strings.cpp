// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/strings.h"

#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"

#include <QCoreApplication>

namespace attn::ui {

QString pieceText(const std::string& piece)
{
    return piece.empty() ? QString() : readableToken(piece);
}

QString stageName(Stage stage, ModelKind kind)
{
    return capitalized(attentionName(stage, kind));
}

QString headTitle(const HeadReading& head)
{
    return capitalized(headName(head));
}

QString mergeWordsText()
{
    return QCoreApplication::translate("attn::ui", "Merge subwords into &words");
}

} // namespace attn::ui
