// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QLocale>
#include <QString>
#include <QtGlobal>

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

class QTranslator;

namespace attn::ui {

// Language that windows and figures are worded in, and how they write numbers: a row of languageRows; {} is the first.
enum class Language : std::uint8_t {};
struct LanguageRow
{
    const char* id; // on the command line, in settings, of attnscope_ID.ts and of the help's folder
    const char* title; // in a menu: as the language calls itself
};
inline constexpr LanguageRow languageRows[] = {{"en", "&English"}, {"fr", "&Français"}};

// Language of the whole program: the system's, which is 0, or one of the languages.
enum class LanguageMode : std::uint8_t {};
constexpr auto languagesAndSystem()
{
    std::array<LanguageRow, 1 + std::size(languageRows)> rows{};
    rows[0] = {"system", QT_TRANSLATE_NOOP("attn::ui", "Like the &system")};
    for (std::size_t i = 1; i < rows.size(); ++i)
        rows[i] = languageRows[i - 1];
    return rows;
}
inline constexpr auto languageModeRows = languagesAndSystem();

// The first language that the system prefers and that there is; English where there is none.
Language systemLanguage();
Language languageOf(LanguageMode mode);
Language languageInUse();
// Throws attn::Error{Input} that lists the ids.
Language languageNamed(std::string_view id);

// Words and numbers of windows and figures are in this language as long as this lives, but not beyond the application.
class LanguageInUse final
{
public:
    explicit LanguageInUse(Language language);
    ~LanguageInUse();
    LanguageInUse(const LanguageInUse&) = delete;
    LanguageInUse& operator=(const LanguageInUse&) = delete;
    LanguageInUse(LanguageInUse&&) = delete;
    LanguageInUse& operator=(LanguageInUse&&) = delete;

private:
    QLocale m_before;
    std::unique_ptr<QTranslator> m_words;
    std::unique_ptr<QTranslator> m_ofQt; // its dialogs
};

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
