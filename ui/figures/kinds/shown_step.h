// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/charts/bar_list_figure.h"
#include "figures/figure_spec.h"

#include <optional>
#include <vector>

namespace attn::ui {

// The step that is shown unless another one is chosen: of a text that was read its first mask, else its first token
// that is not special, of a picture the class token, of a text that was continued its newest word, of an output the
// step where the model was least sure: the last one is only its end. None: there is no step yet.
std::optional<int> stepWorthSeeing(const Trace& trace, std::optional<StepId> leaf);
// The first step of a text that was continued that is no step of the prompt; of all others 0.
int firstWrittenStep(const Trace& trace, std::optional<StepId> leaf);
// The chosen one, or the last where there are fewer; else the one worth seeing.
std::optional<int> shownStep(const FigureSpec& spec, const Trace& trace);

// Whose row is marked: the chosen one, or where it is to be marked anyway the one worth seeing.
std::optional<int> markedStep(const FigureSpec& spec, const Trace& trace);

// The spec with the attention by which steps look at what was read, by words and with special tokens: the one that is
// picked, or else the last one over the source, of its heads the mean.
FigureSpec stepAttention(FigureSpec spec, const Trace& trace);

// With their probabilities, the most probable first: the classes of a text that was classified, the texts that a
// picture was compared with, the labels of a token, the answers that were found in a text, what a masked-token head
// expects in a token's place, or the next tokens of a decoding step. What was taken, or stands there, is among them
// also when it is none of the most probable ones. Empty: none were stored.
std::vector<BarListContent::Entry> candidatesAt(const Trace& trace, std::optional<StepId> leaf,
                                                std::optional<int> step);
// Heading of the numbers that a task head predicts; empty: the run has no such predictions.
QString predictionTitle(const Trace& trace);
// The sentence for models without a head, without its full stop.
QString attentionOnly();
// Whether there are none because a logit is no number.
bool areLogitsLost(const Trace& trace, std::optional<StepId> leaf, std::optional<int> step);
// Where the scale of their bars ends.
double scaleEnd(const std::vector<BarListContent::Entry>& candidates);

} // namespace attn::ui
