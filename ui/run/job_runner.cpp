// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/job_runner.h"

#include "base/progress.h"
#include "run/picture_reader.h"

#include <utility>

namespace attn::ui {

struct JobRunner::Job
{
    JobRunner* runner = nullptr; // used on the window's thread, while the ticket counts
    LatestRequest::Ticket ticket;
    std::shared_ptr<ModelStore> models;
    InferenceThread* thread = nullptr; // used on the thread itself only
    Work work;
    std::function<void()> done;
    SessionInputs inputs;
};

JobRunner::JobRunner(RunController& controller, QObject* parent)
    : QObject(parent)
    , m_controller(controller)
    , m_latest(*this)
{
}

void JobRunner::start(Work work, std::function<void()> done)
{
    const bool wasBusy = busy();
    const auto job =
        std::make_shared<const Job>(Job{this, m_latest.begin(), m_controller.models(), &m_controller.thread(),
                                        std::move(work), std::move(done), m_controller.inputs()});
    m_controller.thread().post([job](Engine& engine) { run(job, engine); });
    if (!wasBusy)
        Q_EMIT busyChanged(true);
}

void JobRunner::run(const std::shared_ptr<const Job>& job, Engine& engine)
{
    const LatestRequest::Ticket& ticket = job->ticket;
    if (ticket.stop().stop_requested())
        return;
    const ThreadStop ofTexts(ticket.stop());
    JobTools tools{engine,
                   *job->models,
                   ticket.stop(),
                   [job](const QString& what, double fraction) {
                       job->ticket.report([job, what, fraction] { Q_EMIT job->runner->progressed(what, fraction); });
                   },
                   [job](std::function<void()> call) { job->ticket.report(std::move(call)); },
                   keptFiles(job->inputs)};
    bool more = false;
    const auto error = caught([&] { more = job->work(tools); });
    if (error) {
        ticket.report([job, error = *error] {
            job->runner->end();
            if (error.kind() != ErrorKind::Cancelled)
                Q_EMIT job->runner->failed(userMessage(error));
        });
    } else if (more) {
        job->thread->post([job](Engine& next) { run(job, next); });
    } else {
        ticket.report([job] {
            job->runner->end();
            if (job->done)
                job->done();
        });
    }
}

void JobRunner::end()
{
    m_latest.end();
    Q_EMIT busyChanged(false);
}

void JobRunner::cancel()
{
    if (busy())
        end();
}

} // namespace attn::ui
