// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <algorithm>
#include <cstdio>

namespace attn::app {

// Before there is an application: brings the environment's scales, which Qt takes as they are, to a size that can be
// painted, and says so on standard error.
inline void limitQtScales()
{
    struct Scale
    {
        const char* variable;
        double least;
        double most;
    };
    constexpr double times = 4; // larger or smaller than usual
    constexpr double usualDpi = 96;
    for (const auto& [variable, least, most] :
         {Scale{"QT_SCALE_FACTOR", 1 / times, times}, Scale{"QT_SCREEN_SCALE_FACTORS", 1 / times, times},
          Scale{"QT_FONT_DPI", usualDpi / times, usualDpi * times}}) {
        const QByteArray given = qgetenv(variable);
        const QList<QByteArray> scales = given.split(';');
        const bool isPossible = std::ranges::all_of(scales, [least, most](const QByteArray& one) {
            const double scale = one.mid(one.indexOf('=') + 1).toDouble(); // "screen=scale" or "scale"
            return scale >= least && scale <= most;
        });
        if (given.isEmpty() || isPossible)
            continue;
        std::fprintf(stderr, "attnscope: %s: not from %g to %g, and passed over\n", variable, least, most);
        qunsetenv(variable);
    }
}

} // namespace attn::app
