// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/decimal.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

QString withMinus(QString number)
{
    return number.replace(QLatin1Char('-'), QChar(0x2212));
}

QString point()
{
    return QLocale().decimalPoint();
}

QString written(double value, char format, int precision)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value < 0 ? QStringLiteral("\u2212\u221e") : QStringLiteral("\u221e");
    QString text = QString::number(value, format, precision);
    const bool zero =
        std::ranges::none_of(text, [](QChar digit) { return digit >= QLatin1Char('1') && digit <= QLatin1Char('9'); });
    if (zero && text.startsWith(QLatin1Char('-')))
        text.remove(0, 1);
    return withMinus(text.replace(QLatin1Char('.'), point()));
}

QString superscript(int exponent)
{
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += digits.at(digit.digitValue());
    return text;
}

} // namespace

QString decimal(double value, int decimals)
{
    return written(value, 'f', decimals);
}

QString knownDecimal(double value, int decimals)
{
    return std::isnan(value) ? QString() : decimal(value, decimals);
}

QString signedDecimal(double value, int decimals)
{
    const QString text = decimal(value, decimals);
    return value > 0 && text != decimal(0, decimals) ? QLatin1Char('+') + text : text;
}

QString shortDecimal(double value, int decimals)
{
    QString text = decimal(value, decimals);
    if (!text.contains(point()))
        return text;
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(point()))
        text.chop(point().size());
    return text;
}

QString significant(double value, int digits)
{
    return written(value, 'g', digits);
}

QString percent(double share)
{
    if (share > 0 && share < 0.0005)
        return QLatin1Char('<') + decimal(0.1, 1) + QStringLiteral(" %");
    return decimal(share * 100, share > 0 && share < 0.0995 ? 1 : 0) + QStringLiteral(" %");
}

QString grouped(qint64 number)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::DefaultNumberOptions); // that of C writes no groups
    return withMinus(locale.toString(number));
}

int placesOf(double largest)
{
    return !(largest > 0) || largest >= 0.1 ? 2 : largest >= 0.01 ? 3 : 4;
}

QString numberList(const QStringList& numbers)
{
    return numbers.join(point() == QLatin1String(",") ? QStringLiteral(" ; ") : QStringLiteral(", "));
}

QString orderOfMagnitude(double value)
{
    if (value == 0 || !std::isfinite(value))
        return decimal(value, 0);
    const QStringList parts = QString::number(value, 'e', 0).split(QLatin1Char('e'));
    return withMinus(parts.first()) + QStringLiteral("·10") + superscript(parts.last().toInt());
}

QString probabilityText(double value)
{
    if (value > 0 && value < 0.0005)
        return QLatin1Char('<') + decimal(0.001, 3);
    return value <= 0 ? QStringLiteral("0") : decimal(value, 3);
}

QString weightText(double value)
{
    if (value == 1)
        return QStringLiteral("1");
    return value < 1 && value >= 0.9995 ? QLatin1Char('>') + decimal(0.999, 3) : probabilityText(value);
}

} // namespace attn::ui
