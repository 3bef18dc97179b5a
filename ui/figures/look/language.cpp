// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/language.h"

#include "figures/look/rows.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QString>
#include <QTranslator>

#include <span>

// Static libraries drop resources that nobody names; the macro needs the global namespace.
static void keepTranslations()
{
    Q_INIT_RESOURCE(translations);
}

namespace attn::ui {

namespace {

// A text is translated by what it says, whatever class says it: .ci/translations puts all into one context.
class Words final : public QTranslator
{
public:
    QString translate(const char* /*context*/, const char* text, const char* comment, int count) const override
    {
        return QTranslator::translate("attnscope", text, comment, count);
    }
};

QLocale localeOf(Language language)
{
    return QLocale(QLatin1String(languageRows[static_cast<int>(language)].id));
}

} // namespace

Language systemLanguage()
{
    for (const QString& wanted : QLocale::system().uiLanguages()) {
        const QString name = wanted.section(QLatin1Char('-'), 0, 0);
        for (const LanguageRow& row : languageRows) {
            if (name == QLatin1String(row.id))
                return static_cast<Language>(&row - languageRows);
        }
    }
    return {};
}

Language languageOf(LanguageMode mode)
{
    return mode == LanguageMode{} ? systemLanguage() : static_cast<Language>(static_cast<int>(mode) - 1);
}

Language languageInUse()
{
    for (const LanguageRow& row : languageRows) {
        const auto language = static_cast<Language>(&row - languageRows);
        if (localeOf(language).language() == QLocale().language())
            return language;
    }
    return {};
}

Language languageNamed(std::string_view id)
{
    return static_cast<Language>(rowNamed(std::span<const LanguageRow>(languageRows), id, "--language"));
}

LanguageInUse::LanguageInUse(Language language)
    : m_words(std::make_unique<Words>())
    , m_ofQt(std::make_unique<QTranslator>())
{
    keepTranslations();
    const QLocale locale = localeOf(language);
    QLocale::setDefault(locale);
    const QString name = QLatin1String(languageRows[static_cast<int>(language)].id);
    if (m_words->load(QStringLiteral(":/translations/attnscope_") + name))
        QCoreApplication::installTranslator(m_words.get());
    // Asked first: what Qt says, it says best itself.
    if (m_ofQt->load(QStringLiteral("qtbase_") + name, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(m_ofQt.get());
}

LanguageInUse::~LanguageInUse()
{
    QLocale::setDefault(m_before);
}

} // namespace attn::ui
