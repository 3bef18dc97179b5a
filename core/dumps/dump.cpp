// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/dump.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

namespace attn {

namespace {

constexpr std::string_view jsonBlanks = " \t\r\n";
constexpr std::uint64_t largestSide = 1U << 24U; // tokens

void addNumbers(const Json& value, NestedNumbers& result, std::size_t depth, const std::string& where)
{
    constexpr std::size_t deepest = 5;
    if (!value.is_array()) {
        if (depth != result.shape.size())
            throw Error(ErrorKind::Format, where, "has lists of different depths");
        if (!value.is_number() && !value.is_null())
            throw Error(ErrorKind::Format, where, fmt::format("holds a {}, expected numbers", value.type_name()));
        result.values.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN() : value.get<float>());
        return;
    }
    ThreadStop::check();
    const auto size = static_cast<std::int64_t>(value.size());
    if (depth == result.shape.size() && result.values.empty() && depth < deepest)
        result.shape.push_back(size);
    if (depth >= result.shape.size() || result.shape[depth] != size)
        throw Error(ErrorKind::Format, where, "has lists of different lengths or depths");
    for (const Json& item : value)
        addNumbers(item, result, depth + 1, where);
}

} // namespace

DumpFile::DumpFile(const std::filesystem::path& path)
    : m_path(path)
    , m_where(path.filename().string())
    , m_file(std::make_unique<MappedFile>(path))
    , m_bytes(m_file->bytes())
{
    lookAtHead();
}

DumpFile::DumpFile(std::span<const std::byte> bytes, std::string where)
    : m_where(std::move(where))
    , m_bytes(bytes)
{
    lookAtHead();
}

void DumpFile::lookAtHead()
{
    constexpr std::size_t looked = std::size_t{1} << 20U;
    constexpr std::size_t longestCharacter = 4;
    const std::string_view head(reinterpret_cast<const char*>(m_bytes.data()), std::min(m_bytes.size(), looked));
    const bool isText =
        validUtf8Prefix(head) + longestCharacter > head.size() && !contains(head, std::string_view("\0", 1));
    m_head = isText ? head : std::string_view();
}

bool DumpFile::beginsWithOneOf(std::string_view characters) const
{
    const std::size_t first = m_head.find_first_not_of(jsonBlanks);
    return first != std::string_view::npos && characters.find(m_head[first]) != std::string_view::npos;
}

bool DumpFile::looksLikeJson() const
{
    return beginsWithOneOf("{[");
}

bool DumpFile::looksLikePage() const
{
    return beginsWithOneOf("<");
}

std::string_view DumpFile::text() const
{
    if (m_bytes.size() > limit(Limit::Json))
        throw Error(ErrorKind::Format, m_where,
                    fmt::format("has {}, more than the {} that are read", byteText(m_bytes.size()),
                                byteText(limit(Limit::Json))),
                    otherLimit(Limit::Json));
    const std::string_view text(reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size());
    if (const std::size_t valid = validUtf8Prefix(text); valid != text.size())
        throw Error(ErrorKind::Format, m_where, fmt::format("is not UTF-8 (byte {})", valid));
    return text;
}

Json DumpFile::json() const
{
    return parseJson(text(), m_where);
}

std::optional<std::filesystem::path> DumpFile::companion(const char* extension) const
{
    const std::filesystem::path path = std::filesystem::path(m_path).replace_extension(extension);
    std::error_code ignored;
    return !m_path.empty() && std::filesystem::is_regular_file(path, ignored) ? std::optional(path) : std::nullopt;
}

void DumpFile::requireUnchanged() const
{
    if (m_file != nullptr)
        m_file->requireUnchanged();
}

void DumpFile::refuse(const std::string& place, const std::string& problem) const
{
    throw Error(ErrorKind::Format, place.empty() ? m_where : fmt::format("{}: {}", m_where, place), problem);
}

bool namesKey(std::string_view text, std::string_view key)
{
    const std::string quoted = fmt::format("\"{}\"", key);
    for (std::size_t at = text.find(quoted); at != std::string_view::npos; at = text.find(quoted, at + 1)) {
        const std::size_t next = text.find_first_not_of(jsonBlanks, at + quoted.size());
        if (next != std::string_view::npos && text[next] == ':')
            return true;
    }
    return false;
}

NestedNumbers nestedNumbers(const Json& lists, const std::string& where)
{
    NestedNumbers result;
    if (!lists.is_array())
        throw Error(ErrorKind::Format, where, "is no list of numbers");
    addNumbers(lists, result, 0, where);
    if (std::ranges::find(result.shape, 0) != result.shape.end())
        throw Error(ErrorKind::Format, where, "has an empty list");
    return result;
}

std::vector<std::string> textsOf(const Json& list, const std::string& where, const char* key)
{
    if (!list.is_array())
        throw Error(ErrorKind::Format, where, "is no list of texts");
    std::vector<std::string> result;
    for (const Json& item : list) {
        const Json* text = &item;
        if (item.is_object() && item.contains(key))
            text = &item[key];
        if (!text->is_string())
            throw Error(ErrorKind::Format, where, fmt::format("item {} is no text", result.size()));
        result.push_back(text->get<std::string>());
    }
    return result;
}

Json objectAt(std::string_view text, std::size_t brace, const std::string& where)
{
    int open = 0;
    bool quoted = false;
    for (std::size_t at = brace; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted && c == '\\')
            ++at;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{')
            ++open;
        else if (!quoted && c == '}' && --open == 0)
            return parseJson(text.substr(brace, at - brace + 1), where);
    }
    throw Error(ErrorKind::Format, where, "ends inside its data", "the file is incomplete or damaged");
}

DumpedMaps shownRuns(NestedNumbers numbers, const std::string& where)
{
    std::vector<std::int64_t> shape = std::move(numbers.shape);
    if (shape.size() == 5 && (shape[1] == 1 || shape[0] == 1)) // [layers, batch, ...] or [batch, layers, ...]
        shape.erase(shape.begin() + (shape[1] == 1 ? 1 : 0));
    const bool isSmall =
        std::ranges::all_of(shape, [](std::int64_t size) { return size <= std::int64_t{largestSide}; });
    if (shape.size() < 2 || shape.size() > 4 || !isSmall)
        throw Error(ErrorKind::Format, where,
                    fmt::format("has shape [{}], expected [rows, columns], [heads, rows, columns] or [layers, heads, "
                                "rows, columns]",
                                fmt::join(shape, ", ")));
    shape.insert(shape.begin(), 4 - shape.size(), 1);
    return {static_cast<Index>(shape[0]), static_cast<Index>(shape[1]), static_cast<Index>(shape[2]),
            static_cast<Index>(shape[3]), std::move(numbers.values)};
}

Stage ownStage(const DumpedMaps& maps)
{
    const auto looksAhead = [&](Index row) {
        const auto begin = maps.weights.begin() + std::ptrdiff_t{row} * maps.columns;
        return std::any_of(begin + row + 1, begin + maps.columns, [](float weight) { return weight != 0; });
    };
    for (Index row = 0; row + 1 < maps.rows; ++row)
        if (looksAhead(row))
            return Stage::Encoder;
    return maps.rows > 1 ? Stage::Decoder : Stage::Encoder;
}

DumpedMaps zeroMaps(Index layers, Index heads, std::uint64_t rows, std::uint64_t columns, const std::string& where)
{
    if (rows > largestSide || columns > largestSide)
        throw Error(ErrorKind::Format, where, fmt::format("has {} rows and {} columns", rows, columns),
                    "the file is damaged");
    const auto heights = static_cast<std::uint64_t>(layers) * static_cast<std::uint64_t>(heads);
    const std::uint64_t most = limit(Limit::Archive) / sizeof(float);
    if (columns > 0 && rows * columns > most / std::max<std::uint64_t>(heights, 1))
        throw Error(ErrorKind::Resource, where,
                    fmt::format("has {} maps of {} rows and {} columns, more than the {} that are read", heights, rows,
                                columns, byteText(limit(Limit::Archive))),
                    otherLimit(Limit::Archive));
    requireMemory(heights * rows * columns * sizeof(float), where);
    return {layers, heads, static_cast<Index>(rows), static_cast<Index>(columns),
            std::vector<float>(heights * rows * columns)};
}

} // namespace attn
