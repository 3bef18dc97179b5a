// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/decimal.h"

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

QString written(double value, char format, int precision)
{
    if (std::isinf(value))
        return value < 0 ? QStringLiteral("\u2212\u221e") : QStringLiteral("\u221e");
    QString text = QString::number(value, format, precision);
    const bool zero =
        std::ranges::none_of(text, [](QChar digit) { return digit >= QLatin1Char('1') && digit <= QLatin1Char('9'); });
    if (zero && text.startsWith(QLatin1Char('-')))
        text.remove(0, 1);
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace

QString decimal(double value, int decimals)
{
    return written(value, 'f', decimals);
}

QString significant(double value, int digits)
{
    return written(value, 'g', digits);
}

QString probabilityText(double value)
{
    if (value > 0 && value < 0.0005)
        return QStringLiteral("<0.001");
    return value > 0 ? decimal(value, 3) : QStringLiteral("0");
}

} // namespace attn::ui
