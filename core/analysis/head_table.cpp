// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_table.h"

#include "base/special_tokens.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace attn {

namespace {

constexpr double HeadRow::*headMeasures[] = {&HeadRow::entropy,  &HeadRow::evenness, &HeadRow::largest,
                                             &HeadRow::distance, &HeadRow::previous, &HeadRow::self,
                                             &HeadRow::next,     &HeadRow::first,    &HeadRow::special};

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

    int unmasked(int row) const
    {
        int count = 0;
        for (int column = 0; column < weights.columns; ++column) {
            const bool masked = scores.empty() ? weights.at(row, column) == 0
                                               : scores.at(row, column) == -std::numeric_limits<float>::infinity();
            count += masked ? 0 : 1;
        }
        return count;
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

std::vector<bool> HeadTable::specialColumns(const Trace& trace, Site site) const
{
    const Encoding tokens = trace.columnTokens(site);
    std::vector<bool> special(tokens.size());
    for (std::size_t i = 0; i < special.size(); ++i)
        special[i] = tokens.special.empty() ? std::ranges::find(m_specialIds, tokens.ids[i]) != m_specialIds.end()
                                            : isSpecial(tokens, i);
    if (site.stage == Stage::Decoder && trace.kind() == ModelKind::EncoderDecoder && !special.empty())
        special.front() = true;
    return special;
}

void HeadTable::addRow(HeadRow& sums, const Map& map, int row)
{
    const auto weights = map.weights.row(row);
    if (std::ranges::all_of(weights, [](float weight) { return weight == 0; }))
        return;
    ++sums.rows;
    const double entropy = entropyOf(weights);
    const int keys = map.unmasked(row);
    sums.entropy += entropy;
    sums.evenness += keys > 1 ? entropy / std::log(keys) : 1;
    sums.largest += static_cast<double>(*std::ranges::max_element(weights));
    sums.first += map.weightAt(row, 0);
    for (int column = 0; column < map.weights.columns; ++column) {
        const double weight = map.weightAt(row, column);
        if (static_cast<std::size_t>(column) < map.special.size() && map.special[column])
            sums.special += weight;
        if (map.ofPositions)
            sums.distance += weight * std::abs(row - column);
    }
    if (!map.ofPositions) {
        sums.distance = sums.previous = sums.self = sums.next = HeadRow::nothing;
        return;
    }
    sums.previous += map.weightAt(row, row - 1);
    sums.self += map.weightAt(row, row);
    sums.next += map.weightAt(row, row + 1);
}

void HeadTable::add(const Trace& trace)
{
    for (const Site& site : trace.sites()) {
        const bool tokens =
            trace.rowAxis(site) == AttentionAxis::Tokens && trace.columnAxis(site) == AttentionAxis::Tokens;
        Map map;
        map.special = specialColumns(trace, site);
        map.ofPositions = tokens && site.stage != Stage::Cross;
        for (int head = 0; head < trace.heads(site); ++head) {
            const auto [sums, isNew] = m_sums.try_emplace({site, head}, HeadRow{site, head});
            if (isNew) {
                for (double HeadRow::*const measure : headMeasures)
                    sums->second.*measure = 0;
            }
            map.weights = trace.matrix(site, head);
            map.scores = trace.scores(site, head);
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
        for (double HeadRow::*const measure : headMeasures)
            row.*measure = sums.rows > 0 ? sums.*measure / static_cast<double>(sums.rows) : HeadRow::nothing;
    }
    return result;
}

} // namespace attn
