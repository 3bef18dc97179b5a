// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/run_difference.h"

#include "base/index.h"
#include "base/progress.h"
#include "trace/site.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string_view>

namespace attn {

namespace {

using Words = std::vector<int>; // equal ones have the same number

// Middle of two texts, without what both begin and end with.
struct Middle
{
    Index begin = 0;
    Index endHere = 0;
    Index endThere = 0;

    Index rows() const { return endHere - begin; }
    Index columns() const { return endThere - begin; }
    // A table of all pairs is too large: they are taken as they come.
    bool tooLong() const
    {
        constexpr std::int64_t mostPairs = 4'000'000;
        return std::int64_t{rows()} * columns() > mostPairs;
    }
};

class WordNumbers
{
public:
    Words of(std::span<const std::string> words)
    {
        Words numbers;
        numbers.reserve(words.size());
        for (const std::string& word : words)
            numbers.push_back(m_known.emplace(word, indexSize(m_known)).first->second);
        return numbers;
    }

private:
    std::map<std::string_view, int> m_known;
};

Middle middleOf(const Words& here, const Words& there)
{
    Middle middle{0, indexSize(here), indexSize(there)};
    while (middle.rows() > 0 && middle.columns() > 0 && here[middle.begin] == there[middle.begin])
        ++middle.begin;
    while (middle.rows() > 0 && middle.columns() > 0 && here[middle.endHere - 1] == there[middle.endThere - 1]) {
        --middle.endHere;
        --middle.endThere;
    }
    return middle;
}

// The cost of every pair of rests of the middle parts, from the end: `cost` says what a pair or a lone place adds.
class RestTable
{
public:
    explicit RestTable(const Middle& middle)
        : m_columns(middle.columns() + 1)
        , m_values(static_cast<std::size_t>(middle.rows() + 1) * static_cast<std::size_t>(m_columns))
    {
    }

    int& at(Index row, Index column) { return m_values[std::ptrdiff_t{row} * m_columns + column]; }

private:
    Index m_columns;
    std::vector<int> m_values;
};

constexpr int never = std::numeric_limits<int>::max() / 4; // costs more than every way

// The cheapest way through the middle parts; a lone place costs 1, a pair of different words `replacement`.
void walkMiddle(const Words& here, const Words& there, const Middle& middle, int replacement, PairedPlaces& places)
{
    const Index rows = middle.rows();
    const Index columns = middle.columns();
    RestTable costs(middle);
    const auto pairCost = [&](Index row, Index column) {
        return here[middle.begin + row] == there[middle.begin + column] ? 0 : replacement;
    };
    for (Index row = rows; row >= 0; --row) {
        for (Index column = columns; column >= 0; --column) {
            int least = row == rows && column == columns ? 0 : never;
            if (row < rows)
                least = std::min(least, costs.at(row + 1, column) + 1);
            if (column < columns)
                least = std::min(least, costs.at(row, column + 1) + 1);
            if (row < rows && column < columns)
                least = std::min(least, costs.at(row + 1, column + 1) + pairCost(row, column));
            costs.at(row, column) = least;
        }
    }
    for (Index row = 0, column = 0; row < rows || column < columns;) {
        const int rest = costs.at(row, column);
        const PairedPlace next{middle.begin + row, middle.begin + column};
        if (row < rows && column < columns && rest == costs.at(row + 1, column + 1) + pairCost(row, column)) {
            places.push_back(next);
            ++row;
            ++column;
        } else if (row < rows && rest == costs.at(row + 1, column) + 1) {
            places.push_back({next.here, {}});
            ++row;
        } else {
            places.push_back({{}, next.there});
            ++column;
        }
    }
}

// Pairs places in their order, until one side has no more.
void pairUp(Index begin, Index endHere, Index endThere, PairedPlaces& places)
{
    for (Index at = begin; at < std::max(endHere, endThere); ++at)
        places.push_back({at < endHere ? std::optional(at) : std::nullopt, //
                          at < endThere ? std::optional(at) : std::nullopt});
}

void leaveAlone(const Middle& middle, PairedPlaces& places)
{
    for (Index at = middle.begin; at < middle.endHere; ++at)
        places.push_back({at, {}});
    for (Index at = middle.begin; at < middle.endThere; ++at)
        places.push_back({{}, at});
}

PairedPlaces aligned(std::span<const std::string> here, std::span<const std::string> there, int replacement)
{
    WordNumbers numbers;
    const Words hereWords = numbers.of(here);
    const Words thereWords = numbers.of(there);
    const Middle middle = middleOf(hereWords, thereWords);
    PairedPlaces places;
    pairUp(0, middle.begin, middle.begin, places);
    if (!middle.tooLong())
        walkMiddle(hereWords, thereWords, middle, replacement, places);
    else if (replacement == never)
        leaveAlone(middle, places);
    else
        pairUp(middle.begin, middle.endHere, middle.endThere, places);
    for (Index at = 0; at < indexSize(here) - middle.endHere; ++at)
        places.push_back({middle.endHere + at, middle.endThere + at});
    return places;
}

PairedPlaces sameBeginning(std::span<const std::string> here, std::span<const std::string> there)
{
    const auto parted = std::mismatch(here.begin(), here.end(), there.begin(), there.end());
    const Middle rest{static_cast<Index>(parted.first - here.begin()), indexSize(here), indexSize(there)};
    PairedPlaces places;
    pairUp(0, rest.begin, rest.begin, places);
    leaveAlone(rest, places);
    return places;
}

} // namespace

PairedPlaces pairPlaces(std::span<const std::string> here, std::span<const std::string> there, Pairing pairing)
{
    PairedPlaces places;
    switch (pairing) {
    case Pairing::Position:
        pairUp(0, indexSize(here), indexSize(there), places);
        return places;
    case Pairing::Beginning:
        return sameBeginning(here, there);
    case Pairing::Automatic:
        return alignOutputs(here, there);
    case Pairing::Words:
        break;
    }
    return aligned(here, there, never);
}

PairedPlaces alignOutputs(std::span<const std::string> here, std::span<const std::string> there)
{
    return aligned(here, there, 1);
}

Numbers matrixDifference(const Numbers& here, const Numbers& there, std::span<const PairedPlace> rows,
                         std::span<const PairedPlace> columns)
{
    Numbers result{indexSize(rows), indexSize(columns), {}};
    result.values.reserve(rows.size() * columns.size());
    for (const PairedPlace& row : rows) {
        for (const PairedPlace& column : columns) {
            const float value = row.isPaired() && column.isPaired()
                ? here.at(*row.here, *column.here) - there.at(*row.there, *column.there)
                : std::numeric_limits<float>::quiet_NaN();
            result.values.push_back(std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN());
        }
    }
    return result;
}

double meanVariation(const Numbers& difference, std::span<const PairedPlace> rows, std::span<const PairedPlace> columns)
{
    const bool hasColumns = std::ranges::any_of(columns, &PairedPlace::isPaired);
    double sum = 0;
    int paired = 0;
    for (Index row = 0; row < difference.rows && hasColumns; ++row) {
        if (!rows[row].isPaired())
            continue;
        ++paired;
        for (Index column = 0; column < difference.columns; ++column)
            sum += columns[column].isPaired() ? std::abs(double{difference.at(row, column)}) : 0;
    }
    return paired > 0 ? sum / 2 / paired : 0;
}

std::vector<ProbabilityChange> probabilityChanges(std::span<const NamedProbability> here,
                                                  std::span<const NamedProbability> there)
{
    std::vector<ProbabilityChange> changes;
    std::map<std::string_view, std::deque<std::size_t>> unpaired; // several may be called the same
    for (const NamedProbability& one : here) {
        unpaired[one.name].push_back(changes.size());
        changes.push_back({one.name, one.probability, {}, one.taken, false});
    }
    for (const NamedProbability& one : there) {
        std::deque<std::size_t>& known = unpaired[one.name];
        if (known.empty()) {
            changes.push_back({one.name, {}, one.probability, false, one.taken});
            continue;
        }
        changes[known.front()].there = one.probability;
        changes[known.front()].takenThere = one.taken;
        known.pop_front();
    }
    const auto size = [](const ProbabilityChange& change) {
        const double rise = std::abs(change.rise());
        return std::isfinite(rise) ? rise : -1.0;
    };
    std::ranges::stable_sort(changes, std::ranges::greater(), size);
    return changes;
}

namespace {

// Weights that are no numbers in both are equal; in one of them they differ as far as weights can.
double weightDifference(float a, float b)
{
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return 0;
    const double difference = std::abs(double{a} - b);
    return std::isfinite(difference) ? difference : 1;
}

HeadDifference headDifference(Site site, int head, const Numbers& a, const Numbers& b)
{
    HeadDifference result{site, head};
    for (Index row = 0; row < a.rows; ++row) {
        const auto here = a.view().row(row);
        const auto there = b.view().row(row);
        double sum = 0;
        for (Index column = 0; column < a.columns; ++column) {
            const double difference = weightDifference(here[column], there[column]);
            result.largest = std::max(result.largest, difference);
            sum += difference;
        }
        result.rows.push_back(sum / 2);
    }
    return result;
}

void compareTokens(const char* side, const Encoding& a, const Encoding& b, std::vector<std::string>& structure)
{
    if (a.size() != b.size()) {
        structure.push_back(fmt::format("{} tokens: {} and {}", side, a.size(), b.size()));
        return;
    }
    const auto [one, other] = std::ranges::mismatch(a.tokens, b.tokens);
    if (one != a.tokens.end())
        structure.push_back(
            fmt::format("{} token {}: {} and {}", side, std::distance(a.tokens.begin(), one), *one, *other));
}

Encoding read(const Trace& trace)
{
    return trace.kind() == ModelKind::DecoderOnly ? trace.sequence() : trace.source();
}

} // namespace

TraceDifference differenceOf(const Trace& a, const Trace& b)
{
    TraceDifference result;
    compareTokens("source", read(a), read(b), result.structure);
    if (a.kind() == ModelKind::EncoderDecoder && b.kind() == ModelKind::EncoderDecoder)
        compareTokens("target", a.target(), b.target(), result.structure);
    std::vector<Site> sites = a.sites();
    for (const Site& site : b.sites()) {
        if (std::ranges::find(sites, site) == sites.end())
            sites.push_back(site);
    }
    for (const Site& site : sites) {
        const MatrixShape here = a.shape(site);
        const MatrixShape there = b.shape(site);
        if (a.heads(site) != b.heads(site) || here != there)
            result.structure.push_back(fmt::format("{}: {} heads of {}x{} and {} of {}x{}", siteText(site),
                                                   a.heads(site), here.rows, here.columns, b.heads(site), there.rows,
                                                   there.columns));
        for (int head = 0; here == there && head < std::min(a.heads(site), b.heads(site)); ++head) {
            ThreadStop::check();
            result.heads.push_back(headDifference(site, head, a.matrix(site, head), b.matrix(site, head)));
        }
    }
    const Trace::Path path = a.path();
    const Trace::Path other = b.path();
    for (std::size_t i = 0; i < std::min(path.size(), other.size()); ++i)
        result.logProbability = std::max(result.logProbability,
                                         weightDifference(path[i]->step.logProbability, other[i]->step.logProbability));
    return result;
}

MeanInterval bootstrapMean(std::span<const double> values)
{
    constexpr std::size_t samples = 1000;
    constexpr double tail = 0.025;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (values.empty())
        return {none, none, none};
    std::mt19937 random(1);
    std::vector<double> means;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        ThreadStop::check();
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            sum += values[random() % values.size()];
        means.push_back(sum / static_cast<double>(values.size()));
    }
    std::ranges::sort(means);
    const auto at = [&](double share) {
        return means[static_cast<std::size_t>(std::lround(share * static_cast<double>(samples - 1)))];
    };
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return {mean, at(tail), at(1 - tail)};
}

} // namespace attn
