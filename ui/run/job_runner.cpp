// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/job_runner.h"

#include <QMetaObject>

#include <mutex>
#include <utility>

namespace attn::ui {

// The way back to the window's thread, closed when the runner ends.
struct JobRunner::Link
{
    std::mutex mutex;
    JobRunner* runner = nullptr;
};

struct JobRunner::Job : std::enable_shared_from_this<JobRunner::Job>
{
    std::shared_ptr<Link> link;
    std::shared_ptr<ModelStore> models;
    InferenceThread* thread = nullptr; // used on the thread itself only
    Work work;
    std::function<void()> done;
    std::stop_source stop;

    // Calls back on the window's thread while this is the runner's job.
    void notify(std::function<void(JobRunner&)> call)
    {
        const std::lock_guard lock(link->mutex);
        if (link->runner == nullptr)
            return;
        JobRunner* runner = link->runner;
        QMetaObject::invokeMethod(
            runner,
            [runner, job = shared_from_this(), call = std::move(call)] {
                if (runner->m_current == job)
                    call(*runner);
            },
            Qt::QueuedConnection);
    }
};

JobRunner::JobRunner(RunController& controller, QObject* parent)
    : QObject(parent)
    , m_controller(controller)
    , m_link(std::make_shared<Link>())
{
    m_link->runner = this;
}

JobRunner::~JobRunner()
{
    if (m_current)
        m_current->stop.request_stop();
    const std::lock_guard lock(m_link->mutex);
    m_link->runner = nullptr;
}

void JobRunner::start(Work work, std::function<void()> done)
{
    if (m_current)
        m_current->stop.request_stop();
    const bool wasBusy = busy();
    m_current = std::make_shared<Job>();
    m_current->link = m_link;
    m_current->models = m_controller.models();
    m_current->thread = &m_controller.thread();
    m_current->work = std::move(work);
    m_current->done = std::move(done);
    m_controller.thread().post([job = m_current](Engine& engine) { run(job, engine); });
    if (!wasBusy)
        Q_EMIT busyChanged(true);
}

void JobRunner::run(const std::shared_ptr<Job>& job, Engine& engine)
{
    if (job->stop.stop_requested())
        return;
    JobTools tools{
        engine, *job->models, job->stop.get_token(),
        [job](const QString& what, double fraction) {
            job->notify([what, fraction](JobRunner& runner) { Q_EMIT runner.progressed(what, fraction); });
        },
        [job](std::function<void()> call) { job->notify([call = std::move(call)](JobRunner&) { call(); }); }};
    bool more = false;
    const auto error = caught([&] { more = job->work(tools); });
    if (error) {
        job->notify([error = *error](JobRunner& runner) {
            runner.end();
            if (error.kind() != ErrorKind::Cancelled)
                Q_EMIT runner.failed(userMessage(error));
        });
    } else if (more) {
        job->thread->post([job](Engine& next) { run(job, next); });
    } else {
        job->notify([done = job->done](JobRunner& runner) {
            runner.end();
            if (done)
                done();
        });
    }
}

void JobRunner::end()
{
    m_current.reset();
    Q_EMIT busyChanged(false);
}

void JobRunner::cancel()
{
    if (!m_current)
        return;
    m_current->stop.request_stop();
    end();
}

} // namespace attn::ui
