// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "io/npz.h"
#include "models/families/family.h"
#include "support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace attn;
using namespace attn::test;

namespace {

QString caseFolder(const QString& name)
{
    return QStringLiteral(ATTN_TEST_DATA "/cases/") + name;
}

} // namespace

// Models that say something of a text instead of predicting tokens, and the types of models that are read.
class TestCliTasks : public QObject
{
    Q_OBJECT

private:
    CommandResult trace(const QString& name, const QString& ids, const QStringList& further = {}) const
    {
        return runProgram(QStringList{QStringLiteral("trace"), caseFolder(name), QStringLiteral("--source-ids"), ids,
                                      QStringLiteral("--output"), m_folder.filePath(QStringLiteral("run.npz"))}
                          + further);
    }
    NpzReader archive() const { return NpzReader(m_folder.filePath(QStringLiteral("run.npz")).toStdString()); }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void anArchiveNamesTheClasses()
    {
        const CommandResult result =
            trace(QStringLiteral("n-head-bert-token-three"), QStringLiteral("2,64,13,3"), {QStringLiteral("--logits")});
        QVERIFY2(result.status == 0, result.errors.constData());
        const NpzReader found = archive();
        QCOMPARE(found.find("label_names")->texts(), (std::vector<std::string>{"O", "B-X", "I-X"}));
        QCOMPARE(found.find("token_logits")->shape(), (NpyArray::Shape{4, 3}));
        QVERIFY(!found.contains("logits") && !found.contains("logprobs"));
    }

    // Written archives are read again and written the same.
    void archivesKeepTasksExpertsAndSinks_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"n-head-bert-question-dev", "n-head-gemma2-sequence", "n-head-bart-sequence-two",
                                 "n-gpt-oss-bf16", "n-deepseek-v3-plain"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void archivesKeepTasksExpertsAndSinks()
    {
        QFETCH(QString, name);
        const CommandResult result = trace(name, QStringLiteral("2,7,11,2"));
        QVERIFY2(result.status == 0, result.errors.constData());
        const QString again = m_folder.filePath(QStringLiteral("again.npz"));
        const CommandResult copied = runProgram(
            {QStringLiteral("trace"), m_folder.filePath(QStringLiteral("run.npz")), QStringLiteral("--output"), again});
        QVERIFY2(copied.status == 0, copied.errors.constData());
        const NpzReader first = archive();
        const NpzReader second(again.toStdString());
        for (const std::string& array : first.names()) {
            if (array == "metadata")
                continue;
            QVERIFY2(second.contains(array), array.c_str());
            QCOMPARE(second.find(array)->shape(), first.find(array)->shape());
        }
    }

    void whatTheModelCannotDoIsWrongUsage_data()
    {
        addColumns<QString, QStringList>("name", "options");
        QTest::newRow("generate") << QStringLiteral("n-head-llama-sequence-three")
                                  << QStringList{QStringLiteral("--generate"), QStringLiteral("3")};
        QTest::newRow("decode") << QStringLiteral("n-head-bart-sequence-two")
                                << QStringList{QStringLiteral("--decode"), QStringLiteral("beam:3")};
        QTest::newRow("prefix") << QStringLiteral("n-head-bart-sequence-two")
                                << QStringList{QStringLiteral("--prefix-ids"), QStringLiteral("5")};
        QTest::newRow("target") << QStringLiteral("n-head-bart-sequence-two")
                                << QStringList{QStringLiteral("--target-ids"), QStringLiteral("5")};
        QTest::newRow("generate, an encoder") << QStringLiteral("n-head-bert-sequence-two")
                                              << QStringList{QStringLiteral("--generate"), QStringLiteral("3")};
    }
    void whatTheModelCannotDoIsWrongUsage()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, options);
        const CommandResult result = trace(name, QStringLiteral("2,7,2"), options);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.errors.contains(options.front().mid(2, 6).toUtf8()), result.errors.constData());
    }

    void aTextWithoutAnEndTokenIsNotClassified()
    {
        const CommandResult result = trace(QStringLiteral("n-head-bart-sequence-two"), QStringLiteral("5,7,9"));
        QCOMPARE(result.status, 1);
        QVERIFY2(result.errors.contains("end token"), result.errors.constData());
    }

    void infoSaysWhatAModelPredicts_data()
    {
        addColumns<QString, QString>("name", "predicts");
        QTest::newRow("text") << QStringLiteral("n-head-albert-sequence-three")
                              << QStringLiteral("a class of the text");
        QTest::newRow("tokens") << QStringLiteral("n-head-roberta-token-two")
                                << QStringLiteral("a class of each token");
        QTest::newRow("span") << QStringLiteral("n-head-bert-question-dev") << QStringLiteral("the span of an answer");
        QTest::newRow("masked") << QStringLiteral("bert-mlm") << QStringLiteral("masked tokens");
        QTest::newRow("nothing") << QStringLiteral("bert-noprefix") << QStringLiteral("nothing, it has no head");
        QTest::newRow("output") << QStringLiteral("n-gpt-oss-bf16") << QStringLiteral("tokens");
    }
    void infoSaysWhatAModelPredicts()
    {
        QFETCH(QString, name);
        QFETCH(QString, predicts);
        const CommandResult result = runProgram({QStringLiteral("info"), caseFolder(name), QStringLiteral("--json")});
        QVERIFY2(result.status == 0, result.errors.constData());
        const QJsonObject info = QJsonDocument::fromJson(result.output).object();
        QCOMPARE(info[QStringLiteral("predicts")].toString(), predicts);
        QCOMPARE(info[QStringLiteral("sinks")].toBool(), name.contains(QStringLiteral("oss")));
        QCOMPARE(info[QStringLiteral("experts")].isObject(), name.contains(QStringLiteral("oss")));
    }

    void headsAreTakenOutOfClassifiers_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"n-head-bert-sequence-two", "n-head-bert-token-three", "n-head-bert-question-dev",
                                 "n-head-llama-sequence-three", "n-head-bart-sequence-two"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void headsAreTakenOutOfClassifiers()
    {
        QFETCH(QString, name);
        const QString table = m_folder.filePath(QStringLiteral("heads.json"));
        const CommandResult result =
            runProgram({QStringLiteral("heads"), caseFolder(name), QStringLiteral("--source-ids"),
                        QStringLiteral("2,7,11,2"), QStringLiteral("--ablate"), QStringLiteral("--output"), table});
        QVERIFY2(result.status == 0, result.errors.constData());
        const QJsonArray heads = QJsonDocument::fromJson(read(table)).array();
        QVERIFY(!heads.isEmpty());
        double most = 0;
        for (const auto& head : heads)
            most = std::max(most, head.toObject()[QStringLiteral("kl")].toDouble());
        QVERIFY(most > 0);
    }

    void everyTypeIsListed()
    {
        const CommandResult table = runProgram({QStringLiteral("models"), QStringLiteral("--types")});
        QCOMPARE(table.status, 0);
        const CommandResult json =
            runProgram({QStringLiteral("models"), QStringLiteral("--types"), QStringLiteral("--json")});
        QCOMPARE(QJsonDocument::fromJson(json.output).array().size(), static_cast<qsizetype>(families().size()));
        for (const Family& family : families())
            QVERIFY2(table.output.contains(QByteArray(family.modelType.data()) + ' '), family.modelType.data());
    }
};

ATTN_TEST(TestCliTasks)

#include "tst_cli_tasks.moc"
