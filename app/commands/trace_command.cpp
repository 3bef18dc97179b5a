// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "trace/archive.h"

#include <filesystem>
#include <memory>

namespace attn::app {

namespace {

struct TraceArguments
{
    std::string model;
    std::string output;
    InputOptions input;
    RunOptions run;
    CaptureOptions capture;
};

void trace(const TraceArguments& arguments)
{
    const auto extension = std::filesystem::path(arguments.output).extension();
    if (extension != ".npz" && extension != ".json")
        throw UsageError("--output must end in .npz or .json");
    const CaptureOptions& wanted = arguments.capture;
    const Capture capture{.scores = wanted.scores, .hidden = wanted.hidden, .logits = wanted.logits};
    const MadeTrace made = makeTrace(arguments.model, arguments.input, arguments.run, capture);
    writeArchive(arguments.output, made.trace, {wanted.scores, wanted.hidden, wanted.logits});
}

} // namespace

void addTraceCommand(CLI::App& app)
{
    auto* command = app.add_subcommand("trace", "run a model and save what was computed");
    auto arguments = std::make_shared<TraceArguments>();
    command->add_option("MODEL", arguments->model, "bundled name, checkpoint directory or archive")->required();
    arguments->input.addTo(*command);
    arguments->run.addTo(*command);
    arguments->capture.addTo(*command);
    command->add_option("--output", arguments->output, "x.npz or x.json")->required()->type_name("FILE");
    command->callback([arguments] { trace(*arguments); });
}

} // namespace attn::app
