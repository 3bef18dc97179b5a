// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace attn::test;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject described(const QString& archive)
{
    const CommandResult info = runProgram({text("info"), text("--json"), archive});
    return info.status == 0 ? QJsonDocument::fromJson(info.output).object() : QJsonObject();
}

QStringList continuing(const char* name)
{
    return {text("trace"), caseFolder(name), text("--source-ids"), text("5,9,30"), text("--generate"), text("3")};
}

} // namespace

// What trace writes: which hypothesis, and how it is made again.
class TestCliTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The last token of a hypothesis that ends before the run does was not read.
    void everyHypothesisOfAContinuationIsReadBack()
    {
        const QString whole = m_folder.filePath(text("whole.npz"));
        QCOMPARE(runProgram(continuing("gpt2-plain") + QStringList{text("--output"), whole}).status, 0);
        QCOMPARE(described(whole).value(text("source_tokens")).toInt(), 6);
        for (int leaf = 1; leaf < 5; ++leaf) { // steps 0 and 1 are the prompt's
            const QString output = m_folder.filePath(text("leaf.npz"));
            const CommandResult made =
                runProgram(continuing("gpt2-plain")
                           + QStringList{text("--leaf"), QString::number(leaf), text("--output"), output});
            QVERIFY2(made.status == 0, made.errors.constData());
            QCOMPARE(described(output).value(text("source_tokens")).toInt(), leaf == 4 ? 6 : leaf + 1);
        }
    }

    void aStepThatIsNotThereIsRefused()
    {
        const CommandResult result = runProgram(
            continuing("gpt2-plain")
            + QStringList{text("--leaf"), text("99"), text("--output"), m_folder.filePath(text("never.npz"))});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
    }

    void anArchiveNamesTheCommandThatMakesItAgain_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QString run = m_folder.filePath(text("given.npz"));
        QCOMPARE(runProgram(continuing("gpt2-plain")
                            + QStringList{text("--logits"), text("--hidden"), text("--output"), run})
                     .status,
                 0);
        QTest::newRow("continuation") << continuing("gpt2-plain");
        QTest::newRow("hypothesis") << continuing("gpt2-plain") + QStringList{text("--leaf"), text("3")};
        QTest::newRow("search") << QStringList{text("trace"),
                                               caseFolder("marian-swish"),
                                               text("--source-ids"),
                                               text("5,9,30,0"),
                                               text("--decode"),
                                               text("beam:3"),
                                               text("--max-length"),
                                               text("6"),
                                               text("--scores"),
                                               text("--threads"),
                                               text("1")};
        QTest::newRow("masked") << QStringList{text("trace"),  caseFolder("bert-mlm"), text("--source-ids"),
                                               text("5,9,30"), text("--edit"),         text("encoder:0:0:1:2=hide")};
        QTest::newRow("archive") << QStringList{text("trace"), run};
        QTest::newRow("archive with all of it") << QStringList{text("trace"), run, text("--logits"), text("--hidden")};
    }
    void anArchiveNamesTheCommandThatMakesItAgain()
    {
        QFETCH(const QStringList, arguments);
        for (const char* form : {"npz", "json"}) {
            const QString output = m_folder.filePath(text("named.") + text(form));
            const CommandResult made = runProgram(arguments + QStringList{text("--output"), output});
            QVERIFY2(made.status == 0, made.errors.constData());
            const QString command = described(output).value(text("command")).toString();
            QVERIFY2(command.startsWith(text("attnscope trace ")), qPrintable(command));
            QTemporaryDir elsewhere;
            const CommandResult again = runNamed(command, elsewhere.path());
            QVERIFY2(again.status == 0, again.errors.constData());
            QVERIFY2(contentOf(elsewhere.filePath(text("run.") + text(form))) == contentOf(output),
                     qPrintable(command));
        }
    }

private:
    QTemporaryDir m_folder;
};

ATTN_TEST(TestCliTrace)
#include "tst_cli_trace.moc"
