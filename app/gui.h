// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

namespace attn::app {

// Time of the clock that startup is measured with.
inline double monotonicSeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Manner in which the window is asked to open.
struct GuiRequest
{
    std::string model; // bundled name, checkpoint directory, archive or session; empty: the last one used
    std::string text; // empty: the last one typed
    bool handOver = false; // to the window that is open, where there is one
    bool measureStartup = false; // print the milliseconds to the first painted matrix and quit
    double startedAt = 0; // monotonicSeconds() when the process was started
    std::string screenshot; // write a picture of the window, once the run has finished, and quit
    std::string laboratory; // id of a page, opened after the run; empty: none
    std::string theme; // "light" or "dark" for the screenshot; empty: the system's
    std::string language; // id of a row of languageRows; empty: the one that was chosen in the window
};

// Opens the window and returns the exit status.
int runGui(int argc, char** argv, const GuiRequest& request);

} // namespace attn::app
