// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "io/atomic_file.h"
#include "support/sanitizers.h"
#include "support/word_models.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <functional>
#include <linux/capability.h>
#include <memory>
#include <optional>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace attn::test;

namespace {

constexpr rlim_t mega = rlim_t{1} << 20U;

bool isThorough()
{
    return qEnvironmentVariableIsSet("ATTNSCOPE_THOROUGH");
}

// A run of the program. Seconds pass for it to end by itself.
struct Started
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    std::function<void()> before; // in the process, before it becomes the program
    int timeout = 60'000;
};

struct Ended
{
    bool byItself = false; // neither killed nor hanging
    int status = -1;
    QByteArray errors;

    // A failure that is told in a line with this in it. What goes before is progress, or what Qt has to say.
    bool says(const QByteArray& part) const
    {
        const QByteArray last = errors.trimmed().split('\n').last();
        return byItself && status == 1 && errors.endsWith('\n') && last.startsWith("attnscope: ")
            && last.contains(part);
    }
};

} // namespace

// Whatever the machine does to a run, what was there before stays, and a line says what happened.
class TestFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        m_models = m_folder->filePath(text("models"));
        for (const auto make : {recurrentModel, endlessModel, transformerModel})
            make(m_models);
        write("lines.txt", "s4 s5 s6\ns7 s8\ns9 s10 s11 s12\n");
        QVERIFY(QDir(m_folder->path()).mkdir(text("out")));
    }

    void aFullDiskLeavesTheOldFile_data() { rows(); }
    void aFullDiskLeavesTheOldFile()
    {
        QFETCH(QStringList, line);
        QFETCH(QString, output);
        write(output, "precious");
        for (const int room : {0, 40, -1}) {
            Started start;
            start.environment.insert(text("ATTN_DISK_ROOM"), QString::number(room));
            const Ended ended = run(line, preloaded(start));
            QVERIFY2(ended.says(QFileInfo(output).fileName().toUtf8()) && ended.says("disk is full"),
                     ended.errors.constData());
            QCOMPARE(read(path(output)), QByteArray("precious"));
            QFile::remove(path(output) + text(".part")); // of a batch, which can go on from there
            QCOMPARE(leftBeside(output), QStringList());
        }
    }

    void whatMayNotBeWrittenStays_data() { rows(); }
    void whatMayNotBeWrittenStays()
    {
        QFETCH(QStringList, line);
        QFETCH(QString, output);
        Started start;
        start.before = obeyPermissions;
        const QByteArray name = QFileInfo(output).fileName().toUtf8();
        write(output, "precious");
        QVERIFY(QFile::setPermissions(path(output), QFile::ReadOwner));
        QVERIFY2(run(line, start).says(name + ": cannot be written: Permission denied"), name);
        QCOMPARE(read(path(output)), QByteArray("precious"));

        QVERIFY(QFile::setPermissions(path(output), QFile::ReadOwner | QFile::WriteOwner));
        ::chmod(path(text("out")).toUtf8().constData(), 0555);
        const Ended folder = run(line, start);
        ::chmod(path(text("out")).toUtf8().constData(), 0755);
        QVERIFY2(folder.says(name) && folder.says("Permission denied"), folder.errors.constData());
        QCOMPARE(read(path(output)), QByteArray("precious"));
        QCOMPARE(leftBeside(output), QStringList());
    }

    void whatMayNotBeReadIsNamed_data()
    {
        QTest::addColumn<QString>("forbidden");
        for (const char* name : {"models/recurrent", "models/recurrent/config.json",
                                 "models/recurrent/model.safetensors", "models/recurrent/source.vocab"})
            QTest::newRow(name) << text(name);
    }
    void whatMayNotBeReadIsNamed()
    {
        QFETCH(QString, forbidden);
        Started start;
        start.before = obeyPermissions;
        ::chmod(path(forbidden).toUtf8().constData(), 0);
        const Ended ended = run({text("trace"), m_models + text("/recurrent"), text("--text"), text("s4 s5"),
                                 text("--output"), path(text("out/x.npz"))},
                                start);
        ::chmod(path(forbidden).toUtf8().constData(), 0755);
        QVERIFY2(ended.says(QFileInfo(forbidden).fileName().toUtf8()) && ended.says("ermission denied"),
                 ended.errors.constData());
        QVERIFY(!QFile::exists(path(text("out/x.npz"))));
    }

    // Before each change of a file that the program makes, until there are no more.
    void killedAnywhereLeavesTheOldOrTheNew_data() { rows(Of::Commands); }
    void killedAnywhereLeavesTheOldOrTheNew()
    {
        QFETCH(QStringList, line);
        QFETCH(QString, output);
        const Ended whole = run(line);
        QVERIFY2(whole.status == 0, whole.errors.constData());
        const QByteArray made = read(path(output));
        bool isEnded = false;
        int moments = 0;
        while (!isEnded) {
            write(output, "precious");
            Started start;
            start.environment.insert(text("ATTN_DIE_AT"), QString::number(++moments));
            const Ended ended = run(line, preloaded(start));
            isEnded = ended.byItself;
            const QByteArray now = read(path(output));
            QVERIFY2(now == "precious" || now == made, qPrintable(text("%1, moment %2").arg(output).arg(moments)));
            QVERIFY(!isEnded || now == made);
        }
        QVERIFY(moments > 3); // written, synced, renamed
        QCOMPARE(run(line).status, 0); // clears up
        const QStringList left = leftBeside(output);
        QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char(' '))));
    }

    // At moments of a clock: of loading, running and writing.
    void killedAtRandomLeavesTheOldOrTheNew()
    {
        const QStringList batch = {text("batch"),          text("recurrent"), text("--lines"),
                                   path(text("many.txt")), text("--output"),  path(text("out/x.jsonl")),
                                   text("--max-length"),   text("20")};
        write("many.txt", QByteArray("s4 s5 s6 s7 s8\n").repeated(isThorough() ? 400 : 40));
        QCOMPARE(run(batch).status, 0);
        const QByteArray made = read(path(text("out/x.jsonl")));
        QRandomGenerator random(7);
        const int kills = isThorough() ? 100 : 5;
        QFile::remove(path(text("out/x.jsonl")));
        for (int i = 0; i < kills; ++i) {
            QProcess program;
            program.setProcessEnvironment(environmentOf({}));
            program.start(text(ATTN_PROGRAM), QStringList(batch) << text("--resume"));
            QVERIFY(program.waitForStarted());
            program.waitForFinished(random.bounded(400));
            end(program);
            const QByteArray now = read(path(text("out/x.jsonl")));
            QVERIFY(now.isEmpty() || now == made);
            const QByteArray part = read(path(text("out/x.jsonl.part")));
            QVERIFY(made.startsWith(part)); // a torn line too
            if (!now.isEmpty())
                QFile::remove(path(text("out/x.jsonl")));
        }
        QCOMPARE(run(QStringList(batch) << text("--resume")).status, 0);
        QCOMPARE(read(path(text("out/x.jsonl"))), made);
        QCOMPARE(leftBeside(text("out/x.jsonl")), QStringList());
    }

#ifdef ATTN_WITH_UI
    // What the window keeps for the next start is whole, whenever it ends.
    void theWindowKilledAtRandomKeepsASession()
    {
        QRandomGenerator random(11);
        const int kills = isThorough() ? 100 : 2;
        int found = 0;
        for (int i = 0; i < kills; ++i) {
            const QString state = path(text("state%1").arg(i));
            Started start;
            start.environment.insert(text("XDG_STATE_HOME"), state);
            // Every other one at a change of a file, the others by the clock.
            if (i % 2 == 0)
                start.environment.insert(text("ATTN_DIE_AT"), QString::number(1 + random.bounded(12)));
            QProcess program;
            program.setProcessEnvironment(environmentOf(preloaded(start)));
            program.start(text(ATTN_PROGRAM), {text("recurrent"), text("--text"), text("s4 s5 s6")});
            QVERIFY(program.waitForStarted());
            program.waitForFinished(3500 + random.bounded(500));
            end(program);
            for (QDirIterator kept(state, {text("*.attnscope")}, QDir::Files, QDirIterator::Subdirectories);
                 kept.hasNext();) {
                const Ended info = run({text("info"), kept.next()});
                QVERIFY2(info.status == 0, info.errors.constData());
                ++found;
            }
        }
        if (isThorough())
            QVERIFY(found > 0);
    }
#endif

#ifdef ATTN_WITH_UI
    void aWindowWithoutItsThreadSaysSo()
    {
        Started start;
        start.environment.insert(text("ATTN_NO_THREADS"), text("1"));
        const Ended ended =
            run({text("recurrent"), text("--text"), text("s4"), text("--screenshot"), path(text("out/x.png"))},
                preloaded(start));
        QVERIFY2(ended.says("inference") && ended.says("thread"), ended.errors.constData());
    }
#endif

    void aFileThatChangesWhileItIsReadIsNamed()
    {
        const QString weights = m_models + text("/endless/model.safetensors");
        const QByteArray whole = read(weights);
        QRandomGenerator random(3);
        const int times = isThorough() ? 100 : 6;
        for (int i = 0; i < times; ++i) {
            QFile::remove(weights);
            write("models/endless/model.safetensors", whole);
            QProcess program;
            program.setProcessEnvironment(environmentOf({}));
            program.start(text(ATTN_PROGRAM),
                          {text("trace"), text("endless"), text("--text"), text("s4 s5 s6"), text("--max-length"),
                           text("3000"), text("--output"), path(text("out/x.npz"))});
            QVERIFY(program.waitForStarted());
            program.waitForFinished(random.bounded(120));
            if (i % 2 == 0) // cut short
                QVERIFY(QFile::resize(weights, random.bounded(static_cast<int>(whole.size()))));
            else // another one in its place
                attn::AtomicFile(weights.toStdString()).commit();
            QVERIFY(program.state() == QProcess::NotRunning || program.waitForFinished(60'000));
            Ended ended{program.exitStatus() == QProcess::NormalExit, program.exitCode(),
                        program.readAllStandardError()};
            QVERIFY2((ended.byItself && ended.status == 0) || ended.says("model.safetensors"),
                     ended.errors.constData());
        }
    }

    // 268 MB of weights, which take no room on the disk.
    void littleMemoryIsSaid_data()
    {
        QTest::addColumn<int>("megabytes");
        QTest::addColumn<bool>("fits");
        QTest::newRow("512 MB") << 512 << false;
        QTest::newRow("1 GB") << 1024 << true;
        QTest::newRow("2 GB") << 2048 << true;
    }
    void littleMemoryIsSaid()
    {
        if (hasAddressSanitizer() || hasThreadSanitizer())
            QSKIP("a sanitizer takes more addresses than this for itself");
        QFETCH(int, megabytes);
        QFETCH(bool, fits);
        writeLargeModel();
        Started start;
        const rlim_t most = static_cast<rlim_t>(megabytes) * mega;
        start.before = [most] {
            const struct rlimit limit = {most, most};
            if (::setrlimit(RLIMIT_AS, &limit) != 0)
                ::_exit(126);
        };
        const Ended traced = run({text("trace"), m_models + text("/large"), text("--source-ids"), text("5,6,7"),
                                  text("--generate"), text("2"), text("--output"), path(text("out/x.npz"))},
                                 start);
        QVERIFY2(fits ? traced.status == 0 : traced.says("model.safetensors") && traced.says("memory"),
                 traced.errors.constData());
        QCOMPARE(QFile::exists(path(text("out/x.npz"))), fits);

        // What ends by the limit elsewhere says so, too.
        write("many.json", "{\"source_ids\":[1" + QByteArray(",1").repeated(30'000'000) + "]}");
        const Ended archive = run({text("info"), path(text("many.json"))}, start);
        QVERIFY2(archive.byItself && (archive.status == 0 || archive.says("many.json") || archive.says("memory")),
                 archive.errors.constData());
#ifdef ATTN_WITH_UI
        write("out/x.png", "precious");
        const Ended window =
            run({m_models + text("/large"), text("--text"), text("s4"), text("--screenshot"), path(text("out/x.png"))},
                start);
        QVERIFY2(window.says("large"), window.errors.constData()); // which has no tokenizer
        QCOMPARE(read(path(text("out/x.png"))), QByteArray("precious"));
        const Ended small = run(
            {text("recurrent"), text("--text"), text("s4 s5"), text("--screenshot"), path(text("out/x.png"))}, start);
        QVERIFY2(small.byItself && (small.status == 0 || small.says("memory")), small.errors.constData());
#endif
    }

private:
    enum class Of { All, Commands };

    // Everything that writes a file: what is run, and where to. A picture of the window is not the same every time.
    static void rows(Of which = Of::All)
    {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<QString>("output");
        const auto row = [](const char* line, const char* output) {
            QStringList words = text(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
            words.replaceInStrings(text("_"), text(" "));
            QTest::newRow(output) << words << text("out/") + text(output);
        };
        row("trace recurrent --text s4_s5_s6 --output OUT", "x.npz");
        row("trace recurrent --text s4_s5_s6 --output OUT", "x.json");
        row("batch recurrent --lines LINES --output OUT", "x.jsonl");
        row("heads transformer --lines LINES --output OUT", "x.csv");
#ifdef ATTN_WITH_UI
        row("figure recurrent --text s4_s5_s6 --output OUT", "x.pdf");
        row("figure recurrent --text s4_s5_s6 --output OUT", "x.svg");
        row("figure recurrent --text s4_s5_s6 --output OUT", "x.png");
        if (which == Of::All)
            row("recurrent --text s4_s5_s6 --screenshot OUT", "window.png");
#endif
    }

    // Root may read and write what it may not; without these two it does as it is told.
    static void obeyPermissions()
    {
        ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
        ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
    }

    static void end(QProcess& program)
    {
        program.kill();
        program.waitForFinished();
        QCOMPARE(program.state(), QProcess::NotRunning);
    }

    static Started preloaded(Started start)
    {
        start.environment.insert(text("LD_PRELOAD"), text(ATTN_FAILING_SYSTEM));
        return start;
    }

    QProcessEnvironment environmentOf(const Started& start) const
    {
        QProcessEnvironment environment = start.environment;
        environment.insert(text("ATTNSCOPE_MODELS"), m_models);
        environment.insert(text("QT_QPA_PLATFORM"), text("offscreen"));
        environment.insert(text("XDG_CONFIG_HOME"), path(text("config")));
        if (!environment.value(text("XDG_STATE_HOME")).startsWith(m_folder->path()))
            environment.insert(text("XDG_STATE_HOME"), path(text("state")));
        return environment;
    }

    Ended run(QStringList line, const Started& start = {}) const
    {
        for (QString& word : line) {
            if (word == text("OUT"))
                word = path(fetchedOutput());
            else if (word == text("LINES"))
                word = path(text("lines.txt"));
        }
        QProcess program;
        program.setProcessEnvironment(environmentOf(start));
        if (start.before)
            program.setChildProcessModifier(start.before);
        program.start(text(ATTN_PROGRAM), line);
        if (!program.waitForFinished(start.timeout)) {
            end(program);
            return {false, -1, "it hangs"};
        }
        return {program.exitStatus() == QProcess::NormalExit, program.exitCode(), program.readAllStandardError()};
    }

    static QString fetchedOutput()
    {
        QFETCH(QString, output);
        return output;
    }

    QString path(const QString& name) const
    {
        return m_folder->filePath(name);
    }

    void write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }
    void write(const char* name, const QByteArray& content) const
    {
        write(text(name), content);
    }

    // What lies in the folder of a file besides.
    QStringList leftBeside(const QString& name) const
    {
        const QFileInfo file(path(name));
        QStringList left = file.dir().entryList(QDir::Files | QDir::Hidden);
        left.removeAll(file.fileName());
        return left;
    }

    void writeLargeModel() const
    {
        constexpr int width = 1024;
        constexpr int inner = 4096;
        constexpr int layers = 4;
        constexpr int words = 32;
        const QString folder = m_models + text("/large");
        QVERIFY(QDir().mkpath(folder));
        write("models/large/config.json",
              QJsonDocument(QJsonObject{{text("model_type"), text("llama")},
                                        {text("hidden_size"), width},
                                        {text("intermediate_size"), inner},
                                        {text("num_hidden_layers"), layers},
                                        {text("num_attention_heads"), 8},
                                        {text("num_key_value_heads"), 8},
                                        {text("vocab_size"), words},
                                        {text("max_position_embeddings"), 64},
                                        {text("rms_norm_eps"), 1e-5},
                                        {text("tie_word_embeddings"), true}})
                  .toJson());
        QJsonObject header;
        qint64 offset = 0;
        const auto add = [&](const QString& name, const QJsonArray& shape) {
            qint64 bytes = sizeof(float);
            for (const QJsonValue& dimension : shape)
                bytes *= dimension.toInt();
            header.insert(name,
                          QJsonObject{{text("dtype"), text("F32")},
                                      {text("shape"), shape},
                                      {text("data_offsets"), QJsonArray{offset, offset + bytes}}});
            offset += bytes;
        };
        add(text("model.embed_tokens.weight"), {words, width});
        add(text("model.norm.weight"), {width});
        for (int i = 0; i < layers; ++i) {
            const QString layer = text("model.layers.%1.").arg(i);
            for (const char* name : {"q", "k", "v", "o"})
                add(layer + text("self_attn.") + text(name) + text("_proj.weight"), {width, width});
            add(layer + text("mlp.gate_proj.weight"), {inner, width});
            add(layer + text("mlp.up_proj.weight"), {inner, width});
            add(layer + text("mlp.down_proj.weight"), {width, inner});
            add(layer + text("input_layernorm.weight"), {width});
            add(layer + text("post_attention_layernorm.weight"), {width});
        }
        const QByteArray json = QJsonDocument(header).toJson(QJsonDocument::Compact);
        QByteArray length(8, '\0');
        for (int i = 0; i < 8; ++i)
            length[i] =
                static_cast<char>((static_cast<quint64>(json.size()) >> (8U * static_cast<unsigned>(i))) & 0xFFU);
        write("models/large/model.safetensors", length + json);
        QVERIFY(QFile::resize(folder + text("/model.safetensors"), 8 + json.size() + offset));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_models;
};

QTEST_GUILESS_MAIN(TestFaults)

#include "tst_faults.moc"
