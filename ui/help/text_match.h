// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace attn::ui {

// Lower case, without accents: as what is typed and what is searched are compared.
QString folded(const QString& text);
// Its words, folded: letters and digits.
QStringList foldedWords(const QString& text);

// How well what was typed names something, 0 the best: the beginning of the title, the beginnings of its words in their
// order, their initials ("nt" is Next token), beginnings of words of the title or of where it is, a part of the title,
// its letters in their order. None: it does not.
std::optional<int> matchRank(const QString& typed, const QString& title, const QString& where);

} // namespace attn::ui
