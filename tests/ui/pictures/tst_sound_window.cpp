// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/token_figure.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"
#include "window/opening.h"

#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
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
        QVERIFY(desk.view().isVisible()); // it came to the front
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
        QVERIFY(!desk.window->selection().plays());
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

    void aModelOfTextsSaysThatItHearsNone()
    {
        test::WindowFixture fixture;
        fixture.open();
        fixture.window->open(whisperFolder() + QStringLiteral("/sound.wav"));
        QVERIFY(fixture.window->message().contains(QStringLiteral("sound.wav")));
        fixture.window->open(whisperFolder()); // which then hears it at once
        QTRY_VERIFY(!fixture.trace().source().times.empty());
    }

    void whatIsNoSoundIsRefused()
    {
        const SoundDesk desk;
        const QString path = desk.path(QStringLiteral("text.wav"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("only words");
        file.close();
        desk.dropFile(path);
        QVERIFY(desk.window->message().contains(QStringLiteral("text.wav")));
        QVERIFY(desk.trace().source().times.empty());
    }
};

ATTN_GUI_TEST(TestSoundWindow)
#include "tst_sound_window.moc"
