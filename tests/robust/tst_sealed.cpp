// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"

#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

using namespace attn::test;

namespace {

enum class Sockets { None, Local };

// From here on a socket that is not allowed is the end of the process.
bool refuseSockets(Sockets allowed)
{
    constexpr auto stop = static_cast<std::uint32_t>(SECCOMP_RET_KILL_PROCESS);
    constexpr auto go = static_cast<std::uint32_t>(SECCOMP_RET_ALLOW);
    const std::uint32_t family = allowed == Sockets::Local ? AF_UNIX : AF_MAX;
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 3, 0), // which opens sockets, too
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)), // little endian
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, family, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, stop),
        BPF_STMT(BPF_RET | BPF_K, go),
    };
    sock_fprog program = {static_cast<unsigned short>(std::size(rules)), rules};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace

// What the built program is made of, and what it can reach.
class TestSealed : public QObject
{
    Q_OBJECT

private Q_SLOTS:
#ifdef ATTN_HARDENED
    void theProgramIsHardened()
    {
        QProcess reader;
        reader.start(
            text("readelf"),
            {text("--wide"), text("--program-headers"), text("--dynamic"), text("--dyn-syms"), text(ATTN_PROGRAM)});
        if (!reader.waitForFinished() || reader.exitCode() != 0)
            QSKIP("no readelf to ask");
        const QString said = QString::fromLatin1(reader.readAllStandardOutput());
        const auto says = [&said](const char* pattern) { return said.contains(QRegularExpression(text(pattern))); };
        QVERIFY2(says("FLAGS_1.*NOW.*PIE"), "-pie, -z now");
        QVERIFY2(says("GNU_RELRO"), "-z relro");
        QVERIFY2(says("GNU_STACK.* RW "), "-z noexecstack");
        QVERIFY2(!says("LOAD.* RWE"), "memory to write and to execute");
        QVERIFY2(!says("TEXTREL|RPATH|RUNPATH"), "code that is changed, or a path for libraries");
        QVERIFY2(says("__stack_chk_fail"), "-fstack-protector-strong");
        QVERIFY2(says("__(fprintf|snprintf|memcpy)_chk"), "-D_FORTIFY_SOURCE");
    }
#endif

    // Which also shows that the filter works here.
    void aSocketEndsAProgram()
    {
        QProcess shell;
        confine(shell, Sockets::None);
        shell.start(text("bash"), {text("-c"), text("exec 3<>/dev/tcp/127.0.0.1/9")});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.exitStatus(), QProcess::CrashExit);
    }

    void nothingIsReachedButTheDesktop_data()
    {
        QTest::addColumn<QStringList>("line");
        const auto row = [](const char* line) { QTest::newRow(line) << text(line).split(QLatin1Char(' ')); };
        row("trace rnnsearch-en-fr --text We --output x.npz");
        row("batch rnnsearch-en-fr --lines lines.txt --output x.jsonl");
        row("heads rnnsearch-en-fr --lines lines.txt --output x.csv");
        row("tokenize rnnsearch-en-fr --text We");
        row("info rnnsearch-en-fr");
        row("models");
        row("bench model bert-tiny --tokens 8 --steps 1 --runs 1");
        row("bench growth bert-tiny --to 16 --runs 1");
#ifdef ATTN_WITH_UI
        row("figure rnnsearch-en-fr --text We --output x.png");
        row("rnnsearch-en-fr --text We --screenshot x.png");
        row("rnnsearch-en-fr --text We --laboratory sweep --screenshot x.png");
        row("bench growth bert-tiny --to 16 --runs 1 --output x.png");
        row("bench startup --runs 1");
        row("bench ui lines-512 --frames 2");
#endif
    }
    // The display, D-Bus and accessibility are local sockets with names that say so; the C library asks nscd who runs
    // the program.
    void nothingIsReachedButTheDesktop()
    {
        QFETCH(QStringList, line);
        QTemporaryDir folder;
        write(folder.filePath(text("lines.txt")), "We are.\n");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(text("QT_QPA_PLATFORM"), text("offscreen"));
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME"})
            environment.insert(text(name), folder.filePath(text("kept")));
        environment.insert(text("DBUS_SESSION_BUS_ADDRESS"), text("unix:path=") + folder.filePath(text("bus")));
        environment.insert(text("LD_PRELOAD"), text(ATTN_FAILING_SYSTEM));
        environment.insert(text("ATTN_CONNECTIONS"), folder.filePath(text("connections")));
        QProcess program;
        program.setWorkingDirectory(folder.path());
        program.setProcessEnvironment(environment);
        const bool hasWindow =
            line.last().endsWith(text(".png")) || line.contains(text("startup")) || line.contains(text("ui"));
        confine(program, hasWindow ? Sockets::Local : Sockets::None);
        program.start(text(ATTN_PROGRAM), line);
        QVERIFY(program.waitForFinished(60'000));
        QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0,
                 program.readAllStandardError().constData());
        if (line.last().startsWith(text("x.")))
            QVERIFY(!read(folder.filePath(line.last())).isEmpty());
        for (const QByteArray& address : read(folder.filePath(text("connections"))).trimmed().split('\n')) {
            const QByteArrayList known = {"/bus", "/dbus", "/at-spi", "/.X11-unix/", "/wayland-", "/nscd/"};
            QVERIFY2(address.isEmpty()
                         || std::ranges::any_of(known, [&](const QByteArray& part) { return address.contains(part); }),
                     address.constData());
        }
    }

private:
    static void confine(QProcess& process, Sockets allowed)
    {
        process.setChildProcessModifier([allowed] {
            if (!refuseSockets(allowed))
                ::_exit(126);
        });
    }
};

ATTN_TEST(TestSealed)

#include "tst_sealed.moc"
