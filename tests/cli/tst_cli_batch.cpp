// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <csignal>
#include <memory>
#include <sys/stat.h>

using namespace attn::test;

// The command batch, and what it and others read from streams.
class TestCliBatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void batchBeginsEveryLine()
    {
        write(m_folder->filePath(text("lines.txt")), "The house is small.\nI see a dog.\n");
        const QStringList line = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--output") << output() << text("--prefix") << text("Mon");
        const CommandResult result = runProgram(line);
        QVERIFY2(result.status == 0, result.errors.constData());
        for (const QByteArray& written : read(output()).trimmed().split('\n'))
            QVERIFY(QJsonDocument::fromJson(written)[text("output")].toString().startsWith(text("Mon")));
        QCOMPARE(runProgram(line + QStringList{text("--target-lines"), m_folder->filePath(text("lines.txt"))}).status,
                 2);
    }

    void batchGoesOnAfterAFailingLine()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\n\xff\nWe are happy.\n");
        const QString jsonLines = m_folder->filePath(text("o.jsonl"));
        const QString pharaoh = m_folder->filePath(text("o.al"));
        const CommandResult result = runProgram(words("batch rnnsearch-en-fr --lines")
                                                << m_folder->filePath(text("lines.txt")) << text("--output")
                                                << jsonLines << text("--alignments") << pharaoh);
        QCOMPARE(result.status, 1);
        QVERIFY(result.errors.contains("3 of 3"));
        const QList<QByteArray> lines = read(jsonLines).trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        const QJsonObject first = QJsonDocument::fromJson(lines[0]).object();
        QCOMPARE(first[text("source")].toString(), text("I am not deaf."));
        QVERIFY(!first[text("output")].toString().isEmpty());
        const auto targets = first[text("target_tokens")].toArray().size();
        QCOMPARE(first[text("alignment")].toArray().size(), targets);
        QCOMPARE(first[text("alignment")].toArray().first().toArray().size(), 3);
        QVERIFY(
            std::abs(first[text("score")].toDouble() * static_cast<double>(targets) - first[text("logprob")].toDouble())
            < 1e-6);
        const QJsonObject failed = QJsonDocument::fromJson(lines[1]).object();
        QCOMPARE(failed.keys(), (QStringList{text("error"), text("source")}));
        QCOMPARE(QJsonDocument::fromJson(lines[2])[text("source")].toString(), text("We are happy."));
        const QList<QByteArray> links = read(pharaoh).split('\n');
        QCOMPARE(links.size(), 4); // one a line, the last ends
        QVERIFY(QRegularExpression(text("^(\\d+-\\d+( |$))+$")).match(QString::fromUtf8(links[0])).hasMatch());
        QVERIFY(links[1].isEmpty());
    }

    void batchFillsMasksAndLeavesOtherTextsAlone()
    {
        write(m_folder->filePath(text("lines.txt")), "The Cat sleeps.\nThe [MASK] sleeps.\n");
        const QString lines = m_folder->filePath(text("lines.txt"));
        const QString jsonLines = m_folder->filePath(text("out.jsonl"));
        const CommandResult result =
            runProgram(words("batch bert-small-en --lines") << lines << text("--output") << jsonLines);
        QVERIFY2(result.status == 0, result.errors.constData());
        const QList<QByteArray> made = read(jsonLines).trimmed().split('\n');
        QCOMPARE(made.size(), 2);
        const QJsonObject plain = QJsonDocument::fromJson(made[0]).object();
        QCOMPARE(plain[text("output")].toString(), text("The Cat sleeps."));
        QVERIFY(plain[text("target_tokens")].toArray().isEmpty());
        QVERIFY(plain[text("logprob")].isNull());
        const QJsonObject masked = QJsonDocument::fromJson(made[1]).object();
        QVERIFY(!masked[text("output")].toString().contains(text("MASK")));
        QCOMPARE(masked[text("target_tokens")].toArray().size(), 1);
        QVERIFY(masked[text("logprob")].toDouble() < 0);

        const CommandResult targets =
            runProgram(words("batch bert-small-en --lines")
                       << lines << text("--target-lines") << lines << text("--output") << output());
        QCOMPARE(targets.status, 2);
        QVERIFY2(targets.errors.contains("--target-lines"), targets.errors.constData());
    }

    void batchScoresGivenOutputs()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\nWe are happy.\n");
        write(m_folder->filePath(text("targets.txt")), "Je ne suis pas sourd.\nNous sommes heureux.\n");
        const QString jsonLines = m_folder->filePath(text("o.jsonl"));
        const QStringList arguments = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--target-lines")
            << m_folder->filePath(text("targets.txt")) << text("--output") << jsonLines;
        QCOMPARE(runProgram(arguments).status, 0);
        const QByteArray second = read(jsonLines).trimmed().split('\n').at(1);
        QCOMPARE(QJsonDocument::fromJson(second)[text("output")].toString(), text("Nous sommes heureux."));
        write(m_folder->filePath(text("targets.txt")), "one\n");
        QCOMPARE(runProgram(arguments).status, 2);
    }

    void streamsAreReadUpToALimit()
    {
        const QString model = caseFolder("rnn-bahdanau-gru");
        for (const QStringList& line :
             {QStringList{text("batch"), model, text("--lines")}, {text("trace"), model, text("--text-file")}}) {
            const CommandResult result = runProgram(
                line + QStringList{text("/dev/zero"), text("--output"), m_folder->filePath(text("out.npz"))});
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
        const QString pipe = m_folder->filePath(text("pipe"));
        QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
        const QStringList line = words("batch rnnsearch-en-fr --output") << output() << text("--lines") << pipe;
        QProcess process;
        process.start(text(ATTN_PROGRAM), line);
        QFile writer(pipe);
        QVERIFY(writer.open(QIODevice::WriteOnly | QIODevice::Unbuffered)); // waits for the program
        for (const char* part : {"We are", " happy.\r\nI am", " here."})
            QVERIFY(writer.write(part) > 0);
        writer.close();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 0);
        const QList<QByteArray> lines = read(output()).trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        QCOMPARE(QJsonDocument::fromJson(lines[0])[text("source")].toString(), text("We are happy."));

        QProcess waiting; // for a writer that never comes
        waiting.start(text(ATTN_PROGRAM), line);
        QVERIFY(waiting.waitForStarted());
        waiting.terminate();
        QVERIFY(waiting.waitForFinished(20000));
    }

    void anInterruptedBatchKeepsTheFinishedLines()
    {
        QByteArray many;
        for (int i = 0; i < 2000; ++i)
            many += "I do not think that she will come back home tonight.\n";
        write(m_folder->filePath(text("lines.txt")), many);
        write(m_folder->filePath(text("out.jsonl")), "precious");
        QProcess process;
        process.start(text(ATTN_PROGRAM),
                      words("batch transformer-en-fr --lines")
                          << m_folder->filePath(text("lines.txt")) << text("--output") << output());
        QVERIFY(process.waitForStarted());
        process.setReadChannel(QProcess::StandardError);
        QVERIFY(process.waitForReadyRead(20000)); // progress of the first lines
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitCode(), 1);
        const QByteArray last = process.readAllStandardError().trimmed().split('\n').last();
        QVERIFY2(last.startsWith("attnscope: ") && last.contains("--resume"), last.constData()); // on a line of its own
        QCOMPARE(read(output()), QByteArray("precious"));
        const QByteArray finished = read(output() + text(".part"));
        QVERIFY(finished.startsWith("{\"source\":\"I do not") && finished.endsWith("}\n"));
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden),
                 (QStringList{text("lines.txt"), text("out.jsonl"), text("out.jsonl.part")}));
    }

    void batchGoesOnBehindTheFinishedLines()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\n\xff\nWe are happy.\nI am here.\n");
        const QString pharaoh = m_folder->filePath(text("out.al"));
        const QStringList line = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--output") << output() << text("--alignments") << pharaoh
            << text("--resume");
        QCOMPARE(runProgram(line).status, 1); // a line failed; nothing to go on from
        const QByteArray whole = read(output());
        const QByteArray links = read(pharaoh);
        QCOMPARE(whole.count('\n'), 4);

        const qsizetype third = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
        write(m_folder->filePath(text("out.jsonl.part")), whole.left(third + 20)); // torn
        write(m_folder->filePath(text("out.al.part")), links.left(links.indexOf('\n') + 2) + "\n0-0\n0-0\n");
        QFile::remove(output());
        const CommandResult result = runProgram(line);
        QCOMPARE(result.status, 1);
        QVERIFY2(!result.errors.contains("1 of 4") && result.errors.contains("3 of 4"), result.errors.constData());
        QCOMPARE(read(output()), whole);
        QCOMPARE(read(pharaoh), links);
        QVERIFY(!QFile::exists(output() + text(".part")) && !QFile::exists(pharaoh + text(".part")));

        write(m_folder->filePath(text("out.jsonl.part")), QByteArray("{\"source\":\"Another.\",\"output\":\"\"}\n"));
        write(m_folder->filePath(text("out.al.part")), "\n");
        const CommandResult other = runProgram(line);
        QCOMPARE(other.status, 2);
        QVERIFY2(other.errors.contains("--resume: line 1"), other.errors.constData());
        QCOMPARE(read(output()), whole);
    }

private:
    QString output() const { return m_folder->filePath(text("out.jsonl")); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestCliBatch)

#include "tst_cli_batch.moc"
