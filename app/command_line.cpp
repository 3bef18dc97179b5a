// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "app/gui.h"
#include "app/shell_tools.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/shown_text.h"
#include "base/version.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "io/atomic_file.h"
#include "loading/model_loader.h"

#include <CLI/CLI.hpp>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
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
    addHeadsCommand(app, status);
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
    if (!request.model.empty())
        (void)modelPath(request.model); // before a window is there
    const char* before = std::getenv("ATTNSCOPE_STARTED_AT");
    request.startedAt = before == nullptr ? started : std::strtod(before, nullptr);
    return runGui(argc, argv, request);
#else
    throw Error(ErrorKind::Unsupported, "window", "this program was built without it", "use one of the commands");
#endif
}

// What packaging and shells ask for, not people: --manual prints the manual page, --complete WORDS what the last of the
// words may become.
bool answerTools(const CLI::App& app, std::span<char*> arguments)
{
    const std::vector<std::string> words(arguments.begin(), arguments.end());
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
    } catch (const CLI::ParseError& error) {
        return fail(std::string(error.what()) + " (see attnscope --help)", WrongUsage);
    }
    return app.get_subcommands().empty() ? openWindow(argc, argv, std::move(request), started) : status;
}

// A stream that is closed would give its number to the next file that is opened, which then held what is said there.
// What is opened in its place is neither read nor written, by its number or by its name.
void holdStandardStreams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0)
            (void)::open("/", O_PATH | O_DIRECTORY);
}

std::terminate_handler usualEnd = std::abort;

std::atomic<bool> hasMemoryRunOut = false;

[[noreturn]] void noteOutOfMemory()
{
    hasMemoryRunOut = true;
    throw std::bad_alloc();
}

// Of what ends the program; a library that found no memory may do so with nothing thrown.
bool isOutOfMemory()
{
    try {
        if (const std::exception_ptr problem = std::current_exception())
            std::rethrow_exception(problem);
        return hasMemoryRunOut;
    } catch (const std::bad_alloc&) {
        return true;
    } catch (...) {
        return false;
    }
}

// The last word where nothing can be caught any more: what is taken apart may need memory for that, too.
[[noreturn]] void endOfMemory()
{
    if (isOutOfMemory()) {
        endOpenLine();
        for (const std::string_view part : {std::string_view("attnscope: "), outOfMemory, std::string_view("\n")})
            (void)!::write(STDERR_FILENO, part.data(), part.size());
        removeTemporaryFiles();
        std::_Exit(Failed);
    }
    usualEnd();
    std::abort();
}

// Prints one line on standard error when it fails.
int run(int argc, char** argv)
{
    const double started = monotonicSeconds();
    holdStandardStreams();
    keepToOpenDescriptors();
    removeTemporaryFilesOnSignals();
    usualEnd = std::set_terminate(endOfMemory);
    std::set_new_handler(noteOutOfMemory);
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
