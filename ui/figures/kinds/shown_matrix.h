// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/words.h"
#include "base/index.h"
#include "figures/figure.h"
#include "figures/look/style.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn::ui {

// What of a sentence pair is shown, by PairFilter.
struct PairRow
{
    const char* id; // in settings and on the command line
    const char* title; // for translated()
    int query = 0; // which of the two texts
    int key = 0;
};
std::span<const PairRow> pairRows();
// Whether some of the attention is left out for it: a run of two texts, in the encoder.
bool filtersPair(const FigureSpec& spec, const Trace& trace);
struct SpecialsRow
{
    const char* id; // likewise
    const char* title; // for the same
};
inline constexpr SpecialsRow specialsRows[] = { // by SpecialTokens
    {"shown", QT_TRANSLATE_NOOP("attn::ui", "Shown")},
    {"hidden", QT_TRANSLATE_NOOP("attn::ui", "Hidden")},
    {"renormalized", QT_TRANSLATE_NOOP("attn::ui", "Hidden, rows renormalised")}};

// Why there is no matrix to show.
enum class Missing : std::uint8_t {
    Nothing, // there is one
    NotYet, // the run goes on
    Stopped, // the run was ended before there was one
    AnyAttention, // the model has none
    Site, // the run has others
    Head,
    Reading, // the run lacks something for it
    Step,
    Tokens, // all of them are hidden
    Search, // the model only reads
    Output, // nothing was written, or not yet
};

// Those of the span, which may end behind them, counted as they are shown; without one, all.
template<class Places>
Places within(const Places& places, const std::optional<ShownSpan>& span)
{
    if (!span)
        return places;
    const int count = indexSize(places);
    const int first = std::clamp(span->first, 0, count);
    const int last = std::clamp(span->last, first - 1, count - 1);
    return {places.begin() + first, places.begin() + last + 1};
}

// The matrix that a spec asks of a trace, with its axes, after merging and leaving tokens out. Heatmap, grid, arcs and
// the CSV export share it.
struct ShownMatrix
{
    Numbers matrix; // empty: something is missing
    std::vector<AxisGroup> rowGroups;
    std::vector<AxisGroup> columnGroups;
    QStringList rowLabels; // readable, never blank
    QStringList columnLabels;
    Missing missing = Missing::Nothing;
    bool filtered = false; // tokens were left out, so a row may sum to less than 1
};

// Which rows and columns of a site's matrices are shown; the same for all heads and all layers of a stage.
struct MatrixAxes
{
    bool merges = false;
    std::vector<AxisGroup> allRows; // after merging
    std::vector<AxisGroup> allColumns;
    std::vector<int> rows; // of all, those that are shown
    std::vector<int> columns;
    std::vector<int> summed; // columns over which a row is scaled to sum to 1; empty: as it is
    std::vector<AxisGroup> rowGroups; // those that are shown
    std::vector<AxisGroup> columnGroups;

    bool filtered() const { return rows.size() != allRows.size() || columns.size() != allColumns.size(); }
};

// For matrices of the site's stage with so many rows and columns.
MatrixAxes matrixAxes(const FigureSpec& spec, const Trace& trace, int rows, int columns);
// What the axes show of a matrix. A reading that is no distribution is never scaled.
Numbers shownValues(const MatrixAxes& axes, Numbers matrix, const HeadReading& head);

// Rows and columns of the maps of the site's stage, which count as tokens where they are none.
std::pair<std::size_t, std::size_t> stageShape(const FigureSpec& spec, const Trace& trace);
// Of all its layers.
std::size_t headCount(const FigureSpec& spec, const Trace& trace);
constexpr std::size_t leastHeadCost = 100; // of going through the weights of a head, however small its map

// How many weights are gone through for a map of the site, whatever is shown of it.
std::size_t mapSize(const FigureSpec& spec, const Trace& trace);
// How many weights are gone through in the time that its tokens take to be written.
std::size_t tokensCost(const FigureSpec& spec, const Trace& trace);

// Never throws for what the trace lacks: another site, head or hypothesis. Rows that are not shown are not computed.
ShownMatrix shownMatrix(const FigureSpec& spec, const Trace& trace);
// The same without its numbers, of which nothing is computed; its matrix is empty.
ShownMatrix shownAxes(const FigureSpec& spec, const Trace& trace);

// What the rows and the columns of the site are called.
std::pair<QString, QString> axisTitles(const FigureSpec& spec, const Trace& trace);

// As an attention map, or of a spec that compares two runs as the difference of two: rows are output tokens, columns
// input tokens. Keys after their query in decoder self-attention are blank, not zero.
MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace);

// Why the trace has nothing for the site: NotYet, Stopped, AnyAttention or Site.
Missing missingAttention(const FigureSpec& spec, const Trace& trace);
// What is said in the place of a matrix that the spec asks of the trace; empty for Nothing.
QString missingText(Missing missing, const FigureSpec& spec, const Trace& trace);

// The group that holds a token.
std::optional<int> groupOf(const std::vector<AxisGroup>& groups, int token);
std::vector<int> firstTokens(const std::vector<AxisGroup>& groups);
// Whether the site's rows are decoding steps: of an encoder-decoder the step that writes the row's word, of a
// decoder-only model the one that reads the row's token and predicts what follows. Of an encoder-only model they are
// the tokens that can be chosen.
bool hasStepRows(const FigureSpec& spec, const Trace& trace);
// The row of the step that is looked at, where the site's rows are steps.
std::optional<int> stepRow(const FigureSpec& spec, const Trace& trace, const ShownMatrix& shown);

// The first token that was generated, counted in the axes of a decoder-only run; past every token for other runs.
int firstGenerated(const Trace& trace);

// Whether a key lies after its query, where decoder self-attention cannot look.
bool isFuture(const AxisGroup& query, const AxisGroup& key);

QString attentionName(Stage stage, ModelKind kind); // "encoder-decoder attention"
QString siteName(Site site, ModelKind kind = ModelKind::EncoderDecoder); // "encoder-decoder attention, layer 2"
// "head 3", "mean over heads"; of so many: "head 3 of 8", "mean of 8 heads", and nothing of one.
QString headName(const HeadReading& head, std::optional<int> heads = {});
// "mean of heads 0, 2, 5", of several layers "mean of heads L0 H2, L3 H1".
QString headsName(const Reading& reading, const std::vector<HeadPlace>& picked, Site site);

// Provenance::decoding for people: "greedy", "beam:4", "sample seed=1".
QString decodingText(const Trace& trace);

// spec.title wins; otherwise the kind of attention, and below it model, layer, head and decoding.
FigureTitle figureTitle(const FigureSpec& spec, const Trace& trace);

// The title of something that a run made: it says that the run was edited.
QString titleOfRun(const QString& title, const Trace& trace);

} // namespace attn::ui
