// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace attn::test;

namespace {

QString utf16(const char* text)
{
    return QString::fromUtf8(text);
}

} // namespace

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
            const QByteArray plain = drawn({utf16("--view"), utf16(view)});
            const QByteArray other =
                drawn({utf16("--view"), utf16(view), utf16("--against-edit"), utf16("cross:0:0:1=uniform")});
            QVERIFY2(!plain.isEmpty() && !other.isEmpty() && plain != other, view);
            QVERIFY2(other.contains("cross:0:0:1=uniform") && other.contains("minus"), view);
        }
    }

    void anArchiveIsCompared()
    {
        const QString archive = m_folder->filePath(utf16("other.npz"));
        const CommandResult traced = runProgram(QStringList{utf16("trace"), caseFolder("rnn-bahdanau-gru")}
                                                << utf16("--source-ids") << utf16("5,9,30,11") << utf16("--target-ids")
                                                << utf16("4,7,3") << utf16("--output") << archive);
        QVERIFY2(traced.status == 0, traced.errors.constData());
        const QByteArray figure = drawn({utf16("--against"), archive});
        QVERIFY(figure.contains("minus"));
        // Both orders; an archive against a model and against itself.
        const CommandResult swapped = runProgram({utf16("figure"), archive, utf16("--against"), archive,
                                                  utf16("--output"), m_folder->filePath(utf16("same.svg"))});
        QVERIFY2(swapped.status == 0, swapped.errors.constData());
        QVERIFY(drawn({utf16("--against"), archive, utf16("--pairing"), utf16("position")}) != figure);
    }

    void whatCannotBeComparedEndsWithTwo_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("named");
        QTest::newRow("both") << QStringList{utf16("--against"), utf16("a.npz"), utf16("--against-edit"),
                                             utf16("cross=zero")}
                              << QByteArray("--against");
        QTest::newRow("no archive") << QStringList{utf16("--against"), utf16("a.txt")} << QByteArray("--against");
        QTest::newRow("no edit") << QStringList{utf16("--against-edit"), utf16("nonsense")}
                                 << QByteArray("--against-edit");
        QTest::newRow("no such head") << QStringList{utf16("--against-edit"), utf16("cross:0:99=zero")}
                                      << QByteArray("--against-edit");
        QTest::newRow("pairing") << QStringList{utf16("--pairing"), utf16("nonsense")} << QByteArray("--pairing");
        QTest::newRow("positions") << QStringList{utf16("--view"), utf16("positional"), utf16("--against-edit"),
                                                  utf16("cross=zero")}
                                   << QByteArray("--against");
        QTest::newRow("beam tree") << QStringList{utf16("--view"), utf16("beam"), utf16("--against-edit"),
                                                  utf16("cross=zero")}
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
        const CommandResult result = run({utf16("--against"), m_folder->filePath(utf16("none.npz"))});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains("none.npz"), result.errors.constData());
        QVERIFY(!QFile::exists(output()));
    }

private:
    QString output() const { return m_folder->filePath(utf16("figure.svg")); }

    CommandResult run(const QStringList& options) const
    {
        return runProgram(QStringList{utf16("figure"), caseFolder("rnn-bahdanau-gru"), utf16("--source-ids"),
                                      utf16("5,9,30,11"), utf16("--target-ids"), utf16("4,8,3"), utf16("--output"),
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

QTEST_GUILESS_MAIN(TestCliDifference)

#include "tst_cli_difference.moc"
