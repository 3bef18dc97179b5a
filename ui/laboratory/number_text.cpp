// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/number_text.h"

#include <QLocale>
#include <QStringList>

#include <cmath>

namespace attn::ui {

namespace {

QString superscript(int exponent)
{
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += digits.at(digit.digitValue());
    return text;
}

} // namespace

QString grouped(qint64 number)
{
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(number);
}

QString orderOfMagnitude(double value)
{
    if (value == 0 || !std::isfinite(value))
        return QString::number(value);
    const QStringList parts = QString::number(value, 'e', 0).split(QLatin1Char('e'));
    return QString(parts.first()).replace(QLatin1Char('-'), QChar(0x2212)) + QStringLiteral("·10")
        + superscript(parts.last().toInt());
}

} // namespace attn::ui
