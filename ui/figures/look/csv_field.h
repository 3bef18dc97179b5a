// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::ui {

// A text for a cell of a spreadsheet, which would take one that begins like a formula for a formula. Numbers stay
// numbers.
inline QString spreadsheetText(const QString& text)
{
    const bool isFormula = !text.isEmpty() && QStringLiteral("=+-@\t\r\n").contains(text.front());
    bool isNumber = false;
    (void)text.toDouble(&isNumber);
    return isFormula && !isNumber ? QLatin1Char('\'') + text : text;
}

// A text as one field of a line of comma-separated values (RFC 4180).
inline QString csvField(const QString& field)
{
    QString text = spreadsheetText(field);
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

// In full single precision.
inline QString csvNumber(double value)
{
    return QString::number(value, 'g', 9);
}

} // namespace attn::ui
