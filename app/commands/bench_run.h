// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inference/answer.h"
#include "nn/engine.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace attn::app {

// One run: milliseconds, and what its products cost.
struct TimedRun
{
    double whole = 0;
    double input = 0; // the encoder, or the prompt; of an encoder-only model all of it
    std::vector<double> steps;
    ProductWork ofInput;
    ProductWork ofStep; // the last
};

TimedRun timedRun(const Question& question, const LoadedModel& loaded, Engine& engine, const std::stop_token& stop);

// The model, whose output ends with no token, so that as many are decoded as were asked for.
std::shared_ptr<const SequenceModel> endless(std::shared_ptr<const SequenceModel> model);

// The same ids each time, anywhere in the vocabulary.
std::vector<TokenId> someTokens(int count, int vocabulary);

// Capture that --capture NAME stands for; one of benchCaptures().
Capture captureNamed(const std::string& name);

// Options that the benchmarks of a model share.
struct BenchOptions
{
    Question& question;
    std::string& capture;
    int& runs;
    int& threads;
    WeightStorage& weights;
    bool& json;
};
// Must stay where it is while the command line is parsed.
void addBenchOptions(CLI::App& command, const BenchOptions& options);

// Throws Error{File} with the names of the shapes.
void requireModelOrShape(const std::string& name);

// Each adds a benchmark in files of its own to `bench`.
void addBenchModel(CLI::App& bench);
void addBenchGrowth(CLI::App& bench);
#ifdef ATTN_WITH_UI
void addBenchWindow(CLI::App& bench);
#endif

// Values of `bench model --capture`.
std::vector<std::string> benchCaptures();

// Most that this machine does in a second, the best of several times, with as many threads as the
// engine has: operations of the program's own linear layer of 512 rows, 768 inputs and 3072 outputs.
double peakFlops(Engine& engine);
// And bytes read from memory.
double peakBytes(const Engine& engine);

// The most memory that this process has had, in bytes (VmHWM); 0: the system does not say.
std::uint64_t peakMemory();

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
