// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace attn {
class Engine;
}

namespace attn::ui {

// The one thread of a window that loads, packs and runs models, for its whole life: oneDNN's primitives and OpenMP's
// team belong to it. Jobs run one after the other.
class InferenceThread : public QThread
{
    Q_OBJECT

public:
    using Job = std::function<void(Engine&)>; // catches its own exceptions

    explicit InferenceThread(QObject* parent = nullptr);
    ~InferenceThread() override; // drops waiting jobs, waits for the one that runs

    void post(Job job);

protected:
    void run() override;

private:
    bool next(Job& job);

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Job> m_jobs;
    bool m_quit = false;
};

} // namespace attn::ui
