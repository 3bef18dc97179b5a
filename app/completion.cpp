// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell_tools.h"
#include "base/shown_text.h"
#include "commands/choices.h"
#include "loading/model_loader.h"

#include <algorithm>
#include <cstddef>

namespace attn::app {

namespace {

const CLI::App* commandNamed(const CLI::App& app, const std::string& name)
{
    const auto found = app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
    return found.empty() ? nullptr : found.front();
}

const CLI::Option* optionNamed(const CLI::App& command, const std::string& name)
{
    const auto found = command.get_options(
        [&](const CLI::Option* option) { return option->nonpositional() && option->check_name(name); });
    return found.empty() ? nullptr : found.front();
}

// The command that the words chose and what they leave open in it.
struct Place
{
    const CLI::App* command;
    const CLI::Option* waiting = nullptr; // for its value
    std::size_t arguments = 0; // without an option
};

Place placeAfter(const CLI::App& app, std::span<const std::string> words)
{
    Place place{&app};
    for (const std::string& word : words) {
        if (word == "=") // bash makes three words of --theme=dark
            continue;
        if (place.waiting != nullptr) {
            place.waiting = nullptr;
        } else if (word.starts_with('-')) {
            const CLI::Option* option = optionNamed(*place.command, word);
            place.waiting = option != nullptr && option->get_expected_max() > 0 ? option : nullptr;
        } else if (const CLI::App* command = commandNamed(*place.command, word); command != nullptr) {
            place = {command};
        } else {
            ++place.arguments;
        }
    }
    return place;
}

std::vector<std::string> optionNames(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_group().empty())
            continue;
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    }
    return names;
}

std::vector<std::string> commandsAndModels(const Place& place)
{
    std::vector<std::string> names;
    if (place.arguments > 0)
        return names;
    for (const CLI::App* command : place.command->get_subcommands({}))
        names.push_back(command->get_name());
    const auto models = place.command->get_options(
        [](const CLI::Option* option) { return option->get_positional() && option->get_name(true) == "MODEL"; });
    if (!models.empty()) {
        for (const BundledModel& model : bundledModels())
            names.push_back(model.name);
    }
    return names;
}

} // namespace

std::vector<std::string> completions(const CLI::App& app, std::span<const std::string> words)
{
    const std::string typed = words.empty() || words.back() == "=" ? std::string() : words.back();
    const Place place = placeAfter(app, words.first(words.empty() ? 0 : words.size() - 1));
    std::vector<std::string> names;
    if (place.waiting != nullptr)
        names = choices(place.waiting->get_name());
    else if (typed.starts_with('-'))
        names = optionNames(*place.command);
    else
        names = commandsAndModels(place);
    // A name that a terminal would obey is typed by hand.
    std::erase_if(names, [&](const std::string& name) { return !name.starts_with(typed) || escaped(name) != name; });
    return names;
}

} // namespace attn::app
