// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/options.h"

#include "base/error.h"

#include <fmt/format.h>

namespace attn {

namespace {

namespace scope = decoding_scope;

constexpr OptionChoice searches[] = {{"greedy", ATTN_TRANSLATE_NOOP("options", "Greedy")},
                                     {"beam", ATTN_TRANSLATE_NOOP("options", "Beam search"), "K"},
                                     {"sample", ATTN_TRANSLATE_NOOP("options", "Sampling")}};
constexpr OptionChoice positionChoices[] = {{"argmax", ATTN_TRANSLATE_NOOP("options", "Takes the largest weight")},
                                            {"sample", ATTN_TRANSLATE_NOOP("options", "Draws by the weights")}};

void parseSearch(DecodingOptions& options, std::string_view text);

// A decoding option is added here, and used in its search: command line, window, settings, sessions and provenance
// follow.
const DecodingRow rows[] = {
    {.key = "decode",
     .member = choiceMember<&DecodingOptions::search>(searches),
     .group = OptionGroup::Run,
     .help = ATTN_TRANSLATE_NOOP("options", "how the output is found"),
     .label = ATTN_TRANSLATE_NOOP("options", "&Decoding"),
     .scope = scope::EncoderDecoder | scope::DecoderOnly | scope::Refused,
     .parse = parseSearch},
    {.key = "beam",
     .member = &DecodingOptions::beamSize,
     .limits = {.least = 1, .most = 256},
     .help = ATTN_TRANSLATE_NOOP("options", "hypotheses that a beam search keeps alive"),
     .label = ATTN_TRANSLATE_NOOP("options", "&Beam"),
     .scope = scope::Beam},
    {.key = "temperature",
     .member = &DecodingOptions::temperature,
     .limits = {.least = 0.001, .most = 1000, .step = 0.1},
     .group = OptionGroup::Run,
     .value = "X",
     .help = ATTN_TRANSLATE_NOOP("options", "of sampling: below 1 sharpens the distribution, above 1 flattens it"),
     .label = ATTN_TRANSLATE_NOOP("options", "Te&mperature"),
     .scope = scope::Sampling},
    {.key = "top-k",
     .member = &DecodingOptions::topK,
     .limits = {.zero = ATTN_TRANSLATE_NOOP("options", "all")},
     .group = OptionGroup::Run,
     .value = "N",
     .help = ATTN_TRANSLATE_NOOP("options", "sample from the N most probable tokens; 0: from all"),
     .label = ATTN_TRANSLATE_NOOP("options", "Top-&k"),
     .scope = scope::Sampling},
    {.key = "top-p",
     .member = &DecodingOptions::topP,
     .limits = {.least = 0.001, .most = 1, .step = 0.05},
     .group = OptionGroup::Run,
     .value = "X",
     .help = ATTN_TRANSLATE_NOOP("options", "sample from the smallest set of tokens with this probability"),
     .label = ATTN_TRANSLATE_NOOP("options", "Top-&p"),
     .scope = scope::Sampling},
    {.key = "min-p",
     .member = &DecodingOptions::minP,
     .limits = {.most = 1, .step = 0.01},
     .group = OptionGroup::Run,
     .value = "X",
     .help =
         ATTN_TRANSLATE_NOOP("options", "sample from tokens with this part of the largest probability; 0: from all"),
     .label = ATTN_TRANSLATE_NOOP("options", "Min-p"),
     .scope = scope::Sampling},
    {.key = "hard",
     .member = choiceMember<&DecodingOptions::sampleHardAttention>(positionChoices),
     .group = OptionGroup::Run,
     .help = ATTN_TRANSLATE_NOOP("options", "hard attention takes the largest weight, or draws its position"),
     .label = ATTN_TRANSLATE_NOOP("options", "Hard atte&ntion"),
     .scope = scope::HardAttention | scope::Refused},
    {.key = "seed",
     .member = &DecodingOptions::seed,
     .group = OptionGroup::Run,
     .value = "N",
     .help = ATTN_TRANSLATE_NOOP("options", "of what is drawn; the same seed draws the same"),
     .label = ATTN_TRANSLATE_NOOP("options", "&Seed"),
     .scope = scope::Sampling | scope::DrawnPosition},
    {.key = "max-length",
     .member = &DecodingOptions::maxLength,
     .limits = {.least = 1},
     .group = OptionGroup::Run,
     .value = "N",
     .help = ATTN_TRANSLATE_NOOP("options", "most tokens to produce, the end token counted"),
     .label = ATTN_TRANSLATE_NOOP("options", "Lon&gest"),
     .scope = scope::EncoderDecoder},
    {.key = "generate",
     .member = &DecodingOptions::generate,
     .group = OptionGroup::Run,
     .value = "N",
     .help = ATTN_TRANSLATE_NOOP("options", "decoder-only models: continue the input by N tokens; 0: just read it"),
     .scope = scope::DecoderOnly | scope::Refused},
    {.key = "candidates", .member = &DecodingOptions::candidates},
    {.key = "start-token", .member = &DecodingOptions::start, .limits = {.most = 1e9}},
    {.key = "first-token", .member = &DecodingOptions::firstToken, .limits = {.most = 1e9}},
};

const DecodingRow& row(std::string_view key)
{
    return optionRow(decodingRows(), key);
}

void parseSearch(DecodingOptions& options, std::string_view text)
{
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    DecodingOptions read = options;
    setOption(row("decode"), read, name);
    if ((read.search == Search::Beam) != (colon != std::string_view::npos))
        throw Error(ErrorKind::Input, "decode",
                    fmt::format("'{}' is not one of {}", text, choiceNames(searches, ", ")));
    if (colon != std::string_view::npos) {
        DecodingRow beam = row("beam");
        beam.key = "decode"; // where it is typed
        setOption(beam, read, text.substr(colon + 1));
    }
    options = read;
}

constexpr const char* kindTexts[] = { // as ModelKind lists them
    "an encoder-decoder model, which ends its output by itself",
    "an encoder-only model, which reads a text and does not decode", "a decoder-only model"};

} // namespace

std::span<const DecodingRow> decodingRows()
{
    return rows;
}

std::string DecodingOptions::describe() const
{
    std::string text = *optionText(row("decode"), *this);
    if (search == Search::Beam)
        text += fmt::format(":{}", beamSize);
    for (const DecodingRow& row : rows) {
        if ((row.scope & (scope::Sampling | scope::HardAttention)) != 0 && isUsed(row, *this) && !isDefault(row, *this))
            text += fmt::format(" {}={}", row.key, *optionText(row, *this));
    }
    return text;
}

bool concerns(const DecodingRow& row, ModelKind kind, bool hardAttention)
{
    const unsigned kinds = row.scope & (scope::EncoderDecoder | scope::DecoderOnly);
    const bool fits = kinds == 0 || (kind == ModelKind::EncoderDecoder && (kinds & scope::EncoderDecoder) != 0)
        || (kind == ModelKind::DecoderOnly && (kinds & scope::DecoderOnly) != 0);
    return fits && (hardAttention || (row.scope & scope::HardAttention) == 0);
}

bool isUsed(const DecodingRow& row, const DecodingOptions& options)
{
    const unsigned asked = row.scope & (scope::Beam | scope::Sampling | scope::DrawnPosition);
    return asked == 0 || (options.search == Search::Beam && (asked & scope::Beam) != 0)
        || (options.search == Search::Sampling && (asked & scope::Sampling) != 0)
        || (options.sampleHardAttention && (asked & scope::DrawnPosition) != 0);
}

DecodingOptions fitted(DecodingOptions options, ModelKind kind, bool hardAttention)
{
    for (const DecodingRow& row : rows) {
        if (!concerns(row, kind, hardAttention))
            setOption(row, options, optionText(row, DecodingOptions()).value());
    }
    return options;
}

void checkDecoding(const DecodingOptions& options)
{
    for (const DecodingRow& row : rows)
        checkOption(row, options);
}

void checkDecoding(const DecodingOptions& options, ModelKind kind, bool hardAttention)
{
    checkDecoding(options);
    for (const DecodingRow& row : rows) {
        if ((row.scope & scope::Refused) == 0 || concerns(row, kind, hardAttention) || isDefault(row, options))
            continue;
        const bool hard = (row.scope & scope::HardAttention) != 0;
        throw Error(ErrorKind::Input, row.key,
                    hard ? "this model has no hard attention"
                         : fmt::format("this is {}", kindTexts[static_cast<int>(kind)]),
                    "leave it out");
    }
}

} // namespace attn
