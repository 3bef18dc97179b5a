// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_rows.h"

#include "base/index.h"
#include "figures/look/attention_formulas.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace attn::ui {

// Each is defined in a file of its own.
extern const FigureKind headGridKind;
extern const FigureKind arcsKind;
extern const FigureKind textKind;
extern const FigureKind decodingKind;
extern const FigureKind beamKind;
extern const FigureKind positionsKind;
extern const FigureKind expertsKind;
extern const FigureKind labelsKind;
extern const FigureKind lensKind;
extern const FigureKind directKind;
extern const FigureKind pictureKind;
extern const FigureKind soundKind;
QWidget* makeHeatmapView(const ViewContext& context);
QWidget* makeHeadGridView(const ViewContext& context);
QWidget* makeLinesView(const ViewContext& context);
QWidget* makeTextView(const ViewContext& context);
QWidget* makeBeamView(const ViewContext& context);
QWidget* makePositionView(const ViewContext& context);
QWidget* makeExpertsView(const ViewContext& context);
QWidget* makeLabelsView(const ViewContext& context);
QWidget* makeLensView(const ViewContext& context);
QWidget* makeDirectView(const ViewContext& context);
QWidget* makePictureView(const ViewContext& context);
QWidget* makeSoundView(const ViewContext& context);

namespace {

// A figure that needs no input of its own.
template<const FigureKind& kind>
QWidget* makeFigureView(const ViewContext& context)
{
    return new FigureView(kind, context);
}

// Models that add an encoding or compute with positions; of an archive that is not known.
bool hasPositions(const Study& study)
{
    const auto& model = study.model();
    return model ? !model->positions.empty() || !formulas::ofScheme(model->info.positions.scheme).empty()
                 : !study.showsArchive();
}

bool hasSeveralHeads(const Study& study)
{
    const Trace& trace = study.trace();
    const std::vector<Site> sites = trace.sites();
    return trace.source().size() == 0 || sites.size() > 1 || (sites.size() == 1 && trace.heads(sites.front()) > 1);
}

// More than the output itself.
bool hasSearched(const Study& study)
{
    const Trace& trace = study.trace();
    const bool isUnknown = trace.source().size() == 0 && !study.onlyReads();
    return isUnknown || trace.provenance().decoding.starts_with("beam") || trace.stepCount() > indexSize(trace.path());
}

// Texts longer than a line, which the sentences over the views show a part of, and what looks at a text from several
// places that are no words: all else the sentences show.
bool isBeyondTheStage(const Study& study)
{
    constexpr std::size_t mostOfALine = 24; // tokens
    const Trace& trace = study.trace();
    const Encoding& source = trace.source();
    if (!source.boxes.empty() || !source.times.empty())
        return false;
    const auto ofNoTokens = [&trace](const Site& site) {
        return trace.rowAxis(site) == AttentionAxis::Hops || trace.rowAxis(site) == AttentionAxis::Sentences;
    };
    return std::max(source.size(), trace.path().size()) > mostOfALine || std::ranges::any_of(trace.sites(), ofNoTokens);
}

constexpr ViewRow rows[] = {
    {"heatmap", QT_TRANSLATE_NOOP("attn::ui", "Heatmap"), nullptr, &heatmapKind, makeHeatmapView},
    {"grid", QT_TRANSLATE_NOOP("attn::ui", "All heads"), nullptr, &headGridKind, makeHeadGridView, hasSeveralHeads},
    {"arcs", QT_TRANSLATE_NOOP("attn::ui", "Lines"), nullptr, &arcsKind, makeLinesView},
    {"text", QT_TRANSLATE_NOOP("attn::ui", "Text"), nullptr, &textKind, makeTextView, isBeyondTheStage},
    {"decoding", QT_TRANSLATE_NOOP("attn::ui", "Step"), QT_TRANSLATE_NOOP("attn::ui", "Token"), &decodingKind,
     makeFigureView<decodingKind>},
    {"beam", QT_TRANSLATE_NOOP("attn::ui", "Beam tree"), nullptr, &beamKind, makeBeamView, hasSearched},
    {"picture", QT_TRANSLATE_NOOP("attn::ui", "Picture"), nullptr, &pictureKind, makePictureView},
    {"sound", QT_TRANSLATE_NOOP("attn::ui", "Sound"), nullptr, &soundKind, makeSoundView},
    {"labels", QT_TRANSLATE_NOOP("attn::ui", "Labels"), nullptr, &labelsKind, makeLabelsView},
    {"experts", QT_TRANSLATE_NOOP("attn::ui", "Experts"), nullptr, &expertsKind, makeExpertsView},
    {"lens", QT_TRANSLATE_NOOP("attn::ui", "Logit lens"), nullptr, &lensKind, makeLensView},
    {"direct", QT_TRANSLATE_NOOP("attn::ui", "Who wrote it"), nullptr, &directKind, makeDirectView},
    {"positional", QT_TRANSLATE_NOOP("attn::ui", "Positions"), nullptr, &positionsKind, makePositionView,
     hasPositions}};

} // namespace

std::span<const ViewRow> viewRows()
{
    return rows;
}

} // namespace attn::ui
