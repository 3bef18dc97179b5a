// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/session_files.h"

#include "base/progress.h"
#include "figures/kinds/shown_step.h"
#include "run/latest_request.h"
#include "run/model_store.h"
#include "state/run_words.h"
#include "state/selection.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QtConcurrent>

#include <algorithm>
#include <chrono>
#include <utility>

namespace attn::ui {

namespace {

constexpr auto keepingPause = std::chrono::seconds(3);
constexpr qint64 restsFor = 10; // times as long as the last writing took
constexpr std::size_t largestView = std::size_t{1} << 20U; // bytes; it is read on the window's thread

constexpr QLatin1String tabKey("tab");
constexpr QLatin1String wordsKey("words");
constexpr QLatin1String headsKey("heads"); // that are picked: as --heads has them
constexpr QLatin1String editsKey("edits"); // also those that are not applied
constexpr QLatin1String fileKey("file"); // that the study was in, of what is kept through a crash

// One that is longer than any that this program writes is none.
QJsonObject viewOf(const Session& session)
{
    if (session.view.size() > largestView)
        return {};
    return QJsonDocument::fromJson(QByteArray::fromStdString(session.view)).object();
}

const OptionRow<FigureChoices>& headsRow()
{
    return optionRow(figureRows(), "heads");
}

// Heads that are picked in another program's way are none.
void pickAgain(Appearance& appearance, const QJsonValue& heads)
{
    pickNone(appearance);
    appearance.choose([&heads](FigureChoices& choices) {
        if (heads.isString())
            (void)caught([&] { setOption(headsRow(), choices, heads.toString().toStdString()); });
    });
}

// Weight files of the model that a session names; none where its runs were not all made with the same ones.
std::vector<SeenFile> weightFilesOf(const RunTree& runs, const SessionModel& model)
{
    std::shared_ptr<const ModelSummary> made;
    for (const Run& run : runs.runs()) {
        if (!run.model || run.model->path.toStdString() != model.path)
            continue;
        if (made && made->weightFiles != run.model->weightFiles)
            return {};
        made = run.model;
    }
    return made ? made->weightFiles : std::vector<SeenFile>();
}

bool computesMaps(const Run& run)
{
    return std::ranges::any_of(run.trace.sites(), [&run](Site site) { return run.trace.computes(site); });
}

} // namespace

SessionFiles::SessionFiles(const Parts& parts)
    : m_parts(parts)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &SessionFiles::ended);
    m_clock.setInterval(keepingPause);
    connect(&m_clock, &QTimer::timeout, this, &SessionFiles::watch);
    connect(&parts.controller, &RunController::sessionShown, this,
            [this](const QString& path, const std::shared_ptr<const Session>& session) {
                m_opened = session;
                if (m_restored && m_restored->folder.session() == path) { // which is not where the user had it
                    m_restored->isShown = true;
                    m_parts.study.setSaved(viewOf(*session).value(fileKey).toString(), m_parts.study.changes() - 1);
                    offerNext();
                }
                place();
            });
    connect(&parts.controller, &RunController::failed, this, [this](quint64 request) { giveUp(request, false); });
    connect(&parts.controller, &RunController::cancelled, this, [this](quint64 request) { giveUp(request, true); });
    for (const auto ended : {&RunController::finished, &RunController::cancelled}) {
        connect(&parts.controller, ended, this, [this] {
            place();
            m_opened.reset();
        });
    }
}

SessionFiles::~SessionFiles()
{
    m_watcher.disconnect(this);
    m_stop.request_stop();
    m_watcher.waitForFinished();
    for (Work& work : m_next) {
        if (!work.file.isEmpty() && !work.stop.stop_requested())
            write(std::move(work));
    }
    for (StateFolder& left : m_left) // nobody has decided
        left.keep();
    if (m_restored && !m_restored->isShown)
        m_restored->folder.keep();
}

bool SessionFiles::save()
{
    m_parts.study.gather();
    if (m_parts.study.file().isEmpty())
        return saveAs();
    start(m_parts.study.file(), m_parts.study.file());
    return true;
}

bool SessionFiles::saveAs()
{
    m_parts.study.gather();
    const quint64 study = m_parts.study.sessions();
    const QString path = m_parts.dialogs.saveSession(&m_parts.window, m_parts.study.file());
    if (path.isEmpty() || m_parts.study.sessions() != study) // another session was opened meanwhile
        return false;
    start(path, path);
    return true;
}

bool SessionFiles::asksToSave() const
{
    return m_parts.study.unsaved()
        && (!m_parts.study.file().isEmpty() || std::ranges::any_of(m_parts.study.runs().runs(), isMarked));
}

const SessionFiles::Work* SessionFiles::saving() const
{
    const auto isWanted = [](const Work& work) { return !work.file.isEmpty() && !work.stop.stop_requested(); };
    if (m_work && isWanted(*m_work))
        return &*m_work;
    const auto next = std::ranges::find_if(m_next, isWanted);
    return next == m_next.end() ? nullptr : &*next;
}

bool SessionFiles::mayClose()
{
    return mayLeave(Leaving::Closing, [this] { m_parts.window.close(); });
}

bool SessionFiles::mayReplace(std::function<void()> open)
{
    return mayLeave(Leaving::Opening, std::move(open));
}

bool SessionFiles::mayLeave(Leaving what, std::function<void()> leave)
{
    m_parts.study.gather();
    const Work* const work = saving();
    if (work != nullptr && !(m_leaves && m_leaves->what == what)) {
        m_leaves = {what, std::move(leave)};
        Q_EMIT said(what == Leaving::Closing ? tr("Saving, then closing") : tr("Saving, then opening"));
        return false;
    }
    if (work == nullptr && !asksToSave())
        return true;
    m_leaves.reset(); // while it is asked
    const bool wasSaving = work != nullptr;
    const bool isOwn = !wasSaving || work->study == m_parts.study.sessions();
    const QString name = QFileInfo(wasSaving ? work->file : m_parts.study.file()).fileName();
    const quint64 study = m_parts.study.sessions();
    const SaveAnswer answer = m_parts.dialogs.askToSave(&m_parts.window, name);
    if (answer == SaveAnswer::Cancel || m_parts.study.sessions() != study) // it was of another session
        return false;
    if (answer == SaveAnswer::Discard) {
        std::exchange(m_stopSaving, std::stop_source()).request_stop();
        return isOwn || mayLeave(what, std::move(leave));
    }
    // A study that was being saved may be in its file meanwhile, or have failed to get there.
    if (saving() == nullptr && !asksToSave() && !(wasSaving && m_parts.study.unsaved()))
        return true;
    if (saving() != nullptr || save())
        m_leaves = {what, std::move(leave)};
    return false;
}

Session SessionFiles::now() const
{
    Session session = m_parts.study.session();
    session.shown.site = m_parts.selection.site();
    session.shown.head = m_parts.selection.head().withAbout(m_parts.selection.about());
    session.shown.step = m_parts.selection.step();
    QJsonObject view = viewOf(session);
    view.insert(tabKey, m_parts.views.currentId());
    view.insert(wordsKey, m_parts.appearance.choices().words);
    view.remove(headsKey);
    if (const auto heads = optionText(headsRow(), m_parts.appearance.choices()))
        view.insert(headsKey, QString::fromStdString(*heads));
    view.insert(editsKey, m_parts.edits.kept());
    view.remove(fileKey);
    session.view = QJsonDocument(view).toJson(QJsonDocument::Compact).toStdString();
    return session;
}

void SessionFiles::place()
{
    if (!m_opened)
        return;
    const SessionPlace& shown = m_opened->shown;
    const Trace& trace = m_parts.study.trace();
    const HeadReading head = shown.head.value_or(0);
    const int heads = shown.site ? trace.heads(*shown.site) : 0;
    if (heads > 0 && head.head().value_or(0) < heads)
        m_parts.selection.setSiteAndHead(*shown.site, head.withAbout({}));
    m_parts.selection.setAbout(head.about());
    if (shown.step && *shown.step < trace.rowCount())
        m_parts.selection.setStep(shown.step);
    const QJsonObject view = viewOf(*m_opened);
    pickAgain(m_parts.appearance, view.value(headsKey));
    if (view.value(tabKey).isString())
        m_parts.views.showView(view.value(tabKey).toString());
    m_parts.edits.restore(view.value(editsKey).toArray());
    if (view.value(wordsKey).isBool())
        m_parts.appearance.setWords(view.value(wordsKey).toBool());
}

void SessionFiles::start(const QString& path, const QString& file)
{
    Work work{now(), path, file, m_parts.study.sessions(), {}, m_parts.study.changes(), m_stopSaving.get_token()};
    if (file.isEmpty()) {
        QJsonObject view = viewOf(work.session);
        view.insert(fileKey, m_parts.study.file());
        work.session.view = QJsonDocument(view).toJson(QJsonDocument::Compact).toStdString();
        work.stop = m_stop.get_token();
    }
    work.weightFiles = weightFilesOf(m_parts.study.runs(), work.session.model);
    if (m_work)
        m_next.push_back(std::move(work));
    else
        launch(std::move(work));
}

void SessionFiles::launch(Work work)
{
    SessionModel& model = work.session.model; // where a file said its weights, they stay those of its runs
    if (const auto known = m_digests.find(work.weightFiles); model.weightsSha256.empty() && known != m_digests.end())
        model.weightsSha256 = known->second.toStdString();
    m_work.emplace(); // without the session
    m_work->path = work.path;
    m_work->file = work.file;
    m_work->study = work.study;
    m_work->weightFiles = work.weightFiles;
    m_work->changes = work.changes;
    m_work->stop = work.stop;
    m_watcher.setFuture(
        QtConcurrent::run(HandedOver([work = std::move(work)]() mutable { return write(std::move(work)); })));
}

SessionFiles::Written SessionFiles::write(Work work)
{
    QElapsedTimer timer;
    timer.start();
    Written written;
    const ThreadStop ofWork(work.stop);
    const auto error = caught([&] {
        if (work.session.model.weightsSha256.empty()) {
            written.digest = weightsSha256(work.weightFiles, work.stop);
            work.session.model.weightsSha256 = written.digest.toStdString();
        }
        writeSession(work.path.toStdString(), work.session);
    });
    if (error)
        written.problem = userMessage(*error);
    written.milliseconds = timer.elapsed();
    return written;
}

void SessionFiles::ended()
{
    const Written written = m_watcher.result();
    const Work work = *std::exchange(m_work, std::nullopt);
    const bool isGivenUp = work.stop.stop_requested();
    auto leaves = std::exchange(m_leaves, std::nullopt);
    if (!written.digest.isEmpty())
        m_digests.insert_or_assign(work.weightFiles, written.digest);
    m_rest = written.milliseconds * restsFor;
    const bool forUser = !work.file.isEmpty();
    if (!written.problem && work.study == m_parts.study.sessions() && m_restored && m_restored->isShown)
        m_restored.reset(); // it is in another file again
    if (written.problem) {
        if (forUser && !isGivenUp)
            leaves.reset();
        if (!isGivenUp && (forUser || !std::exchange(m_warned, true)))
            Q_EMIT failed(*written.problem);
    } else if (!forUser) {
        m_kept = work.changes;
    } else {
        if (work.study == m_parts.study.sessions())
            m_parts.study.setSaved(work.file, work.changes);
        Q_EMIT said(tr("Saved: %1").arg(work.file));
    }
    if (!m_next.empty()) {
        m_leaves = std::move(leaves);
        Work next = std::move(m_next.front());
        m_next.pop_front();
        launch(std::move(next));
    } else if (leaves) {
        leaves->leave();
    }
}

void SessionFiles::guard()
{
    m_left = StateFolder::leftBehind();
    offerNext();
    m_clock.start();
}

void SessionFiles::watch()
{
    m_rest -= std::chrono::milliseconds(keepingPause).count();
    const Study& study = m_parts.study;
    if (m_work || m_rest > 0 || study.runs().runs().empty() || study.changes() == m_kept)
        return;
    if (!study.unsaved()) {
        m_state.reset(); // everything is in its file
        return;
    }
    // Their maps would first have to be computed, for minutes, into gigabytes that nobody has asked for.
    if (std::ranges::any_of(study.runs().runs(), computesMaps)) {
        if (!std::exchange(m_warnedLong, true))
            Q_EMIT said(tr("Runs of this length are not kept for the case of a crash"));
        return;
    }
    if (!m_state)
        m_state = std::make_unique<StateFolder>();
    if (const QString path = m_state->session(); !path.isEmpty())
        return start(path, {});
    m_state.reset();
    if (!std::exchange(m_warned, true))
        Q_EMIT failed({StateFolder::place(), tr("is no folder that can be written to"),
                       tr("until it is, what you make is not kept for the case of a crash")});
}

void SessionFiles::offerNext()
{
    m_parts.offer.hide();
    if (m_left.empty())
        return;
    const QDateTime saved = QFileInfo(m_left.back().session()).lastModified();
    const QLocale locale; // of the language in use
    const QString date = locale.toString(saved.date(), QLocale::LongFormat);
    const QString time = locale.toString(saved.time(), QLocale::ShortFormat);
    m_parts.offer.offer(
        tr("AttnScope ended without saving the runs that were made until %1.").arg(date + QStringLiteral(", ") + time),
        {{"restoreRuns", tr("Restore"), [this] { restore(); }}, {"discardRuns", tr("Discard"), [this] { discard(); }}});
}

void SessionFiles::discard()
{
    m_left.pop_back();
    offerNext();
}

// It stays in its own folder until it is shown, and kept again.
void SessionFiles::restore()
{
    const auto again = [this, session = m_left.back().session()] {
        if (!m_left.empty() && m_left.back().session() == session)
            restore();
    };
    if (!mayReplace(again))
        return;
    if (m_restored) // which nobody has kept again so far
        m_restored->folder.keep();
    m_restored.emplace(Restored{std::move(m_left.back())});
    m_left.pop_back();
    m_parts.offer.hide();
    const quint64 request = m_parts.controller.openSession(m_restored->folder.session());
    m_restored->request = request;
}

void SessionFiles::giveUp(quint64 request, bool mayTryAgain)
{
    if (!m_restored || m_restored->isShown || m_restored->request != request)
        return;
    if (mayTryAgain)
        m_left.push_back(std::move(m_restored->folder));
    else
        m_restored->folder.keep();
    m_restored.reset();
    offerNext();
}

} // namespace attn::ui
