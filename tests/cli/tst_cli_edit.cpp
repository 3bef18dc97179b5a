// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

using namespace attn::test;

class TestCliEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void editsActInOrderAndAreKept()
    {
        const QStringList specs{text("cross:0:0:1:0=zero"), text("source:2=token:7"), text("cross:0:0:0:1=set:0.25"),
                                text("cross:0:0:0=renormalize"), text("source:3=hide")};
        const QJsonObject archive = traced(specs);
        QCOMPARE(archive[text("source_ids")].toArray(), (QJsonArray{5, 9, 7, 11}));
        const QJsonArray rows = archive[text("cross_attentions")][0][0].toArray();
        const QJsonArray scores = archive[text("cross_scores")][0][0].toArray();
        QCOMPARE(rows.size(), 3);
        double sum = 0;
        for (const auto& weight : rows[0].toArray())
            sum += weight.toDouble();
        QVERIFY(std::abs(sum - 1) < 1e-6);
        QCOMPARE(rows[1][0].toDouble(), 0.0);
        QVERIFY(rows[1][1].toDouble() > 0 && rows[2][0].toDouble() > 0);
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(rows[row][3].toDouble(), 0.0);
            QVERIFY(scores[row][3].isNull()); // hidden, unlike what was only set to zero
            QVERIFY(scores[row][0].isDouble());
        }
        QCOMPARE(archive[text("metadata")][text("edits")].toArray(), QJsonArray::fromStringList(specs));
        QCOMPARE(archive[text("metadata")][text("question")][text("edit")].toArray(),
                 QJsonArray::fromStringList(specs));
        QVERIFY(!traced({})[text("metadata")].toObject().contains(text("edits")));
    }

    void infoNamesTheEditsOfAnArchive()
    {
        traced({text("cross=scale:2"), text("source:0=hide")});
        const CommandResult people = runProgram({text("info"), output()});
        QVERIFY(people.output.contains("cross=scale:2") && people.output.contains("source:0=hide"));
        const CommandResult json = runProgram({text("info"), output(), text("--json")});
        QCOMPARE(QJsonDocument::fromJson(json.output)[text("edits")].toArray(),
                 (QJsonArray{text("cross=scale:2"), text("source:0=hide")}));
    }

    // The places that the one line on standard error names.
    void whatIsNoEditEndsWithTwo_data()
    {
        addColumns<QString, QByteArray>("spec", "place");
        for (const auto& [spec, place] :
             std::vector<std::pair<const char*, const char*>>{{"", "'='"},
                                                              {"nonsense", "'='"},
                                                              {"side:0=zero", "'side'"},
                                                              {"encoder:0=zero", "encoder"},
                                                              {"cross:1=zero", "layer 1"},
                                                              {"cross:0:99=zero", "head 99"},
                                                              {"cross:0:0:3=zero", "row 3"},
                                                              {"cross:0:0:0:4=zero", "column 4"},
                                                              {"cross:5-2=zero", "'5-2'"},
                                                              {"cross::0=zero", "layer"},
                                                              {"cross=set:nan", "'nan'"},
                                                              {"cross=blank", "'blank'"},
                                                              {"source:4=hide", "position 4"},
                                                              {"source:0=token:99999", "token 99999"},
                                                              {"source:0=word:house", "token:ID"}})
            QTest::newRow(spec) << text(spec) << QByteArray(place);
        QTest::newRow("long") << QString(100'000, QLatin1Char('x')) << QByteArray("'='");
        QTest::newRow("long list") << text("cross:0:0:") + QString(100'000, QLatin1Char('-')) + text("=zero")
                                   << QByteArray("row");
    }
    void whatIsNoEditEndsWithTwo()
    {
        QFETCH(const QString, spec);
        QFETCH(const QByteArray, place);
        const CommandResult result = trace({spec});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.hasOneErrorLine() && result.errors.size() < 500, result.errors.constData());
        QVERIFY2(result.errors.startsWith("attnscope: --edit ") && result.errors.contains(place),
                 result.errors.constData());
        QVERIFY(!QFile::exists(output()));
    }

    void anArchiveIsNotRunAgain()
    {
        traced({});
        const CommandResult result = runProgram({text("trace"), output(), text("--edit"), text("cross=zero"),
                                                 text("--output"), m_folder->filePath(text("again.json"))});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains("--edit"), result.errors.constData());
    }

    // A row or column that a sentence does not have changes nothing in it.
    void batchEditsEverySentence()
    {
        write(m_folder->filePath(text("lines.txt")), "Yes.\nI do not think that she will come back home.\n");
        const auto outputs = [&](const QStringList& specs) {
            QStringList arguments{text("batch"),    text("rnnsearch-en-fr"),
                                  text("--lines"),  m_folder->filePath(text("lines.txt")),
                                  text("--output"), output()};
            for (const QString& spec : specs)
                arguments << text("--edit") << spec;
            const CommandResult result = runProgram(arguments);
            return result.status == 0 ? read(output()).trimmed().split('\n') : QList<QByteArray>{result.errors};
        };
        const auto plain = outputs({});
        QCOMPARE(plain.size(), 2);
        const auto edited = outputs({text("source:6=hide"), text("cross:0:0:5:7=scale:3"), text("source:7=word:dog")});
        QCOMPARE(edited.size(), 2);
        QCOMPARE(edited[0], plain[0]);
        QVERIFY(edited[1] != plain[1]);
        QVERIFY(QJsonDocument::fromJson(edited[1])[text("source_tokens")].toArray().contains(text("\u2581dog")));
        // What no sentence has is wrong usage.
        const auto refused = outputs({text("cross:0:1=zero")});
        QVERIFY2(refused.size() == 1 && refused[0].contains("head 1"), refused[0].constData());
    }

#ifdef ATTN_WITH_UI
    void aFigureSaysThatTheRunWasEdited()
    {
        const auto drawn = [&](const QStringList& specs, const char* view) {
            const QString picture = m_folder->filePath(text("f.svg"));
            QStringList arguments{text("figure"),       caseFolder("rnn-bahdanau-gru"),
                                  text("--source-ids"), text("5,9,30,11"),
                                  text("--target-ids"), text("4,8,3"),
                                  text("--view"),       text(view),
                                  text("--output"),     picture};
            for (const QString& spec : specs)
                arguments << text("--edit") << spec;
            return runProgram(arguments).status == 0 ? read(picture) : QByteArray();
        };
        for (const char* view : {"heatmap", "grid", "arcs", "decoding", "beam"}) {
            QVERIFY2(drawn({text("cross:0:0:1=uniform")}, view).contains("edited"), view);
            QVERIFY2(!drawn({}, view).isEmpty() && !drawn({}, view).contains("edited"), view);
        }
    }
#endif

private:
    QString output() const
    {
        return m_folder->filePath(text("out.json"));
    }

    CommandResult trace(const QStringList& specs) const
    {
        QStringList arguments{text("trace"),
                              caseFolder("rnn-bahdanau-gru"),
                              text("--source-ids"),
                              text("5,9,30,11"),
                              text("--target-ids"),
                              text("4,8,3"),
                              text("--scores"),
                              text("--output"),
                              output()};
        for (const QString& spec : specs)
            arguments << text("--edit") << spec;
        return runProgram(arguments);
    }

    QJsonObject traced(const QStringList& specs) const
    {
        const CommandResult result = trace(specs);
        if (result.status != 0)
            qWarning("%s", result.errors.constData());
        return QJsonDocument::fromJson(read(output())).object();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestCliEdit)

#include "tst_cli_edit.moc"
