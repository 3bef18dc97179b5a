// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "io/atomic_file.h"
#include "io/npz.h"
#include "io/zip_archive.h"
#include "session/session.h"
#include "support/made_maps.h"
#include "support/memory_used.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "trace/kept_readings.h"
#include "trace/trace_builder.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <iterator>
#include <stop_token>

using namespace attn;
using Json = nlohmann::json;

namespace {

std::vector<std::byte> bytesOf(const std::string& text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// Reads two tokens and writes one a step, with one cross map.
Trace translation(const NumberVector<float>& logProbabilities)
{
    Encoding source;
    source.ids = {4, 5};
    source.tokens = {"▁a", "▁cat"};
    Provenance provenance;
    provenance.model = "tiny";
    provenance.text = "a cat";
    TraceBuilder builder(source, nullptr, provenance);
    builder.begun(source.ids, 0);
    const auto steps = static_cast<int>(logProbabilities.size());
    AttentionMap map;
    map.site = {Stage::Cross, 0};
    map.weights = {steps, 2, NumberVector<float>(logProbabilities.size() * 2, 0.5F), 1};
    builder.stored(map);
    RunSummary summary;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        DecodingStep step;
        step.index = StepId{i};
        step.position = i;
        step.parent = i > 0 ? std::optional(StepId{i - 1}) : std::nullopt;
        step.token = 7 + i;
        step.logProbability = logProbabilities[static_cast<std::size_t>(i)];
        sum += step.logProbability;
        builder.stepped(step);
        summary.hypotheses = {{StepId{i}, sum, sum / steps, true}};
    }
    builder.finished(summary);
    return builder.snapshot();
}

SessionRun runOf(int id, std::optional<int> parent, const char* text)
{
    SessionRun run;
    run.id = id;
    run.parent = parent;
    run.question.emplace();
    run.question->model = "tiny";
    run.question->text = text;
    run.question->others = {{"later", "[1,2]"}};
    run.trace = translation({-1, -0.25F});
    return run;
}

Session twoRuns()
{
    Session session;
    session.model = {"tiny", "/models/tiny", "encoder-decoder", "00ff", {{"colour", "\"red\""}}};
    session.runs = {runOf(1, {}, "a cat"), runOf(7, 1, "a dog")};
    session.runs[1].change = "other sentence";
    session.runs[1].note = "“why?”";
    session.runs[1].others = {{"edits", R"(["encoder:0=hide"])"}};
    session.shown = {7, 1, Site{Stage::Cross, 0}, meanOfHeads, 1, {{"zoom", "2"}}};
    session.view = R"({"tab":"grid"})";
    session.others = {{"authors", R"({"first":[]})"}};
    return session;
}

// Of 200 tokens, with an array of 160 kB.
std::vector<std::byte> archiveOf(const char* array, bool deflated)
{
    NpzWriter npz(deflated ? Compression::Deflated : Compression::Stored);
    npz.add("source_ids", NpyArray::fromIntegers({200}, std::vector<std::int64_t>(200)));
    npz.add(array, NpyArray::fromFloats({1, 1, 200, 200}, std::vector<float>(40'000)));
    return npz.finish();
}

// A run as the file has it.
Json runJson(int id, const Json& parent)
{
    return {{"id", id},  {"parent", parent}, {"change", ""}, {"question", Json::object()}, {"archive", "runs/1.npz"},
            {"note", ""}};
}

Json plainJson()
{
    return {{"format", "attnscope-session"},
            {"version", 1},
            {"program", "0.3.0"},
            {"runs", Json::array({runJson(1, nullptr)})}};
}

} // namespace

class TestSession : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path path(const char* name = "x.attnscope") const
    {
        return m_folder.filePath(QLatin1String(name)).toStdString();
    }

    std::filesystem::path written(const Json& json, const char* entry = "runs/1.npz",
                                  Compression compression = Compression::Stored) const
    {
        ZipWriter zip(compression);
        zip.add("session.json", bytesOf(json.dump()));
        zip.add(entry, archiveBytes(translation({-1})));
        AtomicFile file(path());
        file.write(zip.finish());
        file.commit();
        return path();
    }

    static std::string refusal(const std::filesystem::path& file, ErrorKind kind = ErrorKind::Format)
    {
        try {
            (void)readSession(file);
        } catch (const Error& error) {
            return error.kind() == kind ? error.what() : std::string("another kind: ") + error.what();
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase() { qputenv("ATTNSCOPE_LIMITS", "archive=1M memory=1M json=256K runs=9 zip-entries=200"); }

    // What would not be read again is not written over what there is.
    void aRunThatCouldNotBeReadAgainIsRefused()
    {
        writeSession(path(), twoRuns());
        const Encoding source = plainEncoding(std::vector<TokenId>(300));
        Provenance provenance;
        provenance.kind = ModelKind::EncoderOnly;
        TraceBuilder builder(source, nullptr, provenance);
        builder.begun(source.ids, {});
        builder.computableAttention({{Stage::Encoder, 0}, 0, 0, {}, {}}, std::make_shared<test::MadeMaps>(3, 300, 300));
        builder.finished({});
        Session session = twoRuns();
        session.runs.back().trace = builder.snapshot();
        std::string said;
        try {
            writeSession(path(), session);
        } catch (const Error& error) {
            said = error.what();
        }
        QVERIFY2(said.starts_with("run 7: its maps take 1.1 MB, more than the 1.0 MB that are read again"),
                 said.c_str());
        QCOMPARE(readSession(path()).runs.size(), std::size_t{2});
    }

    // Those of `readings` and of the window alike: archives of runs hold them.
    void readingsOfARunAreKept()
    {
        Session session = twoRuns();
        Trace& trace = session.runs.back().trace;
        const ReadingAbout about{.of = 1, .all = false, .against = {}};
        ReadArray made{.shape = {std::ssize(trace.source().ids)}, .values = {}};
        made.values.assign(trace.source().ids.size(), 0.5F);
        made.values.front() = -2;
        made.method = "lrp";
        KeptReadings kept;
        kept.arrays[{"source_lrp", about}] = std::make_shared<const ReadArray>(made);
        kept.computed = {{"lrp", about}};
        trace = trace.with(std::make_shared<const KeptReadings>(kept));
        writeSession(path(), session);
        const Session read = readSession(path());
        QVERIFY(read.runs.front().trace.readings() == nullptr);
        const auto& again = read.runs.back().trace.readings();
        QVERIFY(again != nullptr && again->find("source_lrp", about) != nullptr);
        QVERIFY(again->find("source_lrp", about)->values == made.values);
    }

    void moreThanIsReadAgainIsRefused_data()
    {
        test::addColumns<int, int, QString>("runs", "others", "said");
        QTest::newRow("as many as there may be") << 9 << 30 << QString();
        QTest::newRow("runs") << 10 << 0
                              << QStringLiteral(
                                     "session: has 10 runs, more than the 9 that are read again (remove some; "
                                     "ATTNSCOPE_LIMITS=runs=");
        QTest::newRow("entries") << 9 << 191
                                 << QStringLiteral("session: has 201 entries, more than the 200 that are read again "
                                                   "(remove some runs; ATTNSCOPE_LIMITS=zip-entries=");
    }
    void moreThanIsReadAgainIsRefused()
    {
        QFETCH(int, runs);
        QFETCH(int, others);
        QFETCH(QString, said);
        Session session;
        for (int id = 1; id <= runs; ++id) {
            session.runs.push_back(twoRuns().runs.front());
            session.runs.back().id = id;
        }
        ZipWriter unknown(Compression::Stored);
        for (int i = 0; i < others; ++i) {
            session.otherEntries.names.push_back(std::to_string(i));
            unknown.add(session.otherEntries.names.back(), std::vector<std::byte>(1));
        }
        const std::vector<std::byte> file = others > 0 ? unknown.finish() : std::vector<std::byte>();
        if (others > 0)
            session.otherEntries.file = std::make_shared<const ZipReader>(file, "others");
        try {
            writeSession(path(), session);
            QVERIFY(said.isEmpty());
            QCOMPARE(readSession(path()).otherEntries.names.size(), std::size_t(others));
        } catch (const Error& error) {
            QVERIFY2(!said.isEmpty() && QByteArray(error.what()).startsWith(said.toUtf8()), error.what());
        }
    }

    void entriesThatAreNotKnownAreKeptAndNeverUnpacked()
    {
        constexpr int count = 150;
        constexpr std::size_t bytes = 1'000'000; // each
        {
            ZipWriter zip(Compression::Deflated);
            zip.add("session.json", bytesOf(plainJson().dump()));
            zip.add("runs/1.npz", archiveBytes(translation({-1})));
            for (int i = 0; i < count; ++i)
                zip.add("later/" + std::to_string(i), std::vector<std::byte>(bytes));
            zip.add("later/text", bytesOf("a text"));
            zip.save(path());
        }
        const auto most = test::mostMemoryOf([&] { writeSession(path("y.attnscope"), readSession(path())); });
        QVERIFY2(most.value_or(0) < 30e6, qPrintable(QString::number(most.value_or(0))));
        QVERIFY(QFileInfo(QString::fromStdString(path("y.attnscope").string())).size() < 2'000'000);
        const ZipReader copied(path("y.attnscope"));
        std::vector<std::byte> text(bytesOf("a text").size());
        copied.open("later/text", 100).read(text);
        QCOMPARE(text, bytesOf("a text"));
        std::vector<std::byte> zeros(bytes, std::byte{1});
        copied.open("later/149", bytes).read(zeros);
        QVERIFY(zeros == std::vector<std::byte>(bytes));
        std::filesystem::remove(path("y.attnscope"));
    }

    void aSessionIsItsOwnersAlone()
    {
        writeSession(path("own.attnscope"), twoRuns());
        const QString file = QString::fromStdString(path("own.attnscope").string());
        const auto own = QFile::ReadOwner | QFile::WriteOwner;
        const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QCOMPARE(QFile::permissions(file) & (own | others), own);
        QVERIFY(QFile::setPermissions(file, own | QFile::ReadGroup)); // whoever does so keeps it so
        writeSession(path("own.attnscope"), twoRuns());
        QCOMPARE(QFile::permissions(file) & (own | others), own | QFile::ReadGroup);
        QVERIFY(QFile::remove(file));
    }

    void aDescriptionThatCouldNotBeReadAgainIsRefused()
    {
        writeSession(path(), twoRuns());
        Session session = twoRuns();
        session.runs.back().question->text = std::string(300'000, 'a');
        std::string said;
        try {
            writeSession(path(), session);
        } catch (const Error& error) {
            said = error.what();
        }
        QVERIFY2(said.starts_with("session.json: takes 30") && said.ends_with("(remove runs of long texts)")
                     && said.find(" kB, more than the 262.1 kB that are read again") != std::string::npos,
                 said.c_str());
        QCOMPARE(readSession(path()).runs.back().question->text, std::string("a dog"));
        session.runs.back().question->text.resize(200'000);
        writeSession(path(), session);
        QCOMPARE(readSession(path()).runs.back().question->text.size(), std::size_t{200'000});
    }

    void readingEndsWhenItIsToStop()
    {
        writeSession(path(), twoRuns());
        std::stop_source stop;
        const ThreadStop ofThisThread(stop.get_token());
        QVERIFY(refusal(path()).empty());
        stop.request_stop();
        QVERIFY(!refusal(path(), ErrorKind::Cancelled).empty());
        QCOMPARE(refusal(path(), ErrorKind::Cancelled), std::string("run: cancelled"));
    }

    void anArchiveAboveTheLimitNamesIt()
    {
        ZipWriter zip(Compression::Stored);
        const Json session{
            {"format", "attnscope-session"}, {"version", 1}, {"runs", Json::array({runJson(1, nullptr)})}};
        zip.add("session.json", bytesOf(session.dump()));
        zip.add("runs/1.npz", std::vector<std::byte>(1'200'000));
        AtomicFile file(path());
        file.write(zip.finish());
        file.commit();
        const std::string said = refusal(path(), ErrorKind::Resource);
        QVERIFY2(said.find("more than the 1.0 MB that are read") != std::string::npos
                     && said.find("ATTNSCOPE_LIMITS=archive=") != std::string::npos,
                 said.c_str());
    }

    // Each run counts, however small it is and wherever it comes from.
    void runsThatAreTooLargeTogetherAreRefused_data()
    {
        test::addColumns<bool, bool>("shared", "maps");
        QTest::newRow("entries") << false << false;
        QTest::newRow("one entry for all") << true << false;
        QTest::newRow("maps") << false << true;
        QTest::newRow("one map for all") << true << true;
    }
    void runsThatAreTooLargeTogetherAreRefused()
    {
        QFETCH(bool, shared);
        QFETCH(bool, maps);
        for (const auto& [runs, most] : {std::pair(3, false), std::pair(9, true)}) {
            Json session = plainJson();
            session["runs"] = Json::array();
            ZipWriter zip(Compression::Deflated);
            for (int id = 1; id <= runs; ++id) {
                session["runs"].push_back(runJson(id, nullptr));
                const std::string name = shared ? "runs/1.npz" : "runs/" + std::to_string(id) + ".npz";
                session["runs"].back()["archive"] = name;
                if (!shared || id == 1)
                    zip.add(name, archiveOf(maps ? "encoder_attentions" : "unknown", maps));
            }
            zip.add("session.json", bytesOf(session.dump()));
            AtomicFile file(path());
            file.write(zip.finish());
            file.commit();
            if (!most) {
                const Session read = readSession(path());
                QCOMPARE(read.runs[0].archive == read.runs[2].archive, shared);
                continue;
            }
            const std::string said = refusal(path(), ErrorKind::Resource);
            QVERIFY2(said.starts_with("x.attnscope: needs about 1.")
                         && said.find("of memory, 1.0 MB are free") != std::string::npos,
                     said.c_str());
        }
    }

    void mapsOfALongRunAreComputedIntoTheFile()
    {
        const Encoding source = plainEncoding({1, 2, 3, 4, 5});
        Provenance provenance;
        provenance.kind = ModelKind::EncoderOnly;
        TraceBuilder builder(source, nullptr, provenance);
        builder.begun(source.ids, {});
        for (int layer = 0; layer < 2; ++layer)
            builder.computableAttention({{Stage::Encoder, layer}, 0, 0, {}, {}},
                                        std::make_shared<test::MadeMaps>(3, 5, 5, true));
        builder.finished({});
        Session session = twoRuns();
        session.runs.front().trace = builder.snapshot();
        writeSession(path(), session);
        QCOMPARE(
            QDir(QString::fromStdString(path().parent_path().string())).entryList(QDir::Files | QDir::Hidden).size(),
            qsizetype{1});
        const Session read = readSession(path());
        const Trace& trace = read.runs.front().trace;
        for (int layer = 0; layer < 2; ++layer) {
            const Numbers map = trace.matrix({Stage::Encoder, layer}, 2);
            const Numbers scores = trace.scores({Stage::Encoder, layer}, 2);
            QCOMPARE(map.rows, 5);
            QCOMPARE(map.at(4, 1), test::MadeMaps::weight(2, 4, 1));
            QCOMPARE(scores.at(1, 4), test::MadeMaps::score(2, 1, 4));
        }
    }

    void everythingIsReadAgain()
    {
        writeSession(path(), twoRuns());
        writeSession(path("again.attnscope"), readSession(path()));
        for (const auto& file : {path(), path("again.attnscope")}) {
            const Session read = readSession(file);
            const Session expected = twoRuns();
            QVERIFY(!read.program.empty());
            QCOMPARE(read.model.path, expected.model.path);
            QCOMPARE(read.model.weightsSha256, expected.model.weightsSha256);
            QCOMPARE(read.model.others, expected.model.others);
            QCOMPARE(read.runs.size(), std::size_t{2});
            const SessionRun& child = *findRun(read, 7);
            QCOMPARE(child.parent, std::optional(1));
            QCOMPARE(child.change, expected.runs[1].change);
            QCOMPARE(child.note, expected.runs[1].note);
            QCOMPARE(child.others, expected.runs[1].others);
            QVERIFY(child.question == expected.runs[1].question);
            QCOMPARE(child.trace.target().ids, (std::vector<TokenId>{7, 8}));
            QCOMPARE(child.trace.step(StepId{1}).step.logProbability, -0.25F);
            QCOMPARE(child.trace.matrix({Stage::Cross, 0}, 0).values, NumberVector<float>(4, 0.5F));
            QCOMPARE(read.shown.run, std::optional(7));
            QCOMPARE(read.shown.against, std::optional(1));
            QVERIFY(read.shown.site == expected.shown.site && read.shown.head == expected.shown.head);
            QCOMPARE(read.shown.step, std::optional(1));
            QCOMPARE(read.shown.others, expected.shown.others);
            QCOMPARE(read.view, expected.view);
            QCOMPARE(read.others, expected.others);
        }
    }

    void archivesAndEntriesThatAreNotKnownStayAsTheyAre()
    {
        const std::vector<std::byte> archive = archiveBytes(translation({-1}));
        ZipWriter zip(Compression::Deflated);
        zip.add("session.json", bytesOf(plainJson().dump()));
        zip.add("runs/1.npz", archive);
        zip.add("notes/plan.txt", bytesOf("by hand"));
        AtomicFile file(path());
        file.write(zip.finish());
        file.commit();
        writeSession(path(), readSession(path()));
        const ZipReader read(path());
        for (const auto& [name, expected] : {std::pair(std::string("runs/1.npz"), archive),
                                             std::pair(std::string("notes/plan.txt"), bytesOf("by hand"))}) {
            const ByteSource source = read.open(name, 1'000'000);
            std::vector<std::byte> found(source.size);
            source.read(found);
            QVERIFY2(found == expected, name.c_str());
        }
    }

    void aRunWithoutAQuestionIsAnArchive()
    {
        const Session read = readSession(written(plainJson()));
        QVERIFY(!read.runs.front().question);
        QCOMPARE(read.runs.front().trace.source().size(), std::size_t{2});
        QVERIFY(!read.shown.run);
    }

    void aParentMayStandBehindItsChild()
    {
        Json json = plainJson();
        json["runs"] = {runJson(2, 5), runJson(5, nullptr)};
        QCOMPARE(readSession(written(json)).runs.front().parent, std::optional(5));
    }

    void theEndingTellsASession()
    {
        QVERIFY(isSessionPath("a/b.attnscope") && isSessionPath("B.ATTNSCOPE"));
        QVERIFY(!isSessionPath("attnscope") && !isSessionPath("a.npz"));
    }

    void whatMakesNoSenseIsNamed_data()
    {
        QTest::addColumn<QString>("json"); // merged into a good file
        QTest::addColumn<QString>("named"); // in the message
        const auto row = [](const char* name, const char* json, const char* named) {
            QTest::newRow(name) << QString::fromUtf8(json) << QString::fromUtf8(named);
        };
        row("another format", R"({"format": "zip"})", "format: expected \"attnscope-session\"");
        row("no format", R"({"format": null})", "format: expected");
        row("no version", R"({"version": null})", "version: expected an integer");
        row("version 0", R"({"version": 0})", "version: expected an integer");
        row("version as text", R"({"version": "1"})", "version: expected an integer");
        row("no runs", R"({"runs": null})", "runs: expected a list");
        row("runs as an object", R"({"runs": {}})", "runs: expected a list");
        row("run as a number", R"({"runs": [1]})", "runs[0]: expected a JSON object");
        row("two runs with one id", R"({"runs": [{"id":1,"archive":"runs/1.npz"},{"id":1,"archive":"runs/1.npz"}]})",
            "runs[1]: has the id 1");
        row("huge id", R"({"runs": [{"id":99999999999999999999999}]})", "runs[0].id: expected an integer");
        row("id 0", R"({"runs": [{"id":0}]})", "runs[0].id: expected an integer");
        row("id 1.5", R"({"runs": [{"id":1.5}]})", "runs[0].id: expected an integer");
        row("missing parent", R"({"runs": [{"id":1,"parent":9,"archive":"runs/1.npz"}]})", "run 9, which is not in");
        row("its own parent", R"({"runs": [{"id":1,"parent":1,"archive":"runs/1.npz"}]})", "run 1, which comes from");
        row("a cycle of parents",
            R"({"runs": [{"id":1,"parent":2,"archive":"runs/1.npz"},{"id":2,"parent":3,"archive":"runs/1.npz"},
                         {"id":3,"parent":2,"archive":"runs/1.npz"}]})",
            "which comes from itself");
        row("missing archive", R"({"runs": [{"id":1,"archive":"runs/2.npz"}]})", "holds no \"runs/2.npz\"");
        row("no archive", R"({"runs": [{"id":1}]})", "runs[0].archive: expected a text");
        row("archive above", R"({"runs": [{"id":1,"archive":"../1.npz"}]})", "runs[0].archive: expected the name");
        row("archive above, inside", R"({"runs": [{"id":1,"archive":"runs/../../1.npz"}]})", "runs[0].archive");
        row("absolute archive", R"({"runs": [{"id":1,"archive":"/etc/passwd"}]})", "runs[0].archive");
        row("archive with a backslash", R"({"runs": [{"id":1,"archive":"..\\1.npz"}]})", "runs[0].archive");
        row("archive that is none", R"({"runs": [{"id":1,"archive":"session.json"}]})", "session.json");
        row("question as a text", R"({"runs": [{"id":1,"question":"why"}]})", "runs[0].question: expected an object");
        row("broken question", R"({"runs": [{"id":1,"question":{"beam":1e300},"archive":"runs/1.npz"}]})", "beam");
        row("shown run", R"({"shown": {"run": 2}})", "shown: run: run 2 is not in the file");
        row("compared run", R"({"shown": {"against": 2}})", "shown: against: run 2 is not in the file");
        row("huge step", R"({"shown": {"step": 1e300}})", "shown.step: expected an integer");
        row("site", R"({"shown": {"site": "sideways:1"}})", "sideways");
        row("huge head", R"({"shown": {"head": 99999999999999}})", "head");
        row("view", R"({"view": []})", "view: expected an object");
        row("note", R"({"runs": [{"id":1,"note":[],"archive":"runs/1.npz"}]})", "runs[0].note: expected a text");
    }

    void whatMakesNoSenseIsNamed()
    {
        QFETCH(QString, json);
        QFETCH(QString, named);
        Json whole = plainJson();
        whole.update(Json::parse(json.toStdString()));
        const QString message = QString::fromStdString(refusal(written(whole)));
        QVERIFY2(message.contains(named) && message.startsWith(QLatin1String("x.attnscope")), qPrintable(message));
    }

    void aNewerVersionIsRefusedByName()
    {
        for (const char* version : {"2", "4000000000", "1e300"}) {
            Json json = plainJson();
            json["version"] = Json::parse(version);
            json["program"] = "9.1.2";
            const QString message = QString::fromStdString(refusal(written(json), ErrorKind::Unsupported));
            QVERIFY2(message.contains(QLatin1String("9.1.2")), qPrintable(message));
        }
    }

    void anEntryThatLeadsOutsideIsRefused()
    {
        Json json = plainJson();
        json["runs"] = Json::array();
        for (const char* name : {"../evil", "/evil", "a/../../evil"})
            QVERIFY2(!refusal(written(json, name)).empty(), name);
    }

    void aFileThatEndsAnywhereIsRefused()
    {
        writeSession(path("whole.attnscope"), twoRuns());
        QFile whole(QString::fromStdString(path("whole.attnscope").string()));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        for (qsizetype size = 0; size < bytes.size(); size += 1 + size / 97) {
            QFile cut(QString::fromStdString(path().string()));
            QVERIFY(cut.open(QIODevice::WriteOnly | QIODevice::Truncate));
            cut.write(bytes.first(size));
            cut.close();
            QVERIFY2(!refusal(path()).empty(), QByteArray::number(size));
        }
    }

    void aFlippedByteNeverCrashes()
    {
        writeSession(path("whole.attnscope"), twoRuns());
        QFile whole(QString::fromStdString(path("whole.attnscope").string()));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        int refused = 0;
        for (qsizetype place = 0; place < bytes.size(); place += 3) {
            QByteArray other = bytes;
            other[place] = static_cast<char>(other[place] ^ 0x15);
            QFile file(QString::fromStdString(path().string()));
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(other);
            file.close();
            try {
                (void)readSession(path());
            } catch (const Error&) {
                ++refused;
            }
        }
        QVERIFY(refused > 0);
    }

    void whatIsNoSessionIsSaid()
    {
        QFile(QString::fromStdString(path().string())).remove();
        QVERIFY(!refusal(path(), ErrorKind::File).empty());
        ZipWriter zip(Compression::Stored);
        zip.add("other.json", bytesOf("{}"));
        AtomicFile file(path());
        file.write(zip.finish());
        file.commit();
        QVERIFY(QString::fromStdString(refusal(path())).contains(QLatin1String("session.json")));
    }

    void writingThatFailsLeavesTheOldFile()
    {
        writeSession(path(), twoRuns());
        QVERIFY_EXCEPTION_THROWN(writeSession(path("none/x.attnscope"), twoRuns()), Error);
        Session broken = twoRuns();
        broken.runs[1].id = 1; // one name for two entries
        QVERIFY_EXCEPTION_THROWN(writeSession(path(), broken), Error);
        QCOMPARE(readSession(path()).runs.size(), std::size_t{2});
    }
};

ATTN_TEST(TestSession)
#include "tst_session.moc"
