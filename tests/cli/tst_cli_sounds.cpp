// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/media_case.h"
#include "support/test_program.h"
#include "support/wav_bytes.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <vector>

using namespace attn;
using namespace attn::test;

namespace {

QString soundModel(const char* name)
{
    return MediaCase(QStringLiteral("sounds"), QString::fromLatin1(name)).folder();
}

QByteArray wavFile(const std::vector<double>& samples, const WavFormat& format = {})
{
    const auto bytes = wavBytes(samples, format);
    return {reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes)};
}

QJsonObject metadataOf(const NpzReader& archive)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(archive.find("metadata")->texts().front())).object();
}

} // namespace

// Every case below tests/data/sounds against what another implementation computed with PyTorch, and sounds of all
// kinds.
class TestCliSounds : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    // whisper-end-after-time hears a second.
    CommandResult traced(const QByteArray& sound, const QStringList& options = {}) const
    {
        QFile::remove(path("out.npz"));
        write(path("sound.wav"), sound);
        return runProgram(QStringList{QStringLiteral("trace"), soundModel("whisper-end-after-time"),
                                      QStringLiteral("--audio"), path("sound.wav"), QStringLiteral("--max-length"),
                                      QStringLiteral("4"), QStringLiteral("--output"), path("out.npz")}
                          + options);
    }

private Q_SLOTS:
    void everyArrayIsAsExpected_data()
    {
        MediaCase::addRuns(QStringLiteral("sounds"));
        QVERIFY(MediaCase::names(QStringLiteral("sounds")).size() >= 6);
    }
    void everyArrayIsAsExpected()
    {
        QFETCH(QString, name);
        QFETCH(QString, run);
        MediaCase(QStringLiteral("sounds"), name).compareRun(run);
    }

    void soundsOfAllKindsAreRead_data()
    {
        QTest::addColumn<QByteArray>("sound");
        QTest::addColumn<int>("samples"); // that the model reads
        QTest::newRow("silence") << wavFile(std::vector<double>(8000)) << 8000;
        QTest::newRow("10 ms") << wavFile(tone(300, 0.01, 16000)) << 160;
        QTest::newRow("one sample") << wavFile({0.5}) << 1;
        QTest::newRow("7 channels") << wavFile(std::vector<double>(7 * 400, 0.1), {.channels = 7}) << 400;
        QTest::newRow("8 bits, 8 kHz") << wavFile(tone(300, 0.5, 8000), {.rate = 8000, .bits = 8}) << 8000;
        QTest::newRow("24 bits, 192 kHz") << wavFile(tone(300, 0.1, 192000), {.rate = 192000, .bits = 24}) << 1600;
        QTest::newRow("louder than loud") << wavFile({5, -5, 5}, {.bits = -32}) << 3;
        QTest::newRow("a lying length") << wavFile(tone(300, 0.1, 16000), {.claimedBytes = 0xFFFFFFF0U}) << 1600;
    }
    void soundsOfAllKindsAreRead()
    {
        QFETCH(QByteArray, sound);
        QFETCH(int, samples);
        const CommandResult result = traced(sound, {QStringLiteral("--hidden")});
        QVERIFY2(result.status == 0, result.errors);
        const NpzReader archive(path("out.npz").toStdString());
        QCOMPARE(archive.find("source_audio")->shape(), (NpyArray::Shape{samples}));
        for (const char* name : {"source_audio", "input_features", "cross_attentions"}) {
            for (const float value : archive.find(name)->floats())
                QVERIFY2(std::isfinite(value), name);
        }
    }

    void soundsThatAreNotReadAreNamed_data()
    {
        addColumns<QByteArray, QByteArray>("sound", "said");
        QTest::newRow("no samples") << wavFile({}) << QByteArray("empty");
        QTest::newRow("nothing") << QByteArray() << QByteArray("empty");
        QTest::newRow("NaN") << wavFile({0, std::nan("")}, {.bits = -32}) << QByteArray("NaN");
        QTest::newRow("a text") << QByteArray("four three three one\n") << QByteArray("text");
        QTest::newRow("a picture") << QByteArray("\x89PNG\r\n\x1A\n....") << QByteArray("PNG");
    }
    void soundsThatAreNotReadAreNamed()
    {
        QFETCH(QByteArray, sound);
        QFETCH(QByteArray, said);
        const CommandResult result = traced(sound);
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains(said), result.errors);
        QVERIFY2(result.errors.contains("sound.wav"), result.errors);
        QVERIFY(!QFile::exists(path("out.npz")));
    }

    void whatIsLongerIsLeftOutAndSaid()
    {
        const QByteArray sound = wavFile(tone(300, 30 * 60, 8000), {.rate = 8000, .bits = 8}); // half an hour
        const CommandResult result = traced(sound, {QStringLiteral("--start"), QStringLiteral("1700.25")});
        QVERIFY2(result.status == 0, result.errors);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains("98.75"), result.errors);
        const NpzReader archive(path("out.npz").toStdString());
        QCOMPARE(archive.find("source_audio")->shape(), (NpyArray::Shape{16000}));
        const QJsonObject about = metadataOf(archive)[QStringLiteral("audio")].toObject();
        QCOMPARE(about[QStringLiteral("file")].toString(), QStringLiteral("sound.wav"));
        QCOMPARE(about[QStringLiteral("rate")].toInt(), 8000);
        QCOMPARE(about[QStringLiteral("seconds")].toDouble(), 1800.0);
        QCOMPARE(about[QStringLiteral("start")].toDouble(), 1700.25);
        QCOMPARE(about[QStringLiteral("sha256")].toString().size(), 64);
        const CommandResult beyond = traced(sound, {QStringLiteral("--start"), QStringLiteral("1800")});
        QVERIFY2(beyond.status == 1 && beyond.errors.contains("start"), beyond.errors);
    }

    void anArchiveOpensWithItsTimes()
    {
        const MediaCase sound(QStringLiteral("sounds"), QStringLiteral("whisper-end-after-time"));
        QCOMPARE(runProgram(sound.arguments(QStringLiteral("forced"), path("a.npz"))).status, 0);
        const CommandResult info = runProgram({QStringLiteral("info"), path("a.npz")});
        QVERIFY2(info.status == 0, info.errors);
        const CommandResult again =
            runProgram({QStringLiteral("trace"), path("a.npz"), QStringLiteral("--output"), path("again.npz")});
        QVERIFY2(again.status == 0, again.errors);
        const NpzReader before(path("a.npz").toStdString());
        const NpzReader after(path("again.npz").toStdString());
        for (const char* name : {"source_spans", "target_spans", "source_audio"})
            QCOMPARE(compare(after.find(name)->floats(), before.find(name)->floats()).largest, 0.0);
        const CommandResult without = runProgram(
            sound.arguments(QStringLiteral("forced"), path("b.npz"))
            + QStringList{QStringLiteral("--no-source"), QStringLiteral("--encoder-maps"), QStringLiteral("off")});
        QVERIFY2(without.status == 0, without.errors);
        const NpzReader archive(path("b.npz").toStdString());
        QVERIFY(!archive.contains("source_audio") && !archive.contains("encoder_attentions"));
        QVERIFY(archive.contains("source_spans") && archive.contains("target_spans"));
    }

    void theOptionThatIsMeantIsNamed_data()
    {
        addColumns<QStringList, QByteArray>("options", "named");
        const QStringList audio{QStringLiteral("--audio"),
                                MediaCase(QStringLiteral("sounds"), QStringLiteral("whisper-english")).folder()
                                    + QStringLiteral("/sound.wav")};
        QTest::newRow("text") << words("--text hello") << QByteArray("--audio");
        QTest::newRow("picture") << words("--image x.png") << QByteArray("--audio");
        QTest::newRow("start alone") << words("--text a --start 1") << QByteArray("--start");
        QTest::newRow("language") << audio + words("--source-language fr") << QByteArray("--source-language");
        QTest::newRow("target language") << audio + words("--target-language fr") << QByteArray("--target-language");
        QTest::newRow("task") << audio + words("--task translate") << QByteArray("--task");
        QTest::newRow("grey") << audio + words("--edit source:3=grey") << QByteArray("grey");
        QTest::newRow("another token") << audio + words("--edit source:3=token:5") << QByteArray("--edit");
        QTest::newRow("no such column") << audio + words("--edit source:50=hide") << QByteArray("--edit");
    }
    void theOptionThatIsMeantIsNamed()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, named);
        const CommandResult result = runProgram(QStringList{QStringLiteral("trace"), soundModel("whisper-english"),
                                                            QStringLiteral("--output"), path("x.npz")}
                                                + options);
        QVERIFY2(result.status == 2 && result.hasOneErrorLine() && result.errors.contains(named), result.errors);
    }

    void modelsOfTextsHaveNoTasksAndNoTimes()
    {
        for (const char* option : {"--timestamps", "--task=translate"}) {
            const CommandResult result = runProgram(
                {QStringLiteral("trace"), QStringLiteral("transformer-en-fr"), QStringLiteral("--text"),
                 QStringLiteral("a"), QString::fromLatin1(option), QStringLiteral("--output"), path("x.npz")});
            QVERIFY2(result.status == 2 && result.hasOneErrorLine(), result.errors);
        }
    }

    // Two and a half seconds are three parts for a model that hears one at a time.
    void longSoundsAreReadPartByPart()
    {
        write(path("long.wav"), wavFile(tone(300, 2.5, 16000)));
        write(path("short.wav"), wavFile(tone(500, 0.25, 16000)));
        write(path("list.txt"), "long.wav\nmissing.wav\nshort.wav\n");
        const QStringList batch{QStringLiteral("batch"),        soundModel("whisper-end-after-time"),
                                QStringLiteral("--audios"),     path("list.txt"),
                                QStringLiteral("--output"),     path("out.jsonl"),
                                QStringLiteral("--max-length"), QStringLiteral("4")};
        const CommandResult result = runProgram(batch);
        QCOMPARE(result.status, 1); // the file that is missing
        QList<QByteArray> lines = read(path("out.jsonl")).split('\n');
        QCOMPARE(lines.size(), 6);
        const QList<std::pair<QByteArray, double>> expected{
            {"long.wav", 0}, {"long.wav", 1}, {"long.wav", 2}, {"missing.wav", 0}, {"short.wav", 0}};
        for (qsizetype i = 0; i < expected.size(); ++i) {
            const QJsonObject line = QJsonDocument::fromJson(lines[i]).object();
            QCOMPARE(line[QStringLiteral("audio")].toString().toUtf8(), expected[i].first);
            QCOMPARE(line[QStringLiteral("start")].toDouble(), expected[i].second);
            QCOMPARE(line.contains(QStringLiteral("error")), expected[i].first == "missing.wav");
            QCOMPARE(line.contains(QStringLiteral("words")), expected[i].first != "missing.wav");
            QVERIFY(!line.contains(QStringLiteral("source_tokens")));
        }
    }

    void whatAModelHearsIsInfo()
    {
        const CommandResult info = runProgram({QStringLiteral("info"), soundModel("whisper-two-seconds")});
        QVERIFY2(info.status == 0, info.errors);
        QVERIFY2(info.output.contains("sound") && info.output.contains("80 bands")
                     && info.output.contains("100 columns"),
                 info.output);
        const CommandResult heads =
            runProgram({QStringLiteral("heads"), soundModel("whisper-english"), QStringLiteral("--audio"),
                        soundModel("whisper-english") + QStringLiteral("/sound.wav"), QStringLiteral("--output"),
                        path("heads.json")});
        QVERIFY2(heads.status == 0, heads.errors);
        QCOMPARE(QJsonDocument::fromJson(read(path("heads.json"))).array().size(), 18);
        const CommandResult ground = runProgram(
            {QStringLiteral("ground"), soundModel("whisper-english"), QStringLiteral("--scenes"), path("list.txt")});
        QVERIFY2(ground.status == 2 && ground.hasOneErrorLine(), ground.errors);
    }
};

ATTN_TEST(TestCliSounds)

#include "tst_cli_sounds.moc"
