// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/site.h"

#include "base/error.h"
#include "base/utf8.h"
#include "trace/position_scheme.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace attn {

namespace {

constexpr const char* stageNames[] = {"encoder", "decoder", "cross", "pooling"}; // by Stage
constexpr const char* kindNames[] = {"encoder-decoder", "encoder-only", "decoder-only"}; // by ModelKind

} // namespace

const char* stageText(Stage stage)
{
    return stageNames[static_cast<std::size_t>(stage)];
}

std::string siteText(Site site)
{
    return fmt::format("{}:{}", stageText(site.stage), site.layer);
}

const SiteNames& siteNames(Stage stage, ModelKind kind, bool onlyReads)
{
    static constexpr SiteNames ofReader{ATTN_TRANSLATE_NOOP("attn::ui", "self-attention"),
                                        ATTN_TRANSLATE_NOOP("attn::ui", "query"),
                                        ATTN_TRANSLATE_NOOP("attn::ui", "key")};
    static constexpr SiteNames ofContinuation{ATTN_TRANSLATE_NOOP("attn::ui", "causal self-attention"),
                                              ATTN_TRANSLATE_NOOP("attn::ui", "word (the step that writes it)"),
                                              ATTN_TRANSLATE_NOOP("attn::ui", "word that is read")};
    static constexpr SiteNames byStage[] = {
        {ATTN_TRANSLATE_NOOP("attn::ui", "encoder self-attention"), ATTN_TRANSLATE_NOOP("attn::ui", "source (query)"),
         ATTN_TRANSLATE_NOOP("attn::ui", "source (key)")},
        {ATTN_TRANSLATE_NOOP("attn::ui", "decoder self-attention"),
         ATTN_TRANSLATE_NOOP("attn::ui", "target (the step that writes it)"),
         ATTN_TRANSLATE_NOOP("attn::ui", "decoder input")},
        {ATTN_TRANSLATE_NOOP("attn::ui", "encoder-decoder attention"),
         ATTN_TRANSLATE_NOOP("attn::ui", "target (the step that writes it)"),
         ATTN_TRANSLATE_NOOP("attn::ui", "source (input)")},
        {ATTN_TRANSLATE_NOOP("attn::ui", "attention pooling"), ATTN_TRANSLATE_NOOP("attn::ui", "learned query"),
         ATTN_TRANSLATE_NOOP("attn::ui", "source (key)")}};
    static_assert(std::size(byStage) == std::size(stageNames));
    return onlyReads || kind == ModelKind::EncoderOnly ? ofReader
        : kind == ModelKind::DecoderOnly               ? ofContinuation
                                                       : byStage[static_cast<std::size_t>(stage)];
}

const char* kindText(ModelKind kind)
{
    return kindNames[static_cast<std::size_t>(kind)];
}

Stage parseStage(std::string_view text, const std::string& where)
{
    const auto* const found = std::ranges::find(stageNames, text);
    if (found == std::end(stageNames))
        throw Error(ErrorKind::Input, where, fmt::format("'{}' is none of {}", text, fmt::join(stageNames, ", ")));
    return static_cast<Stage>(found - std::begin(stageNames));
}

std::string positionsText(const Positions& positions, Translate translate)
{
    constexpr const char* schemes[] = {// by PositionScheme
                                       ATTN_TRANSLATE_NOOP("model", "none"),
                                       ATTN_TRANSLATE_NOOP("model", "none (recurrent)"),
                                       ATTN_TRANSLATE_NOOP("model", "sinusoidal"),
                                       ATTN_TRANSLATE_NOOP("model", "learned"),
                                       ATTN_TRANSLATE_NOOP("model", "rotary"),
                                       ATTN_TRANSLATE_NOOP("model", "relative"),
                                       ATTN_TRANSLATE_NOOP("model", "linear biases (ALiBi)")};
    const std::string scheme = translate("model", schemes[static_cast<std::size_t>(positions.scheme)]);
    if (!positions.scaling.empty())
        return filled(translate("model", "%1, %2 scaling by %3"),
                      {scheme, positions.scaling, fmt::format("{}", positions.factor)});
    return positions.buckets == 0
        ? scheme
        : filled(translate("model", "%1, %2 buckets"), {scheme, std::to_string(positions.buckets)});
}

} // namespace attn
