// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace attn::ui {

// The numbers that people read, in texts, figures, charts and fields: with the minus sign U+2212, never a minus zero,
// and with the decimal sign of the language in use. Files of numbers use csvNumber.
QString decimal(double value, int decimals);
// Nothing of NaN, which stands for what is not known.
QString knownDecimal(double value, int decimals);

// Places of numbers of which the largest is so large: two, and more where two would leave nothing of most.
int placesOf(double largest);

// With a plus sign, too, but for zero.
QString signedDecimal(double value, int decimals);

// decimal() without zeros at the end.
QString shortDecimal(double value, int decimals = 3);

// With `digits` significant digits, in the exponent form where that is shorter.
QString significant(double value, int digits);

// A share of a whole: "12 %", below a tenth "3.4 %"; what is small is not said to be nothing: "<0.1 %".
QString percent(double share);

// "7,999" in English, with a space that does not break in French.
QString grouped(qint64 number);

// "0.5, 2", in French "0,5 ; 2".
QString numberList(const QStringList& numbers);

// "3·10⁻⁷", for numbers that are about zero; "0" for zero.
QString orderOfMagnitude(double value);

// A probability with three decimals; what is unlikely is not said to be impossible: "<0.001".
QString probabilityText(double value);
// Likewise, and what is nearly everything is not said to be all of it: ">0.999".
QString weightText(double value);

} // namespace attn::ui
