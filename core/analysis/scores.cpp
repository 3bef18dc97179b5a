// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/scores.h"

#include "analysis/normal_numbers.h"
#include "base/index.h"
#include "base/utf8.h"

#include <Eigen/Core>
#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace attn {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix randomMatrix(NormalNumbers& numbers, int rows, int columns, double deviation = 1)
{
    Matrix matrix(rows, columns);
    numbers.fill({matrix.data(), static_cast<std::size_t>(matrix.size())}, deviation);
    return matrix;
}

Matrix additiveScores(NormalNumbers& numbers, const Matrix& queries, const Matrix& keys)
{
    const auto width = static_cast<Index>(queries.cols());
    const double deviation = 1 / std::sqrt(width);
    const Matrix w = randomMatrix(numbers, width, width, deviation);
    const Matrix u = randomMatrix(numbers, width, width, deviation);
    const Eigen::VectorXf v = randomMatrix(numbers, width, 1, deviation);
    const Matrix projectedQueries = queries * w.transpose();
    const Matrix projectedKeys = keys * u.transpose();
    Matrix scores(queries.rows(), keys.rows());
    for (Eigen::Index query = 0; query < queries.rows(); ++query)
        scores.row(query) =
            ((projectedKeys.rowwise() + projectedQueries.row(query)).array().tanh().matrix() * v).transpose();
    return scores;
}

} // namespace

Numbers sampleScores(Compatibility kind, const ScoreExperiment& experiment)
{
    NormalNumbers numbers(experiment.seed);
    const Matrix queries = randomMatrix(numbers, experiment.queries, experiment.width);
    const Matrix keys = randomMatrix(numbers, experiment.keys, experiment.width);
    Matrix scores;
    if (kind == Compatibility::Additive)
        scores = additiveScores(numbers, queries, keys);
    else
        scores = queries * keys.transpose();
    if (kind == Compatibility::ScaledDot)
        scores /= std::sqrt(static_cast<float>(experiment.width));
    return {experiment.queries, experiment.keys, {scores.data(), scores.data() + scores.size()}};
}

std::vector<float> softmax(std::span<const float> scores)
{
    std::vector<float> weights(scores.size());
    const auto isNumber = [](float score) { return score < std::numeric_limits<float>::infinity(); }; // NaN is not less
    if (!std::ranges::all_of(scores, isNumber)) {
        std::ranges::fill(weights, std::numeric_limits<float>::quiet_NaN());
        return weights;
    }
    const float most = scores.empty() ? 0 : *std::ranges::max_element(scores);
    if (!std::isfinite(most))
        return weights;
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        weights[i] = std::exp(scores[i] - most);
        sum += weights[i];
    }
    for (float& weight : weights)
        weight = static_cast<float>(weight / sum);
    return weights;
}

Numbers softmaxRows(const Numbers& scores)
{
    Numbers weights{scores.rows, scores.columns, {}};
    weights.values.reserve(scores.values.size());
    for (int row = 0; row < scores.rows; ++row) {
        const std::vector<float> soft = softmax(scores.row(row));
        weights.values.insert(weights.values.end(), soft.begin(), soft.end());
    }
    return weights;
}

Moments momentsOf(std::span<const float> values)
{
    Moments result;
    double squares = 0;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        // Welford's recurrence: exact also where the mean is far from 0.
        ++result.count;
        const double step = value - result.mean;
        result.mean += step / result.count;
        squares += step * (value - result.mean);
    }
    if (result.count > 0)
        result.deviation = std::sqrt(squares / result.count);
    return result;
}

double meanSensitivity(const Numbers& weights)
{
    double sum = 0;
    for (const float weight : weights.values)
        sum += weight * (1 - double{weight});
    return weights.rows > 0 ? sum / weights.rows : 0;
}

Histogram histogram(std::span<const float> values, double least, double most, int bins)
{
    Histogram result{least, most, std::vector<int>(std::max(bins, 1))};
    const double width = result.binWidth();
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const double bin = width > 0 ? std::floor((value - least) / width) : 0;
        const double inside = std::clamp(bin, 0.0, indexSize(result.counts) - 1.0);
        ++result.counts[static_cast<Index>(inside)];
    }
    return result;
}

ScoreNumbers scoreNumbers(const Numbers& scores)
{
    ScoreNumbers result;
    std::ranges::copy_if(scores.values, std::back_inserter(result.scores),
                         [](float value) { return std::isfinite(value); });
    result.moments = momentsOf(result.scores);
    if (!result.scores.empty()) {
        const auto [least, most] = std::ranges::minmax(result.scores);
        result.least = static_cast<double>(least);
        result.most = static_cast<double>(most);
    }
    const Numbers weights = softmaxRows(scores);
    result.sensitivity = meanSensitivity(weights);
    const auto columns = static_cast<std::size_t>(scores.columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(scores.rows) && columns > 0; ++row) {
        const auto rowScores = std::span(scores.values).subspan(row * columns, columns);
        const auto seen = std::ranges::count_if(rowScores, [](float value) { return std::isfinite(value); });
        if (seen == 0)
            continue;
        result.largest.push_back(std::ranges::max(std::span(weights.values).subspan(row * columns, columns)));
        result.uniform += 1.0 / static_cast<double>(seen);
    }
    if (!result.largest.empty())
        result.uniform /= static_cast<double>(result.largest.size());
    result.meanLargest = momentsOf(result.largest).mean;
    return result;
}

Numbers scaledScores(Numbers scores, double factor)
{
    for (float& score : scores.values) {
        if (std::isfinite(score))
            score = static_cast<float>(static_cast<double>(score) * factor);
    }
    return scores;
}

std::pair<double, double> scoreRange(std::span<const ScoreNumbers* const> shown)
{
    double least = 0;
    double most = 0;
    for (const ScoreNumbers* numbers : shown) {
        least = std::min(least, numbers->least);
        most = std::max(most, numbers->most);
    }
    const double margin = (most - least) * 0.02;
    return most > least ? std::pair(least - margin, most + margin) : std::pair(-1.0, 1.0);
}

std::optional<std::size_t> exactLookup(std::span<const float> query, std::span<const LookupEntry> table)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (std::ranges::equal(table[i].key, query))
            return i;
    }
    return std::nullopt;
}

SoftLookup softLookup(std::span<const float> query, std::span<const LookupEntry> table, float sharpness)
{
    SoftLookup lookup;
    for (const LookupEntry& entry : table)
        lookup.scores.push_back(sharpness * std::inner_product(query.begin(), query.end(), entry.key.begin(), 0.0F));
    lookup.weights = softmax(lookup.scores);
    for (std::size_t i = 0; i < table.size(); ++i)
        lookup.result += lookup.weights[i] * table[i].value;
    return lookup;
}

namespace {

using NGrams = std::map<std::vector<std::string>, long>;

bool isSpace(char32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::vector<std::string> splitAtSpaces(std::string_view text)
{
    std::vector<std::string> words(1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (!isSpace(nextCodePoint(text, at)))
            words.back() += text.substr(begin, at - begin);
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

NGrams nGrams(const std::vector<std::string>& tokens, std::ptrdiff_t length)
{
    NGrams grams;
    for (auto first = tokens.begin(); tokens.end() - first >= length; ++first)
        ++grams[{first, first + length}];
    return grams;
}

} // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other)
{
    for (std::size_t n = 0; n < 4; ++n) {
        matches[n] += other.matches[n];
        totals[n] += other.totals[n];
    }
    hypothesisLength += other.hypothesisLength;
    referenceLength += other.referenceLength;
    return *this;
}

std::vector<std::string> tokens13a(std::string_view line)
{
    constexpr std::pair<const char*, const char*> rules[] = {
        {"<skipped>", ""},
        {"-\n", ""},
        {"\n", " "},
        {"&quot;", "\""},
        {"&amp;", "&"},
        {"&lt;", "<"},
        {"&gt;", ">"},
        {R"([\{-~\[-` -\&(-+:-@/])", " $0 "}, // all but the point, the comma, the hyphen and the apostrophe
        {"([^0-9])([.,])", "$1 $2 "},
        {"([.,])([^0-9])", " $1 $2"},
        {"([0-9])(-)", "$1 $2 "}};
    const std::string padded = ' ' + std::string(line) + ' ';
    auto found = icu::UnicodeString::fromUTF8(padded);
    for (const auto& [pattern, replacement] : rules) {
        UErrorCode status = U_ZERO_ERROR;
        icu::RegexMatcher matcher(icu::UnicodeString::fromUTF8(pattern), found, 0, status);
        found = matcher.replaceAll(icu::UnicodeString::fromUTF8(replacement), status);
    }
    std::string text;
    found.toUTF8String(text);
    return splitAtSpaces(text);
}

BleuCounts bleuCounts(std::string_view hypothesis, std::string_view reference)
{
    const std::vector<std::string> mine = tokens13a(hypothesis);
    const std::vector<std::string> theirs = tokens13a(reference);
    BleuCounts counts;
    counts.hypothesisLength = std::ssize(mine);
    counts.referenceLength = std::ssize(theirs);
    for (std::size_t n = 0; n < 4; ++n) {
        const auto length = static_cast<std::ptrdiff_t>(n) + 1;
        const NGrams expected = nGrams(theirs, length);
        for (const auto& [gram, count] : nGrams(mine, length)) {
            counts.totals[n] += count;
            if (const auto found = expected.find(gram); found != expected.end())
                counts.matches[n] += std::min(count, found->second);
        }
    }
    return counts;
}

double bleu(const BleuCounts& counts)
{
    if (counts.matches[0] == 0 || std::ranges::find(counts.totals, 0) != counts.totals.end())
        return 0;
    double smooth = 1;
    double logs = 0;
    for (std::size_t n = 0; n < 4; ++n) {
        const auto total = static_cast<double>(counts.totals[n]);
        if (counts.matches[n] == 0)
            smooth *= 2;
        logs += std::log(counts.matches[n] > 0 ? static_cast<double>(counts.matches[n]) / total : 1 / (smooth * total));
    }
    const auto shortBy = 1 - static_cast<double>(counts.referenceLength) / static_cast<double>(counts.hypothesisLength);
    return 100 * std::exp(std::min(0.0, shortBy) + logs / 4);
}

int wordCount(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\v\f";
    int words = 0;
    for (std::size_t at = 0; (at = text.find_first_not_of(blanks, at)) != std::string_view::npos; ++words)
        at = text.find_first_of(blanks, at);
    return words;
}

std::vector<LengthBin> lengthBins(std::span<const int> lengths, int bins)
{
    std::map<int, std::vector<std::size_t>> byLength;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        byLength[lengths[i]].push_back(i);
    std::vector<LengthBin> result;
    std::size_t placed = 0;
    for (const auto& [length, sentences] : byLength) {
        // A new bin begins where the share of those before it is used up.
        const std::size_t share = lengths.size() * result.size() / static_cast<std::size_t>(bins);
        const bool opens = result.empty() || (placed >= share && indexSize(result) < bins);
        if (opens)
            result.push_back({length, length, {}});
        LengthBin& bin = result.back();
        bin.to = length;
        bin.sentences.insert(bin.sentences.end(), sentences.begin(), sentences.end());
        placed += sentences.size();
    }
    return result;
}

} // namespace attn
