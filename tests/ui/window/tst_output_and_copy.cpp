// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/run_words.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"
#include "views/token_view.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QThreadPool>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

// What the model wrote as text, and numbers that are copied out of the views.
class TestOutputAndCopy : public QObject
{
    Q_OBJECT

    static QString clipboard() { return QGuiApplication::clipboard()->text(); }

private Q_SLOTS:
    void init() { QGuiApplication::clipboard()->setText(QStringLiteral("before")); }

    void theOutputIsCopied()
    {
        WindowFixture fixture("recurrent");
        const QString written = writtenText(fixture.trace(), {});
        QVERIFY(!written.isEmpty());
        fixture.action("copyOutputAction")->trigger();
        QCOMPARE(clipboard(), written);
    }

    // Of long sentences the part around the chosen word stands there, and what is left out leads on.
    void anEndlessOutputIsShownInPart()
    {
        WindowFixture fixture(QStringLiteral("recurrent"), QStringLiteral("s4 s5"));
        fixture.find<QSpinBox>("max-length")->setValue(1700);
        fixture.window->open(QStringLiteral("endless"));
        QTRY_VERIFY_WITH_TIMEOUT(fixture.trace().stepCount() >= 1700 && !fixture.window->controller().busy(), 60000);
        auto* stage = fixture.find<FigureView>("stage");
        const auto last = [&] { return stage->figure()->rows() - 1; };
        QTRY_VERIFY(stage->figure() != nullptr && last() >= 1700);
        fixture.window->selection().setStep(800);
        QTRY_VERIFY(stage->figure()->cellRect(last(), 0).isNull());
        int shown = 0;
        for (int word = 0; word <= last(); ++word)
            shown += stage->figure()->cellRect(word, 0).isNull() ? 0 : 1;
        QVERIFY(shown > 4 && shown < 200);
        QTest::mouseClick(stage, Qt::LeftButton, Qt::NoModifier, QPoint(stage->width() - 14, stage->height() - 24));
        QVERIFY(*fixture.window->selection().step() > 802);
        QCOMPARE(writtenText(fixture.trace(), {}).count(QLatin1Char(' ')), qsizetype{fixture.trace().stepCount() - 1});
    }

    void theKeyCopiesWhatIsPointedAt()
    {
        WindowFixture fixture(QStringLiteral("recurrent"), test::longSentence());
        fixture.showTokens();
        FigureView& view = fixture.window->heatmap();
        view.setFocus();
        const Numbers matrix = fixture.trace().matrix({Stage::Cross, 0}, 0);
        QTest::mouseMove(&view, view.figure()->cellRect(1, 2).center().toPoint());
        QTRY_VERIFY(view.place().isCell());
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(clipboard().toFloat(), matrix.at(1, 2));
        fixture.showTab("text");
        FigureView& text = fixture.window->findChild<ViewTabs*>()->current();
        QTRY_VERIFY(text.figure() != nullptr);
        text.setFocus();
        QTest::keyClick(&text, Qt::Key_C, Qt::ControlModifier); // nothing is pointed at
        QTRY_COMPARE(clipboard().count(QLatin1Char('\n')), qsizetype{matrix.rows + 1});
        QTRY_COMPARE(clipboard().section(QLatin1Char('\n'), 2, 2).section(QLatin1Char('\t'), 3, 3).toFloat(),
                     matrix.at(1, 2));
    }

    void theMenuCopiesValueRowColumnAndTable()
    {
        WindowFixture fixture("recurrent");
        fixture.showTokens();
        FigureView& view = fixture.window->heatmap();
        const Numbers matrix = fixture.trace().matrix({Stage::Cross, 0}, 0);
        const auto copy = [&](const char* id) {
            const QPoint at = view.figure()->cellRect(1, 2).center().toPoint();
            QContextMenuEvent asked(QContextMenuEvent::Mouse, at, view.mapToGlobal(at));
            QCoreApplication::sendEvent(&view, &asked);
            auto* menu = fixture.find<QMenu>("placeMenu");
            auto* action = menu->findChild<QAction*>(QLatin1String(id));
            QVERIFY2(action != nullptr, id);
            action->trigger();
            menu->close();
            delete menu;
        };
        copy("copyValue");
        QTRY_COMPARE(clipboard().toFloat(), matrix.at(1, 2));
        copy("copyRow");
        QTRY_COMPARE(clipboard().count(QLatin1Char('\t')), qsizetype{2 * matrix.columns});
        copy("copyColumn");
        QTRY_COMPARE(clipboard().count(QLatin1Char('\n')), qsizetype{matrix.rows + 1});
        copy("copyTable");
        QTRY_COMPARE(clipboard().count(QLatin1Char('\t')), qsizetype{(matrix.rows + 1) * matrix.columns});
    }

    void aCopyCanBeCancelled()
    {
        WindowFixture fixture("recurrent");
        const auto* cancel = fixture.action("cancelAction");
        QVERIFY(!cancel->isEnabled());
        QTest::keyClick(fixture.window.get(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(cancel->isEnabled());
        QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        QVERIFY(!cancel->isEnabled());
        QCOMPARE(fixture.find<QLabel>("progressText")->text(), QStringLiteral("Cancelled"));
        QVERIFY(QThreadPool::globalInstance()->waitForDone(10000));
        QCoreApplication::processEvents();
        QCOMPARE(clipboard(), QStringLiteral("before"));
        QTest::keyClick(fixture.window.get(), Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(clipboard() != QStringLiteral("before"));
        QVERIFY(!cancel->isEnabled());
    }

    // What is picked in one view is picked in the other, and the settings keep how lines are drawn.
    void linesAndTextShareWhatIsPicked()
    {
        WindowFixture fixture(QStringLiteral("recurrent"), test::longSentence());
        fixture.showTab("arcs");
        auto& lines = *fixture.find<FigureView>("arcsView");
        QTRY_VERIFY(lines.figure() != nullptr);
        const auto* figure = dynamic_cast<const TokenFigure*>(lines.figure());
        QTest::mouseClick(&lines, Qt::LeftButton, Qt::NoModifier,
                          figure->rectOf({TokenSide::Rows, 1}).center().toPoint());
        QCOMPARE(lines.spec().picked, (std::vector<int>{1}));
        fixture.showTab("text");
        QCOMPARE(fixture.find<FigureView>("textView")->spec().picked, (std::vector<int>{1}));
        fixture.find<QDoubleSpinBox>("threshold")->setValue(0.25);
        fixture.window->close();
        fixture.show({}, {});
        fixture.settle();
        QCOMPARE(fixture.window->heatmap().spec().threshold, 0.25);
        QVERIFY(fixture.window->heatmap().spec().picked.empty());
    }
};

ATTN_GUI_TEST(TestOutputAndCopy)
#include "tst_output_and_copy.moc"
