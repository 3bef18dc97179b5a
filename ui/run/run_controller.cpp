// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_controller.h"

#include "trace/archive.h"
#include "trace/trace_builder.h"

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
constexpr auto longestUnpainted = std::chrono::milliseconds(200);
constexpr int shownPositions = 128;

ModelSummary summaryOf(const LoadedModel& model, const std::string& path)
{
    ModelSummary summary;
    summary.name = QString::fromStdString(model.name);
    summary.path = QString::fromStdString(path);
    summary.info = model.model->info();
    summary.readsText = model.tokenizers.source != nullptr;
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
        model.model->positionalEncoding(std::min(shownPositions, summary.info.maximumLength.value_or(shownPositions)));
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

} // namespace

// What the inference thread leaves for the window. It holds no pointer to the run itself, so nothing keeps it alive.
struct RunController::Feed
{
    // Shared by itself with the builder's callback: the builder must not hold what holds the builder.
    const std::shared_ptr<std::atomic<bool>> pending = std::make_shared<std::atomic<bool>>(false);
    std::mutex mutex;
    std::shared_ptr<const TraceBuilder> builder;
};

RunController::RunController(Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_thread(std::make_unique<InferenceThread>())
{
    m_frame.setSingleShot(true);
    m_frame.setInterval(frameTime);
    connect(&m_frame, &QTimer::timeout, this, &RunController::takeSnapshot);
    m_unpainted.setSingleShot(true);
    m_unpainted.setInterval(longestUnpainted);
    connect(&m_unpainted, &QTimer::timeout, this, &RunController::framePainted);
}

RunController::~RunController()
{
    m_stop.request_stop();
    m_thread.reset();
}

quint64 RunController::begin(const std::optional<Question>& question)
{
    const bool replaced = m_busy;
    const quint64 old = m_number;
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_feed = std::make_shared<Feed>();
    m_hasNews = false;
    m_shown = false;
    m_asking = question;
    m_frame.stop();
    ++m_number;
    m_busy = true;
    if (replaced)
        Q_EMIT cancelled(old);
    Q_EMIT busyChanged(true);
    Q_EMIT started(m_number);
    return m_number;
}

void RunController::notify(quint64 number, std::function<void()> whenCurrent)
{
    QMetaObject::invokeMethod(
        this,
        [this, number, whenCurrent = std::move(whenCurrent)] {
            if (number == m_number && m_busy)
                whenCurrent();
        },
        Qt::QueuedConnection);
}

void RunController::post(quint64 number, std::function<void(Engine&)> work)
{
    m_thread->post([this, number, work = std::move(work)](Engine& engine) {
        if (const auto error = caught([&] { work(engine); }))
            notify(number, [this, number, error = *error] { fail(number, error); });
    });
}

quint64 RunController::ask(const Question& question)
{
    return start(question, true);
}

quint64 RunController::load(const QString& model)
{
    Question question;
    question.model = model.toStdString();
    return start(question, false);
}

quint64 RunController::start(const Question& question, bool runs)
{
    const quint64 number = begin(runs ? std::optional(question) : std::nullopt);
    post(number, [this, number, question, runs, feed = m_feed, stop = m_stop.get_token()](Engine& engine) {
        runOnThread(number, question, runs, feed, stop, engine);
    });
    return number;
}

void RunController::runOnThread(quint64 number, const Question& question, bool runs, const std::shared_ptr<Feed>& feed,
                                const std::stop_token& stop, Engine& engine)
{
    const auto loading = [this, number](const Progress& progress) {
        notify(number, [this, progress] {
            Q_EMIT progressed(tr("Loading: %1").arg(QString::fromStdString(progress.what)), progress.fraction);
        });
    };
    const auto model = m_store->load(question.model, engine, loading, stop);
    const auto setModel = [this, summary = summaryOf(*model, question.model)](bool resultFollows) {
        const auto& current = m_document.model();
        if (current && current->path == summary.path)
            return;
        m_document.setModel(summary);
        if (!resultFollows) { // what is on show is another model's
            m_asked.reset();
            m_document.replaceTrace({}, false);
        }
    };
    if (!runs) {
        notify(number, [this, number, setModel] {
            setModel(false);
            end(number);
        });
        return;
    }
    const auto changed = [this, number, pending = feed->pending] {
        if (!pending->exchange(true))
            notify(number, [this, number] { appended(number); });
    };
    const auto running = [this, number, feed, setModel](std::shared_ptr<const TraceBuilder> builder) {
        {
            const std::lock_guard lock(feed->mutex);
            feed->builder = std::move(builder);
        }
        notify(number, [setModel] { setModel(true); });
    };
    try {
        const Question asked = fitted(question, *model);
        const Trace trace = answer(asked, *model, engine, {stop, changed, running});
        notify(number, [this, number, trace, unknown = unknownIn(asked, trace, model->tokenizers)] {
            show(trace, false);
            if (!unknown.empty())
                Q_EMIT unknownWordsRead(unknown);
            end(number);
        });
    } catch (const Error&) { // the model is there all the same
        notify(number, [setModel] { setModel(false); });
        throw;
    }
}

void RunController::show(Trace trace, bool running)
{
    if (std::exchange(m_shown, true)) {
        m_document.growTrace(std::move(trace), running);
    } else {
        m_asked = m_asking;
        m_document.replaceTrace(std::move(trace), running);
    }
}

quint64 RunController::openArchive(const QString& path)
{
    const quint64 number = begin({});
    post(number, [this, number, path](Engine&) {
        const Trace trace = readArchive(path.toStdString());
        notify(number, [this, number, trace] {
            m_document.setModel(std::nullopt);
            show(trace, false);
            end(number);
        });
    });
    return number;
}

void RunController::cancel()
{
    if (!m_busy)
        return;
    m_stop.request_stop();
    const quint64 number = m_number++;
    m_busy = false;
    m_asking.reset();
    m_frame.stop();
    m_document.setRunning(false);
    Q_EMIT busyChanged(false);
    Q_EMIT cancelled(number);
}

void RunController::appended(quint64)
{
    m_hasNews = true;
    if (!m_frame.isActive() && !m_awaitsPaint)
        m_frame.start();
}

void RunController::framePainted()
{
    m_awaitsPaint = false;
    m_unpainted.stop();
    if (m_hasNews && m_busy && !m_frame.isActive())
        m_frame.start();
}

void RunController::takeSnapshot()
{
    if (!m_busy || !m_feed)
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
    Q_EMIT progressed(QString::fromStdString(progress.what), progress.fraction);
}

void RunController::end(quint64 number)
{
    m_busy = false;
    m_asking.reset();
    m_frame.stop();
    m_document.setRunning(false);
    Q_EMIT busyChanged(false);
    Q_EMIT finished(number);
}

void RunController::fail(quint64 number, const Error& error)
{
    m_busy = false;
    m_asking.reset();
    m_frame.stop();
    m_document.setRunning(false);
    Q_EMIT busyChanged(false);
    if (error.kind() == ErrorKind::Cancelled) {
        Q_EMIT cancelled(number);
        return;
    }
    Q_EMIT failed(number, userMessage(error));
}

} // namespace attn::ui
