// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include <string>

namespace attn::ui {

// Text of a table of rows, its English marked by QT_TRANSLATE_NOOP("attn::ui", text), in the language of the window.
inline QString translated(const char* text)
{
    return QCoreApplication::translate("attn::ui", text);
}

// Text of the core, which is English, in the language of the window: attn::Translate.
inline std::string inWords(const char* context, const char* english)
{
    return QCoreApplication::translate(context, english).toStdString();
}

} // namespace attn::ui
