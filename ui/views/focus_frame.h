// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QPalette;
class QRectF;

namespace attn::ui {

// Along the edge of what paints itself: it has the keyboard.
void paintFocus(QPainter& painter, const QPalette& palette, const QRectF& area);

} // namespace attn::ui
