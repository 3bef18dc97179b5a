// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace attn::app {

using BenchClock = std::chrono::steady_clock;

double millisecondsBetween(BenchClock::time_point start, BenchClock::time_point end);
double millisecondsSince(BenchClock::time_point start);

// Summary of repeated timings; between two values, in proportion.
struct Quartiles
{
    double least = 0;
    double lower = 0;
    double median = 0;
    double upper = 0;
    double most = 0;
};

// Percentile of at least one value. share: 0.99 for the 99th percentile.
double percentileOf(std::vector<double> values, double share);
Quartiles quartilesOf(std::vector<double> values);

// One line on standard output: the median and the quartiles of milliseconds.
void printFigures(const std::string& what, std::vector<double> milliseconds);

} // namespace attn::app
