// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/look/decimal.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"

#include <QAction>
#include <QDir>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>

using namespace attn;
using namespace attn::ui;
using attn::test::trainedModels;
using attn::test::waitForRun;
using attn::test::WindowFixture;

namespace {

bool enabled(const WindowFixture& fixture, const char* action)
{
    return fixture.find<QAction>(action)->isEnabled();
}

// Claims keys as lines of text do with X11's bindings, whatever the platform of this test.
class ClaimsKeys final : public QObject
{
public:
    explicit ClaimsKeys(QLineEdit* line)
        : QObject(line)
    {
        line->installEventFilter(this);
    }

    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() != QEvent::ShortcutOverride)
            return false;
        event->accept();
        return true;
    }
};

FigureCanvas& bars(const WindowFixture& fixture)
{
    return *fixture.find<FigureCanvas>("candidatesChart");
}

} // namespace

// What menus, shortcuts and panels offer, through real events.
class TestWindowActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QDir(trainedModels + QStringLiteral("gpt-small-en")).exists())
            QSKIP("the language models are not in this tree");
    }

    void exportingWorksWhileALineOfTextHasTheFocus()
    {
        WindowFixture fixture("recurrent");
        auto* sentence = fixture.editSentence();
        new ClaimsKeys(sentence);
        fixture.answers->choice = ExportChoice{fixture.path(QStringLiteral("a.csv")), {}};
        QTest::keyClick(sentence, Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(QFile::exists(fixture.path(QStringLiteral("a.csv"))));
        QCOMPARE(sentence->text(), QStringLiteral("s4 s5 s6 s7"));
    }

    void theLaboratoryExportsToo()
    {
        WindowFixture fixture("recurrent");
        LaboratoryWindow& laboratory = fixture.window->openLaboratory(*pageOf("lookup"));
        QVERIFY(QTest::qWaitForWindowActive(&laboratory));
        const auto* query = laboratory.page(*pageOf("lookup")).findChild<QWidget*>(QStringLiteral("query1"));
        auto* line = query->findChild<QLineEdit*>(QStringLiteral("qt_spinbox_lineedit"));
        QVERIFY(line != nullptr);
        new ClaimsKeys(line);
        line->setFocus();
        QTRY_VERIFY(laboratory.page(*pageOf("lookup")).exportable().has_value());
        fixture.answers->choice = ExportChoice{fixture.path(QStringLiteral("lookup.csv")), {}};
        QTest::keyClick(line, Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(QFile::exists(fixture.path(QStringLiteral("lookup.csv"))));
    }

    void onlyWhatCanBeDoneIsOffered()
    {
        WindowFixture fixture("recurrent");
        for (const char* action : {"continueAction", "nextTokenAction", "maskAction", "cancelAction"})
            QVERIFY2(!enabled(fixture, action), action);
        fixture.find<QSpinBox>("max-length")->setValue(100'000);
        fixture.window->open(QStringLiteral("endless"));
        QTRY_VERIFY(fixture.window->study().running() && fixture.trace().stepCount() > 2);
        QVERIFY(enabled(fixture, "cancelAction"));
        QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        QVERIFY(!enabled(fixture, "cancelAction"));
    }

    void aWordCanBeMaskedOnce()
    {
        WindowFixture fixture(trainedModels + QLatin1String("bert-small-en"), QStringLiteral("The cat sat."));
        QVERIFY(!enabled(fixture, "continueAction"));
        fixture.window->selection().setStep(0); // [CLS]
        QVERIFY(!enabled(fixture, "maskAction"));
        fixture.window->selection().setStep(2);
        QVERIFY(enabled(fixture, "maskAction"));
        fixture.find<QAction>("maskAction")->trigger();
        waitForRun(fixture);
        QCOMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("The [MASK] sat."));
        QVERIFY(!enabled(fixture, "maskAction"));
    }

    void aTextThatEndedIsNotContinued()
    {
        WindowFixture fixture(trainedModels + QLatin1String("gpt-small-en"), QStringLiteral("He"));
        QVERIFY(enabled(fixture, "continueAction") && enabled(fixture, "nextTokenAction"));
        fixture.find<QSpinBox>("continueCount")->setValue(120);
        fixture.find<QWidget>("continueButton")->setFocus();
        fixture.click("continueButton");
        waitForRun(fixture);
        const QWidget* const focused = fixture.window->focusWidget(); // and not the number beside
        QCOMPARE(focused, fixture.find<QWidget>("stage"));
        const auto& summary = fixture.trace().summary();
        QVERIFY(summary && !summary->hypotheses.empty());
        QVERIFY(summary->hypotheses.front().ended); // long before the 120 tokens
        QVERIFY(!enabled(fixture, "continueAction") && !enabled(fixture, "nextTokenAction"));
        QVERIFY(!fixture.find<QWidget>("nextTokenButton")->isEnabled());
        fixture.type(QStringLiteral("She")); // another text
        QVERIFY(enabled(fixture, "continueAction") && fixture.find<QWidget>("nextTokenButton")->isEnabled());
    }

    void theLastTokenSaysHowToGoOn()
    {
        WindowFixture fixture(trainedModels + QLatin1String("gpt-small-en"), QStringLiteral("I think that"));
        FigureView& heatmap = fixture.window->heatmap();
        const int last = heatmap.figure()->rows() - 1;
        const auto clickRow = [&](int row) { WindowFixture::clickCell(heatmap, row, 0); };
        clickRow(0);
        QCOMPARE(fixture.window->selection().step(), 0);
        const QString key = fixture.action("nextTokenAction")->shortcut().toString();
        QVERIFY(!fixture.find<QLabel>("progressText")->text().contains(key));
        clickRow(last);
        QVERIFY(fixture.find<QLabel>("progressText")->text().contains(key));
        QTest::keyClick(fixture.window.get(), Qt::Key_T, Qt::ControlModifier);
        waitForRun(fixture);
        QTRY_COMPARE(heatmap.figure()->rows(), last + 2);
        clickRow(last);
        QCOMPARE(fixture.window->selection().step(), last);
    }

    void aTextFromRightToLeftIsShownSo()
    {
        WindowFixture fixture(trainedModels + QLatin1String("gpt-small-en"), QStringLiteral("\u05E9\u05DC"));
        QVERIFY(fixture.trace().source().size() >= 4); // bytes
        const auto* stage = fixture.find<FigureView>("stage");
        QTRY_VERIFY(stage->figure() != nullptr && stage->figure()->rows() > 0);
        double last = stage->width();
        for (int word = 0; word < stage->figure()->rows(); ++word) { // as its script has it
            const double left = stage->figure()->cellRect(word, 0).left();
            QVERIFY(left < last);
            last = left;
        }
    }

    void pointingAtACandidateSaysItsProbability()
    {
        WindowFixture fixture(trainedModels + QLatin1String("gpt-small-en"), QStringLiteral("I think that you"));
        const auto& candidates = fixture.find<CandidatesPanel>("candidatesPanel")->candidates();
        QTRY_VERIFY(bars(fixture).figure() != nullptr && bars(fixture).figure()->rows() >= 5);
        const Figure& figure = *bars(fixture).figure();
        for (int rank = 0; rank < figure.rows(); ++rank) {
            const auto& candidate = candidates[static_cast<std::size_t>(rank)];
            const FigureHit hit = figure.hitTest(figure.cellRect(rank, 0).center());
            QVERIFY(hit.text.startsWith(candidate.label) && hit.text.contains(significant(candidate.value, 4)));
        }
        QSignalSpy said(&bars(fixture), &FigureCanvas::hovered);
        bars(fixture).setFocus();
        QTest::keyClick(&bars(fixture), Qt::Key_Down);
        QCOMPARE(said.last().at(0).value<FigureHit>().row, 0);
    }

    void fewClassesHaveNoFatBars()
    {
        WindowFixture fixture(trainedModels + QLatin1String("question-pooling-en"), QStringLiteral("Where is it?"));
        QTRY_VERIFY(bars(fixture).figure() != nullptr && bars(fixture).figure()->rows() > 1);
        QCOMPARE(bars(fixture).figure()->rows(), indexSize(fixture.trace().classification()->labels));
        const auto pitch = [&] { return bars(fixture).figure()->cellRect(0, 0).height(); };
        QTRY_VERIFY(pitch() > 14);
        QTRY_VERIFY2(pitch() <= 35, qPrintable(QString::number(pitch())));
    }
};

ATTN_GUI_TEST(TestWindowActions)
#include "tst_window_actions.moc"
