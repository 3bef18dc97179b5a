// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"
#include "figures/parts/matrix_content.h"
#include "maps/map.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

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

// Label of the column with the part of each row that goes to no token but to the head's sink (gpt-oss).
QString sinkName();
// The labels of the groups, readable and never blank.
QStringList axisLabels(const MapAxis& axis);
// The tokens that ask for each row where its label names the word that it writes, and not its query; else empty.
QStringList rowQueries(const FigureSpec& spec, const Trace& trace, const MapAxis& rows);
// Labels of a map, of a difference of each pair of two texts: "chat", or "chat / chien" where they differ.
QStringList axisLabels(const Map& map, TokenSide side);
// A name of places of a source, and what the numbers are that name those of a picture or a sound.
QString withUnit(const QString& places, const Encoding& source);

// Rows and columns of the maps of the site's stage, which count as tokens where they are none.
std::pair<std::size_t, std::size_t> stageShape(const FigureSpec& spec, const Trace& trace);
// Heads of all layers.
std::size_t headCount(const FigureSpec& spec, const Trace& trace);
constexpr std::size_t leastHeadCost = 100; // of going through the weights of a head, however small its map

// Number of weights that are gone through in the time that its tokens take to be written.
std::size_t tokensCost(const FigureSpec& spec, const Trace& trace);
// And with the map of the spec, or the difference of two.
std::size_t shownMapCost(const FigureSpec& spec, const Trace& trace);

// Names of the rows and the columns of the site.
std::pair<QString, QString> axisTitles(const FigureSpec& spec, const Trace& trace);

// Content of an attention map, or of the difference of two where the spec compares runs: rows are output tokens,
// columns input tokens. Keys after their query in decoder self-attention are blank, not zero.
MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace);

// The name of what its numbers are: "attention weight".
QString valueName(const FigureSpec& spec);

// Why there is no such map.
Missing missingMap(const Map& map, const FigureSpec& spec, const Trace& trace);
// Why the trace has nothing for the site: NotYet, Stopped, AnyAttention or Site.
Missing missingAttention(const FigureSpec& spec, const Trace& trace);
// Whether a run of two texts has ended with nothing but special tokens.
bool writtenNothing(const Trace& trace, std::optional<StepId> leaf);
// Text in the place of a matrix that the spec asks of the trace; empty for Nothing.
QString missingText(Missing missing, const FigureSpec& spec, const Trace& trace);
QString missingText(const Map& map, const FigureSpec& spec, const Trace& trace);

// The row of the step that is looked at, where the site's rows are steps.
std::optional<int> stepRow(const FigureSpec& spec, const Trace& trace, const Map& map);
// The rows and columns that the steps up to the current one have written, where a figure fills as they are
// (FigureSpec::untilStep), of a difference those up to the first that the run on show has not written yet; with the
// last step all of them, also the row of the token that it gave.
WrittenPart writtenPart(const FigureSpec& spec, const Trace& trace, const Map& map);

QString attentionName(Stage stage, ModelKind kind); // "encoder-decoder attention"
QString siteName(Site site, ModelKind kind = {}); // "encoder-decoder attention, layer 2"
// "head 3", "mean over heads"; of so many: "head 3 of 8", "mean of 8 heads", and nothing of one.
QString headName(const HeadReading& head, std::optional<int> heads = {});
// The head or heads whose numbers are shown: those that are picked, where the reading combines some.
QString shownHeads(const FigureSpec& spec, const Trace& trace);
// "mean of heads 0, 2, 5", of several layers "mean of heads L0 H2, L3 H1".
QString headsName(const Reading& reading, const std::vector<HeadPlace>& picked, Site site);

// Provenance::decoding for people: "greedy", "beam 4", "sample, seed 1".
QString decodingText(const Trace& trace);

// spec.title wins; otherwise the kind of attention, and below it model, layer, head and decoding.
FigureTitle figureTitle(const FigureSpec& spec, const Trace& trace);

// The output token or label that a reading explains, for people: "“cat” rather than “dog”"; empty: none.
QString explainedName(const FigureSpec& spec, const Trace& trace);
// The same after "explains".
QString explainedText(const FigureSpec& spec, const Trace& trace);
// The output token or label at a position, as ReadingAbout counts it.
QString outputLabel(const Trace& trace, int position);

// The title of something that a run made: it says that the run was edited.
QString titleOfRun(const QString& title, const Trace& trace);

} // namespace attn::ui
