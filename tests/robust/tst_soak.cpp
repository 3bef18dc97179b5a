// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/number_memory.h"
#include "support/memory_used.h"
#include "ui/window/window_fixture.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QSpinBox>

#include <algorithm>
#include <array>
#include <cstdio>
#include <malloc.h>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

namespace {

bool isThorough()
{
    return qEnvironmentVariableIsSet("ATTNSCOPE_THOROUGH");
}

// What is done by chance, but the same every time.
class Hands
{
public:
    Hands(WindowFixture& fixture, quint32 seed)
        : m_fixture(fixture)
        , m_random(seed)
    {
    }

    int upTo(int bound) { return m_random.bounded(bound); }

    QString sentence()
    {
        QString text;
        for (int words = 1 + upTo(8); words > 0; --words)
            text += QStringLiteral("s%1 ").arg(4 + upTo(90));
        return text;
    }

    void type()
    {
        auto* box = m_fixture.find<QLineEdit>("sentence");
        m_fixture.type(sentence());
        QTest::keyClick(box, Qt::Key_Return);
    }

    // A moment in which what is on its way goes on.
    void wait(int mostMilliseconds)
    {
        QElapsedTimer timer;
        timer.start();
        const int until = upTo(mostMilliseconds + 1);
        do
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        while (timer.elapsed() < until);
    }

    void look()
    {
        auto* tabs = m_fixture.find<QTabWidget>("viewTabs");
        const int index = upTo(tabs->count());
        if (tabs->isTabVisible(index) && tabs->isTabEnabled(index))
            QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, Qt::NoModifier, tabs->tabBar()->tabRect(index).center());
        if (auto* view = qobject_cast<FigureView*>(tabs->currentWidget()); view != nullptr && view->isVisible()) {
            const QPoint place(upTo(view->width()), upTo(view->height()));
            QTest::mouseMove(view, place);
            QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, place);
            QTest::keyClick(view,
                            std::array{Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home}[upTo(5)]);
        }
    }

    void edit()
    {
        FigureView& view = m_fixture.window->heatmap();
        m_fixture.showTab("heatmap");
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {upTo(view.width()), upTo(view.height())});
        QTest::keyClick(&view, std::array{Qt::Key_H, Qt::Key_Z, Qt::Key_U, Qt::Key_O, Qt::Key_T}[upTo(5)]);
    }

    void press(const char* action)
    {
        QAction* const found = m_fixture.action(action);
        if (!found->isEnabled())
            return;
        m_fixture.window->activateWindow();
        const QKeySequence keys = found->shortcut();
        QTest::keySequence(m_fixture.window.get(), keys);
    }

    void something()
    {
        constexpr std::array keys = {"undoAction",      "redoAction",      "runAction",       "maskAction",
                                     "drawAgainAction", "nextTokenAction", "copyImageAction", "saveAction",
                                     "zoomInAction",    "zoomOutAction",   "backStepAction",  "lastStepAction"};
        switch (upTo(10)) {
        case 0:
            m_fixture.choose("modelPicker", std::array{"recurrent", "transformer", "endless"}[upTo(3)]);
            break;
        case 1:
            edit();
            break;
        case 2:
        case 3:
            look();
            break;
        case 4:
            press("exportAction");
            break;
        case 5:
            m_fixture.window->resize(700 + upTo(700), 500 + upTo(400));
            break;
        case 6:
            m_fixture.window->open(m_fixture.broken);
            break;
        default:
            press(keys[upTo(static_cast<int>(keys.size()))]);
        }
    }

private:
    WindowFixture& m_fixture;
    QRandomGenerator m_random;
};

std::size_t heldMemory()
{
    releaseFreedNumbers();
    ::malloc_trim(0);
    return test::memoryOf("VmRSS");
}

} // namespace

// Hours of use in minutes: nothing hangs, nothing is lost, nothing piles up.
class TestSoak : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cancelledAtAnyMoment()
    {
        WindowFixture fixture;
        fixture.open();
        Hands hands(fixture, 1);
        auto& controller = fixture.window->controller();
        QSignalSpy finished(&controller, &RunController::finished);
        QSignalSpy cancelled(&controller, &RunController::cancelled);
        auto* length = fixture.find<QSpinBox>("max-length");
        length->setValue(100'000);
        const int times = isThorough() ? 1000 : 20;
        for (int i = 0; i < times; ++i) {
            fixture.choose("modelPicker", i % 2 == 0 ? "endless" : "recurrent"); // starts a run
            hands.type();
            hands.wait(30);
            const bool wasBusy = controller.busy();
            const qsizetype before = cancelled.count();
            QTest::keyClick(fixture.find<QLineEdit>("sentence"), Qt::Key_Escape);
            QCOMPARE(cancelled.count(), before + (wasBusy ? 1 : 0));
            QVERIFY(!controller.busy());
        }
        length->setValue(20);
        fixture.choose("modelPicker", "recurrent");
        hands.type();
        QTRY_VERIFY(!controller.busy());
        QVERIFY(fixture.trace().target().size() > 0);
    }

    // It is gone within a second, and so is its work; only what is being written is written to its end.
    void aWindowClosesAtAnyMoment()
    {
        QImageReader::setAllocationLimit(0); // long runs are high pictures
        WindowFixture fixture;
        qint64 longest = 0;
        const int times = isThorough() ? 200 : 6;
        for (int i = 0; i < times; ++i) {
            fixture.answers->choice = ExportChoice{fixture.path(QStringLiteral("x.png")), {}};
            fixture.answers->session = fixture.path(QStringLiteral("x.attnscope"));
            fixture.answers->save = SaveAnswer::Discard;
            fixture.show(i % 3 == 0 ? QStringLiteral("transformer") : QStringLiteral("endless"),
                         QStringLiteral("s4 s5 s6"));
            fixture.find<QSpinBox>("max-length")->setValue(100'000);
            Hands hands(fixture, static_cast<quint32>(i));
            hands.type();
            hands.wait(150);
            const bool writes = i % 2 == 0;
            if (writes)
                hands.press(i % 4 == 0 ? "exportAction" : "saveAction");
            hands.wait(50);
            QElapsedTimer timer;
            timer.start();
            QVERIFY(fixture.window->close());
            const qint64 closed = timer.elapsed();
            fixture.window.reset();
            longest = std::max(longest, writes ? closed : timer.elapsed());
            const QString picture = fixture.path(QStringLiteral("x.png"));
            QVERIFY(!QFile::exists(picture) || !QImage(picture).isNull());
        }
        std::printf("the slowest of %d windows closed in %lld ms\n", times, static_cast<long long>(longest));
        QVERIFY(longest < (isThorough() ? 1000 : 20'000)); // in ./test others may be at work
    }

    void memoryComesBack()
    {
        WindowFixture fixture;
        fixture.open();
        fixture.answers->choice = ExportChoice{fixture.path(QStringLiteral("x.png")), {}};
        fixture.answers->session = fixture.path(QStringLiteral("x.attnscope"));
        fixture.answers->save = SaveAnswer::Discard;
        fixture.window->guardSessions();
        fixture.window->activateWindow();
        Hands hands(fixture, 5);
        auto& controller = fixture.window->controller();
        int runs = 0;
        connect(&controller, &RunController::started, this, [&runs] { ++runs; });
        // The runs that are kept are of all lengths, so that what they take goes up and down.
        std::size_t warm = 0;
        const int wanted = isThorough() ? 10'000 : 60;
        for (int looked = 0; runs < wanted;) {
            hands.something();
            hands.wait(10);
            hands.type();
            if (hands.upTo(3) > 0)
                QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 60'000);
            if (!isThorough() || runs < looked + 100)
                continue;
            looked = runs;
            if (runs < wanted / 5)
                warm = std::max(warm, heldMemory());
            std::printf("%d runs, %zu MB\n", runs, heldMemory() >> 20U);
            std::fflush(stdout);
        }
        fixture.choose("modelPicker", "recurrent");
        hands.type();
        QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 60'000);
        QVERIFY(fixture.trace().target().size() > 0);
        const std::size_t held = heldMemory();
        fixture.window.reset();
        std::printf("%zu MB at most in the first fifth, %zu MB after %d runs\n", warm >> 20U, held >> 20U, runs);
        if (isThorough())
            QVERIFY(static_cast<double>(held) < static_cast<double>(warm) * 1.05);
    }
};

QTEST_MAIN(TestSoak)

#include "tst_soak.moc"
