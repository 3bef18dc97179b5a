// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/exportable.h"
#include "figures/parts/panel_figure.h"
#include "models/model_info.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace attn::ui {

// What a model made of the sentence.
struct ComparedRun
{
    QString name;
    std::optional<Trace> trace; // none: it could not be run, or not yet
    std::optional<Site> site; // which attention is shown; none: the model has none
    QString problem; // why it could not be run
    bool waiting = false; // it will be
};

// A run's attention on the common words.
struct ComparedMap
{
    QString name;
    QString shown; // "encoder-decoder attention, layer 4, mean of 8 heads"
    QStringList words; // of the rows
    AttentionMatrix map; // [words, columns]
    QString output; // empty for models that only read
    bool writes = false; // the rows are words of the output
    double logProbability = 0; // of the output, natural logarithm
    int tokens = 0; // of the output, the end included
    QString empty; // said in the place of the map
};

// Several models on one sentence: their maps have the same columns.
struct Comparison
{
    QStringList columns;
    std::vector<ComparedMap> maps;
};

Comparison comparisonOf(const std::vector<ComparedRun>& runs);

// Words that two outputs have in common, and one map less the other on them.
struct ComparedDifference
{
    QStringList words;
    AttentionMatrix map;
    double variation = 0; // mean total variation of the rows: 0 equal, 1 nothing in common
};

ComparedDifference differenceOf(const Comparison& comparison, int first, int second);

// Pixels of height in which every row can have its name.
int leastHeight(const Comparison& comparison, int width);
// The maps beside each other on one colour scale, with outputs and log probabilities beneath; models without a map as
// rows of text above.
std::unique_ptr<const PanelFigure> layOutComparison(const Comparison& comparison, const FigureSpec& look, QSizeF size);
std::unique_ptr<const Figure> layOutDifference(const Comparison& comparison, int first, int second,
                                               const FigureSpec& look, QSizeF size);

// "model,output word,source word,weight", a line for every cell of every map.
QByteArray comparisonCsv(const Comparison& comparison);
QByteArray differenceCsv(const Comparison& comparison, int first, int second);

} // namespace attn::ui
