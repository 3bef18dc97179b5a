// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "question/question.h"
#include "session/session.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;
using test::runProgram;

namespace {

constexpr int differs = 3; // exit status

QJsonObject jsonOf(const QByteArray& output)
{
    return QJsonDocument::fromJson(output).object();
}

} // namespace

// verify, diff, and files of other tools on the command line.
class TestCliVerify : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    QString model() const { return path("model"); }

    // A model of this folder, which tests may change.
    void makeModel(const char* kept) const
    {
        QDir().mkpath(model());
        for (const char* name : {"config.json", "model.safetensors"}) {
            const QString file = model() + u'/' + QLatin1String(name);
            QFile::remove(file);
            QVERIFY(QFile::copy(test::caseFolder(kept) + u'/' + QLatin1String(name), file));
            QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner);
        }
    }

    test::CommandResult make(const char* command, const char* output) const
    {
        return runProgram({QString::fromLatin1(command), model(), QStringLiteral("--source-ids"),
                           QStringLiteral("4,5,6,3"), QStringLiteral("--max-length"), QStringLiteral("8"),
                           QStringLiteral("--output"), path(output)});
    }

    // One byte of a weight.
    void changeWeights() const
    {
        QFile file(model() + QStringLiteral("/model.safetensors"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray bytes = file.readAll();
        for (qsizetype i = bytes.size() - 400; i < bytes.size() - 2; i += 4) {
            bytes[i + 2] = static_cast<char>(bytes[i + 2] ^ 0x40);
        }
        file.seek(0);
        file.write(bytes);
    }

private Q_SLOTS:
    void init() { makeModel("rnn-bahdanau-gru"); }

    void whatIsMadeAgainIsTheSame_data()
    {
        test::addColumns<QByteArray, QByteArray>("command", "name");
        QTest::newRow("npz") << QByteArray("trace") << QByteArray("x.npz");
        QTest::newRow("json") << QByteArray("trace") << QByteArray("x.json");
#ifdef ATTN_WITH_UI
        for (const char* name : {"x.svg", "x.png", "x.pdf", "x.tex", "x.html", "x.gif"})
            QTest::newRow(name) << QByteArray("figure") << QByteArray(name);
#endif
    }
    void whatIsMadeAgainIsTheSame()
    {
        QFETCH(QByteArray, command);
        QFETCH(QByteArray, name);
        QCOMPARE(make(command.constData(), name.constData()).errors, QByteArray());
        const auto same = runProgram({QStringLiteral("verify"), path(name.constData())});
        QCOMPARE(same.errors, QByteArray());
        QVERIFY2(same.output.startsWith("the same\n"), same.output.constData());
        QCOMPARE(same.status, 0);
        changeWeights();
        const auto other = runProgram({QStringLiteral("verify"), path(name.constData()), QStringLiteral("--json")});
        QCOMPARE(other.errors, QByteArray());
        QCOMPARE(other.status, differs);
        QVERIFY(!jsonOf(other.output).value(QStringLiteral("differs")).toArray().isEmpty());
    }

    void aSessionIsMadeAgain()
    {
        QCOMPARE(make("trace", "run.npz").errors, QByteArray());
        Session session;
        session.program = "0";
        session.runs.resize(1);
        session.runs[0].id = 1;
        session.runs[0].trace = readArchive(path("run.npz").toStdString());
        session.runs[0].question = parseQuestion(session.runs[0].trace.provenance().question, "question");
        session.runs[0].question->model = model().toStdString();
        writeSession(path("x.attnscope").toStdString(), session);
        const auto same = runProgram({QStringLiteral("verify"), path("x.attnscope")});
        QCOMPARE(same.errors, QByteArray());
        QVERIFY2(same.output.startsWith("the same\n"), same.output.constData());
        changeWeights();
        QCOMPARE(runProgram({QStringLiteral("verify"), path("x.attnscope")}).status, differs);
    }

    void whatSaysNothingOfItselfIsRefused()
    {
        test::write(path("mine.json"), R"({"source_ids": [1], "encoder_attentions": [[[[1]]]]})");
        const auto result = runProgram({QStringLiteral("verify"), path("mine.json")});
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        QCOMPARE(result.status, 1);
    }

    // A file may name any command; none but a trace or a figure is run.
    void noOtherCommandIsRun()
    {
        for (const char* command : {"rm -rf x", "attnscope batch x", "attnscope trace 'x", "attnscope trace $(x) a"}) {
            const QJsonObject metadata{{QStringLiteral("command"), QString::fromLatin1(command)}};
            const QJsonObject archive{{QStringLiteral("source_ids"), QJsonArray{1}},
                                      {QStringLiteral("metadata"), metadata}};
            test::write(path("evil.json"), QJsonDocument(archive).toJson());
            const auto result = runProgram({QStringLiteral("verify"), path("evil.json")});
            QCOMPARE(result.status, 1);
            QVERIFY2(result.errors.contains("evil.json"), result.errors.constData());
        }
    }

    void archivesAreComparedHeadByHead()
    {
        QCOMPARE(make("trace", "a.npz").errors, QByteArray());
        changeWeights();
        QCOMPARE(make("trace", "b.npz").errors, QByteArray());
        const auto same = runProgram({QStringLiteral("diff"), path("a.npz"), path("a.npz"), QStringLiteral("--json"),
                                      QStringLiteral("--fail-over"), QStringLiteral("0")});
        QCOMPARE(same.errors, QByteArray());
        QCOMPARE(same.status, 0);
        const auto head = jsonOf(same.output).value(QStringLiteral("heads")).toArray().first().toObject();
        QCOMPARE(head.value(QStringLiteral("head")).toString(), QStringLiteral("cross:0:0"));
        QCOMPARE(head.value(QStringLiteral("variation")).toDouble(), 0.0);
    }

    void modelsAreComparedOverLines()
    {
        const QString bert = QStringLiteral("bert-small-en");
        test::write(path("lines.txt"), "the cat sleeps.\n\nthe dog sees the cat.\n");
        const auto same = runProgram({QStringLiteral("diff"), bert, bert, QStringLiteral("--lines"), path("lines.txt"),
                                      QStringLiteral("--fail-over"), QStringLiteral("0")});
        QCOMPARE(same.errors, QByteArray());
        QCOMPARE(same.status, 0);
        QVERIFY(same.output.contains("encoder:0:0"));
        const auto bad = runProgram({QStringLiteral("diff"), bert, bert});
        QCOMPARE(bad.status, 2);
    }

    void aHeadAboveTheBorderFails()
    {
        const auto archive = [&](const char* name, const char* weights) {
            test::write(path(name),
                        QByteArray(R"({"source_tokens": ["a", "b"], "encoder_attentions": [[)") + weights + "]]}");
        };
        archive("one.json", "[[1, 0], [0, 1]]");
        archive("two.json", "[[0.5, 0.5], [0, 1]]");
        const auto run = [&](const char* most) {
            return runProgram({QStringLiteral("diff"), path("one.json"), path("two.json"),
                               QStringLiteral("--fail-over"), QString::fromLatin1(most), QStringLiteral("--json")});
        };
        QCOMPARE(run("0.3").status, 0); // rows vary by 0.5 and 0
        const auto above = run("0.2");
        QCOMPARE(above.status, differs);
        QVERIFY(above.hasOneErrorLine());
        const auto head = jsonOf(above.output).value(QStringLiteral("heads")).toArray().first().toObject();
        QCOMPARE(head.value(QStringLiteral("variation")).toDouble(), 0.25);
        QCOMPARE(head.value(QStringLiteral("low")).toDouble(), 0.0);
        QCOMPARE(head.value(QStringLiteral("high")).toDouble(), 0.5);
        QCOMPARE(head.value(QStringLiteral("largest")).toDouble(), 0.5);
    }

    void filesOfOtherToolsAreKnown()
    {
        const QString dumps = QStringLiteral(ATTN_TEST_DATA "/dumps/");
        const auto info = runProgram(
            {QStringLiteral("info"), dumps + QStringLiteral("nematus_matrix.txt#2"), QStringLiteral("--json")});
        QCOMPARE(info.errors, QByteArray());
        QCOMPARE(jsonOf(info.output).value(QStringLiteral("sentences")).toInt(), 2);
        QCOMPARE(jsonOf(info.output).value(QStringLiteral("text")).toString(), QStringLiteral("Hallo <unk>"));
        QCOMPARE(runProgram({QStringLiteral("info"), dumps + QStringLiteral("nematus_matrix.txt#3")}).status, 1);
#ifdef ATTN_WITH_UI
        const auto figure = runProgram({QStringLiteral("figure"), dumps + QStringLiteral("whisper.json"),
                                        QStringLiteral("--output"), path("whisper.csv")});
        QCOMPARE(figure.errors, QByteArray());
        QVERIFY(test::read(path("whisper.csv")).contains("\"0.02\""));
        const auto again = runProgram({QStringLiteral("figure"), path("whisper.csv"), QStringLiteral("--output"),
                                       path("again.csv")}); // as it was exported
        QCOMPARE(again.errors, QByteArray());
        QCOMPARE(test::read(path("again.csv")), test::read(path("whisper.csv")));
        test::write(path("notes.html"), "<html>nothing</html>");
        const auto none =
            runProgram({QStringLiteral("figure"), path("notes.html"), QStringLiteral("--output"), path("x.csv")});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.errors.contains("BertViz"), none.errors.constData());
#endif
    }

    void theVersionIsToldToPrograms()
    {
        const auto result = runProgram({QStringLiteral("--version"), QStringLiteral("--json")});
        QCOMPARE(result.status, 0);
        QCOMPARE(jsonOf(result.output).value(QStringLiteral("program")).toString(), QStringLiteral("attnscope"));
    }
};

ATTN_TEST(TestCliVerify)

#include "tst_cli_verify.moc"
