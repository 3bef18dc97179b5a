// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <span>
#include <vector>

namespace attn::ui {

// Where the colour scale of attention weights ends: the least round number that no weight exceeds, 1 for weights
// above a half. Scales start at 0.
double weightScaleEnd(std::span<const float> weights);

// Round values inside [least, most] at which a scale is labelled: about four to six, the least only when the range
// is empty.
std::vector<double> ticks(double least, double most);

// A tick's text; all ticks of a scale have as many decimals as the finest of them needs.
QString tickText(double tick, std::span<const double> all);

} // namespace attn::ui
