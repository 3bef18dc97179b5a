// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::ui {

// "7,999", whatever the system's language.
QString grouped(qint64 number);

// "3·10⁻⁷", for numbers that are about zero; "0" for zero.
QString orderOfMagnitude(double value);

} // namespace attn::ui
