// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_runner.h"
#include "support/memory_used.h"
#include "support/sanitizers.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <csignal>
#include <memory>
#include <sys/resource.h>

using namespace attn::test;

namespace {

// Figures of two runs with one thread.
CommandResult benchModel(const QString& model, const char* options)
{
    return runProgram(words("bench model --runs 2 --threads 1") + words(options) + QStringList{model});
}

QJsonObject figuresOf(const QString& model, const char* options)
{
    const CommandResult result = benchModel(model, options);
    return result.status == 0 ? QJsonDocument::fromJson(result.output).object() : QJsonObject();
}

double median(const QJsonObject& figures, const char* timing)
{
    return figures[text(timing)].toObject()[text("median")].toDouble();
}

} // namespace

// `bench model`, whose shapes are written to the folder of temporary files.
class TestCliBench : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_temporary;

    QStringList left() const { return QDir(m_temporary->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot); }

    // Of more than a gigabyte, which is being written.
    void startLarge(QProcess& process) const
    {
        process.setChildProcessModifier([] {
            ::signal(SIGHUP, SIG_DFL); // nobody holds on to this test
            const rlimit none{};
            ::setrlimit(RLIMIT_CORE, &none);
        });
        process.start(QStringLiteral(ATTN_PROGRAM), words("bench model bert-large"));
        QTRY_VERIFY(!left().isEmpty());
        const QDir folder(m_temporary->filePath(left().constFirst()));
        QTRY_VERIFY(!folder.entryList({text(".model*")}, QDir::Files | QDir::Hidden).isEmpty());
    }

private Q_SLOTS:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        QVERIFY(m_temporary->isValid());
        qputenv("TMPDIR", m_temporary->path().toLocal8Bit());
    }
    void cleanup() { qunsetenv("TMPDIR"); }

    void theTableFitsATerminal_data()
    {
        addColumns<QString, QStringList>("model", "rows");
        const QStringList all{text("load "), text("first run "), text("warm run "), text("products, "),
                              text("peak memory ")};
        const QStringList steps{text("each of its 3 steps "), text("weights read by a step ")};
        QTest::newRow("encoder-only") << caseFolder("bert-mlm") << all;
        QTest::newRow("decoder-only") << caseFolder("gpt2-plain") << all + steps + QStringList{text("its prompt ")};
        QTest::newRow("encoder-decoder") << caseFolder("marian-relu")
                                         << all + steps + QStringList{text("its encoder ")};
    }
    void theTableFitsATerminal()
    {
        QFETCH(const QString, model);
        QFETCH(const QStringList, rows);
        const CommandResult result = benchModel(model, "--tokens 4 --steps 3");
        QCOMPARE(result.status, 0);
        const QString table = text(result.output);
        for (const QString& row : rows)
            QVERIFY2(table.contains(u'\n' + row), qPrintable(row + u'\n' + table));
        for (const QString& line : table.split(u'\n').mid(1))
            QVERIFY2(line.size() <= 100, qPrintable(line));
    }

    // Its output may end with none of its end tokens.
    void everyStepIsTimed()
    {
        const QJsonObject figures = figuresOf(caseFolder("marian-relu"), "--tokens 4 --steps 17 --json");
        QCOMPARE(figures[text("steps_ms")].toArray().size(), 17);
        QCOMPARE(figures[text("step_ms")].toObject()[text("values")].toArray().size(), 2 * 17);
        const double steps = median(figures, "step_ms") * 17;
        QVERIFY(steps < 3 * median(figures, "run_ms"));
        QVERIFY(median(figures, "input_ms") < median(figures, "run_ms"));
        QVERIFY(figures[text("bandwidth_share")].toDouble() > 0);
        QVERIFY(figures[text("peak_memory_bytes")].toDouble() > 1e6);
    }

    // Of a shape: 4 products of width by width, two of width by 4 widths, and two n by n by width; then the same again.
    void theProductsAreThoseOfTheShape()
    {
        const QJsonObject figures = figuresOf(text("bert-tiny"), "--tokens 100 --json");
        constexpr double width = 128;
        constexpr double layer = 100 * (4 * width * width + 2 * width * 4 * width) + 2 * 100 * 100 * width;
        QCOMPARE(figures[text("input_flop")].toDouble(), 2 * 2 * layer);
        QVERIFY(figures[text("product_share")].toDouble() > 0);
        QVERIFY(!figures.contains(text("step_ms")));
        QCOMPARE(left(), QStringList());
    }

    void aCaptureIsPaidFor()
    {
        if (hasAddressSanitizer())
            QSKIP("AddressSanitizer keeps what was given back");
        const auto peakOf = [](const char* options) {
            return figuresOf(text("bert-tiny"), options)[text("peak_memory_bytes")].toDouble();
        };
        const double nothing = peakOf("--json --tokens 512 --capture none");
        const double maps = 2 * 2 * 512 * 512 * sizeof(float);
        QVERIFY(nothing > 0);
        QVERIFY(peakOf("--json --tokens 512 --capture all") > nothing + maps);
    }

    // Layers grow with n, attention with its square.
    void growthIsThatOfTheProducts()
    {
        const QString file = m_temporary->filePath(text("growth.svg"));
        QStringList line = words("bench growth bert-tiny --from 16 --to 100 --runs 2 --threads 1 --json");
#ifdef ATTN_WITH_UI
        line += QStringList{text("--output"), file};
#endif
        const CommandResult result = runProgram(line);
        QCOMPARE(result.status, 0);
        const QJsonArray lengths = QJsonDocument::fromJson(result.output).object()[text("lengths")].toArray();
        QCOMPARE(lengths.size(), 3);
        for (int i = 0; i < 3; ++i) {
            const QJsonObject length = lengths[i].toObject();
            const double tokens = 16 << i;
            QCOMPARE(length[text("tokens")].toDouble(), tokens);
            QCOMPARE(length[text("flop_of_squares")].toDouble(), 2 * 2 * (2 * tokens * tokens * 128));
            QVERIFY(length[text("lower_ms")].toDouble() <= length[text("median_ms")].toDouble());
            QVERIFY(length[text("peak_ms")].toDouble() > 0);
        }
#ifdef ATTN_WITH_UI
        const QByteArray drawn = read(file);
        QVERIFY(drawn.contains(">64<") && drawn.contains("measured, with quartiles"));
#endif
    }

    void theFigureOfGrowthIsADrawing()
    {
#ifdef ATTN_WITH_UI
        for (const char* file : {"x.txt", "x.npz"}) {
            const CommandResult refused = runProgram(words("bench growth bert-tiny --output") + words(file));
            QCOMPARE(refused.status, 2);
            QVERIFY(refused.hasOneErrorLine());
        }
#else
        QSKIP("built without the window");
#endif
    }

    void framesOfTheWindow()
    {
#ifdef ATTN_WITH_UI
        const CommandResult result = runProgram(words("bench ui heatmap-512 --frames 5 --json"));
        QVERIFY2(result.status == 0, result.errors);
        const QJsonArray timings = QJsonDocument::fromJson(result.output).object()[text("timings")].toArray();
        QStringList gestures;
        for (const QJsonValue& timing : timings) {
            gestures << timing[text("what")].toString();
            QCOMPARE(timing[text("scene")].toString(), text("heatmap-512"));
            QCOMPARE(timing[text("values")].toArray().size(), timing[text("times")].toInt());
            QVERIFY(timing[text("times")].toInt() > 0 && timing[text("median_ms")].toDouble() > 0);
            QVERIFY(timing[text("p99_ms")].toDouble() <= timing[text("most_ms")].toDouble());
            QVERIFY(timing[text("median_ms")].toDouble() <= timing[text("p99_ms")].toDouble());
        }
        QCOMPARE(gestures, words("open zoom pan hover"));
        QCOMPARE(left().filter(text("attnscope"), Qt::CaseInsensitive), QStringList()); // others are Qt's own
        QCOMPARE(runProgram(words("bench ui nothing")).status, 2);
#else
        QSKIP("built without the window");
#endif
    }

    void whatCannotBeMeasuredIsRefused()
    {
        const CommandResult unknown = benchModel(text("bert-huge"), "");
        QCOMPARE(unknown.status, 1);
        QVERIFY(unknown.hasOneErrorLine());
        QVERIFY2(unknown.errors.contains("bert-base, ") && unknown.errors.contains("rnnsearch-1000"), unknown.errors);
        for (const char* options : {"--tokens 513", "--tokens 0", "--capture some", "--steps 0", "--precision f8"}) {
            const CommandResult refused = benchModel(text("bert-tiny"), options);
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.hasOneErrorLine(), refused.errors);
        }
        QCOMPARE(left(), QStringList());
    }

    void anInterruptedOneLeavesNothing_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("ended") << SIGTERM;
        QTest::newRow("hung up") << SIGHUP;
    }
    void anInterruptedOneLeavesNothing()
    {
        QFETCH(const int, signal);
        QProcess process;
        startLarge(process);
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        QCOMPARE(left(), QStringList());
    }
};

ATTN_TEST(TestCliBench)
#include "tst_cli_bench.moc"
