// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/inference_thread.h"

#include "nn/engine.h"

#include <utility>

namespace attn::ui {

InferenceThread::InferenceThread(QObject* parent)
    : QThread(parent)
{
    setObjectName(QStringLiteral("inference"));
    start();
}

InferenceThread::~InferenceThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
        m_jobs.clear();
    }
    m_wake.notify_all();
    wait();
}

void InferenceThread::post(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_wake.notify_all();
}

bool InferenceThread::next(Job& job)
{
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_quit || !m_jobs.empty(); });
    if (m_quit)
        return false;
    job = std::move(m_jobs.front());
    m_jobs.pop_front();
    return true;
}

void InferenceThread::run()
{
    Engine engine;
    for (Job job; next(job); job = nullptr)
        job(engine);
}

} // namespace attn::ui
