// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>
#include <QTimer>

#include <functional>

namespace attn {
class Engine;
}

namespace attn::ui {

// The one thread of a window that loads, packs and runs models, for its whole life: oneDNN's primitives and OpenMP's
// team belong to it. Jobs run one after the other. When none has come for a while, memory that they left for the next
// goes back to the system.
class InferenceThread : public QThread
{
    Q_OBJECT

public:
    using Job = std::function<void(Engine&)>; // catches its own exceptions

    InferenceThread(); // throws Error{Resource}
    ~InferenceThread() override; // drops waiting jobs, waits for the one that runs

    void post(Job job);

protected:
    void run() override;

private:
    QObject m_jobs; // lives on the thread, to which what is posted comes through it
    Engine* m_engine = nullptr; // used on the thread only
    QTimer* m_idle = nullptr; // the same
};

} // namespace attn::ui
