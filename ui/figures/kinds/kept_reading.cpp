// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/kept_reading.h"

#include "figures/figure.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "trace/kept_readings.h"
#include "trace/site.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace attn::ui {

namespace {

// Array of the position that the spec explains; null: it is not there.
const ReadArray* directArray(const FigureSpec& spec, const Trace& trace, const char* name)
{
    const auto& kept = trace.readings();
    return kept ? kept->find(name, {.of = spec.about.of, .against = spec.about.against}) : nullptr;
}

// Contributions of the heads of a stage.
void addHeads(std::vector<Contribution>& all, const FigureSpec& spec, const Trace& trace, Stage stage)
{
    const ReadArray* const array = directArray(spec, trace, (std::string(stageText(stage)) + "_direct").c_str());
    if (array == nullptr || array->shape.size() != 2)
        return;
    const auto heads = static_cast<int>(array->shape[1]);
    for (int number = 0; number < static_cast<int>(array->values.size()); ++number)
        all.push_back(
            {Site{stage, number / heads}, number % heads, {}, array->values[static_cast<std::size_t>(number)]});
}

} // namespace

bool hasReading(const Trace& trace, const char* method)
{
    return trace.readings() && !trace.readings()->lacks.contains(method);
}

QString withModel(const Trace& trace, const QString& text)
{
    const std::string& model = trace.provenance().model;
    return model.empty() ? text : readableToken(model) + QStringLiteral(" \u00B7 ") + text;
}

QString whyNotKept(const char* method, const Trace& trace)
{
    const auto& kept = trace.readings();
    if (!kept || !kept->lacks.contains(method))
        return Figure::tr("Not computed yet: it needs a finished run of the model");
    return Figure::tr("Not here: %1.").arg(translated(kept->lacks.at(method).c_str()));
}

std::vector<Contribution> contributionsOf(const FigureSpec& spec, const Trace& trace)
{
    std::vector<Contribution> all;
    const ReadArray* const embedding = directArray(spec, trace, "embedding_direct");
    const ReadArray* const rest = directArray(spec, trace, "rest_direct");
    if (embedding == nullptr || rest == nullptr)
        return all;
    addHeads(all, spec, trace, Stage::Decoder);
    addHeads(all, spec, trace, Stage::Cross);
    if (const ReadArray* const layers = directArray(spec, trace, "mlp_direct")) {
        for (int layer = 0; layer < static_cast<int>(layers->values.size()); ++layer)
            all.push_back({Site{Stage::Decoder, layer}, 0, Contribution::Part::FeedForward,
                           layers->values[static_cast<std::size_t>(layer)]});
    }
    all.push_back({{}, 0, Contribution::Part::Embedding, embedding->values.front()});
    all.push_back({{}, 0, Contribution::Part::Rest, rest->values.front()});
    std::ranges::stable_sort(
        all, [](const Contribution& a, const Contribution& b) { return std::abs(a.value) > std::abs(b.value); });
    return all;
}

} // namespace attn::ui
