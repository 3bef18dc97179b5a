// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/inference_thread.h"

#include "base/error.h"
#include "base/number_memory.h"
#include "nn/engine.h"
#include "run/handover.h"

#include <chrono>
#include <utility>

namespace attn::ui {

namespace {

constexpr std::chrono::seconds pause{10};

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
