// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/formula.h"
#include "trace/position_scheme.h"

#include <QString>

#include <string_view>
#include <vector>

// The formulas of attention, put together once, with the letters of the papers: q, k and v, scores e, weights a,
// context c, states h of an encoder and s of a decoder. Places are written as indices: j of the key, i of the query.
namespace attn::ui::formulas {

Formula query();
Formula key(const QString& place = {});
Formula value(const QString& place = {});
Formula width(); // d
Formula projectedQuery(const QString& weight); // "W q"
Formula scoredAnnotations(const QString& place = {}); // "U h + b", what additive attention calls a key
Formula featureProducts(); // q_i k_i

// --- what a query and a key are made of ---
Formula queryOfInput(); // q = W_Q x
Formula queryOfSummary(); // q = [x_t; h~_(t - 1)]
Formula queryOfLatent(); // q = W_Q z
Formula keyOfInput(); // k_j = W_K x_j
Formula keyOfLatent(); // k_j = [W_K z_j; r_j]
Formula keyOfAnnotation(); // k_j = W h_j

// --- scores ---
Formula product(const QString& place = {}); // q · k
Formula productByFeatures(); // q · k = the sum of q_i k_i
Formula overRoot(Formula product, Formula width);
Formula times(const QString& factor, Formula product);
Formula generalProduct(); // q^T W k
Formula lowRankProduct(); // (U q) · (W k)
// Parts of additive attention: the query and the key as they are added up, and whether the model has a query of its own
// in v.
struct Additive
{
    Formula key;
    bool learnedQuery = false;
};
Formula scoreVector(bool learnedQuery); // v
Formula tanhLayer(const Additive& terms); // tanh(W q + U k)
Formula additiveScore(const Additive& terms); // v · tanh(W q + U k)
Formula scores(Formula made); // e_j = made
Formula biased(Formula product); // with b(j - i) for the distance
Formula discounted(); // e_j - log of the sum of exp(e_sj)
Formula capped(const QString& cap); // e_j = cap tanh(e_j / cap)
Formula hiddenScore(); // e_j = -∞

// --- windows of local attention: p is their middle, D how far they reach to either side ---
Formula predictedMiddle();
Formula monotonicMiddle();
Formula outsideWindow(); // |j - round(p)| > D
Formula gaussian();

// --- weights and what they give ---
Formula softmax();
Formula softmaxWithSink(); // exp(s) is in the denominator, too
Formula weightOne(); // a_j = 1
Formula weightedSum();
// Vectors one after the other: of the context, the state, and what was read of the decoder's own words.
Formula joined(bool readsItself);
Formula attentionalState(bool readsItself);
Formula headsJoined();
Formula headsProjected();

// --- positions: p and r are two of them, PE what is added at one, R a rotation by one ---
Formula positionProduct(); // PE(p) · PE(r)
Formula sinusoidProduct();
Formula offsetMatrix(); // PE(p + k) = M_k PE(p)
Formula rotatedQuery(); // R_i q
Formula rotatedKey(const QString& place); // R_j k
Formula rotaryProduct();
Formula bucketBias();
Formula linearBias();
Formula sinusoids(); // PE(p) = (sin ω_i p, cos ω_i p), ω_i = 10000^(-2i/d)
Formula ofScheme(PositionScheme scheme); // how a model does it; empty where nothing is computed

// --- a soft lookup with names instead of letters, which are the caller's ---
struct LookupWords
{
    QString weights;
    QString query;
    QString key;
    QString result;
    QString weight;
    QString value;
};
Formula lookup(const LookupWords& said, const QString& sharpness);

// The one that a page of the help calls so; empty where there is none.
Formula named(std::string_view name);
// All of them, for whoever has to look at each.
std::vector<Formula> all();

} // namespace attn::ui::formulas
