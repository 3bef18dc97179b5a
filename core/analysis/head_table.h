// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/trace.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace attn {

// Measures of what a head does, as means over rows of attention weights w. NaN: it means nothing here, or a weight is
// no number, of which there is no mean.
struct HeadRow
{
    static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

    Site site;
    int head = 0;
    std::int64_t rows = 0; // that the means are over: those with a weight that is not 0
    double entropy = nothing; // -sum w ln w, nats; a negative weight counts as 0
    double evenness = nothing; // the entropy by that of equal weights on all unmasked keys; 1 where there is one
    double largest = nothing; // weight of a row
    double distance = nothing; // sum w |row - column|; this and the next three of tokens among their own kind only; of
                               // patches the distance of their centres, counted in patches, which alone have one
    double previous = nothing; // weight of the token before
    double self = nothing; // of the same place
    double next = nothing; // of the token after
    double first = nothing; // of column 0
    double special = nothing; // of all special tokens, the start token among decoder inputs too
    double same = nothing; // of equal tokens elsewhere, special ones left out; the mean over the rows that have one
    std::int64_t sameRows = 0;
    std::int64_t placedRows = 0; // that distance is the mean over
    double induction = nothing; // of the tokens after earlier equal ones (Olsson et al. 2022); likewise
    std::int64_t inductionRows = 0;
    // The same with the tokens that each row sees in random order: shares that are no larger say nothing of the head.
    struct Shuffled
    {
        double previous = nothing;
        double self = nothing;
        double next = nothing;
        double first = nothing;
        double special = nothing;
        double same = nothing;
        double induction = nothing;
    };
    Shuffled shuffled = {};
    double wideEvenness = nothing; // the evenness of rows with at least wideKeys unmasked keys
    std::int64_t wideRows = 0;
};
inline constexpr int wideKeys = 4; // a row of fewer is even whatever the head does

// The heads of a model over some sentences.
class HeadTable
{
public:
    // specialIds: of the special tokens, where a trace does not say which they are.
    explicit HeadTable(std::vector<TokenId> specialIds = {});

    // All heads of a run, along the path to `leaf`, its best hypothesis without one; of all stages, or of one. Masked
    // are the keys whose score is -inf; of a trace without scores, those of weight 0. Throws Error{Cancelled}.
    void add(const Trace& trace, std::optional<StepId> leaf = {}, std::optional<Stage> only = {},
             const std::stop_token& stop = {});
    // Rows by stage (encoder, decoder, cross), layer, head.
    std::vector<HeadRow> rows() const;

private:
    struct Map; // one head's weights in a trace, with what its columns are

    static void addRow(HeadRow& sums, const Map& map, int row);
    // perKey: weight of a key where all have the same.
    static void addPatchRow(HeadRow& sums, const Map& map, Index row, double perKey);
    Map mapOf(const Trace& trace, Site site, std::optional<StepId> leaf) const;

    std::vector<TokenId> m_specialIds;
    std::map<std::pair<Site, int>, HeadRow> m_sums;
};

} // namespace attn
