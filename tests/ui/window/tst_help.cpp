// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/command_palette.h"
#include "help/glossary.h"
#include "help/help_text.h"
#include "help/help_window.h"
#include "laboratory/laboratory_window.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"

#include <QDesktopServices>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSet>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextFragment>
#include <QTimer>
#include <QUrl>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

namespace {

CommandPalette* paletteOf(const WindowFixture& fixture)
{
    return fixture.window->findChild<CommandPalette*>();
}

void openPalette(const WindowFixture& fixture)
{
    QTest::keyClick(fixture.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(paletteOf(fixture) != nullptr && paletteOf(fixture)->isVisible());
}

QStringList listed(const WindowFixture& fixture)
{
    QStringList titles;
    const auto* list = fixture.find<QTreeWidget>("commandList");
    for (int i = 0; i < list->topLevelItemCount(); ++i)
        titles << list->topLevelItem(i)->text(0);
    return titles;
}

void typeCommand(const WindowFixture& fixture, const QString& text)
{
    QTest::keyClicks(fixture.find<QLineEdit>("commandTyped"), text);
}

void press(const WindowFixture& fixture, Qt::Key key)
{
    QTest::keyClick(fixture.find<QLineEdit>("commandTyped"), key);
}

HelpWindow* helpOf(const WindowFixture& fixture)
{
    return fixture.window->findChild<HelpWindow*>();
}

QStringList linksOf(const QTextDocument& document)
{
    QStringList links;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto at = block.begin(); !at.atEnd(); ++at)
            if (at.fragment().charFormat().isAnchor())
                links << at.fragment().charFormat().anchorHref();
    return links;
}

// Takes the place of the desktop for as long as it lives.
class OpenedLinks final : public QObject
{
    Q_OBJECT

public:
    OpenedLinks() { QDesktopServices::setUrlHandler(QStringLiteral("https"), this, "take"); }
    ~OpenedLinks() override { QDesktopServices::unsetUrlHandler(QStringLiteral("https")); }
    int count() const { return m_count; }

public Q_SLOTS:
    void take(const QUrl&) { ++m_count; }

private:
    int m_count = 0;
};

// Keys go to the window in front.
void activate(QWidget& window)
{
    window.activateWindow();
    QTRY_VERIFY(window.isActiveWindow());
}

// Of the list that can be seen, in its order.
QStringList shownPages(const HelpWindow& help)
{
    QStringList ids;
    for (QTreeWidgetItemIterator item(help.findChild<QTreeWidget*>(), QTreeWidgetItemIterator::NotHidden); *item;
         ++item)
        if (!(*item)->data(0, Qt::UserRole).isNull())
            ids << (*item)->data(0, Qt::UserRole).toString();
    return ids;
}

} // namespace

// What can be found by its name, and what the help says.
class TestHelp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginningsOfWordsAreFoundFirst()
    {
        const auto rank = [](const char* typed, const char* title) {
            return matchRank(QString::fromUtf8(typed), QString::fromUtf8(title), QStringLiteral("Run")).value_or(99);
        };
        const QList<int> ranks{rank("next", "Next token"),    rank("tok", "Next token"), rank("nt", "Next token"),
                               rank("run tok", "Next token"), rank("ext", "Next token"), rank("nxtn", "Next token"),
                               rank("nxq", "Next token")};
        QVERIFY(std::ranges::is_sorted(ranks, std::less_equal<>()));
        QCOMPARE(QSet<int>(ranks.begin(), ranks.end()).size(), ranks.size());
        QCOMPARE(ranks.back(), 99);
        QCOMPARE(rank("", "Next token"), 0);
        QCOMPARE(rank("Modele", "Modèle"), 0); // accents do not matter
        QCOMPARE(rank("show tok", "Show every token"), 1);
        QVERIFY(rank("token next", "Next token") > rank("next token", "Next token"));
    }

    void thePaletteHasEverythingThatCanBeDone()
    {
        WindowFixture fixture("recurrent");
        openPalette(fixture);
        const QStringList titles = listed(fixture);
        for (const MenuAction& entry : menuActions(*fixture.window->menuBar(), {QStringLiteral("recentMenu")})) {
            if (entry.action->objectName() != QStringLiteral("paletteAction"))
                QVERIFY2(titles.contains(plainTitle(entry.action->text())), qPrintable(entry.action->text()));
        }
        for (const ViewRow& row : viewRows())
            QVERIFY2(titles.contains(QLatin1String(row.title)), row.title);
        for (const PageRow& row : pageRows())
            QCOMPARE(titles.count(QLatin1String(row.title)), 1);
        for (const char* model : {"recurrent", "endless", "transformer"})
            QVERIFY2(titles.contains(QLatin1String(model)), model);
    }

    void whatWasOpenedLatelyIsFoundByItsName()
    {
        WindowFixture fixture;
        const QString path = attn::test::transformerModel(fixture.path(QStringLiteral("elsewhere")));
        fixture.open(path);
        fixture.window->open(QStringLiteral("recurrent"));
        fixture.settle();
        openPalette(fixture);
        typeCommand(fixture, QStringLiteral("recent ") + QFileInfo(path).fileName());
        QCOMPARE(fixture.find<QTreeWidget>("commandList")->topLevelItemCount(), 1);
        press(fixture, Qt::Key_Return);
        QTRY_COMPARE(fixture.window->study().opened(), path);
        fixture.settle();
    }

    void whatIsTypedIsDoneByEnter()
    {
        WindowFixture fixture("recurrent");
        openPalette(fixture);
        typeCommand(fixture, QStringLiteral("lines"));
        press(fixture, Qt::Key_Return);
        QTRY_COMPARE(fixture.find<ViewTabs>("viewTabs")->currentId(), QStringLiteral("arcs"));
        QTRY_VERIFY(paletteOf(fixture) == nullptr);
        openPalette(fixture);
        QVERIFY(fixture.find<QLineEdit>("commandTyped")->text().isEmpty());
        typeCommand(fixture, QStringLiteral("transf"));
        press(fixture, Qt::Key_Enter);
        QTRY_VERIFY(fixture.window->study().model()
                    && fixture.window->study().model()->name == QStringLiteral("transformer"));
        fixture.settle();
    }

    void theArrowsAndAClickChoose()
    {
        WindowFixture fixture("recurrent");
        openPalette(fixture);
        typeCommand(fixture, QStringLiteral("merge"));
        auto* list = fixture.find<QTreeWidget>("commandList");
        QVERIFY(list->topLevelItemCount() > 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier,
                          list->visualItemRect(list->topLevelItem(0)).center());
        QTRY_VERIFY(fixture.window->heatmap().spec().words);
        QTRY_VERIFY(paletteOf(fixture) == nullptr);
        openPalette(fixture);
        press(fixture, Qt::Key_Down);
        list = fixture.find<QTreeWidget>("commandList");
        QCOMPARE(list->indexOfTopLevelItem(list->currentItem()), 1);
        press(fixture, Qt::Key_Up);
        QCOMPARE(list->indexOfTopLevelItem(list->currentItem()), 0);
        press(fixture, Qt::Key_Escape);
        QTRY_VERIFY(paletteOf(fixture) == nullptr);
    }

    void whatCannotBeDoneNowSaysWhereItIs()
    {
        WindowFixture fixture("recurrent");
        openPalette(fixture);
        typeCommand(fixture, QStringLiteral("next token")); // a translation is not continued
        QCOMPARE(listed(fixture).front(), QStringLiteral("Next token"));
        QVERIFY(fixture.find<QLabel>("commandNote")->text().contains(QStringLiteral("Run")));
        const auto* list = fixture.find<QTreeWidget>("commandList");
        QCOMPARE(list->topLevelItem(0)->foreground(0).color(),
                 fixture.window->palette().color(QPalette::Disabled, QPalette::Text));
        press(fixture, Qt::Key_Return);
        QVERIFY(paletteOf(fixture)->isVisible());
    }

    void theKeyClosesItAndNothingIsLeft()
    {
        WindowFixture fixture("recurrent");
        auto* sentence = fixture.editSentence();
        QTest::keyClick(sentence, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(paletteOf(fixture) != nullptr);
        QVERIFY(fixture.find<QLineEdit>("commandTyped")->hasFocus());
        QTest::keyClick(fixture.find<QLineEdit>("commandTyped"), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(paletteOf(fixture) == nullptr);
        QVERIFY(sentence->hasFocus());
    }

    void everyViewAndPageHasAPage()
    {
        WindowFixture fixture("recurrent");
        const auto pages = helpPages(menuActions(*fixture.window->menuBar()));
        QSet<QString> ids;
        for (const HelpPage& page : pages) {
            QVERIFY2(!page.title.isEmpty(), qPrintable(page.id));
            QVERIFY2(page.group == HelpGroup::Models || page.text.size() > 200, qPrintable(page.id));
            QVERIFY2(!ids.contains(page.id), qPrintable(page.id));
            ids << page.id;
        }
        for (const ViewRow& row : viewRows())
            QVERIFY2(ids.contains(viewHelp(QLatin1String(row.id))), row.id);
        for (const PageRow& row : pageRows())
            QVERIFY2(ids.contains(laboratoryHelp(*pageOf(row.id))), row.id);
    }

    void everyLinkLeadsSomewhere()
    {
        WindowFixture fixture("recurrent");
        QSet<QString> targets;
        const auto pages = helpPages(menuActions(*fixture.window->menuBar()));
        for (const HelpPage& page : pages)
            targets << page.id;
        for (const Term& term : glossary())
            targets << glossaryHelp + QLatin1Char('#') + anchorOf(QLatin1String(term.name));
        const QRegularExpression link(QStringLiteral("(?<!!)\\[[^\\]]*\\]\\(([^)]+)\\)")); // not images
        int links = 0;
        for (const HelpPage& page : pages) {
            for (auto match = link.globalMatch(page.text); match.hasNext();) {
                const QString target = match.next().captured(1);
                if (target.startsWith(QStringLiteral("http")))
                    continue;
                ++links;
                QVERIFY2(targets.contains(target), qPrintable(page.id + QStringLiteral(": ") + target));
            }
        }
        QVERIFY(links > 20);
    }

    void formulasOfPagesAreSet()
    {
        WindowFixture fixture("recurrent");
        QTest::keyClick(fixture.window.get(), Qt::Key_F1);
        QTRY_VERIFY(helpOf(fixture) != nullptr && helpOf(fixture)->isVisible());
        const auto* text = fixture.find<QTextBrowser>("helpText");
        const QRegularExpression image(QStringLiteral("!\\[[^\\]]+\\]\\(([^)]+)\\)"));
        int formulas = 0;
        for (const HelpPage& page : helpPages(menuActions(*fixture.window->menuBar()))) {
            helpOf(fixture)->open(page.id);
            for (auto match = image.globalMatch(page.text); match.hasNext();) {
                const QUrl address(match.next().captured(1));
                const auto shown = text->document()->resource(QTextDocument::ImageResource, address).value<QImage>();
                QVERIFY2(shown.height() > 20 && shown.width() > 60, qPrintable(address.toString()));
                ++formulas;
            }
        }
        QVERIFY(formulas > 5);
    }

    void everyActionWithAKeyIsListed()
    {
        WindowFixture fixture("recurrent");
        QTest::keyClick(fixture.window.get(), Qt::Key_F1);
        QTRY_VERIFY(helpOf(fixture) != nullptr && helpOf(fixture)->isVisible());
        helpOf(fixture)->open(shortcutsHelp);
        const QString text = fixture.find<QTextBrowser>("helpText")->toPlainText();
        int keys = 0;
        for (const QAction* action : fixture.window->findChildren<QAction*>()) {
            const bool inMenus = action->parent() == fixture.window->findChild<Actions*>();
            if (!inMenus || action->shortcut().isEmpty() || !action->isVisible())
                continue;
            ++keys;
            QVERIFY2(text.contains(plainTitle(action->text())), qPrintable(action->text()));
            QVERIFY2(text.contains(action->shortcut().toString(QKeySequence::NativeText)), qPrintable(action->text()));
        }
        QVERIFY(keys > 20);
    }

    void theGlossaryHasALineAndAPaperForEachTerm()
    {
        QSet<QString> names;
        const QRegularExpression paper(QStringLiteral("^.+ \\((19|20)\\d\\d\\): .+$"));
        for (const Term& term : glossary()) {
            QVERIFY2(!names.contains(QLatin1String(term.name)), term.name);
            names << QLatin1String(term.name);
            QVERIFY2(paper.match(QString::fromUtf8(term.paper)).hasMatch(), term.paper);
            QVERIFY2(QString::fromUtf8(term.meaning).endsWith(QLatin1Char('.')), term.name);
        }
        QVERIFY(names.size() >= 40);
    }

    void f1OpensThePageOfTheView()
    {
        WindowFixture fixture("recurrent");
        fixture.showTab("arcs");
        QTest::keyClick(fixture.window.get(), Qt::Key_F1);
        QTRY_VERIFY(helpOf(fixture) != nullptr && helpOf(fixture)->isVisible());
        QCOMPARE(helpOf(fixture)->current(), viewHelp(QStringLiteral("arcs")));
        fixture.showTab("heatmap");
        QTest::keyClick(fixture.window.get(), Qt::Key_F1);
        QCOMPARE(helpOf(fixture)->current(), viewHelp(QStringLiteral("heatmap")));
        LaboratoryWindow& laboratory = fixture.window->openLaboratory(*pageOf("lookup"));
        QVERIFY(QTest::qWaitForWindowExposed(&laboratory));
        activate(laboratory);
        QTest::keyClick(&laboratory, Qt::Key_F1);
        QCOMPARE(helpOf(fixture)->current(), QStringLiteral("page-lookup"));
        auto* back = fixture.find<QAction>("helpBack");
        QVERIFY(back->isEnabled());
        activate(*helpOf(fixture));
        QTest::keyClick(helpOf(fixture), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(helpOf(fixture)->current(), viewHelp(QStringLiteral("heatmap")));
    }

    void whatIsSearchedIsFoundInPagesAndTerms()
    {
        WindowFixture fixture("recurrent");
        fixture.action("firstStepsAction")->trigger();
        HelpWindow& help = *helpOf(fixture);
        activate(help);
        const auto all = shownPages(help);
        auto* search = fixture.find<QLineEdit>("helpSearch");
        QTest::keyClicks(search, QStringLiteral("causal"));
        const QStringList found = shownPages(help);
        QVERIFY(found.size() < all.size());
        QVERIFY(found.contains(viewHelp(QStringLiteral("heatmap"))));
        QVERIFY(!found.contains(viewHelp(QStringLiteral("beam"))));
        QCOMPARE(help.current(), QStringLiteral("glossary#causal-mask")); // is called so
        QVERIFY(!fixture.find<QTextBrowser>("helpText")->extraSelections().isEmpty());
        search->selectAll();
        QTest::keyClicks(search, QStringLiteral("zzzz"));
        QVERIFY(shownPages(help).isEmpty());
        activate(help);
        QTest::keyClick(search, Qt::Key_Escape);
        QCOMPARE(shownPages(help), all);
        fixture.find<QAction>("helpBack")->trigger(); // over all that was shown meanwhile
        QCOMPARE(help.current(), firstStepsHelp);
    }

    void aTermIsAtTheTopOfTheText()
    {
        WindowFixture fixture("recurrent");
        fixture.action("glossaryAction")->trigger();
        helpOf(fixture)->open(QStringLiteral("glossary#query"));
        auto* text = fixture.find<QTextBrowser>("helpText");
        QCOMPARE(text->textCursor().block().text(), QStringLiteral("query"));
        QTRY_VERIFY(text->viewport()->rect().intersects(text->cursorRect()));
    }

    void aCardOfAnyKindIsShownAtOnce_data()
    {
        QTest::addColumn<QByteArray>("card");
        const auto many = [](const char* text) { return QByteArray(text).repeated(65536).left(65536); };
        QTest::newRow("a line of dashes") << QByteArray("- ").repeated(4000);
        QTest::newRow("lists in lists") << many("- ");
        QTest::newRow("numbers in numbers") << many("1. ") + 'x';
        QTest::newRow("lists in quotes") << many("> - ") + 'x';
        QTest::newRow("lists after carriage returns") << many("+ \r- \r");
        QTest::newRow("lists in links") << QByteArray("[+ ](b)[- ](b)").repeated(450) + 'x';
        QTest::newRow("entries") << many("- x\n");
        QTest::newRow("rows of a table") << "|a|b|\n|-|-|\n" + many("|a|b|\n");
        QTest::newRow("columns of a table")
            << '|' + QByteArray("a|").repeated(9000) + "\n|" + QByteArray("-|").repeated(9000);
        QTest::newRow("emphasis") << many("a**b");
        QTest::newRow("headings") << many("# x\n");
        QTest::newRow("brackets") << many("[");
        QTest::newRow("links") << many("[a](http:b) ");
        QTest::newRow("pictures") << many("![a](loss.svg)");
        QTest::newRow("tags") << many("<b>");
        // As much of each as is still laid out.
        QTest::newRow("fewer lines") << QByteArray("- x\n").repeated(999);
        QTest::newRow("fewer rows of a table") << "|a|b|\n|-|-|\n" + QByteArray("|a|b|\n").repeated(990);
        QTest::newRow("less emphasis") << QByteArray("a**b").repeated(999);
        QTest::newRow("fewer brackets") << QByteArray("[a").repeated(1990);
        QTest::newRow("fewer links") << QByteArray("[a](http:b) ").repeated(660);
        QTest::newRow("fewer links by themselves") << QByteArray("www.a.b ").repeated(499);
        QTest::newRow("fewer tags") << QByteArray("<b>").repeated(990);
        QTest::newRow("less code") << QByteArray("` `` ").repeated(660);
        QTest::newRow("less that is escaped") << QByteArray("\\*").repeated(990);
        QTest::newRow("fewer entities") << QByteArray("&amp;").repeated(1990);
        QTest::newRow("fewer zeros") << QByteArray("\0a", 2).repeated(1990);
        QTest::newRow("less depth") << QByteArray(QByteArray("- ").repeated(15) + "x\n").repeated(900);
        QTest::newRow("deeper and deeper") << [] {
            QByteArray text;
            for (int i = 0; i < 180; ++i)
                text += QByteArray(2 * i, ' ') + "- x\n";
            return text;
        }();
        QTest::newRow("quotes that go on") << QByteArray(QByteArray(">").repeated(16) + "x\n").repeated(110);
        QTest::newRow("entities") << many("&amp;");
        QTest::newRow("quotes") << many("> ");
        QTest::newRow("code") << many("`` ` ");
        QTest::newRow("one word") << many("x");
        QTest::newRow("short words") << many("x ");
        QTest::newRow("words of another direction") << many("\u05d0 x ");
        QTest::newRow("zeros") << QByteArray(65536, '\0');
    }
    void aCardOfAnyKindIsShownAtOnce()
    {
        QFETCH(const QByteArray, card);
        WindowFixture fixture("recurrent");
        QFile file(fixture.path(QStringLiteral("models/recurrent/README.md")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(card) == card.size() && file.flush());
        fixture.action("firstStepsAction")->trigger();
        HelpWindow& help = *helpOf(fixture);
        activate(help);
        help.open(QStringLiteral("model-recurrent"));
        help.grab();
        // Each of them took from two seconds to minutes; others are at work beside the tests.
    }

    void picturesAreThoseOfTheProgramsOwnModels()
    {
        WindowFixture fixture("recurrent");
        const QString own = QStringLiteral(ATTN_SOURCE_DIR "/resources/models/rnnsearch-en-fr/loss.svg");
        const QString other = fixture.path(QStringLiteral("models/recurrent/loss.svg"));
        QVERIFY(QFile::copy(own, other));
        fixture.action("firstStepsAction")->trigger();
        const auto widthOf = [&](const QString& file) {
            const QVariant picture = fixture.find<QTextBrowser>("helpText")
                                         ->document()
                                         ->resource(QTextDocument::ImageResource, QUrl::fromLocalFile(file));
            return picture.value<QImage>().width();
        };
        QVERIFY(widthOf(own) > 100);
        QCOMPARE(widthOf(other), 1);
        QCOMPARE(widthOf(fixture.path(QStringLiteral("models/recurrent/none.svg"))), 1);
    }

    void aCardsLinksLeadToTheWebAfterAskingAndNowhereElse()
    {
        WindowFixture fixture("recurrent");
        QFile card(fixture.path(QStringLiteral("models/recurrent/README.md")));
        QVERIFY(card.open(QIODevice::WriteOnly));
        card.write("# Model\n\n[click [here] now](file:///nowhere/run.desktop)\n\n<smb://127.0.0.1/share>\n\n"
                   "[reference][r]\n\n<file:///etc/passwd>\n\n[plain](file:///etc/hosts) [upper](FILE:///etc/hosts)\n\n"
                   "[relative](config.json) [host](//host/share) <a@b.invalid> [data](data:text/html,x)\n\n"
                   "[page](glossary#attention-weights) [web](https://example.invalid/)\n\n"
                   "[r]: vscode://file/etc/passwd\n");
        card.close();
        OpenedLinks opened;
        fixture.action("firstStepsAction")->trigger();
        HelpWindow& help = *helpOf(fixture);
        activate(help);
        help.open(QStringLiteral("model-recurrent"));
        auto* const browser = fixture.find<QTextBrowser>("helpText");
        QCOMPARE(
            linksOf(*browser->document()),
            (QStringList{QStringLiteral("glossary#attention-weights"), QStringLiteral("https://example.invalid/")}));
        const QTextCursor web = browser->document()->find(QStringLiteral("web"));
        for (const auto answer : {QMessageBox::Cancel, QMessageBox::Open}) {
            QString asked;
            QTimer::singleShot(0, &help, [&] {
                auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                asked = box != nullptr ? box->text() : QString();
                if (box != nullptr)
                    box->button(answer)->click();
            });
            QTest::mouseClick(browser->viewport(), Qt::LeftButton, {},
                              browser->cursorRect(web).center() - QPoint(3, 0));
            QVERIFY2(asked.contains(QStringLiteral("https://example.invalid/")), qPrintable(asked));
            QCOMPARE(opened.count(), answer == QMessageBox::Open ? 1 : 0);
        }
    }

    void whatAPageIsAboutIsShown()
    {
        WindowFixture fixture("recurrent");
        fixture.action("helpAction")->trigger();
        helpOf(fixture)->open(viewHelp(QStringLiteral("arcs")));
        fixture.find<QAction>("helpShow")->trigger();
        QCOMPARE(fixture.find<ViewTabs>("viewTabs")->currentId(), QStringLiteral("arcs"));
        helpOf(fixture)->open(QStringLiteral("page-order"));
        fixture.find<QAction>("helpShow")->trigger();
        QTRY_VERIFY(fixture.window->findChild<LaboratoryWindow*>() != nullptr);
        QCOMPARE(fixture.window->findChild<LaboratoryWindow*>()->current(), *pageOf("order"));
        helpOf(fixture)->open(QStringLiteral("model-transformer"));
        fixture.find<QAction>("helpShow")->trigger();
        fixture.settle();
        QCOMPARE(fixture.window->study().model()->name, QStringLiteral("transformer"));
        helpOf(fixture)->open(glossaryHelp);
        QVERIFY(!fixture.find<QAction>("helpShow")->isVisible());
    }
};

ATTN_GUI_TEST(TestHelp)
#include "tst_help.moc"
