// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/option_row.h"

#include "base/error.h"
#include "base/plain_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace attn {

namespace {

std::string plain(double value)
{
    std::array<char, 64> digits{};
    const auto [end, problem] = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::fixed);
    return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

[[noreturn]] void refuse(const char* key, std::string_view text, const std::string& expected)
{
    throw Error(ErrorKind::Input, key, "'" + std::string(text) + "' is not " + expected);
}

template<class Number>
Number requireNumber(const char* key, std::string_view text, const NumberLimits& limits, const char* kind)
{
    const auto number = parsedNumber<Number>(text);
    if (!number || !(*number >= limits.least && *number <= limits.most))
        refuse(key, text, kind + rangeText(limits));
    return *number;
}

} // namespace

std::string rangeText(const NumberLimits& limits)
{
    return "from " + plain(limits.least) + " to " + plain(limits.most);
}

std::string choiceNames(std::span<const OptionChoice> choices, std::string_view between)
{
    std::string names;
    for (const OptionChoice& choice : choices) {
        names += (names.empty() ? "" : std::string(between)) + choice.name;
        if (choice.argument != nullptr)
            names += ':' + std::string(choice.argument);
    }
    return names;
}

namespace option {

int chosen(const char* key, std::string_view text, std::span<const OptionChoice> choices)
{
    const auto found = std::ranges::find(choices, text, &OptionChoice::name);
    if (found == choices.end())
        refuse(key, text, "one of " + choiceNames(choices, ", "));
    return static_cast<int>(found - choices.begin());
}

void read(const char* key, std::string_view text, const NumberLimits&, bool& value)
{
    if (text != "true" && text != "false")
        refuse(key, text, "true or false");
    value = text == "true";
}

void read(const char* key, std::string_view text, const NumberLimits& limits, int& value)
{
    value = requireNumber<int>(key, text, limits, "a whole number ");
}

void read(const char* key, std::string_view text, const NumberLimits&, std::uint64_t& value)
{
    const auto number = parsedNumber<std::uint64_t>(text);
    if (!number)
        refuse(key, text, "a whole number from 0 to " + std::to_string(std::numeric_limits<std::uint64_t>::max()));
    value = *number;
}

void read(const char* key, std::string_view text, const NumberLimits& limits, double& value)
{
    value = requireNumber<double>(key, text, limits, "a number ");
}

void read(const char*, std::string_view text, const NumberLimits&, std::string& value)
{
    value = text;
}

void read(const char* key, std::string_view text, const NumberLimits&, std::vector<int>& value)
{
    value.clear();
    for (std::size_t comma = 0; comma != std::string_view::npos;) {
        comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        const auto number = parsedNumber<int>(part);
        if (!number || *number < 0)
            refuse(key, part, "a whole number from 0; write them separated by commas, such as 5,9,2");
        value.push_back(*number);
        text.remove_prefix(std::min(comma, text.size() - 1) + 1);
    }
}

void read(const char*, std::string_view text, const NumberLimits&, std::vector<std::string>& value)
{
    value.clear();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        value.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string written(bool value)
{
    return value ? "true" : "false";
}

std::string written(int value)
{
    return std::to_string(value);
}

std::string written(std::uint64_t value)
{
    return std::to_string(value);
}

std::string written(double value)
{
    std::array<char, 32> digits{};
    const auto [end, problem] = std::to_chars(digits.begin(), digits.end(), value);
    return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

std::string written(const std::string& value)
{
    return value;
}

std::string written(const std::vector<int>& value)
{
    std::string text;
    for (const int number : value) {
        if (!text.empty())
            text += ',';
        text += std::to_string(number);
    }
    return text;
}

std::string written(const std::vector<std::string>& value)
{
    std::string text;
    for (const std::string& line : value)
        text += line + '\n';
    return text;
}

} // namespace option

} // namespace attn
