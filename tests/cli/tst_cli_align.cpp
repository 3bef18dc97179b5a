// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attn::test;

namespace {

const QString folder = QStringLiteral(ATTN_TEST_DATA "/alignment/");
const QString models = QStringLiteral(ATTN_SOURCE_DIR "/resources/models/");

} // namespace

class TestCliAlign : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tablesAndLinksAreAsExpected_data()
    {
        QTest::addColumn<QString>("run");
        const QJsonObject runs = expected()[text("runs")].toObject();
        QVERIFY(!runs.isEmpty());
        for (const QString& run : runs.keys())
            QTest::newRow(qPrintable(run)) << run;
    }
    void tablesAndLinksAreAsExpected()
    {
        QFETCH(QString, run);
        const QString model = run.section(u' ', 0, 0);
        const QByteArray weights = read(models + model + text("/model.safetensors"));
        const QByteArray hash = QCryptographicHash::hash(weights, QCryptographicHash::Sha256).toHex();
        if (hash != expected()[text("weights")][model].toString().toUtf8())
            QSKIP("the bundled model has other weights than the one that this was computed with");
        QStringList arguments{text("align"),   model,
                              text("--pairs"), folder + text("pairs.tsv"),
                              text("--gold"),  folder + text("gold.txt"),
                              text("--all"),   text("--output"),
                              path("links")};
        if (run.endsWith(text("--shift")))
            arguments << text("--shift");
        const CommandResult result = runProgram(arguments);
        QVERIFY2(result.status == 0, result.errors.constData());
        const QJsonObject wanted = expected()[text("runs")][run].toObject();
        const QJsonObject table = wanted[text("table")].toObject();
        const QList<QByteArray> lines = result.output.trimmed().split('\n');
        QCOMPARE(lines.size(), table.size() + 2); // the names, and the best once more
        for (const QByteArray& line : lines.mid(1)) {
            const QList<QByteArray> fields = line.split('\t');
            const QJsonObject site = table[QString::fromUtf8(fields[0])].toObject();
            QVERIFY2(!site.isEmpty(), line.constData());
            QVERIFY(std::abs(fields[1].toDouble() - site[text("precision")].toDouble()) < 1e-6);
            QVERIFY(std::abs(fields[2].toDouble() - site[text("recall")].toDouble()) < 1e-6);
            QVERIFY(std::abs(fields[3].toDouble() - site[text("aer")].toDouble()) < 1e-6);
            QCOMPARE(fields[4].toInt(), site[text("links")].toInt());
        }
        const QString best = wanted[text("best")].toString();
        QCOMPARE(QString::fromUtf8(lines.last().split('\t')[0]), best);
        QByteArray links;
        for (const auto& line : wanted[text("lines")][best].toArray())
            links += line.toString().toUtf8() + '\n';
        QCOMPARE(read(path("links")), links);
    }

    void aLineThatFailsLeavesTheOthers()
    {
        const QByteArray tooLong = QByteArray("a ").repeated(2000);
        write(path("pairs"), "I am here.\tJe suis ici.\n" + tooLong + "\tb\n\t\nHe sleeps.\tIl dort.\n");
        const CommandResult result = runProgram({text("align"), text("transformer-en-fr"), text("--pairs"),
                                                 path("pairs"), text("--output"), path("links")});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains("line 2"), result.errors.constData());
        const QList<QByteArray> lines = read(path("links")).split('\n');
        QCOMPARE(lines.size(), 5);
        QVERIFY(!lines[0].isEmpty() && lines[1].isEmpty() && lines[2].isEmpty() && !lines[3].isEmpty());
    }

    void whatIsWrongIsNamed_data()
    {
        addColumns<QByteArray, QByteArray, QStringList, QByteArray, int>("pairs", "gold", "more", "named", "status");
        const QByteArray one = "I am here.\tJe suis ici.\n";
        QTest::newRow("no tab") << one + "I am here.\n" << QByteArray() << QStringList() << QByteArray("line 2") << 1;
        QTest::newRow("two tabs") << QByteArray("a\tb\tc\n") << QByteArray() << QStringList() << QByteArray("line 1")
                                  << 1;
        QTest::newRow("no pairs") << QByteArray() << QByteArray() << QStringList() << QByteArray("no pairs") << 1;
        QTest::newRow("another number of lines")
            << one << QByteArray("0-0\n0-0\n") << QStringList() << QByteArray("2") << 1;
        QTest::newRow("beyond the source") << one << QByteArray("3-0\n") << QStringList() << QByteArray("line 1") << 1;
        QTest::newRow("beyond the target") << one << QByteArray("0?3\n") << QStringList() << QByteArray("line 1") << 1;
        QTest::newRow("from 1") << one << QByteArray("0-1\n") << words("--gold-base 1") << QByteArray("line 1") << 1;
        QTest::newRow("no link") << one << QByteArray("0:0\n") << QStringList() << QByteArray("0:0") << 1;
        QTest::newRow("all without gold") << one << QByteArray() << words("--all") << QByteArray("--gold") << 2;
        QTest::newRow("both") << one << QByteArray("0-0\n") << words("--all --site cross:0:0") << QByteArray("--site")
                              << 2;
        QTest::newRow("no such site") << one << QByteArray() << words("--site cross:7:0") << QByteArray("--site") << 2;
        QTest::newRow("no such attention")
            << one << QByteArray() << words("--site bogus") << QByteArray("cross:0:0 to cross:") << 2;
    }
    void whatIsWrongIsNamed()
    {
        QFETCH(QByteArray, pairs);
        QFETCH(QByteArray, gold);
        QFETCH(QStringList, more);
        QFETCH(QByteArray, named);
        QFETCH(int, status);
        write(path("pairs"), pairs);
        write(path("gold"), gold);
        QStringList arguments{text("align"), text("rnnsearch-en-fr"), text("--pairs"),
                              path("pairs"), text("--output"),        path("wrong")};
        if (!gold.isEmpty())
            arguments << text("--gold") << path("gold");
        const CommandResult result = runProgram(arguments + more);
        QCOMPARE(result.status, status);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains(named), result.errors.constData());
        QVERIFY(!QFile::exists(path("wrong")));
    }

    void readingsAlignToo()
    {
        for (const char* site : {"norms:1:0", "norms:1:sum", "value_zeroing:0", "rollout", "lrp", "input"}) {
            const CommandResult result =
                runProgram({text("align"), text("transformer-en-fr"), text("--pairs"), folder + text("pairs.tsv"),
                            text("--gold"), folder + text("gold.txt"), text("--site"), text(site)});
            QVERIFY2(result.status == 0, result.errors.constData());
            const QList<QByteArray> fields = result.output.trimmed().split('\n').last().split('\t');
            QCOMPARE(fields[0], QByteArray(site));
            QVERIFY2(fields[3].toDouble() < 0.75, result.output.constData()); // better than links at random
        }
        const CommandResult none =
            runProgram({text("align"), text("rnnsearch-en-fr"), text("--pairs"), folder + text("pairs.tsv"),
                        text("--site"), text("lrp"), text("--output"), path("none")});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.hasOneErrorLine() && none.errors.contains("Transformers"), none.errors.constData());
        QVERIFY(!QFile::exists(path("none")));
    }

    void otherModelsAlignNothing()
    {
        write(path("pairs"), "a\tb\n");
        for (const char* model : {"gpt2-plain", "bert-mlm", "rnn-none-unidirectional"}) {
            const CommandResult result = runProgram(
                {text("align"), caseFolder(model), text("--pairs"), path("pairs"), text("--output"), path("nothing")});
            QCOMPARE(result.status, 2);
            QVERIFY(result.hasOneErrorLine());
        }
    }

private:
    QString path(const char* name) const { return m_folder.filePath(text(name)); }
    static QJsonObject expected() { return QJsonDocument::fromJson(read(folder + text("expected.json"))).object(); }

    QTemporaryDir m_folder;
};

ATTN_TEST(TestCliAlign)

#include "tst_cli_align.moc"
