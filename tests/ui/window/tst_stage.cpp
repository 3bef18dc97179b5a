// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "laboratory/laboratory_page.h"
#include "maps/map.h"
#include "panels/candidates_panel.h"
#include "panels/choice_panel.h"
#include "panels/step_panel.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"
#include "window/wager.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>

#include <cmath>
#include <optional>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

namespace {

using Texts = std::vector<std::string>;

struct Stage48 : WindowFixture
{
    void begin(const QString& model = QStringLiteral("recurrent"), const QString& text = QStringLiteral("s4 s5 s6 s7"))
    {
        show(model, text);
        settle();
        activate();
    }
    FigureView& stage() const { return *find<FigureView>("stage"); }
    QPoint word(int index) const
    {
        QCoreApplication::processEvents();
        stage().repaint();
        return stage().figure()->cellRect(index, 0).center().toPoint();
    }
    QLineEdit& editor() const { return *find<QLineEdit>("stageWord"); }
    Texts edits() const { return trace().provenance().edits; }

    void drag(QPoint from, QPoint to) const
    {
        QTest::mousePress(&stage(), Qt::LeftButton, Qt::NoModifier, from);
        const auto move = [this](QPoint point) {
            QMouseEvent event(QEvent::MouseMove, point, stage().mapToGlobal(point), Qt::NoButton, Qt::LeftButton,
                              Qt::NoModifier);
            QCoreApplication::sendEvent(&stage(), &event);
        };
        for (int i = 1; i <= 4; ++i)
            move(from + (to - from) * i / 4);
        QTest::mouseRelease(&stage(), Qt::LeftButton, Qt::NoModifier, to);
    }
};

// Opens the first minute, on the bundled models, until it asks its question.
void greet(Stage48& desk)
{
    qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models"); // not those of the fixture
    desk.show(QString(), QString());
    desk.window->greet();
    QTRY_VERIFY_WITH_TIMEOUT(desk.window->findChild<QAbstractButton*>(QStringLiteral("bet3")) != nullptr, 60000);
    desk.settle();
}

} // namespace

// The sentences over the views, and what is said of what is chosen in them.
class TestStage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWordIsChangedWhereItStands()
    {
        Stage48 desk;
        desk.begin();
        QVERIFY(!desk.editor().isVisible());
        QTest::mouseDClick(&desk.stage(), Qt::LeftButton, Qt::NoModifier, desk.word(1));
        QVERIFY(desk.editor().isVisible());
        QCOMPARE(desk.editor().text(), QStringLiteral("s5"));
        QTest::keyClicks(&desk.editor(), QStringLiteral("s9"));
        QTest::keyClick(&desk.editor(), Qt::Key_Escape);
        QVERIFY(!desk.editor().isVisible());
        QCOMPARE(desk.runs(), 1); // left as it was
        QTest::mouseDClick(&desk.stage(), Qt::LeftButton, Qt::NoModifier, desk.word(1));
        QTest::keyClicks(&desk.editor(), QStringLiteral("s9"));
        QTest::keyClick(&desk.editor(), Qt::Key_Return);
        QTRY_COMPARE(desk.trace().provenance().text, std::string("s4 s9 s6 s7"));
        desk.settle();
        QCOMPARE(desk.find<QLineEdit>("sentence")->text(), QStringLiteral("s4 s9 s6 s7"));
        QTest::mouseDClick(&desk.stage(), Qt::LeftButton, Qt::NoModifier, desk.word(1));
        QTest::keyClick(&desk.editor(), Qt::Key_Backspace);
        QTest::keyClick(&desk.editor(), Qt::Key_Return);
        QTRY_COMPARE(desk.trace().provenance().text, std::string("s4 s6 s7")); // gone, with its space
        desk.settle();
    }

    void aWordIsDraggedOut()
    {
        Stage48 desk;
        desk.begin();
        const QPoint from = desk.word(1);
        desk.drag(from, from + QPoint(2, 3));
        QCOMPARE(desk.runs(), 1); // hardly moved
        desk.drag(from, from + QPoint(10, 80));
        QTRY_COMPARE(desk.edits(), (Texts{"source:1=hide"}));
        desk.settle();
        QCOMPARE(desk.window->study().edited().text, std::string("s4 s5 s6 s7"));
        QTRY_VERIFY(desk.window->findChild<QLabel*>(QStringLiteral("draggedWord")) == nullptr);
        desk.drag(desk.word(1), desk.word(1) + QPoint(10, 80)); // once more: back
        QTRY_COMPARE(desk.edits(), Texts());
        desk.settle();
    }

    void editsBelongToTheirSentence()
    {
        Stage48 desk;
        desk.begin();
        desk.drag(desk.word(1), desk.word(1) + QPoint(10, 80));
        QTRY_COMPARE(desk.edits(), (Texts{"source:1=hide"}));
        desk.settle();
        QTest::mouseDClick(&desk.stage(), Qt::LeftButton, Qt::NoModifier, desk.word(0));
        QTest::keyClicks(&desk.editor(), QStringLiteral("s8"));
        QTest::keyClick(&desk.editor(), Qt::Key_Return);
        QTRY_COMPARE(desk.trace().provenance().text, std::string("s8 s5 s6 s7"));
        desk.settle();
        QCOMPARE(desk.edits(), Texts());
        QCOMPARE(desk.window->edits().applied(), Texts());
        desk.send(QStringLiteral("s4 s5 s6 s7"));
        QTRY_COMPARE(desk.trace().provenance().text, std::string("s4 s5 s6 s7"));
        desk.settle();
        QCOMPARE(desk.edits(), Texts());
    }

    void aCellIsNamedAndChanged()
    {
        Stage48 desk;
        desk.begin();
        FigureView& heatmap = desk.window->heatmap();
        QTRY_VERIFY(heatmap.figure() != nullptr && heatmap.figure()->rows() > 1);
        auto* panel = desk.find<ChoicePanel>("choicePanel");
        WindowFixture::clickCell(heatmap, 1, 2);
        auto* hide = desk.find<QToolButton>("hideCellsButton");
        QTRY_VERIFY(panel->isVisible() && hide->isVisible());
        QVERIFY(!hide->isChecked());
        QVERIFY(desk.find<QLabel>("choiceTitle")->text().contains(QStringLiteral("s6")));
        QVERIFY(hide->y() + hide->parentWidget()->y() < desk.find<QWidget>("choiceWeights")->y()); // and does not move
        QTest::mouseClick(hide, Qt::LeftButton);
        QTRY_COMPARE(desk.edits(), (Texts{"cross:0:0:1:2=hide"}));
        desk.settle();
        QTRY_VERIFY(hide->isChecked());
        // A word of what is chosen, in words.
        QCOMPARE(desk.window->edits().data(desk.window->edits().index(0), Qt::DisplayRole).toString(),
                 QStringLiteral("s6 hidden for %1").arg(QString::fromStdString(desk.trace().target().tokens.at(1))));
        QCOMPARE(desk.window->edits().data(desk.window->edits().index(0), Qt::EditRole).toString(),
                 QStringLiteral("cross:0:0:1:2=hide"));
        desk.window->resize(900, 600);
        QTRY_COMPARE(desk.window->size(), QSize(900, 600));
        QTest::mouseClick(desk.find<QToolButton>("whyButton"), Qt::LeftButton);
        auto* beside = desk.find<QDockWidget>("besideDock");
        QTRY_VERIFY(beside->isVisible());
        QVERIFY(beside->widget()->findChild<LaboratoryPage*>() != nullptr);
        QVERIFY(!panel->isVisible());
        QVERIFY(heatmap.isVisible() && heatmap.width() >= 220); // beside it, not over it
        QCOMPARE(desk.window->size(), QSize(900, 600));
        beside->close();
        QTRY_VERIFY(panel->isVisible());
    }

    void theSentencesHaveTheNumbersOfThePicture()
    {
        Stage48 desk;
        desk.begin(test::trainedModels + QStringLiteral("rnnsearch-en-fr"),
                   QStringLiteral("I think she is unbelievable."));
        for (const bool words : {true, false}) {
            desk.action("wordsAction")->setChecked(words);
            const auto written = wordAxis(desk.trace().target());
            const auto read = wordAxis(desk.trace().source());
            const auto longest = std::ranges::max_element(written, {}, &AxisGroup::count);
            const auto looked = std::ranges::max_element(read, {}, &AxisGroup::count);
            QVERIFY(longest->count > 1 && looked->count > 1);
            desk.window->selection().setStep(longest->first);
            QCoreApplication::processEvents();
            const Map map = mapOf(desk.trace(), desk.window->heatmap().spec().mapSpec());
            double weight = 0;
            for (int token = looked->first; token < looked->first + (words ? 1 : looked->count); ++token)
                weight += static_cast<double>(map.at(*map.rows.indexOf(longest->first), *map.columns.indexOf(token)));
            const FigureTable table = desk.stage().figure()->table();
            const auto word = static_cast<int>(looked - read.begin());
            QVERIFY2(table.tip({word, 0}).endsWith(decimal(weight, 4)), qPrintable(table.tip({word, 0})));
        }
    }

    void wordsStandOverTheirColumns()
    {
        Stage48 desk;
        desk.begin(test::trainedModels + QStringLiteral("rnnsearch-en-fr"), QStringLiteral("I am not deaf."));
        const auto isOver = [&desk](int word, int column) {
            const FigureView& picture = desk.window->heatmap();
            const QPointF middle = picture.figure()->cellRect(0, column).center();
            return std::abs(desk.stage().mapFrom(desk.window.get(), picture.mapTo(desk.window.get(), middle)).x()
                            - desk.stage().figure()->cellRect(word, 0).center().x())
                < 1;
        };
        for (const QSize size : {QSize(1280, 800), QSize(1500, 800)}) {
            desk.window->resize(size);
            for (const int word : {0, 2, 4})
                QTRY_VERIFY(isOver(word, word));
        }
        desk.action("zoomInAction")->trigger(); // not all have a column now
        QTRY_VERIFY(!isOver(2, 2));
    }

    void aDotInPlaceOfASpaceIsExplained()
    {
        Stage48 desk;
        desk.begin(test::trainedModels + QStringLiteral("rnnsearch-en-fr"), QStringLiteral("I am here."));
        const auto& candidates = desk.find<CandidatesPanel>("candidatesPanel")->candidates();
        QTRY_VERIFY(!candidates.empty());
        int dots = 0;
        for (const auto& candidate : candidates) {
            const bool dotted = candidate.label.startsWith(QChar(0x00B7));
            QCOMPARE(candidate.hint.contains(QStringLiteral("stands for a space")), dotted);
            dots += dotted ? 1 : 0;
        }
        QVERIFY(dots > 0);
    }

    void aWeightIsChosenFromItsBar()
    {
        Stage48 desk;
        desk.begin();
        desk.window->selection().setStep(1);
        auto* bars = desk.find<FigureCanvas>("choiceWeights");
        QTRY_VERIFY(bars->isVisible() && bars->figure() != nullptr && bars->figure()->rows() > 0);
        WindowFixture::clickCell(*bars, 0, 0);
        QTRY_VERIFY(desk.find<QToolButton>("hideCellsButton")->isVisible());
        QVERIFY(desk.window->selection().column().has_value()); // marked in the picture
        desk.window->selection().setStep(0);
        QTRY_VERIFY(!desk.find<QToolButton>("hideCellsButton")->isVisible());
    }

    void aChoiceRunsAtOnce()
    {
        Stage48 desk;
        desk.begin();
        desk.choose("decode", "beam");
        QTRY_COMPARE(desk.trace().provenance().decoding.substr(0, 4), std::string("beam"));
        desk.settle();
        QVERIFY(!desk.find<QToolButton>("olderSign")->isVisible());
    }

    void viewsWithoutAnythingHaveNoTab()
    {
        Stage48 desk;
        desk.begin();
        auto* tabs = desk.find<ViewTabs>("viewTabs");
        const auto offers = [tabs](std::string_view id) {
            return tabs->offers(*std::ranges::find(viewRows(), id, &ViewRow::id));
        };
        QVERIFY(!offers("grid")); // of one head
        QVERIFY(!offers("beam")); // of a greedy search
        QVERIFY(!offers("positional"));
        QVERIFY(offers("arcs"));
        QVERIFY(!offers("text")); // the sentences are above
        desk.choose("decode", "beam");
        QTRY_VERIFY(offers("beam"));
        desk.settle();
        desk.window->open(QStringLiteral("transformer"));
        desk.settle();
        QTRY_VERIFY(offers("grid"));
        QVERIFY(offers("positional"));
        desk.run(test::longSentence());
        QTRY_VERIFY(offers("text"));
        qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models");
        desk.window->open(QStringLiteral("question-structured-en")); // which looks at the text by hops
        desk.run(QStringLiteral("Where is my key?"));
        QTRY_VERIFY(offers("text"));
    }

    // A model that pools: the text itself looks at its words, none of which is chosen.
    void aPooledTextIsSeenInItsWords()
    {
        Stage48 desk;
        desk.begin(test::trainedModels + QStringLiteral("question-pooling-en"), QStringLiteral("where is my key"));
        desk.word(0); // once it stands there
        const FigureTable table = desk.stage().figure()->table();
        QVERIFY(table.chosenRows.empty());
        QCOMPARE(table.rows, 4);
        double sum = 0;
        for (int word = 0; word < table.rows; ++word)
            sum += table.tip({word, 0}).section(QLatin1Char(' '), -1).toDouble();
        QVERIFY2(sum > 0.9 && sum < 1.001, qPrintable(QString::number(sum))); // the rest is that of a special token
    }

    void readersOpenOnAHeadThatShowsSomething_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"bert-small-en", "gpt-small-en"})
            QTest::newRow(model) << QString::fromLatin1(model);
    }
    void readersOpenOnAHeadThatShowsSomething()
    {
        QFETCH(const QString, model);
        Stage48 desk;
        qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models");
        desk.show(model, QString());
        desk.settle();
        QTRY_VERIFY(desk.window->selection().head().head().has_value()); // no mean
        const auto step = desk.window->selection().step();
        QVERIFY(step.has_value());
        const MapSpec spec = desk.window->heatmap().spec().mapSpec();
        const Map map = mapOf(desk.trace(), spec);
        const auto row = map.rows.indexOf(*step);
        QVERIFY(row.has_value());
        float most = 0;
        for (Index column = 0; column < map.numbers.columns; ++column)
            most = map.hasNumber(*row, column) ? std::max(most, map.at(*row, column)) : most;
        QVERIFY2(most > 0.4F, qPrintable(QString::number(most)));
    }

    void littleStandsAroundThePicture_data()
    {
        QTest::addColumn<QString>("model");
        const QDir models(test::trainedModels);
        for (const QString& model : models.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(model)) << models.filePath(model);
    }
    void littleStandsAroundThePicture()
    {
        QFETCH(const QString, model);
        constexpr int most = 120; // pixels that are neither sentence nor picture
        Stage48 desk;
        desk.show(model, QStringLiteral("She is here."));
        desk.settle();
        const auto picture = [&]() -> FigureView& { return desk.find<ViewTabs>("viewTabs")->current(); };
        const auto around = [&] { // above and below
            const Figure* const figure = picture().figure();
            const int seen = figure == nullptr ? 0 : static_cast<int>(figure->size().height());
            return desk.window->height() - desk.stage().height() - std::min(seen, picture().height());
        };
        for (const QSize size : {QSize(1280, 800), QSize(2560, 1440), QSize(900, 600)}) {
            desk.window->resize(size);
            QTRY_COMPARE(desk.window->size(), size);
            QTRY_VERIFY2(around() > 0 && around() <= most, qPrintable(QString::number(around())));
            QTRY_VERIFY2(100 * picture().height() >= 50 * size.height(),
                         qPrintable(QString::number(picture().height())));
        }
    }

    void spacePlaysInEveryPicture()
    {
        Stage48 desk;
        desk.show(QDir(test::trainedModels).filePath(QStringLiteral("rnnsearch-en-fr")),
                  QStringLiteral("She is here."));
        desk.settle();
        for (QWidget* const place : std::initializer_list<QWidget*>{&desk.stage(), &desk.window->heatmap()}) {
            desk.window->selection().setStep(0);
            QVERIFY(!desk.window->selection().plays());
            QTest::keyClick(place, Qt::Key_Space);
            QVERIFY(desk.window->selection().plays());
            QTest::keyClick(place, Qt::Key_Space);
            QVERIFY(!desk.find<StepPanel>("stepPanel")->playing());
            desk.window->selection().setStep(2);
        }
    }

    // A text that goes on, and a beam once it is found: Space pauses, the slider goes both ways, and where nothing is
    // to move each word is in its place at once.
    void whatIsWrittenIsPlayed_data()
    {
        test::addColumns<bool, bool>("goesOn", "still");
        QTest::newRow("a text that goes on") << true << false;
        QTest::newRow("a text that goes on, nothing moves") << true << true;
        QTest::newRow("a beam") << false << false;
        QTest::newRow("a beam, nothing moves") << false << true;
    }
    void whatIsWrittenIsPlayed()
    {
        QFETCH(const bool, goesOn);
        QFETCH(const bool, still);
        std::optional<test::StillStyle::InUse> style;
        if (still)
            style.emplace();
        Stage48 desk;
        desk.show(QDir(test::trainedModels)
                      .filePath(goesOn ? QStringLiteral("gpt-small-en") : QStringLiteral("rnnsearch-en-fr")),
                  QStringLiteral("The old woman took the key and"));
        desk.settle();
        desk.window->greet();
        if (goesOn) {
            desk.action("continueAction")->trigger();
        } else {
            desk.choose("decode", "beam");
            desk.settle();
            desk.run(QStringLiteral("She sings well because she is happy."));
        }
        const Selection& selection = desk.window->selection();
        QTRY_VERIFY(selection.plays());
        const int given = goesOn ? static_cast<int>(desk.trace().source().size()) - 1 : 0;
        QTRY_VERIFY(still || selection.moment().value_or(0) > 0);
        QVERIFY(!still || !selection.moment());
        QVERIFY(selection.step().value_or(-1) >= given);
        desk.settle();
        QVERIFY(goesOn || desk.trace().provenance().decoding.starts_with("beam"));
        QTRY_VERIFY(selection.step().value_or(-1) > given);
        QTest::keyClick(&desk.stage(), Qt::Key_Space);
        const auto* panel = desk.find<StepPanel>("stepPanel");
        const auto moment = selection.moment();
        QCoreApplication::processEvents();
        QVERIFY(!panel->playing() && selection.plays()); // what is to come stays away
        QCOMPARE(selection.moment(), moment);
        QVERIFY(moment.has_value() != still);
        auto* slider = desk.find<QSlider>("stepSlider");
        const int step = selection.step().value_or(-1);
        for (const auto& [key, to] : {std::pair(Qt::Key_Left, step - 1), std::pair(Qt::Key_Right, step)}) {
            QTest::keyClick(slider, key);
            QCOMPARE(selection.step(), to);
            QVERIFY(!panel->playing() && selection.plays());
        }
        QTest::keyClick(&desk.stage(), Qt::Key_Space);
        QVERIFY(panel->playing());
        QTRY_VERIFY(selection.step().value_or(-1) > step);
        desk.click("firstStep");
        desk.click("lastStep");
        QVERIFY(!selection.plays() && !selection.moment());
        QTest::keyClick(&desk.stage(), Qt::Key_Space); // from the beginning
        QTRY_COMPARE(selection.step().value_or(-1), given);
        const auto words = [&] {
            QCoreApplication::processEvents();
            desk.stage().repaint();
            int seen = 0;
            for (int word = 0; word < desk.stage().figure()->rows(); ++word) {
                const QRectF box = desk.stage().figure()->cellRect(word, 0);
                const FigureHit hit = desk.stage().figure()->hitTest(box.center());
                seen += hit.rowToken.value_or(-1) >= given ? 1 : 0;
            }
            return seen;
        };
        QCOMPARE(words(), still ? 1 : 0); // the word that comes is no word yet
        QTest::keyClick(slider, Qt::Key_End);
        QVERIFY(!panel->playing());
        QVERIFY(words() > 2);
    }

    // The hypothesis that is chosen in the list is the one that is played.
    void anotherHypothesisIsWrittenToo()
    {
        Stage48 desk;
        desk.show(QDir(test::trainedModels).filePath(QStringLiteral("rnnsearch-en-fr")),
                  QStringLiteral("She is here."));
        desk.settle();
        desk.choose("decode", "beam");
        desk.settle();
        desk.run(QStringLiteral("She sings well because she is happy."));
        desk.settle();
        auto* picker = desk.find<QComboBox>("hypothesisPicker");
        QTRY_VERIFY(picker->count() > 1);
        QSet<QString> named; // each in another way, in the room there is
        for (int i = 0; i < picker->count(); ++i) {
            named << picker->itemText(i);
            QTRY_VERIFY(picker->fontMetrics().horizontalAdvance(picker->itemText(i)) < picker->width() - 20);
        }
        QCOMPARE(named.size(), picker->count());
        picker->setFocus();
        QTest::keyClick(picker, Qt::Key_Down);
        const Selection& selection = desk.window->selection();
        QVERIFY(selection.leaf().has_value());
        desk.click("playSteps");
        desk.click("playSteps");
        desk.click("firstStep");
        desk.click("playSteps");
        QTRY_VERIFY(selection.moment().has_value());
        QTest::keyClick(desk.find<QSlider>("stepSlider"), Qt::Key_End);
        QVERIFY(!selection.moment());
        QCoreApplication::processEvents();
        desk.stage().repaint();
        QStringList shown;
        for (int word = 0; word < desk.stage().figure()->rows(); ++word) {
            const QRectF box = desk.stage().figure()->cellRect(word, 0);
            if (desk.stage().figure()->hitTest(box.center()).rowToken)
                shown << desk.stage().table().text({word, FigureTable::header});
        }
        const auto words = wordAxis(desk.trace().target(selection.leaf()));
        for (int word = 0; word < shown.size(); ++word)
            QCOMPARE(shown[word], readableToken(words[static_cast<std::size_t>(word)].label));
        QVERIFY(desk.trace().target(selection.leaf()).ids != desk.trace().target().ids);
    }

    void howToDecodeIsATabInALowWindow()
    {
        Stage48 desk;
        qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models");
        desk.show(QStringLiteral("bert-small-en"), QString()); // which decodes nothing
        desk.settle();
        auto* decoding = desk.find<QDockWidget>("decodingDock");
        const auto isTab = [&] { return !desk.window->tabifiedDockWidgets(decoding).isEmpty(); };
        desk.window->resize(900, 600);
        desk.window->open(QStringLiteral("transformer-en-fr"));
        desk.settle();
        QTRY_VERIFY(isTab());
        QTRY_COMPARE(desk.window->size(), QSize(900, 600));
        QVERIFY(decoding->widget()->visibleRegion().isEmpty());
        QTRY_VERIFY(!desk.find<ChoicePanel>("choicePanel")->visibleRegion().isEmpty());
        desk.window->resize(1280, 800);
        QTRY_VERIFY(!isTab());
        QTRY_VERIFY(!decoding->widget()->visibleRegion().isEmpty());
        QVERIFY(!desk.find<ChoicePanel>("choicePanel")->visibleRegion().isEmpty());
    }

    void aLowWindowNamesFewerWeights()
    {
        Stage48 desk;
        desk.begin(test::trainedModels + QStringLiteral("rnnsearch-en-fr"),
                   QStringLiteral("I don't think that she will come back home tonight."));
        const auto named = [&] {
            const Figure* const bars = desk.find<FigureCanvas>("choiceWeights")->figure();
            return bars == nullptr ? 0 : bars->rows();
        };
        desk.window->resize(1280, 800);
        QTRY_VERIFY(named() >= 5);
        desk.window->resize(900, 600);
        QTRY_VERIFY(named() <= 4); // and what is hidden
        desk.window->resize(1280, 800);
        QTRY_VERIFY(named() >= 5);
    }

    void aTabOfALowWindowIsNoneInATallOne()
    {
        Stage48 desk;
        const QString model = test::trainedModels + QStringLiteral("transformer-en-fr");
        const auto isTab = [&] {
            return !desk.window->tabifiedDockWidgets(desk.find<QDockWidget>("decodingDock")).isEmpty();
        };
        desk.begin(model, QStringLiteral("A cat."));
        desk.window->resize(900, 600);
        QTRY_VERIFY(isTab());
        desk.window->close();
        QSettings().remove(QStringLiteral("window/geometry"));
        desk.begin(model, QStringLiteral("A cat."));
        QVERIFY(desk.window->height() > 700);
        QTRY_VERIFY(!isTab());
        QTRY_VERIFY(!desk.find<QDockWidget>("decodingDock")->widget()->visibleRegion().isEmpty());
        desk.window->tabifyDockWidget(desk.find<QDockWidget>("siteDock"), desk.find<QDockWidget>("decodingDock"));
        desk.window->close(); // the user's own, which stays
        desk.begin(model, QStringLiteral("A cat."));
        QVERIFY(isTab());
    }

    void theFirstMinuteIsAWager()
    {
        Stage48 desk;
        greet(desk);
        QCOMPARE(desk.trace().provenance().text, std::string(Wager::sentence()));
        QVERIFY(desk.window->selection().moment().has_value());
        const auto withoutGloss = [&desk] { // words that were written
            QStringList words;
            const FigureTable table = desk.stage().figure()->table();
            for (int word = 6; word < table.rows; ++word) {
                const QString label = table.text({word, FigureTable::header});
                if (label.front().isLetter() && !table.tip({word, 0}).contains(QLatin1Char('(')))
                    words << label;
            }
            return words;
        };
        QCOMPARE(withoutGloss(), QStringList());
        QVERIFY(!desk.find<FigureCanvas>("choiceWeights")->isVisible()); // no answer yet
        // Rows above the asked one do not tell it.
        const int asked = *desk.window->selection().step();
        const Numbers weights = desk.trace().matrix({Stage::Cross, 0}, 0);
        for (int row = 0; row < asked; ++row)
            QVERIFY2(weights.at(row, 3) < 0.3F, qPrintable(QString::number(row)));
        desk.clickWord(QStringLiteral("wants"));
        QTRY_VERIFY(desk.window->findChild<QAbstractButton*>(QStringLiteral("dragOut")) != nullptr);
        const QString said = desk.find<QLabel>("guideTitle")->text();
        QVERIFY2(said.contains(QStringLiteral("she")) && said.contains(QStringLiteral("80")), qPrintable(said));
        QVERIFY(said.contains(QStringLiteral("wants")));
        desk.drag(desk.word(2), desk.word(2) + QPoint(10, 80));
        QTRY_VERIFY(desk.window->findChild<QAbstractButton*>(QStringLiteral("ownSentence")) != nullptr);
        QCOMPARE(desk.edits(), (Texts{"source:3=hide"}));
        QCOMPARE(desk.trace().target().text, std::string("Demain, il veut venir.")); // only that word
        QVERIFY(desk.find<QLabel>("guideText")->text().contains(QStringLiteral("**il**")));
        QCOMPARE(withoutGloss(), QStringList());
        // The sentence stays as it was read first, to be typed over, and the card says so and leads on.
        QTest::mouseClick(desk.find<QAbstractButton>("ownSentence"), Qt::LeftButton);
        QCOMPARE(desk.trace().provenance().text, std::string(Wager::sentence()));
        QCOMPARE(desk.edits(), Texts());
        QCOMPARE(desk.runs(), 1);
        QVERIFY(desk.find<QLineEdit>("sentence")->hasSelectedText());
        QVERIFY(desk.find<QAbstractButton>("tryLesson")->isVisible());
        desk.type(QStringLiteral("I am here."));
        desk.action("runAction")->trigger();
        QTRY_COMPARE(desk.trace().provenance().text, std::string("I am here."));
        QTRY_VERIFY(!desk.find<QWidget>("guideCard")->isVisible());
        QVERIFY(!withoutGloss().isEmpty());
    }

    // The card does not wait for an answer to what nobody asks any more.
    void aWordMayBeHiddenBeforeTheGuess()
    {
        Stage48 desk;
        greet(desk);
        desk.drag(desk.word(2), desk.word(2) + QPoint(10, 80));
        QTRY_VERIFY(desk.window->findChild<QAbstractButton*>(QStringLiteral("ownSentence")) != nullptr);
        QVERIFY(desk.find<QLabel>("guideText")->text().contains(QStringLiteral("**il**")));
    }
};

ATTN_GUI_TEST(TestStage)
#include "tst_stage.moc"
