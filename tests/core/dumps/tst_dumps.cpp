// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "dumps/attention_file.h"
#include "io/json.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>

using namespace attn;

namespace {

QDir fixtures()
{
    return QDir(QStringLiteral(ATTN_TEST_DATA "/dumps"));
}

// As tests/data/dumps/make.py writes them.
QStringList fixtureNames()
{
    QStringList names = QDir(fixtures().filePath(QStringLiteral("expected"))).entryList({QStringLiteral("*.json")});
    for (QString& name : names)
        name.chop(5);
    return names;
}

QByteArray contentOf(const QString& name)
{
    QFile file(fixtures().filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void compareMaps(const Trace& found, const Trace& expected)
{
    QVERIFY(found.sites() == expected.sites());
    for (const Site& site : expected.sites()) {
        QCOMPARE(found.heads(site), expected.heads(site));
        for (int head = 0; head < expected.heads(site); ++head) {
            const Numbers one = found.matrix(site, head);
            const Numbers other = expected.matrix(site, head);
            QCOMPARE(one.rows, other.rows);
            QCOMPARE(one.columns, other.columns);
            QVERIFY(std::ranges::equal(one.values, other.values,
                                       [](float a, float b) { return std::abs(a - b) <= 1e-6F; }));
        }
    }
}

// Text of every sentence that a reader makes of bytes, or its error.
std::string answerTo(const QByteArray& bytes, const std::string& name)
{
    try {
        const AttentionFile file = openAttentionFile(std::as_bytes(std::span(bytes)), name);
        for (std::size_t i = 0; i < file.size; ++i)
            (void)archiveBytes(file.trace(i));
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace

class TestDumps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachProducersFileIsTheArchiveThatItShouldBe_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString& name : fixtureNames())
            QTest::newRow(qPrintable(name)) << name;
        QVERIFY(fixtureNames().size() > 20);
    }
    void eachProducersFileIsTheArchiveThatItShouldBe()
    {
        QFETCH(QString, name);
        const std::string path = fixtures().filePath(name).toStdString();
        const std::string expected = fixtures().filePath(QStringLiteral("expected/%1.json").arg(name)).toStdString();
        QVERIFY(isAttentionFile(path));
        const AttentionFile file = openAttentionFile(path);
        QCOMPARE(file.size, readJson(expected)["sentences"].get<std::size_t>());
        const Trace found = file.trace(file.size - 1);
        const Trace wanted = readArchive(expected);
        QCOMPARE(found.kind(), wanted.kind());
        QCOMPARE(found.source().tokens, wanted.source().tokens);
        QCOMPARE(found.source().special, wanted.source().special);
        QCOMPARE(found.source().segments, wanted.source().segments);
        QCOMPARE(found.target().tokens, wanted.target().tokens);
        compareMaps(found, wanted);
    }

    // Layers that were not probed are not counted: the file's name says which they are.
    void probedLayersAreNamed()
    {
        for (const char* name : {"qk.pt", "probe.safetensors"}) {
            const Trace trace = readAttentionFile(fixtures().filePath(QString::fromLatin1(name)).toStdString());
            QVERIFY(trace.provenance().model.ends_with("(layers 5)"));
        }
        const Trace hooks = readAttentionFile(fixtures().filePath(QStringLiteral("hooks.safetensors")).toStdString());
        QVERIFY(hooks.provenance().model.ends_with("(layers 3, 7)"));
    }

    // Whatever their size, other files are not taken for dumps.
    void checkpointsAndTextsAreNone()
    {
        for (const char* other :
             {"torch/state_dict.bin", "torch/legacy.bin", "cases/bert-mlm/model.safetensors", "dumps/make.py"})
            QVERIFY2(!isAttentionFile(std::string(ATTN_TEST_DATA "/") + other), other);
    }

    void whatIsNoneSaysWhatItIsAndWhatIsRead()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"layers": [[1]], "words": "a"})");
        file.close();
        try {
            (void)openAttentionFile(path.toStdString());
            QFAIL("it is read");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Format);
            QVERIFY(error.problem().find("\"layers\", \"words\"") != std::string::npos);
            QVERIFY(error.advice().find("Whisper") != std::string::npos);
        }
    }

    void whatIsWrongInOneIsSaid_data()
    {
        test::addColumns<QByteArray, QString>("content", "said");
        const auto row = [](const char* content, const char* said) {
            QTest::newRow(said) << QByteArray(content) << QString::fromLatin1(said);
        };
        row(R"({"tokens": ["a"], "attention_indices": [1], "attention_values": [1.0]})", "attention_indices");
        row(R"({"tokens": ["a"], "attention_indices": [0], "attention_values": []})", "attention_values");
        row(R"({"tokens": ["a"], "attention_indices": [], "attention_values": [], "seq_len": 9})", "seq_len");
        row(R"({"sequences": [], "attention_indices": 0})", "no sentence");
        row("<div id=\"circuits-vis-1\"><script>render(x, AttentionHeads, {\"tokens\": [\"a\"], \"attention\": [[1, "
            "2]]})",
            "names 1 tokens for maps of 2 columns");
        row("<div id=\"circuits-vis-1\"><script>render(x, AttentionHeads, {\"tokens\": [\"a\"]",
            "ends inside its data");
        row("<div id=\"circuits-vis-1\"><script>render(x, Hello, {})", "shows no attention");
        row("<div id=\"bertviz-1\"><script>params = {\"attention\": [7]}", "attention");
        row("<div id=\"bertviz-1\"><script>", "without its data");
        row(R"({"sequence_attributions": [{"source": ["a"], "target": ["b"], "source_attributions": "!!"}]})",
            "base64");
        row(R"({"sequence_attributions": [{"source": ["a"], "target": ["b"], "source_attributions":)"
            R"( {"__ndarray__": "b64.gz:AAAA", "dtype": "float32", "shape": [9, 9]}}]})",
            "does not unpack");
        row(R"({"sequence_attributions": [{"source": ["a"], "target": ["b"], "source_attributions":)"
            R"( {"__ndarray__": "b64:AAAA", "dtype": "float32", "shape": [16777216, 16777216, 16777216]}}]})",
            "shape");
        row(R"({"sequence_attributions": [{"target": ["b"], "target_attributions": [[[[[1]]]]]}]})", "shape");
        row(R"({"segments": [{"words": [{"word": "a", "start": -5, "end": 1}]}]})", "start");
        row(R"({"segments": [], "words": [], "start": 0, "end": 0})", "no words");
        row(",a,b\r\nx,1,2\r\ny,1", "line 3");
        row(",a,b\r\nx,1,2\r\ny,1,z", "line 3");
        row("0 ||| a ||| 0 ||| b ||| 1 ||| 1\n0.5 x\n", "line 2");
        row("0 ||| a ||| 0 ||| b ||| 1 ||| 1\n\n", "line 1");
        row("A-1\tx\n", "A-1");
        row("0-0 99999999999-1", "99999999999");
        row("\x93NUMPY\x01", "ends too early");
    }
    void whatIsWrongInOneIsSaid()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, said);
        const std::string answer = answerTo(content, "x");
        QVERIFY2(answer.find(said.toStdString()) != std::string::npos || (said.startsWith(u'9') && !answer.empty()),
                 answer.c_str());
    }

    // A file that was cut short or damaged ends in an answer.
    void damagedFilesAreAnswered()
    {
        for (const QString& name : fixtureNames()) {
            const QByteArray whole = contentOf(name);
            for (int step = 1; step < 24; ++step) {
                (void)answerTo(whole.left(whole.size() * step / 24), name.toStdString());
                QByteArray changed = whole;
                changed[changed.size() * step / 24] = static_cast<char>(step * 37);
                (void)answerTo(changed, name.toStdString());
            }
        }
    }
};

ATTN_TEST(TestDumps)

#include "tst_dumps.moc"
