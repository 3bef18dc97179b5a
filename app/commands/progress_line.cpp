// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/progress_line.h"

#include "trace/trace_builder.h"

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <string>
#include <unistd.h>
#include <utility>

namespace attn::app {

namespace {

constexpr auto startOfEmptyLine = "\r\x1b[K"; // ECMA-48: carriage return, erase in line
std::atomic<bool> isLineOpen = false;

} // namespace

void endOpenLine() noexcept
{
    if (isLineOpen.exchange(false))
        (void)!::write(STDERR_FILENO, "\n", 1);
}

ProgressLine::ProgressLine()
    : m_isShown(::isatty(STDERR_FILENO) == 1)
{
}

ProgressLine::~ProgressLine()
{
    endOpenLine();
}

void ProgressLine::show(std::size_t done, std::size_t all)
{
    if (!m_isShown)
        return;
    isLineOpen = true;
    std::cerr << fmt::format("\r{} of {}", done, all) << std::flush;
}

RunningLine::RunningLine()
{
    if (::isatty(STDERR_FILENO) == 1)
        m_thread = std::jthread([this](const std::stop_token& end) { show(end); });
}

RunningLine::~RunningLine() = default;

void RunningLine::watch(std::shared_ptr<const TraceBuilder> builder)
{
    const std::scoped_lock lock(m_mutex);
    m_builder = std::move(builder);
    clear();
}

void RunningLine::clear()
{
    if (isLineOpen.exchange(false))
        std::cerr << startOfEmptyLine << std::flush;
}

void RunningLine::show(const std::stop_token& end)
{
    constexpr int moments = 2;
    std::unique_lock lock(m_mutex);
    for (int seconds = 1;; ++seconds) {
        m_ended.wait_for(lock, end, std::chrono::seconds(1), [] { return false; });
        if (end.stop_requested())
            return clear();
        if (seconds < moments)
            continue;
        try {
            std::string text =
                fmt::format("{}{}, {} s", startOfEmptyLine, m_builder ? "running" : "preparing", seconds);
            if (const int steps = m_builder ? m_builder->snapshot().stepCount() : 0; steps > 0)
                text += fmt::format(", {} {}", steps, steps == 1 ? "step" : "steps");
            std::cerr << text << std::flush;
            isLineOpen = true;
        } catch (const std::bad_alloc&) { // the run is worth more
        }
    }
}

} // namespace attn::app
