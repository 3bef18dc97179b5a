// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/kept_reading.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "trace/kept_readings.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

namespace attn::ui {

namespace {

constexpr const char* lensMethods[] = {"lens"};

// Arrays of the logit lens, [layers + 1, rows, tokens] and [layers + 1, rows].
struct Lens
{
    const ReadArray* ids = nullptr;
    const ReadArray* logs = nullptr;
    const ReadArray* answerLogs = nullptr;
    const ReadArray* ranks = nullptr;

    explicit Lens(const KeptReadings& kept)
        : ids(kept.find("lens_ids"))
        , logs(kept.find("lens_logprobs"))
        , answerLogs(kept.find("lens_answer_logprobs"))
        , ranks(kept.find("lens_answer_ranks"))
    {
    }

    bool isWhole() const
    {
        return ids != nullptr && logs != nullptr && answerLogs != nullptr && ranks != nullptr
            && logs->shape == ids->shape && answerLogs->shape == ranks->shape && rows() == answerLogs->shape[1]
            && states() == static_cast<int>(answerLogs->shape[0]);
    }
    int states() const { return static_cast<int>(ids->shape[0]); }
    int rows() const { return static_cast<int>(ids->shape[1]); }
    // The place of the best token of a state at a row.
    std::size_t best(int state, int row) const
    {
        return (static_cast<std::size_t>(state) * static_cast<std::size_t>(rows()) + static_cast<std::size_t>(row))
            * static_cast<std::size_t>(ids->shape[2]);
    }
    std::size_t answer(int state, int row) const
    {
        return static_cast<std::size_t>(state) * static_cast<std::size_t>(rows()) + static_cast<std::size_t>(row);
    }
    QString token(std::size_t place) const
    {
        return place < ids->texts.size() ? readableToken(ids->texts[place])
                                         : QStringLiteral("#%1").arg(ids->whole[place]);
    }
};

QString stateName(int state)
{
    return state == 0 ? Figure::tr("input") : Figure::tr("layer %1").arg(state - 1);
}

MatrixContent lensContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content;
    content.title.title = spec.title.isEmpty() ? titleOfRun(Figure::tr("Logit lens"), trace) : spec.title;
    content.title.subtitle = withModel(trace, Figure::tr("what the model would say if it ended after each layer"));
    content.empty = whyNotKept("lens", trace);
    const auto kept = trace.readings();
    if (!kept || !Lens(*kept).isWhole()) {
        content.description = content.empty;
        return content;
    }
    const Lens lens(*kept);
    content.map.numbers = Numbers::zeros(1, lens.states(), lens.rows());
    for (int state = 0; state < lens.states(); ++state) {
        content.rowLabels << stateName(state);
        for (int row = 0; row < lens.rows(); ++row)
            content.map.numbers.at(state, row) = std::exp(lens.logs->values[lens.best(state, row)]);
    }
    const std::vector<AxisGroup> written = trace.writesOn() ? tokenAxis(trace.textAndNext()) : std::vector<AxisGroup>();
    for (int row = 0; row < lens.rows(); ++row) {
        const auto token = static_cast<std::size_t>(row + trace.firstStepToken());
        content.columnLabels << (token < written.size() ? readableToken(written[token].label)
                                                        : outputLabel(trace, row));
    }
    content.valueName = Figure::tr("probability of the best token");
    content.rowAxis = Figure::tr("layer");
    content.columnAxis = trace.writesOn() ? Figure::tr("word (the step that writes it)") : Figure::tr("token");
    content.cellLabel = [kept](int state, int row) {
        const Lens lens(*kept);
        return lens.token(lens.best(state, row));
    };
    content.cellText = [kept](int state, int row) {
        const Lens lens(*kept);
        const std::size_t best = lens.best(state, row);
        const std::size_t answer = lens.answer(state, row);
        return Figure::tr("\u201C%1\u201D %2; the answer is number %3 with %4")
            .arg(lens.token(best), probabilityText(std::exp(lens.logs->values[best])),
                 QString::number(lens.ranks->whole[answer] + 1),
                 probabilityText(std::exp(lens.answerLogs->values[answer])));
    };
    setScale(content, spec, 1);
    if (const auto step = markedStep(spec, trace); step && *step < lens.rows())
        content.markedColumn = step;
    content.description = Figure::tr("%1: what the output layer says of %2 states at %3 tokens.")
                              .arg(content.title.title, QString::number(lens.states()), QString::number(lens.rows()));
    content.empty.clear();
    return content;
}

} // namespace

// The logit lens (nostalgebraist 2020): the output layer on every hidden state, layer by layer and token by token.
extern const FigureKind lensKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        FigureSpec alone = spec; // whatever reading is selected, and of this run
        alone.head = 0;
        alone.against.reset();
        return std::make_unique<MatrixFigure>(alone, lensContent(alone, trace), size);
    },
    .numbers = lensContent,
    .zooms = true,
    .drawsSite = false,
    .isIn = [](const Trace& trace) { return hasReading(trace, "lens"); },
    .readings = lensMethods,
    .cost = tokensCost};

} // namespace attn::ui
