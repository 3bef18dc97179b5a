// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QTextBrowser>

#include <optional>

namespace attn::ui {

// A page of the help. An image whose address is "formula:" and a name of formulas::named() is that formula, set in the
// page's letters and colours; one that is a file is an SVG picture; no other is loaded.
class HelpText final : public QTextBrowser
{
    Q_OBJECT

public:
    using QTextBrowser::QTextBrowser;

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

// Lower case, without accents: as what is typed and what is searched are compared.
QString folded(const QString& text);
// Its words, folded: letters and digits.
QStringList foldedWords(const QString& text);

// Fit of what was typed to the name of something, 0 the best: the beginning of the title, the beginnings of its words
// in their order, their initials ("nt" is Next token), beginnings of words of the title or of where it is, a part of
// the title, its letters in their order. None: it does not.
std::optional<int> matchRank(const QString& typed, const QString& title, const QString& where);

} // namespace attn::ui
