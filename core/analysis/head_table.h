// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/trace.h"

#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace attn {

// What a head does, as means over rows of attention weights w. NaN: it means nothing here.
struct HeadRow
{
    static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

    Site site;
    int head = 0;
    std::int64_t rows = 0; // that the means are over: those with a weight that is not 0
    double entropy = nothing; // -sum w ln w, nats; a negative weight counts as 0
    double evenness = nothing; // the entropy by that of equal weights on all unmasked keys; 1 where there is one
    double largest = nothing; // weight of a row
    double distance = nothing; // sum w |row - column|; this and the next three of tokens among their own kind only
    double previous = nothing; // weight of the token before
    double self = nothing; // of the same place
    double next = nothing; // of the token after
    double first = nothing; // of column 0
    double special = nothing; // of all special tokens, the start token among decoder inputs too
};

// The heads of a model over some sentences.
class HeadTable
{
public:
    // specialIds: of the special tokens, where a trace does not say which they are.
    explicit HeadTable(std::vector<TokenId> specialIds = {});

    // All heads of a finished run, along its best hypothesis. Masked are the keys whose score is -inf; of a trace
    // without scores, those of weight 0.
    void add(const Trace& trace);
    // By stage (encoder, decoder, cross), layer, head.
    std::vector<HeadRow> rows() const;

private:
    struct Map; // one head's weights in a trace, with what its columns are

    static void addRow(HeadRow& sums, const Map& map, int row);
    std::vector<bool> specialColumns(const Trace& trace, Site site) const;

    std::vector<TokenId> m_specialIds;
    std::map<std::pair<Site, int>, HeadRow> m_sums;
};

} // namespace attn
