// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace attn::test;

namespace {

// The arguments that `attnscope` is run with by a bash with our completion at a terminal, when these keys are typed.
QList<QByteArray> argumentsTyped(const QByteArray& keys, const QTemporaryDir& folder)
{
    write(folder.filePath(text("rc")),
          "PATH=/usr/bin:/bin PS1='$ ' HISTFILE=/dev/null\n"
          "attnscope() { if [[ $1 == --complete ]]; then '" ATTN_PROGRAM
          "' \"$@\"; else printf '%s\\0' \"$@\" > typed; fi; }\n"
          "source '" ATTN_SOURCE_DIR "/resources/linux/completion.bash'\n");
    QProcess terminal;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(text("ATTNSCOPE_MODELS"), folder.filePath(text("models")));
    environment.insert(text("INPUTRC"), text("/dev/null"));
    terminal.setProcessEnvironment(environment);
    terminal.setWorkingDirectory(folder.path());
    terminal.start(text("script"), {text("-qec"), text("bash --noprofile --rcfile rc -i"), text("/dev/null")});
    terminal.write(keys + "\nexit\n");
    terminal.closeWriteChannel();
    (void)resultOf(terminal);
    QList<QByteArray> arguments = read(folder.filePath(text("typed"))).split('\0');
    arguments.removeLast();
    return arguments;
}

} // namespace

class TestCliCompletion : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesOfFoldersAreQuoted_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"zeta", "zeta$(touch PWN)", "zeta`touch PWN`", "zeta;touch PWN;", "zeta two  blanks",
                                 "zeta'quote", "zeta\"quotes\"a", "zeta\\n", "zeta*", "zeta?[a-z]", "zeta&|<>#",
                                 "zeta!!", "zeta{a,b}", "zeta~", "zeta$HOME", "z\u00e9ta \u4e2d"})
            QTest::newRow(name) << QByteArray(name);
    }

    void namesOfFoldersAreQuoted()
    {
        QFETCH(QByteArray, name);
        if (QStandardPaths::findExecutable(text("script")).isEmpty())
            QSKIP("script is not installed");
        const QTemporaryDir folder;
        const QString model = folder.filePath(text("models/") + QString::fromUtf8(name));
        QVERIFY(QDir().mkpath(model));
        write(model + text("/config.json"), "{}");
        for (const char* quote : {"", "'", "\""}) {
            if (*quote == '"' && name.contains('!'))
                continue; // typed by hand
            QFile::remove(folder.filePath(text("typed")));
            const QList<QByteArray> typed =
                argumentsTyped(QByteArray("attnscope info ") + quote + name.left(1) + '\t', folder);
            QVERIFY2(typed.value(1) == name, typed.value(1).constData());
            QCOMPARE(typed.size(), 2);
            QVERIFY(!QFile::exists(folder.filePath(text("PWN"))));
        }
    }

    void whatIsQuotedIsCompleted()
    {
        const QTemporaryDir folder;
        for (const char* name : {"zeta$(a)", "zeta$(b)"}) {
            QVERIFY(QDir().mkpath(folder.filePath(text("models/") + text(name))));
            write(folder.filePath(text("models/") + text(name)) + text("/config.json"), "{}");
        }
        const ScopedVariable models("ATTNSCOPE_MODELS", folder.filePath(text("models")).toUtf8());
        const auto completed = [](const char* typed) {
            return runProgram({text("--complete"), text("info"), text(typed)}).output;
        };
        QCOMPARE(completed("zeta\\$\\(b"), QByteArray("zeta\\$\\(b\\)\n"));
        QCOMPARE(completed("'zeta$(b"), QByteArray("zeta$(b)\n"));
        QCOMPARE(completed("\"zeta\\$(b"), QByteArray("zeta\\$(b)\n"));
        QCOMPARE(completed("\"zeta\"'$(b'"), QByteArray("zeta\\$\\(b\\)\n"));
        QCOMPARE(completed("ze\"ta"), QByteArray());
    }

    void namesOfMoreThanALineAreNotOffered()
    {
        const QTemporaryDir folder;
        const QString name = text("zeta\ntouch PWN");
        QVERIFY(QDir().mkpath(folder.filePath(text("models/") + name)));
        write(folder.filePath(text("models/") + name) + text("/config.json"), "{}");
        const ScopedVariable models("ATTNSCOPE_MODELS", folder.filePath(text("models")).toUtf8());
        QCOMPARE(runProgram({text("--complete"), text("info"), text("ze")}).output, QByteArray());
    }
};

ATTN_TEST(TestCliCompletion)
#include "tst_cli_completion.moc"
