// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/sanitizers.h"
#include "support/test_program.h"

#include <QDir>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <memory>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace attn::test;

// What commands read from streams and write into them.
class TestCliStreams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void streamsAreReadUpToALimit()
    {
        const QString model = caseFolder("rnn-bahdanau-gru");
        for (const char* line : {"batch --output x.jsonl --lines", "trace --output x.npz --text-file",
                                 "heads --output x.csv --lines", "heads --output x.csv --text-file"}) {
            const CommandResult result = runHere(words(line) << text("/dev/zero") << model);
            QCOMPARE(result.status, 1);
            QVERIFY2(result.hasOneErrorLine() && result.errors.contains("/dev/zero: is longer than the 67.1 MB"),
                     result.errors.constData());
        }
        write(m_folder->filePath(text("lines.txt")), QByteArray(1'000'001, '\n'));
        const CommandResult many = runProgram(
            {text("batch"), model, text("--output"), output(), text("--lines"), m_folder->filePath(text("lines.txt"))});
        QCOMPARE(many.status, 1);
        QVERIFY2(many.errors.contains("1000000 lines"), many.errors.constData());
    }

    void aPipeIsReadToItsEnd()
    {
        const auto readFromPipe = [this](const char* line) {
            QFile writer(pipe());
            QProcess process;
            process.setWorkingDirectory(m_folder->path());
            process.start(text(ATTN_PROGRAM), words(line) << pipe());
            QVERIFY(writer.open(QIODevice::WriteOnly | QIODevice::Unbuffered)); // waits for the program
            for (const char* part : {"We are", " happy.\r\nI am", " here."})
                QVERIFY(writer.write(part) > 0);
            writer.close();
            const CommandResult result = resultOf(process);
            QVERIFY2(result.status == 0, result.errors.constData());
        };
        QCOMPARE(::mkfifo(pipe().toUtf8().constData(), 0600), 0);
        readFromPipe("batch rnnsearch-en-fr --output out.jsonl --lines");
        const QList<QByteArray> lines = read(output()).trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        QCOMPARE(QJsonDocument::fromJson(lines[0])[text("source")].toString(), text("We are happy."));
        readFromPipe("heads rnnsearch-en-fr --output x.csv --lines");
        QCOMPARE(read(m_folder->filePath(text("x.csv"))).count('\n'), 2);
        readFromPipe("trace rnnsearch-en-fr --output x.json --text-file");
        QCOMPARE(QJsonDocument::fromJson(read(m_folder->filePath(text("x.json"))))[text("metadata")][text("text")],
                 QJsonValue(text("We are happy.\r\nI am here.")));
        readFromPipe("heads rnnsearch-en-fr --output x.csv --text-file");
        QCOMPARE(read(m_folder->filePath(text("x.csv"))).count('\n'), 2);
    }

    // At the length that is usual; on a terminal it says how far it is, and leaves nothing of that.
    void aLongWordIsReadToItsEnd()
    {
        write(m_folder->filePath(text("word.txt")), QByteArray(30'000 / slowdown(), 'a'));
        // Long enough to be told of, also on a fast machine.
        const CommandResult result =
            runOnTerminal(words("trace luong-local-p-en-fr --text-file word.txt --max-length 1000 --output out.npz"),
                          m_folder->path());
        const QByteArray& said = result.errors;
        QVERIFY2(result.status == 0, said.constData());
        QVERIFY2(slowdown() > 1 || said.contains("\r\x1b[Krunning, "), said.constData());
        QVERIFY2(said.endsWith("\r\x1b[K") && !said.contains('\n'), said.constData());
        QVERIFY(read(m_folder->filePath(text("out.npz"))).startsWith("PK"));
    }

    // There is a writer, who writes nothing.
    void aSignalEndsReadingFromAPipe_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"batch rnnsearch-en-fr --output x.jsonl --lines",
              "batch rnnsearch-en-fr --output x.jsonl --lines lines.txt --target-lines",
              "heads rnnsearch-en-fr --output x.csv --lines", "heads rnnsearch-en-fr --output x.csv --text-file",
              "tokenize rnnsearch-en-fr --lines", "trace rnnsearch-en-fr --output x.npz --text-file"})
            QTest::newRow(line) << text(line);
    }
    void aSignalEndsReadingFromAPipe()
    {
        QFETCH(const QString, line);
        write(m_folder->filePath(text("lines.txt")), "We are happy.\n");
        QCOMPARE(::mkfifo(pipe().toUtf8().constData(), 0600), 0);
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        const QStringList before = everything();
        process.start(text(ATTN_PROGRAM), line.split(u' ') << pipe());
        int writer = -1;
        const auto isRead = [&] {
            if (writer < 0)
                writer = ::open(pipe().toUtf8().constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
            return writer >= 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRead(), 20'000);
        process.terminate();
        const bool isEnded = process.waitForFinished(20'000);
        ::close(writer);
        QVERIFY(isEnded);
        QCOMPARE(process.exitStatus(), QProcess::CrashExit); // by the signal: there is nothing to put away yet
        QCOMPARE(process.exitCode(), SIGTERM);
        QCOMPARE(process.readAllStandardOutput() + process.readAllStandardError(), QByteArray());
        QCOMPARE(everything(), before);
    }

    void aSignalEndsWritingWhatNobodyReads()
    {
        write(m_folder->filePath(text("lines.txt")), QByteArray("I am not deaf.\n").repeated(100));
        int ends[2] = {-1, -1};
        QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
        QVERIFY(::fcntl(ends[1], F_SETPIPE_SZ, 4096) >= 0);
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.setChildProcessModifier([written = ends[1]] { ::dup2(written, STDOUT_FILENO); });
        process.start(text(ATTN_PROGRAM), words("batch rnnsearch-en-fr --lines lines.txt --output /dev/stdout"));
        int before = 0;
        const auto isFull = [&] {
            QTest::qWait(1000);
            const int bytes = std::exchange(before, 0);
            return ::ioctl(ends[0], FIONREAD, &before) == 0 && before > 0 && before == bytes;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isFull(), 60'000);
        process.terminate();
        const CommandResult ended = resultOf(process, 20'000);
        ::close(ends[0]);
        ::close(ends[1]);
        QCOMPARE(ended.status, 1);
        const QByteArray last = ended.errors.trimmed().split('\n').last();
        QVERIFY2(last.startsWith("attnscope: /dev/stdout: cancelled"), last.constData());
    }

    void aPipeIsWritten()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\nWe are happy.\n");
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        const QStringList line =
            words("batch rnnsearch-en-fr --lines lines.txt --output /dev/stdout --alignments out.al");
        process.start(text(ATTN_PROGRAM), line);
        const CommandResult result = resultOf(process);
        QCOMPARE(result.status, 0);
        QCOMPARE(result.output.count('\n'), 2);
        QVERIFY(result.output.startsWith("{\"source\":\"I am not deaf.\""));
        QCOMPARE(files(), (QStringList{text("lines.txt"), text("out.al")}));
        const CommandResult resumed = runHere(line + QStringList{text("--resume")}); // it keeps no lines
        QCOMPARE(resumed.status, 2);
        QVERIFY2(resumed.hasOneErrorLine() && resumed.output.isEmpty(), resumed.errors.constData());
    }

    void whatATerminalWouldObeyIsSpelledOut()
    {
        write(m_folder->filePath(text("lines.txt")),
              "I am \x7f\xc2\x9b\xe2\x80\xae not d\xc3\xa9"
              "af.\n");
        const CommandResult written = runHere(words("batch rnnsearch-en-fr --lines lines.txt --output /dev/stdout"));
        QVERIFY2(written.output.startsWith("{\"source\":\"I am \\u007f\\u009b\\u202e not d\xc3\xa9"
                                           "af.\""),
                 written.output.constData());
        QCOMPARE(QJsonDocument::fromJson(written.output)[text("source")].toString().toUtf8(),
                 read(m_folder->filePath(text("lines.txt"))).trimmed());
    }

    void whatStandardOutputLeadsToStays()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\n");
        write(output(), "old\n");
        const CommandResult result =
            runInShell("\"$0\" batch rnnsearch-en-fr --lines lines.txt --output /dev/stdout >> out.jsonl");
        QVERIFY2(result.status == 0, result.errors.constData());
        const QByteArray written = read(output());
        QVERIFY2(written.startsWith("old\n{\"source\":\"I am not deaf.\"") && written.count('\n') == 2,
                 written.constData());
        QCOMPARE(files(), (QStringList{text("lines.txt"), text("out.jsonl")}));
    }

    void closedStreamsAreNotWrittenInto()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\n");
        for (const char* closed : {"2>&-", "<&- >&- 2>&-"}) {
            const QByteArray command = "\"$0\" batch rnnsearch-en-fr --lines lines.txt --output out.jsonl ";
            QCOMPARE(runInShell(command + closed).status, 0);
            const QByteArray written = read(output());
            QVERIFY2(written.startsWith("{\"source\"") && written.endsWith("}\n") && written.count('\n') == 1,
                     written.constData());
        }
        for (const char* named :
             {"--lines /dev/stdin --output out.jsonl <&-", "--lines /dev/stdout --output out.jsonl >&-",
              "--lines lines.txt --output /dev/stdin <&-",
              "--lines lines.txt --output out.jsonl --alignments /dev/fd/7 7>&-"}) {
            write(output(), "old\n");
            const CommandResult refused = runInShell(QByteArray("\"$0\" batch rnnsearch-en-fr ") + named);
            QVERIFY(refused.status > 0);
            QVERIFY2(refused.hasOneErrorLine() && refused.output.isEmpty(), refused.errors.constData());
            QCOMPARE(read(output()), QByteArray("old\n"));
        }
        QCOMPARE(runInShell("\"$0\" models >&-").status, 1);
        QCOMPARE(runInShell("\"$0\" batch rnnsearch-en-fr --lines lines.txt --output /dev/stdout >&-").status, 1);
    }

private:
    QString output() const { return m_folder->filePath(text("out.jsonl")); }
    QString pipe() const { return m_folder->filePath(text("pipe")); }
    QStringList everything() const
    {
        return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }
    QStringList files() const { return QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }

    // The program is "$0".
    CommandResult runInShell(const QByteArray& command) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(text("bash"), {text("-c"), QString::fromUtf8(command), text(ATTN_PROGRAM)});
        return resultOf(process);
    }

    CommandResult runHere(const QStringList& line) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(text(ATTN_PROGRAM), line);
        return resultOf(process);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestCliStreams)

#include "tst_cli_streams.moc"
