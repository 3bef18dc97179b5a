// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::ui {

// A number as it is read in texts and figures: with the minus sign U+2212, and never a minus zero. Files of numbers
// use csvNumber.
QString decimal(double value, int decimals);

// The same with `digits` significant digits, in the exponent form where that is shorter.
QString significant(double value, int digits);

// A probability with three decimals; what is unlikely is not said to be impossible: "<0.001".
QString probabilityText(double value);

} // namespace attn::ui
