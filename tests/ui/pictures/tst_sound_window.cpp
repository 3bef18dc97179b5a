// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/encoding.h"
#include "figures/export/figure_export.h"
#include "figures/parts/token_figure.h"
#include "inference/answer.h"
#include "nn/engine.h"
#include "panels/step_panel.h"
#include "pictures/picture_file.h"
#include "session/session.h"
#include "support/test_program.h"
#include "support/wav_bytes.h"
#include "ui/window/window_fixture.h"
#include "window/opening.h"

#include <QAction>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QTemporaryDir>
#include <QUrl>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
extern const FigureKind decodingKind;
extern const FigureKind pictureKind;
extern const FigureKind soundKind;
} // namespace attn::ui

namespace {

constexpr QSizeF soundRoom(700, 0); // as high as all words need

QString whisperFolder()
{
    return QStringLiteral(ATTN_TEST_DATA "/sounds/whisper-english");
}

// A window with a model of speech, and what is seen of a sound.
class SoundDesk : public test::WindowFixture
{
public:
    SoundDesk()
    {
        open();
        window->open(whisperFolder());
        settle();
    }

    void dropSound() const { dropFile(whisperFolder() + QStringLiteral("/sound.wav")); }

    FigureView& view() const { return *find<FigureView>("soundView"); }

    const TokenFigure& figure() const
    {
        view().grab();
        return dynamic_cast<const TokenFigure&>(*view().figure());
    }

    void clickOn(TokenPlace place) const
    {
        QTest::mouseClick(&view(), Qt::LeftButton, {}, figure().rectOf(place).center().toPoint());
    }
};

std::unique_ptr<const Figure> soundFigure(const Trace& trace, Site site, std::optional<int> step = {})
{
    FigureSpec spec;
    spec.kind = &soundKind;
    spec.site = site;
    spec.head = HeadReading(0);
    spec.currentStep = step;
    return layoutFigure(spec, trace, soundRoom);
}

} // namespace

// Sounds in the window: dropped, shown with the words that were heard, clicked and refused.
class TestSoundWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDroppedSoundIsHeardAndShown()
    {
        const SoundDesk desk;
        QVERIFY(desk.trace().source().times.empty()); // nothing was heard yet
        desk.dropSound();
        const Trace& trace = desk.trace();
        QVERIFY(!trace.source().times.empty());
        QVERIFY(trace.steps() > 0);
        QTRY_VERIFY(desk.view().isVisible()); // it came to the front
        QCOMPARE(desk.figure().rows(), trace.steps());
        QCOMPARE(desk.find<QLineEdit>("sentence")->text(), QStringLiteral("sound.wav"));
        QVERIFY(!desk.find<QLineEdit>("sentence")->isEnabled());
    }

    void momentsLieWhereTheirTimesSay()
    {
        const SoundDesk desk;
        desk.dropSound();
        const Trace& trace = desk.trace();
        const auto made = soundFigure(trace, {Stage::Cross, 0});
        const auto& figure = dynamic_cast<const TokenFigure&>(*made);
        const std::vector<TimeSpan>& times = trace.source().times;
        const double seconds = static_cast<double>(trace.media()->audio->size()) / trace.media()->rate;
        const QRectF first = figure.rectOf({TokenSide::Columns, 0});
        const double second = first.width() / static_cast<double>(times.front().end - times.front().begin);
        for (int column = 0; column < figure.columns(); ++column) {
            const TimeSpan& time = times.at(static_cast<std::size_t>(column));
            const QRectF box = figure.rectOf({TokenSide::Columns, column});
            QCOMPARE(box.isNull(), static_cast<double>(time.begin) >= seconds);
            if (box.isNull())
                continue;
            QVERIFY(std::abs(box.left() - first.left() - second * static_cast<double>(time.begin)) < 1e-2);
            QCOMPARE(figure.hitTest(box.center()).column, std::optional(column));
        }
        for (int row = 0; row < figure.rows(); ++row) {
            const QRectF lane = figure.rectOf({TokenSide::Rows, row});
            QVERIFY(lane.top() >= first.bottom());
            QCOMPARE(figure.hitTest(lane.center()).row, std::optional(row));
        }
    }

    // An archive has a span of it, from the last word to the end of the sound.
    void theEndIsSaidAtNoTime()
    {
        Engine engine(2);
        Question question;
        question.model = ATTN_SOURCE_DIR "/resources/models/whisper-digits";
        question.audio = question.model + "/six-six.wav";
        const Trace trace = answer(question, loadModel(question.model, engine), engine);
        FigureSpec spec;
        spec.kind = &soundKind;
        spec.head = HeadReading(0);
        spec.specials = SpecialTokens::Shown;
        const auto made = layoutFigure(spec, trace, soundRoom);
        const auto& figure = dynamic_cast<const TokenFigure&>(*made);
        const Encoding target = trace.target();
        QCOMPARE(figure.rows(), static_cast<int>(target.size()));
        const int end = figure.rows() - 1;
        QVERIFY(isSpecial(target, end) && target.times.back().begin < target.times.back().end);
        QVERIFY(!figure.timeOf({TokenSide::Rows, end}));
        QVERIFY(figure.timeOf({TokenSide::Rows, end - 1}));
    }

    void wordsAndMomentsAreClicked()
    {
        const SoundDesk desk;
        desk.dropSound();
        desk.clickOn({TokenSide::Rows, 1});
        QCOMPARE(desk.window->selection().step(), std::optional(1));
        QVERIFY(desk.figure().description().contains(QStringLiteral("What this listens to")));
        desk.clickOn({TokenSide::Columns, 3});
        QVERIFY(desk.figure().description().contains(QStringLiteral("What listens to this: ")
                                                     + desk.figure().columnLabels().value(3)));
        QTest::keyClick(&desk.view(), Qt::Key_Escape);
        QVERIFY(desk.figure().description().contains(QStringLiteral("What this listens to"))); // the step's
        desk.view().setFocus();
        QTest::keyClick(&desk.view(), Qt::Key_Space);
        QVERIFY(desk.window->selection().plays());
        QTest::keyClick(&desk.view(), Qt::Key_Space);
        QVERIFY(!desk.find<StepPanel>("stepPanel")->playing());
    }

    void aClickOnAWordPlaysItsSpan()
    {
        const SoundDesk desk;
        desk.dropSound();
        const auto* player = desk.find<SoundPlayer>("soundPlayer");
        const SourceMedia& media = *desk.trace().media();
        const std::vector<TimeSpan> times = desk.trace().target().times;
        const auto spoken = std::ranges::find_if(times, [](const TimeSpan& time) { return time.begin < time.end; });
        QVERIFY(spoken != times.end());
        const TokenPlace word{TokenSide::Rows, static_cast<int>(spoken - times.begin())};
        QCOMPARE(desk.figure().timeOf(word), std::optional(*spoken));
        desk.clickOn(word);
        QCOMPARE(player->wanted(), pcmOf(media, *spoken));
        QCOMPARE(player->wanted().size(), 2 * std::lround((spoken->end - spoken->begin) * float(media.rate)));
        desk.clickOn(word);
        QVERIFY(player->wanted().isEmpty());
        desk.clickOn(word);
        QVERIFY(!player->wanted().isEmpty());
        desk.clickOn({TokenSide::Columns, 3}); // a moment is not played, and takes nothing away
        QVERIFY(!player->wanted().isEmpty());
        desk.dropSound();
        QVERIFY(player->wanted().isEmpty()); // another run
    }

    void samplesArePlayedAsTheyAre()
    {
        const auto samples = std::make_shared<const std::vector<float>>(std::vector<float>{0, 1, -1, 0.5F, 7, -0.25F});
        const SourceMedia media{.audio = samples, .rate = 2};
        const auto valuesOf = [&](TimeSpan span) {
            const QByteArray bytes = pcmOf(media, span);
            std::vector<qint16> values(static_cast<std::size_t>(bytes.size()) / sizeof(qint16));
            std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data())); // NOLINT
            return values;
        };
        QCOMPARE(valuesOf({0.5F, 2.5F}), (std::vector<qint16>{32767, -32767, 16384, 32767}));
        QCOMPARE(valuesOf({2.5F, 9}), std::vector<qint16>{-8192}); // no more than there are
        QVERIFY(valuesOf({1, 1}).empty());
        QVERIFY(valuesOf({std::nanf(""), std::nanf("")}).empty());
        QVERIFY(pcmOf({}, {0, 1}).isEmpty());
    }

    // A program without Qt Multimedia and a machine without a device say so where a word would be played.
    void whatCannotBeHeardIsSaid()
    {
        const SoundDesk desk;
        const auto* player = desk.find<SoundPlayer>("soundPlayer");
        const QAction* action = desk.action("hearAction");
        QVERIFY(!action->isEnabled() && !player->ready() && player->problem().isEmpty()); // nothing was asked yet
        desk.dropSound();
        QTRY_VERIFY(player->ready() || !player->problem().isEmpty());
        const std::vector<TimeSpan> times = desk.trace().target().times;
        for (int step = 0; step < static_cast<int>(times.size()); ++step) {
            desk.window->selection().setStep(step);
            const TimeSpan& time = times[static_cast<std::size_t>(step)];
            const bool isSaid = time.begin < time.end && !isSpecial(desk.trace().target(), step);
            QCOMPARE(action->isEnabled(), player->ready() && isSaid);
        }
        QCOMPARE(action->text().contains(player->problem()), true);
        QCOMPARE(action->text().contains(u'('), !player->ready());
    }

    void momentsListenToMoments()
    {
        const SoundDesk desk;
        desk.dropSound();
        const auto made = soundFigure(desk.trace(), {Stage::Encoder, 0});
        const auto& figure = dynamic_cast<const TokenFigure&>(*made);
        QVERIFY(figure.rows() > 0);
        QVERIFY(std::ranges::none_of(figure.places(), [&](TokenPlace place) { return figure.rectOf(place).isNull(); }));
        const auto decoder = soundFigure(desk.trace(), {Stage::Decoder, 0});
        QCOMPARE(decoder->rows(), 0);
        QVERIFY(decoder->description().contains(QStringLiteral("does not listen")));
    }

    void aSessionRunsWithoutTheSoundsFile()
    {
        const SoundDesk desk;
        const QString sound = desk.path(QStringLiteral("mine.wav"));
        QVERIFY(QFile::copy(whisperFolder() + QStringLiteral("/sound.wav"), sound));
        desk.dropFile(sound);
        const Trace before = desk.trace();
        const std::string path = desk.path(QStringLiteral("mine.attnscope")).toStdString();
        writeSession(path, desk.window->study().session());
        QVERIFY(QFile::remove(sound));
        const Session read = readSession(path);
        QCOMPARE(read.runs.back().question->audio, std::optional(sound.toStdString()));
        QVERIFY(read.inputs.at(sound.toStdString()).bytes != nullptr);
        QVERIFY(*read.runs.back().trace.media()->audio == *before.media()->audio);
        desk.window->open(QString::fromStdString(path));
        desk.settle();
        desk.action("runAction")->trigger();
        desk.settle();
        QVERIFY2(desk.window->message().isEmpty(), qPrintable(desk.window->message()));
        QCOMPARE(desk.trace().target().ids, before.target().ids);
        QCOMPARE(desk.trace().media()->about, before.media()->about);
    }

    void aMomentNarrowerThanADotIsSeen()
    {
        const SoundDesk desk;
        desk.dropSound();
        const Trace& trace = desk.trace();
        FigureSpec spec;
        spec.kind = &soundKind;
        spec.head = HeadReading(0);
        const Numbers weights = trace.matrix(spec.site, 0);
        const auto most = std::ranges::max_element(weights.values);
        const auto place = static_cast<int>(most - weights.values.begin());
        const TokenPlace word{TokenSide::Rows, place / weights.columns};
        const TokenPlace moment{TokenSide::Columns, place % weights.columns};
        for (int width = 60; width < 90; ++width) {
            const auto made = layoutFigure(spec, trace, QSizeF(width, 0));
            const auto& figure = dynamic_cast<const TokenFigure&>(*made);
            const QRectF box = figure.rectOf(moment);
            QVERIFY(box.width() < 1);
            QImage image(figure.size().toSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            made->paint(painter);
            painter.end();
            const QPoint at(static_cast<int>(box.left()), static_cast<int>(figure.rectOf(word).center().y()));
            QVERIFY(image.pixelColor(at).red() < 200); // on white
        }
    }

    // Its columns are what was heard, without the silence that fills the model's window.
    void aWebPageHasTheSound()
    {
        Engine engine(2);
        Question question;
        question.model = whisperFolder().toStdString();
        question.audio = question.model + "/sound.wav";
        question.start = 1; // what is left is shorter than the window
        const Trace trace = answer(question, loadModel(question.model, engine), engine);
        const QTemporaryDir folder;
        FigureSpec spec;
        spec.kind = &soundKind;
        spec.head = HeadReading(0);
        const QString path = folder.filePath(QStringLiteral("sound.html"));
        exportFigure(path, exportable(spec, trace), {});
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray page = file.readAll();
        const QByteArray begin = R"(<script type="application/json" id="data">)";
        const qsizetype from = page.indexOf(begin) + begin.size();
        const QJsonObject data =
            QJsonDocument::fromJson(page.mid(from, page.indexOf("</script>", from) - from)).object();
        const QJsonObject picture = data[QLatin1String("picture")].toObject();
        QVERIFY(picture[QLatin1String("image")].toString().startsWith(QStringLiteral("data:image/jpeg")));
        const QJsonObject map = data[QLatin1String("maps")].toArray().first().toObject();
        const QJsonArray columns = map[QLatin1String("columns")].toArray();
        const double seconds = static_cast<double>(trace.media()->audio->size()) / trace.media()->rate;
        const auto heard = std::ranges::count_if(trace.source().times, [seconds](const TimeSpan& time) {
            return static_cast<double>(time.begin) < seconds;
        });
        QCOMPARE(columns.size(), heard);
        QVERIFY(columns.size() < std::ssize(trace.source().times));
        double right = 0;
        for (const auto& column : columns) { // one behind the other
            const QJsonArray box = picture[QLatin1String("boxes")][column.toString()].toArray();
            QVERIFY(std::abs(box[0].toDouble() - right) < 1e-3);
            right = box[2].toDouble();
        }
        QVERIFY(std::abs(right - 1) < 1e-3);
    }

    void aWebPageIsSmall_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("media");
        QTest::addRow("sound") << "whisper-digits"
                               << "three-zero-six.wav";
        QTest::addRow("picture") << "captioner-scenes"
                                 << "butterfly-between-dogs.png";
        QTest::addRow("picture of a transformer") << "vit-gpt2-scenes"
                                                  << "bus-right-of-cactus.png";
    }
    void aWebPageIsSmall()
    {
        QFETCH(QString, model);
        QFETCH(QString, media);
        Engine engine(2);
        Question question;
        question.model = ATTN_SOURCE_DIR "/resources/models/" + model.toStdString();
        (media.endsWith(QStringLiteral(".wav")) ? question.audio : question.image) =
            question.model + "/" + media.toStdString();
        const Trace trace = answer(question, loadModel(question.model, engine), engine, {.picture = readPictureFile});
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("page.html"));
        for (const FigureKind* kind : {&heatmapKind, &decodingKind, trace.media()->audio ? &soundKind : &pictureKind}) {
            FigureSpec spec;
            spec.kind = kind;
            exportFigure(path, exportable(spec, trace), {});
            QVERIFY2(QFileInfo(path).size() < 300'000, qPrintable(QString::number(QFileInfo(path).size())));
        }
    }

    void aModelOfTextsSaysThatItHearsNone()
    {
        test::WindowFixture fixture("recurrent");
        fixture.window->open(whisperFolder() + QStringLiteral("/sound.wav"));
        QVERIFY(fixture.window->message().contains(QStringLiteral("sound.wav")));
        fixture.window->open(whisperFolder()); // which then hears it at once
        QTRY_VERIFY(!fixture.trace().source().times.empty());
    }

    void whatIsNoSoundIsRefused_data()
    {
        test::addColumns<QByteArray, QString>("bytes", "said");
        const auto wav = [](const std::vector<double>& samples, int bits = 16) {
            const auto bytes = test::wavBytes(samples, {.bits = bits});
            return QByteArray(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes)); // NOLINT: its bytes
        };
        QTest::newRow("a text") << QByteArray("only words") << QStringLiteral("text");
        QTest::newRow("nothing") << QByteArray() << QStringLiteral("empty");
        QTest::newRow("no samples") << wav({}) << QStringLiteral("empty");
        QTest::newRow("NaN") << wav({0, std::nan("")}, -32) << QStringLiteral("NaN");
        QTest::newRow("cut off") << wav(test::tone(300, 1, 16000)).first(20) << QStringLiteral("no sound");
    }

    // One line says so, and what was there stays.
    void whatIsNoSoundIsRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        const SoundDesk desk;
        const QString path = desk.path(QStringLiteral("mine.wav"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        desk.dropFile(path);
        const QString message = desk.window->message();
        QVERIFY2(message.contains(QStringLiteral("mine.wav")) && message.contains(said), qPrintable(message));
        QVERIFY(!message.contains(u'\n'));
        QVERIFY(desk.trace().source().times.empty());
    }

    void unusualSoundsAreHeard_data()
    {
        test::addColumns<std::vector<std::byte>, int>("bytes", "samples"); // that the model hears
        const auto add = [](const char* name, const std::vector<double>& samples, const test::WavFormat& format,
                            int heard) { QTest::newRow(name) << test::wavBytes(samples, format) << heard; };
        add("silence", std::vector<double>(8000), {}, 8000);
        add("10 ms", test::tone(300, 0.01, 16000), {}, 160);
        add("7 channels", std::vector<double>(7 * 400, 0.1), {.channels = 7}, 400);
        add("8 bits, 8 kHz", test::tone(300, 0.5, 8000), {.rate = 8000, .bits = 8}, 8000);
        add("24 bits, 192 kHz", test::tone(300, 0.1, 192000), {.rate = 192000, .bits = 24}, 1600);
        add("a lying length", test::tone(300, 0.1, 16000), {.claimedBytes = 0xFFFFFFF0U}, 1600);
    }
    void unusualSoundsAreHeard()
    {
        QFETCH(std::vector<std::byte>, bytes);
        QFETCH(int, samples);
        const SoundDesk desk;
        const QString path = desk.path(QStringLiteral("mine.wav"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes)); // NOLINT: its bytes
        file.close();
        desk.dropFile(path);
        QVERIFY2(desk.window->message().isEmpty(), qPrintable(desk.window->message()));
        QCOMPARE(std::ssize(*desk.trace().media()->audio), samples);
        QVERIFY(!desk.view().grab().isNull() && desk.figure().rows() > 0);
    }
};

ATTN_GUI_TEST(TestSoundWindow)
#include "tst_sound_window.moc"
