// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::ui {

// English of a French word that the bundled translators write for the program's own sentences; empty: it has none, or
// whoever reads it in French needs none.
QString glossOf(const QString& word);

} // namespace attn::ui
