// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/order_experiment.h"
#include "figures/export/exportable.h"
#include "figures/parts/matrix_figure.h"

#include <array>
#include <cstdint>

namespace attn::ui {

enum class OrderPicture : std::uint8_t { Weights, Outputs };

// Original, shuffled and put back, and what is left between them per word.
std::array<MatrixContent, 3> orderContents(const OrderResult& result, bool positions, OrderPicture picture);
FigureLayout orderFigure(const FigureSpec& spec, const std::array<MatrixContent, 3>& contents);

} // namespace attn::ui
