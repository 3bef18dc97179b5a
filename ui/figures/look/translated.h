// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace attn::ui {

// What a table of rows says, its English marked by QT_TRANSLATE_NOOP("attn::ui", text), in the language of the window.
inline QString translated(const char* text)
{
    return QCoreApplication::translate("attn::ui", text);
}

} // namespace attn::ui
