// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/provenance.h"

#include <QByteArray>
#include <QImage>

#include <stop_token>
#include <vector>

namespace attn::ui {

// Pictures of one size after each other, each shown for so many milliseconds, again and again: a GIF with the colours
// that are in most of their dots. Throws attn::Error{Resource}.
QByteArray gifOf(const std::vector<QImage>& frames, int milliseconds, const FigureProvenance& provenance,
                 const std::stop_token& stop);

} // namespace attn::ui
