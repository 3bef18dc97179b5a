// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_measures.h"

#include "base/index.h"
#include "base/progress.h"
#include "base/utf8.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>

namespace attn {

namespace {

constexpr HeadMeasure measures[] = {
    {"entropy", ATTN_TRANSLATE_NOOP("attn::ui", "Entropy"),
     ATTN_TRANSLATE_NOOP("attn::ui", "entropy of a row, in nats: 0 where it looks at one token only"),
     [](const DescribedHead& head) { return head.row.entropy; }, false, false},
    {"evenness", ATTN_TRANSLATE_NOOP("attn::ui", "Evenness"),
     ATTN_TRANSLATE_NOOP("attn::ui", "a row's entropy by that of equal weights on all keys"),
     [](const DescribedHead& head) { return head.row.evenness; }},
    {"largest", ATTN_TRANSLATE_NOOP("attn::ui", "Mean largest weight"),
     ATTN_TRANSLATE_NOOP("attn::ui", "the largest weight of a row, the mean of all rows"),
     [](const DescribedHead& head) { return head.row.largest; }},
    {"distance", ATTN_TRANSLATE_NOOP("attn::ui", "Distance"),
     ATTN_TRANSLATE_NOOP("attn::ui", "how many tokens away a row looks"),
     [](const DescribedHead& head) { return head.row.distance; }, false, false},
    {"previous", ATTN_TRANSLATE_NOOP("attn::ui", "Previous token"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of the token before"),
     [](const DescribedHead& head) { return head.row.previous; }},
    {"self", ATTN_TRANSLATE_NOOP("attn::ui", "Same position"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of the same position"),
     [](const DescribedHead& head) { return head.row.self; }},
    {"next", ATTN_TRANSLATE_NOOP("attn::ui", "Next token"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of the token after"),
     [](const DescribedHead& head) { return head.row.next; }},
    {"first", ATTN_TRANSLATE_NOOP("attn::ui", "First token"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of the first token"),
     [](const DescribedHead& head) { return head.row.first; }},
    {"special", ATTN_TRANSLATE_NOOP("attn::ui", "Special tokens"),
     ATTN_TRANSLATE_NOOP("attn::ui", "weight of all special tokens"),
     [](const DescribedHead& head) { return head.row.special; }},
    {"kl", ATTN_TRANSLATE_NOOP("attn::ui", "Change without it"),
     ATTN_TRANSLATE_NOOP("attn::ui", "without the head, KL divergence of what the model expects, in nats"),
     [](const DescribedHead& head) { return head.without.meanDivergence().value_or(HeadRow::nothing); }, true, false},
    {"delta_logprob", ATTN_TRANSLATE_NOOP("attn::ui", "Log probability without it"),
     ATTN_TRANSLATE_NOOP("attn::ui", "without the head, how much the output's log probability changes"),
     [](const DescribedHead& head) { return head.without.places > 0 ? head.without.logProbability : HeadRow::nothing; },
     true, false}};

} // namespace

std::span<const HeadMeasure> headMeasures()
{
    return measures;
}

namespace {

constexpr HeadKindRow kinds[] = {
    {ATTN_TRANSLATE_NOOP("attn::ui", "previous token"), "\u22121",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on the token before (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "next token"), "+1",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on the token after (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "same position"), "0",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on the same position (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "first token"), "|\u2039",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on the first token (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "same word"), "=",
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "of tokens that occur again, more than half of the weight on the others (Vig 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "induction"), "ab",
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "of tokens that came before, more than half of the weight on what followed them "
                         "(Olsson et al. 2022)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "special tokens"), "[]",
     ATTN_TRANSLATE_NOOP("attn::ui", "more than half of the weight on special tokens (Clark et al. 2019)")},
    {ATTN_TRANSLATE_NOOP("attn::ui", "broad"), "~",
     ATTN_TRANSLATE_NOOP(
         "attn::ui",
         "nearly equal weights: an evenness of 0.95 or more where there are four keys (after Clark et al. 2019)")}};

} // namespace

std::span<const HeadKindRow> headKindRows()
{
    return kinds;
}

std::optional<HeadKind> headKind(const HeadRow& row)
{
    if (row.rows < kindRows)
        return std::nullopt;
    if (row.wideEvenness >= broadEvenness) // before places: half of an even short row may lie on one of them
        return row.wideRows >= kindRows ? std::optional(HeadKind::Broad) : std::nullopt;
    double most = kindShare;
    std::optional<HeadKind> kind;
    for (const auto& [place, share, shuffled] : {std::tuple(HeadKind::Previous, row.previous, row.shuffled.previous),
                                                 {HeadKind::Next, row.next, row.shuffled.next},
                                                 {HeadKind::Self, row.self, row.shuffled.self},
                                                 {HeadKind::First, row.first, row.shuffled.first}}) {
        if (share > most && share > shuffled) {
            most = share;
            kind = place;
        }
    }
    if (kind)
        return kind;
    const auto isMost = [](double share, double shuffled) { return share > kindShare && share > shuffled; };
    if (row.sameRows >= sameTokenRows && isMost(row.same, row.shuffled.same))
        return HeadKind::SameToken;
    if (row.inductionRows >= sameTokenRows && isMost(row.induction, row.shuffled.induction))
        return HeadKind::Induction;
    return isMost(row.special, row.shuffled.special) ? std::optional(HeadKind::Special) : std::nullopt;
}

namespace {

constexpr int mostRows = 32;
constexpr int mostColumns = 40; // that are all compared one by one
constexpr int near = 8; // columns on each side of the diagonal
constexpr int intervals = 16; // of the columns that are not
constexpr int mostHeads = 1024;
constexpr int mostGroups = 8;
constexpr double alike = 0.1; // nats

double plogp(double p)
{
    return p > 0 ? -p * std::log(p) : 0.0;
}

// Appends a row that sums to one, or zeros.
void addSketchRow(HeadSketch& sketch, NumberView weights, int row)
{
    const int columns = weights.columns;
    if (!std::ranges::all_of(weights.row(row), [](float weight) { return std::isfinite(weight); }))
        sketch.entropy = std::numeric_limits<double>::quiet_NaN();
    const auto positive = [&](int column) { return std::max(0.0, static_cast<double>(weights.at(row, column))); };
    double sum = 0;
    for (int column = 0; column < columns; ++column)
        sum += positive(column);
    const bool whole = columns <= mostColumns;
    std::vector<double> cells(static_cast<std::size_t>(whole ? columns : 2 * near + 2 + intervals));
    const auto diagonal = static_cast<int>(std::int64_t{row} * columns / weights.rows);
    for (int column = 0; column < columns; ++column) {
        const int offset = column - diagonal;
        const int cell = whole         ? column
            : column == 0              ? 0
            : std::abs(offset) <= near ? 1 + near + offset
                                       : 2 * near + 2 + static_cast<int>(std::int64_t{column} * intervals / columns);
        cells[static_cast<std::size_t>(cell)] += positive(column);
    }
    for (const double cell : cells) {
        const double part = sum > 0 ? cell / sum : 0.0;
        sketch.cells.push_back(static_cast<float>(part));
        sketch.entropy += plogp(part);
    }
}

// The pairwise distances of groups, on which the nearest two are joined.
class Linkage
{
public:
    explicit Linkage(int count)
        : m_count(count)
        , m_distances(static_cast<std::size_t>(count) * static_cast<std::size_t>(count))
        , m_sizes(static_cast<std::size_t>(count), 1)
    {
    }

    double& at(int a, int b)
    {
        return m_distances[static_cast<std::size_t>(std::max(a, b)) * static_cast<std::size_t>(m_count)
                           + static_cast<std::size_t>(std::min(a, b))];
    }
    bool isGroup(int a) const { return m_sizes[static_cast<std::size_t>(a)] > 0; }

    // The one with the lower number goes on.
    void join(int a, int b)
    {
        const double ofA = m_sizes[static_cast<std::size_t>(a)];
        const double ofB = m_sizes[static_cast<std::size_t>(b)];
        for (int other = 0; other < m_count; ++other) {
            if (other != a && other != b && isGroup(other))
                at(a, other) = (ofA * at(a, other) + ofB * at(b, other)) / (ofA + ofB);
        }
        m_sizes[static_cast<std::size_t>(a)] += m_sizes[static_cast<std::size_t>(b)];
        m_sizes[static_cast<std::size_t>(b)] = 0;
    }

private:
    int m_count = 0;
    std::vector<double> m_distances; // of a < b at [b][a]
    std::vector<int> m_sizes; // 0: has gone into another one
};

} // namespace

HeadSketch headSketch(NumberView weights)
{
    HeadSketch sketch{weights.rows, weights.columns, {}, 0, std::min<int>(weights.rows, mostRows)};
    for (int i = 0; i < sketch.compared; ++i)
        addSketchRow(sketch, weights, static_cast<int>(std::int64_t{i} * weights.rows / sketch.compared));
    return sketch;
}

double headDistance(const HeadSketch& a, const HeadSketch& b)
{
    if (a.rows != b.rows || a.columns != b.columns || std::isnan(a.entropy) || std::isnan(b.entropy))
        return std::numbers::ln2;
    if (a.compared == 0)
        return 0;
    double mixed = 0; // entropy
    for (std::size_t i = 0; i < a.cells.size(); ++i)
        mixed += plogp((static_cast<double>(a.cells[i]) + static_cast<double>(b.cells[i])) / 2);
    return std::max(0.0, (mixed - (a.entropy + b.entropy) / 2) / a.compared);
}

std::vector<int> groupHeads(const std::vector<HeadSketch>& heads)
{
    const int count = indexSize(heads);
    std::vector<int> groups(heads.size());
    if (count > mostHeads)
        return groups;
    Linkage linkage(count);
    for (int a = 0; a < count; ++a) {
        ThreadStop::check();
        for (int b = 0; b < a; ++b)
            linkage.at(a, b) = headDistance(heads[static_cast<std::size_t>(a)], heads[static_cast<std::size_t>(b)]);
        groups[static_cast<std::size_t>(a)] = a;
    }
    for (int left = count; left > 1; --left) {
        ThreadStop::check();
        double least = std::numeric_limits<double>::infinity();
        std::pair<int, int> nearest;
        for (int a = 0; a < count; ++a) {
            for (int b = 0; linkage.isGroup(a) && b < a; ++b) {
                if (linkage.isGroup(b) && linkage.at(a, b) < least) {
                    least = linkage.at(a, b);
                    nearest = {b, a};
                }
            }
        }
        if (least > alike && left <= mostGroups)
            break;
        linkage.join(nearest.first, nearest.second);
        std::ranges::replace(groups, nearest.second, nearest.first);
    }
    std::map<int, int> numbers; // by the number of the first member
    for (int& group : groups)
        group = numbers.try_emplace(group, indexSize(numbers)).first->second;
    return groups;
}

} // namespace attn
