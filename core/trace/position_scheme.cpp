// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/position_scheme.h"

#include <fmt/format.h>

namespace attn {

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
