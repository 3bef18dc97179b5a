// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace attn {

// Keys and values of one layer's decoder self-attention, for each live hypothesis. Hypotheses that continue the same
// one share its rows until they append.
class KeyValueCache
{
public:
    // rows: that one hypothesis may come to have, for which room is made with its first ones; more are taken, too.
    explicit KeyValueCache(int width, std::size_t rows = 0)
        : KeyValueCache(width, width, rows)
    {
    }
    KeyValueCache(int keyWidth, int valueWidth, std::size_t rows);

    // Appends rows to one hypothesis. keys, values: [rows, width].
    void append(int hypothesis, NumberView keys, NumberView values);
    // The most that a hypothesis takes with room for so many rows. width: of keys or values, the larger.
    static std::uint64_t bytesFor(std::uint64_t width, std::uint64_t rows);
    // Hypothesis i becomes what parents[i] was.
    void reorder(std::span<const int> parents);

    // [rows, width].
    NumberView keys(int hypothesis) const;
    NumberView values(int hypothesis) const;

private:
    struct Cached
    {
        NumberVector<float> keys;
        NumberVector<float> values;
    };
    const Cached& at(int hypothesis) const { return *m_hypotheses.at(hypothesis); }
    static NumberView view(const NumberVector<float>& rows, int width);

    static void add(NumberVector<float>& cached, std::span<const float> rows, int width, std::size_t room);

    int m_keyWidth;
    int m_valueWidth;
    std::size_t m_room; // rows
    std::vector<std::shared_ptr<Cached>> m_hypotheses;
};

// Scores of a decoder's earlier steps, for intra-temporal attention (Paulus et al. 2017, equation 3): of each live
// hypothesis and key the sum of exp(score) over the steps so far.
class ScoreHistory
{
public:
    // scores: [hypotheses, keys]. From the second step on the logarithms of the sums are taken off, so that the softmax
    // is one of exp(score) / sum; then the scores as they came join the sums.
    void discount(std::span<float> scores);
    // Hypothesis i becomes what parents[i] was.
    void reorder(std::span<const int> parents, int keys);

private:
    std::vector<double> m_logSums; // [hypotheses, keys]; empty before the first step
};

} // namespace attn
