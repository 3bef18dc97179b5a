// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell_tools.h"

#include "base/memory.h"
#include "base/plain_text.h"
#include "base/version.h"
#include "commands/options.h"
#include "loading/model_loader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

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

// A word that is being typed into a shell.
struct TypedWord
{
    std::string text; // without quotes
    char quote = 0; // that has no end yet
    bool beginsQuoted = false;
};

TypedWord typedWord(std::string_view raw)
{
    TypedWord word;
    word.beginsQuoted = raw.starts_with('\'') || raw.starts_with('"');
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const char c = raw[i];
        if (c == '\\' && word.quote != '\'') {
            if (++i < raw.size())
                word.text += raw[i];
        } else if (c == word.quote) {
            word.quote = 0;
        } else if (word.quote == 0 && (c == '\'' || c == '"')) {
            word.quote = c;
        } else {
            word.text += c;
        }
    }
    return word;
}

// A name such that the shell, which takes it for what has been typed behind an open quote, if any, obeys nothing in it.
std::string shellQuoted(std::string_view name, char quote)
{
    constexpr std::string_view plain = "_./:=@%+,-";
    std::string text;
    for (const char c : name) {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (quote == '\'' && c == '\'')
            text += "'\\''";
        else if (quote == '"' ? std::string_view("$`\"\\").find(c) != std::string_view::npos
                              : quote == 0 && !isLetter && plain.find(c) == std::string_view::npos
                         && static_cast<unsigned char>(c) < 0x80)
            text.append({'\\', c});
        else
            text += c;
    }
    return text;
}

} // namespace

std::vector<std::string> completions(const CLI::App& app, std::span<const std::string> words)
{
    const TypedWord word = typedWord(words.empty() || words.back() == "=" ? std::string() : words.back());
    const std::string& typed = word.text;
    const Place place = placeAfter(app, words.first(words.empty() ? 0 : words.size() - 1));
    std::vector<std::string> names;
    if (word.quote != 0 && !word.beginsQuoted) // the shell counts only what is behind the quote
        return names;
    if (place.waiting != nullptr)
        names = choices(place.waiting->get_name());
    else if (typed.starts_with('-'))
        names = optionNames(*place.command);
    else
        names = commandsAndModels(place);
    // A name that a terminal would obey is typed by hand, and one with an exclamation mark in double quotes, where
    // nothing keeps bash from looking into its history.
    std::erase_if(names, [&](const std::string& name) {
        return !name.starts_with(typed) || escaped(name) != name
            || (word.quote == '"' && name.find('!') != std::string::npos);
    });
    for (std::string& name : names)
        name = shellQuoted(name, word.quote);
    return names;
}

namespace {

// Text as roff prints it: hyphens that can be copied, no escapes, no line that is a request.
std::string roff(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
            result += std::string("\\&") + c;
        else
            result += c;
    }
    return result;
}

std::string entry(const CLI::Option& option)
{
    const CLI::Formatter formatter;
    return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(formatter.make_option_name(&option, option.get_positional())),
                       roff(formatter.make_option_opts(&option)), roff(option.get_description()));
}

std::string entries(const CLI::App& command)
{
    std::string page;
    for (const CLI::Option* option : command.get_options()) {
        const bool isHelpOfCommand = option == command.get_help_ptr() && command.get_parent() != nullptr;
        if (!option->get_group().empty() && !isHelpOfCommand)
            page += entry(*option);
    }
    return page;
}

// "trace MODEL [OPTIONS]" and what it does; commands of a command after it.
std::string section(const CLI::App& command, const std::string& before)
{
    const std::string name = before + command.get_name();
    std::string usage = name;
    for (const CLI::Option* option :
         command.get_options([](const CLI::Option* option) { return option->get_positional(); }))
        usage += " " + option->get_name(true);
    std::string page =
        fmt::format(".SS {} [OPTIONS]\n{}.\n{}", roff(usage), roff(command.get_description()), entries(command));
    for (const CLI::App* inner : command.get_subcommands({}))
        page += section(*inner, name + " ");
    return page;
}

constexpr std::string_view description = R"(Without a command, the window opens on
.IR MODEL :
the name of a bundled model, a checkpoint directory or one of its files, or an attention archive.
The commands do without a display.
)";

constexpr std::string_view ending = R"(.SH EXIT STATUS
0 when all went well, 1 after a failure, 2 for wrong usage; of verify and diff 3 where what is compared differs.
A failure prints one line that names the file and the cause, and leaves an existing output file as it was.
.SH ENVIRONMENT
.TP
\fBATTNSCOPE_MODELS\fR
the directory of the bundled models, instead of the one beside the program
)";

constexpr std::string_view examples = R"(.SH EXAMPLES
.EX
attnscope transformer\-en\-fr
attnscope figure transformer\-en\-fr \-\-text "I am not deaf." \-\-output x.pdf
attnscope trace rnnsearch\-en\-fr \-\-text "I am not deaf." \-\-decode beam:4 \-\-output x.npz
attnscope x.npz
.EE
)";

// The table of what files may ask for.
std::string limitsEntry()
{
    std::string text = fmt::format(".TP\n\\fB{}\\fR\nwhat files may ask for, such as \"json=256M archive=16G\":\n.RS\n",
                                   limitsVariable);
    for (const LimitRow& row : limitRows()) {
        const bool isEndless = row.usual == std::numeric_limits<std::uint64_t>::max();
        const std::string usual = isEndless ? std::string()
            : row.isBytes                   ? fmt::format(" ({}M)", row.usual >> 20U)
                                            : fmt::format(" ({})", row.usual);
        text += fmt::format(".TP\n{}\n{}{}\n", row.key, row.what, usual);
    }
    return text + ".RE\n";
}

} // namespace

std::string manualPage(const CLI::App& app)
{
    const std::string& name = app.get_name();
    std::string page = fmt::format(".TH ATTNSCOPE 1 \"\" \"{} {}\" \"User Commands\"\n", name, programVersion);
    page += fmt::format(".SH NAME\n{} \\- see how a neural network aligns what it reads with what it writes\n", name);
    page += fmt::format(".SH SYNOPSIS\n.B {0}\n[OPTIONS] [MODEL]\n.br\n.B {0}\nCOMMAND [OPTIONS]\n", name);
    page += fmt::format(".SH DESCRIPTION\n{}.SH OPTIONS\n{}.SH COMMANDS\n", description, entries(app));
    for (const CLI::App* command : app.get_subcommands({}))
        page += section(*command, {});
    return page + std::string(ending) + limitsEntry() + std::string(examples);
}

} // namespace attn::app
