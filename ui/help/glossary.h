// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <span>

namespace attn::ui {

// A word of the field.
struct Term
{
    const char* name; // for translated()
    const char* meaning; // in one line, for the same
    const char* paper; // authors, year, title: where it comes from, or is explained best
};

// In the order of their English names.
std::span<const Term> glossary();

// English of a French word that the bundled translators write for the program's own sentences; empty: it has none, or
// whoever reads it in French needs none.
QString glossOf(const QString& word);

} // namespace attn::ui
