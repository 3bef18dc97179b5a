// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "help/guide_card.h"
#include "help/help_window.h"
#include "help/lessons.h"
#include "laboratory/laboratory_window.h"
#include "loading/model_loader.h"
#include "panels/controls.h"
#include "readings/head_reading.h"
#include "support/test_program.h"
#include "trace/site.h"
#include "ui/window/window_fixture.h"
#include "views/stage_view.h"
#include "window/guide.h"
#include "window/spotlight.h"

#include <QLabel>
#include <QMenu>
#include <QSet>

#include <algorithm>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

namespace {

// The same on the models that come with the program.
class BundledFixture : public WindowFixture
{
public:
    BundledFixture() { qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models"); }

    void openBundled(const char* model, const char* text = "I am not deaf.")
    {
        show(QLatin1String(model), QLatin1String(text));
        settle();
    }

    GuideCard& card() const { return *find<GuideCard>("guideCard"); }
    QString title() const { return find<QLabel>("guideTitle")->text(); }
    QString viewId() const { return find<ViewTabs>("viewTabs")->currentId(); }
    QString opened() const { return window->study().opened(); }

    // A button of the card, which has others after each click.
    void press(const char* id) const
    {
        QTRY_VERIFY(window->findChild<QAbstractButton*>(QLatin1String(id)) != nullptr);
        QTRY_VERIFY(find<QAbstractButton>(id)->isVisible());
        click(id);
    }

    void beginLesson(const char* id) const
    {
        QAction* action = find<QMenu>("lessonsMenu")->findChild<QAction*>(QLatin1String(id));
        if (action == nullptr)
            action = find<QAction>(id);
        action->trigger();
    }
};

} // namespace

// What explains the program in its window.
class TestGuide : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWelcomeIsClosedForGoodAndBroughtBack()
    {
        BundledFixture fixture;
        fixture.openBundled("rnnsearch-en-fr");
        QVERIFY(!fixture.card().isVisible()); // pictures and tests of a window have none
        fixture.window->greet();
        QTRY_VERIFY(fixture.card().isVisible());
        fixture.click("guideClose");
        QVERIFY(!fixture.card().isVisible());
        fixture.openBundled("rnnsearch-en-fr"); // the next start
        fixture.window->greet();
        QVERIFY(!fixture.card().isVisible());
        fixture.action("welcomeAction")->trigger();
        QVERIFY(fixture.card().isVisible());
        fixture.openBundled("rnnsearch-en-fr");
        fixture.window->greet();
        QVERIFY(fixture.card().isVisible());
    }

    // A reading that is still to be computed has no numbers.
    void theWelcomeDoesNotWaitForAReading()
    {
        BundledFixture fixture;
        fixture.openBundled("rnnsearch-en-fr");
        fixture.window->selection().setHead(parseHead("norms", "head"));
        fixture.window->greet();
        QTRY_VERIFY(fixture.card().isVisible());
    }

    void thingsToTryAreDoneInTheWindow()
    {
        BundledFixture fixture;
        fixture.openBundled("rnnsearch-en-fr");
        fixture.window->greet();
        fixture.press("tryWatching");
        QVERIFY(fixture.find<StepPanel>("stepPanel")->playing());
        QTRY_VERIFY(fixture.window->selection().step().value_or(0) > 0);
        const auto before = fixture.window->study().shown();
        fixture.press("tryHiding");
        QTRY_VERIFY(fixture.window->study().shown() != before);
        fixture.settle();
        QCOMPARE(fixture.window->edits().applied().size(), std::size_t(1));
        QTRY_COMPARE(fixture.window->study().against(), before);
        fixture.press("tryHeads");
        QTRY_COMPARE(fixture.opened(), QStringLiteral("transformer-en-fr"));
        fixture.settle();
        QCOMPARE(fixture.viewId(), QStringLiteral("grid"));
        QVERIFY(fixture.card().isVisible());
    }

    void trialsLeaveNothingBehind_data()
    {
        QTest::addColumn<QList<QByteArray>>("order");
        const QByteArray watch("tryWatching");
        const QByteArray hide("tryHiding");
        const QByteArray heads("tryHeads");
        QTest::newRow("hide, watch") << QList<QByteArray>{hide, watch};
        QTest::newRow("hide, hide, heads, watch") << QList<QByteArray>{hide, hide, heads, watch};
        QTest::newRow("heads, hide, watch") << QList<QByteArray>{heads, hide, watch};
        QTest::newRow("watch, heads, hide") << QList<QByteArray>{watch, heads, hide};
    }
    void trialsLeaveNothingBehind()
    {
        QFETCH(const QList<QByteArray>, order);
        for (const bool waits : {true, false}) {
            BundledFixture fixture;
            fixture.openBundled("rnnsearch-en-fr");
            fixture.window->greet();
            for (const QByteArray& id : order) {
                fixture.press(id.constData());
                if (waits)
                    fixture.settle();
            }
            fixture.settle();
            const bool hides = order.back() == "tryHiding";
            const Study& study = fixture.window->study();
            // One trial may end before the model of the next is loaded.
            QTRY_COMPARE(fixture.viewId(), QStringLiteral("heatmap"));
            QTRY_COMPARE(fixture.window->edits().applied().size(), std::size_t(hides ? 1 : 0));
            fixture.settle();
            QCOMPARE(fixture.trace().provenance().edits.size(), std::size_t(hides ? 1 : 0));
            QTRY_COMPARE(study.compared() != nullptr, hides);
            // Words that a hidden one changed are written once more.
            QTRY_COMPARE(fixture.find<StepPanel>("stepPanel")->playing(), order.back() == "tryWatching");
            fixture.run(QStringLiteral("The house is red."));
            QCOMPARE(fixture.trace().provenance().text, std::string("The house is red."));
            QVERIFY(fixture.trace().provenance().edits.empty());
            QVERIFY(study.compared() == nullptr);
            fixture.press("tryWatching"); // on one's own sentence
            QCOMPARE(fixture.trace().provenance().text, std::string("The house is red."));
        }
    }

    void lessonsNameWhatThereIs()
    {
        BundledFixture fixture;
        QSet<QString> models;
        for (const BundledModel& model : bundledModels())
            models << QString::fromStdString(model.name);
        QSet<QString> views;
        for (const ViewRow& row : viewRows())
            views << QLatin1String(row.id);
        QCOMPARE(lessons().size(), std::size_t(3));
        for (const Lesson& lesson : lessons()) {
            QVERIFY2(lesson.steps.size() >= 5 && lesson.steps.size() <= 8, lesson.id);
            bool laboratory = false;
            for (const LessonStep& step : lesson.steps) {
                QVERIFY2(step.model == nullptr || models.contains(QLatin1String(step.model)), step.text);
                QVERIFY2(step.view == nullptr || views.contains(QLatin1String(step.view)), step.text);
                QVERIFY2(step.page == nullptr || pageOf(step.page), step.text);
                if (step.site != nullptr)
                    parseSite(step.site, lesson.id);
                const bool last = &step == &lesson.steps.back();
                QVERIFY2(step.question != nullptr || last, step.text);
                if (step.question != nullptr) { // about a word of the sentence, or with answers
                    QCOMPARE(QLatin1String(step.question).contains(QLatin1String("%1")), step.answers.empty());
                    QVERIFY2(step.answers.empty() || step.right < std::ssize(step.answers), step.text);
                }
                laboratory = laboratory || step.page != nullptr;
            }
            QVERIFY2(laboratory, lesson.id);
        }
    }

    void everyLessonDrivesTheWindow_data()
    {
        QTest::addColumn<int>("number");
        for (int i = 0; i < static_cast<int>(lessons().size()); ++i)
            QTest::newRow(lessons()[static_cast<std::size_t>(i)].id) << i;
    }

    void everyLessonDrivesTheWindow()
    {
        QFETCH(const int, number);
        const Lesson& lesson = lessons()[static_cast<std::size_t>(number)];
        BundledFixture fixture;
        fixture.openBundled("rnnsearch-en-fr", "She sings well.");
        fixture.beginLesson(lesson.id);
        QSet<QString> titles;
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const LessonStep& step = lesson.steps[i];
            fixture.settle();
            if (step.model != nullptr)
                QTRY_COMPARE(fixture.opened(), QLatin1String(step.model));
            const Selection& selection = fixture.window->selection();
            if (!step.answers.empty()) { // nothing tells the answer before it is given
                const QString id = QStringLiteral("answer0");
                QTRY_VERIFY(fixture.window->findChild<QAbstractButton*>(id) != nullptr);
                titles << fixture.title();
                if (step.view != nullptr)
                    QTRY_COMPARE(fixture.viewId(), QStringLiteral("heatmap"));
                if (step.place != LessonPlace::Anywhere) {
                    QTRY_VERIFY(selection.moment().has_value());
                    QTRY_COMPARE(fixture.find<QLabel>("candidatesTitle")->text(),
                                 QStringLiteral("The word is still to come."));
                }
                fixture.press("answer0");
            }
            QVERIFY(step.answers.empty() || !selection.moment());
            if (step.view != nullptr)
                QTRY_COMPARE(fixture.viewId(), QLatin1String(step.view));
            if (step.site != nullptr) {
                const SiteChoice choice = parseSite(step.site, lesson.id);
                QTRY_VERIFY(selection.site() == choice.site && selection.head() == choice.head);
            }
            if (step.beams > 0)
                QCOMPARE(fixture.window->study().asked()->decoding.search,
                         step.beams > 1 ? Search::Beam : Search::Greedy);
            const int last = static_cast<int>(fixture.trace().path(selection.leaf()).size()) - 1;
            if (step.place != LessonPlace::Anywhere)
                QTRY_COMPARE(selection.step().value_or(-1),
                             step.place == LessonPlace::First        ? 0
                                 : step.place == LessonPlace::Second ? 1
                                                                     : last);
            QCOMPARE(fixture.window->study().edited().text, std::string("She sings well."));
            if (step.answers.empty())
                titles << fixture.title();
            if (i + 1 < lesson.steps.size())
                fixture.press("lessonNext");
        }
        QCOMPARE(titles.size(), static_cast<qsizetype>(lesson.steps.size()));
        fixture.press("lessonBack");
        QVERIFY(titles.contains(fixture.title()));
        fixture.press("guideClose");
        QVERIFY(!fixture.card().isVisible());
        QCOMPARE(fixture.window->study().edited().decoding.search, Search::Greedy);
    }

    // The two heads that a lesson shows one after the other, for many words of its sentence.
    void theHeadsOfALessonDiffer()
    {
        BundledFixture fixture;
        fixture.openBundled("transformer-en-fr", usualQuestion().text.c_str());
        fixture.settle();
        const auto most = [&fixture](const LessonStep& step) { // source token, by row
            const SiteChoice choice = parseSite(step.site, "lesson");
            const Numbers weights = fixture.trace().matrix(choice.site, choice.head.head().value());
            std::vector<Index> columns;
            for (Index row = 0; row < weights.rows; ++row) {
                const auto line = weights.row(row);
                columns.push_back(
                    static_cast<Index>(std::ranges::max_element(line.first(line.size() - 1)) - line.begin()));
            }
            return columns;
        };
        const auto& steps = lessons()[1].steps;
        const std::vector<Index> one = most(steps[1]);
        const std::vector<Index> other = most(steps[2]);
        int differ = 0;
        for (std::size_t row = 0; row < one.size(); ++row)
            differ += one[row] != other[row] ? 1 : 0;
        QVERIFY2(3 * differ >= static_cast<int>(one.size()), qPrintable(QString::number(differ)));
    }

    void aLessonAsksShowsAndExplains()
    {
        BundledFixture fixture;
        fixture.openBundled("rnnsearch-en-fr", "Tomorrow, she wants to come.");
        const auto text = [&fixture] { return fixture.find<QLabel>("guideText")->text(); };
        const auto& steps = lessons().front().steps;
        fixture.beginLesson("fixed-vector");
        QTRY_COMPARE(text(), translated(steps[0].question));
        fixture.press("answer1"); // another one than the right one
        QCOMPARE(text(), translated(steps[0].text));
        QVERIFY(fixture.title().contains(QStringLiteral("not so")));
        fixture.press("lessonNext");
        fixture.press(steps[1].right == 0 ? "answer0" : "answer1");
        QVERIFY(fixture.title().contains(QStringLiteral("right")));
        fixture.press("lessonNext");
        // The third step: a word of the sentence is clicked, and what the model looks at is lit.
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window->findChild<QAbstractButton*>(QStringLiteral("bet0")) != nullptr, 20000);
        QVERIFY(fixture.window->selection().moment().has_value());
        const int step = fixture.window->selection().step().value_or(-1);
        auto* stage = fixture.find<StageView>("stage");
        stage->grab();
        QTest::mouseClick(stage, Qt::LeftButton, Qt::NoModifier, stage->table().rect({0, 0}).center().toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(text(), translated(steps[2].text), 5000);
        QCOMPARE(fixture.window->selection().step(), std::optional(step));
        QVERIFY(!fixture.window->selection().moment().has_value());
        QTRY_VERIFY(fixture.window->findChild<Spotlight*>() != nullptr);
        const auto* spot = fixture.window->findChild<Spotlight*>();
        QVERIFY(spot->isVisible());
        const Numbers weights = fixture.trace().matrix({Stage::Cross, 0}, 0, {}, {step, 1});
        const FigureView& heatmap = fixture.window->heatmap();
        const auto lit = heatmap.figure()->hitTest(spot->place().center());
        QCOMPARE(lit.rowToken, std::optional(step));
        QVERIFY(lit.columnToken && weights.at(0, *lit.columnToken) >= 0.3F);
        QTest::mouseClick(&fixture.window->heatmap(), Qt::LeftButton, Qt::NoModifier, QPoint(3, 3));
        QVERIFY(!spot->isVisible());
    }

    // Of a word of several tokens, too.
    void theAnswerHasTheNumberOfThePicture()
    {
        BundledFixture fixture;
        fixture.openBundled("rnnsearch-en-fr", "The black cat sleeps on the old chair.");
        fixture.beginLesson("fixed-vector");
        QTRY_COMPARE(fixture.opened(), QStringLiteral("rnn-no-attention-en-fr"));
        fixture.settle();
        fixture.press("lessonNext");
        fixture.press("lessonNext");
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window->findChild<QAbstractButton*>(QStringLiteral("bet0")) != nullptr, 20000);
        fixture.press("bet0");
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window->findChild<Spotlight*>() != nullptr, 5000);
        const FigureView& heatmap = fixture.window->heatmap();
        const FigureHit lit = heatmap.figure()->hitTest(heatmap.findChild<Spotlight*>()->place().center());
        const auto words = wordAxis(fixture.trace().target());
        QVERIFY(std::ranges::find(words, *lit.rowToken, &AxisGroup::first)->count > 1);
        const QString percents = percent(static_cast<double>(lit.value));
        QVERIFY2(fixture.title().contains(percents), qPrintable(fixture.title() + percents));
        // Where it looks most at a point, no word is asked for.
        fixture.press("lessonNext");
        QTRY_COMPARE(fixture.window->selection().step(), std::optional(0));
        QTRY_COMPARE(fixture.find<QLabel>("guideText")->text(), translated(lessons().front().steps[3].text));
    }

    void aLessonLeadsToTheLaboratoryAndTheGlossary()
    {
        BundledFixture fixture;
        fixture.openBundled("rnnsearch-en-fr");
        fixture.beginLesson("fixed-vector");
        QTRY_COMPARE(fixture.opened(), QStringLiteral("rnn-no-attention-en-fr"));
        fixture.settle();
        Q_EMIT fixture.find<QLabel>("guideText")->linkActivated(QStringLiteral("glossary#context-vector"));
        QTRY_VERIFY(fixture.window->findChild<HelpWindow*>() != nullptr);
        QCOMPARE(fixture.window->findChild<HelpWindow*>()->current(), QStringLiteral("glossary#context-vector"));
        fixture.press("lessonNext");
        fixture.press("answer0");
        fixture.press("lessonPage");
        QTRY_VERIFY(fixture.window->findChild<LaboratoryWindow*>() != nullptr);
        QCOMPARE(fixture.window->findChild<LaboratoryWindow*>()->current(), *pageOf("length"));
    }

    void aLessonGivesDecodingBack()
    {
        BundledFixture fixture;
        fixture.openBundled("transformer-en-fr");
        fixture.choose("decode", "beam");
        fixture.beginLesson("decoding");
        QTRY_COMPARE(fixture.window->study().edited().decoding.search, Search::Greedy);
        fixture.settle();
        fixture.press("guideClose");
        QCOMPARE(fixture.window->study().edited().decoding.search, Search::Beam);
    }

    void runIsThePrimaryButton()
    {
        WindowFixture fixture("recurrent");
        auto* run = fixture.find<PrimaryButton>("runButton");
        const QImage picture = run->grab().toImage();
        const QColor middle = picture.pixelColor(picture.width() / 8, picture.height() / 2);
        const QColor wanted = run->palette().color(QPalette::Highlight);
        QVERIFY2(std::abs(middle.hue() - wanted.hue()) < 30 && middle.saturation() > 40, qPrintable(middle.name()));
        for (const char* id : {"runAction", "saveAction", "helpAction", "paletteAction"})
            QVERIFY2(!fixture.action(id)->icon().isNull(), id);
    }
};

ATTN_GUI_TEST(TestGuide)
#include "tst_guide.moc"
