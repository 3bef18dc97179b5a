// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/options.h"

#include "base/error.h"

#include <charconv>
#include <fmt/format.h>

namespace attn {

namespace {

constexpr int widestBeam = 256;

}

DecodingOptions DecodingOptions::parse(const std::string& text)
{
    DecodingOptions options;
    if (text == "greedy")
        return options;
    if (text == "sample") {
        options.search = Search::Sampling;
        return options;
    }
    constexpr std::string_view beam = "beam:";
    if (text.starts_with(beam)) {
        const char* first = text.data() + beam.size();
        const char* last = text.data() + text.size();
        const auto [end, problem] = std::from_chars(first, last, options.beamSize);
        if (problem == std::errc() && end == last && options.beamSize >= 1 && options.beamSize <= widestBeam) {
            options.search = Search::Beam;
            return options;
        }
    }
    throw Error(ErrorKind::Input, "decode", fmt::format("'{}' is no way to decode", text),
                fmt::format("use greedy, beam:K with K from 1 to {}, or sample", widestBeam));
}

std::string DecodingOptions::describe() const
{
    const char* const hard = sampleHardAttention ? " hard=sample" : "";
    switch (search) {
    case Search::Greedy:
        return fmt::format("greedy{}", hard);
    case Search::Beam:
        return fmt::format("beam:{}{}", beamSize, hard);
    case Search::Sampling:
        break;
    }
    return fmt::format("sample temperature={} top-k={} top-p={}{}", temperature, topK, topP, hard);
}

} // namespace attn
