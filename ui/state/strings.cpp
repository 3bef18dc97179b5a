// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/strings.h"

#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"

#include <QCoreApplication>

namespace attn::ui {

namespace {

QString translated(const char* source)
{
    return QCoreApplication::translate("attn::ui", source);
}

} // namespace

QString pieceText(const std::string& piece)
{
    return piece.empty() ? QString() : readableToken(piece);
}

QString stageName(Stage stage, ModelKind kind)
{
    return capitalized(attentionName(stage, kind));
}

QString headName(HeadChoice head)
{
    if (const int* one = std::get_if<int>(&head))
        return translated("Head %1").arg(*one);
    return std::get<HeadSummary>(head) == HeadSummary::Mean ? translated("Mean over heads")
                                                            : translated("Maximum over heads");
}

} // namespace attn::ui
