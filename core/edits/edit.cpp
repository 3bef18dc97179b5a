// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/edit.h"

#include "base/plain_text.h"
#include "base/utf8.h"
#include "trace/site.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <utility>
#include <vector>

namespace attn {

namespace {

// Value behind the "=".
template<class Change>
struct ChangeRow
{
    Change change;
    const char* name;
    const char* argument = nullptr; // what follows a colon; null: nothing does
};

constexpr ChangeRow<AttentionChange> attentionChanges[] = {
    {AttentionChange::Hide, "hide"},       {AttentionChange::Zero, "zero"},
    {AttentionChange::Set, "set", "V"},    {AttentionChange::Scale, "scale", "V"},
    {AttentionChange::Uniform, "uniform"}, {AttentionChange::Renormalize, "renormalize"},
};
constexpr ChangeRow<SourceChange> sourceChanges[] = {
    {SourceChange::Token, "token", "ID"},
    {SourceChange::Word, "word", "TEXT"},
    {SourceChange::Hide, "hide"},
    {SourceChange::Grey, "grey"},
};

constexpr Stage stages[] = {Stage::Encoder, Stage::Decoder, Stage::Cross, Stage::Pooling};
constexpr std::string_view source = "source";

struct FieldRow
{
    const char* name;
    IndexSet AttentionEdit::*set;
};

constexpr FieldRow fields[] = {{"layer", &AttentionEdit::layers},
                               {"head", &AttentionEdit::heads},
                               {"row", &AttentionEdit::rows},
                               {"column", &AttentionEdit::columns}};

template<class Change>
std::string spelled(const ChangeRow<Change>& row)
{
    return row.argument == nullptr ? row.name : fmt::format("{}:{}", row.name, row.argument);
}

template<class Rows>
std::string spelledAll(const Rows& rows)
{
    std::string all;
    for (const auto& row : rows)
        all += (all.empty() ? "" : ", ") + spelled(row);
    return all;
}

// The parts of a text between a separator, one after the other. An empty text is one empty part.
class Parts
{
public:
    Parts(std::string_view text, char separator)
        : m_rest(text)
        , m_separator(separator)
    {
    }

    bool ended() const { return m_ended; }
    std::string_view next()
    {
        const std::size_t end = m_rest.find(m_separator);
        const std::string_view part = m_rest.substr(0, end);
        m_ended = end == std::string_view::npos;
        m_rest.remove_prefix(m_ended ? m_rest.size() : end + 1);
        return part;
    }

private:
    std::string_view m_rest;
    char m_separator;
    bool m_ended = false;
};

// One that is too large to count anything becomes the largest, which nothing has.
std::optional<Index> parsedIndex(std::string_view text)
{
    const bool isNumber = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    if (!isNumber)
        return std::nullopt;
    return parsedNumber<Index>(text).value_or(std::numeric_limits<Index>::max());
}

class SpecReader
{
public:
    explicit SpecReader(std::string_view spec)
        : m_spec(spec)
    {
    }

    Edit read() const
    {
        const std::size_t cut = m_spec.find('=');
        if (cut == std::string_view::npos)
            refuse("has no '='", "write WHERE=WHAT, such as encoder:2:5=zero");
        const std::string_view where = m_spec.substr(0, cut);
        const std::string_view what = m_spec.substr(cut + 1);
        if (where.empty())
            refuse("nothing stands before the '='", "write WHERE=WHAT, such as encoder:2:5=zero");
        if (what.empty())
            refuse("nothing stands behind the '='", "write one of " + spelledAll(attentionChanges));
        Parts parts(where, ':');
        const std::string_view stage = parts.next();
        if (stage == source)
            return readSource(parts, what);
        return readAttention(stage, parts, what);
    }

private:
    [[noreturn]] void refuse(const std::string& problem, const std::string& advice = {}) const
    {
        throw EditError(m_spec, problem, advice);
    }

    AttentionEdit readAttention(std::string_view stage, Parts parts, std::string_view what) const
    {
        AttentionEdit edit{readStage(stage)};
        for (const FieldRow& field : fields) {
            if (!parts.ended())
                edit.*field.set = readField(field.name, parts.next());
        }
        if (!parts.ended())
            refuse("has more than five fields before the '='", "write STAGE:LAYER:HEAD:ROW:COLUMN=WHAT");
        const auto& [row, argument] = readChange(attentionChanges, what);
        edit.change = row->change;
        if (row->argument != nullptr)
            edit.value = readValue(row->name, argument);
        return edit;
    }

    SourceEdit readSource(Parts parts, std::string_view what) const
    {
        constexpr auto form = "write source:POS=token:ID, source:POS=word:TEXT, source:POS=hide or source:POS=grey";
        if (parts.ended())
            refuse("the source has no position", form);
        const std::string_view text = parts.next();
        const auto position = parsedIndex(text);
        if (!position)
            refuse(fmt::format("the source's position {} is not one number from 0", inQuotes(text)), form);
        if (!parts.ended())
            refuse("the source has more than a position", form);
        const auto& [row, argument] = readChange(sourceChanges, what);
        SourceEdit edit{*position, row->change};
        if (edit.change == SourceChange::Token) {
            const auto id = parsedIndex(argument);
            if (!id)
                refuse(fmt::format("the token {} is no number from 0", inQuotes(argument)), "write token:ID");
            edit.token = *id;
        } else if (edit.change == SourceChange::Word) {
            if (const std::size_t valid = validUtf8Prefix(argument); valid < argument.size())
                refuse(fmt::format("the word is not UTF-8 from byte {} on", valid));
            edit.word = argument;
        }
        return edit;
    }

    std::optional<Stage> readStage(std::string_view text) const
    {
        if (text == "*")
            return std::nullopt;
        for (const Stage stage : stages) {
            if (text == stageText(stage))
                return stage;
        }
        refuse(text.empty() ? "the stage is empty" : fmt::format("{} is no stage", inQuotes(text)),
               "write encoder, decoder, cross or *; or source");
    }

    IndexSet readField(const char* name, std::string_view text) const
    {
        if (text == "*")
            return {};
        std::vector<IndexRange> ranges;
        for (Parts parts(text, ','); !parts.ended();)
            ranges.push_back(readRange(name, parts.next()));
        return IndexSet(std::move(ranges));
    }

    IndexRange readRange(const char* name, std::string_view text) const
    {
        if (text.empty())
            refuse(fmt::format("a {} is empty", name), "write a number, a range such as 2-5, a list of these, or *");
        const std::size_t dash = text.find('-');
        const auto first = parsedIndex(text.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : parsedIndex(text.substr(dash + 1));
        if (!first || !last)
            refuse(fmt::format("{} {} is no number from 0", name, inQuotes(text)),
                   "write a number, a range such as 2-5, a list of these, or *");
        if (*last < *first)
            refuse(fmt::format("the range of {}s {} goes down", name, inQuotes(text)),
                   "write the smaller number first");
        return {*first, *last};
    }

    // The row, and what follows its colon.
    template<class Change, std::size_t size>
    std::pair<const ChangeRow<Change>*, std::string_view> readChange(const ChangeRow<Change> (&rows)[size],
                                                                     std::string_view what) const
    {
        const std::size_t colon = what.find(':');
        const std::string_view name = what.substr(0, colon);
        const auto row = std::ranges::find_if(rows, [&](const auto& one) { return name == one.name; });
        if (row == std::end(rows))
            refuse(fmt::format("{} is none of {}", inQuotes(what), spelledAll(rows)));
        const bool given = colon != std::string_view::npos;
        if (row->argument == nullptr && given)
            refuse(fmt::format("nothing follows {}", row->name));
        if (row->argument != nullptr && (!given || colon + 1 == what.size()))
            refuse(fmt::format("{} says nothing more", row->name), fmt::format("write {}", spelled(*row)));
        return {row, given ? what.substr(colon + 1) : std::string_view()};
    }

    float readValue(const char* name, std::string_view text) const
    {
        // Wider than what is asked for, so that a number next to 0 is one.
        const auto number = parsedNumber<long double>(text);
        const auto value = number ? static_cast<float>(*number) : std::numeric_limits<float>::infinity();
        if (!std::isfinite(value))
            refuse(fmt::format("{} takes a decimal number that a float can hold, not {}", name, inQuotes(text)),
                   fmt::format("write {}:0.5, for example", name));
        return value;
    }

    std::string_view m_spec;
};

std::string setText(const IndexSet& set)
{
    std::string text;
    for (const IndexRange& range : set.ranges()) {
        text += text.empty() ? "" : ",";
        text +=
            range.first == range.last ? fmt::format("{}", range.first) : fmt::format("{}-{}", range.first, range.last);
    }
    return text.empty() ? "*" : text;
}

std::string valueText(float value)
{
    std::array<char, 32> digits{};
    const auto [end, problem] = std::to_chars(digits.begin(), digits.end(), value);
    return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

template<class Rows, class Change>
const auto& rowOf(const Rows& rows, Change change)
{
    return *std::ranges::find_if(rows, [&](const auto& row) { return row.change == change; });
}

std::string textOf(const AttentionEdit& edit)
{
    std::string where = edit.stage ? stageText(*edit.stage) : "*";
    std::size_t length = where.size();
    for (const FieldRow& field : fields) {
        const IndexSet& set = edit.*field.set;
        where += ':' + setText(set);
        if (!set.isAll())
            length = where.size();
    }
    where.resize(length); // all that is left out at the end
    const auto& row = rowOf(attentionChanges, edit.change);
    return where + '=' + row.name + (row.argument == nullptr ? std::string() : ':' + valueText(edit.value));
}

std::string textOf(const SourceEdit& edit)
{
    const auto& row = rowOf(sourceChanges, edit.change);
    std::string text = fmt::format("source:{}={}", edit.position, row.name);
    if (edit.change == SourceChange::Token)
        text += ':' + std::to_string(edit.token);
    else if (edit.change == SourceChange::Word)
        text += ':' + edit.word;
    return text;
}

} // namespace

EditError::EditError(std::string_view spec, const std::string& problem, const std::string& advice)
    : Error(ErrorKind::Input, "edit " + inQuotes(spec), problem, advice)
{
}

std::string inQuotes(std::string_view text)
{
    constexpr int most = 40; // characters
    std::string result = "'";
    std::size_t at = 0;
    for (int count = 0; at < text.size() && count < most; ++count) {
        const char32_t character = nextCodePoint(text, at);
        appendUtf8(result, character < 0x20 || character == 0x7F ? U' ' : character);
    }
    return result + (at < text.size() ? "...'" : "'");
}

Edit parseEdit(std::string_view spec)
{
    return SpecReader(spec).read();
}

std::string editText(const Edit& edit)
{
    return std::visit([](const auto& one) { return textOf(one); }, edit);
}

IndexSet::IndexSet(std::vector<IndexRange> ranges)
{
    std::ranges::sort(ranges, {}, &IndexRange::first);
    for (const IndexRange& range : ranges) {
        if (m_ranges.empty() || range.first > std::int64_t{m_ranges.back().last} + 1)
            m_ranges.push_back(range);
        else
            m_ranges.back().last = std::max(m_ranges.back().last, range.last);
    }
}

} // namespace attn
