// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Readings that a model computes and a trace keeps.
#include "base/utf8.h"
#include "readings/reading.h"
#include "trace/site.h"

#include <algorithm>
#include <span>

namespace attn {

extern const char* const notComputed = ATTN_TRANSLATE_NOOP("attn::ui", "not computed yet for this run");

namespace {

// None: a reading of tokens says nothing about what the site's rows are.
std::optional<std::string> sideOf(const Trace& trace, Site site)
{
    const AttentionAxis rows = trace.rowAxis(site);
    if ((rows != AttentionAxis::Tokens && rows != AttentionAxis::Text)
        || trace.columnAxis(site) != AttentionAxis::Tokens)
        return std::nullopt;
    const bool ofSource = trace.hasOneText() || site.stage == Stage::Cross;
    return ofSource ? std::optional("source_") : site.stage == Stage::Decoder ? std::optional("target_") : std::nullopt;
}

std::string arrayOf(const ReadingInput& input)
{
    return keptArray(*input.reading, input.trace, input.site, !input.head);
}

// Integrated gradients whose path has not settled mean nothing.
bool isSettled(const ReadArray& array)
{
    return !array.completeness || array.completeness->settled();
}

// Arrays of one position each, by position, of a reading of tokens.
struct KeptRows
{
    std::vector<std::pair<int, const ReadArray*>> shown;
    bool unsettled = false; // there are others
};
KeptRows keptRows(const ReadingInput& input)
{
    KeptRows rows;
    const std::string name = arrayOf(input);
    const auto& kept = input.trace.readings();
    if (!kept || name.empty())
        return rows;
    for (auto at = kept->arrays.lower_bound({name, {}}); at != kept->arrays.end() && at->first.first == name; ++at) {
        const ReadingAbout& about = at->first.second;
        if (!about.of || about.against != input.about.against || !(input.about.all || about.of == input.about.of))
            continue;
        if (isSettled(*at->second))
            rows.shown.emplace_back(*about.of, at->second.get());
        else
            rows.unsettled = true;
    }
    return rows;
}

// Null: it is not there.
const ReadArray* keptMaps(const ReadingInput& input)
{
    const auto& kept = input.trace.readings();
    const std::string name = arrayOf(input);
    if (!kept || name.empty())
        return nullptr;
    return kept->find(name, input.reading->computed->explains ? input.about : ReadingAbout{});
}

const char* lackOfComputed(const ReadingInput& input)
{
    const ComputedReading& how = *input.reading->computed;
    const auto& kept = input.trace.readings();
    if (input.leaf && input.leaf != input.trace.bestLeaf())
        return ATTN_TRANSLATE_NOOP("attn::ui", "it is computed for the best output only");
    if (arrayOf(input).empty() && input.trace.rowAxis(input.site) != AttentionAxis::Tokens)
        return ATTN_TRANSLATE_NOOP("attn::ui", "the rows of this attention are no tokens");
    if (arrayOf(input).empty())
        return ATTN_TRANSLATE_NOOP(
            "attn::ui", "it says what an output token owes to the tokens before it: choose another attention");
    if (!kept)
        return notComputed;
    if (const auto lack = kept->lacks.find(how.method); lack != kept->lacks.end())
        return lack->second.c_str();
    if (input.reading->of == ReadingOf::Tokens) {
        const KeptRows rows = keptRows(input);
        return !rows.shown.empty() ? nullptr
            : rows.unsettled       ? ATTN_TRANSLATE_NOOP(
                        "attn::ui",
                        "its path from the baseline has not settled, the numbers mean nothing; choose another baseline")
                             : notComputed;
    }
    const ReadArray* const maps = keptMaps(input);
    if (maps != nullptr)
        return input.site.layer < maps->shape.front()
            ? nullptr
            : ATTN_TRANSLATE_NOOP("attn::ui", "it has numbers of other layers");
    return kept->computed.contains({how.method, how.explains ? input.about : ReadingAbout{}})
        ? ATTN_TRANSLATE_NOOP("attn::ui", "it has no numbers of this attention")
        : notComputed;
}

void addRow(std::span<const float> values, std::span<float> into, float share)
{
    const std::size_t width = std::min(values.size(), into.size());
    for (std::size_t column = 0; column < width; ++column)
        into[column] += share * values[column];
}

Numbers computeKept(const ReadingInput& input, RowSpan rows)
{
    const MatrixShape shape = input.trace.shape(input.site, input.leaf);
    const Index first = std::clamp<Index>(rows.first, 0, shape.rows);
    Numbers result = Numbers::zeros(1, std::clamp<Index>(rows.count, 0, shape.rows - first), shape.columns);
    if (input.reading->of == ReadingOf::Tokens) {
        for (const auto& [position, array] : keptRows(input).shown) {
            const Index row = explainedRow(input.trace, input.site, position) - first;
            if (row >= 0 && row < result.rows)
                addRow(array->values, result.row(row), 1);
        }
        return result;
    }
    const ReadArray& maps = *keptMaps(input);
    const auto height = static_cast<Index>(maps.shape[maps.shape.size() - 2]);
    const auto width = static_cast<std::size_t>(maps.shape.back());
    const int heads = maps.shape.size() == 4 ? static_cast<int>(maps.shape[1]) : 1;
    const bool isOne = heads > 1 && input.head;
    for (int head = isOne ? *input.head : 0; head < (isOne ? *input.head + 1 : heads); ++head) {
        const std::size_t map = static_cast<std::size_t>(input.site.layer) * heads + head;
        for (Index row = 0; row < result.rows && first + row < height; ++row)
            addRow(std::span(maps.values).subspan((map * height + first + row) * width, width), result.row(row),
                   isOne ? 1.0F : 1.0F / static_cast<float>(heads));
    }
    return result;
}

std::vector<Index> rowsOfTokens(const ReadingInput& input)
{
    std::vector<Index> rows;
    for (const auto& [position, array] : keptRows(input).shown)
        rows.push_back(explainedRow(input.trace, input.site, position));
    std::ranges::sort(rows);
    return rows;
}

std::size_t costOfKept(const ReadingInput&, MatrixShape shape)
{
    return static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.columns);
}

// A row of the table.
struct ReadingTexts
{
    const char* id;
    const char* name;
    const char* title;
    const char* meaning;
    const char* paper;
};

constexpr Reading computedReading(const ReadingTexts& texts, ReadingOf of, ReadingValues values, ComputedReading how)
{
    return {.id = texts.id,
            .name = texts.name,
            .title = texts.title,
            .of = of,
            .values = values,
            .lack = lackOfComputed,
            .cost = costOfKept,
            .compute = computeKept,
            .rowsOf = of == ReadingOf::Tokens ? rowsOfTokens : nullptr,
            .meaning = texts.meaning,
            .paper = texts.paper,
            .computed = how};
}

} // namespace

ReadingAbout heldAbout(const Trace& trace, const Reading& reading, const ReadingAbout& wanted)
{
    const auto& kept = trace.readings();
    if (!kept || !explainsOutput(reading) || kept->computed.contains({reading.computed->method, wanted}))
        return wanted;
    ReadingAbout found = wanted;
    for (const auto& [method, about] : kept->computed) {
        if (method == reading.computed->method && about.against == wanted.against)
            found = about;
    }
    return found;
}

std::string keptArray(const Reading& reading, const Trace& trace, Site site, bool ofHeads)
{
    const ComputedReading& how = *reading.computed;
    const char* const array = ofHeads && how.ofHeads != nullptr ? how.ofHeads : how.array;
    if (reading.of != ReadingOf::Tokens)
        return std::string(stageText(site.stage)) + '_' + array;
    const auto side = sideOf(trace, site);
    return side ? *side + array : std::string();
}

Index explainedRow(const Trace& trace, Site site, int position)
{
    if (trace.classification())
        return trace.stepsAreTokens() ? 0 : trace.shape(site).rows - 1;
    return position - trace.firstStepToken();
}

extern const Reading normsReading = computedReading(
    {"norms", ATTN_TRANSLATE_NOOP("attn::ui", "Norms"), ATTN_TRANSLATE_NOOP("attn::ui", "norms of weighted values"),
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "The length of what each token adds to another: its weight times its value, through the "
                         "output projection. A large weight on a short value counts little. It looks at one attention "
                         "alone, without the residual connection and later layers."),
     "Kobayashi et al. 2020"},
    ReadingOf::EachHead, ReadingValues::Positive, {"norms", "norms", "norms_summed"});

extern const Reading valueZeroingReading = computedReading(
    {"value_zeroing", ATTN_TRANSLATE_NOOP("attn::ui", "Value zeroing"),
     ATTN_TRANSLATE_NOOP("attn::ui", "value zeroing"),
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "How far the output of the whole layer at one token turns when the value of another is set to "
                         "zero. It measures one token at a time: where two say the same, neither seems to matter."),
     "Mohebbi et al. 2023"},
    ReadingOf::Layer, ReadingValues::Distribution, {"value_zeroing", "value_zeroing"});

extern const Reading valueZeroingRolloutReading = computedReading(
    {"value_zeroing_rollout", ATTN_TRANSLATE_NOOP("attn::ui", "Value zeroing, rolled out"),
     ATTN_TRANSLATE_NOOP("attn::ui", "value zeroing, rolled out"),
     ATTN_TRANSLATE_NOOP(
         "attn::ui",
         "Value zeroing of this layer and all layers below it, multiplied: how much of each input token "
         "is in a token here. Errors of the layers multiply as well."),
     "Mohebbi et al. 2023"},
    ReadingOf::Layer, ReadingValues::Distribution, {"value_zeroing_rollout", "value_zeroing_rollout"});

extern const Reading gradientsReading = computedReading(
    {"gradients", ATTN_TRANSLATE_NOOP("attn::ui", "Gradients"), ATTN_TRANSLATE_NOOP("attn::ui", "gradients of weights"),
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "How the log probability of the explained token changes with each attention weight. It holds "
                         "for small changes only, and a weight whose effect is saturated has a gradient near zero."),
     "Jain and Wallace 2019"},
    ReadingOf::EachHead, ReadingValues::Signed, {.method = "gradients", .array = "gradients", .explains = true});

extern const Reading attentionGradientsReading = computedReading(
    {"attention_gradients", ATTN_TRANSLATE_NOOP("attn::ui", "Attention \u00D7 gradient"),
     ATTN_TRANSLATE_NOOP("attn::ui", "attention times gradient"),
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "Each weight times its gradient, where that is in favour of the explained token, the mean of "
                         "the heads. What speaks against the token is left out, and other layers are not counted."),
     "Chefer et al. 2021"},
    ReadingOf::Layer, ReadingValues::Positive,
    {.method = "attention_gradients", .array = "attention_gradients", .explains = true});

extern const Reading inputGradientsReading = computedReading(
    {"input_gradients", ATTN_TRANSLATE_NOOP("attn::ui", "Input gradients"),
     ATTN_TRANSLATE_NOOP("attn::ui", "input gradients"),
     ATTN_TRANSLATE_NOOP(
         "attn::ui",
         "The length of the gradient at each token's embedding: how sensitive the explained token is to "
         "it. It says neither for nor against, and is noisy in deep models."),
     "Simonyan et al. 2014"},
    ReadingOf::Tokens, ReadingValues::Positive, {.method = "input_gradients", .array = "gradients", .explains = true});

extern const Reading timesGradientsReading = computedReading(
    {"times_gradients", ATTN_TRANSLATE_NOOP("attn::ui", "Gradient \u00D7 input"),
     ATTN_TRANSLATE_NOOP("attn::ui", "gradient times input"),
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "Each embedding times its gradient: a straight line through the model at this text, which is "
                         "far from it where the model is saturated."),
     "Shrikumar et al. 2017"},
    ReadingOf::Tokens, ReadingValues::Signed,
    {.method = "input_gradients", .array = "times_gradients", .explains = true});

extern const Reading integratedGradientsReading = computedReading(
    {"integrated_gradients", ATTN_TRANSLATE_NOOP("attn::ui", "Integrated gradients"),
     ATTN_TRANSLATE_NOOP("attn::ui", "integrated gradients"),
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "Gradients summed on the way from zero embeddings to the text: they add up to what is gained "
                         "on it. Models that normalise their input, such as LLaMA and T5, have a jump at zero: there "
                         "the sum does not settle, which is said, and the numbers mean nothing."),
     "Sundararajan et al. 2017"},
    ReadingOf::Tokens, ReadingValues::Signed,
    {.method = "integrated_gradients", .array = "integrated_gradients", .explains = true});

extern const Reading relevanceReading = computedReading(
    {"lrp", ATTN_TRANSLATE_NOOP("attn::ui", "LRP"), ATTN_TRANSLATE_NOOP("attn::ui", "LRP"),
     ATTN_TRANSLATE_NOOP(
         "attn::ui",
         "The logit of the explained token handed back layer by layer, for and against it. The rules of "
         "each kind of layer are a choice, and biases take a part of the logit."),
     "Achtibat et al. 2024"},
    ReadingOf::Tokens, ReadingValues::Signed, {.method = "lrp", .array = "lrp", .explains = true});

extern const Reading erasureReading = computedReading(
    {"erasure", ATTN_TRANSLATE_NOOP("attn::ui", "Erasure"), ATTN_TRANSLATE_NOOP("attn::ui", "erasure"),
     ATTN_TRANSLATE_NOOP("attn::ui",
                         "What the explained token loses in log probability without each input token, run by run: what "
                         "the other readings are measured by. The text without a token may be one that the model never "
                         "saw, and of two tokens that say the same neither seems to matter."),
     "Li et al. 2016"},
    ReadingOf::Tokens, ReadingValues::Signed, {.method = "erasure", .array = "erasure", .explains = true});

} // namespace attn
