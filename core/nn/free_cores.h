// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string_view>

namespace attn {

// That this process may use, by number; none where the system does not say.
std::set<int> allowedProcessors();

// Processor time that was used up to a moment, on the cores that this process may use.
struct CoreUse
{
    std::chrono::steady_clock::time_point when;
    double all = 0; // seconds, by whomever
    double own = 0; // seconds, by this process
};

// Seconds that the given processors have worked, of the text of /proc/stat (proc(5)); none where it does not say.
std::optional<double> workedSeconds(std::string_view procStat, const std::set<int>& processors, double ticksPerSecond);

// Number of `cores` that were left by others between two moments: at least one, at most `most`. Somebody who uses less
// than a third of a core leaves it.
int freeCores(const CoreUse& before, const CoreUse& after, int cores, int most);

// Number of threads that find a processor of their own. A team waits at the end of every product for its slowest
// member: on two cores, one of them taken by another program, two threads are slower than one.
class FreeCores
{
public:
    explicit FreeCores(int most);

    // Measured again after a tenth of a second, from what was used since.
    int count();

private:
    std::optional<CoreUse> use() const;
    std::optional<int> runningElsewhere() const;

    std::set<int> m_processors; // that this process may use
    int m_most;
    int m_count;
    std::optional<std::chrono::steady_clock::time_point> m_looked;
    std::optional<CoreUse> m_before;
};

} // namespace attn
