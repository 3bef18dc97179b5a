// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/missing_fonts.h"

#include "figures/look/token_label.h"
#include "figures/look/translated.h"

#include <QStringList>

#include <string>

namespace attn::ui {

namespace {

constexpr qsizetype mostNamed = 4;
constexpr char32_t firstPictograph = 0x1F000;

// Empty: none is known.
QString packageWith(char32_t c)
{
    if (const auto category = QChar::category(c);
        category == QChar::Other_PrivateUse || category == QChar::Other_NotAssigned)
        return {};
    switch (QChar::script(c)) {
    case QChar::Script_Han:
    case QChar::Script_Hiragana:
    case QChar::Script_Katakana:
    case QChar::Script_Bopomofo:
    case QChar::Script_Hangul:
        return QStringLiteral("fonts-noto-cjk");
    default:
        return c >= firstPictograph && QChar::category(c) == QChar::Symbol_Other
            ? QStringLiteral("fonts-noto-color-emoji")
            : QStringLiteral("fonts-noto-core");
    }
}

} // namespace

QString missingFonts(const QString& text)
{
    const std::u32string missing = undrawable(text);
    if (missing.empty())
        return {};
    QStringList named;
    QStringList packages;
    for (const char32_t c : missing) {
        if (named.size() < mostNamed)
            named << readableToken(QString::fromUcs4(&c, 1).toStdString());
        if (const QString package = packageWith(c); !package.isEmpty() && !packages.contains(package))
            packages << package;
    }
    if (static_cast<qsizetype>(missing.size()) > mostNamed)
        named << QStringLiteral("\u2026");
    const QString said = translated("No font on this computer has %1.").arg(named.join(QLatin1Char(' ')));
    return packages.isEmpty()
        ? said
        : said + QLatin1Char(' ') + translated("Packages that help: %1").arg(packages.join(QStringLiteral(", ")));
}

} // namespace attn::ui
