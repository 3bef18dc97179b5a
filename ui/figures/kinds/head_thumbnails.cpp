// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_thumbnails.h"

#include "base/thread_stop.h"
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_edits.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/tile_range.h"
#include "figures/parts/cell_marks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr int thumbnail = 64;
constexpr float blank = HeadThumbnails::Tile::blank;
constexpr float noNumber = HeadThumbnails::Tile::noNumber;

void markNoNumbers(Numbers& matrix)
{
    for (float& weight : matrix.values) {
        if (!std::isfinite(weight))
            weight = noNumber;
    }
}

// And what decoder self-attention cannot look at.
void markCausal(Numbers& matrix, const std::vector<AxisGroup>& rows, const std::vector<AxisGroup>& columns)
{
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            float& weight = matrix.values[static_cast<std::size_t>(row) * matrix.columns + column];
            if (isFuture(rows[row], columns[column]) && !(weight > 0))
                weight = blank;
            else if (!std::isfinite(weight))
                weight = noNumber;
        }
    }
}

// The value of each block that comes last in an order, in which what is no number is behind all others.
template<class Before>
Numbers pooledBy(const Numbers& matrix, int most, const Before& before)
{
    const int rowBlock = (matrix.rows + most - 1) / most;
    const int columnBlock = (matrix.columns + most - 1) / most;
    if (matrix.values.empty() || (rowBlock <= 1 && columnBlock <= 1))
        return matrix;
    Numbers result;
    result.rows = (matrix.rows + rowBlock - 1) / rowBlock;
    result.columns = (matrix.columns + columnBlock - 1) / columnBlock;
    result.values.assign(static_cast<std::size_t>(result.rows) * result.columns, blank);
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            float& last = result.at(row / rowBlock, column / columnBlock);
            const float weight = matrix.at(row, column);
            if (weight == noNumber || std::isnan(last) || (last != noNumber && before(last, weight)))
                last = weight;
        }
    }
    return result;
}

// One head of one run less that of the other, with the marks of HeadThumbnails::Tile.
Numbers headDifference(FigureSpec spec, const Trace& trace, Site site, int head, std::vector<bool>& leftOut)
{
    spec.site = site;
    spec.head = head;
    const ShownDifference shown = shownDifference(spec, trace);
    Numbers matrix = shown.matrix;
    leftOut = leftOutOfRange(spec, trace, shown);
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            float& value = matrix.at(row, column);
            if (!shown.rows[row].isPaired() || !shown.columns[column].isPaired())
                value = HeadThumbnails::Tile::lone;
            else if (site.stage == Stage::Decoder && isBlankInBoth(shown, row, column))
                value = blank;
            else if (!std::isfinite(value))
                value = noNumber;
        }
    }
    return matrix;
}

double aspectOf(const Numbers& matrix)
{
    return std::clamp(static_cast<double>(matrix.rows) / matrix.columns, 0.6, 1.25);
}

void addTile(HeadThumbnails& thumbnails, HeadThumbnails::Tile tile, const Numbers& matrix,
             Numbers (*pool)(const Numbers& matrix, int most))
{
    tile.cells = std::ssize(matrix.values);
    tile.noNumbers = std::ranges::count(matrix.values, noNumber);
    tile.pooled = pool(matrix, thumbnail);
    thumbnails.tiles.push_back(std::move(tile));
}

// The thumbnails of the heads that both runs have.
void compareHeads(HeadThumbnails& result, const FigureSpec& spec, const Trace& trace)
{
    TileRange range(spec);
    std::vector<bool> leftOut;
    for (const Site& site : trace.sites()) {
        const int heads = std::min(trace.heads(site), spec.against->trace.heads(site));
        if (site.stage != spec.site.stage || heads == 0)
            continue;
        for (int head = 0; head < heads; ++head) {
            ThreadStop::check();
            Numbers matrix = headDifference(spec, trace, site, head, leftOut);
            range.add(matrix, leftOut, {});
            shareRows(matrix, spec, leftOut);
            if (matrix.rows > 0 && matrix.columns > 0)
                result.aspect = aspectOf(matrix);
            addTile(result, {.site = site, .head = head, .row = result.layers, .pooled = {}}, matrix,
                    spec.pooling == Pooling::Mean ? pooledMean : pooledDifference);
        }
        range.endLayer();
        result.heads = std::max(result.heads, heads);
        ++result.layers;
    }
    range.finish(result);
}

} // namespace

Numbers pooled(const Numbers& matrix, int most)
{
    return pooledBy(matrix, most, [](float a, float b) { return a < b; });
}

Numbers pooledDifference(const Numbers& matrix, int most)
{
    const auto size = [](float value) { return std::isfinite(value) ? std::abs(value) : -1; };
    return pooledBy(matrix, most, [&size](float a, float b) { return size(a) < size(b); });
}

Numbers pooledMean(const Numbers& matrix, int most)
{
    const int rowBlock = (matrix.rows + most - 1) / most;
    const int columnBlock = (matrix.columns + most - 1) / most;
    if (matrix.values.empty() || (rowBlock <= 1 && columnBlock <= 1))
        return matrix;
    Numbers result = pooled(matrix, most); // what is no number in all of a block stays
    std::vector<double> sums(result.values.size());
    std::vector<int> counts(result.values.size());
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const auto block = static_cast<std::size_t>(row / rowBlock) * result.columns + column / columnBlock;
            if (const float value = matrix.at(row, column); std::isfinite(value)) {
                sums[block] += value;
                ++counts[block];
            }
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (counts[i] > 0 && result.values[i] != noNumber)
            result.values[i] = static_cast<float>(sums[i] / counts[i]);
    }
    return result;
}

std::size_t thumbnailCost(const FigureSpec& spec, const Trace& trace)
{
    constexpr std::size_t pairing = 4; // times as much as one run
    const auto [rows, columns] = stageShape(spec, trace);
    return std::max(rows * columns, leastHeadCost) * headCount(spec, trace) * (spec.against ? pairing : 1);
}

std::shared_ptr<const HeadThumbnails> headThumbnails(const FigureSpec& spec, const Trace& trace)
{
    auto result = std::make_shared<HeadThumbnails>();
    if (!trace.has(spec.leaf))
        return result;
    if (spec.against) {
        compareHeads(*result, spec, trace);
        return result;
    }
    const std::vector<Edit> edits = editsOf(trace);
    TileRange range(spec);
    std::vector<bool> leftOut;
    MatrixAxes axes;
    MatrixAxes counted; // for the range
    const FigureSpec counting = countedSpec(spec);
    std::pair<int, int> size{0, 0};
    for (const Site& site : trace.sites()) {
        const int heads = trace.heads(site);
        if (site.stage != spec.site.stage || heads == 0)
            continue;
        for (int head = 0; head < heads; ++head) {
            Numbers matrix = trace.matrix(site, head, spec.leaf);
            if (size != std::pair{matrix.rows, matrix.columns}) {
                size = {matrix.rows, matrix.columns};
                axes = matrixAxes(spec, trace, matrix.rows, matrix.columns);
                counted = matrixAxes(counting, trace, matrix.rows, matrix.columns);
                leftOut = leftOutOfRange(spec, trace, counted.columnGroups);
            }
            const CellMark edit = headEdit(edits, trace, site, head, matrix);
            if (matrix.rows > 0) {
                Numbers counts = shownValues(counted, matrix, head);
                range.add(counts, leftOut, [&](int row, int column) {
                    return site.stage == Stage::Decoder
                        && isFuture(counted.rowGroups[row], counted.columnGroups[column]);
                });
                const bool same =
                    counted.rows == axes.rows && counted.columns == axes.columns && counted.summed == axes.summed;
                matrix = same ? std::move(counts) : shownValues(axes, std::move(matrix), head);
                shareRows(matrix, spec, leftOut);
            } else {
                range.add(matrix, {}, {});
            }
            if (matrix.rows > 0 && matrix.columns > 0)
                result->aspect = aspectOf(matrix);
            if (site.stage == Stage::Decoder && !matrix.values.empty())
                markCausal(matrix, axes.rowGroups, axes.columnGroups);
            else
                markNoNumbers(matrix);
            addTile(*result, {.site = site, .head = head, .row = result->layers, .pooled = {}, .edit = edit}, matrix,
                    spec.pooling == Pooling::Mean ? pooledMean : pooled);
        }
        range.endLayer();
        result->heads = std::max(result->heads, heads);
        ++result->layers;
    }
    range.finish(*result);
    return result;
}

} // namespace attn::ui
