// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/word_order.h"

#include "analysis/normal_numbers.h"
#include "analysis/position_schemes.h"
#include "analysis/scores.h"
#include "base/index.h"
#include "base/plain_text.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace attn {

namespace {

using OrderMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

OrderMatrix randomOrderMatrix(NormalNumbers& numbers, int width)
{
    OrderMatrix matrix(width, width);
    numbers.fill({matrix.data(), static_cast<std::size_t>(matrix.size())}, 1 / std::sqrt(width));
    return matrix;
}

struct Projected
{
    OrderMatrix queries;
    OrderMatrix keys;
    OrderMatrix values;
};

Projected project(const SmallSelfAttention& layer, std::span<const std::string> words)
{
    const int width = layer.width;
    const auto count = indexSize(words);
    OrderMatrix input(count, width);
    for (int row = 0; row < count; ++row) {
        NormalNumbers numbers(layer.seed ^ fnv1a(words[row]));
        numbers.fill(MutableView(input.data(), count, width).row(row));
    }
    if (layer.positions) {
        const Tensor table = sinusoids(count, width, SinusoidLayout::Interleaved);
        input += Eigen::Map<const OrderMatrix>(table.data(), count, width);
    }
    NormalNumbers numbers(layer.seed);
    OrderMatrix queries = input * randomOrderMatrix(numbers, width).transpose();
    OrderMatrix keys = input * randomOrderMatrix(numbers, width).transpose();
    OrderMatrix values = input * randomOrderMatrix(numbers, width).transpose();
    return {std::move(queries), std::move(keys), std::move(values)};
}

Numbers weightsOf(const Projected& projected)
{
    const auto count = static_cast<Index>(projected.queries.rows());
    const OrderMatrix scores =
        projected.queries * projected.keys.transpose() / std::sqrt(static_cast<float>(projected.queries.cols()));
    return softmaxRows({count, count, {scores.data(), scores.data() + scores.size()}});
}

} // namespace

Tensor SmallSelfAttention::apply(std::span<const std::string> words) const
{
    const Projected projected = project(*this, words);
    const Numbers weights = weightsOf(projected);
    const OrderMatrix output =
        Eigen::Map<const OrderMatrix>(weights.values.data(), weights.rows, weights.columns) * projected.values;
    return {{weights.rows, width}, {output.data(), output.data() + output.size()}};
}

Numbers SmallSelfAttention::weights(std::span<const std::string> words) const
{
    return weightsOf(project(*this, words));
}

std::vector<int> shuffledOrder(int count, std::uint64_t seed)
{
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    const std::vector<int> identity = order;
    std::mt19937_64 bits(seed);
    // Fisher and Yates, once more should nothing have moved.
    for (int round = 0; round < 8 && order == identity; ++round) {
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[bits() % i]);
    }
    return order;
}

std::vector<ByteSpan> blankSeparated(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n\v\f";
    std::vector<ByteSpan> words;
    std::size_t begin = text.find_first_not_of(blanks);
    while (begin != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
        words.push_back({begin, end});
        begin = text.find_first_not_of(blanks, end);
    }
    return words;
}

std::vector<int> tokenOrder(const Encoding& encoding, std::span<const int> words)
{
    const std::vector<ByteSpan> spans = blankSeparated(encoding.text);
    std::vector<std::vector<int>> tokensOf(words.size());
    std::vector<int> order(encoding.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<int> places; // of tokens that move
    for (Index token = 0; token < indexSize(encoding); ++token) {
        std::ptrdiff_t word = token;
        if (!encoding.spans.empty()) {
            const ByteSpan span = encoding.spans[token];
            // A piece may begin with the blank before its word.
            const auto found =
                std::ranges::find_if(spans, [&](const ByteSpan& w) { return span.end > w.begin && span.end <= w.end; });
            word = span.end > span.begin ? found - spans.begin() : std::ssize(words);
        }
        if (word >= std::ssize(words))
            continue;
        tokensOf[word].push_back(token);
        places.push_back(token);
    }
    auto place = places.begin();
    for (const int word : words) {
        for (const int token : tokensOf[word])
            order[*place++] = token;
    }
    return order;
}

Numbers putBack(const Numbers& shuffled, std::span<const int> order, bool columnsToo)
{
    Numbers result = shuffled;
    for (int row = 0; row < shuffled.rows; ++row) {
        for (int column = 0; column < shuffled.columns; ++column)
            result.at(order[row], columnsToo ? order[column] : column) = shuffled.at(row, column);
    }
    return result;
}

std::vector<double> permutationGaps(NumberView original, NumberView shuffled, std::span<const int> order)
{
    std::vector<double> gaps(original.rows);
    for (Index i = 0; i < indexSize(order); ++i) {
        const auto before = original.row(order[i]);
        const auto after = shuffled.row(i);
        double distance = 0;
        double lengths = 0;
        for (std::size_t k = 0; k < before.size(); ++k) {
            const double a = before[k];
            const double b = after[k];
            distance += (a - b) * (a - b);
            lengths += (a * a + b * b) / 2;
        }
        gaps[order[i]] = lengths == 0 ? 0 : std::sqrt(distance / lengths); // NaN stays NaN
    }
    return gaps;
}

} // namespace attn
