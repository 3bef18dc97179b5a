// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/free_cores.h"

#include "base/index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace attn {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto shortest = 100ms; // ticks are of 10 ms
constexpr auto longest = 1s; // what was before says little of now
constexpr double taken = 0.35; // of a core

// Empty where it cannot be read: a thread may end once its file is open. std::getline says so without an exception.
std::string textOf(const char* path)
{
    std::ifstream file(path);
    std::string text;
    std::getline(file, text, '\0');
    return text;
}

// Threads of this process, running or ready to.
int ownRunning()
{
    int count = 0;
    std::error_code failed;
    for (std::filesystem::directory_iterator task("/proc/self/task", failed), end; !failed && task != end;
         task.increment(failed)) {
        const std::string text = textOf((task->path() / "stat").c_str());
        const auto name = text.rfind(')'); // which may hold anything
        if (name != std::string::npos && text.substr(name).starts_with(") R"))
            ++count;
    }
    return count;
}

} // namespace

std::set<int> allowedProcessors()
{
    std::set<int> result;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return result;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
        if (CPU_ISSET(processor, &allowed))
            result.insert(processor);
    }
    return result;
}

std::optional<double> workedSeconds(std::string_view procStat, const std::set<int>& processors, double ticksPerSecond)
{
    std::istringstream lines{std::string(procStat)};
    double ticks = 0;
    int found = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (!name.starts_with("cpu") || name.size() == 3 || !processors.contains(std::atoi(name.c_str() + 3)))
            continue;
        std::array<double, 8> times{}; // user, nice, system, idle, iowait, irq, softirq, steal
        for (double& time : times)
            words >> time;
        ticks += times[0] + times[1] + times[2] + times[5] + times[6] + times[7];
        ++found;
    }
    if (found == 0)
        return std::nullopt;
    return ticks / ticksPerSecond;
}

int freeCores(const CoreUse& before, const CoreUse& after, int cores, int most)
{
    const double passed = std::chrono::duration<double>(after.when - before.when).count();
    const double others = std::max(0.0, (after.all - before.all - (after.own - before.own)) / passed);
    return std::clamp(static_cast<int>(std::floor(cores - others + taken)), 1, most);
}

FreeCores::FreeCores(int most)
    : m_processors(allowedProcessors())
    , m_most(most)
    , m_count(most)
{
}

std::optional<CoreUse> FreeCores::use() const
{
    const auto all = workedSeconds(textOf("/proc/stat"), m_processors, static_cast<double>(sysconf(_SC_CLK_TCK)));
    timespec own{};
    if (!all || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) != 0)
        return std::nullopt;
    return CoreUse{Clock::now(), *all, static_cast<double>(own.tv_sec) + static_cast<double>(own.tv_nsec) * 1e-9};
}

// Threads of others that run or are ready to, at this moment; none where the system counts those of processors that
// this process may not use.
std::optional<int> FreeCores::runningElsewhere() const
{
    if (sysconf(_SC_NPROCESSORS_ONLN) != indexSize(m_processors))
        return std::nullopt;
    std::istringstream words(textOf("/proc/loadavg"));
    std::string word;
    int running = 0;
    if (!(words >> word >> word >> word >> running))
        return std::nullopt;
    return std::max(0, running - ownRunning());
}

int FreeCores::count()
{
    if (m_most == 1)
        return 1;
    const auto now = Clock::now();
    if (m_looked && now - *m_looked < shortest)
        return m_count;
    m_looked = now;
    const std::optional<CoreUse> after = use();
    const int cores = indexSize(m_processors);
    if (!after) {
        m_count = m_most;
    } else if (m_before && now - m_before->when < longest) {
        m_count = freeCores(*m_before, *after, cores, m_most);
    } else {
        m_count = std::clamp(cores - runningElsewhere().value_or(0), 1, m_most);
    }
    m_before = after;
    return m_count;
}

} // namespace attn
