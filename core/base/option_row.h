// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/utf8.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace attn {

// Which commands offer an option.
enum class OptionGroup : std::uint8_t { None, Input, Edits, Run, Capture };

// Limits of a number.
struct NumberLimits
{
    double least = 0;
    double most = 10'000'000;
    double step = 1; // of the window's arrows
    const char* zero = nullptr; // what the window shows for 0
};

// One of several values: its name in texts, and in the window.
struct OptionChoice
{
    const char* name = "";
    const char* label = "";
    const char* argument = nullptr; // what the command line wants behind it: "K" of "beam:K"
};

// "greedy|beam:K|sample", as the command line takes them.
std::string choiceNames(std::span<const OptionChoice> choices, std::string_view between);

// A member that is one of several: an enumeration from 0, or a bool.
template<class Owner>
struct ChoiceMember
{
    std::span<const OptionChoice> choices;
    int (*get)(const Owner&) = nullptr;
    void (*set)(Owner&, int) = nullptr;
};

// A member with a text of its own; none: not given. `set` throws Error{Input}.
template<class Owner>
struct TextMember
{
    std::optional<std::string> (*text)(const Owner&) = nullptr;
    void (*set)(Owner&, std::string_view) = nullptr;
};

// Something that can be chosen, described once: its place in a question's text form and in the stored settings, the
// command line's option with its help, and the window's control follow from this row. Its default is its value in a
// new Owner.
template<class Owner>
struct OptionRow
{
    using Member = std::variant<ChoiceMember<Owner>, TextMember<Owner>, bool Owner::*, int Owner::*,
                                std::optional<int> Owner::*, std::uint64_t Owner::*, double Owner::*,
                                std::string Owner::*, std::optional<std::string> Owner::*, std::vector<int> Owner::*,
                                std::optional<std::vector<int>> Owner::*, std::vector<std::string> Owner::*>;

    const char* key = ""; // in texts; with "--" before it on the command line
    Member member;
    NumberLimits limits = {};
    OptionGroup group = OptionGroup::None; // None: no option of the command line
    const char* value = ""; // how the command line's help names the value; of one of several their names do
    const char* help = ""; // a sentence without a full stop
    const char* label = nullptr; // before its control in the window; null: it has none there
    unsigned scope = 0; // bits of the Owner's own: where the option has a meaning
    // Number of values that the command line takes, where that is not one; of a list of texts, which the command line
    // repeats, one more of them.
    void (*parse)(Owner&, std::string_view) = nullptr;

    bool isFlag() const { return std::holds_alternative<bool Owner::*>(member); }
    bool isRepeated() const { return std::holds_alternative<std::vector<std::string> Owner::*>(member); }
};

// "from 1 to 256".
std::string rangeText(const NumberLimits& limits);

namespace option {

template<class Member>
struct MemberTraits;
template<class O, class V>
struct MemberTraits<V O::*>
{
    using Owner = O;
    using Value = V;
};

// Each throws Error{Input} that names the key, what was found and what is expected.
int chosen(const char* key, std::string_view text, std::span<const OptionChoice> choices);
void read(const char* key, std::string_view text, const NumberLimits& limits, bool& value);
void read(const char* key, std::string_view text, const NumberLimits& limits, int& value);
void read(const char* key, std::string_view text, const NumberLimits& limits, std::uint64_t& value);
void read(const char* key, std::string_view text, const NumberLimits& limits, double& value);
void read(const char* key, std::string_view text, const NumberLimits& limits, std::string& value);
void read(const char* key, std::string_view text, const NumberLimits& limits, std::vector<int>& value);
void read(const char* key, std::string_view text, const NumberLimits& limits, std::vector<std::string>& value);

template<class Value>
void read(const char* key, std::string_view text, const NumberLimits& limits, std::optional<Value>& value)
{
    read(key, text, limits, value.emplace());
}

std::string written(bool value);
std::string written(int value);
std::string written(std::uint64_t value);
std::string written(double value); // the shortest that reads back as the same number
std::string written(const std::string& value);
std::string written(const std::vector<int>& value);
std::string written(const std::vector<std::string>& value); // one a line
template<class Value>
std::optional<std::string> written(const std::optional<Value>& value)
{
    return value ? std::optional(written(*value)) : std::nullopt;
}

} // namespace option

template<auto member>
constexpr auto choiceMember(std::span<const OptionChoice> choices)
{
    using Owner = typename option::MemberTraits<decltype(member)>::Owner;
    using Value = typename option::MemberTraits<decltype(member)>::Value;
    return ChoiceMember<Owner>{choices, [](const Owner& owner) { return static_cast<int>(owner.*member); },
                               [](Owner& owner, int value) { owner.*member = static_cast<Value>(value); }};
}

// Calls visit with the ChoiceMember, the TextMember, or the value of the member.
template<class Owner, class Visit>
auto visitOption(const OptionRow<std::remove_const_t<Owner>>& row, Owner& owner, Visit visit)
{
    return std::visit(
        [&](const auto& member) {
            if constexpr (requires { member.set; })
                return visit(member);
            else
                return visit(owner.*member);
        },
        row.member);
}

// "0.9", "beam", "5,9,2"; none where nothing was given.
template<class Owner>
std::optional<std::string> optionText(const OptionRow<Owner>& row, const Owner& owner)
{
    return visitOption(row, owner, [&](const auto& value) -> std::optional<std::string> {
        if constexpr (requires { value.choices; })
            return value.choices[value.get(owner)].name;
        else if constexpr (requires { value.text; })
            return value.text(owner);
        else
            return option::written(value);
    });
}

// Name of the value in the command line's help.
template<class Owner>
std::string valueName(const OptionRow<Owner>& row)
{
    const auto* choice = std::get_if<ChoiceMember<Owner>>(&row.member);
    return choice ? choiceNames(choice->choices, "|") : row.value;
}

// Throws Error{Input} for a text that is none of what the row allows; the owner stays as it was.
template<class Owner>
void setOption(const OptionRow<Owner>& row, Owner& owner, std::string_view text)
{
    visitOption(row, owner, [&](auto& value) {
        if constexpr (requires { value.choices; }) {
            value.set(owner, option::chosen(row.key, text, value.choices));
        } else if constexpr (requires { value.text; }) {
            value.set(owner, text);
        } else {
            auto found = value;
            option::read(row.key, text, row.limits, found);
            value = std::move(found);
        }
    });
}

// Throws Error{Input} for a value beyond its limits.
template<class Owner>
void checkOption(const OptionRow<Owner>& row, Owner owner)
{
    if (const auto text = optionText(row, owner))
        setOption(row, owner, *text);
}

template<class Owner>
bool isDefault(const OptionRow<Owner>& row, const Owner& owner)
{
    return optionText(row, owner) == optionText(row, Owner());
}

template<class Owner>
const OptionRow<Owner>& optionRow(std::span<const OptionRow<Owner>> rows, std::string_view key)
{
    for (const OptionRow<Owner>& row : rows) {
        if (row.key == key)
            return row;
    }
    throw std::out_of_range(std::string(key));
}

} // namespace attn
