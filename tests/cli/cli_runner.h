// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace attn::test {

struct CommandResult
{
    int status = -1;
    QByteArray output;
    QByteArray errors;

    bool hasOneErrorLine() const { return errors.startsWith("attnscope: ") && errors.count('\n') == 1; }
};

inline CommandResult runProgram(const QStringList& arguments, int timeout = 60000)
{
    QProcess process;
    process.start(QStringLiteral(ATTN_PROGRAM), arguments);
    CommandResult result;
    if (!process.waitForFinished(timeout) || process.exitStatus() != QProcess::NormalExit)
        return result;
    result.status = process.exitCode();
    result.output = process.readAllStandardOutput();
    result.errors = process.readAllStandardError();
    return result;
}

inline QString caseFolder(const char* name)
{
    return QStringLiteral(ATTN_TEST_DATA "/cases/") + QString::fromLatin1(name);
}

} // namespace attn::test
