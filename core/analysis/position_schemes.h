// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"
#include "trace/attention_map.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attn {

// Where the sines and cosines of a sinusoidal encoding stand: sine and cosine of a frequency side by side (Vaswani et
// al. 2017, 3.5), or all sines first and then all cosines (Marian, tensor2tensor). The same up to the order of
// dimensions.
enum class SinusoidLayout : std::uint8_t { Interleaved, Halves };

// Angle per position of pair i: 10000^(-2i/width).
double positionFrequency(int pair, int width);

// [positions, width]; width is even.
Tensor sinusoids(int positions, int width, SinusoidLayout layout);

// [width, width]: the matrix M with PE(p + offset) = M PE(p) for every p. One 2 x 2 rotation per frequency, by the
// angle offset * frequency; it depends on the offset only.
Tensor offsetRotation(int offset, int width, SinusoidLayout layout);

// The matrix M that comes closest to row p + offset = M row p for all rows of a table, and how close: the distance left
// over, relative to the length of the rows.
struct OffsetMap
{
    Tensor matrix; // [width, width]
    double residual = 0; // 0: exactly linear; 1: nothing is explained
    bool determined = false; // there are more rows than unknowns in one row of the matrix
    // Error that is left at every fourth position when the map is fitted to the others only: a map that remembers rows
    // instead of turning them fails here. 1 or more: nothing is explained.
    double unseen = 0;
};

// 0 <= offset < table.rows.
OffsetMap fitOffset(NumberView table, int offset);

// Largest difference between row p + offset and M row p, of all rows and dimensions.
double offsetError(NumberView table, NumberView map, int offset);

enum class ProductKind : std::uint8_t { Dot, Cosine };

// [rows, rows]: every row of a table with every row.
Numbers rowProducts(NumberView table, ProductKind kind);

// Rotary positions (Su et al. 2021): [positions, positions], the product of one query and one key, each turned by its
// position. Feature i and feature i + width/2 are a pair, turned by position * base^(-2i/width).
Numbers rotaryProducts(std::span<const float> query, std::span<const float> key, int positions, double base);

// [positions, positions]: the same value wherever keys are equally far from queries, `distance` = key - query.
Numbers fromDistances(int positions, const std::function<double(int distance)>& valueAt);

// T5's relative positions (Raffel et al. 2020): the bucket of a key that lies `distance` after the query. Half of the
// buckets are exact, the rest grow logarithmically up to `farthest`; without `bidirectional`, later keys share bucket
// 0.
int relativeBucket(int distance, bool bidirectional, int buckets, int farthest);

// ALiBi (Press et al. 2022): the slope of each head; added to a score is -slope * distance.
std::vector<double> alibiSlopes(int heads);

// Means of a matrix of positions at each distance key - query, from -(positions - 1) to positions - 1, where it has
// numbers.
struct DistanceCurve
{
    std::vector<int> distances;
    std::vector<double> means;
    std::vector<double> least;
    std::vector<double> most;
};

// matrix: [positions, positions]. causal: only keys that are not after their query.
DistanceCurve byDistance(const Numbers& matrix, bool causal);

} // namespace attn
