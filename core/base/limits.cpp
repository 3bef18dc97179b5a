// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/limits.h"

#include "base/error.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>

namespace attn {

namespace {

constexpr std::uint64_t mega = std::uint64_t{1} << 20U;

constexpr LimitRow rows[] = {
    {"text", 64 * mega, true, "a text, or the file of a batch"},
    {"lines", 1'000'000, false, "lines of a batch"},
    {"sentences", 2000, false, "sentences, or pairs of them, of the laboratory"},
    {"json", 64 * mega, true, "a JSON file of a model"},
    {"json-values", 8'000'000, false, "values in it, lists and objects counted twice"},
    {"header", 96 * mega, true, "the header of a safetensors file"},
    {"pickle", 256 * mega, true, "what torch.save says about the tensors"},
    {"pickle-values", 4'000'000, false, "values in it"},
    {"zip-entries", 12'000, false, "entries of a zip archive: a session, an .npz, tensors that torch.save wrote"},
    {"vocabulary", 64 * mega, true, "a vocabulary, list of merges or SentencePiece model"},
    {"pieces", 4'000'000, false, "entries of one of these"},
    {"normalized", 64 * mega, true, "a text, and its tokens, in the steps of a tokenizer"},
    {"regex-time", 20, false, "seconds that a tokenizer's regular expressions may take for a text"},
    {"regex-steps", 1000, false, "steps of one match of such an expression, a fraction of a millisecond each"},
    {"archive-file", 2048 * mega, true, "an attention archive in JSON"},
    {"archive", 4096 * mega, true, "the arrays of an attention archive, unpacked"},
    {"runs", 1'000, false, "runs of a session"},
    {"figure", 256 * mega, true, "the file of a figure"},
    {"maps", 1024 * mega, true, "a run's maps as numbers; of more, queries and keys are kept"},
    {"memory", std::numeric_limits<std::uint64_t>::max(), true, "memory for models, runs and archives; what is free"},
};

// Its last letter multiplies it.
bool parseSize(std::string_view text, std::uint64_t& value)
{
    constexpr std::string_view letters = "KMG";
    const std::size_t letter = text.empty() ? std::string_view::npos : letters.find(text.back());
    const unsigned shift = letter == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(letter) + 1);
    if (shift > 0)
        text.remove_suffix(1);
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()
        || value > std::numeric_limits<std::uint64_t>::max() >> shift)
        return false;
    value <<= shift;
    return true;
}

} // namespace

std::span<const LimitRow> limitRows()
{
    return rows;
}

std::vector<std::uint64_t> parseLimits(std::string_view text)
{
    std::vector<std::uint64_t> result;
    for (const LimitRow& row : rows)
        result.push_back(row.usual);
    while (!text.empty()) {
        const std::string_view entry = text.substr(0, std::min(text.find_first_of(" ,"), text.size()));
        text.remove_prefix(std::min(entry.size() + 1, text.size()));
        if (entry.empty())
            continue;
        const std::size_t sign = std::min(entry.find('='), entry.size());
        const auto* const row = std::ranges::find(rows, entry.substr(0, sign), &LimitRow::key);
        if (row == std::end(rows) || !parseSize(entry.substr(std::min(sign + 1, entry.size())), result[row - rows])) {
            std::string names;
            for (const LimitRow& known : rows)
                names += (names.empty() ? "" : ", ") + std::string(known.key);
            throw Error(ErrorKind::Input, limitsVariable,
                        "has the entry \"" + std::string(entry) + "\", which sets no limit",
                        "write for example json=256M; there are " + names);
        }
    }
    return result;
}

std::string otherLimit(Limit which)
{
    return std::string(limitsVariable) + '=' + rows[static_cast<std::size_t>(which)].key + "=... sets another limit";
}

std::uint64_t limit(Limit which)
{
    static const std::vector<std::uint64_t> values = [] {
        const char* const given = std::getenv(limitsVariable);
        return parseLimits(given == nullptr ? "" : given);
    }();
    return values[static_cast<std::size_t>(which)];
}

} // namespace attn
