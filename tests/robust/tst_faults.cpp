// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "core/loading/written_checkpoints.h"
#include "io/atomic_file.h"
#include "robust/hostile_files.h"
#include "session/session.h"
#include "support/sanitizers.h"
#include "support/test_program.h"
#include "support/word_models.h"
#include "trace/archive.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <linux/capability.h>
#include <memory>
#include <poll.h>
#include <pty.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace attn::test;

namespace {

constexpr rlim_t mega = rlim_t{1} << 20U;

struct Started
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    std::function<void()> before; // in the process, before it becomes the program
};

struct Ended
{
    bool byItself = false; // neither killed nor hanging
    int status = -1;
    QByteArray output;
    QByteArray errors;

    bool isDone() const { return byItself && status == 0; }
    // A failure that is told in a line with this in it. What goes before is progress, or what Qt has to say.
    bool says(const QByteArray& part) const
    {
        const QByteArray last = errors.trimmed().split('\n').last();
        return byItself && status == 1 && errors.endsWith('\n') && last.startsWith("attnscope: ")
            && last.contains(part);
    }
};

// What is read, of which these files change meanwhile, and how it is asked for.
struct ReadFiles
{
    HostileSet set;
    std::vector<std::string> files;
    const char* line;
};

HostileSet gpt2()
{
    QJsonObject vocabulary;
    for (int i = 0; i < 140; ++i)
        vocabulary.insert(i == 0 ? text("<|endoftext|>") : i < 27 ? QChar('a' + i - 1) : text("w%1").arg(i), i);
    return {"gpt2",
            "",
            {{"config.json", testData("cases/gpt2-plain/config.json")},
             {"model.safetensors", testData("cases/gpt2-plain/model.safetensors")},
             {"vocab.json", bytesOf(QJsonDocument(vocabulary).toJson().toStdString())},
             {"merges.txt", bytesOf("#version: 0.2\na b\n")}}};
}

// Weights that do not fit the configuration, which is said of them once they are read.
HostileSet torch(const char* name)
{
    return {name,
            "",
            {{"config.json", testData("cases/rnn-bahdanau-gru/config.json")},
             {"pytorch_model.bin", testData(std::string("torch/") + name)}}};
}

// One thread, as on a machine of any number of cores: of how many there are the last digits may depend.
constexpr auto ofText = "trace --threads 1 --text a --output";
constexpr auto ofIds = "trace --threads 1 --source-ids 5 --output";

std::vector<ReadFiles> filesToRead()
{
    std::vector<ReadFiles> all;
    for (auto& [set, files] : goodSets()) {
        const bool isModel = set.opened.empty();
        if (isModel || attn::isArchivePath(set.opened) || attn::isSessionPath(set.opened))
            all.push_back({std::move(set), std::move(files), isModel ? ofText : "info"});
    }
    all.push_back({gpt2(), {"vocab.json", "merges.txt"}, ofText});
    for (const char* name : {"zip.bin", "legacy.bin"})
        all.push_back({torch(name), {"pytorch_model.bin"}, ofIds});
    const QTemporaryDir folder;
    const QString file = folder.filePath(text("model.gguf"));
    writeTinyLlama(file.toStdString());
    all.push_back({{"gguf", "model.gguf", {{"model.gguf", bytesOf(read(file).toStdString())}}}, {"model.gguf"}, ofIds});
    return all;
}

// What is run in the place of the program, by the first word of a line.
constexpr std::pair<const char*, const char*> others[] = {
#ifdef ATTN_WITH_UI
    {"typing", ATTN_TYPING_WINDOW},
#endif
    {"session", ATTN_SESSION_WRITER}};

// In the order in which the short form takes them.
constexpr const char* changes[] = {"half", "other", "empty", "blank"};

// What is put in the place of a file as "other".
QByteArray otherOf(const QByteArray& file)
{
    return file + "\nmore";
}

QByteArray changedBy(std::string_view change, const QByteArray& file)
{
    if (change == "other")
        return otherOf(file);
    return change == "half" ? file.left(file.size() / 2) : QByteArray(change == "blank" ? file.size() : 0, '\0');
}

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
            QVERIFY2(ended.says("disk is full"), ended.errors.constData());
            verifyIsOld(ended, output);
        }
    }

    void aFailingDiskLeavesTheOldFile_data() { rows(Of::Commands); }
    void aFailingDiskLeavesTheOldFile()
    {
        QFETCH(QStringList, line);
        QFETCH(QString, output);
        write(output, "precious");
        for (const char* call : {"open", "write", "fsync", "rename"}) {
            Started start;
            start.environment.insert(text("ATTN_FAIL"), text(call));
            const Ended ended = run(line, preloaded(start));
            const bool isOpening = call == std::string_view("open");
            QVERIFY2(ended.says(isOpening ? "Read-only file system" : "Input/output error"), ended.errors.constData());
            verifyIsOld(ended, output);
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
    void endedAnywhereLeavesTheOldOrTheNew_data() { rows(); }
    void endedAnywhereLeavesTheOldOrTheNew()
    {
        QFETCH(QStringList, line);
        QFETCH(QString, output);
        const Ended whole = run(line);
        QVERIFY2(whole.isDone(), whole.errors.constData());
        const QByteArray made = read(path(output));
        const auto isNew = [&](const QByteArray& now) { // a window's picture shows times, a PDF has its date
            if (output == text("out/window.png"))
                return isWholePng(now);
            return output.endsWith(text(".pdf"))
                ? now.size() == made.size() && now.startsWith("%PDF") && now.endsWith(made.right(8))
                : now == made;
        };
        for (const int signal : {SIGKILL, SIGTERM}) {
            bool isDone = false;
            int moments = 0;
            while (!isDone) {
                write(output, "precious");
                const Ended ended = run(line, endedAt(++moments, signal));
                isDone = ended.isDone();
                const QByteArray now = read(path(output));
                const QByteArray where = text("signal %1, moment %2: ").arg(signal).arg(moments).toUtf8();
                QVERIFY2(isNew(now) || (now == "precious" && !isDone), where.constData());
                QVERIFY2(!ended.byItself || isDone || ended.says("cancelled"), where + ended.errors);
            }
            QVERIFY(moments > 3); // written, synced, renamed
        }
    }

    // Where the answers are new, so are their alignments, which have their name first.
    void aBatchKilledAnywhereHasAlignmentsOfItsAnswers()
    {
        const QStringList names{text("out/x.al"), text("out/x.jsonl")};
        const QStringList line = words("batch recurrent --lines LINES --alignments")
            << path(names[0]) << text("--output") << path(names[1]);
        const Ended whole = run(line);
        QVERIFY2(whole.isDone(), whole.errors.constData());
        const QByteArrayList made{read(path(names[0])), read(path(names[1]))};
        bool isEnded = false;
        int moments = 0;
        while (!isEnded) {
            for (const QString& name : names)
                write(name, "precious");
            isEnded = run(line, endedAt(++moments, SIGKILL)).isDone();
            std::array<bool, 2> isNew{};
            for (std::size_t i = 0; i < isNew.size(); ++i) {
                const QByteArray now = read(path(names[static_cast<qsizetype>(i)]));
                isNew[i] = now == made[static_cast<qsizetype>(i)];
                QVERIFY2(isNew[i] || now == "precious", qPrintable(text("moment %1").arg(moments)));
            }
            QVERIFY2(isNew[0] || !isNew[1], qPrintable(text("moment %1").arg(moments)));
            QVERIFY(!isEnded || isNew[1]);
        }
        QVERIFY(moments > 6); // written, synced and renamed, both of them
    }

    void aBatchKilledAnywhereGoesOn()
    {
        const QStringList batch = words("batch recurrent --lines LINES --max-length 20 --output")
            << path(text("out/x.jsonl"));
        QCOMPARE(run(batch).status, 0);
        const QByteArray made = read(path(text("out/x.jsonl")));
        QFile::remove(path(text("out/x.jsonl")));
        int moments = 0;
        while (!run(QStringList(batch) << text("--resume"), endedAt(++moments, SIGKILL)).isDone()) {
            const QByteArray now = read(path(text("out/x.jsonl")));
            QVERIFY(now.isEmpty() || now == made);
            const QByteArray part = read(path(text("out/x.jsonl.part")));
            QVERIFY(made.startsWith(part)); // a torn line too
        }
        QCOMPARE(read(path(text("out/x.jsonl"))), made);
    }

#ifdef ATTN_WITH_UI
    // A session kept for the next start is whole, whenever the window ends.
    void aWindowKilledAnywhereKeepsASession()
    {
        constexpr int moments =
            24; // changes of files, the first of the start, the last of a later state of the session
        int kept = 0;
        for (int moment = 1; moment <= moments; ++moment) {
            Started start = endedAt(moment, SIGKILL);
            const QString state = path(text("state%1").arg(moment));
            start.environment.insert(text("XDG_STATE_HOME"), state);
            const auto window = begin(words("typing recurrent") << text("s4 s5 s6"), start);
            QVERIFY(window->waitForFinished());
            for (const QString& session : sessionsIn(state)) {
                const Ended info = run({text("info"), session});
                QVERIFY2(info.status == 0, info.errors.constData());
                ++kept;
            }
        }
        QVERIFY(kept > 0);
    }

    // As by `attnscope 2>&1 | less`, which is left before the window.
    void aWindowStaysWhenNobodyReadsItsErrorsAnyMore()
    {
        Started start;
        const QString state = path(text("state"));
        start.environment.insert(text("XDG_STATE_HOME"), state);
        const auto program = begin({text("recurrent"), text("--text"), text("s4 s5 s6")}, start);
        QVERIFY(program->waitForStarted());
        QTRY_COMPARE_WITH_TIMEOUT(sessionsIn(state).size(), qsizetype{1}, 30'000); // it is up
        const auto id = static_cast<pid_t>(program->processId());
        QCOMPARE(::kill(id, SIGPIPE), 0);
        QVERIFY(!program->waitForFinished(300));
        QCOMPARE(::kill(id, SIGTERM), 0);
        QVERIFY(program->waitForFinished(20'000));
    }

    // Of one that was killed before it had kept anything.
    void theNextWindowClearsUp()
    {
        const QString sessions = text("state/AttnScope/AttnScope/sessions/");
        const QString left = sessions + text("left/");
        const QString fresh = sessions + text("fresh"); // that another program is about to lock
        QVERIFY(QDir().mkpath(path(left)) && QDir().mkpath(path(fresh)));
        QByteArray mine;
        {
            QLockFile lock(path(left + text("lock")));
            QVERIFY(lock.tryLock(0));
            mine = read(path(left + text("lock")));
        }
        QVERIFY(mine.contains('\n'));
        write(left + text("lock"), "4194305" + mine.mid(mine.indexOf('\n'))); // no process has such a number
        write(left + text(".unsaved.attnscope.0.tmp"), "half");
        const auto window = begin({text("recurrent"), text("--text"), text("s4 s5 s6")});
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(path(left)).exists(), 30'000);
        end(*window);
        QVERIFY(QDir(path(fresh)).exists());
    }
#endif

    // Before each call about it. What is read nevertheless is the old file or the new one, and nothing in between.
    void aFileThatChangesAsItIsReadIsNamed_data()
    {
        addColumns<int, QString>("reading", "file");
        const std::vector<ReadFiles> all = filesToRead();
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (const std::string& file : all[i].files)
                QTest::addRow("%s: %s", all[i].set.name.c_str(), file.c_str())
                    << static_cast<int>(i) << QString::fromStdString(file);
        }
    }
    void aFileThatChangesAsItIsReadIsNamed()
    {
        QFETCH(int, reading);
        QFETCH(QString, file);
        const ReadFiles all = filesToRead()[static_cast<std::size_t>(reading)];
        QStringList line = words(all.line);
        line.insert(1, path(text("read/") + QString::fromStdString(all.set.opened)));
        if (line.last() == text("--output"))
            line << path(text("out/x.npz"));
        QVERIFY(QDir(m_folder->path()).mkdir(text("read")));
        const QString changed = text("read/") + file;
        const QByteArray before = byteArray(all.set.files.at(file.toStdString()));
        QByteArrayList right; // what comes of the old file and of each new one that can be read
        const auto learn = [&](const QByteArray& content) {
            for (const auto& [name, bytes] : all.set.files)
                write(text("read/") + QString::fromStdString(name), byteArray(bytes));
            write(changed, content);
            const Ended ended = runAnew(line);
            if (ended.isDone())
                right << madeBy(ended);
        };
        learn(before);
        for (const char* change : changes)
            learn(changedBy(change, before));
        bool hasChanged = true;
        int moments = 0;
        while (hasChanged) {
            ++moments;
            for (int i = 0; i < int{std::size(changes)}; ++i) {
                for (const auto& [name, bytes] : all.set.files)
                    write(text("read/") + QString::fromStdString(name), byteArray(bytes));
                write(changed + text(".other"), otherOf(before));
                Started start;
                start.environment.insert(text("ATTN_CHANGED"), path(changed));
                start.environment.insert(text("ATTN_CHANGE_AT"), QString::number(moments));
                start.environment.insert(text("ATTN_CHANGE"),
                                         text(changes[static_cast<std::size_t>(i + moments) % std::size(changes)]));
                const Ended ended = runAnew(line, preloaded(start));
                const bool isNamed = ended.says(path(text("read")).toUtf8())
                    || ended.says(QFileInfo(changed).fileName().toUtf8() + ": ");
                QVERIFY2(ended.isDone() ? right.contains(madeBy(ended)) : isNamed,
                         qPrintable(text("moment %1: %2").arg(moments).arg(QString::fromUtf8(ended.errors))));
                hasChanged = read(path(changed)) != before;
            }
        }
        QVERIFY(moments > 3); // asked for, opened, read
    }

    // On a terminal; nothing of it is left there.
    void aLongRunSaysHowFarItIs()
    {
        int terminal = -1;
        int shown = -1;
        QCOMPARE(::openpty(&terminal, &shown, nullptr, nullptr, nullptr), 0);
        Started start;
        start.before = [shown] { ::dup2(shown, STDERR_FILENO); };
        const auto program = begin({text("trace"), text("endless"), text("--text"), text("s4 s5"), text("--max-length"),
                                    text("1000000"), text("--output"), path(text("out/x.npz"))},
                                   start);
        QVERIFY(program->waitForStarted());
        ::close(shown);
        QByteArray said;
        const auto hear = [&] { // false: the program has ended
            pollfd waited{terminal, POLLIN, 0};
            std::array<char, 4096> part{};
            const ssize_t got = ::poll(&waited, 1, 20'000) == 1 ? ::read(terminal, part.data(), part.size()) : 0;
            said.append(part.data(), std::max<ssize_t>(got, 0));
            return got > 0;
        };
        while (!said.contains(" steps") && hear()) { }
        QVERIFY2(said.contains("\r\x1b[Krunning, "), said.constData());
        program->terminate();
        while (hear()) { }
        ::close(terminal);
        const Ended ended = endOf(*program);
        QVERIFY(ended.byItself && ended.status == 1);
        QVERIFY2(said.endsWith("\r\x1b[Kattnscope: run: cancelled\r\n"), said.constData());
        QVERIFY(!QFile::exists(path(text("out/x.npz"))));
        QCOMPARE(leftBeside(text("out/x.npz")), QStringList());
    }

    // 268 MB of weights, which take no room on the disk.
    void littleMemoryIsSaid()
    {
        if (hasAddressSanitizer() || hasThreadSanitizer())
            QSKIP("a sanitizer takes more addresses than this for itself");
        struct Limited
        {
            Started start;
            rlim_t megabytes;
            std::unique_ptr<QProcess> window; // of a small model, which mostly waits
        };
        writeLargeModel();
        write("many.json", "{\"source_ids\":[1" + QByteArray(",1").repeated(30'000'000) + "]}");
        std::vector<Limited> all;
        for (const rlim_t megabytes : {512, 1024, 2048}) {
            Limited& one = all.emplace_back(Limited{{}, megabytes, nullptr});
            one.start.before = [most = megabytes * mega] {
                const struct rlimit limit = {most, most};
                if (::setrlimit(RLIMIT_AS, &limit) != 0)
                    ::_exit(126);
            };
#ifdef ATTN_WITH_UI
            one.window = begin({text("recurrent"), text("--text"), text("s4 s5"), text("--screenshot"),
                                path(text("out/%1.png").arg(megabytes))},
                               one.start);
#endif
        }
        for (const Limited& one : all) {
            const bool fits = one.megabytes > 512;
            const bool isPlenty = one.megabytes >= 2048; // for a small model
            const QString output = path(text("out/%1.npz").arg(one.megabytes));
            const Ended traced = run({text("trace"), m_models + text("/large"), text("--source-ids"), text("5,6,7"),
                                      text("--generate"), text("2"), text("--output"), output},
                                     one.start);
            QVERIFY2(fits ? traced.status == 0 : traced.says("model.safetensors") && traced.says("memory"),
                     traced.errors.constData());
            QCOMPARE(QFile::exists(output), fits);

            // A small model does what it can.
            for (const char* line :
                 {"batch recurrent --lines LINES --output %1.jsonl", "heads transformer --lines LINES --output %1.csv",
#ifdef ATTN_WITH_UI
                  "figure recurrent --text s4 --output %1.svg",
#endif
                  "trace recurrent --text s4 --output small%1.npz"}) {
                QStringList small = words(line);
                small.last() = path(text("out/") + small.last().arg(one.megabytes));
                const Ended ended = run(small, one.start);
                QVERIFY2(ended.isDone() || (!isPlenty && ended.says("memory")), ended.errors.constData());
                QCOMPARE(QFile::exists(small.last()), ended.isDone());
            }

            // What ends by the limit elsewhere says so, too.
            const Ended archive = run({text("info"), path(text("many.json"))}, one.start);
            QVERIFY2(archive.isDone() || (archive.says("many.json") && archive.says("memory")),
                     archive.errors.constData());
#ifdef ATTN_WITH_UI
            write("out/x.png", "precious");
            const Ended window = run(
                {m_models + text("/large"), text("--text"), text("s4"), text("--screenshot"), path(text("out/x.png"))},
                one.start);
            QVERIFY2(window.says("large"), window.errors.constData()); // which has no tokenizer
            QCOMPARE(read(path(text("out/x.png"))), QByteArray("precious"));
            const Ended small = endOf(*one.window);
            QVERIFY2(small.isDone() || (!isPlenty && small.says("memory")), small.errors.constData());
            QCOMPARE(isWholePng(read(path(text("out/%1.png").arg(one.megabytes)))), small.isDone());
#endif
        }
    }

private:
    enum class Of { All, Commands };

    // Everything that writes a file: what is run, and where to. A picture of the window is not the same every time.
    static void rows([[maybe_unused]] Of which = Of::All)
    {
        addColumns<QStringList, QString>("line", "output");
        const auto row = [](const char* line, const char* output) {
            QStringList words = text(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
            words.replaceInStrings(text("_"), text(" "));
            QTest::newRow(output) << words << text("out/") + text(output);
        };
        row("trace recurrent --text s4_s5_s6 --output OUT", "x.npz");
        row("trace recurrent --text s4_s5_s6 --output OUT", "x.json");
        row("batch recurrent --lines LINES --output OUT", "x.jsonl");
        row("heads transformer --lines LINES --output OUT", "x.csv");
        row("heads transformer --lines LINES --output OUT", "heads.json");
        row("session RUN OUT", "x.attnscope");
#ifdef ATTN_WITH_UI
        for (const char* output : {"x.png", "x.svg", "x.pdf", "x.tex", "x.gif", "x.html", "figure.csv"})
            row("figure recurrent --text s4_s5_s6 --max-length 4 --dpi 40 --output OUT", output);
        row("figure recurrent --text s4_s5_s6 --max-length 4 --report --output OUT", "report.pdf");
        if (which == Of::All)
            row("recurrent --text s4_s5_s6 --screenshot OUT", "window.png");
#endif
    }

    static bool isWholePng(const QByteArray& bytes)
    {
        return bytes.startsWith("\x89PNG\r\n\x1a\n") && bytes.endsWith(QByteArray("IEND\xae\x42\x60\x82"));
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

    // By a signal, before that change of a file.
    static Started endedAt(int moment, int signal)
    {
        Started start;
        start.environment.insert(text("ATTN_SIGNAL_AT"), QString::number(moment));
        start.environment.insert(text("ATTN_SIGNAL"), QString::number(signal));
        return preloaded(start);
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

    // A line of "session" is of the one who writes sessions, one of "typing" of the window in which somebody types, any
    // other of the program.
    std::unique_ptr<QProcess> begin(QStringList line, const Started& start = {}) const
    {
        for (QString& word : line) {
            if (word == text("OUT"))
                word = path(fetchedOutput());
            else if (word == text("LINES"))
                word = path(text("lines.txt"));
            else if (word == text("RUN"))
                word = text(ATTN_TEST_DATA "/hostile/run.npz");
        }
        QString program = text(ATTN_PROGRAM);
        for (const auto& [word, other] : others) {
            if (line.first() == text(word)) {
                program = text(other);
                line.removeFirst();
            }
        }
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(environmentOf(start));
        if (start.before)
            process->setChildProcessModifier(start.before);
        process->start(program, line);
        return process;
    }

    static Ended endOf(QProcess& program)
    {
        constexpr int most = 60'000;
        if (program.state() != QProcess::NotRunning && !program.waitForFinished(most)) {
            end(program);
            return {false, -1, {}, "it hangs"};
        }
        return {program.exitStatus() == QProcess::NormalExit, program.exitCode(), program.readAllStandardOutput(),
                program.readAllStandardError()};
    }

    Ended run(const QStringList& line, const Started& start = {}) const
    {
        return endOf(*begin(line, start));
    }

    // What is printed and written into out/x.npz, which is not there before.
    Ended runAnew(const QStringList& line, const Started& start = {}) const
    {
        QFile::remove(path(text("out/x.npz")));
        return run(line, start);
    }
    QByteArray madeBy(const Ended& ended) const
    {
        return ended.output + read(path(text("out/x.npz")));
    }

    // After a failure that names the file.
    void verifyIsOld(const Ended& ended, const QString& output) const
    {
        QVERIFY2(ended.says(QFileInfo(output).fileName().toUtf8()), ended.errors.constData());
        QCOMPARE(read(path(output)), QByteArray("precious"));
        QFile::remove(path(output) + text(".part")); // of a batch, which can go on from there
        QCOMPARE(leftBeside(output), QStringList());
    }

    static QByteArray byteArray(const Bytes& bytes)
    {
        return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())};
    }

    static QStringList sessionsIn(const QString& folder)
    {
        QStringList sessions;
        for (QDirIterator kept(folder, {text("*.attnscope")}, QDir::Files, QDirIterator::Subdirectories);
             kept.hasNext();)
            sessions << kept.next();
        return sessions;
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

ATTN_TEST(TestFaults)

#include "tst_faults.moc"
