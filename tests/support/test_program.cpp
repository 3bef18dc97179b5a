// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/test_program.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <thread>

namespace {

std::map<std::string, attn::test::NamedTest::Main>& tests()
{
    static std::map<std::string, attn::test::NamedTest::Main> all;
    return all;
}

bool hasWatchdog()
{
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
        std::string name;
        if (std::getline(std::ifstream(task.path() / "comm") >> std::ws, name) && name == "QtTest Watchdog")
            return true;
    }
    return false;
}

// Qt Test waits until its watchdog is done, not until the thread has ended: what this still holds would sometimes be
// taken for lost memory (three of a hundred runs of a short test).
int ended(int status)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (hasWatchdog() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return status;
}

} // namespace

attn::test::NamedTest::NamedTest(const char* file, Main main)
{
    tests()[std::filesystem::path(file).stem().string()] = main;
}

int main(int argc, char** argv)
{
    if (const auto test = tests().find(argc > 1 ? argv[1] : ""); test != tests().end())
        return ended(test->second(argc - 1, argv + 1));
    std::fputs("The first argument names a test:\n", stderr);
    for (const auto& [name, main] : tests())
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
