// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/language.h"

#include <QGuiApplication>
#include <QtGlobal>

namespace attn::app {

// Application of a command that draws, as long as it does: fonts need a QGuiApplication, but no display. What Qt
// remarks about the system is no message of this program. Words and numbers are in the language, whatever the system's.
class DrawingApplication final
{
public:
    explicit DrawingApplication(ui::Language language = {})
        : m_application(argumentCount(), m_arguments)
        , m_language(language)
    {
    }

private:
    int& argumentCount()
    {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
        return m_count;
    }

    int m_count = 1;
    char m_name[10] = "attnscope";
    char* m_arguments[2] = {m_name, nullptr};
    QGuiApplication m_application;
    ui::LanguageInUse m_language;
};

} // namespace attn::app
