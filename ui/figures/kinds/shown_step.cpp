// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_step.h"

#include "analysis/output_change.h"
#include "base/encoding.h"
#include "base/index.h"
#include "figures/figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "figures/parts/no_numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace attn::ui {

namespace {

using Entries = std::vector<BarListContent::Entry>;

Entries entriesOf(const std::vector<Candidate>& candidates, const std::vector<std::string>& pieces,
                  const Candidate& taken, const std::string& takenPiece)
{
    Entries entries;
    const auto add = [&](const std::string& piece, const Candidate& candidate) {
        entries.push_back({readableToken(piece), std::exp(double{candidate.logProbability}),
                           candidate.token == taken.token, candidate.token});
    };
    for (int i = 0; i < indexSize(candidates); ++i)
        add(i < indexSize(pieces) ? pieces[i] : '<' + std::to_string(candidates[i].token) + '>', candidates[i]);
    if (!candidates.empty() && taken.token != noTokenId && std::ranges::none_of(entries, &BarListContent::Entry::taken))
        add(takenPiece, taken);
    return entries;
}

Entries classesOf(const Classification& result)
{
    Entries entries;
    for (int i = 0; i < std::min(indexSize(result.probabilities), indexSize(result.labels)); ++i)
        entries.push_back({readableToken(result.labels[i]), result.probabilities[i], i == result.best()});
    std::ranges::stable_sort(entries, std::ranges::greater(),
                             [](const BarListContent::Entry& entry) { return numberOrLeast(entry.value); });
    return entries;
}

Entries answersOf(const TokenPredictions& predictions, const Encoding& source)
{
    constexpr std::size_t most = 20;
    Entries entries;
    for (const AnswerSpan& span : bestSpans(predictions, source, most))
        entries.push_back({readableToken(textOf(source, span)), span.probability, entries.empty()});
    return entries;
}

// Null: there is none.
const TracePrediction* predictionAt(const Trace& trace, int token)
{
    const auto found = std::ranges::find_if(
        trace.predictions(), [token](const auto& prediction) { return prediction->prediction.position == token; });
    return found == trace.predictions().end() ? nullptr : found->get();
}

const TraceStep* stepAt(const Trace& trace, std::optional<StepId> leaf, int step)
{
    const Trace::Path rows = trace.rowPath(leaf);
    return step >= 0 && step < indexSize(rows) ? rows[step].get() : nullptr;
}

Entries expectedAt(const Trace& trace, int token)
{
    const TracePrediction* const found = predictionAt(trace, token);
    if (found == nullptr)
        return {};
    const Encoding& source = trace.source();
    const auto& pieces = source.labels.empty() ? source.tokens : source.labels;
    const MaskedPrediction& prediction = found->prediction;
    return entriesOf(prediction.candidates, found->candidateTexts, {source.ids.at(token), prediction.logProbability},
                     token < indexSize(pieces) ? pieces[token] : std::string());
}

} // namespace

std::optional<int> stepWorthSeeing(const Trace& trace, std::optional<StepId> leaf)
{
    const int count = trace.steps(leaf);
    if (count == 0)
        return std::nullopt;
    if (!trace.stepsAreTokens() && trace.continuesSource()) {
        const Encoding text = trace.sequence(leaf);
        int end = count;
        while (end > 1 && isSpecial(text, end - 1 + trace.firstStepToken()))
            --end;
        return end - 1;
    }
    if (!trace.stepsAreTokens()) { // of those that were found, not given, but for the end
        const Trace::Path path = trace.path(leaf);
        const Encoding target = trace.target(leaf);
        const int given = std::min(trace.givenSteps(), count - 1);
        int end = count;
        while (end > given + 1 && isSpecial(target, end - 1))
            --end;
        return given + mostUncertainStep({path.begin() + given, path.begin() + end});
    }
    const Encoding& source = trace.source();
    if (const auto mask = std::ranges::find_if(source.tokens, isMaskPiece); mask != source.tokens.end())
        return static_cast<int>(std::distance(source.tokens.begin(), mask));
    for (int token = 0; token < count; ++token) {
        if (!isSpecial(source, token) || !source.boxes.empty())
            return token;
    }
    return count - 1;
}

int firstWrittenStep(const Trace& trace, std::optional<StepId> leaf)
{
    const bool goesOn = trace.continuesSource() && indexSize(trace.stepTokens(leaf)) > trace.firstGenerated();
    return goesOn ? std::max(0, trace.firstGenerated() - trace.firstStepToken()) : 0;
}

std::optional<int> shownStep(const FigureSpec& spec, const Trace& trace)
{
    const int count = trace.rowCount(spec.leaf);
    return count > 0 && spec.currentStep ? std::clamp(*spec.currentStep, 0, count - 1)
                                         : stepWorthSeeing(trace, spec.leaf);
}

std::optional<int> markedStep(const FigureSpec& spec, const Trace& trace)
{
    if (spec.noMark)
        return std::nullopt;
    return spec.markStep && !spec.currentStep ? stepWorthSeeing(trace, spec.leaf) : spec.currentStep;
}

Entries candidatesAt(const Trace& trace, std::optional<StepId> leaf, std::optional<int> step)
{
    if (trace.classification())
        return classesOf(*trace.classification());
    if (const auto& match = trace.match(); match && !match->labelTexts.empty())
        return classesOf(classification(match->labelTexts, match->labelSimilarities, match->reading));
    const auto& labelled = trace.tokenPredictions();
    if (labelled && labelled->task == TaskHead::Span)
        return answersOf(*labelled, trace.source());
    if (!step)
        return {};
    if (labelled)
        return *step < labelled->logits.rows ? classesOf(labelled->ofToken(*step)) : Entries();
    if (trace.stepsAreTokens())
        return expectedAt(trace, *step);
    const TraceStep* const taken = stepAt(trace, leaf, *step);
    if (taken == nullptr)
        return {};
    return entriesOf(taken->step.candidates, taken->candidateTexts, {taken->step.token, taken->step.logProbability},
                     taken->text);
}

QString predictionTitle(const Trace& trace)
{
    if (const auto& classes = trace.classification())
        return classes->reading == ClassReading::Value ? Figure::tr("predicted value")
            : classes->reading == ClassReading::AnyOf  ? Figure::tr("probability of each class")
                                                       : Figure::tr("probability of the class");
    if (const auto& match = trace.match(); match && !match->labelTexts.empty())
        return match->reading == ClassReading::OneOf ? Figure::tr("probability of the text")
                                                     : Figure::tr("probability of each text");
    if (const auto& labelled = trace.tokenPredictions())
        return labelled->task == TaskHead::Span ? Figure::tr("probability of the answer")
                                                : Figure::tr("probability of the label");
    return {};
}

QString attentionOnly()
{
    return Figure::tr("Attention only: this model has no head that predicts anything");
}

bool areLogitsLost(const Trace& trace, std::optional<StepId> leaf, std::optional<int> step)
{
    if (!step)
        return false;
    if (trace.stepsAreTokens()) {
        const TracePrediction* const found = predictionAt(trace, *step);
        return found != nullptr && found->prediction.isLost();
    }
    const TraceStep* const taken = stepAt(trace, leaf, *step);
    return taken != nullptr && taken->step.isLost();
}

double scaleEnd(const Entries& candidates)
{
    std::vector<float> values;
    for (const auto& candidate : candidates)
        values.push_back(static_cast<float>(std::max(candidate.value, candidate.drawn.value_or(0))));
    return weightScaleEnd(values);
}

FigureSpec stepAttention(FigureSpec spec, const Trace& trace)
{
    spec.words = true;
    spec.specials = SpecialTokens::Shown;
    spec.pair = PairFilter::All;
    spec.rows.reset();
    spec.columns.reset();
    spec.against.reset();
    if (trace.hasOneText() || spec.site.stage == Stage::Cross)
        return spec;
    for (const Site& site : trace.sites()) {
        if (site.stage == Stage::Cross) {
            spec.site = site;
            spec.head = trace.heads(site) > 1 ? HeadReading(meanOfHeads) : HeadReading(0);
        }
    }
    return spec;
}

} // namespace attn::ui
