// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "session/session.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;
using test::runProgram;

// Sessions on the command line.
class TestCliSession : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    // A session of two runs of a golden case, the second on show.
    void initSession() const
    {
        const auto run = [this](const char* name, const QStringList& input) {
            const QString file = path(name);
            const auto made = runProgram(QStringList{QStringLiteral("trace"), test::caseFolder("rnn-bahdanau-gru")}
                                         + input + QStringList{QStringLiteral("--output"), file});
            if (made.status != 0)
                qFatal("no trace: %s", made.errors.constData());
            return readArchive(file.toStdString());
        };
        const QString ids = QStringLiteral("--source-ids");
        Session session;
        session.model.name = "tiny";
        session.runs.resize(2);
        session.runs[0].id = 3;
        session.runs[0].trace = run("a.npz", {ids, QStringLiteral("4,5,3")});
        session.runs[1].id = 8;
        session.runs[1].parent = 3;
        session.runs[1].change = "other ids";
        session.runs[1].note = "longer";
        session.runs[1].trace = run("b.npz", {ids, QStringLiteral("4,5,6,7,3")});
        session.shown.run = 8;
        writeSession(path("x.attnscope").toStdString(), session);
    }

private Q_SLOTS:
    void initTestCase() { initSession(); }

    void aRunIsWrittenAsAnArchive_data()
    {
        test::addColumns<QStringList, int>("chosen", "tokens");
        QTest::newRow("on show") << QStringList() << 5;
        QTest::newRow("by its number") << QStringList{QStringLiteral("--run"), QStringLiteral("3")} << 3;
        QTest::newRow("with a zero before") << QStringList{QStringLiteral("--run"), QStringLiteral("08")} << 5;
    }

    void aRunIsWrittenAsAnArchive()
    {
        QFETCH(QStringList, chosen);
        QFETCH(int, tokens);
        const QString output = path("out.npz");
        const auto result = runProgram(QStringList{QStringLiteral("trace"), path("x.attnscope")} + chosen
                                       + QStringList{QStringLiteral("--output"), output});
        QCOMPARE(result.errors, QByteArray());
        QCOMPARE(result.status, 0);
        QCOMPARE(static_cast<int>(readArchive(output.toStdString()).source().size()), tokens);
    }

    void informationNamesTheRuns()
    {
        const auto text = runProgram({QStringLiteral("info"), path("x.attnscope")});
        QCOMPARE(text.status, 0);
        for (const char* part : {"run 3", "run 8", "other ids", "longer"})
            QVERIFY2(text.output.contains(part), text.output.constData());
        const auto json = runProgram({QStringLiteral("info"), path("x.attnscope"), QStringLiteral("--json")});
        const QJsonObject session = QJsonDocument::fromJson(json.output).object();
        QCOMPARE(session[QLatin1String("shown")].toInt(), 8);
        QCOMPARE(session[QLatin1String("runs")].toArray().at(1)[QLatin1String("parent")].toInt(), 3);
        QCOMPARE(session[QLatin1String("runs")].toArray().at(0)[QLatin1String("source_tokens")].toInt(), 3);
        const auto one =
            runProgram({QStringLiteral("info"), path("x.attnscope"), QStringLiteral("--run"), QStringLiteral("3")});
        QVERIFY2(one.output.contains("3 source"), one.output.constData());
    }

    void whatMakesNoSenseIsOneLine_data()
    {
        test::addColumns<QStringList, int>("arguments", "status");
        const QString file = path("x.attnscope");
        const QStringList output{QStringLiteral("--output"), path("none.npz")};
        const QString run = QStringLiteral("--run");
        QTest::newRow("no such run") << QStringList{QStringLiteral("trace"), file, run, QStringLiteral("4")} + output
                                     << 2;
        QTest::newRow("no number") << QStringList{QStringLiteral("trace"), file, run, QStringLiteral("one")} + output
                                   << 2;
        QTest::newRow("hexadecimal") << QStringList{QStringLiteral("trace"), file, run, QStringLiteral("0x8")} + output
                                     << 2;
        QTest::newRow("with a text") << QStringList{QStringLiteral("trace"), file, QStringLiteral("--text"),
                                                    QStringLiteral("a")}
                + output << 2;
        QTest::newRow("run of a model") << QStringList{QStringLiteral("trace"),
                                                       test::caseFolder("rnn-bahdanau-gru"),
                                                       QStringLiteral("--source-ids"),
                                                       QStringLiteral("4"),
                                                       run,
                                                       QStringLiteral("1")}
                + output << 2;
        QTest::newRow("no file") << QStringList{QStringLiteral("trace"), path("gone.attnscope")} + output << 1;
        QTest::newRow("information of no run")
            << QStringList{QStringLiteral("info"), file, run, QStringLiteral("4")} << 2;
    }

    void whatMakesNoSenseIsOneLine()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const auto result = runProgram(arguments);
        QCOMPARE(result.status, status);
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        QVERIFY(!QFile::exists(path("none.npz")));
    }

#ifdef ATTN_WITH_UI
    void aRunIsDrawn()
    {
        const QString output = path("out.svg");
        const auto result = runProgram({QStringLiteral("figure"), path("x.attnscope"), QStringLiteral("--run"),
                                        QStringLiteral("3"), QStringLiteral("--output"), output});
        QCOMPARE(result.errors, QByteArray());
        QCOMPARE(result.status, 0);
        QVERIFY(QFile::exists(output));
    }
#endif
};

ATTN_TEST(TestCliSession)
#include "tst_cli_session.moc"
