// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/step_panel.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/window/window_fixture.h"
#include "views/stage_view.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>

#include <set>

using namespace attn;
using namespace attn::ui;
using test::WindowFixture;

namespace {

struct EditorDesk : WindowFixture
{
    explicit EditorDesk(const QString& model = QStringLiteral("recurrent"))
        : WindowFixture(model)
    {
        activate();
        standStill();
    }

    QLineEdit& line() const { return *find<QLineEdit>("sentence"); }
    StageView& stage() const { return *find<StageView>("stage"); }
    // Place in the sentence, after so many words.
    QPoint gap(int words) const
    {
        const QRectF before = stage().figure()->cellRect(words - 1, 0);
        const QRectF after = stage().figure()->cellRect(words, 0);
        return QPointF((before.right() + after.left()) / 2, before.center().y()).toPoint();
    }
    void press(Qt::Key key) const { QTest::keyClick(QApplication::focusWidget(), key); }
    void typeKeys(const char* text) const
    {
        for (; *text != '\0'; ++text)
            QTest::keyClick(QApplication::focusWidget(), *text);
    }
};

} // namespace

// The sentence is edited in the place of its words.
class TestSentenceEditor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itStandsWhereTheWordsDo()
    {
        const EditorDesk desk;
        QVERIFY(!desk.line().isVisible());
        QVERIFY(desk.find<QWidget>("editButton")->isVisible());
        const QRectF word = desk.stage().figure()->cellRect(0, 0);
        desk.editSentence();
        QVERIFY(desk.line().isVisible() && desk.line().hasFocus());
        QCOMPARE(desk.line().selectedText(), QStringLiteral("s4 s5 s6 s7"));
        QVERIFY(!desk.find<QWidget>("editButton")->isVisible());
        const QRect place(desk.line().mapTo(&desk.stage(), QPoint()), desk.line().size());
        QVERIFY(place.contains(word.toAlignedRect()));
        QVERIFY(place.right() <= desk.stage().width());
        QVERIFY(desk.line().font().pixelSize() > desk.window->fontMetrics().height()); // as the words
    }

    void everyWayOpensIt_data()
    {
        QTest::addColumn<QString>("key");
        for (const char* key : {"Ctrl+L", "F2", ""})
            QTest::newRow(key) << QString::fromLatin1(key);
    }
    void everyWayOpensIt()
    {
        QFETCH(const QString, key);
        const EditorDesk desk;
        desk.heatmap().setFocus();
        if (key.isEmpty())
            desk.click("editButton");
        else
            QTest::keySequence(&desk.heatmap(), QKeySequence(key));
        QVERIFY(desk.line().isVisible() && desk.line().hasFocus());
        QCOMPARE(desk.line().text(), QStringLiteral("s4 s5 s6 s7"));
        QCOMPARE(desk.line().hasSelectedText(), !key.isEmpty());
        desk.press(Qt::Key_Escape);
        QVERIFY(!desk.line().isVisible());
    }

    void typingBeginsAnotherSentenceAndEscapeTakesItBack()
    {
        const EditorDesk desk;
        desk.stage().setFocus();
        desk.typeKeys("hello s");
        QVERIFY(desk.line().isVisible());
        QCOMPARE(desk.line().text(), QStringLiteral("hello s"));
        desk.press(Qt::Key_Escape);
        QVERIFY(!desk.line().isVisible());
        QCOMPARE(desk.line().text(), QStringLiteral("s4 s5 s6 s7"));
        QCOMPARE(QApplication::focusWidget(), &desk.stage());
        QCOMPARE(desk.runs(), 1);
        desk.action("undoAction")->trigger(); // nothing was typed, so far as anybody sees
        QCOMPARE(desk.line().text(), QStringLiteral("s4 s5 s6 s7"));
    }

    void aClickBetweenWordsPutsTheCursorThere()
    {
        const EditorDesk desk;
        QTest::mouseClick(&desk.stage(), Qt::LeftButton, {}, desk.gap(2));
        QVERIFY(desk.line().isVisible() && desk.line().hasFocus());
        QVERIFY(!desk.line().hasSelectedText());
        QCOMPARE(desk.line().cursorPosition(), 5);
        desk.typeKeys("0");
        QCOMPARE(desk.line().text(), QStringLiteral("s4 s50 s6 s7"));
        desk.press(Qt::Key_Return);
        desk.settle();
        QCOMPARE(desk.trace().provenance().text, std::string("s4 s50 s6 s7"));
    }

    // The second click is at what came of the first.
    void twoClicksBetweenWordsReplaceNoSentence()
    {
        const EditorDesk desk;
        const QPoint place = desk.gap(2);
        QTest::mouseClick(&desk.stage(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(&desk.line(), Qt::LeftButton, {}, desk.line().mapFrom(&desk.stage(), place));
        QVERIFY(desk.line().selectedText() != desk.line().text());
    }

    void itStaysWhereItWasChangedAndNotRun()
    {
        const EditorDesk desk;
        desk.editSentence();
        desk.heatmap().setFocus();
        QVERIFY(!desk.line().isVisible());
        desk.type(QStringLiteral("s8 s9"));
        desk.heatmap().setFocus();
        QVERIFY(desk.line().isVisible());
        QVERIFY(desk.find<QWidget>("notRunSign")->isVisible());
        desk.typeKeys(" s5"); // goes on
        QCOMPARE(desk.line().text(), QStringLiteral("s8 s9s5")); // a blank plays
        desk.press(Qt::Key_Return);
        desk.settle();
        QVERIFY(!desk.line().isVisible());
        QCOMPARE(desk.trace().provenance().text, std::string("s8 s9s5"));
    }

    void afterEnterTheKeyboardIsAtTheWords()
    {
        const EditorDesk desk;
        desk.run(QStringLiteral("s8 s9"));
        QVERIFY(!desk.line().isVisible());
        QCOMPARE(QApplication::focusWidget(), &desk.stage());
        const QImage words = desk.stage().grab().toImage(); // without a frame: Enter was none of their keys
        QVERIFY(words.pixelColor(words.width() / 2, 1) != desk.stage().palette().color(QPalette::Highlight));
        desk.window->selection().setStep(0);
        desk.press(Qt::Key_Space);
        QVERIFY(desk.window->selection().plays());
        desk.press(Qt::Key_Space);
        QVERIFY(!desk.find<StepPanel>("stepPanel")->playing());
        QCOMPARE(desk.line().text(), QStringLiteral("s8 s9"));
    }

    void whatCannotBeReadStays()
    {
        const EditorDesk desk(QStringLiteral("transformer"));
        const QString text = QStringLiteral("s4 ").repeated(80);
        desk.run(text);
        QVERIFY(desk.find<QWidget>("messageBar")->isVisible());
        QVERIFY(desk.line().isVisible());
        QCOMPARE(desk.line().text(), text);
    }

    void whereNothingWasReadItIsThere()
    {
        EditorDesk desk;
        desk.editSentence();
        desk.press(Qt::Key_Delete);
        desk.window->close();
        desk.show({}, {});
        desk.settle();
        QVERIFY(desk.line().text().isEmpty() && desk.trace().source().tokens.empty());
        QTRY_VERIFY(desk.line().isVisible());
        QVERIFY(!desk.line().placeholderText().isEmpty());
        desk.run(QStringLiteral("s4 s5"));
        QVERIFY(!desk.line().isVisible());
    }

    void aLongTextHasSeveralRows()
    {
        const EditorDesk desk(test::trainedModels + QStringLiteral("gpt-small-en"));
        desk.run(QStringLiteral("the girl and the boy saw a big dog ").repeated(4).trimmed());
        desk.standStill();
        const Figure& figure = *desk.stage().figure();
        QCOMPARE(figure.rows(), 36);
        std::set<double> rows;
        for (int word = 0; word < figure.rows(); ++word) {
            const QRectF box = figure.cellRect(word, 0);
            QVERIFY(!box.isNull() && QRectF(QPointF(), figure.size()).contains(box));
            rows.insert(box.top());
            for (int other = 0; other < word; ++other)
                QVERIFY(!box.intersects(figure.cellRect(other, 0)));
        }
        QVERIFY(rows.size() > 1 && rows.size() <= 3);
        QVERIFY(100 * desk.stage().height() <= 17 * desk.window->height());
        const QPoint last = figure.cellRect(35, 0).center().toPoint(); // in the last row
        QTest::mouseClick(&desk.stage(), Qt::LeftButton, {}, last);
        QCOMPARE(desk.window->selection().step(), figure.hitTest(last).rowToken);
        desk.editSentence(); // over all of them
        const auto* editor = desk.find<QWidget>("sentenceEditor");
        QVERIFY(editor->geometry().contains(last));
    }

    void aWordIsMaskedByItsMenu()
    {
        const EditorDesk desk(test::trainedModels + QStringLiteral("bert-small-en"));
        desk.run(QStringLiteral("The cat sat."));
        desk.standStill();
        const QPoint cat = desk.stage().figure()->cellRect(1, 0).center().toPoint();
        const auto menuOn = [&](QPoint place) {
            QContextMenuEvent event(QContextMenuEvent::Mouse, place, desk.stage().mapToGlobal(place));
            QCoreApplication::sendEvent(&desk.stage(), &event);
            return desk.window->findChild<QMenu*>(QStringLiteral("placeMenu"));
        };
        QMenu* const menu = menuOn(cat);
        QVERIFY(menu != nullptr);
        auto* const mask = menu->findChild<QAction*>(QStringLiteral("maskThisWord"));
        QVERIFY(mask != nullptr);
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(mask).center());
        desk.settle();
        QCOMPARE(desk.line().text(), QStringLiteral("The [MASK] sat."));
        QTRY_VERIFY(desk.window->findChild<QMenu*>(QStringLiteral("placeMenu")) == nullptr);
        desk.standStill();
        QMenu* const again = menuOn(cat); // which is masked by now
        QVERIFY(again != nullptr && again->findChild<QAction*>(QStringLiteral("maskThisWord")) == nullptr);
        again->close();
    }

    void deleteHidesAWordThatIsReadOrSaysWhyNot()
    {
        const EditorDesk desk;
        desk.window->selection().setStep(0);
        QTest::keyClick(&desk.stage(), Qt::Key_Delete);
        QVERIFY(desk.find<QLabel>("progressText")->text().contains(QStringLiteral("hidden")));
        QVERIFY(desk.window->edits().applied().empty());
        const EditorDesk reads(test::trainedModels + QStringLiteral("bert-small-en"));
        reads.run(QStringLiteral("The cat sat."));
        reads.window->selection().setStep(2);
        reads.standStill();
        QTest::keyClick(&reads.stage(), Qt::Key_Delete);
        QCOMPARE(reads.window->edits().applied(), (std::vector<std::string>{"source:2=hide"}));
    }

    void anArchiveHasNone()
    {
        const EditorDesk desk;
        const QString path = desk.path(QStringLiteral("saved.npz"));
        writeArchive(path.toStdString(), desk.trace());
        desk.window->open(path);
        desk.settle();
        QVERIFY(!desk.find<QWidget>("editButton")->isVisible());
        desk.action("editAction")->trigger();
        desk.stage().setFocus();
        desk.typeKeys("s");
        QTest::mouseClick(&desk.stage(), Qt::LeftButton, {}, desk.gap(2));
        QVERIFY(!desk.line().isVisible());
    }

    void theRowOfMenusFitsASmallWindow()
    {
        const EditorDesk desk;
        for (const int width : {900, 1280}) {
            desk.window->resize(width, 600);
            QTRY_COMPARE(desk.window->width(), width);
            const QWidget& row = *desk.find<QWidget>("menuRow");
            for (const char* name : {"menuBar", "modelPicker", "examplesButton", "runButton", "openButton"}) {
                const auto* part = desk.find<QWidget>(name);
                QVERIFY2(row.rect().contains(QRect(part->mapTo(&row, QPoint()), part->size())), name);
                QVERIFY2(part->width() >= part->minimumSizeHint().width(), name);
            }
            const QMenuBar& menus = *desk.window->menuBar();
            QVERIFY(menus.rect().contains(menus.actionGeometry(menus.actions().last())));
        }
    }
};

ATTN_GUI_TEST(TestSentenceEditor)

#include "tst_sentence_editor.moc"
