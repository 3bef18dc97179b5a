// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/language.h"
#include "loading/model_loader.h"
#include "panels/dialogs.h"
#include "support/test_program.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QTabWidget>
#include <QTextBrowser>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;
using attn::test::trainedModels;
using attn::test::waitForRun;
using attn::test::WindowFixture;

namespace {

// Keys, and who has them.
class KeyList
{
public:
    void add(const QKeySequence& key, const QString& owner)
    {
        if (!key.isEmpty())
            m_owners[key.toString()] << owner;
    }
    void addMnemonic(const QString& text) { add(QKeySequence::mnemonic(text), text); }

    QString clashes() const
    {
        QStringList found;
        for (auto key = m_owners.begin(); key != m_owners.end(); ++key) {
            if (key->size() > 1)
                found << key.key() + QStringLiteral(": ") + key->join(QStringLiteral(" | "));
        }
        return found.join(QLatin1Char('\n'));
    }

private:
    QMap<QString, QStringList> m_owners;
};

void addShortcuts(const QList<QAction*>& actions, KeyList& keys)
{
    for (const QAction* action : actions) {
        for (const QKeySequence& key : action->shortcuts())
            keys.add(key, action->text());
        if (action->menu() != nullptr)
            addShortcuts(action->menu()->actions(), keys);
    }
}

// Every shortcut and mnemonic that works in a window as it looks now.
QString clashesIn(const QMainWindow& window)
{
    KeyList keys;
    const QList<QAction*> menus = window.findChild<QMenuBar*>()->actions();
    addShortcuts(menus, keys);
    for (const QAction* action : menus)
        keys.addMnemonic(action->text());
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->window() != &window || !widget->isVisible())
            continue;
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            keys.addMnemonic(button->text());
        if (const auto* label = qobject_cast<const QLabel*>(widget); label != nullptr && label->buddy() != nullptr)
            keys.addMnemonic(label->text());
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
            for (int i = 0; i < tabs->count(); ++i)
                keys.addMnemonic(tabs->tabText(i));
        }
    }
    return keys.clashes();
}

// Mnemonics count within one menu.
QString clashesIn(const QMenu& menu)
{
    KeyList keys;
    for (const QAction* action : menu.actions())
        keys.addMnemonic(action->text());
    return keys.clashes();
}

QString clashesInMenus(const QMenuBar& bar)
{
    QStringList found;
    for (const QMenu* menu : bar.findChildren<QMenu*>()) {
        if (const QString clashes = clashesIn(*menu); !clashes.isEmpty())
            found << menu->title() + QLatin1Char(' ') + clashes;
    }
    return found.join(QLatin1Char('\n'));
}

} // namespace

// Shortcuts and mnemonics of both windows, through real key events.
class TestWindowKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noKeyBelongsToTwo_data()
    {
        test::addColumns<QString, std::string>("model", "language");
        for (const LanguageRow& row : languageRows) {
            const std::string language = row.id;
            QTest::addRow("encoder-decoder %s", row.id) << QStringLiteral("transformer") << language;
            QTest::addRow("encoder-only %s", row.id) << trainedModels + QStringLiteral("bert-small-en") << language;
            QTest::addRow("decoder-only %s", row.id) << trainedModels + QStringLiteral("gpt-small-en") << language;
        }
    }

    void noKeyBelongsToTwo()
    {
        QFETCH(const QString, model);
        QFETCH(const std::string, language);
        const LanguageInUse inUse(languageNamed(language));
        WindowFixture fixture;
        fixture.show(model, QStringLiteral("s4 s5"));
        waitForRun(fixture);
        auto* second = fixture.find<QLineEdit>("secondSentence");
        fixture.editSentence();
        if (second->isVisible()) { // a pair has a control of its own
            QTest::keyClicks(second, QStringLiteral("A dog."));
            QTest::keyClick(second, Qt::Key_Return);
            waitForRun(fixture);
            QVERIFY(fixture.find<QWidget>("pairPicker")->isVisible());
        }
        QCOMPARE(clashesInMenus(*fixture.window->menuBar()), QString());
        const FigureView& heatmap = fixture.window->heatmap();
        QTRY_VERIFY(heatmap.figure() != nullptr && heatmap.figure()->rows() > 0);
        const QPoint place = heatmap.figure()->cellRect(0, 0).center().toPoint();
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, heatmap.mapToGlobal(place));
        QCoreApplication::sendEvent(&fixture.window->heatmap(), &event);
        auto* menu = fixture.window->findChild<QMenu*>(QStringLiteral("placeMenu"));
        QVERIFY(menu != nullptr);
        QCOMPARE(clashesIn(*menu), QString());
        menu->close();
        auto* search = fixture.find<QComboBox>("decode");
        for (const ViewRow& row : viewRows()) {
            fixture.showTab(row.id);
            for (int way = 0; way < (search->isVisible() ? search->count() : 1); ++way) {
                if (search->isVisible())
                    fixture.choose("decode", search->itemData(way));
                QCOMPARE(clashesIn(*fixture.window), QString());
            }
        }
    }

    void noKeyOfTheLaboratoryBelongsToTwo_data()
    {
        QTest::addColumn<std::string>("language");
        for (const LanguageRow& row : languageRows)
            QTest::newRow(row.id) << std::string(row.id);
    }
    void noKeyOfTheLaboratoryBelongsToTwo()
    {
        QFETCH(const std::string, language);
        const LanguageInUse inUse(languageNamed(language));
        LaboratoryFixture fixture("transformer");
        for (int i = 0; i < static_cast<int>(pageRows().size()); ++i) {
            const LaboratoryPage& page = fixture.openPage(static_cast<Page>(i));
            QCOMPARE(clashesIn(*fixture.laboratory), QString());
            for (QTabWidget* tabs : page.findChildren<QTabWidget*>()) {
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QCOMPARE(clashesIn(*fixture.laboratory), QString());
                }
            }
            if (auto* scheme = page.findChild<QComboBox*>(QStringLiteral("schemeKind")); scheme != nullptr) {
                for (int kind = 0; kind < scheme->count(); ++kind) {
                    scheme->setCurrentIndex(kind);
                    QCOMPARE(clashesIn(*fixture.laboratory), QString());
                }
            }
        }
        QCOMPARE(clashesInMenus(*fixture.laboratory->menuBar()), QString());
    }

    void thePagesOfTheLaboratoryHaveTheSameKeysInBothWindows()
    {
        LaboratoryFixture fixture("recurrent");
        fixture.openPage(*pageOf("lookup"));
        QVERIFY(QTest::qWaitForWindowActive(fixture.laboratory));
        const auto* menu = fixture.laboratory->findChild<QMenu*>(QStringLiteral("pageMenu"));
        QVERIFY(menu != nullptr);
        for (int i = 0; i < static_cast<int>(pageRows().size()); ++i) {
            QTest::keySequence(fixture.laboratory, pageShortcut(static_cast<Page>(i)));
            QCOMPARE(fixture.laboratory->current(), static_cast<Page>(i));
            QCOMPARE(menu->actions().at(i)->text(), pageName(static_cast<Page>(i)));
            QVERIFY(menu->actions().at(i)->isChecked());
        }
    }

    void aMaskedWordIsUndone()
    {
        WindowFixture fixture;
        fixture.show(trainedModels + QStringLiteral("bert-small-en"), {});
        waitForRun(fixture);
        const auto* sentence = fixture.find<QLineEdit>("sentence");
        const QString text = QStringLiteral("The cat sat.");
        fixture.send(text);
        waitForRun(fixture);
        fixture.window->selection().setStep(2);
        fixture.click("maskButton");
        waitForRun(fixture);
        QCOMPARE(sentence->text(), QStringLiteral("The [MASK] sat."));
        fixture.window->heatmap().setFocus();
        QTest::keyClick(&fixture.window->heatmap(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(sentence->text(), text);
        QTest::keySequence(&fixture.window->heatmap(), QKeySequence::Redo);
        QCOMPARE(sentence->text(), QStringLiteral("The [MASK] sat."));
        QTest::keyClick(fixture.editSentence(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(sentence->text(), text);
    }

    void aMaskInTheSecondSentenceIsUndoneThere()
    {
        WindowFixture fixture;
        fixture.show(trainedModels + QStringLiteral("bert-small-en"), QStringLiteral("A dog."));
        waitForRun(fixture);
        auto* second = fixture.find<QLineEdit>("secondSentence");
        fixture.editSentence();
        QTest::keyClicks(second, QStringLiteral("It is old."));
        QTest::keyClick(second, Qt::Key_Return);
        waitForRun(fixture);
        const auto& tokens = fixture.trace().source().tokens;
        fixture.window->selection().setStep(static_cast<int>(std::ranges::find(tokens, "old") - tokens.begin()));
        fixture.click("maskButton");
        waitForRun(fixture);
        QCOMPARE(second->text(), QStringLiteral("It is [MASK]."));
        fixture.window->heatmap().setFocus();
        QTest::keyClick(&fixture.window->heatmap(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(second->text(), QStringLiteral("It is old."));
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("A dog."));
    }

    void nothingIsChosenFromAnEmptyList()
    {
        WindowFixture fixture("transformer");
        QVERIFY(fixture.find<QComboBox>("headPicker")->isVisible());
        fixture.window->open(test::blindModel(fixture.path(QStringLiteral("elsewhere"))));
        waitForRun(fixture);
        for (const QComboBox* list : fixture.find<QWidget>("siteDock")->findChildren<QComboBox*>())
            QVERIFY2(!list->isVisible() || list->count() > 0, qPrintable(list->objectName()));
        fixture.window->open(QStringLiteral("transformer"));
        waitForRun(fixture);
        QVERIFY(fixture.find<QComboBox>("headPicker")->isVisible());
    }

    void aTokenIsFoundFromTheKeyboard()
    {
        WindowFixture fixture;
        fixture.show(trainedModels + QStringLiteral("rnnsearch-en-fr"), QStringLiteral("The cat saw the other cat."));
        waitForRun(fixture);
        FigureView& view = fixture.window->heatmap();
        QTRY_VERIFY(view.figure() != nullptr && !view.figure()->columnLabels().isEmpty());
        const auto* const bar = fixture.find<QWidget>("findBar");
        QVERIFY(!bar->isVisible());
        QTest::keyClick(fixture.window.get(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(bar->isVisible());
        auto* const text = fixture.find<QLineEdit>("findText");
        QTest::keyClicks(text, QStringLiteral("CAT"));
        QTRY_COMPARE(view.foundCount(), 2);
        QCOMPARE(view.foundAt(), 0);
        QVERIFY(fixture.find<QLabel>("findCount")->text().contains(QLatin1Char('2')));
        QTest::keyClick(text, Qt::Key_F3);
        QCOMPARE(view.foundAt(), 1);
        QTest::keyClick(text, Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(view.foundAt(), 0);
        fixture.find<QTabWidget>("viewTabs")->setCurrentIndex(2); // lines: the search goes with it
        QTRY_COMPARE(fixture.window->findChild<FigureView*>(QStringLiteral("arcsView"))->foundCount(), 2);
        QCOMPARE(view.foundCount(), 0);
        QTest::keyClick(text, Qt::Key_Escape);
        QTRY_VERIFY(!bar->isVisible());
        QCOMPARE(fixture.window->findChild<FigureView*>(QStringLiteral("arcsView"))->foundCount(), 0);
    }

    void aboutNamesDataAndLibrariesWithTheirLicences()
    {
        const QString text = aboutText();
        for (const char* name : {"Tatoeba",      "CC BY 2.0 FR",
                                 "Europarl",     "European Parliament",
                                 "TinyStories",  "CDLA-Sharing 1.0",
                                 "Jane Austen",  "public domain",
                                 "WordNet 3.0",  "Princeton",
                                 "Qt",           "LGPL-3.0",
                                 "oneDNN",       "Apache-2.0",
                                 "ICU",          "Eigen",
                                 "MPL-2.0",      "zlib",
                                 "BSD-3-Clause", "MIT",
                                 "CLI11"})
            QVERIFY2(text.contains(QLatin1String(name)), name);
    }
};

ATTN_GUI_TEST(TestWindowKeys)
#include "tst_window_keys.moc"
