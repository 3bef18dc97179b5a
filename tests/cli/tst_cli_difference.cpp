// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace attn::test;

// figure --against and --against-edit.
class TestCliDifference : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void anEditIsComparedInEveryView()
    {
        for (const char* view : {"heatmap", "grid", "arcs", "decoding"}) {
            const QByteArray plain = drawn({text("--view"), text(view)});
            const QByteArray other =
                drawn({text("--view"), text(view), text("--against-edit"), text("cross:0:0:1=uniform")});
            QVERIFY2(!plain.isEmpty() && !other.isEmpty() && plain != other, view);
            QVERIFY2(other.contains("cross:0:0:1=uniform") && other.contains("minus"), view);
        }
    }

    void anArchiveIsCompared()
    {
        const QString archive = m_folder->filePath(text("other.npz"));
        const CommandResult traced = runProgram(QStringList{text("trace"), caseFolder("rnn-bahdanau-gru")}
                                                << text("--source-ids") << text("5,9,30,11") << text("--target-ids")
                                                << text("4,7,3") << text("--output") << archive);
        QVERIFY2(traced.status == 0, traced.errors.constData());
        const QByteArray figure = drawn({text("--against"), archive});
        QVERIFY(figure.contains("minus"));
        // Both orders; an archive against a model and against itself.
        const CommandResult swapped = runProgram({text("figure"), archive, text("--against"), archive, text("--output"),
                                                  m_folder->filePath(text("same.svg"))});
        QVERIFY2(swapped.status == 0, swapped.errors.constData());
        QVERIFY(drawn({text("--against"), archive, text("--pairing"), text("position")}) != figure);
    }

    void whatCannotBeComparedEndsWithTwo_data()
    {
        addColumns<QStringList, QByteArray>("options", "named");
        QTest::newRow("both") << QStringList{text("--against"), text("a.npz"), text("--against-edit"),
                                             text("cross=zero")}
                              << QByteArray("--against");
        QTest::newRow("no archive") << QStringList{text("--against"), text("a.txt")} << QByteArray("--against");
        QTest::newRow("no edit") << QStringList{text("--against-edit"), text("nonsense")}
                                 << QByteArray("--against-edit");
        QTest::newRow("no such head") << QStringList{text("--against-edit"), text("cross:0:99=zero")}
                                      << QByteArray("--against-edit");
        QTest::newRow("pairing") << QStringList{text("--pairing"), text("nonsense")} << QByteArray("--pairing");
        QTest::newRow("positions") << QStringList{text("--view"), text("positional"), text("--against-edit"),
                                                  text("cross=zero")}
                                   << QByteArray("--against");
        QTest::newRow("beam tree") << QStringList{text("--view"), text("beam"), text("--against-edit"),
                                                  text("cross=zero")}
                                   << QByteArray("--against");
    }
    void whatCannotBeComparedEndsWithTwo()
    {
        QFETCH(const QStringList, options);
        QFETCH(const QByteArray, named);
        const CommandResult result = run(options);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains(named), result.errors.constData());
        QVERIFY(!QFile::exists(output()));
    }

    void anArchiveThatIsNotThereEndsWithOne()
    {
        const CommandResult result = run({text("--against"), m_folder->filePath(text("none.npz"))});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains("none.npz"), result.errors.constData());
        QVERIFY(!QFile::exists(output()));
    }

private:
    QString output() const { return m_folder->filePath(text("figure.svg")); }

    CommandResult run(const QStringList& options) const
    {
        return runProgram(QStringList{text("figure"), caseFolder("rnn-bahdanau-gru"), text("--source-ids"),
                                      text("5,9,30,11"), text("--target-ids"), text("4,8,3"), text("--output"),
                                      output()}
                          << options);
    }

    QByteArray drawn(const QStringList& options) const
    {
        const CommandResult result = run(options);
        QFile file(output());
        if (result.status != 0 || !file.open(QIODevice::ReadOnly)) {
            qWarning("%s", result.errors.constData());
            return {};
        }
        return file.readAll();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestCliDifference)

#include "tst_cli_difference.moc"
