// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/color_map.h"
#include "figures/look/theme.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"
#include "window/actions.h"

#include <QMenu>
#include <QSet>
#include <QSpinBox>

#include <iterator>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

// The actions as an object: each is there once, and can be triggered when the study says so.
class TestActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyActionHasANameOfItsOwnAndAPlaceInAMenu()
    {
        WindowFixture fixture("recurrent");
        QList<QAction*> inMenus;
        for (const QMenu* menu : fixture.window->menuBar()->findChildren<QMenu*>())
            inMenus += menu->actions();
        QSet<QString> names;
        const auto actions = fixture.window->findChild<Actions*>()->findChildren<QAction*>(Qt::FindDirectChildrenOnly);
        QVERIFY(actions.size() > 20);
        for (QAction* action : actions) {
            QVERIFY2(!action->objectName().isEmpty(), qPrintable(action->text()));
            QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
            names.insert(action->objectName());
            QCOMPARE(inMenus.count(action), 1);
        }
    }

    void whatCanBeDoneFollowsTheStudy()
    {
        WindowFixture fixture;
        const auto can = [&](const char* id) { return fixture.action(id)->isEnabled(); };
        fixture.open(QStringLiteral("recurrent"), QStringLiteral("s4 s5"));
        fixture.find<QSpinBox>("max-length")->setValue(100'000); // so that the run goes on
        fixture.window->open(QStringLiteral("endless"));
        QTRY_VERIFY(fixture.window->study().running() && fixture.trace().stepCount() > 0);
        QVERIFY(can("cancelAction"));
        QVERIFY(!can("continueAction") && !can("nextTokenAction") && !can("maskAction"));
        fixture.action("cancelAction")->trigger();
        QVERIFY(!fixture.window->controller().busy());
        QVERIFY(!can("cancelAction"));
        QVERIFY(can("undoAction") && !can("redoAction")); // to the run before
        fixture.type(QStringLiteral("s6"));
        QVERIFY(can("undoAction") && !can("redoAction"));
        fixture.action("undoAction")->trigger();
        QVERIFY(can("redoAction"));
        QCOMPARE(fixture.window->study().edited().text, std::string("s4 s5"));
        QVERIFY(can("exportAction") && can("runAction"));
    }

    void theLookIsChosenInMenusAndPanelsAlike()
    {
        WindowFixture fixture("recurrent");
        const auto spec = [&] { return fixture.window->heatmap().spec(); };
        QVERIFY(spec().words && spec().specials == SpecialTokens::Hidden); // what people read comes first
        QVERIFY(fixture.find<QAbstractButton>("wordsToggle")->isChecked());
        QTest::keyClick(fixture.window.get(), Qt::Key_M, Qt::ControlModifier);
        QVERIFY(!spec().words);
        QVERIFY(!fixture.find<QAbstractButton>("wordsToggle")->isChecked());
        fixture.click("wordsToggle");
        QVERIFY(spec().words && fixture.action("wordsAction")->isChecked());
        auto* specials = fixture.find<QComboBox>("specialsPicker");
        QTest::keyClick(fixture.window.get(), Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(spec().specials == SpecialTokens::Shown);
        QCOMPARE(specials->currentIndex(), static_cast<int>(SpecialTokens::Shown));
        fixture.choose("specialsPicker", static_cast<int>(SpecialTokens::HiddenRenormalized));
        QVERIFY(spec().specials == SpecialTokens::HiddenRenormalized);
        QVERIFY(!fixture.action("specialsAction")->isChecked());
    }

    void everyColourMapAndThemeIsChosenFromItsMenu()
    {
        WindowFixture fixture("recurrent");
        const auto choose = [&](const char* menu, const char* id) {
            auto* action = fixture.find<QMenu>(menu)->findChild<QAction*>(QLatin1String(id));
            if (action == nullptr)
                qFatal("%s has no %s", menu, id);
            action->trigger();
            return action->isChecked();
        };
        for (const ColorMapRow& row : colorMaps()) {
            QVERIFY2(choose("colorsMenu", row.id), row.id);
            QCOMPARE(fixture.window->heatmap().spec().colorMap, colorMapFromName(QLatin1String(row.id)));
            QCOMPARE(fixture.find<QComboBox>("colorMapPicker")->currentData().toInt(),
                     static_cast<int>(colorMapFromName(QLatin1String(row.id))));
        }
        for (const ThemeRow& row : themeRows) {
            QVERIFY2(choose("themeMenu", row.id), row.id);
            QTRY_COMPARE(fixture.window->heatmap().spec().theme, themeFromName(row.id));
        }
        QVERIFY(choose("themeMenu", "system"));
        QCOMPARE(fixture.find<QMenu>("themeMenu")->actions().size(), std::ssize(themeRows) + 1);
    }
};

ATTN_GUI_TEST(TestActions)
#include "tst_actions.moc"
