// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "nn/free_cores.h"
#include "support/test_program.h"

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTest>

#include <atomic>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace attn;
using namespace std::chrono_literals;

namespace {

int freed(double all, double own, int cores, int most)
{
    const CoreUse before{{}, 5, 3};
    const CoreUse after{before.when + 1s, 5 + all, 3 + own};
    return freeCores(before, after, cores, most);
}

} // namespace

class TestFreeCores : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyProcessorsOfThisProcessCount()
    {
        constexpr const char* text = "cpu  1000 0 0 9000 0 0 0 0 0 0\n"
                                     "cpu0 100 20 30 5000 7 4 5 6 50 0\n"
                                     "cpu1 200 0 0 5000 0 0 0 0 0 0\n"
                                     "cpu12 400 0 0 5000 0 0 0 0 0 0\n"
                                     "intr 5 0 0\n";
        QCOMPARE(workedSeconds(text, {0}, 100).value(), 1.65); // all but waiting, guests within user
        QCOMPARE(workedSeconds(text, {1, 12}, 100).value(), 6.0);
        QVERIFY(!workedSeconds(text, {3}, 100));
        QVERIFY(!workedSeconds("", {0}, 100));
    }

    void whatOthersTakeIsNotFree()
    {
        QCOMPARE(freed(2.0, 2.0, 2, 2), 2); // all of it this process
        QCOMPARE(freed(0.1, 0.0, 2, 2), 2);
        QCOMPARE(freed(2.0, 1.0, 2, 2), 1);
        QCOMPARE(freed(2.0, 1.4, 2, 2), 1); // a team of two holds up the other program, too
        QCOMPARE(freed(2.0, 0.0, 2, 2), 1); // never none
        QCOMPARE(freed(4.0, 0.5, 16, 15), 12);
        QCOMPARE(freed(0.0, 0.0, 16, 15), 15);
        QCOMPARE(freed(1.0, 1.2, 4, 3), 3); // ticks are coarser than this process's own clock
    }

    void busyProgramsAreNoticed()
    {
        const auto processors = allowedProcessors();
        const int cores = indexSize(processors);
        if (cores < 2)
            QSKIP("this process has one core");
        std::ifstream file("/proc/stat");
        if (!workedSeconds(std::string(std::istreambuf_iterator<char>(file), {}), processors, 100))
            QSKIP("the system does not say what processors do");
        std::vector<pid_t> others;
        for (int i = 0; i < cores; ++i) {
            const pid_t child = fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                for (volatile unsigned turns = 0;;)
                    turns = turns + 1;
            }
            others.push_back(child);
        }
        FreeCores watched(cores);
        QElapsedTimer timer;
        timer.start();
        int count = cores;
        while (count == cores && timer.elapsed() < 20'000) {
            count = watched.count();
            usleep(20'000);
        }
        for (const pid_t child : others) {
            kill(child, SIGKILL);
            waitpid(child, nullptr, 0);
        }
        QVERIFY(count < cores);
    }

    // Between the opening of a thread's file and its reading, too.
    void threadsMayEndWhileTheyAreCounted()
    {
        std::atomic<bool> stop = false;
        std::vector<std::jthread> others;
        for (int i = 0; i < 4; ++i)
            others.emplace_back([&stop] {
                while (!stop)
                    std::jthread([] {}).join();
            });
        const auto end = qScopeGuard([&stop] { stop = true; });
        for (int look = 0; look < 2000; ++look)
            QVERIFY(FreeCores(2).count() >= 1); // each for the first time
    }
};

ATTN_TEST(TestFreeCores)
#include "tst_free_cores.moc"
