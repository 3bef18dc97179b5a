// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "trace/archive.h"
#include "trace/trace_builder.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

using namespace attn::test;

namespace {

#ifdef ATTN_WITH_UI
constexpr bool drawsFigures = true;
#else
constexpr bool drawsFigures = false;
#endif

} // namespace

class TestCliHeads : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void theTableHasALineForEachHead()
    {
        const CommandResult result = run(ids(), "x.csv");
        QCOMPARE(result.errors, QByteArray());
        QCOMPARE(result.status, 0);
        const QList<QByteArray> lines = read(path("x.csv")).trimmed().split('\n');
        QCOMPARE(
            lines[0],
            QByteArray("stage,layer,head,rows,entropy,evenness,largest,distance,previous,self,next,first,special"));
        QCOMPARE(lines.size(), 1 + heads);
        QVERIFY(lines[1].startsWith("encoder,0,0,8,"));
        QVERIFY(lines[1 + encoderHeads].startsWith("decoder,0,0,"));
        QVERIFY(lines[heads].startsWith("cross,0,"));
        const QList<QByteArray> cross = lines[heads].split(',');
        QCOMPARE(cross.size(), 13);
        QVERIFY(cross[7].isEmpty() && cross[8].isEmpty() && cross[9].isEmpty() && cross[10].isEmpty());
        QVERIFY(cross[4].size() >= 8 && cross[4].toDouble() > 0); // at least seven digits
    }

    void bothFormsSayTheSame()
    {
        QCOMPARE(run(ids() + QStringList{text("--ablate")}, "x.csv").status, 0);
        QCOMPARE(run(ids() + QStringList{text("--ablate")}, "x.json").status, 0);
        const QList<QByteArray> lines = read(path("x.csv")).trimmed().split('\n');
        const QJsonArray rows = QJsonDocument::fromJson(read(path("x.json"))).array();
        QCOMPARE(rows.size(), lines.size() - 1);
        const QList<QByteArray> names = lines[0].split(',');
        QVERIFY(lines[0].endsWith(",kl,delta_logprob"));
        for (int row = 0; row < rows.size(); ++row) {
            const QList<QByteArray> fields = lines[row + 1].split(',');
            const QJsonObject object = rows[row].toObject();
            QCOMPARE(object.size(), names.size());
            QCOMPARE(object[text("stage")].toString().toUtf8(), fields[0]);
            for (int column = 1; column < names.size(); ++column) {
                const QJsonValue value = object[QString::fromUtf8(names[column])];
                QCOMPARE(value.isNull(), fields[column].isEmpty());
                QVERIFY(value.isNull() || std::abs(value.toDouble() - fields[column].toDouble()) < 1e-7);
            }
            QVERIFY(object[text("kl")].toDouble() > 0);
        }
    }

    void whatAnEditDoesAlreadyIsNotLostAgain()
    {
        QCOMPARE(run(ids() + QStringList{text("--ablate"), text("--edit"), text("encoder:0:1=zero")}, "x.json").status,
                 0);
        const QJsonObject off = QJsonDocument::fromJson(read(path("x.json")))[1].toObject();
        QCOMPARE(off[text("kl")].toDouble(-1), 0.0);
        QCOMPARE(off[text("delta_logprob")].toDouble(-1), 0.0);
        QCOMPARE(off[text("rows")].toInt(-1), 0); // all its weights are
        QVERIFY(off[text("entropy")].isNull());
    }

    void theFigureOfAllHeadsSaysTheSame()
    {
        if (!drawsFigures)
            QSKIP("built without figures");
        QCOMPARE(run(ids() + QStringList{text("--ablate")}, "x.json").status, 0);
        const QJsonArray rows = QJsonDocument::fromJson(read(path("x.json"))).array();
        for (const char* measure : {"evenness", "largest", "first"}) {
            const QStringList how{text("figure"),  model(),        text("--view"), text("grid"),     text("--site"),
                                  text("encoder"), text("--sort"), text(measure),  text("--output"), path("x.svg")};
            const CommandResult result = runProgram(how + ids());
            QVERIFY2(result.status == 0, result.errors.constData());
            const QSet<QString> texts = textsOf(read(path("x.svg")));
            for (int head = 0; head < encoderHeads; ++head) {
                const double value = rows[head].toObject()[text(measure)].toDouble();
                QVERIFY2(texts.contains(QString::number(value, 'f', 2)), qPrintable(QString::number(value)));
            }
        }
        // What the model was run again for.
        const QStringList ablated{text("figure"),  model(),        text("--view"), text("grid"),     text("--site"),
                                  text("encoder"), text("--sort"), text("kl"),     text("--output"), path("y.svg")};
        QCOMPARE(runProgram(ablated + ids()).status, 0);
        const QSet<QString> texts = textsOf(read(path("y.svg")));
        double most = 0;
        for (int head = 0; head < encoderHeads; ++head)
            most = std::max(most, rows[head].toObject()[text("kl")].toDouble());
        QVERIFY(std::any_of(texts.begin(), texts.end(), [most](const QString& written) {
            return written.toDouble() > 0 && std::abs(written.toDouble() - most) < 0.01 * most;
        }));
    }

    void aSetOfHeadsIsPickedByNumber()
    {
        if (!drawsFigures)
            QSKIP("built without figures");
        const auto draw = [&](const char* picked) {
            return runProgram(QStringList{text("figure"), model(), text("--site"), text("encoder:0:mean"),
                                          text("--heads"), text(picked), text("--output"), path("x.svg")}
                              + ids());
        };
        QCOMPARE(draw("0,1").status, 0);
        QCOMPARE(draw("1,1:0").status, 0);
        for (const char* wrong : {"2", "0,7:0", "1:9", "a", "", "-1", "0,,1"}) {
            const CommandResult result = draw(wrong);
            QCOMPARE(result.status, 2);
            QVERIFY2(result.hasOneErrorLine() && result.errors.contains("--heads"), result.errors.constData());
        }
    }

    void anArchiveHasItsHeadsToo()
    {
        const QString archive = path("run.npz");
        QCOMPARE(runProgram(QStringList{text("trace"), model()} + ids()
                            + QStringList{text("--scores"), text("--output"), archive})
                     .status,
                 0);
        QCOMPARE(run(ids(), "x.csv").status, 0);
        QCOMPARE(runProgram({text("heads"), archive, text("--output"), path("y.csv")}).status, 0);
        const QList<QByteArray> found = read(path("y.csv")).trimmed().split('\n');
        const QList<QByteArray> expected = read(path("x.csv")).trimmed().split('\n');
        QCOMPARE(found.size(), expected.size());
        QCOMPARE(found[1].split(',')[4], expected[1].split(',')[4]);
    }

    // No measure is made up of weights that are no numbers; the other head has its own.
    void aHeadWithoutNumbersHasNoMeasures_data()
    {
        QTest::addColumn<float>("weight");
        QTest::newRow("NaN") << std::numeric_limits<float>::quiet_NaN();
        QTest::newRow("infinite") << std::numeric_limits<float>::infinity();
        QTest::newRow("minus infinite") << -std::numeric_limits<float>::infinity();
    }
    void aHeadWithoutNumbersHasNoMeasures()
    {
        QFETCH(const float, weight);
        attn::Provenance provenance;
        provenance.kind = attn::ModelKind::EncoderOnly;
        attn::TraceBuilder builder(attn::plainEncoding({5, 6}), nullptr, provenance);
        builder.begun(std::vector<attn::TokenId>{5, 6}, {});
        const std::vector<float> weights{0.5F, 0.5F, 1, weight, 0.25F, 0.75F, 0.5F, 0.5F};
        builder.attention({{attn::Stage::Encoder, 0}, 0, 0, {weights.data(), 2, 2, 2}, {}});
        builder.finished({});
        const QString archive = path("run.npz");
        attn::writeArchive(archive.toStdString(), builder.snapshot());
        for (const char* file : {"x.csv", "x.json"}) {
            const CommandResult result = runProgram({text("heads"), archive, text("--output"), path(file)});
            QVERIFY2(result.status == 0, result.errors.constData());
        }
        const QList<QByteArray> lines = read(path("x.csv")).trimmed().split('\n');
        const QJsonArray rows = QJsonDocument::fromJson(read(path("x.json"))).array();
        const QList<QByteArray> names = lines[0].split(',');
        QCOMPARE(lines[1], QByteArray("encoder,0,0,2") + QByteArray(names.size() - 4, ','));
        QVERIFY(std::abs(lines[2].split(',').at(6).toDouble() - 0.625) < 1e-6); // the largest weight
        for (int column = 4; column < names.size(); ++column) {
            QVERIFY(rows[0].toObject()[QString::fromUtf8(names[column])].isNull());
            QVERIFY(rows[1].toObject()[QString::fromUtf8(names[column])].isDouble());
        }
    }

    void linesAreReadTogether()
    {
        const QString lines = path("lines.txt");
        write(lines, "I am not deaf.\nShe will come back.\n");
        const QStringList arguments{text("heads"), text("transformer-en-fr"), text("--lines"),
                                    lines,         text("--output"),          path("x.json")};
        QCOMPARE(runProgram(arguments).status, 0);
        const int together = QJsonDocument::fromJson(read(path("x.json")))[0][text("rows")].toInt();
        int alone = 0;
        for (const char* sentence : {"I am not deaf.", "She will come back."}) {
            QCOMPARE(runProgram({text("heads"), text("transformer-en-fr"), text("--text"), text(sentence),
                                 text("--output"), path("y.json")})
                         .status,
                     0);
            alone += QJsonDocument::fromJson(read(path("y.json")))[0][text("rows")].toInt();
        }
        QVERIFY(alone > 0);
        QCOMPARE(together, alone);
    }

    // With .jsonl each line by itself, also after an interruption.
    void linesHaveTablesOfTheirOwn()
    {
        const QString lines = path("lines.txt");
        write(lines, "I am not deaf.\n" + QByteArray("deaf ").repeated(600) + "\nShe will come back.\n");
        const QStringList line{text("heads"), text("transformer-en-fr"), text("--ablate"), text("--lines"),
                               lines,         text("--output"),          path("x.jsonl")};
        const CommandResult whole = runProgram(line);
        QCOMPARE(whole.status, 1);
        const QByteArray written = read(path("x.jsonl"));
        const QList<QByteArray> objects = written.trimmed().split('\n');
        QCOMPARE(objects.size(), 3);
        QVERIFY(QJsonDocument::fromJson(objects[1])[text("error")].isString());
        const QJsonObject last = QJsonDocument::fromJson(objects[2]).object();
        QCOMPARE(last[text("source")].toString(), text("She will come back."));
        QCOMPARE(runProgram({text("heads"), text("transformer-en-fr"), text("--ablate"), text("--text"),
                             text("She will come back."), text("--output"), path("y.json")})
                     .status,
                 0);
        QCOMPARE(last[text("heads")].toArray(), QJsonDocument::fromJson(read(path("y.json"))).array());

        QFile::remove(path("x.jsonl"));
        QCOMPARE(runWithRoom(line, objects[0].size() + 3).status, 1);
        QVERIFY(QFile::exists(path("x.jsonl.part")));
        QCOMPARE(runProgram(line + QStringList{text("--resume")}).status, 1);
        QCOMPARE(read(path("x.jsonl")), written);
    }

    void aLineThatFailsIsSaidAndTheRestIsWritten()
    {
        const QString lines = path("lines.txt");
        write(lines, "I am not deaf.\n" + QByteArray("deaf ").repeated(600) + "\n");
        const CommandResult result = runProgram(
            {text("heads"), text("transformer-en-fr"), text("--lines"), lines, text("--output"), path("x.csv")});
        QCOMPARE(result.status, 1);
        QVERIFY(result.errors.contains("line 2"));
        QVERIFY(read(path("x.csv")).count('\n') > 2);
    }

    void wrongUsage_data()
    {
        addColumns<QStringList, int>("arguments", "status");
        const QStringList input = ids();
        QTest::newRow("no input") << QStringList{text("--output"), text("x.csv")} << 2;
        QTest::newRow("ending") << input + QStringList{text("--output"), text("x.txt")} << 2;
        QTest::newRow("lines and text") << input
                + QStringList{text("--lines"), text("l.txt"), text("--output"), text("x.csv")}
                                        << 2;
        QTest::newRow("a line each of one text") << input + QStringList{text("--output"), text("x.jsonl")} << 2;
        QTest::newRow("resumed table") << input + QStringList{text("--resume"), text("--output"), text("x.csv")} << 2;
        QTest::newRow("no such head") << input
                + QStringList{text("--edit"), text("encoder:0:99=zero"), text("--output"), text("x.csv")}
                                      << 2;
        QTest::newRow("no such position") << input
                + QStringList{text("--ablate"), text("--edit"), text("source:99=hide"), text("--output"), text("x.csv")}
                                          << 2;
        QTest::newRow("no such file") << QStringList{text("--lines"), text("/nowhere"), text("--output"), text("x.csv")}
                                      << 1;
    }
    void wrongUsage()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, status);
        write(path("x.csv"), "as it was");
        QStringList given{text("heads"), model()};
        for (const QString& argument : arguments)
            given << (argument == text("x.csv") ? path("x.csv") : argument);
        const CommandResult result = runProgram(given);
        QCOMPARE(result.status, status);
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        QCOMPARE(read(path("x.csv")), QByteArray("as it was"));
    }

    void anArchiveIsNotRunAgain()
    {
        const QString archive = path("run.npz");
        QCOMPARE(
            runProgram(QStringList{text("trace"), model()} + ids() + QStringList{text("--output"), archive}).status, 0);
        const CommandResult result =
            runProgram({text("heads"), archive, text("--ablate"), text("--output"), path("x.csv")});
        QCOMPARE(result.status, 2);
        QVERIFY(result.hasOneErrorLine());
        if (!drawsFigures)
            return;
        const CommandResult figure = runProgram({text("figure"), archive, text("--view"), text("grid"), text("--sort"),
                                                 text("kl"), text("--output"), path("x.svg")});
        QCOMPARE(figure.status, 2);
        QVERIFY(figure.hasOneErrorLine());
    }

private:
    static constexpr int encoderHeads = 4; // of marian-relu: two layers of two
    static constexpr int heads = 8; // and a decoder layer with cross attention

    static QString model() { return caseFolder("marian-relu"); }
    static QStringList ids()
    {
        return {text("--source-ids"), text("105,49,24,101,116,9,117,0"), text("--target-ids"),
                text("14,38,35,53,95,14,32,0")};
    }
    QString path(const char* file) const { return m_folder->filePath(QLatin1String(file)); }
    CommandResult run(const QStringList& input, const char* output) const
    {
        return runProgram(QStringList{text("heads"), model()} + input + QStringList{text("--output"), path(output)});
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestCliHeads)
#include "tst_cli_heads.moc"
