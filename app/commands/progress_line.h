// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace attn {
class TraceBuilder;
}

namespace attn::app {

// Progress so far, on standard error where that is a terminal, on a line that ends however the work does.
class ProgressLine
{
public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    void show(std::size_t done, std::size_t all);

private:
    bool m_isShown;
    bool m_isOpen = false; // something stands on the line
};

// Time that one run takes, and how much it has written, on standard error, where that is a terminal and the run takes
// more than moments. Nothing of it is left when it ends.
class RunningLine
{
public:
    RunningLine();
    ~RunningLine();
    RunningLine(const RunningLine&) = delete;
    RunningLine& operator=(const RunningLine&) = delete;

    void watch(std::shared_ptr<const TraceBuilder> builder); // once the model runs

private:
    void show(const std::stop_token& end);
    void clear();

    std::mutex m_mutex; // of what follows
    bool m_isOpen = false;
    std::condition_variable_any m_ended;
    std::shared_ptr<const TraceBuilder> m_builder; // null: what comes before
    std::jthread m_thread; // last: it uses the others
};

} // namespace attn::app
