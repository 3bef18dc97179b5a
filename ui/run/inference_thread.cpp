// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/inference_thread.h"

#include "base/error.h"
#include "base/memory.h"
#include "nn/engine.h"
#include "run/latest_request.h"

#include <chrono>
#include <utility>

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace attn::ui {

namespace {

constexpr std::chrono::seconds pause{10};
constexpr int niceness =
    7; // more than the window's, setpriority(2): where both want a core, the window's thread gets four fifths of it

// The window draws what a model sends while the model goes on computing: on two cores they would share one. Threads
// that are begun by the calling one are like it.
void giveWayToTheWindow()
{
#ifdef Q_OS_LINUX
    const auto thread = static_cast<id_t>(gettid());
    setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + niceness);
#endif
}

} // namespace

InferenceThread::InferenceThread()
{
    setObjectName(QStringLiteral("inference"));
    m_jobs.moveToThread(this);
    start();
    if (!isRunning())
        throw Error(ErrorKind::Resource, "inference", "the system starts no thread for it",
                    "close other programs, or allow this one more memory or threads (ulimit -v, -u)");
}

InferenceThread::~InferenceThread()
{
    requestInterruption();
    quit();
    wait();
}

void InferenceThread::post(Job job)
{
    HandedOver work([this, job = std::move(job)] {
        if (!isInterruptionRequested())
            job(*m_engine);
        m_idle->start();
    });
    QMetaObject::invokeMethod(&m_jobs, std::move(work), Qt::QueuedConnection);
}

void InferenceThread::run()
{
    giveWayToTheWindow();
    Engine engine;
    m_engine = &engine;
    QTimer idle;
    idle.setSingleShot(true);
    idle.setInterval(pause);
    connect(&idle, &QTimer::timeout, &idle, [] { releaseFreedNumbers(); });
    m_idle = &idle;
    exec();
}

} // namespace attn::ui
