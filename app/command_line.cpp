// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "app/gui.h"
#include "app/shell_tools.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/plain_text.h"
#include "base/version.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "dumps/attention_file.h"
#include "loading/model_loader.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace attn::app {

namespace {

constexpr std::string_view outOfMemory = "out of memory (close other programs or use a smaller model)";

int fail(std::string_view message, ExitStatus status)
{
    std::cerr << "attnscope: " + escaped(message) + '\n'; // in one piece, whatever signal follows
    return status;
}

void addCommands(CLI::App& app, int& status)
{
    addTraceCommand(app);
    addFigureCommand(app);
    addBatchCommand(app, status);
    addAlignCommand(app, status);
    addHeadsCommand(app, status);
    addDiffCommand(app, status);
    addVerifyCommand(app, status);
    addReadingsCommand(app, status);
    addGroundCommand(app, status);
    addTokenizeCommand(app);
    addInfoCommand(app);
    addModelsCommand(app);
    addBenchCommand(app);
}

int openWindow([[maybe_unused]] int argc, [[maybe_unused]] char** argv, [[maybe_unused]] GuiRequest request,
               [[maybe_unused]] double started)
{
#ifdef ATTN_WITH_UI
    requireUtf8Name("MODEL", request.model);
    requireUtf8Name("--screenshot", request.screenshot);
    requireUtf8Option("text", request.text);
    requireOtherThanModel(request.model, {"--screenshot", request.screenshot});
    if (!request.screenshot.empty())
        requireWritable({"--screenshot", request.screenshot});
    if (!request.model.empty() && !isAttentionFile(request.model))
        (void)modelPath(request.model); // before a window is there
    const char* before = std::getenv("ATTNSCOPE_STARTED_AT");
    request.startedAt = before == nullptr ? started : std::strtod(before, nullptr);
    return runGui(argc, argv, request);
#else
    throw Error(ErrorKind::Unsupported, "window", "this program was built without it", "use one of the commands");
#endif
}

// Letters to be replaced, added or left out until one word is the other (Levenshtein 1966).
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
        }
    }
    return row.back();
}

// The command that a word may have been meant to be; empty: none is near.
std::string commandLike(const CLI::App& app, std::string_view word)
{
    constexpr std::size_t farthest = 2;
    std::string nearest;
    std::size_t least = std::min(farthest + 1, word.size());
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (const std::size_t letters = distance(word, command->get_name()); letters < least) {
            least = letters;
            nearest = command->get_name();
        }
    }
    return nearest;
}

bool isModel(const std::string& name)
{
    try {
        if (!isAttentionFile(name))
            (void)modelPath(name);
        return true;
    } catch (const Error&) {
        return false;
    }
}

// Refuses a word in the place of a command that is none, and no model either.
void requireCommand(const CLI::App& app, const std::string& word, bool goesOn)
{
    const std::string nearest = commandLike(app, word);
    if (word.empty() || isModel(word) || (nearest.empty() && !goesOn))
        return;
    throw UsageError("there is no command " + word
                     + (nearest.empty() ? " (see attnscope --help)" : ", did you mean " + nearest + '?'));
}

// Options for packaging, shells and scripts, not people: --manual prints the manual page, --complete WORDS what the
// last of the words may become, --version --json the version for programs.
bool answerTools(const CLI::App& app, std::span<char*> arguments)
{
    const std::vector<std::string> words(arguments.begin(), arguments.end());
    if (words.size() == 3 && std::ranges::count(words, "--version") == 1 && std::ranges::count(words, "--json") == 1) {
#ifdef ATTN_WITH_UI
        constexpr bool hasWindow = true;
#else
        constexpr bool hasWindow = false;
#endif
        const nlohmann::ordered_json json{{"program", "attnscope"}, {"version", programVersion}, {"window", hasWindow}};
        std::cout << jsonText(json, 2) << '\n';
        return true;
    }
    if (words.size() < 2 || (words[1] != "--manual" && words[1] != "--complete"))
        return false;
    if (words[1] == "--manual")
        std::cout << manualPage(app);
    else
        for (const std::string& word : completions(app, std::span(words).subspan(2)))
            std::cout << word << '\n';
    return true;
}

int dispatch(int argc, char** argv, double started)
{
    CLI::App app("See how a neural network aligns what it reads with what it writes.", "attnscope");
    app.set_version_flag("--version", std::string("attnscope ") + programVersion);
    app.require_subcommand(0, 1);
    int status = Done;
    GuiRequest request;
    addWindowOptions(app, request);
    addCommands(app, status);
    if (answerTools(app, std::span(argv, argc)))
        return Done;
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& answered) { // --help, --version
        return app.exit(answered);
    } catch (const CLI::ExtrasError&) {
        if (app.get_subcommands().empty())
            requireCommand(app, request.model, true);
        std::string extras;
        for (const std::string& word : app.remaining(true))
            extras += ' ' + word;
        throw UsageError("not expected:" + extras + " (see attnscope --help)");
    } catch (const CLI::ParseError& error) {
        return fail(std::string(error.what()) + " (see attnscope --help)", WrongUsage);
    }
    if (!app.get_subcommands().empty())
        return status;
    requireCommand(app, request.model, false);
    return openWindow(argc, argv, std::move(request), started);
}

// A stream that is closed would give its number to the next file that is opened, which then held what is said there.
// A file that is opened in its place is neither read nor written, by its number or by its name.
void holdStandardStreams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0)
            (void)::open("/", O_PATH | O_DIRECTORY);
}

// Prints one line on standard error when it fails.
int run(int argc, char** argv)
{
    const double started = monotonicSeconds();
    holdStandardStreams();
    std::signal(SIGXFSZ, SIG_IGN); // a file beyond the limit is an error of its writing
    try {
        (void)limit(Limit::Memory); // where the environment sets none, now is the time to say so
        const int status = dispatch(argc, argv, started);
        std::cout.flush();
        return std::cout ? status : fail("standard output cannot be written (is the disk full?)", Failed);
    } catch (const UsageError& error) {
        return fail(error.what(), WrongUsage);
    } catch (const std::bad_alloc&) {
        return fail(outOfMemory, Failed);
    } catch (const std::exception& error) {
        return fail(error.what(), Failed);
    }
}

} // namespace

} // namespace attn::app

int main(int argc, char** argv)
{
    return attn::app::run(argc, argv);
}
