// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "question/command_line.h"
#include "trace/archive.h"

#include <memory>
#include <optional>
#include <string>

namespace attn::app {

namespace {

struct TraceArguments
{
    std::string output;
    RunRequest request;
    std::optional<int> leaf;
    bool withoutSource = false;
    std::string encoderMaps = "auto";
};

// Whether the archive has maps of the encoder; long inputs of encoder-decoders have millions of cells in each.
bool keepsEncoderMaps(const std::string& choice, const Trace& trace)
{
    constexpr std::size_t longest = 1024; // of what is read
    if (choice == "auto")
        return trace.kind() != ModelKind::EncoderDecoder || trace.source().size() <= longest;
    return choice == "on";
}

void trace(TraceArguments& arguments)
{
    const auto form = archiveForm(arguments.output);
    if (!form)
        throw UsageError("--output must end in .npz or .json");
    requireOtherOutput("--text-file", arguments.request.textFile, arguments.output);
    requireOtherThanModel(arguments.request.question.model, {"--output", arguments.output});
    requireWritable({"--output", arguments.output});
    const MadeTrace made = makeTrace(arguments.request);
    const std::optional<StepId> leaf = chosenLeaf(made.trace, arguments.leaf);
    const Capture& wanted = arguments.request.question.capture;
    writeArchive(arguments.output, made.trace,
                 {.scores = wanted.scores,
                  .hidden = wanted.hidden,
                  .logits = wanted.logits,
                  .leaf = leaf,
                  .command = traceCommand(originOf(arguments.request), leaf, *form),
                  .media = !arguments.withoutSource,
                  .encoderMaps = keepsEncoderMaps(arguments.encoderMaps, made.trace)});
}

} // namespace

void addTraceCommand(CLI::App& app)
{
    auto* command = app.add_subcommand("trace", "run a model and save what was computed");
    auto arguments = std::make_shared<TraceArguments>();
    addModel(*command, arguments->request.question.model,
             "bundled name, checkpoint directory or file, archive or session");
    arguments->request.addTo(*command, everyOption);
    addLeaf(*command, arguments->leaf);
    command->add_flag("--no-source", arguments->withoutSource, "leave the picture or sound itself out");
    command
        ->add_option("--encoder-maps", arguments->encoderMaps,
                     "maps of the encoder; auto: off in encoder-decoder models that read more than 1,024 tokens")
        ->check(CLI::IsMember({"on", "off", "auto"}))
        ->type_name("on|off|auto");
    command->add_option("--output", arguments->output, "x.npz or x.json")->required()->type_name("FILE");
    command->callback([arguments] { trace(*arguments); });
}

} // namespace attn::app
