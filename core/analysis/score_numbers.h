// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/score_samples.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace attn {

// What is seen of a set of scores: how widely they spread and what their softmax leaves.
struct ScoreNumbers
{
    std::vector<float> scores; // finite ones
    Moments moments;
    double least = 0; // of scores
    double most = 0;
    std::vector<float> largest; // largest weight of each row that has one
    double meanLargest = 0;
    double sensitivity = 0; // meanSensitivity
    double uniform = 0; // what the largest weight is on average when all keys that a row sees get the same
};

ScoreNumbers scoreNumbers(const Numbers& scores);

// Scores times a factor; what is hidden (-inf) stays hidden.
Numbers scaledScores(Numbers scores, double factor);

// A range for histograms of scores, with 0 in it, that leaves out no value of any.
std::pair<double, double> scoreRange(std::span<const ScoreNumbers* const> shown);

} // namespace attn
