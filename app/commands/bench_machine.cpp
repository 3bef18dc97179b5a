// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"
#include "commands/bench_run.h"
#include "nn/engine.h"
#include "nn/linear.h"
#include "tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace attn::app {

namespace {

constexpr int measurements = 9;

template<class Work>
double leastSeconds(const Work& work)
{
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < measurements; ++i) {
        const auto start = BenchClock::now();
        work();
        least = std::min(least, millisecondsSince(start) / 1000);
    }
    return least;
}

} // namespace

double peakFlops(Engine& engine)
{
    constexpr int rows = 512;
    constexpr int inputs = 768;
    constexpr int outputs = 3072;
    constexpr int products = 2;
    const Tensor weight({outputs, inputs}, NumberVector<float>(std::size_t{outputs} * inputs, 0.01F));
    const Tensor input({rows, inputs}, NumberVector<float>(std::size_t{rows} * inputs, 0.5F));
    Tensor output({rows, outputs});
    const Linear layer(engine, weight);
    const double seconds = leastSeconds([&] {
        for (int i = 0; i < products; ++i)
            layer.apply(engine, input.matrix(), output.matrix());
    });
    return 2.0 * rows * inputs * outputs * products / seconds;
}

// Each thread looks through its part for a byte that is not there.
double peakBytes(const Engine& engine)
{
    const int threads = engine.threads();
    constexpr std::size_t smallest = std::size_t{128} << 20U;
    constexpr int held = 2;
    constexpr int wanted = 1;
    const std::size_t cache = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 0L);
    const std::size_t part = std::max(smallest, 4 * cache) / threads;
    const std::vector<char> buffer(part * threads, held);
    std::vector<char> found(threads); // keeps the search from being left out
    const double seconds = leastSeconds([&] {
        std::vector<std::jthread> team;
        for (int i = 0; i < threads; ++i)
            team.emplace_back(
                [&, i] { found[i] = std::memchr(buffer.data() + part * i, wanted, part) != nullptr ? 1 : 0; });
    });
    return static_cast<double>(buffer.size()) / seconds;
}

std::uint64_t peakMemory()
{
    std::ifstream status("/proc/self/status");
    for (std::string name; status >> name;) {
        std::uint64_t kilobytes = 0;
        if (name == "VmHWM:" && status >> kilobytes)
            return kilobytes * 1024;
        status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

double millisecondsBetween(BenchClock::time_point start, BenchClock::time_point end)
{
    return std::chrono::duration<double, std::milli>(end - start).count();
}

double millisecondsSince(BenchClock::time_point start)
{
    return millisecondsBetween(start, BenchClock::now());
}

namespace {

double percentileOfSorted(const std::vector<double>& values, double share)
{
    const double place = share * static_cast<double>(values.size() - 1);
    const auto before = static_cast<std::size_t>(place);
    const std::size_t after = std::min(before + 1, values.size() - 1);
    return std::lerp(values[before], values[after], place - std::floor(place));
}

} // namespace

double percentileOf(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return percentileOfSorted(values, share);
}

Quartiles quartilesOf(std::vector<double> values)
{
    std::ranges::sort(values);
    return {values.front(), percentileOfSorted(values, 0.25), percentileOfSorted(values, 0.5),
            percentileOfSorted(values, 0.75), values.back()};
}

void printFigures(const std::string& what, std::vector<double> milliseconds)
{
    const std::size_t runs = milliseconds.size();
    const Quartiles found = quartilesOf(std::move(milliseconds));
    std::cout << fmt::format("{:<44} median {:8.2f} ms   quartiles {:8.2f} {:8.2f}   ({} runs)\n", escaped(what),
                             found.median, found.lower, found.upper, runs);
}

} // namespace attn::app
