// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "text/steps/steps.h"
#include "text/unicode/regex.h"

#include <cstddef>
#include <iterator>
#include <string_view>

namespace {

// What tokenizers split texts with.
constexpr std::string_view known[] = {attn::gpt2Words, attn::qwen2Words, attn::llama3Words};

} // namespace

// An expression, a NUL character and a text; or the number of a known expression and a text.
ATTN_FUZZ_TARGET(regex)
{
    auto given = attn::fuzz::parts(attn::fuzz::text(data, size), 2);
    if (const auto number = static_cast<std::size_t>(size > 0 ? data[0] : 0); number > 0 && number <= std::size(known))
        given = {known[number - 1], attn::fuzz::text(data + 1, size - 1)};
    return attn::fuzz::answer([&] {
        std::size_t last = 0;
        for (const attn::ByteSpan& match : attn::Regex(given[0], "input").matches(given[1])) {
            attn::fuzz::require(last <= match.begin && match.begin <= match.end && match.end <= given[1].size());
            last = match.end;
        }
    });
}
