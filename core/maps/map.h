// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/run_difference.h"
#include "analysis/words.h"
#include "edits/attention_edits.h"
#include "maps/map_spec.h"
#include "trace/trace.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace attn {

// The rows or columns of a map that are shown, after merging, filtering and cropping. Of a difference, those of both
// runs.
struct MapAxis
{
    static constexpr int sink = -1; // first of the column that stands before the tokens for what goes to none of them
    static constexpr int noToken = -2;

    AttentionAxis kind = AttentionAxis::Tokens;
    // Places of the first run where this is a difference, and without tokens where only the second has them. Empty: no
    // places of a run.
    std::vector<AxisGroup> groups = {};
    std::vector<bool> sinks = {}; // draw attention whatever the text is: the first token, special tokens
    PairedPlaces pairs = {}; // of a difference: where they are in the two maps; empty: it is none
    int before = 0; // tokens of the text before the first of the axis: none of its rows writes the first token
    std::optional<int> unwritten = {}; // the token that stands for what comes next

    bool hasLone() const
    {
        return std::ranges::any_of(pairs, [](const PairedPlace& place) { return !place.isPaired(); });
    }
    bool isLone(Index index) const { return !pairs.empty() && !pairs[static_cast<std::size_t>(index)].isPaired(); }
    std::optional<Index> indexOf(int token) const; // of the group that holds it
    std::optional<int> token(Index index) const; // its first; none: it is no token
    std::vector<int> tokens() const; // the first of each, sink or noToken; empty: they are no tokens
    // The same by their places in the text, which rows and columns share.
    std::optional<int> textToken(Index index) const;
    std::vector<int> textTokens() const;
    bool isSink(Index index) const { return index == 0 && !groups.empty() && groups.front().first == sink; }
};

// Reasons that there is no map.
enum class MapLack : std::uint8_t {
    Nothing, // there is one
    Attention, // of the site
    Head,
    Step, // the hypothesis
    Reading, // the run lacks something for it
    Tokens // all of them are hidden
};

enum class CellState : std::uint8_t {
    Plain,
    Edited, // edits of the run changed it
    Hidden, // or hid it
    NaN, // no number, or infinite
    Blank, // cannot have a value: the key lies after its query
    OnlyFirst, // of two runs
    OnlySecond,
    Neither // its row is in one of two runs, its column in the other
};

struct ComparedMaps;

// Everything that is drawn as rows by columns: one reading of one attention, the difference of two, or any other
// matrix.
struct Map
{
    MapLack lack = MapLack::Nothing;
    MapAxis rows = {};
    MapAxis columns = {};
    Numbers numbers = {}; // [rows, columns]; NaN where one of two runs has the cell alone; empty: the axes alone
    std::vector<CellState> states = {}; // row by row; empty: each is Plain or NaN
    bool isFiltered = false; // tokens were left out, so that a row may sum to less than 1
    bool isSigned = false; // numbers of both signs: a difference, or a reading that has them
    std::shared_ptr<const ComparedMaps> compared = {}; // of a difference

    bool isDifference() const { return compared != nullptr; }
    bool hasLone() const { return rows.hasLone() || columns.hasLone(); }
    float at(Index row, Index column) const { return numbers.at(row, column); }
    CellState state(Index row, Index column) const
    {
        if (!states.empty())
            return states[static_cast<std::size_t>(std::ptrdiff_t{row} * numbers.columns + column)];
        return std::isfinite(numbers.at(row, column)) ? CellState::Plain : CellState::NaN;
    }
    // Whether there is a number to show.
    bool hasNumber(Index row, Index column) const { return state(row, column) <= CellState::Hidden; }
    // The number as it is drawn: 0 where there is none. As sums count it, it is NaN where it should be one.
    float drawn(Index row, Index column) const { return hasNumber(row, column) ? at(row, column) : 0; }
    float counted(Index row, Index column) const { return state(row, column) <= CellState::NaN ? at(row, column) : 0; }
    bool isNaN(Index row, Index column) const { return state(row, column) == CellState::NaN; }
    bool isBlank(Index row, Index column) const { return state(row, column) == CellState::Blank; }
    bool isLone(Index row, Index column) const { return state(row, column) >= CellState::OnlyFirst; }
    // The largest number, of numbers of both signs the one furthest from zero; none: there are no numbers.
    std::optional<std::pair<Index, Index>> largest() const;
    CellMark mark(Index row, Index column) const;
    std::vector<CellMark> marks() const; // of all cells, row by row; empty: nothing was edited
    std::int64_t count(CellState state) const;
    // Cells of a matrix of which a test says that they have no value.
    void setBlank(const std::function<bool(Index row, Index column)>& isBlank);
};

// The two maps that are subtracted.
struct ComparedMaps
{
    Map first;
    Map second;
};

// Makes maps of one run. What the axes of a stage have in common is worked out once.
class MapMaker
{
public:
    MapMaker(const Trace& trace, MapSpec spec);

    // The map without its numbers: nothing is computed. Never throws for what the run lacks.
    Map axes();
    // Rows that are not shown are not computed. Throws Error{Cancelled} by ThreadStop.
    Map map();
    // A map of another site of the stage, all of whose numbers, [rows, columns] with those of sinks, are known already.
    Map map(Site site, const HeadReading& head, const Numbers& all);

    // The mark of a whole head that edits of the run changed: hidden where every cell is.
    CellMark editOf(Site site, int head) const;

private:
    struct Axes;

    MapLack lack(Site site, const HeadReading& head) const;
    const Axes& axesFor(Site site, MatrixShape shape, bool sinks); // shape: of the tokens
    Map emptyMap(Site site, const HeadReading& head);
    void markFuture(Map& map) const;
    void markEdits(Map& map) const;
    static void markUnknown(Map& map, const std::vector<Index>& known);

    Trace m_trace;
    MapSpec m_spec;
    std::vector<Edit> m_edits; // of the run
    std::shared_ptr<const Axes> m_axes; // those made last
};

// The edits of a run, as far as they can be read.
std::vector<Edit> editsOfRun(const Trace& trace);

Map mapOf(const Trace& trace, const MapSpec& spec);
Map mapAxes(const Trace& trace, const MapSpec& spec);
// One row of a map of tokens, its columns merged into words.
Map rowOfWords(const Map& map, Index row, const Encoding& columns);

// The first less the second, as rows and columns are paired, and of these what the spec asks for. Both are whole: a
// crop is one of the pairs. Without numbers where they have none.
Map difference(Map first, Map second, const MapSpec& spec);
// A difference whose rows and columns are paired already.
Map difference(Map first, Map second, PairedPlaces rows, PairedPlaces columns);
// The difference of two runs; the second shows its best hypothesis.
Map differenceOf(const Trace& first, const Trace& second, const MapSpec& spec);
Map differenceAxes(const Trace& first, const Trace& second, const MapSpec& spec); // without numbers
// One row of the first less one of the second, counted as each shows them alone; all columns that they share or not.
Map differenceOfRows(const Trace& first, const Trace& second, const MapSpec& spec, std::pair<Index, Index> rows);
// A run that maps are made of, or the difference of two.
struct ShownRuns
{
    const Trace& trace;
    const Trace* second = nullptr; // that is subtracted

    int heads(Site site) const; // that both have
    Map map(const MapSpec& spec) const;
    Map axes(const MapSpec& spec) const; // without numbers
    std::size_t costFactor() const; // by which a map of it takes longer than one of a run
};
// The spec without its crop.
MapSpec uncropped(MapSpec spec);

} // namespace attn
