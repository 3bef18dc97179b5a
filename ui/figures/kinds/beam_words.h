// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/beam_tree.h"
#include "figures/figure.h"

#include <QByteArray>
#include <QFontMetricsF>
#include <QString>
#include <QStringList>

namespace attn::ui {

// Fate of the hypothesis that ends in a node, in a few words: "fell out at step 5", "rank 3 of 4"; empty where
// it goes on.
QString shortFate(const BeamTree& tree, int node);
// The same as a sentence.
QString fateText(const BeamTree& tree, int node);

// A text shortened to a width: of each other text the first word that tells it from this one, then its first word, all
// others that differ, and of what they share as much from the beginning as there is room for; dots stand for the rest.
QString apart(const QString& text, const QStringList& others, const QFontMetricsF& metrics, double width);

// Whether tokens say which of them begin a word.
bool marksWords(const BeamTree& tree);
// Tokens that follow each other; as a text where marks say which of them begin a word.
QString joinedTokens(const QStringList& tokens, bool marked);

// A token with its numbers and its fate, for people who point at it.
QString nodeText(const BeamTree& tree, int node);

// A final hypothesis' score, and how it comes about: "−0.313 = −2.504 / 8".
QString scoreText(const BeamTree& tree, int place);

// All tokens as comma-separated values (RFC 4180), a line each. Throws attn::Error{Input} when there are none.
QByteArray beamCsv(const FigureSpec& spec, const Trace& trace);

} // namespace attn::ui
