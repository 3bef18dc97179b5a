// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell_tools.h"
#include "base/limits.h"
#include "base/version.h"

#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace attn::app {

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
