// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/run_difference.h"
#include "figures/kinds/shown_matrix.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <utility>

namespace attn::ui {

// The spec for the run that another is compared with, alone.
FigureSpec specOfOther(const FigureSpec& spec);

// Names of the two runs of such a spec in its titles: their names, or what differs between them.
std::pair<QString, QString> comparedNames(const FigureSpec& spec, const Trace& trace);
// "A minus B" above what the figure is titled alone; of a spec that compares nothing that alone.
FigureTitle differenceTitle(FigureTitle alone, const FigureSpec& spec, const Trace& trace);

// A cell of a difference in words: "+0.1234 (0.3412 minus 0.2178)", or which of the two runs has it alone.
QString differenceText(const Map& difference, int row, int column);

// One step of two runs: their outputs below each other, aligned, and of the step, or of the token that is looked at, by
// how much its attention and its candidates differ. Without a chosen step the first one where they part. Null for a
// spec that compares nothing, or runs without steps.
std::unique_ptr<const Figure> decodingDifference(const FigureSpec& spec, const Trace& trace, QSizeF size);

} // namespace attn::ui
