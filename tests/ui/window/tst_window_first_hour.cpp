// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/output_change.h"
#include "base/index.h"
#include "figures/export/figure_export.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/theme.h"
#include "panels/export_dialog.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/window/window_fixture.h"
#include "views/number_box.h"
#include "window/window_theme.h"

#include <QAbstractAxis>
#include <QChart>
#include <QChartView>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QImage>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>

#include <limits>
#include <string_view>
#include <utility>

using namespace attn;
using namespace attn::ui;
using attn::test::trainedModels;
using attn::test::waitForRun;
using attn::test::WindowFixture;

namespace {

const QString rnnsearch = trainedModels + QStringLiteral("rnnsearch-en-fr");

bool isOlder(const WindowFixture& fixture)
{
    return fixture.find<QToolButton>("olderSign")->isVisible() || fixture.find<QToolButton>("notRunSign")->isVisible();
}

int barCount(const WindowFixture& fixture)
{
    const Figure* figure = fixture.find<FigureCanvas>("candidatesChart")->figure();
    return figure == nullptr ? 0 : figure->rows();
}

// The least contrast of a chart's words with its ground.
double contrastOf(const QChartView& view)
{
    double least = 21;
    for (const QAbstractAxis* axis : view.chart()->axes()) {
        for (const QBrush& ink : {axis->labelsBrush(), axis->titleBrush()})
            least = std::min(least, contrast(ink.color(), view.chart()->backgroundBrush().color()));
    }
    return least;
}

} // namespace

// What a person meets in the first hour with the window.
class TestWindowFirstHour : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        applyTheme(ThemeMode::System); // of the whole program
    }

    void aGivenOutputIsFollowedAtEnter()
    {
        WindowFixture fixture("recurrent");
        fixture.choose("decode", "forced");
        auto* target = fixture.find<QLineEdit>("forcedTarget");
        QTest::keyClicks(target, QStringLiteral("t20 t21"));
        QVERIFY(isOlder(fixture));
        QTest::keyClick(target, Qt::Key_Return);
        waitForRun(fixture);
        QCOMPARE(fixture.trace().target().ids, (std::vector<TokenId>{20, 21, 3}));
        QVERIFY(!isOlder(fixture));
    }

    void enterInAnyFieldAppliesTheChoices_data()
    {
        QTest::addColumn<QByteArray>("field");
        for (const char* field : {"decode", "beam", "max-length", "sentence"})
            QTest::newRow(field) << QByteArray(field);
    }
    void enterInAnyFieldAppliesTheChoices()
    {
        QFETCH(QByteArray, field);
        WindowFixture fixture("recurrent");
        QVERIFY(!isOlder(fixture));
        fixture.choose("decode", "beam");
        QVERIFY(isOlder(fixture));
        QCOMPARE(fixture.trace().provenance().decoding, std::string("greedy"));
        auto* widget = fixture.find<QWidget>(field.constData());
        widget->setFocus();
        QTest::keyClick(widget, Qt::Key_Return);
        waitForRun(fixture);
        QCOMPARE(fixture.trace().provenance().decoding, std::string("beam:4"));
        QVERIFY(!isOlder(fixture));
    }

    void whatIsPutBackIsNoChange()
    {
        WindowFixture fixture("recurrent");
        fixture.choose("decode", "beam");
        auto* beam = fixture.find<QSpinBox>("beam");
        beam->setFocus();
        beam->selectAll();
        QTest::keyClicks(beam, QStringLiteral("7"));
        QVERIFY(isOlder(fixture));
        fixture.choose("decode", "greedy"); // the size of a beam means nothing to a greedy search
        QVERIFY(!isOlder(fixture));
        auto* sentence = fixture.editSentence();
        QTest::keyClick(sentence, Qt::Key_End);
        QTest::keyClicks(sentence, QStringLiteral(" s8"));
        QVERIFY(isOlder(fixture));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(sentence, Qt::Key_Backspace);
        QVERIFY(!isOlder(fixture));
    }

    void aClickOnTheSignRuns()
    {
        WindowFixture fixture("recurrent");
        fixture.type(QStringLiteral("s9 s8"));
        QVERIFY(isOlder(fixture));
        QVERIFY(!fixture.find<QToolButton>("olderSign")->isVisible()); // which stands elsewhere
        fixture.click("notRunSign");
        waitForRun(fixture);
        QCOMPARE(fixture.trace().provenance().text, std::string("s9 s8"));
        QVERIFY(!isOlder(fixture));
    }

    void anArchiveIsOlderThanNothing()
    {
        WindowFixture fixture("recurrent");
        const QString path = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(path.toStdString(), fixture.trace());
        fixture.choose("decode", "beam");
        QVERIFY(isOlder(fixture));
        fixture.window->open(path);
        waitForRun(fixture);
        QVERIFY(!isOlder(fixture));
    }

    void chartsFollowTheThemeAtOnce()
    {
        WindowFixture fixture("transformer");
        fixture.window->setThemeMode(ThemeMode::Light);
        fixture.showTab("positional");
        auto* candidates = fixture.find<FigureCanvas>("candidatesChart");
        const auto* curves = fixture.find<QChartView>("positionCurves");
        QTRY_VERIFY(barCount(fixture) > 0);
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
            fixture.window->setThemeMode(mode);
            const bool dark = mode == ThemeMode::Dark;
            QTRY_COMPARE(curves->chart()->backgroundBrush().color().lightness() < 128, dark);
            QVERIFY(contrastOf(*curves) >= 4.5);
            const QImage picture = candidates->grab().toImage();
            QCOMPARE(picture.pixelColor(2, 2).lightness() < 128, dark);
            double ink = 1; // names and numbers
            for (int x = 0; x < picture.width(); ++x) {
                for (int y = 0; y < picture.height(); ++y)
                    ink = std::max(ink, contrast(picture.pixelColor(x, y), picture.pixelColor(2, 2)));
            }
            QVERIFY(ink >= 4.5);
        }
    }

    void theStatusBarForgetsAnEarlierModelsValue()
    {
        WindowFixture fixture("recurrent");
        FigureView& heatmap = fixture.window->heatmap();
        heatmap.setFocus();
        QTest::keyClick(&heatmap, Qt::Key_Right);
        QTest::keyClick(&heatmap, Qt::Key_Right);
        const auto* said = fixture.find<QLabel>("hoverText");
        QVERIFY(!said->text().isEmpty());
        fixture.window->open(QStringLiteral("transformer"));
        waitForRun(fixture);
        QVERIFY2(said->text().isEmpty(), qPrintable(said->text()));
    }

    void theStatusBarFollowsTheHead()
    {
        WindowFixture fixture("transformer");
        fixture.choose("headPicker", QStringLiteral("0"));
        FigureView& heatmap = fixture.window->heatmap();
        heatmap.setFocus();
        QTest::keyClick(&heatmap, Qt::Key_Right);
        const auto* said = fixture.find<QLabel>("hoverText");
        const QString first = said->text();
        QVERIFY(!first.isEmpty());
        fixture.choose("headPicker", QStringLiteral("1"));
        QTRY_VERIFY(!said->text().isEmpty() && said->text() != first);
        fixture.showTab("grid");
        QTRY_VERIFY(said->text().isEmpty());
    }

    void theCandidatesGetTheirRoomBack()
    {
        WindowFixture fixture("recurrent");
        auto* candidates = fixture.find<QDockWidget>("candidatesDock")->widget();
        QTRY_VERIFY(candidates->height() > 200);
        int height = 0;
        int looks = 0; // at the same height, one after the other
        const auto settled = [&] {
            const int before = std::exchange(height, candidates->height());
            looks = before == height ? looks + 1 : 0;
            return looks > 5;
        };
        QTRY_VERIFY(settled());
        fixture.choose("decode", "sample");
        QTRY_VERIFY(candidates->height() < height);
        fixture.choose("decode", "greedy");
        QTRY_COMPARE(candidates->height(), height);
        fixture.choose("decode", "sample");
        fixture.window->close();
        fixture.show({}, {});
        waitForRun(fixture);
        fixture.choose("decode", "greedy");
        QTRY_COMPARE(fixture.find<QDockWidget>("candidatesDock")->widget()->height(), height);
    }

    void theFirstLookIsAtAnUncertainStep()
    {
        WindowFixture fixture(rnnsearch, QStringLiteral("I am not deaf."));
        QCOMPARE(fixture.window->selection().step(), mostUncertainStep(fixture.trace().path()));
    }

    void theCandidatesThatMatterAreListed()
    {
        WindowFixture fixture(rnnsearch, QStringLiteral("I am not deaf."));
        fixture.window->resize(1280, 1000);
        const auto step = static_cast<int>(fixture.trace().path().size()) - 1; // the end, of which the model is sure
        fixture.window->selection().setStep(step);
        QTRY_COMPARE(barCount(fixture), 5);
        fixture.click("allCandidates");
        QTRY_VERIFY(barCount(fixture) >= 15);
        fixture.window->close();
        fixture.show(rnnsearch, {});
        waitForRun(fixture);
        QTRY_VERIFY(fixture.find<QAbstractButton>("allCandidates")->isChecked());
    }

    void theTokenThatWasTakenIsListedWhereRoomIsShort()
    {
        WindowFixture fixture("recurrent");
        fixture.window->resize(1000, 560);
        fixture.choose("decode", "forced");
        auto* target = fixture.find<QLineEdit>("forcedTarget");
        QTest::keyClicks(target, QStringLiteral("t20 t21"));
        QTest::keyClick(target, Qt::Key_Return);
        waitForRun(fixture);
        const auto& candidates = fixture.find<CandidatesPanel>("candidatesPanel")->candidates();
        const auto* all = fixture.find<QAbstractButton>("allCandidates");
        for (int step = 0; step < 2; ++step) {
            fixture.window->selection().setStep(step);
            QTRY_VERIFY(fixture.find<QLabel>("candidatesTitle")->text().contains(QStringLiteral("t2%1").arg(step)));
            QTRY_VERIFY(all->isVisible() && barCount(fixture) < indexSize(candidates));
            QTRY_VERIFY(all->text().contains(QString::number(indexSize(candidates) - barCount(fixture))));
            const auto isListed = [&](const QString& label) {
                const Figure& figure = *fixture.find<FigureCanvas>("candidatesChart")->figure();
                for (int row = 0; row < figure.rows(); ++row) {
                    if (figure.hitTest(figure.cellRect(row, 0).center()).text.startsWith(label))
                        return true;
                }
                return false;
            };
            QTRY_VERIFY(isListed(std::ranges::find(candidates, true, &BarListContent::Entry::taken)->label));
        }
        fixture.click("allCandidates");
        QCOMPARE(barCount(fixture), indexSize(candidates));
        QVERIFY(fixture.find<FigureCanvas>("candidatesChart")->figure()->cellRect(0, 0).height() > 12);
    }

    void anErrorDoesNotStayOverTheNextRun()
    {
        WindowFixture fixture("recurrent");
        fixture.window->open(fixture.broken);
        const auto* bar = fixture.find<MessageBar>("messageBar");
        QTRY_VERIFY(bar->isVisible());
        fixture.window->open(QStringLiteral("endless"));
        QTRY_VERIFY(fixture.trace().stepCount() > 0);
        QVERIFY(!bar->isVisible());
    }

    void aCancelledRunIsStopped()
    {
        WindowFixture fixture("recurrent");
        QVERIFY(!fixture.window->heatmap().spec().stopped);
        fixture.find<QSpinBox>("max-length")->setValue(100000);
        fixture.window->open(QStringLiteral("endless"));
        QTRY_VERIFY(fixture.window->study().running() && fixture.trace().stepCount() > 0);
        QVERIFY(!fixture.window->heatmap().spec().stopped);
        QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        QVERIFY(fixture.window->heatmap().spec().stopped);
    }

    void howHardAttentionAttendsSurvivesARestart()
    {
        WindowFixture fixture;
        const QString hard = test::hardModel(fixture.path(QStringLiteral("elsewhere")));
        fixture.open(hard);
        fixture.choose("hard", "sample");
        auto* seed = fixture.find<SeedBox>("seed");
        seed->setFocus();
        seed->selectAll();
        QTest::keyClicks(seed, QStringLiteral("18446744073709551615"));
        fixture.window->open(QStringLiteral("recurrent")); // which has none
        waitForRun(fixture);
        fixture.window->close();
        fixture.show(hard, {});
        waitForRun(fixture);
        QCOMPARE(fixture.find<QComboBox>("hard")->currentData().toString(), QStringLiteral("sample"));
        QCOMPARE(fixture.find<SeedBox>("seed")->value(), std::numeric_limits<quint64>::max());
        QVERIFY(!isOlder(fixture));
    }

    void theWindowHasTheLimitsOfTheCommandLine()
    {
        WindowFixture fixture("recurrent");
        const auto least = [](const char* option) { return optionRow(decodingRows(), option).limits.least; };
        const auto most = [](const char* option) { return optionRow(decodingRows(), option).limits.most; };
        const std::pair<const char*, const char*> boxes[] = {
            {"beam", "beam"}, {"top-k", "top-k"}, {"max-length", "max-length"}, {"continueCount", "generate"}};
        for (const auto& [box, option] : boxes) {
            QCOMPARE(fixture.find<QSpinBox>(box)->maximum(), static_cast<int>(most(option)));
            if (option != std::string_view("generate"))
                QCOMPARE(fixture.find<QSpinBox>(box)->minimum(), static_cast<int>(least(option)));
        }
        for (const auto& [box, option] : {std::pair("temperature", "temperature"), std::pair("top-p", "top-p")}) {
            QCOMPARE(fixture.find<NumberBox>(box)->minimum(), least(option));
            QCOMPARE(fixture.find<NumberBox>(box)->maximum(), most(option));
        }
        QTest::keyClick(fixture.window.get(), Qt::Key_E, Qt::ControlModifier);
        const ExportDialog dialog(fixture.answers->exported, fixture.answers->habits);
        QCOMPARE(dialog.findChild<QSpinBox*>(QStringLiteral("exportDpi"))->maximum(), mostDpi);
        QCOMPARE(dialog.findChild<QDoubleSpinBox*>(QStringLiteral("exportWidth"))->maximum(), mostWidthMm);
    }

    void unknownWordsAreNamed()
    {
        WindowFixture fixture("recurrent");
        const auto* bar = fixture.find<MessageBar>("messageBar");
        auto* sentence = fixture.find<QLineEdit>("sentence");
        fixture.type(QStringLiteral("s4 zebra%1 s5"));
        QTest::keyClick(sentence, Qt::Key_Return);
        waitForRun(fixture);
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QStringLiteral("zebra%1")) && bar->text().contains(QStringLiteral("<unk>")),
                 qPrintable(bar->text()));
        QTest::keyClick(sentence, Qt::Key_Return);
        waitForRun(fixture);
        QVERIFY(!bar->isVisible()); // said once
        fixture.type(QStringLiteral("s4 s5"));
        QTest::keyClick(sentence, Qt::Key_Return);
        waitForRun(fixture);
        QVERIFY(!bar->isVisible());
    }

    void aTextOfBlanksIsRun()
    {
        WindowFixture fixture("recurrent");
        fixture.run(QStringLiteral("   "));
        QVERIFY(!fixture.find<MessageBar>("messageBar")->isVisible());
        QCOMPARE(fixture.trace().source().ids, std::vector<TokenId>{3}); // the end token
        fixture.window->close();
        fixture.show({}, {}); // with the text of the last session
        waitForRun(fixture);
        QCOMPARE(fixture.trace().source().ids, std::vector<TokenId>{3});
    }

    // Where nothing could be opened yet, nothing is said of a model's attention.
    void aFirstModelThatFailsIsNotOneWithoutAttention()
    {
        WindowFixture fixture;
        fixture.show(fixture.broken, QStringLiteral("s4"));
        waitForRun(fixture);
        QVERIFY(fixture.find<MessageBar>("messageBar")->isVisible());
        const FigureView& heatmap = fixture.window->heatmap();
        QCOMPARE(missingAttention(heatmap.spec(), fixture.trace()), missingAttention({}, {}));
        const QString before = fixture.find<QComboBox>("stagePicker")->currentText();
        fixture.window->open(trainedModels + QStringLiteral("rnn-no-attention-en-fr"));
        waitForRun(fixture);
        QVERIFY(fixture.find<QComboBox>("stagePicker")->currentText() != before);
        const auto* reading = fixture.find<QComboBox>("readingPicker");
        QVERIFY(!reading->isEnabled() && reading->toolTip().contains(QStringLiteral("no attention")));
        QVERIFY(missingAttention(heatmap.spec(), fixture.trace()) != missingAttention({}, {}));
    }
};

ATTN_GUI_TEST(TestWindowFirstHour)
#include "tst_window_first_hour.moc"
