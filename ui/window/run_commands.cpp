// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/run_commands.h"

#include "base/encoding.h"
#include "base/index.h"
#include "decoding/options.h"
#include "dumps/attention_file.h"
#include "inference/forced_output.h"
#include "session/session.h"
#include "state/run_words.h"
#include "state/strings.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

namespace attn::ui {

namespace {

constexpr double soonDone = 0.5; // seconds that a run takes which need not be asked for
constexpr auto choicePause = std::chrono::milliseconds(300); // a number that is typed has several digits

} // namespace

RunCommands::RunCommands(Study& study, Selection& selection, RunController& controller)
    : m_study(study)
    , m_selection(selection)
    , m_controller(controller)
{
    connect(&study, &Study::traceChanged, this, &RunCommands::showMask);
    connect(&controller, &RunController::unknownWordsRead, this, &RunCommands::sayUnknown);
    connect(&controller, &RunController::textTooLong, this,
            [this](const TextBeginning& beginning) { m_beginning = beginning; });
    connect(&controller, &RunController::busyChanged, this, [this](bool busy) {
        if (!busy)
            m_maskToShow.reset();
    });
    connect(&controller, &RunController::finished, this, &RunCommands::showTaken);
    m_soon.setSingleShot(true);
    m_soon.setInterval(choicePause);
    connect(&study, &Study::questionChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(&m_soon, &QTimer::timeout, this, &RunCommands::runSoon);
}

bool RunCommands::canContinue() const
{
    return m_study.model() && m_study.kind() == ModelKind::DecoderOnly && !m_study.ended();
}

bool RunCommands::canMask() const
{
    return maskedWord(m_study, m_selection.step()).has_value();
}

void RunCommands::run()
{
    start(0);
}

void RunCommands::runBeginning()
{
    if (!m_beginning)
        return;
    m_study.edit([&beginning = *m_beginning](Question& question) {
        question.text = beginning.text;
        question.secondText = beginning.secondText;
    });
    run();
}

void RunCommands::runText(const QString& text)
{
    m_study.edit([&text](Question& question) { question.text = text.toStdString(); });
    run();
}

void RunCommands::runOpened()
{
    start(0, ModelStore::Reuse::Unchanged);
}

void RunCommands::continueText(int tokens)
{
    if (canContinue())
        start(m_study.written() + tokens);
}

void RunCommands::applyChoices()
{
    start(writtenBefore());
}

// Another choice than that of a run that took no time to speak of. What is typed waits for Enter.
void RunCommands::runSoon()
{
    const auto& summary = m_study.trace().summary();
    const auto& asked = m_study.asked();
    const Question& edited = m_study.edited();
    if (m_controller.busy() || !summary || summary->seconds >= soonDone || m_study.age() != Age::OlderThanChoices)
        return;
    if (asked->targetText == edited.targetText && asked->prefixText == edited.prefixText)
        applyChoices();
}

void RunCommands::tryChoices()
{
    m_generate = writtenBefore();
    m_controller.ask(m_study.question(m_generate), RunController::FirstLook::Late);
}

void RunCommands::askAgain()
{
    m_controller.ask(m_study.question(m_generate));
}

int RunCommands::writtenBefore() const
{
    const auto& asked = m_study.asked();
    return asked && m_study.written() > 0 ? asked->decoding.generate : 0;
}

void RunCommands::start(int generate, ModelStore::Reuse reuse)
{
    m_beginning.reset();
    m_maskToShow.reset();
    m_stepToShow.reset();
    m_generate = generate;
    m_study.endTrying();
    Q_EMIT asking();
    const QString model = QString::fromStdString(m_study.edited().model);
    if (model.isEmpty())
        Q_EMIT failed({{}, tr("No model is open"), tr("choose one, or open a checkpoint")});
    else if (isSessionPath(model.toStdString()))
        Q_EMIT failed({{}, tr("The model of this session is not open"), tr("choose one, or open a checkpoint")});
    else if (isAttentionFile(model.toStdString()))
        m_controller.openArchive(model);
    else
        m_controller.ask(m_study.question(generate), RunController::FirstLook::Soon, reuse);
}

void RunCommands::maskWord()
{
    const auto masked = maskedWord(m_study, m_selection.step());
    if (!masked)
        return;
    m_study.edit(
        [&](Question& question) { (masked->inSecond ? question.secondText.emplace() : question.text) = masked->text; });
    run();
    m_maskToShow = masked->masksBefore;
}

void RunCommands::take(int step, const std::vector<TokenId>& tokens)
{
    const Run* const shown = m_study.runs().find(m_study.shown());
    if (!m_study.branches() || shown == nullptr)
        return;
    const Question& edited = m_study.edited();
    Question asked = *shown->question;
    const int before = asked.decoding.generate;
    const int atOnce = edited.decoding.generate;
    asked.model = shown->opened.toStdString();
    asked.decoding = edited.decoding;
    asked.decoding.generate = before > 0 ? before : atOnce;
    asked.capture = edited.capture;
    Question next;
    const auto error = caught([&] {
        next = branched(std::move(asked), m_study.trace(), {m_selection.leaf(), step, tokens},
                        m_study.model()->writes.get());
    });
    if (error) {
        Q_EMIT failed(userMessage(*error));
        return;
    }
    const int generate = std::exchange(next.decoding.generate, atOnce);
    m_study.setEdited(std::move(next));
    start(m_study.kind() == ModelKind::DecoderOnly ? generate : 0);
    m_stepToShow = step;
}

void RunCommands::showTaken()
{
    const auto step = std::exchange(m_stepToShow, std::nullopt);
    if (step && *step < indexSize(m_study.trace().path()))
        m_selection.setStep(step);
}

bool RunCommands::canDrawAgain() const
{
    const auto& model = m_study.model();
    const Question& edited = m_study.edited();
    if (!model || m_study.kind() == ModelKind::EncoderOnly || edited.targetText)
        return false;
    return isUsed(optionRow(decodingRows(), "seed"),
                  fitted(edited.decoding, m_study.kind(), model->info.hardAttention));
}

void RunCommands::drawAgain()
{
    if (!canDrawAgain())
        return;
    std::set<std::uint64_t> seeds;
    for (const Run& run : m_study.runs().runs()) {
        if (run.question)
            seeds.insert(run.question->decoding.seed);
    }
    m_study.edit([&seeds](Question& question) {
        while (seeds.contains(question.decoding.seed))
            ++question.decoding.seed;
    });
    const bool continues = m_study.kind() == ModelKind::DecoderOnly && m_study.written() == 0;
    if (continues)
        start(m_study.edited().decoding.generate);
    else
        applyChoices();
}

// The mask that was just put into the text.
void RunCommands::showMask()
{
    const auto& tokens = m_study.trace().source().tokens;
    if (!m_maskToShow || tokens.empty())
        return;
    int before = *std::exchange(m_maskToShow, std::nullopt);
    const auto found = std::ranges::find_if(
        tokens, [&before](const std::string& piece) { return isMaskPiece(piece) && before-- == 0; });
    if (found != tokens.end())
        m_selection.setStep(static_cast<int>(found - tokens.begin()));
}

// Words that became the unknown token, so that the picture can be read; once, not with every search for the same text.
void RunCommands::sayUnknown(const std::vector<UnknownWord>& words)
{
    constexpr std::size_t most = 4;
    QStringList said;
    for (const UnknownWord& word : std::span(words).first(std::min(most, words.size()))) {
        QStringList pieces;
        for (const std::string& piece : word.pieces)
            pieces << pieceText(piece);
        // Joined rather than filled in: words may contain "%1".
        said << tr("“") + QString::fromStdString(word.text) + tr("” is read as ") + pieces.join(QLatin1Char(' '));
    }
    const int left = indexSize(words) - indexSize(said);
    const QString more = left > 0 ? tr(", and %n more", nullptr, left) : QString();
    const QString note = tr("Not in the model's vocabulary: ") + said.join(tr("; ")) + more;
    if (std::exchange(m_unknownSaid, {m_study.opened(), note}) != std::pair(m_study.opened(), note))
        Q_EMIT noted(note);
}

} // namespace attn::ui
