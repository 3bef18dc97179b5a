// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/words.h"
#include "figures/figure_spec.h"
#include "figures/style.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace attn::ui {

// The matrix that a spec asks of a trace, with its axes, after merging. Heatmap, arcs and the CSV export share it.
struct ShownMatrix
{
    AttentionMatrix matrix; // empty: `missing` says why
    std::vector<AxisGroup> rowGroups;
    std::vector<AxisGroup> columnGroups;
    QStringList rowLabels; // readable, never blank
    QStringList columnLabels;
    QString missing;
};

// Never throws for what the trace lacks: another site, head or hypothesis.
ShownMatrix shownMatrix(const FigureSpec& spec, const Trace& trace);

// Why the trace has nothing for the site: "No attention yet", or that the model has none.
QString missingAttention(Site site, const Trace& trace);

// The group that holds a token; -1 when none does.
int groupOf(const std::vector<AxisGroup>& groups, int token);

// Whether a key lies after its query, where decoder self-attention cannot look.
bool isFuture(const ShownMatrix& shown, int row, int column);

QString siteName(Site site); // "encoder-decoder attention, layer 2"
QString headName(const HeadChoice& head, int heads); // "head 3 of 8", "mean of 8 heads"

// spec.title wins; otherwise the kind of attention, and below it model, layer, head and decoding.
FigureTitle figureTitle(const FigureSpec& spec, const Trace& trace);

} // namespace attn::ui
