// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/post_processor.h"

namespace attn {

namespace {

using Kind = TemplatePart::Kind;

} // namespace

PostProcessor surroundedBy(const std::vector<TokenId>& prefix, const std::vector<TokenId>& suffix)
{
    PostProcessor processor{{}, {}, false};
    const auto add = [&](Template& parts, Kind kind, int segment) {
        if (!prefix.empty())
            parts.push_back({Kind::Special, segment, prefix});
        parts.push_back({kind, segment, {}});
        if (!suffix.empty())
            parts.push_back({Kind::Special, segment, suffix});
    };
    add(processor.single, Kind::First, 0);
    add(processor.pair, Kind::First, 0);
    add(processor.pair, Kind::Second, 1);
    return processor;
}

PostProcessor bertProcessor(TokenId cls, TokenId sep)
{
    PostProcessor processor;
    processor.single = {{Kind::Special, 0, {cls}}, {Kind::First, 0, {}}, {Kind::Special, 0, {sep}}};
    processor.pair = processor.single;
    processor.pair.push_back({Kind::Second, 1, {}});
    processor.pair.push_back({Kind::Special, 1, {sep}});
    return processor;
}

PostProcessor robertaProcessor(TokenId cls, TokenId sep, bool trimsSpans)
{
    PostProcessor processor;
    processor.single = {{Kind::Special, 0, {cls}}, {Kind::First, 0, {}}, {Kind::Special, 0, {sep}}};
    processor.pair = {{Kind::Special, 0, {cls}},
                      {Kind::First, 0, {}},
                      {Kind::Special, 0, {sep, sep}},
                      {Kind::Second, 0, {}},
                      {Kind::Special, 0, {sep}}};
    processor.trimsSpans = trimsSpans;
    return processor;
}

} // namespace attn
