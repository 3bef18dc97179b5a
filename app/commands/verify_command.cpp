// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/run_difference.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "base/version.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "inference/answer.h"
#include "io/mapped_file.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "question/command_line.h"
#include "session/session.h"
#include "trace/archive.h"
#include "trace/site.h"

#ifdef ATTN_WITH_UI
#include "figures/export/provenance.h"
#include "run/model_store.h"

#include <QImage>
#endif

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::app {

namespace {

struct VerifyArguments
{
    std::string file;
    double tolerance = 1e-5;
    bool json = false;
};

// Findings, a line each: differences, and notes of those that do no harm.
struct Verdict
{
    std::vector<std::string> differs = {};
    std::vector<std::string> notes = {};
};

// A folder for what is made again.
class RerunFolder
{
public:
    RerunFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "attnscope-verify-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw Error(ErrorKind::File, name, "cannot be made", "check TMPDIR");
        m_folder = name;
    }
    ~RerunFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    RerunFolder(const RerunFolder&) = delete;
    RerunFolder& operator=(const RerunFolder&) = delete;

    // Runs a trace or figure command that a file names, with another output. No other command is run.
    std::filesystem::path run(const std::string& command, const std::filesystem::path& file) const
    {
        const std::vector<std::string> words = shellWords(command, file.filename().string());
        if (words.size() < 3 || words[0] != "attnscope" || (words[1] != "figure" && words[1] != "trace"))
            throw Error(ErrorKind::Format, file.filename().string(), "names no command that makes it again",
                        "attnscope info says what it names");
        const std::filesystem::path made = m_folder / ("again" + file.extension().string());
        std::vector<std::string> arguments;
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (words[i] == "--output")
                ++i;
            else if (!words[i].starts_with("--output="))
                arguments.push_back(words[i]);
        }
        arguments.push_back("--output=" + made.string());
        CLI::App app("", "attnscope");
        addTraceCommand(app);
        addFigureCommand(app);
        std::ranges::reverse(arguments); // as CLI11 takes them
        try {
            app.parse(arguments);
        } catch (const CLI::ParseError& error) {
            throw Error(ErrorKind::Format, file.filename().string(),
                        std::string("its command is not understood: ") + error.what());
        }
        return made;
    }

private:
    std::filesystem::path m_folder;
};

void compareTraces(const Trace& kept, const Trace& made, double tolerance, const std::string& what, Verdict& verdict)
{
    const TraceDifference difference = differenceOf(kept, made);
    for (const std::string& line : difference.structure)
        verdict.differs.push_back(what + line);
    const auto largest = std::ranges::max_element(difference.heads, {}, &HeadDifference::largest);
    if (largest != difference.heads.end() && largest->largest > 0)
        (largest->largest > tolerance ? verdict.differs : verdict.notes)
            .push_back(fmt::format("{}weights: by at most {:.3g}, in {}:{}", what, largest->largest,
                                   siteText(largest->site), largest->head));
    if (difference.logProbability > 0)
        (difference.logProbability > tolerance ? verdict.differs : verdict.notes)
            .push_back(fmt::format("{}log-probabilities: by at most {:.3g}", what, difference.logProbability));
}

void compareVersions(const std::string& kept, const std::string& now, Verdict& verdict)
{
    if (kept != now)
        verdict.notes.push_back(fmt::format("version: {}, now {}", kept.empty() ? "unknown" : kept, now));
}

void verifyArchive(const VerifyArguments& arguments, Verdict& verdict)
{
    const Trace kept = readArchive(arguments.file);
    if (kept.provenance().command.empty())
        throw Error(ErrorKind::Input, arguments.file, "does not say what made it",
                    "only what this program wrote can be made again");
    const RerunFolder again;
    const Trace made = readArchive(again.run(kept.provenance().command, arguments.file));
    compareVersions(kept.provenance().programVersion, programVersion, verdict);
    compareTraces(kept, made, arguments.tolerance, {}, verdict);
}

std::string weightsOf([[maybe_unused]] const LoadedModel& model)
{
#ifdef ATTN_WITH_UI
    return ui::weightsSha256(weightFiles(model), {}).toStdString();
#else
    return {};
#endif
}

void compareWeights(const std::string& kept, const std::string& now, Verdict& verdict)
{
    if (!kept.empty() && !now.empty() && kept != now)
        verdict.differs.push_back(fmt::format("weights file: SHA-256 {}, now {}", kept, now));
}

void verifySession(const VerifyArguments& arguments, Verdict& verdict)
{
    const Session session = readSession(arguments.file);
    const InterruptWatch interrupt;
    std::optional<Engine> engine; // of the run before, and its model
    std::optional<LoadedModel> model;
    std::string name;
    int made = 0;
    for (const SessionRun& run : session.runs) {
        const std::string what = fmt::format("run {}: ", run.id);
        if (!run.question) {
            verdict.notes.push_back(what + "is an archive, which is not made again");
            continue;
        }
        Question question = *run.question;
        if (question.model.empty())
            question.model = session.model.path;
        if (!model || name != question.model || engine->precision() != question.precision) {
            model.reset();
            engine.emplace(0, question.precision);
            model = loadModel(question.model, *engine, {}, interrupt.token());
            name = question.model;
            if (name == session.model.path)
                compareWeights(session.model.weightsSha256, weightsOf(*model), verdict);
        }
        compareTraces(run.trace,
                      answer(question, *model, *engine, {.stop = interrupt.token(), .picture = pictureReader()}),
                      arguments.tolerance, what, verdict);
        ++made;
    }
    if (made == 0)
        throw Error(ErrorKind::Input, arguments.file, "holds no run that can be made again");
    compareVersions(session.program, programVersion, verdict);
}

#ifdef ATTN_WITH_UI

// A file's bytes without the dates and the identity that Qt writes into a PDF, each time others.
std::string undatedFile(const std::filesystem::path& path)
{
    std::string bytes = readWholeFile(path, Limit::Figure);
    if (path.extension() != ".pdf")
        return bytes;
    constexpr std::pair<std::string_view, char> parts[] = {
        {"/CreationDate (", ')'}, {"/ModDate (", ')'}, {"/ID [", ']'}};
    for (const auto& [begin, last] : parts) {
        const std::size_t at = last == ']' ? bytes.rfind(begin) : bytes.find(begin); // the identity ends the file
        const std::size_t end = at == std::string::npos ? at : bytes.find(last, at);
        if (end != std::string::npos)
            bytes.erase(at, end - at);
    }
    return bytes;
}

// The difference in words, in dots of a PNG and in bytes of everything else; empty: there is none.
std::string contentDifference(const std::filesystem::path& kept, const std::filesystem::path& made)
{
    const std::string one = undatedFile(kept);
    const std::string other = undatedFile(made);
    if (one == other)
        return {};
    const auto dotsOf = [&](const std::string& file) {
        const QImage picture = QImage::fromData(QByteArray::fromStdString(file), "PNG");
        return picture.convertToFormat(QImage::Format_RGB32);
    };
    const bool isPicture = kept.extension() == ".png";
    const QImage picture = isPicture ? dotsOf(one) : QImage();
    const QImage again = isPicture ? dotsOf(other) : QImage();
    if (!picture.isNull()) {
        if (picture.size() != again.size())
            return fmt::format("picture: {}x{} dots, now {}x{}", picture.width(), picture.height(), again.width(),
                               again.height());
        qint64 dots = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x)
                dots += picture.pixel(x, y) != again.pixel(x, y) ? 1 : 0;
        }
        return dots == 0 ? std::string() : fmt::format("picture: {} dots", dots);
    }
    const std::size_t shared = std::min(one.size(), other.size());
    std::size_t bytes = std::max(one.size(), other.size()) - shared;
    for (std::size_t i = 0; i < shared; ++i)
        bytes += one[i] != other[i] ? 1U : 0U;
    return fmt::format("file: {} of {} bytes", bytes, std::max(one.size(), other.size()));
}

void verifyFigure(const VerifyArguments& arguments, Verdict& verdict)
{
    const std::filesystem::path path(arguments.file);
    const auto kept = ui::readProvenance(path);
    if (!kept || kept->command.isEmpty())
        throw Error(ErrorKind::Input, arguments.file, "does not say what made it",
                    kept && !kept->obstacle.isEmpty() ? kept->obstacle.toStdString()
                                                      : "only what this program wrote can be made again");
    const RerunFolder again;
    const std::filesystem::path made = again.run(kept->command.toStdString(), path);
    const auto now = ui::readProvenance(made).value_or(ui::FigureProvenance());
    compareWeights(kept->weightsSha256.toStdString(), now.weightsSha256.toStdString(), verdict);
    compareVersions(kept->program.toStdString(), now.program.toStdString(), verdict);
    const std::string content = contentDifference(path, made);
    const bool isOtherVersion = kept->program != now.program && path.extension() != ".png"; // which the file names
    if (!content.empty())
        (isOtherVersion ? verdict.notes : verdict.differs).push_back(content);
}

#endif

void verify(const VerifyArguments& arguments, int& status)
{
    Verdict verdict;
#ifdef ATTN_WITH_UI
    const bool isFigure = ui::isFigurePath(arguments.file);
    if (isFigure)
        verifyFigure(arguments, verdict);
#else
    const bool isFigure = false;
#endif
    if (isSessionPath(arguments.file))
        verifySession(arguments, verdict);
    else if (isArchivePath(arguments.file))
        verifyArchive(arguments, verdict);
    else if (!isFigure)
        throw UsageError("verify takes a figure, an archive or a session that this program wrote");
    status = verdict.differs.empty() ? Done : Differs;
    const char* const word = verdict.differs.empty() ? "the same" : "differs";
    if (arguments.json) {
        std::cout << jsonText({{"verdict", word}, {"differs", verdict.differs}, {"notes", verdict.notes}}, 2) << '\n';
        return;
    }
    std::cout << word << '\n';
    for (const std::string& line : verdict.differs)
        std::cout << "differs  " << line << '\n';
    for (const std::string& line : verdict.notes)
        std::cout << "note     " << line << '\n';
}

} // namespace

void addVerifyCommand(CLI::App& app, int& status)
{
    auto* command = app.add_subcommand(
        "verify", "make a figure, archive or session again from what it says of itself, and compare");
    auto arguments = std::make_shared<VerifyArguments>();
    command->add_option("FILE", arguments->file, "figure, archive or session")->required();
    command
        ->add_option("--tolerance", arguments->tolerance,
                     "how far numbers may differ: other processors round otherwise")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command->add_flag("--json", arguments->json, "as JSON");
    command->callback([arguments, &status] { verify(*arguments, status); });
}

} // namespace attn::app
