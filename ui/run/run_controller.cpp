// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_controller.h"

#include "base/progress.h"
#include "dumps/attention_file.h"
#include "figures/kinds/positions.h"
#include "loading/special_ids.h"
#include "run/model_store.h"
#include "run/window_tokenizer.h"
#include "trace/trace_builder.h"

#include <QFileInfo>
#include <QMetaObject>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <utility>

namespace attn::ui {

namespace {

constexpr auto frameTime = std::chrono::milliseconds(16);
constexpr auto lateLook = std::chrono::milliseconds(400);
constexpr auto longestUnpainted = std::chrono::milliseconds(200);

ModelSummary summaryOf(const LoadedModel& model, const std::string& path)
{
    ModelSummary summary;
    summary.name = QString::fromStdString(model.name);
    summary.path = QString::fromStdString(path);
    summary.weightFiles = weightFiles(model);
    summary.files = model.files;
    summary.info = model.model->info();
    summary.readsText = model.tokenizers.source != nullptr;
    for (const auto& [name, id, token] : namedIds(model))
        summary.specialTokens << QStringLiteral("%1 %2 %3")
                                     .arg(QLatin1String(name), QString::number(id), QString::fromStdString(token))
                                     .trimmed();
    const bool twoTexts = summary.info.kind == ModelKind::EncoderDecoder;
    if (const auto& writes = twoTexts ? model.tokenizers.target : model.tokenizers.source)
        summary.writes = std::make_shared<const WindowTokenizer>(writes);
    if (summary.info.predictsMasked && summary.readsText) {
        if (const auto mask = model.tokenizers.source->maskToken())
            summary.maskToken = QString::fromStdString(model.tokenizers.source->describe({&*mask, 1}).tokens.at(0));
    }
    if (const auto& languages = model.tokenizers.languages) {
        for (const std::string& code : languages->codes)
            summary.languages << QString::fromStdString(code);
        summary.sourceLanguage = QString::fromStdString(languages->source);
        summary.targetLanguage = QString::fromStdString(languages->target);
    }
    summary.positions =
        model.model->positionalEncoding(std::min(mostPositions, summary.info.maximumLength.value_or(mostPositions)));
    return summary;
}

// The words of the texts that the model could not read as they are.
std::vector<UnknownWord> unknownIn(const Question& question, const Trace& trace, const Tokenizers& tokenizers)
{
    std::vector<UnknownWord> words;
    const auto add = [&words](const std::shared_ptr<const Tokenizer>& tokenizer, const Encoding& text) {
        if (const auto unknown = tokenizer ? tokenizer->namedTokens().unk : std::nullopt)
            std::ranges::move(unknownWords(text, *unknown), std::back_inserter(words));
    };
    add(tokenizers.source, trace.source());
    if (question.targetText && tokenizers.target)
        add(tokenizers.target, tokenizers.target->encode(*question.targetText));
    return words;
}

// Reads its outputs once, so that they are known to those who may not wait.
void readOutputs(const Trace& trace)
{
    std::vector<std::optional<StepId>> leaves;
    if (trace.summary()) {
        for (const Hypothesis& hypothesis : trace.summary()->hypotheses)
            leaves.push_back(hypothesis.step);
    }
    leaves.emplace_back(); // the best: what is read last is known longest
    for (const auto& leaf : leaves) {
        (void)trace.target(leaf);
        if (trace.kind() == ModelKind::DecoderOnly) { // an encoder-decoder has its rows from these
            (void)trace.decoderInputs(leaf);
            (void)trace.sequence(leaf);
        }
    }
}

} // namespace

// Mailbox of the inference thread for the window. It holds no pointer to the run itself, so nothing keeps it alive.
struct RunController::Feed
{
    // Shared by itself with the builder's callback: the builder must not hold what holds the builder.
    const std::shared_ptr<std::atomic<bool>> pending = std::make_shared<std::atomic<bool>>(false);
    std::mutex mutex;
    std::shared_ptr<const TraceBuilder> builder;
};

RunController::RunController(Study& study, QObject* parent)
    : QObject(parent)
    , m_study(study)
    , m_latest(*this)
    , m_thread(std::make_unique<InferenceThread>())
{
    m_frame.setSingleShot(true);
    connect(&m_frame, &QTimer::timeout, this, &RunController::takeSnapshot);
    m_unpainted.setObjectName(QStringLiteral("unpainted"));
    m_unpainted.setSingleShot(true);
    m_unpainted.setInterval(longestUnpainted);
    connect(&m_unpainted, &QTimer::timeout, this, &RunController::framePainted);
}

RunController::~RunController()
{
    m_latest.end();
    m_thread.reset();
}

RunController::Ticket RunController::begin(const std::optional<Question>& question)
{
    const quint64 old = m_latest.number();
    Ticket ticket = m_latest.begin();
    m_feed = std::make_shared<Feed>();
    m_hasNews = false;
    m_shown = false;
    m_look = FirstLook::Soon;
    m_frame.stop();
    m_study.begin(question);
    if (old != 0)
        Q_EMIT cancelled(old);
    Q_EMIT busyChanged(true);
    Q_EMIT started(ticket.number());
    return ticket;
}

void RunController::post(const Ticket& ticket, std::function<void(Engine&)> work)
{
    m_thread->post([this, ticket, work = std::move(work)](Engine& engine) {
        const ThreadStop ofTexts(ticket.stop());
        if (const auto error = caught([&] { work(engine); }))
            ticket.report([this, error = *error] { fail(error); });
    });
}

quint64 RunController::ask(const Question& question, FirstLook look, ModelStore::Reuse reuse)
{
    const quint64 number = start({question, true, reuse, m_study.inputs(), m_study.trace().media()});
    m_look = look;
    return number;
}

QString RunController::progressText(const Progress& progress)
{
    switch (progress.part) {
    case Progress::Part::Tensor:
        return tr("Loading: %1").arg(QString::fromStdString(progress.name));
    case Progress::Part::EncoderLayer:
        return tr("encoder layer %1 of %2").arg(progress.number + 1).arg(progress.count);
    case Progress::Part::Sentence:
        return tr("sentence %1 of %2").arg(progress.number + 1).arg(progress.count);
    case Progress::Part::Step:
        return tr("step %1").arg(progress.number);
    case Progress::Part::GivenTokens:
        return tr("%n given tokens", nullptr, progress.count);
    case Progress::Part::Finished:
        return tr("finished");
    case Progress::Part::Nothing:
        break;
    }
    return {};
}

quint64 RunController::load(const QString& model)
{
    Question question;
    question.model = model.toStdString();
    return start({question, false, ModelStore::Reuse::Unchanged});
}

quint64 RunController::start(const ModelRequest& wanted)
{
    const Ticket ticket = begin(wanted.runs ? std::optional(wanted.question) : std::nullopt);
    post(ticket, [this, ticket, wanted, feed = m_feed](Engine& engine) { runOnThread(ticket, wanted, feed, engine); });
    return ticket.number();
}

void RunController::runOnThread(const Ticket& ticket, const ModelRequest& wanted, const std::shared_ptr<Feed>& feed,
                                Engine& engine)
{
    const Question& question = wanted.question;
    const auto loading = [this, ticket](const Progress& progress) {
        ticket.report([this, progress] { Q_EMIT progressed(progressText(progress), progress.fraction); });
    };
    const auto model = m_store->load(question.model, engine, loading, ticket.stop(), wanted.reuse);
    const auto setModel = [this, summary = summaryOf(*model, question.model)](bool resultFollows) {
        if (m_study.model() && m_study.model()->isSame(summary))
            return;
        m_study.setModel(summary);
        if (!resultFollows) // what is on show is another model's
            m_study.clearTrace();
    };
    try {
        const Question asked = wanted.runs ? fitted(question, *model) : Question();
        const ModelInfo& info = model->model->info();
        const bool lacksFile =
            (info.readsPictures() && !asked.image) || (info.input == InputKind::Sound && !asked.audio);
        if (!wanted.runs || lacksFile) {
            ticket.report([this, setModel] {
                setModel(false);
                finish();
            });
            return;
        }
        const auto changed = [this, ticket, pending = feed->pending] {
            if (!pending->exchange(true))
                ticket.report([this] { appended(); });
        };
        const auto running = [ticket, feed, setModel](std::shared_ptr<const TraceBuilder> builder) {
            {
                const std::lock_guard lock(feed->mutex);
                feed->builder = std::move(builder);
            }
            ticket.report([setModel] { setModel(true); });
        };
        RunObserver observer{ticket.stop(), changed, running};
        observer.media = wanted.media;
        const auto taken = [this, &ticket](const std::string& path) {
            return [this, &ticket, path](SessionInput file) {
                ticket.report([this, path, file = std::move(file)] { m_study.keepInput(path, file); });
            };
        };
        observer.picture = [this, &wanted, taken](const std::string& path) {
            return m_pictures->read(path, wanted.inputs, taken(path));
        };
        observer.sound = [&wanted, taken](const std::string& path) {
            return soundBytes(path, wanted.inputs, taken(path));
        };
        std::shared_ptr<const WindowTokenizer> names;
        observer.naming = [&names](auto tokenizer) {
            return names = std::make_shared<const WindowTokenizer>(std::move(tokenizer));
        };
        const Trace trace = answer(asked, *model, engine, observer);
        readOutputs(trace);
        const auto unread = names ? names->problem() : std::nullopt;
        ticket.report([this, trace, unknown = unknownIn(asked, trace, model->tokenizers), unread] {
            show(trace, false);
            if (!unknown.empty())
                Q_EMIT unknownWordsRead(unknown);
            if (unread)
                Q_EMIT outputUnread(userMessage(*unread));
            finish();
        });
    } catch (const Error& error) { // the model is there all the same
        ticket.report([setModel] { setModel(false); });
        if (dynamic_cast<const EditError*>(&error) != nullptr)
            reportEdits(ticket, question, *model);
        else if (error.kind() == ErrorKind::Input)
            reportBeginning(ticket, question, *model);
        throw;
    }
}

void RunController::reportEdits(const Ticket& ticket, const Question& question, const LoadedModel& model)
{
    std::vector<EditProblem> problems;
    caught([&] { problems = editProblems(fitted(question, model), model); });
    if (!problems.empty())
        ticket.report([this, edits = question.edits, problems] { Q_EMIT editsRefused(edits, problems); });
}

void RunController::reportBeginning(const Ticket& ticket, const Question& question, const LoadedModel& model)
{
    std::optional<TextBeginning> beginning;
    (void)caught([&] { beginning = readableBeginning(fitted(question, model), model); });
    if (beginning)
        ticket.report([this, beginning] { Q_EMIT textTooLong(*beginning); });
}

void RunController::show(Trace trace, bool running)
{
    if (std::exchange(m_shown, true))
        return m_study.growTrace(std::move(trace), running);
    m_study.replaceTrace(std::move(trace), running);
}

quint64 RunController::openArchive(const QString& path)
{
    const Ticket ticket = begin({});
    post(ticket, [this, ticket, path](Engine&) {
        const AttentionFile file = openAttentionFile(path.toStdString());
        std::vector<std::pair<QString, Trace>> runs; // of a file as such all sentences, the first comes last
        const bool isOne = file.size == 1 || !QFileInfo::exists(path);
        for (std::size_t i = isOne ? 0 : std::min(file.size, RunTree::mostRuns) - 1; i > 0; --i)
            runs.emplace_back(QString::fromStdString(sentencePath(path.toStdString(), i + 1).string()), file.trace(i));
        runs.emplace_back(path, file.trace(file.named));
        ticket.report([this, runs] {
            for (const auto& [opened, trace] : runs) {
                m_study.setArchive(opened);
                m_shown = false; // each is a run of its own
                show(trace, false);
            }
            finish();
        });
    });
    return ticket.number();
}

quint64 RunController::openSession(const QString& path)
{
    const Ticket ticket = begin({});
    post(ticket, [this, ticket, path](Engine& engine) { readOnThread(ticket, path, engine); });
    return ticket.number();
}

void RunController::readOnThread(const Ticket& ticket, const QString& path, Engine& engine)
{
    const auto session = std::make_shared<const Session>(readSession(path.toStdString()));
    ticket.report([this, path, session] {
        m_study.restore(*session, path, path);
        Q_EMIT sessionShown(path, session);
    });
    const auto loading = [this, ticket](const Progress& progress) {
        ticket.report([this, progress] { Q_EMIT progressed(progressText(progress), progress.fraction); });
    };
    const SessionModel& made = session->model;
    std::optional<ModelSummary> summary;
    QString differs;
    try {
        if (!made.path.empty()) {
            const auto model = m_store->load(made.path, engine, loading, ticket.stop(), ModelStore::Reuse::Unchanged);
            summary = summaryOf(*model, made.path);
            const bool other = !made.weightsSha256.empty()
                && weightsSha256(summary->weightFiles, ticket.stop()).toStdString() != made.weightsSha256;
            if (other)
                differs = tr("The weights of %1 are not those that these runs were made with: what is run now may "
                             "differ from what is shown.")
                              .arg(summary->name);
        }
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        differs = tr("The model of this session is not there: its runs are shown as they were saved. ")
            + QString::fromStdString(error.what());
    }
    ticket.report([this, summary, differs] {
        if (summary)
            m_study.setModelOfRuns(*summary);
        if (!differs.isEmpty())
            Q_EMIT sessionModelDiffers(differs);
        finish();
    });
}

void RunController::appended()
{
    m_hasNews = true;
    if (!m_frame.isActive() && !m_awaitsPaint)
        startFrame();
}

void RunController::startFrame()
{
    m_frame.start(m_shown || m_look == FirstLook::Soon ? frameTime : lateLook);
}

void RunController::framePainted()
{
    m_awaitsPaint = false;
    m_unpainted.stop();
    if (m_hasNews && busy() && !m_frame.isActive())
        startFrame();
}

void RunController::takeSnapshot()
{
    if (!busy() || !m_feed)
        return;
    m_hasNews = false;
    std::shared_ptr<const TraceBuilder> builder;
    {
        const std::lock_guard lock(m_feed->mutex);
        builder = m_feed->builder;
    }
    *m_feed->pending = false;
    if (!builder)
        return;
    const Trace trace = builder->snapshot();
    const Progress progress = builder->progress();
    m_awaitsPaint = true;
    m_unpainted.start();
    show(trace, true);
    Q_EMIT progressed(progressText(progress), progress.fraction);
}

void RunController::end()
{
    m_latest.end();
    m_frame.stop();
    m_study.end();
    Q_EMIT busyChanged(false);
}

void RunController::cancel()
{
    if (!busy())
        return;
    const quint64 number = m_latest.number();
    end();
    Q_EMIT cancelled(number);
}

void RunController::finish()
{
    const quint64 number = m_latest.number();
    end();
    Q_EMIT finished(number);
}

void RunController::fail(const Error& error)
{
    const quint64 number = m_latest.number();
    end();
    if (error.kind() == ErrorKind::Cancelled)
        Q_EMIT cancelled(number);
    else
        Q_EMIT failed(number, userMessage(error));
}

} // namespace attn::ui
