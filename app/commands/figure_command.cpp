// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "base/error.h"
#include "commands/commands.h"
#include "commands/options.h"

#ifdef ATTN_WITH_UI
#include "app/interrupt.h"
#include "commands/drawing_application.h"
#include "commands/named_files.h"
#include "experiments/sweep.h"
#include "figures/export/figure_export.h"
#include "figures/kinds/positions.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/rows.h"
#include "figures/parts/matrix_figure.h"
#include "nn/engine.h"
#include "run/model_store.h"
#include "views/figure_recipe.h"
#include "views/view_rows.h"

#include <fmt/format.h>
#endif

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn::app {

namespace {

struct FigureArguments
{
    std::string output;
    std::string site;
    RunRequest request;
#ifdef ATTN_WITH_UI
    std::string view = ui::viewRows().front().id;
    ui::FigureChoices choices;
    std::optional<std::string> against; // an archive or a session
    std::optional<int> againstRun; // of a session
    std::optional<std::string> againstEdit;
    std::optional<int> leaf;
    std::vector<int> refolded;
    ui::ExportOptions options;
#endif
};

#ifdef ATTN_WITH_UI

// Throws UsageError for picked heads that do not exist.
void checkHeads(const ui::FigureSpec& spec, const Trace& trace)
{
    for (const HeadPlace& place : spec.heads.places(spec.site.layer)) {
        const int heads = trace.heads({spec.site.stage, place.layer});
        if (heads == 0)
            throw UsageError(fmt::format("--heads: there is no layer {}", place.layer));
        if (place.head >= heads)
            throw UsageError(fmt::format("--heads: layer {} has heads 0 to {}", place.layer, heads - 1));
    }
}

// Readings that the figure shows: those of its kind, and the one that the site names.
ReadingRequest readingsOf(const ui::FigureKind& kind, const std::string& site)
{
    ReadingRequest wanted{{kind.readings.begin(), kind.readings.end()}, {}};
    if (site.empty())
        return wanted;
    const HeadReading head = readGiven([&] { return parseSite(site, "site", Stage::Cross); }).head;
    wanted.about = head.about();
    if (const auto& computed = head.reading().computed)
        wanted.methods.emplace_back(computed->method);
    return wanted;
}

using Content = ui::ExportFormat::Content;
constexpr Content figureForms[] = {Content::Drawing, Content::Steps, Content::Heads, Content::Numbers};

void takeSite(ui::FigureSpec& spec, const FigureArguments& arguments, const MadeTrace& made)
{
    const bool draws = spec.kind->drawsSite;
    if (draws && made.trace.sites().empty()) {
        const auto other = std::ranges::find_if(ui::viewRows(), [](const ui::ViewRow& row) {
            return !row.figure->drawsSite && !row.figure->drawsPositions;
        });
        throw Error(ErrorKind::Input, arguments.request.question.model, "has no attention to draw",
                    other == ui::viewRows().end() ? "" : std::string("try --view ") + other->id);
    }
    const bool chooses = draws || !made.trace.sites().empty();
    const auto [site, head] = chooseSite(chooses ? arguments.site : std::string(), made.site,
                                         [&](Site asked) { return made.trace.heads(asked); });
    if (draws && made.trace.heads(site) == 0)
        throw UsageError("--site: this run has another attention than the usual one, name it");
    if (spec.kind->isIn != nullptr && !spec.kind->isIn(made.trace))
        throw UsageError("--view " + arguments.view + ": this run has nothing of that kind");
    spec.site = site;
    ReadingAbout about = head.about();
    if (!about.of && !about.all)
        about = made.about.of ? made.about : heldAbout(made.trace, head.reading(), about);
    spec.head = head.withAbout(about);
    spec.about = about;
    const ReadingInput input = readingInput(made.trace, {site, spec.head}, spec.leaf);
    if (const char* const lack = head.reading().lack(input); lack != nullptr && draws && head.reading().computed)
        throw Error(ErrorKind::Input, "--site " + siteText(SiteChoice{site, head}), lack);
    checkHeads(spec, made.trace);
}

void takePositions(ui::FigureSpec& spec, const FigureArguments& arguments, MadeTrace& made)
{
    if (holdsRuns(arguments.request.question.model))
        throw UsageError("--view positional: an archive has no positional encoding");
    Engine engine(arguments.request.threads);
    const LoadedModel loaded = loadModel(arguments.request.question.model, engine);
    made.weightFiles = weightFiles(loaded);
    const ModelInfo& info = loaded.model->info();
    spec.allPositions = info.maximumLength.value_or(0);
    spec.positions =
        loaded.model->positionalEncoding(std::min(ui::mostPositions, info.maximumLength.value_or(ui::mostPositions)));
    if (spec.positions.empty())
        throw UsageError("--view positional: this model " + ui::otherPositions(info.positions).toStdString());
}

// The run that the one asked for is compared with; null: none.
std::shared_ptr<const ui::ReferenceRun> takeAgainst(const FigureArguments& arguments, const MadeTrace& made)
{
    if (!arguments.against && !made.other)
        return nullptr;
    ui::ReferenceRun against;
    if (made.other) {
        against.trace = made.other->trace;
        against.shownUnderIt = made.other->askedUnderIt;
        against.itUnderShown = made.other->itUnderAsked;
    } else {
        const MadeTrace other = storedTrace(*arguments.against, arguments.againstRun);
        against.trace = other.trace;
        against.shownName = QString::fromStdString(made.name);
        against.name = QString::fromStdString(other.name);
    }
    return std::make_shared<const ui::ReferenceRun>(std::move(against));
}

// Changes of the output without each head, where the figure says them; null: it does not.
std::shared_ptr<const ui::HeadChanges> takeAblation(const FigureArguments& arguments, const ui::FigureSpec& spec)
{
    const auto isAblation = [](const HeadMeasure* measure) { return measure != nullptr && measure->ofAblation; };
    if (!spec.kind->drawsAllHeads || (!isAblation(measureOf(spec.headOrder)) && !isAblation(measureOf(spec.headNote))))
        return nullptr;
    const Question& question = arguments.request.question;
    if (holdsRuns(question.model))
        throw UsageError(
            "--sort and --tile-label: an archive or session is the result of a run, which is not made again "
            "without its heads");
    const InterruptWatch interrupt;
    Engine engine(arguments.request.threads, question.precision, arguments.request.weights);
    auto model = std::make_shared<const LoadedModel>(loadModel(question.model, engine, {}, interrupt.token()));
    Sweep::Plan plan{.question = question};
    plan.question.capture = {.attention = false};
    Sweep sweep(std::move(plan));
    carryOut(
        sweep,
        Workbench{engine, [&model](const std::string&) { return model; }, interrupt.token(), {}, {pictureReader()}});
    auto changes = std::make_shared<ui::HeadChanges>();
    for (const SweptHead& head : sweep.result().heads)
        changes->emplace(std::pair(head.site, head.head), head.change);
    return changes;
}

void checkAgainst(const FigureArguments& arguments, const ui::FigureKind& kind)
{
    if (!arguments.against && !arguments.againstEdit && !arguments.againstRun)
        return;
    if (arguments.againstRun && (!arguments.against || !isSessionPath(*arguments.against)))
        throw UsageError("--against-run goes with a session as --against");
    if (arguments.against && arguments.againstEdit)
        throw UsageError("give --against or --against-edit, not both");
    if (kind.drawsPositions)
        throw UsageError("--against: the positions of a model are not compared");
    if (kind.csv != nullptr) // of no matrix
        throw UsageError("--against: this view shows one run: use heatmap, grid, arcs or decoding");
    if (arguments.against && !holdsRuns(*arguments.against))
        throw UsageError("--against needs an attention archive or a session: write one with trace --output FILE.npz");
}

// The hypothesis, what is folded otherwise, and whether there are such rows and columns.
void takePlace(ui::FigureSpec& spec, const FigureArguments& arguments, const Trace& trace)
{
    spec.leaf = chosenLeaf(trace, arguments.leaf);
    for (const int step : arguments.refolded)
        spec.refolded.insert(StepId{step});
    if (!spec.kind->drawsSite)
        return;
    ui::FigureSpec whole = spec;
    whole.rows.reset();
    whole.columns.reset();
    const Numbers all = spec.kind->numbers(whole, trace).map.numbers;
    const auto check = [](const char* option, const std::optional<ShownSpan>& span, int count) {
        if (span && span->first >= count)
            throw UsageError(std::string(option) + ": there are only " + std::to_string(count));
    };
    check("--rows", spec.rows, all.rows);
    check("--columns", spec.columns, all.columns);
}

ui::FigureOrigin figureOriginOf(const FigureArguments& arguments, const MadeTrace& made)
{
    ui::FigureOrigin from;
    static_cast<RunOrigin&>(from) = originOf(arguments.request);
    if (arguments.against)
        from.against = lastingPath(*arguments.against).string();
    from.againstRun = arguments.againstRun;
    from.againstEdit = arguments.againstEdit;
    if (!made.weightsSha256.empty())
        from.weightsSha256 = [known = made.weightsSha256](const std::stop_token&) {
            return QString::fromStdString(known);
        };
    if (!made.weightFiles.empty())
        from.weightsSha256 = [files = made.weightFiles](const std::stop_token& stop) {
            return ui::weightsSha256(files, stop);
        };
    return from;
}

void figure(FigureArguments& arguments)
{
    requireUtf8Name("--output", arguments.output);
    requireOtherOutput("--text-file", arguments.request.textFile, arguments.output);
    requireOtherOutput("--against", arguments.against, arguments.output);
    requireOtherThanModel(arguments.request.question.model, {"--output", arguments.output});
    requireWritable({"--output", arguments.output});
    const QString output = QString::fromStdString(arguments.output);
    const ui::ExportFormat* format = ui::exportFormatOf(output, arguments.options.report);
    if (arguments.options.report && format == nullptr)
        throw UsageError("--report: --output must end in .pdf");
    if (format == nullptr || format->content == Content::Run)
        throw UsageError("--output must end in one of " + ui::suffixesOf(figureForms).toStdString());
    ui::FigureSpec spec;
    static_cast<ui::FigureChoices&>(spec) = arguments.choices;
    spec.kind = ui::viewRows()[ui::rowNamed(ui::viewRows(), arguments.view, "--view")].figure;
    spec.archive = holdsRuns(arguments.request.question.model);
    checkAgainst(arguments, *spec.kind);
    MadeTrace made;
    if (spec.kind->drawsPositions) {
        takePositions(spec, arguments, made);
    } else {
        std::optional<ComparisonRequest> other;
        if (arguments.againstEdit)
            other = ComparisonRequest{*arguments.againstEdit, !spec.kind->drawsSite};
        made = makeTrace(arguments.request, other, readingsOf(*spec.kind, arguments.site));
        takeSite(spec, arguments, made);
        if (spec.pair != PairFilter::All && !shownTexts(spec.mapSpec(), made.trace))
            throw UsageError(
                "--pair is of two texts in an encoder: give the second one with --text-pair, or an archive "
                "that has source_segments");
        spec.against = takeAgainst(arguments, made);
        spec.without = takeAblation(arguments, spec);
        takePlace(spec, arguments, made.trace);
    }
    const DrawingApplication application(spec.language);
    ui::Exportable figure = ui::exportable(spec, made.trace);
    if (!format->fits(figure))
        throw UsageError("--output: this view of this run cannot be written as ." + std::string(format->suffix));
    const ui::FigureOrigin from = figureOriginOf(arguments, made);
    figure.provenance = [&](const ui::Exportable& written, const QString& file, const ui::ExportOptions& options) {
        return ui::figureProvenance(written.source->spec, made.trace, from, file, options);
    };
    ui::exportFigure(output, figure, arguments.options);
}

void addLook(CLI::App& command, FigureArguments& arguments)
{
    command.add_option("--view", arguments.view, "what to draw")
        ->check(CLI::IsMember(choices("--view")))
        ->capture_default_str();
    for (const auto& row : ui::figureRows())
        addOption(command, row, arguments.choices, [](const char*) {});
    command
        .add_option_function<int>(
            "--of", [&arguments](int token) { arguments.choices.picked = {token}; },
            "of pictures: what this token looks at, as --pick has it")
        ->transform(decimal())
        ->check(CLI::NonNegativeNumber)
        ->type_name("POS");
    addText(command, "--against", arguments.against,
            "draw the difference: this run minus the one of an archive or a session")
        ->type_name("FILE");
    addText(command, "--against-edit", arguments.againstEdit,
            "draw the difference: this run minus the same with one more edit")
        ->type_name("SPEC");
    command
        .add_option_function<int>(
            "--against-run", [&arguments](int run) { arguments.againstRun = run; },
            "which run of the session that --against names; without: the one on show")
        ->transform(decimal())
        ->type_name("N");
    addLeaf(command, arguments.leaf);
    command.add_option("--refold", arguments.refolded, "of the beam tree: steps that are folded the other way round")
        ->delimiter(',')
        ->transform(decimal())
        ->type_name("N,N");
    for (const auto& row : ui::exportRows())
        addOption(command, row, arguments.options, [](const char*) {});
    command.add_option("--output", arguments.output, ui::suffixesOf(figureForms).toStdString())
        ->required()
        ->type_name("FILE");
}

#else

void addLook(CLI::App& command, FigureArguments& arguments)
{
    command.add_option("--output", arguments.output);
}

void figure(FigureArguments&)
{
    throw Error(ErrorKind::Unsupported, "figure", "this program was built without figures", "use trace instead");
}

#endif

} // namespace

void addFigureCommand(CLI::App& app)
{
    auto* command = app.add_subcommand("figure", "render one figure");
    auto arguments = std::make_shared<FigureArguments>();
    addModel(*command, arguments->request.question.model,
             "bundled name, checkpoint directory or file, archive or session");
    arguments->request.addTo(*command, inputAndRun);
    command->add_option("--site", arguments->site,
                        fmt::format("encoder, decoder or cross:LAYER:HEAD; HEAD is {}", headForms()));
    addLook(*command, *arguments);
    command->callback([arguments] { figure(*arguments); });
}

} // namespace attn::app
