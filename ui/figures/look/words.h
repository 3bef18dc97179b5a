// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include <string>

namespace attn::ui {

// What the core says in English, in the language of the window: attn::Translate.
inline std::string inWords(const char* context, const char* english)
{
    return QCoreApplication::translate(context, english).toStdString();
}

} // namespace attn::ui
