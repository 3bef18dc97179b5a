// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/error.h"
#include "models/recording.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

// 1 - cosine of the two; what is next to nothing counts as 0, since float32 gives both signs.
float angleBetween(std::span<const float> one, std::span<const float> other)
{
    constexpr double nothing = 1e-7;
    const auto product = [](std::span<const float> left, std::span<const float> right) {
        return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
    };
    const double lengths = std::sqrt(product(one, one) * product(other, other));
    const double angle = lengths == 0 ? 0 : 1 - product(one, other) / lengths;
    return angle < nothing ? 0.0F : static_cast<float>(angle);
}

void makeRowsSumToOne(Numbers& matrix)
{
    for (Index row = 0; row < matrix.rows; ++row) {
        const double sum = std::accumulate(matrix.row(row).begin(), matrix.row(row).end(), 0.0);
        for (float& value : matrix.row(row))
            value = sum == 0 ? value : static_cast<float>(value / sum);
    }
}

Numbers zeroingOf(ExplainedRun& run, const RecordedLayer& layer, const RecordedAttention& attention)
{
    const Tape& tape = run.tape();
    const NumberView after = tape.matrix(layer.after);
    const Index columns = tape.matrix(attention.values).rows;
    const auto isMasked = [&](Index row, Index column) { // in all heads
        bool masked = true;
        for (int head = 0; head < attention.shape.heads && masked; ++head)
            masked = attention.masked[(static_cast<std::size_t>(head) * after.rows + row) * columns + column];
        return masked;
    };
    Numbers result = Numbers::zeros(1, after.rows, columns);
    std::vector<ZeroedCell> cells; // of the next product
    const auto measure = [&] {
        throwIfStopped(run.stop());
        const Tensor without = layerWithout(run.recordedInput(), run.recording(), tape, layer, attention, cells);
        for (Index i = 0; i < indexSize(cells); ++i) {
            const auto& [row, column] = cells[i];
            if (!isMasked(row, column))
                result.at(row, column) = angleBetween(after.row(row), without.matrix().row(i));
        }
        cells.clear();
    };
    const bool alone = rowsStandAlone(layer, attention.site.stage);
    constexpr Index together = 512;
    for (Index column = 0; column < columns; ++column) {
        for (Index row = 0; row < after.rows; ++row) {
            if (!alone || !isMasked(row, column))
                cells.push_back({row, column});
            if (alone ? indexSize(cells) == together : row + 1 == after.rows)
                measure();
        }
    }
    if (!cells.empty())
        measure();
    makeRowsSumToOne(result);
    return result;
}

void addLayer(ReadingResults& results, const std::string& name, int layer, const Numbers& one)
{
    ReadArray& array = results.arrays[name];
    array.shape = {layer + 1, one.rows, one.columns};
    array.values.insert(array.values.end(), one.values.begin(), one.values.end());
}

constexpr const char* zeroing = "value_zeroing";

void computeValueZeroing(ExplainedRun& run, ReadingResults& results)
{
    for (const RecordedLayer& layer : run.recording().layers) {
        for (const RecordedAttention& attention : run.recording().attentions) {
            const bool isOfEncoder = attention.site.stage == Stage::Encoder;
            if (attention.site.layer != layer.layer || isOfEncoder != (layer.stage == Stage::Encoder))
                continue;
            addLayer(results, stageArray(attention.site.stage, zeroing), layer.layer, zeroingOf(run, layer, attention));
        }
    }
}

// R(l) = Z(l) R(l-1), R(-1) = I; rows of Z that are 0 become those of I.
void computeRolledOut(ExplainedRun& run, ReadingResults& results)
{
    ReadingResults zeroed;
    const bool isMade = std::ranges::any_of(results.methods, [](const auto& one) { return one.second == zeroing; });
    if (!isMade)
        computeValueZeroing(run, zeroed);
    const auto& arrays = isMade ? results.arrays : zeroed.arrays;
    for (const Stage stage : {Stage::Encoder, Stage::Decoder}) {
        const auto found = arrays.find(stageArray(stage, zeroing));
        if (found == arrays.end())
            continue;
        const ReadArray& maps = found->second;
        const auto size = static_cast<Index>(maps.shape.back());
        Numbers rolled = Numbers::zeros(1, size, size);
        for (Index row = 0; row < size; ++row)
            rolled.at(row, row) = 1;
        ReadArray array{maps.shape, {}};
        for (Index layer = 0; layer < maps.shape.front(); ++layer) {
            const NumberView own(maps.values.data() + std::ptrdiff_t{layer} * size * size, size, size);
            Numbers next = Numbers::zeros(1, size, size);
            for (Index row = 0; row < size; ++row) {
                const auto weights = own.row(row);
                const bool isZero = std::ranges::all_of(weights, [](float weight) { return weight == 0; });
                for (Index inner = 0; inner < size; ++inner) {
                    const float weight = isZero ? (inner == row ? 1.0F : 0.0F) : weights[inner];
                    for (Index column = 0; column < size && weight != 0; ++column)
                        next.at(row, column) += weight * rolled.at(inner, column);
                }
            }
            rolled = std::move(next);
            array.values.insert(array.values.end(), rolled.values.begin(), rolled.values.end());
        }
        results.arrays[stageArray(stage, "value_zeroing_rollout")] = std::move(array);
    }
}

} // namespace

extern const ReadingMethod valueZeroingMethod{
    .id = zeroing,
    .help = "how far a layer's output turns when the value of a token is zeros (Mohebbi et al. 2023)",
    .lack = transformersOnly,
    .compute = computeValueZeroing};

extern const ReadingMethod valueZeroingRolloutMethod{.id = "value_zeroing_rollout",
                                                     .help = "value zeroing of the layers below, rolled out",
                                                     .lack = transformersOnly,
                                                     .compute = computeRolledOut};

} // namespace attn
