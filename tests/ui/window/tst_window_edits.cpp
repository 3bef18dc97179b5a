// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs_model.h"
#include "panels/token_popup.h"
#include "panels/value_popup.h"
#include "session/session.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"

#include <QLabel>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QSpinBox>
#include <QTreeView>

#include <cmath>

using namespace attn;
using namespace attn::ui;
using attn::test::trainedModels;
using attn::test::WindowFixture;

namespace {

using Texts = std::vector<std::string>;

struct EditedDesk : WindowFixture
{
    explicit EditedDesk(const QString& model = QStringLiteral("recurrent"),
                        const QString& sentence = QStringLiteral("s4 s5 s6 s7"))
    {
        show(model, sentence);
        settle();
        activate();
    }

    EditList& edits() const { return window->edits(); }
    Numbers matrix(HeadReading head = 0) const
    {
        return readWeights(trace(), {window->selection().site(), head}, window->selection().leaf());
    }
    Texts asked() const { return trace().provenance().edits; }

    // The pointer at a place of a view.
    void point(FigureView& view, QPoint place) const
    {
        view.setFocus();
        QTest::mouseMove(&view, place + QPoint(1, 1));
        QTest::mouseMove(&view, place);
    }
    // The window may lose the pointer once more while it is being shown.
    void pointAt(int row, int column) const
    {
        QTRY_VERIFY((point(heatmap(), cell(row, column)), heatmap().place().isCell()));
    }
    QPoint cell(int row, int column) const { return figureOf(heatmap()).cellRect(row, column).center().toPoint(); }
    // From the menu of what was pointed at or walked to last, by keys alone.
    void edit(FigureView& view, const char* id) const
    {
        activate();
        QTest::keyClick(&view, Qt::Key_F10, Qt::ShiftModifier);
        QTRY_VERIFY(window->findChild<QMenu*>(QStringLiteral("placeMenu")) != nullptr);
        auto* menu = window->findChild<QMenu*>(QStringLiteral("placeMenu"));
        QAction* const action = entry(menu, id);
        QVERIFY2(action != nullptr, id);
        if (QMenu* const within = menuOf(action); within != menu) {
            press(menu, within->menuAction());
            QTRY_VERIFY(within->isVisible());
            menu = within;
        }
        press(menu, action);
        QTRY_VERIFY(window->findChild<QMenu*>(QStringLiteral("placeMenu")) == nullptr);
        if (!window->findChild<ValuePopup*>() && !window->findChild<TokenPopup*>())
            activate();
        settle();
    }
    void edit(const char* id) const { edit(heatmap(), id); }

    QMenu* menuAt(FigureView& view, QPoint place) const
    {
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, view.mapToGlobal(place));
        QCoreApplication::sendEvent(&view, &event);
        return window->findChild<QMenu*>(QStringLiteral("placeMenu"));
    }
    static void press(QMenu* menu, const QAction* action)
    {
        QTest::keyClick(menu, static_cast<Qt::Key>(QKeySequence::mnemonic(action->text())[0].key()));
    }
    static QAction* entry(const QMenu* menu, const char* id) { return menu->findChild<QAction*>(QLatin1String(id)); }
    // The menu that an entry stands in, the one of the place or one that opens from it.
    static QMenu* menuOf(const QAction* entry) { return qobject_cast<QMenu*>(entry->parent()); }
    void choose(QMenu* menu, const char* id) const
    {
        QAction* const action = entry(menu, id);
        QMenu* const within = menuOf(action);
        if (within != menu) {
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(within->menuAction()).center());
            QTRY_VERIFY(within->isVisible());
        }
        QTest::mouseClick(within, Qt::LeftButton, {}, within->actionGeometry(action).center());
        settle();
    }
    void typeNumber(const char* number) const
    {
        auto* box = window->findChild<QAbstractSpinBox*>(QStringLiteral("editValue"));
        QVERIFY(box != nullptr);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QLatin1String(number));
        QTest::keyClick(box, Qt::Key_Return);
        settle();
    }
};

float sumOf(const Numbers& matrix, int row)
{
    float sum = 0;
    for (int column = 0; column < matrix.columns; ++column)
        sum += matrix.at(row, column);
    return sum;
}

bool near(float a, float b)
{
    return std::abs(a - b) < 1e-4F;
}

} // namespace

// Every gesture that edits a run, by real events, on a model of each kind.
class TestWindowEdits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCellIsHiddenFromItsMenuAndShownAgain()
    {
        EditedDesk desk;
        const Numbers before = desk.matrix();
        const int root = *desk.window->study().shown();
        desk.pointAt(1, 2);
        desk.edit("hideCells");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:1:2=hide"}));
        QCOMPARE(desk.matrix().at(1, 2), 0.0F);
        QVERIFY(near(sumOf(desk.matrix(), 1), 1));
        QCOMPARE(desk.runs(), 2);
        QCOMPARE(desk.window->study().runs().find(desk.window->study().shown())->parent, std::optional(root));
        // The same entry takes the edit back: no other run is needed for that.
        desk.pointAt(1, 2);
        desk.edit("hideCells");
        QVERIFY(desk.asked().empty());
        QVERIFY(desk.matrix().values == before.values);
        QCOMPARE(desk.runs(), 2);
        QCOMPARE(*desk.window->study().shown(), root);
    }

    void theKeyboardCellIsEditedToo()
    {
        EditedDesk desk;
        desk.heatmap().setFocus();
        QTest::keyClick(&desk.heatmap(), Qt::Key_Right); // shows where it is
        QTest::keyClick(&desk.heatmap(), Qt::Key_Right);
        desk.edit("zeroCells");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:0:1=zero"}));
        QTest::keyClick(&desk.heatmap(), Qt::Key_Down); // it stays where it was
        desk.edit("zeroCells");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:0:1=zero", "cross:0:0:1:1=zero"}));
    }

    void everyEditOfACell_data()
    {
        test::addColumns<QByteArray, QByteArray>("id", "edit");
        QTest::newRow("hide") << QByteArray("hideCells") << QByteArray("cross:0:0:0:1=hide");
        QTest::newRow("zero") << QByteArray("zeroCells") << QByteArray("cross:0:0:0:1=zero");
        QTest::newRow("uniform") << QByteArray("uniformCells") << QByteArray("cross:0:0:0:1=uniform");
        QTest::newRow("renormalise") << QByteArray("renormalizeRows") << QByteArray("cross:0:0:0:1=renormalize");
        QTest::newRow("head off") << QByteArray("headOff") << QByteArray("cross:0:0=zero");
        QTest::newRow("hide the token") << QByteArray("hideToken") << QByteArray("source:1=hide");
    }

    void everyEditOfACell()
    {
        QFETCH(const QByteArray, id);
        QFETCH(const QByteArray, edit);
        EditedDesk desk;
        desk.pointAt(0, 1);
        desk.edit(id.constData());
        QCOMPARE(desk.asked(), (Texts{edit.toStdString()}));
    }

    void aWeightIsSetToWhatIsTyped()
    {
        EditedDesk desk;
        desk.pointAt(0, 1);
        desk.edit("setCells");
        desk.typeNumber("0.75");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:0.75"}));
        QCOMPARE(desk.matrix().at(0, 1), 0.75F);
        // Another value takes its place.
        desk.pointAt(0, 1);
        desk.edit("setCells");
        desk.typeNumber("0.25");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:0.25"}));
        desk.pointAt(0, 1);
        desk.edit("scaleCells");
        desk.typeNumber("2");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:0.25", "cross:0:0:0:1=scale:2"}));
        QCOMPARE(desk.matrix().at(0, 1), 0.5F);
        desk.pointAt(0, 1);
        desk.edit("setCells");
        auto* popup = desk.window->findChild<ValuePopup*>();
        QTest::keyClick(popup->findChild<QAbstractSpinBox*>(), Qt::Key_Escape);
        QTRY_VERIFY(desk.window->findChild<ValuePopup*>() == nullptr);
        QCOMPARE(desk.asked().size(), std::size_t{2});
    }

    void theMenuOffersWhatFits()
    {
        EditedDesk desk;
        QMenu* menu = desk.menuAt(desk.heatmap(), desk.labelOf(desk.heatmap(), FigureHit::Part::ColumnLabel, 2));
        QVERIFY(EditedDesk::entry(menu, "hideToken") != nullptr);
        desk.choose(menu, "hideToken");
        QCOMPARE(desk.asked(), (Texts{"source:2=hide"}));
        for (int row = 0; row < desk.matrix().rows; ++row)
            QCOMPARE(desk.matrix().at(row, 2), 0.0F);
        // A row is a token of the output, which nobody hides.
        menu = nullptr;
        QTRY_VERIFY(desk.window->findChild<QMenu*>(QStringLiteral("placeMenu")) == nullptr);
        menu = desk.menuAt(desk.heatmap(), desk.labelOf(desk.heatmap(), FigureHit::Part::RowLabel, 1));
        QVERIFY(EditedDesk::entry(menu, "hideToken") == nullptr);
        desk.choose(menu, "zeroCells");
        QCOMPARE(desk.asked(), (Texts{"source:2=hide", "cross:0:0:1=zero"}));
        QCOMPARE(sumOf(desk.matrix(), 1), 0.0F);
        // What is done already is ticked, and is undone there.
        QTRY_VERIFY(desk.window->findChild<QMenu*>(QStringLiteral("placeMenu")) == nullptr);
        menu = desk.menuAt(desk.heatmap(), desk.labelOf(desk.heatmap(), FigureHit::Part::RowLabel, 1));
        QVERIFY(EditedDesk::entry(menu, "zeroCells")->isChecked());
        QVERIFY(!EditedDesk::entry(menu, "hideCells")->isChecked());
        desk.choose(menu, "zeroCells");
        QCOMPARE(desk.asked(), (Texts{"source:2=hide"}));
    }

    // What it has more of stands in menus that open from it.
    void theMenuIsShort()
    {
        const EditedDesk desk;
        const auto entries = [](const QMenu* menu) {
            return std::ranges::count_if(menu->actions(), [](const QAction* one) { return !one->isSeparator(); });
        };
        const QMenu* menu = desk.menuAt(desk.heatmap(), desk.cell(1, 2));
        QCOMPARE(entries(menu), 7);
        QVERIFY(EditedDesk::entry(menu, "hideToken")->parent() == menu);
        QVERIFY(EditedDesk::entry(menu, "hideCells")->parent() != menu);
    }

    // It says what was at that place then.
    void aMenuMayBeOlderThanTheRun()
    {
        EditedDesk desk;
        QMenu* const menu = desk.menuAt(desk.heatmap(), desk.labelOf(desk.heatmap(), FigureHit::Part::ColumnLabel, 3));
        QVERIFY(EditedDesk::entry(menu, "replaceToken") != nullptr);
        desk.type(QStringLiteral("s4"));
        desk.action("runAction")->trigger();
        desk.settle();
        QVERIFY(desk.trace().source().size() < 4);
        EditedDesk::entry(menu, "replaceToken")->trigger();
        QVERIFY(desk.window->findChild<TokenPopup*>() == nullptr);
        desk.settle();
        QCOMPARE(desk.asked(), Texts());
    }

    void headsAndLayersAreEditedInTheGrid()
    {
        EditedDesk desk(QStringLiteral("transformer"));
        desk.window->selection().setSite({Stage::Encoder, 1});
        desk.showTab("grid");
        auto& view = *desk.find<FigureView>("headGridView");
        const QRectF tile = EditedDesk::figureOf(view).cellRect(1, 1);
        desk.point(view, tile.center().toPoint());
        desk.edit(view, "headOff");
        QCOMPARE(desk.asked(), (Texts{"encoder:1:1=zero"}));
        QVERIFY(std::ranges::all_of(desk.trace().matrix({Stage::Encoder, 1}, 1).values,
                                    [](float weight) { return weight == 0; }));
        // Its tile says so, that of another head does not.
        QTRY_VERIFY(view.figure()->hitTest(tile.center()).text
                    != view.figure()->hitTest(view.figure()->cellRect(0, 0).center()).text);
        const QPoint layer(static_cast<int>(view.figure()->cellRect(0, 0).left()) - 20,
                           static_cast<int>(view.figure()->cellRect(0, 0).center().y()));
        desk.point(view, layer);
        desk.edit(view, "uniformCells");
        QCOMPARE(desk.asked(), (Texts{"encoder:1:1=zero", "encoder:0=uniform"}));
    }

    void aStepIsEditedWhereItIsShown()
    {
        EditedDesk desk;
        desk.window->selection().setStep(1);
        desk.showTab("decoding");
        auto& view = *desk.find<FigureView>("decodingView");
        const Figure& figure = EditedDesk::figureOf(view);
        const auto bar = [&view, &figure]() -> QPoint {
            for (int y = 0; y < view.height(); ++y) {
                for (int x = 0; x < view.width(); x += 4) {
                    const FigureHit hit = figure.hitTest(QPointF(x, y));
                    if (hit.part == FigureHit::Part::ColumnLabel && hit.column == 2)
                        return {x, y};
                }
            }
            return {};
        };
        desk.point(view, bar());
        desk.edit(view, "hideCells");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:1:2=hide"}));
        QCOMPARE(desk.window->selection().step(), std::optional(1)); // stays what is looked at
    }

    void linesAreEditedByTheirWords()
    {
        EditedDesk desk;
        desk.showTab("arcs");
        auto& view = *desk.find<FigureView>("arcsView");
        const auto word = [&] { // its middle, as it is laid out by now
            const Figure& figure = EditedDesk::figureOf(view);
            QRect all;
            for (int y = 0; y < view.height(); y += 2) {
                for (int x = 0; x < view.width(); x += 4) {
                    if (const FigureHit hit = figure.hitTest(QPointF(x, y)); hit.column == 3 && !hit.row)
                        all |= QRect(x, y, 4, 2);
                }
            }
            return all.center();
        };
        QTRY_COMPARE((desk.point(view, word()), view.place().column), std::optional(3));
        desk.edit(view, "zeroCells");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:*:3=zero"}));
    }

    void mergedWordsAreEditedWhole()
    {
        EditedDesk desk(trainedModels + QStringLiteral("transformer-en-fr"),
                        QStringLiteral("The antidisestablishment is unbelievable."));
        desk.window->selection().setSiteAndHead({Stage::Cross, 0}, 0);
        QTRY_VERIFY(desk.heatmap().figure()->columns() < desk.matrix().columns);
        const auto groups = wordAxis(desk.trace().source());
        const auto longest = std::ranges::max_element(groups, {}, &AxisGroup::count);
        QVERIFY(longest->count > 1);
        desk.point(desk.heatmap(), desk.cell(0, static_cast<int>(longest - groups.begin())));
        desk.edit("hideToken");
        QCOMPARE(desk.asked().size(), static_cast<std::size_t>(longest->count));
        for (int column = longest->first; column < longest->first + longest->count; ++column)
            QCOMPARE(desk.matrix().at(0, column), 0.0F);
    }

    void everyKindOfModelIsEdited_data()
    {
        test::addColumns<QString, QString, QByteArray>("model", "text", "edit");
        QTest::newRow("recurrent") << QStringLiteral("recurrent") << QStringLiteral("s4 s5 s6")
                                   << QByteArray("source:1=hide");
        QTest::newRow("encoder-decoder") << QStringLiteral("transformer") << QStringLiteral("s4 s5 s6")
                                         << QByteArray("source:1=hide");
        QTest::newRow("encoder") << trainedModels + QStringLiteral("bert-small-en")
                                 << QStringLiteral("a cat sat on a mat") << QByteArray("source:1=hide");
        QTest::newRow("decoder") << trainedModels + QStringLiteral("gpt-small-en") << QStringLiteral("once upon a time")
                                 << QByteArray("source:1=hide");
    }

    void everyKindOfModelIsEdited()
    {
        QFETCH(const QString, model);
        QFETCH(const QString, text);
        QFETCH(const QByteArray, edit);
        EditedDesk desk(model, text);
        desk.showTokens();
        const int last = desk.matrix().rows - 1;
        desk.pointAt(last, 1);
        desk.edit("hideToken");
        QCOMPARE(desk.asked(), (Texts{edit.toStdString()}));
        QCOMPARE(desk.matrix().at(last, 1), 0.0F);
        desk.pointAt(last, 0);
        desk.edit("setCells");
        desk.typeNumber("0.5");
        QCOMPARE(desk.matrix(desk.window->selection().head()).at(last, 0), 0.5F);
    }

    void aTokenGivesWayToANearOneOrToAWord()
    {
        EditedDesk desk;
        desk.pointAt(0, 1);
        desk.edit("replaceToken");
        auto* popup = desk.window->findChild<TokenPopup*>();
        QVERIFY(popup != nullptr);
        auto* list = popup->findChild<QListWidget*>(QStringLiteral("nearestTokens"));
        QTRY_VERIFY2(list->isVisible() && list->count() > 2,
                     qPrintable(popup->findChild<QLabel*>(QStringLiteral("nearestProblem"))->text()));
        const int id = list->item(1)->data(Qt::UserRole).toInt();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
        desk.settle();
        QCOMPARE(desk.trace().source().ids.at(1), id);
        QCOMPARE(desk.asked(), (Texts{"source:1=token:" + std::to_string(id)}));
        QTRY_VERIFY(desk.window->findChild<TokenPopup*>() == nullptr);
        desk.pointAt(0, 2);
        desk.edit("replaceToken");
        popup = desk.window->findChild<TokenPopup*>();
        auto* word = popup->findChild<QLineEdit*>(QStringLiteral("replacementWord"));
        auto* pieces = popup->findChild<QLabel*>(QStringLiteral("replacementPieces"));
        QTest::keyClicks(word, QStringLiteral("s9"));
        QTRY_VERIFY(pieces->isVisible());
        QTest::keyClick(word, Qt::Key_Return);
        desk.settle();
        QCOMPARE(desk.asked().back(), std::string("source:2=word:s9"));
        QCOMPARE(desk.trace().source().tokens.at(2), std::string("s9"));
    }

    // Alt or Ctrl and the left button: the answer follows, and one run stays.
    void aValueFollowsTheMouse_data()
    {
        QTest::addColumn<int>("modifier");
        QTest::newRow("Alt") << int(Qt::AltModifier);
        QTest::newRow("Ctrl") << int(Qt::ControlModifier);
    }

    void aValueFollowsTheMouse()
    {
        QFETCH(const int, modifier);
        const auto modifiers = Qt::KeyboardModifiers(modifier);
        EditedDesk desk;
        const int before = desk.runs();
        const QPoint start = desk.cell(0, 1);
        const auto move = [&desk, modifiers](QPoint to) {
            QMouseEvent event(QEvent::MouseMove, to, desk.heatmap().mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                              modifiers);
            QCoreApplication::sendEvent(&desk.heatmap(), &event);
        };
        QTest::mousePress(&desk.heatmap(), Qt::LeftButton, modifiers, start);
        for (int pixels = 20; pixels <= 1000; pixels += 20)
            move(start - QPoint(0, pixels));
        QTRY_COMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:1"})); // while the button is down
        move(start + QPoint(0, 1000));
        QTest::mouseRelease(&desk.heatmap(), Qt::LeftButton, modifiers, start);
        QTRY_COMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:0"}));
        desk.settle();
        QCOMPARE(desk.matrix().at(0, 1), 0.0F);
        QCOMPARE(desk.runs(), before + 1);
        QCOMPARE(desk.edits().history().count(), 1); // one step to undo
        // What comes later is a run of its own again.
        desk.pointAt(1, 1);
        desk.edit("zeroCells");
        QCOMPARE(desk.runs(), before + 2);
    }

    // Without a key where all cells are seen: up or down, and not by a click of an unsteady hand or sideways.
    void aPlainDragSetsAWeightWhereNothingPans()
    {
        EditedDesk desk;
        const auto drag = [&desk](QPoint start, QPoint by) {
            QTest::mousePress(&desk.heatmap(), Qt::LeftButton, {}, start);
            for (int part = 1; part <= 8; ++part) {
                const QPoint to = start + by * part / 8;
                QMouseEvent event(QEvent::MouseMove, to, desk.heatmap().mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                                  Qt::NoModifier);
                QCoreApplication::sendEvent(&desk.heatmap(), &event);
            }
            QTest::mouseRelease(&desk.heatmap(), Qt::LeftButton, {}, start + by);
        };
        QTest::mouseMove(&desk.heatmap(), desk.cell(0, 1));
        QVERIFY(desk.find<QLabel>("hoverText")->text().contains(QStringLiteral("drag it up or down")));
        drag(desk.cell(0, 1), {0, 12});
        drag(desk.cell(0, 1), {300, 0});
        drag(desk.cell(0, 1), {300, 300});
        QCOMPARE(desk.edits().history().count(), 0);
        drag(desk.cell(0, 1), {2, -1000});
        QTRY_COMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:1"}));
        desk.settle();
        QCOMPARE(desk.edits().history().count(), 1);
        desk.action("zoomInAction")->trigger();
        const QRectF before = desk.heatmap().spec().visible;
        drag(desk.heatmap().rect().center(), {0, -200});
        QCOMPARE(desk.edits().history().count(), 1);
        QVERIFY(desk.heatmap().spec().visible != before);
    }

    // Which is not there any more when a menu has taken it.
    void aDragEndsWithItsButton()
    {
        EditedDesk desk;
        const QPoint start = desk.cell(0, 1);
        const auto move = [&desk](QPoint to, Qt::MouseButtons buttons) {
            QMouseEvent event(QEvent::MouseMove, to, desk.heatmap().mapToGlobal(to), Qt::NoButton, buttons,
                              Qt::AltModifier);
            QCoreApplication::sendEvent(&desk.heatmap(), &event);
        };
        QTest::mousePress(&desk.heatmap(), Qt::LeftButton, Qt::AltModifier, start);
        move(start + QPoint(0, 1000), Qt::LeftButton);
        QTRY_COMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:0"}));
        move(start - QPoint(0, 1000), Qt::NoButton);
        move(start - QPoint(0, 900), Qt::NoButton);
        desk.settle();
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:0"}));
        const int before = desk.runs();
        desk.pointAt(1, 1);
        desk.edit("zeroCells");
        QCOMPARE(desk.runs(), before + 1); // what comes later is a run of its own
    }

    void anotherSentenceIsNoValueThatIsDragged()
    {
        EditedDesk desk(QStringLiteral("endless"));
        desk.find<QSpinBox>("max-length")->setValue(100'000);
        const QPoint start = desk.cell(0, 1);
        QTest::mousePress(&desk.heatmap(), Qt::LeftButton, Qt::AltModifier, start);
        const QPoint to = start + QPoint(0, 1000);
        QMouseEvent event(QEvent::MouseMove, to, desk.heatmap().mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                          Qt::AltModifier);
        QCoreApplication::sendEvent(&desk.heatmap(), &event);
        QTest::mouseRelease(&desk.heatmap(), Qt::LeftButton, Qt::AltModifier, to);
        QTRY_COMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:0"}));
        const int before = desk.runs();
        QVERIFY(desk.window->controller().busy()); // it goes on
        desk.send(QStringLiteral("s5 s5"));
        QTRY_COMPARE(desk.trace().provenance().text, std::string("s5 s5"));
        QCOMPARE(desk.runs(), before + 1);
        QTest::keyClick(desk.window.get(), Qt::Key_Escape);
        desk.settle();
    }

    void aValueFollowsTheMouseThroughRunsThatDoNotEnd()
    {
        EditedDesk desk(QStringLiteral("endless"));
        desk.find<QSpinBox>("max-length")->setValue(100'000); // of the runs that follow
        const QPoint start = desk.cell(0, 1);
        QTest::mousePress(&desk.heatmap(), Qt::LeftButton, Qt::AltModifier, start);
        for (int pixels = 20; pixels <= 60; pixels += 20) {
            const QPoint to = start + QPoint(0, 1000 + pixels);
            QMouseEvent event(QEvent::MouseMove, to, desk.heatmap().mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                              Qt::AltModifier);
            QCoreApplication::sendEvent(&desk.heatmap(), &event);
        }
        QTest::mouseRelease(&desk.heatmap(), Qt::LeftButton, Qt::AltModifier, start);
        QTRY_VERIFY(desk.window->controller().busy());
        QCOMPARE(desk.window->study().going()->edits, (Texts{"cross:0:0:0:1=set:0"}));
        QTRY_COMPARE(desk.asked(), (Texts{"cross:0:0:0:1=set:0"})); // something of it is shown
        QTest::keyClick(desk.window.get(), Qt::Key_Escape);
        desk.settle();
    }

    void theListFollowsTheRunThatIsShown()
    {
        EditedDesk desk;
        desk.pointAt(0, 0);
        desk.edit("zeroCells");
        const int edited = *desk.window->study().shown();
        desk.find<QDockWidget>("runsDock")->raise();
        auto* tree = desk.find<QTreeView>("runsTree");
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_Up);
        QTRY_VERIFY(desk.window->study().shown() != edited);
        QVERIFY(desk.edits().applied().empty());
        QTest::keyClick(tree, Qt::Key_Down);
        QTRY_COMPARE(desk.window->study().shown(), std::optional(edited));
        QCOMPARE(desk.edits().applied(), (Texts{"cross:0:0:0:0=zero"}));
        QCOMPARE(desk.runs(), 2);
    }

    void undoTakesAnEditBackUnlessTheSentenceIsTyped()
    {
        EditedDesk desk;
        desk.pointAt(0, 0);
        desk.edit("zeroCells");
        QTest::keySequence(&desk.heatmap(), QKeySequence(QKeySequence::Undo));
        desk.settle();
        QVERIFY(desk.asked().empty());
        QTest::keySequence(&desk.heatmap(), QKeySequence(QKeySequence::Redo));
        desk.settle();
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:0:0=zero"}));
        auto* sentence = desk.editSentence();
        const QString text = sentence->text();
        QTest::keyClick(sentence, Qt::Key_End);
        QTest::keyClicks(sentence, QStringLiteral(" s8"));
        QTest::keyClick(sentence, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(sentence->text(), text);
        QCOMPARE(desk.edits().applied(), (Texts{"cross:0:0:0:0=zero"}));
    }

    // Edits, a comparison and a given beginning belong to the sentence that they were made for.
    void aSentenceTakesItsEditsAndItsDifferenceAlong()
    {
        EditedDesk desk;
        const int plain = *desk.window->study().shown();
        desk.pointAt(0, 3);
        desk.edit("hideToken");
        desk.find<QDockWidget>("runsDock")->raise();
        auto* tree = desk.find<QTreeView>("runsTree");
        const auto& model = static_cast<const RunsModel&>(*tree->model());
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          tree->visualRect(model.indexOf(plain)).center());
        desk.find<QDockWidget>("editsDock")->raise();
        auto* line = desk.find<QLineEdit>("newEdit");
        for (const char* edit : {"source:9=hide", "cross:0:0=zero"}) { // of which the first does not fit
            QTest::keyClicks(line, QLatin1String(edit));
            QTest::keyClick(line, Qt::Key_Return);
            desk.settle();
        }
        QCOMPARE(desk.asked(), (Texts{"source:3=hide", "cross:0:0=zero"}));
        QVERIFY(desk.heatmap().spec().against != nullptr);
        desk.run(QStringLiteral("s4 s5 s6 s7 s4 s5 s6 s7 s4 s5 s6 s7"));
        QCOMPARE(desk.trace().source().size(), std::size_t(13));
        QCOMPARE(desk.asked(), Texts());
        QVERIFY(desk.heatmap().spec().against == nullptr);
        QCOMPARE(desk.edits().rowCount(), 1); // what did not fit is only kept
        QVERIFY(!desk.edits().entries().front().on);
        // The run has its own still.
        QTest::keySequence(&desk.heatmap(), QKeySequence(QKeySequence::Undo));
        desk.settle();
        QCOMPARE(desk.asked(), (Texts{"source:3=hide", "cross:0:0=zero"}));
    }

    void anotherModelIsNotEdited()
    {
        EditedDesk desk;
        desk.pointAt(0, 0);
        desk.edit("zeroCells");
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:0:0=zero"}));
        desk.window->open(QStringLiteral("transformer"));
        desk.settle();
        QCOMPARE(desk.window->study().opened(), QStringLiteral("transformer"));
        QCOMPARE(desk.asked(), Texts());
    }

    // A letter that is typed on a picture is the beginning of a sentence, and nothing else.
    void whatIsTypedOnAPictureIsASentence_data()
    {
        QTest::addColumn<QByteArray>("view");
        for (const ViewRow& row : viewRows())
            QTest::newRow(row.id) << QByteArray(row.id);
    }
    void whatIsTypedOnAPictureIsASentence()
    {
        QFETCH(const QByteArray, view);
        EditedDesk desk;
        desk.showTab(view.constData());
        auto* shown = desk.find<QTabWidget>("viewTabs")->currentWidget()->findChild<FigureView*>();
        desk.point(*shown, shown->rect().center());
        auto* box = desk.find<QLineEdit>("sentence");
        for (const char letter : std::string_view("the House: rhyzosun"))
            QTest::keyClick(desk.window->focusWidget(), letter);
        QCOMPARE(box->text(), QStringLiteral("the House: rhyzosun"));
        QVERIFY(box->hasFocus());
        QVERIFY(desk.edits().entries().empty());
        QVERIFY(!desk.window->controller().busy());
        QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.runs(), 1);
    }

    void badTextsAreSaidInTheirPlaceAndLoseNothing()
    {
        EditedDesk desk;
        desk.find<QDockWidget>("editsDock")->raise();
        auto* line = desk.find<QLineEdit>("newEdit");
        line->setFocus();
        for (const char* edit :
             {"decoder:0=zero", "cross:0:99=zero", "cross:0:0:5-2=zero", "cross=set:nan", "cross:0:0=zero"}) {
            QTest::keyClicks(line, QLatin1String(edit));
            QTest::keyClick(line, Qt::Key_Return);
            desk.settle();
        }
        QCOMPARE(desk.edits().rowCount(), 5);
        QCOMPARE(desk.asked(), (Texts{"cross:0:0=zero"}));
        for (int row = 0; row < 4; ++row)
            QVERIFY(!desk.edits().index(row).data(EditList::ProblemRole).toString().isEmpty());
    }

    void aThousandEditsStayFluent()
    {
        EditedDesk desk;
        Texts many;
        for (int i = 0; i < 1000; ++i)
            many.push_back("cross:0:0:" + std::to_string(i % 3) + ':' + std::to_string(i % 4) + "=scale:0."
                           + std::to_string(900 + i % 99));
        desk.edits().add(many);
        desk.settle();
        QCOMPARE(desk.asked(), many);
        desk.pointAt(0, 0);
        desk.edit("hideCells");
        QCOMPARE(desk.asked().size(), many.size() + 1);
    }

    void aSessionKeepsWhatIsNotTicked()
    {
        EditedDesk desk;
        desk.edits().add({"cross:0:0:0:0=zero", "cross:0:0:1:1=zero", "nonsense"});
        desk.edits().setOn(0, false);
        desk.settle();
        const auto entries = desk.edits().entries();
        desk.answers->session = desk.path(QStringLiteral("mine.attnscope"));
        desk.action("saveAction")->trigger();
        QTRY_VERIFY(!desk.window->study().unsaved());
        desk.edits().removeAll({0, 1, 2});
        desk.settle();
        desk.answers->paths[OpenKind::Anything] = desk.answers->session;
        desk.answers->save = SaveAnswer::Discard;
        desk.action("openAction")->trigger();
        desk.settle();
        QVERIFY(desk.edits().entries() == entries);
        QCOMPARE(desk.asked(), (Texts{"cross:0:0:1:1=zero"}));
    }

    void anotherDayNothingIsEdited()
    {
        EditedDesk desk;
        desk.pointAt(0, 0);
        desk.edit("zeroCells");
        desk.window->close();
        desk.window.reset();
        desk.show({}, {});
        desk.settle();
        QVERIFY(desk.edits().entries().empty());
        QVERIFY(desk.asked().empty());
    }
};

ATTN_GUI_TEST(TestWindowEdits)
#include "tst_window_edits.moc"
