// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::ui {

// Which characters of a text no font on this computer has, and which of Debian's packages have them. Empty: all can
// be drawn.
QString missingFonts(const QString& text);

} // namespace attn::ui
