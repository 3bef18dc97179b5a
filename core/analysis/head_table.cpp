// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_table.h"

#include "base/encoding.h"
#include "base/error.h"
#include "base/index.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>

namespace attn {

namespace {

constexpr double HeadRow::*means[] = {&HeadRow::entropy,  &HeadRow::evenness, &HeadRow::largest,
                                      &HeadRow::distance, &HeadRow::previous, &HeadRow::self,
                                      &HeadRow::next,     &HeadRow::first,    &HeadRow::special};

constexpr double HeadRow::Shuffled::*shuffledMeans[] = {&HeadRow::Shuffled::previous, &HeadRow::Shuffled::self,
                                                        &HeadRow::Shuffled::next, &HeadRow::Shuffled::first,
                                                        &HeadRow::Shuffled::special};

double entropyOf(std::span<const float> weights)
{
    double sum = 0;
    for (const float weight : weights) {
        if (const auto w = static_cast<double>(weight); w > 0)
            sum -= w * std::log(w);
    }
    return sum;
}

} // namespace

struct HeadTable::Map
{
    Numbers weights;
    Numbers scores; // empty: not known
    std::vector<bool> special; // of columns
    bool ofPositions = false; // rows and columns are the same tokens
    std::vector<std::vector<int>> equal; // of a token the others that are the same; none for special ones
    Index gridColumns = 0; // of a picture's patches, which follow the special tokens; 0: a text or a sound

    // Number of the patch of a column, or of a row of the same tokens; none for a special token.
    std::optional<Index> patch(Index token) const
    {
        const auto specials = static_cast<Index>(std::ranges::count(special, true));
        return token < specials ? std::nullopt : std::optional(token - specials);
    }

    bool isKey(int row, int column) const
    {
        if (column < 0 || column >= weights.columns)
            return false;
        return scores.empty() ? weights.at(row, column) != 0
                              : scores.at(row, column) != -std::numeric_limits<float>::infinity();
    }
    int unmasked(int row) const
    {
        int keys = 0;
        for (int column = 0; column < weights.columns; ++column)
            keys += isKey(row, column) ? 1 : 0;
        return keys;
    }
    double weightAt(int row, int column) const
    {
        return column >= 0 && column < weights.columns ? static_cast<double>(weights.at(row, column)) : 0.0;
    }
};

HeadTable::HeadTable(std::vector<TokenId> specialIds)
    : m_specialIds(std::move(specialIds))
{
}

HeadTable::Map HeadTable::mapOf(const Trace& trace, Site site, std::optional<StepId> leaf) const
{
    Map map;
    map.ofPositions = trace.rowAxis(site) == AttentionAxis::Tokens && trace.columnAxis(site) == AttentionAxis::Tokens
        && site.stage != Stage::Cross;
    const Encoding tokens = trace.columnTokens(site, leaf);
    map.special.resize(tokens.size());
    for (std::size_t i = 0; i < map.special.size(); ++i)
        map.special[i] = tokens.special.empty() ? std::ranges::find(m_specialIds, tokens.ids[i]) != m_specialIds.end()
                                                : isSpecial(tokens, i);
    const bool hasStart = trace.kind() == ModelKind::EncoderDecoder && !trace.provenance().towers;
    if (site.stage == Stage::Decoder && hasStart && !map.special.empty())
        map.special.front() = true;
    if (!map.ofPositions)
        return map;
    if (site.stage == Stage::Encoder && trace.media() && trace.media()->isPicture()) {
        map.gridColumns = trace.media()->columns;
        return map;
    }
    std::map<TokenId, std::vector<int>> places;
    for (int i = 0; i < indexSize(tokens); ++i) {
        if (!map.special[i])
            places[tokens.ids[i]].push_back(i);
    }
    map.equal.resize(tokens.size());
    for (const auto& [id, all] : places) {
        for (const int place : all)
            std::ranges::remove_copy(all, std::back_inserter(map.equal[place]), place);
    }
    return map;
}

// Patches have neighbours on all sides: there is none before or behind.
void HeadTable::addPatchRow(HeadRow& sums, const Map& map, Index row, double perKey)
{
    sums.self += map.weightAt(row, row);
    sums.shuffled.self += perKey;
    sums.previous = sums.next = HeadRow::nothing;
    const auto from = map.patch(row);
    if (!from)
        return;
    ++sums.placedRows;
    for (Index column = 0; column < map.weights.columns; ++column) {
        const auto to = map.patch(column);
        if (to)
            sums.distance += map.weightAt(row, column)
                * std::hypot(*from / map.gridColumns - *to / map.gridColumns,
                             *from % map.gridColumns - *to % map.gridColumns);
    }
}

void HeadTable::addRow(HeadRow& sums, const Map& map, int row)
{
    const auto weights = map.weights.row(row);
    if (std::ranges::all_of(weights, [](float weight) { return weight == 0; }))
        return;
    ++sums.rows;
    if (!std::ranges::all_of(weights, [](float weight) { return std::isfinite(weight); })) {
        for (double HeadRow::*const mean : means)
            sums.*mean = HeadRow::nothing;
        for (double HeadRow::Shuffled::*const mean : shuffledMeans)
            sums.shuffled.*mean = HeadRow::nothing;
        sums.same = sums.induction = sums.wideEvenness = HeadRow::nothing;
        sums.sameRows = sums.inductionRows = sums.wideRows = 0;
        return;
    }
    const double entropy = entropyOf(weights);
    const int keys = map.unmasked(row);
    sums.entropy += entropy;
    const double evenness = keys > 1 ? entropy / std::log(keys) : 1;
    sums.evenness += evenness;
    if (keys >= wideKeys) {
        ++sums.wideRows;
        sums.wideEvenness += evenness;
    }
    sums.largest += static_cast<double>(*std::ranges::max_element(weights));
    const double perKey = std::accumulate(weights.begin(), weights.end(), 0.0) / std::max(1, keys);
    const auto shareOf = [&](int column, double& share, double& shuffled) {
        share += map.weightAt(row, column);
        shuffled += map.isKey(row, column) ? perKey : 0;
    };
    shareOf(0, sums.first, sums.shuffled.first);
    for (int column = 0; column < std::min(map.weights.columns, indexSize(map.special)); ++column) {
        if (map.special[column])
            shareOf(column, sums.special, sums.shuffled.special);
    }
    if (!map.ofPositions) {
        sums.distance = sums.previous = sums.self = sums.next = HeadRow::nothing;
        return;
    }
    if (map.gridColumns > 0) {
        addPatchRow(sums, map, row, perKey);
        return;
    }
    ++sums.placedRows;
    for (int column = 0; column < map.weights.columns; ++column)
        sums.distance += static_cast<double>(weights[column]) * std::abs(row - column);
    if (row < indexSize(map.equal)) {
        const auto isWeighted = [&](int column) { return column < map.weights.columns && weights[column] != 0; };
        // A causal row sees nothing of later ones.
        const bool sees =
            std::ranges::any_of(map.equal[row], [&](int column) { return column < row || isWeighted(column); });
        sums.sameRows += sees ? 1 : 0;
        bool follows = false;
        for (const int column : map.equal[row]) {
            shareOf(column, sums.same, sums.shuffled.same);
            if (column + 1 >= row)
                continue;
            follows = true;
            shareOf(column + 1, sums.induction, sums.shuffled.induction);
        }
        sums.inductionRows += follows ? 1 : 0;
    }
    shareOf(row - 1, sums.previous, sums.shuffled.previous);
    shareOf(row, sums.self, sums.shuffled.self);
    shareOf(row + 1, sums.next, sums.shuffled.next);
}

void HeadTable::add(const Trace& trace, std::optional<StepId> leaf, std::optional<Stage> only,
                    const std::stop_token& stop)
{
    for (const Site& site : trace.sites()) {
        if (only && site.stage != *only)
            continue;
        Map map = mapOf(trace, site, leaf);
        const int heads = trace.heads(site);
        for (int head = 0; head < heads; ++head) {
            throwIfStopped(stop);
            const auto [sums, isNew] = m_sums.try_emplace({site, head}, HeadRow{site, head});
            if (isNew) {
                for (double HeadRow::*const mean : means)
                    sums->second.*mean = 0;
                sums->second.same = sums->second.induction = sums->second.wideEvenness = 0;
                sums->second.shuffled = {0, 0, 0, 0, 0, 0, 0};
            }
            map.weights = trace.matrix(site, head, leaf);
            map.scores = trace.scores(site, head, leaf);
            for (int row = 0; row < map.weights.rows; ++row)
                addRow(sums->second, map, row);
        }
    }
}

std::vector<HeadRow> HeadTable::rows() const
{
    std::vector<HeadRow> result;
    for (const auto& [place, sums] : m_sums) {
        HeadRow& row = result.emplace_back(sums);
        for (double HeadRow::*const mean : means)
            row.*mean = sums.rows > 0 ? sums.*mean / static_cast<double>(sums.rows) : HeadRow::nothing;
        for (double HeadRow::Shuffled::*const mean : shuffledMeans)
            row.shuffled.*mean =
                sums.rows > 0 ? sums.shuffled.*mean / static_cast<double>(sums.rows) : HeadRow::nothing;
        const auto meanOver = [](double sum, std::int64_t count) {
            return count > 0 ? sum / static_cast<double>(count) : HeadRow::nothing;
        };
        row.distance = row.rows == 0 ? HeadRow::nothing : meanOver(sums.distance, sums.placedRows);
        row.same = meanOver(sums.same, sums.sameRows);
        row.shuffled.same = meanOver(sums.shuffled.same, sums.sameRows);
        row.induction = meanOver(sums.induction, sums.inductionRows);
        row.shuffled.induction = meanOver(sums.shuffled.induction, sums.inductionRows);
        row.wideEvenness = meanOver(sums.wideEvenness, sums.wideRows);
    }
    return result;
}

} // namespace attn
