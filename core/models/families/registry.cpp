// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/registry.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace attn {

namespace {

constexpr std::array<Family, 2> known{{
    {"marian", "Transformer encoder-decoder (Marian)", buildMarian},
    {"rnn_encoder_decoder", "recurrent encoder-decoder", buildRecurrent},
}};

} // namespace

std::span<const Family> families()
{
    return known;
}

const Family& familyOf(const JsonObject& config)
{
    const std::string type = config.requireString("model_type");
    const auto found = std::ranges::find(known, type, &Family::modelType);
    if (found != known.end())
        return *found;
    std::string names;
    for (const Family& family : known)
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", family.modelType);
    throw Error(ErrorKind::Unsupported, config.where(), fmt::format("model_type '{}' is not known", type),
                fmt::format("this version runs {}", names));
}

} // namespace attn
