// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_recipe.h"

#include "figures/kinds/shown_matrix.h"
#include "readings/head_reading.h"
#include "trace/archive.h"
#include "views/view_rows.h"

#include <QStringList>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn::ui {

namespace {

void addSpec(CommandLine& options, const FigureSpec& spec, const Trace& trace)
{
    const auto rows = viewRows();
    const auto view =
        std::find_if(rows.begin(), rows.end(), [&](const ViewRow& row) { return row.figure == spec.kind; });
    if (view != rows.begin() && view != rows.end())
        options.add("view", std::string(view->id));
    if (!spec.kind->drawsPositions && trace.heads(spec.site) > 0)
        options.add("site", siteText({spec.site, spec.head}));
    if (spec.leaf)
        options.add("leaf", std::to_string(numberOf(*spec.leaf)));
    std::vector<int> refolded;
    for (const StepId step : spec.refolded)
        refolded.push_back(numberOf(step));
    if (!refolded.empty())
        options.add("refold", option::written(refolded));
    FigureChoices choices = spec;
    if (!shownTexts(spec.mapSpec(), trace))
        choices.pair = PairFilter::All; // which is refused of one text
    for (const auto& row : figureRows())
        options.addRow(row, choices);
}

} // namespace

FigureProvenance figureProvenance(const FigureSpec& spec, const Trace& trace, const FigureOrigin& origin,
                                  const QString& file, const ExportOptions& options)
{
    const Provenance& run = trace.provenance();
    FigureProvenance made = ownProvenance();
    const bool ofModel = spec.kind->drawsPositions;
    made.model = QString::fromStdString(ofModel || run.model.empty() ? origin.model : run.model);
    const auto form = archiveForm(file.toStdString());
    if (origin.weightsSha256 && !form)
        made.weightsSha256 = origin.weightsSha256(options.stop);
    if (!ofModel) {
        const std::uint64_t seed = origin.question ? origin.question->decoding.seed : run.seed;
        const auto& second = origin.question ? origin.question->secondText : run.secondText;
        made.text = QString::fromStdString(run.text);
        made.secondText = QString::fromStdString(second.value_or(std::string()));
        made.decoding = QString::fromStdString(run.decoding);
        made.seed = QString::number(seed);
        QStringList edits;
        for (const std::string& edit : run.edits)
            edits << QString::fromStdString(edit);
        made.edits = edits.join(QLatin1Char(' '));
    }
    made.obstacle = origin.obstacle;
    if (made.obstacle.isEmpty() && origin.question && isBeyondOptions(*origin.question))
        made.obstacle = Figure::tr("the run was asked for something that the command line has no option for");
    if (!made.obstacle.isEmpty())
        return made;
    if (form) {
        made.command = QString::fromStdString(traceCommand(origin, spec.leaf, *form));
        return made;
    }
    CommandLine words("figure", origin.model);
    if (!ofModel)
        words.addRun(origin);
    addSpec(words, spec, trace);
    words.add("against", origin.against);
    words.add("against-run", origin.againstRun);
    words.add("against-edit", origin.againstEdit);
    if (origin.threads != 0)
        words.add("threads", std::to_string(origin.threads));
    for (const auto& row : exportRows())
        words.addRow(row, options);
    words.add("output", "figure." + std::string(exportFormatOf(file, options.report)->suffix));
    made.command = QString::fromStdString(words.text());
    return made;
}

} // namespace attn::ui
