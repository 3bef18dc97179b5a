// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <array>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <unistd.h>

namespace attn::test {

inline QString text(const char* utf8)
{
    return QString::fromUtf8(utf8);
}

// What a file holds; nothing where it cannot be read.
inline QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

// What blanks separate.
inline QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

struct CommandResult
{
    int status = -1;
    QByteArray output;
    QByteArray errors;

    bool hasOneErrorLine() const { return errors.startsWith("attnscope: ") && errors.count('\n') == 1; }
};

// Of the environment, while this lives.
class ScopedVariable
{
public:
    ScopedVariable(const char* name, const QByteArray& value)
        : m_name(name)
        , m_before(qgetenv(name))
    {
        qputenv(name, value);
    }
    ~ScopedVariable() { m_before.isNull() ? qunsetenv(m_name) : qputenv(m_name, m_before); }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;

private:
    const char* m_name;
    QByteArray m_before;
};

inline CommandResult resultOf(QProcess& process, int timeout = 60000)
{
    CommandResult result;
    if (!process.waitForFinished(timeout) || process.exitStatus() != QProcess::NormalExit)
        return result;
    result.status = process.exitCode();
    result.output = process.readAllStandardOutput();
    result.errors = process.readAllStandardError();
    return result;
}

// Runs the program where a file has room for so many bytes, as on a full disk.
inline CommandResult runWithRoom(const QStringList& arguments, qsizetype bytes, const QString& folder = {})
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setChildProcessModifier([bytes] {
        const rlimit most{static_cast<rlim_t>(bytes), RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &most);
    });
    process.start(QString::fromUtf8(ATTN_PROGRAM), arguments);
    return resultOf(process);
}

inline CommandResult runProgram(const QStringList& arguments, int timeout = 60000)
{
    QProcess process;
    process.start(QStringLiteral(ATTN_PROGRAM), arguments);
    return resultOf(process, timeout);
}

// The same in a folder, with standard error on a terminal: `errors` is what that is told.
inline CommandResult runOnTerminal(const QStringList& arguments, const QString& folder)
{
    int terminal = -1;
    int shown = -1;
    if (::openpty(&terminal, &shown, nullptr, nullptr, nullptr) != 0)
        return {};
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setChildProcessModifier([shown] { ::dup2(shown, STDERR_FILENO); });
    process.start(QStringLiteral(ATTN_PROGRAM), arguments);
    const bool isStarted = process.waitForStarted();
    ::close(shown);
    QByteArray said;
    const auto hear = [&] { // false: the program has ended
        pollfd waited{terminal, POLLIN, 0};
        std::array<char, 4096> part{};
        const ssize_t got = ::poll(&waited, 1, 60'000) == 1 ? ::read(terminal, part.data(), part.size()) : 0;
        said.append(part.data(), std::max<ssize_t>(got, 0));
        return got > 0;
    };
    while (isStarted && hear()) { }
    ::close(terminal);
    CommandResult result = resultOf(process);
    result.errors = said;
    return result;
}

// A command that a file names, "attnscope trace ...", as a shell runs it in a folder.
inline CommandResult runNamed(const QString& command, const QString& folder)
{
    QProcess shell;
    shell.setWorkingDirectory(folder);
    shell.start(
        QStringLiteral("bash"),
        {QStringLiteral("-c"),
         QStringLiteral("attnscope() { '") + QStringLiteral(ATTN_PROGRAM) + QStringLiteral("' \"$@\"; }; ") + command});
    return resultOf(shell);
}

inline QString caseFolder(const char* name)
{
    return QStringLiteral(ATTN_TEST_DATA "/cases/") + QString::fromLatin1(name);
}

} // namespace attn::test
