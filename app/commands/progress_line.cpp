// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/progress_line.h"

#include "trace/trace_builder.h"

#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <string>
#include <unistd.h>
#include <utility>

namespace attn::app {

namespace {

constexpr auto startOfEmptyLine = "\r\x1b[K"; // ECMA-48: carriage return, erase in line

} // namespace

ProgressLine::ProgressLine()
    : m_isShown(::isatty(STDERR_FILENO) == 1)
{
}

ProgressLine::~ProgressLine()
{
    if (m_isOpen)
        std::cerr << std::endl;
}

void ProgressLine::show(std::size_t done, std::size_t all)
{
    if (!m_isShown)
        return;
    m_isOpen = true;
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
    if (std::exchange(m_isOpen, false))
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
        std::string text = fmt::format("{}{}, {} s", startOfEmptyLine, m_builder ? "running" : "preparing", seconds);
        if (const int steps = m_builder ? m_builder->snapshot().stepCount() : 0; steps > 0)
            text += fmt::format(", {} {}", steps, steps == 1 ? "step" : "steps");
        std::cerr << text << std::flush;
        m_isOpen = true;
    }
}

} // namespace attn::app
