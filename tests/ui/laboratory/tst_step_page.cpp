// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// moc 6.4 cannot read <compare> before another standard header.
// clang-format off
#include <cmath>
#include <map>
#include <numeric>

#include "support/test_program.h"
#include "analysis/step_stages.h"
#include "analysis/words.h"
#include "experiments/step_experiment.h"
#include "figures/charts/stages_figure.h"
#include "figures/look/decimal.h"
#include "laboratory/step/step_page.h"
#include "readings/head_reading.h"
#include "support/sanitizers.h"
#include "ui/figures/figure_areas.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QDockWidget>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QProxyStyle>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
// clang-format on

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

// The numbers of a stage of the page's cell, the result last; none when there is no such stage.
std::vector<StageNumbers> numbersOf(const StepPage& page, StepKind kind)
{
    const auto stages = stepStages(page.reported(), page.cell().key.value_or(0));
    const auto found = std::ranges::find(stages, kind, &StepStage::kind);
    return found == stages.end() ? std::vector<StageNumbers>() : found->numbers;
}

// Which of the page's stages it is, from 0; as many as there are when there is no such stage.
int placeOf(const StepPage& page, StepKind kind)
{
    const auto stages = stepStages(page.reported(), page.cell().key.value_or(0));
    return static_cast<int>(std::ranges::find(stages, kind, &StepStage::kind) - stages.begin());
}

StepPage& openStep(LaboratoryFixture& fixture)
{
    auto& page = static_cast<StepPage&>(fixture.openPage(*pageOf("step")));
    if (!QTest::qWaitFor([&] { return !page.busy() && !page.stages().empty(); }))
        qFatal("there are no stages");
    return page;
}

// The message in the figure's place.
QString messageOf(const LaboratoryFixture& fixture)
{
    auto* nothing = fixture.on<FigureCanvas>("stepNothing");
    nothing->grab();
    return nothing->isVisible() && nothing->figure() != nullptr ? nothing->figure()->description() : QString();
}

// A style that animates for so long.
class AnimatedStyle final : public QProxyStyle
{
public:
    explicit AnimatedStyle(int duration)
        : QProxyStyle(QStringLiteral("Fusion"))
        , m_duration(duration)
    {
    }

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override
    {
        return hint == SH_Widget_Animation_Duration ? m_duration : QProxyStyle::styleHint(hint, option, widget, data);
    }

private:
    int m_duration = 0; // milliseconds
};

// One message in the figure's place, and no empty controls.
void showsNothingButAMessage(const LaboratoryFixture& fixture)
{
    QVERIFY(!messageOf(fixture).isEmpty());
    for (const char* control : {"stepSite", "stepHead", "stepRow", "stepKey", "stageList", "allStages", "result"})
        QVERIFY2(!fixture.on<QWidget>(control)->isVisible(), control);
}

} // namespace

// One attention weight with its real numbers.
class TestStepPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theStagesEndInTheWeightThatTheHeatmapShows_data()
    {
        test::addColumns<QString, int, int>("model", "stage", "score");
        QTest::newRow("recurrent") << QStringLiteral("recurrent") << static_cast<int>(Stage::Cross)
                                   << static_cast<int>(StepKind::TanhLayer);
        QTest::newRow("cross") << QStringLiteral("transformer") << static_cast<int>(Stage::Cross)
                               << static_cast<int>(StepKind::Scaling);
        QTest::newRow("encoder") << QStringLiteral("transformer") << static_cast<int>(Stage::Encoder)
                                 << static_cast<int>(StepKind::Scaling);
        QTest::newRow("decoder") << QStringLiteral("transformer") << static_cast<int>(Stage::Decoder)
                                 << static_cast<int>(StepKind::Scaling);
    }
    void theStagesEndInTheWeightThatTheHeatmapShows()
    {
        QFETCH(QString, model);
        QFETCH(int, stage);
        QFETCH(int, score);
        LaboratoryFixture fixture(model);
        StepPage& page = openStep(fixture);
        const Site site{static_cast<Stage>(stage), 0};
        const int heads = fixture.trace().heads(site);
        page.lookAt({site, heads - 1, 1, 0});
        QTRY_VERIFY(!page.busy());
        const Numbers map = fixture.trace().matrix(site, heads - 1);
        QVERIFY(!numbersOf(page, static_cast<StepKind>(score)).empty());
        const auto softmax = numbersOf(page, StepKind::Softmax);
        QVERIFY(!softmax.empty());
        const auto& weights = softmax.back().values;
        for (std::size_t key = 0; key < weights.size(); ++key)
            QVERIFY(std::abs(weights[key] - map.at(1, static_cast<int>(key))) < 1e-5F);
        const auto sum = numbersOf(page, StepKind::WeightedSum);
        QCOMPARE(sum.size(), std::size_t{3});
        const StageNumbers& values = sum[1];
        for (int i = 0; i < values.columns; ++i) {
            double expected = 0;
            for (int key = 0; key < values.rows; ++key)
                expected += static_cast<double>(weights[static_cast<std::size_t>(key)])
                    * static_cast<double>(values.values[static_cast<std::size_t>(key * values.columns + i)]);
            QVERIFY(std::abs(expected - static_cast<double>(sum.back().values[static_cast<std::size_t>(i)])) < 1e-5);
        }
        QCOMPARE(!numbersOf(page, StepKind::OutputProjection).empty(), model == QStringLiteral("transformer"));
    }

    void switchesAreSaidWithTheirNumbers()
    {
        CellStages reported;
        const auto put = [&reported](StageKind kind, const NumberVector<float>& numbers, int rows = 1) {
            reported.add({kind, {numbers.data(), rows, static_cast<int>(numbers.size()) / rows}});
        };
        put(StageKind::Embedding, {1, 2, 3, 4});
        put(StageKind::EmbeddingScale, {48});
        put(StageKind::State, {48, 96, 144, 192});
        put(StageKind::Input, {1, 2, 3, 4});
        put(StageKind::Query, {1, 0, 0, 1});
        put(StageKind::OwnKey, {1, 0, 0, 1});
        put(StageKind::Rotation, {2, 1, 4, 500000, 1, 1.25F, 1});
        put(StageKind::Angles, {0.5F});
        put(StageKind::RotatedQuery, {1, 0, 0, 1});
        put(StageKind::RotatedKey, {1, 0, 0, 1});
        put(StageKind::Keys, {1, 0, 0, 1, 0, 1, 1, 0}, 2);
        put(StageKind::Products, {2, 0});
        put(StageKind::Scale, {0.5F});
        put(StageKind::Cap, {30});
        put(StageKind::Capped, {0.99F, 0});
        put(StageKind::Reach, {6, 0});
        put(StageKind::Scores, {0.99F, 0});
        put(StageKind::Sink, {0.25F, 0.3F});
        put(StageKind::Softmax, {0.5F, 0.2F});
        put(StageKind::Output, {1, 1, 1, 1});
        put(StageKind::FeedForward, {2, 2, 2, 2});
        put(StageKind::Sum, {51, 99, 147, 195});
        const auto said = stageContents(reported, {QStringLiteral("a"), {QStringLiteral("a"), QStringLiteral("b")}});
        const auto steps = stepStages(reported, 0);
        QCOMPARE(said.size(), steps.size());
        const auto textOf = [&](StepKind kind) {
            const auto found = std::ranges::find(steps, kind, &StepStage::kind);
            if (found == steps.end())
                qFatal("there is no stage %d", static_cast<int>(kind));
            return said[static_cast<std::size_t>(found - steps.begin())].text;
        };
        const auto says = [&](StepKind kind, const QStringList& numbers) {
            return std::ranges::all_of(numbers, [&](const QString& number) { return textOf(kind).contains(number); });
        };
        QVERIFY(says(StepKind::Embedding, {QStringLiteral("48"), QStringLiteral("“a”")}));
        QVERIFY(says(
            StepKind::Rotation,
            {QStringLiteral("1 to 2"), QStringLiteral("0 to 3"), QStringLiteral("500000"), QStringLiteral("1.25")}));
        QVERIFY(says(StepKind::Cap, {QStringLiteral("30")}));
        QVERIFY(says(StepKind::Mask, {QStringLiteral("6 before")}));
        QVERIFY(says(StepKind::Softmax, {QStringLiteral("0.7")}));
        QVERIFY(!textOf(StepKind::ParallelBlocks).isEmpty());
        for (const StageContent& content : said)
            QVERIFY2(!content.title.isEmpty() && !content.strips.empty(), qPrintable(content.title));
    }

    // Keys and values are matrices of one row.
    void theOnlyKeyIsShown()
    {
        LaboratoryFixture fixture("transformer");
        fixture.find<QSpinBox>("max-length")->setValue(1);
        fixture.action("runAction")->trigger();
        QTRY_VERIFY(!fixture.window->controller().busy() && fixture.trace().path().size() == 1);
        StepPage& page = openStep(fixture);
        page.lookAt({{Stage::Decoder, 0}, 0, 0, 0});
        QTRY_VERIFY(!page.busy());
        QVERIFY(!page.stages().empty());
        const auto sum = numbersOf(page, StepKind::WeightedSum);
        QCOMPARE(sum.at(1).rows, 1);
        QVERIFY(sum.at(1).columns > 1);
        QVERIFY(!page.grab().isNull());
        const auto figure = page.exportable();
        QVERIFY(figure && !figure->csv().isEmpty());
    }

    // Which has fewer attentions than the one before.
    void whileARunGoesOnTheBoxesAreOfTheOneBefore()
    {
        LaboratoryFixture fixture("transformer");
        openStep(fixture);
        auto* const box = fixture.on<QComboBox>("stepSite");
        QVERIFY(box->count() > 1);
        fixture.find<QSpinBox>("max-length")->setValue(100'000);
        fixture.choose("modelPicker", "endless");
        QTRY_VERIFY(fixture.window->controller().busy() && fixture.trace().sites().size() == 1);
        QVERIFY(box->count() > 1);
        Q_EMIT box->activated(box->count() - 1);
        QVERIFY(fixture.window->controller().busy());
        fixture.window->controller().cancel();
        QTRY_VERIFY(!fixture.window->controller().busy());
    }

    // Archives have the text of the start token alone.
    void aRunOfASessionIsLookedInto()
    {
        LaboratoryFixture fixture("transformer");
        fixture.answers->session = fixture.path(QStringLiteral("mine.attnscope"));
        fixture.action("saveAction")->trigger();
        QTRY_VERIFY(!fixture.window->study().unsaved());
        fixture.answers->paths[OpenKind::Anything] = fixture.answers->session;
        fixture.action("openAction")->trigger();
        QTRY_VERIFY(!fixture.window->controller().busy());
        auto& page = static_cast<StepPage&>(fixture.openPage(*pageOf("step")));
        QTRY_VERIFY2(!page.busy() && !page.stages().empty(), qPrintable(messageOf(fixture)));
        page.lookAt({{Stage::Cross, 0}, 0, 1, 0});
        QTRY_VERIFY(!page.busy());
        const auto softmax = numbersOf(page, StepKind::Softmax);
        QVERIFY(!softmax.empty());
        const Numbers map = fixture.trace().matrix({Stage::Cross, 0}, 0);
        for (int key = 0; key < map.columns; ++key)
            QVERIFY(std::abs(softmax.back().values[static_cast<std::size_t>(key)] - map.at(1, key)) < 1e-5F);
    }

    void everyBundledModelEndsInItsWeights_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* name : {"transformer-en-fr", "luong-general-en-fr", "luong-local-p-en-fr", "rnnsearch-en-fr"})
            QTest::newRow(name) << QStringLiteral("The cat sleeps on the old chair.");
        QTest::newRow("bert-small-en") << QStringLiteral("The cat [MASK] on the chair.");
        QTest::newRow("gpt-small-en") << QStringLiteral("The cat sleeps on");
        for (const char* name : {"question-pooling-en", "question-structured-en", "question-hierarchical-en"})
            QTest::newRow(name) << QStringLiteral("I saw her. Where is the cat now?");
    }
    void everyBundledModelEndsInItsWeights()
    {
        QFETCH(QString, text);
        const QString model = QStringLiteral(ATTN_SOURCE_DIR) + QStringLiteral("/resources/models/")
            + QLatin1String(QTest::currentDataTag());
        if (!QFileInfo::exists(model))
            QSKIP("the bundled models are not in this tree");
        LaboratoryFixture fixture;
        fixture.show(model, text);
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->controller().busy() && fixture.window->heatmap().figure() != nullptr,
                                 20000);
        StepPage& page = openStep(fixture);
        const std::vector<Site> sites = fixture.trace().sites();
        QVERIFY(!sites.empty());
        for (const Site& site : sites) {
            for (int head = 0; head < fixture.trace().heads(site); head += test::slowdown()) {
                const Numbers map = fixture.trace().matrix(site, head);
                const int row = map.rows - 1;
                page.lookAt({site, head, row, 0});
                QTRY_VERIFY(!page.busy());
                QVERIFY(!page.stages().empty());
                QCOMPARE(page.cell().site, site);
                QCOMPARE(page.cell().head, head);
                const auto sum = numbersOf(page, StepKind::WeightedSum);
                QCOMPARE(sum.size(), std::size_t{3});
                const auto& weights = sum.front().values;
                const NumberView values(sum[1].values.data(), sum[1].rows, sum[1].columns);
                const auto& context = sum.back().values;
                QCOMPARE(indexSize(weights), map.columns);
                QCOMPARE(values.rows, map.columns);
                QCOMPARE(indexSize(context), values.columns);
                std::vector<double> expected(context.size());
                for (int key = 0; key < map.columns; ++key) {
                    const float weight = map.at(row, key);
                    QVERIFY(std::abs(weights[static_cast<std::size_t>(key)] - weight) < 1e-5F);
                    for (std::size_t i = 0; i < expected.size(); ++i)
                        expected[i] += double(weight) * double(values.row(key)[i]);
                }
                for (std::size_t i = 0; i < expected.size(); ++i)
                    QVERIFY(std::abs(double(context[i]) - expected[i]) < 1e-4);
            }
        }
    }

    void aCellOfTheHeatmapOpensItFromItsMenu()
    {
        LaboratoryFixture fixture("transformer");
        FigureView& heatmap = fixture.window->heatmap();
        const QPoint cell = heatmap.figure()->cellRect(1, 2).center().toPoint();
        QContextMenuEvent event(QContextMenuEvent::Mouse, cell, heatmap.mapToGlobal(cell));
        QApplication::sendEvent(&heatmap, &event);
        auto* menu = fixture.find<QMenu>("placeMenu");
        QVERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QVERIFY(fixture.window->findChild<LaboratoryWindow*>() == nullptr); // it stands beside the cell
        auto& page = *fixture.find<QDockWidget>("besideDock")->findChild<StepPage*>();
        QTRY_VERIFY(!page.busy() && !page.stages().empty());
        QCOMPARE(page.cell().row, 1);
        QCOMPARE(page.cell().key, std::optional(2));
        QCOMPARE(page.cell().site, fixture.window->selection().site());
        QCOMPARE(page.cell().head, strongestHead(fixture.trace(), page.cell().site, 1, 2)); // of the mean that is shown
        // While it is open, a click in the heatmap goes on to another cell.
        fixture.standStill();
        QTest::mouseClick(&heatmap, Qt::LeftButton, Qt::NoModifier,
                          heatmap.figure()->cellRect(0, 3).center().toPoint());
        QTRY_COMPARE(page.cell().key, std::optional(3));
        QCOMPARE(page.cell().row, 0);
    }

    // Tokens of merged words are those that have the weight.
    void whyIsAboutTheTokensWithTheMostWeight()
    {
        qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models");
        LaboratoryFixture fixture;
        qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models");
        fixture.show(QStringLiteral("transformer-en-fr"), QStringLiteral("The black cat sleeps on the old chair."));
        fixture.settle();
        fixture.window->selection().setSiteAndHead({Stage::Cross, 1}, HeadReading(2));
        FigureView& heatmap = fixture.window->heatmap();
        QTRY_COMPARE(heatmap.spec().site, (Site{Stage::Cross, 1}));
        fixture.standStill();
        const QPoint sleeps = test::WindowFixture::figureOf(heatmap).cellRect(3, 3).center().toPoint(); // of two tokens
        QContextMenuEvent event(QContextMenuEvent::Mouse, sleeps, heatmap.mapToGlobal(sleeps));
        QApplication::sendEvent(&heatmap, &event);
        auto* const why = fixture.find<QMenu>("placeMenu")->findChild<QAction*>(QStringLiteral("step"));
        QVERIFY(why != nullptr);
        why->trigger();
        auto& page = *fixture.find<QDockWidget>("besideDock")->findChild<StepPage*>();
        QTRY_VERIFY(!page.busy() && !page.stages().empty());
        const Numbers weights = fixture.trace().matrix({Stage::Cross, 1}, 2);
        const auto words = wordAxis(fixture.trace().source());
        const auto targets = wordAxis(fixture.trace().target());
        float most = 0;
        for (int row = targets[3].first; row < targets[3].first + targets[3].count; ++row) {
            for (int key = words[3].first; key < words[3].first + words[3].count; ++key)
                most = std::max(most, weights.at(row, key));
        }
        QVERIFY(words[3].count > 1 && weights.at(targets[3].first, words[3].first) < most);
        QCOMPARE(weights.at(page.cell().row, page.cell().key.value_or(0)), most);
    }

    void thePlaceMenuLeadsToEveryQuestion()
    {
        LaboratoryFixture fixture("transformer");
        FigureView& heatmap = fixture.window->heatmap();
        const auto open = [&](const char* page) {
            const QPoint cell = heatmap.figure()->cellRect(1, 2).center().toPoint();
            QContextMenuEvent event(QContextMenuEvent::Mouse, cell, heatmap.mapToGlobal(cell));
            QApplication::sendEvent(&heatmap, &event);
            auto* menu = fixture.find<QMenu>("placeMenu");
            menu->findChild<QAction*>(QLatin1String(page))->trigger();
            menu->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            const auto* laboratory = fixture.window->findChild<LaboratoryWindow*>();
            return laboratory == nullptr ? std::nullopt : std::optional(laboratory->current());
        };
        for (const PageRow& row : pageRows()) {
            const auto opened = open(row.id);
            if (row.topic == Topic::Cell)
                QVERIFY(fixture.find<QDockWidget>("besideDock")->isVisible());
            else
                QCOMPARE(opened, pageOf(row.id));
        }
    }

    void itIsSteppedAndPlayed()
    {
        LaboratoryFixture fixture("recurrent");
        const StepPage& page = openStep(fixture);
        auto* list = fixture.on<QListWidget>("stageList");
        QCOMPARE(list->count(), static_cast<int>(page.stages().size()));
        QCOMPARE(list->currentRow(), 0);
        QTest::mouseClick(fixture.on<QToolButton>("forwardStage"), Qt::LeftButton);
        QCOMPARE(list->currentRow(), 1);
        QTest::mouseClick(fixture.on<QToolButton>("backStage"), Qt::LeftButton);
        QTest::mouseClick(fixture.on<QToolButton>("backStage"), Qt::LeftButton);
        QCOMPARE(list->currentRow(), 0);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_End);
        QCOMPARE(list->currentRow(), list->count() - 1);
        auto* play = fixture.on<QToolButton>("playStage");
        const QString name = play->accessibleName();
        QTest::mouseClick(play, Qt::LeftButton); // from the start again
        QCOMPARE(list->currentRow(), 0);
        QVERIFY(!play->accessibleName().isEmpty() && play->accessibleName() != name);
        QTRY_VERIFY(list->currentRow() >= 1);
        QTest::mouseClick(play, Qt::LeftButton);
        QVERIFY(!name.isEmpty());
        QCOMPARE(play->accessibleName(), name);
    }

    void stagesChangeWithAShortTransition_data()
    {
        QTest::addColumn<bool>("all");
        QTest::newRow("all stages: the view glides") << true;
        QTest::newRow("one stage: the old one fades") << false;
    }
    void stagesChangeWithAShortTransition()
    {
        QFETCH(bool, all);
        LaboratoryFixture fixture("transformer");
        openStep(fixture);
        fixture.on<QCheckBox>("allStages")->setChecked(all);
        auto* area = fixture.on<QScrollArea>("stepScroll");
        auto* list = fixture.on<QListWidget>("stageList");
        AnimatedStyle still(0);
        AnimatedStyle animated(150);
        const auto settled = [&] { // what is seen at a stage without any transition
            QTest::qWait(50); // a scroll bar may come or go
            return area->viewport()->grab().toImage();
        };
        const auto moving = [&](int end) {
            return area->viewport()->findChild<QWidget*>(QStringLiteral("stageTransition")) != nullptr
                || area->verticalScrollBar()->value() != end;
        };
        list->setFocus();
        area->setStyle(&still);
        QTest::keyClick(list, Qt::Key_End);
        const int end = area->verticalScrollBar()->value();
        QVERIFY(!moving(end));
        const QImage last = settled();
        QTest::keyClick(list, Qt::Key_Home);
        const int start = area->verticalScrollBar()->value();
        QVERIFY(!moving(start));
        const QImage first = settled();
        QVERIFY(first != last);
        QCOMPARE(start != end, all);

        area->setStyle(&animated);
        QTest::keyClick(list, Qt::Key_End);
        QCOMPARE(list->currentRow(), list->count() - 1); // at once
        QVERIFY(moving(end));
        QTRY_VERIFY(!moving(end));
        QCOMPARE(settled(), last);
        // Whoever goes on does not wait.
        QTest::keyClick(list, Qt::Key_Home);
        QTest::keyClick(list, Qt::Key_End);
        QTest::keyClick(list, Qt::Key_Home);
        QCOMPARE(list->currentRow(), 0);
        QTRY_VERIFY(!moving(start));
        QCOMPARE(settled(), first);
        // And whoever scrolls is not held back.
        if (all) {
            QTest::keyClick(list, Qt::Key_End);
            area->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
            QTest::qWait(200);
            QCOMPARE(area->verticalScrollBar()->value(), 0);
        }
        area->setStyle(nullptr);
    }

    void formulasAreSetAndRead()
    {
        LaboratoryFixture fixture("transformer");
        StepPage& page = openStep(fixture);
        auto* canvas = fixture.on<FigureCanvas>("stepCanvas");
        canvas->grab();
        const auto formulaOf = [&](StepKind kind) {
            const auto& stage = page.stages().at(static_cast<std::size_t>(placeOf(page, kind)));
            return stage.formulas.empty() ? QString() : stage.formulas.back().reading();
        };
        QCOMPARE(formulaOf(StepKind::Softmax), QStringLiteral("a_j = exp(e_j) / sum over l of exp(e_l)"));
        QCOMPARE(formulaOf(StepKind::WeightedSum), QStringLiteral("c = sum over j of a_j v_j"));
        QVERIFY(formulaOf(StepKind::Scaling).startsWith(QStringLiteral("e_j = q · k_j / √")));
        // Screen readers get them, and who points at one.
        const QString softmax = formulaOf(StepKind::Softmax);
        QVERIFY(canvas->accessibleDescription().contains(softmax));
        const auto isFormula = [&softmax](const FigureHit& hit) { return hit.text == softmax; };
        const QRectF stage = canvas->figure()->cellRect(placeOf(page, StepKind::Softmax), 0);
        const QRectF formula = test::areaOf(*canvas->figure(), isFormula, stage);
        QVERIFY(!formula.isEmpty() && stage.contains(formula));
        // It stands above the numbers, and the figure's letters are its own: none of its signs is written as text.
        const QByteArray svg = fixture.exported(QStringLiteral("formulas.svg"));
        QVERIFY(!svg.contains("e_j</text>") && !svg.contains("\xE2\x88\x9A</text>"));
        // Queries, keys and values have their colours.
        const ThemeColors colors = themeColors(Theme::Light);
        for (const QColor& color : {colors.query, colors.key, colors.value})
            QVERIFY(svg.contains(color.name().toLatin1()));
        for (const StageContent& content : page.stages()) {
            for (const StageStrip& strip : content.strips) {
                QVERIFY(!strip.title().isEmpty());
                if (strip.name.contains(QStringLiteral("query")))
                    QCOMPARE(strip.role, AttentionRole::Query);
                if (strip.name.contains(QStringLiteral("key")))
                    QCOMPARE(strip.role, AttentionRole::Key);
                if (strip.name.contains(QStringLiteral("values")))
                    QCOMPARE(strip.role, AttentionRole::Value);
            }
        }
    }

    void pickersAndStripsChooseTheCell()
    {
        LaboratoryFixture fixture("transformer");
        StepPage& page = openStep(fixture);
        auto* key = fixture.on<QComboBox>("stepKey");
        key->setFocus();
        QTest::keyClick(key, Qt::Key_Home);
        QCOMPARE(page.cell().key, std::optional(0));
        auto* row = fixture.on<QComboBox>("stepRow");
        row->setFocus();
        QTest::keyClick(row, Qt::Key_Home);
        QTRY_VERIFY(!page.busy());
        QCOMPARE(page.cell().row, 0);
        auto* list = fixture.on<QListWidget>("stageList");
        list->setCurrentRow(placeOf(page, StepKind::Softmax));
        auto* canvas = fixture.on<FigureCanvas>("stepCanvas");
        canvas->grab();
        const QString weights =
            page.stages().at(static_cast<std::size_t>(list->currentRow())).strips.back().title() + QStringLiteral(" [");
        const auto isSecond = [&weights](const FigureHit& hit) {
            return hit.column == 1 && hit.text.startsWith(weights);
        };
        const QRectF stage = canvas->figure()->cellRect(list->currentRow(), 0);
        const QPointF second = test::areaOf(*canvas->figure(), isSecond, stage).center();
        LaboratoryFixture::pointTo(canvas, second);
        QVERIFY(fixture.laboratory->findChild<QLabel*>(QStringLiteral("laboratoryHover"))->text().contains(weights));
        QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, second.toPoint());
        QCOMPARE(page.cell().key, std::optional(1));
        QCOMPARE(key->currentIndex(), 1);
    }

    void longVectorsAreALineUntilTheyAreClicked()
    {
        const QString model = QStringLiteral(ATTN_SOURCE_DIR) + QStringLiteral("/resources/models/rnnsearch-en-fr");
        if (!QFileInfo::exists(model))
            QSKIP("the bundled models are not in this tree");
        LaboratoryFixture fixture;
        fixture.show(model, QStringLiteral("The cat sleeps."));
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->controller().busy() && fixture.window->heatmap().figure() != nullptr,
                                 20000);
        const StepPage& page = openStep(fixture);
        auto* canvas = fixture.on<FigureCanvas>("stepCanvas");
        const int keys = placeOf(page, StepKind::Keys);
        const int softmax = placeOf(page, StepKind::Softmax);
        const auto heightOf = [canvas](int stage) {
            canvas->grab();
            return canvas->figure()->cellRect(stage, 0).height();
        };
        const double folded = heightOf(keys);
        const double weights = heightOf(softmax);
        QVERIFY2(folded < 160, qPrintable(QString::number(folded)));
        const auto isLong = [&](const FigureHit& hit) { return hit.row == keys; };
        const QRectF lines = test::areaOf(*canvas->figure(), isLong, canvas->figure()->cellRect(keys, 0));
        QVERIFY(!lines.isEmpty());
        QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, (lines.topLeft() + QPointF(30, 3)).toPoint());
        QVERIFY(heightOf(keys) > folded + 50);
        QCOMPARE(heightOf(softmax), weights);
        auto* all = fixture.on<QCheckBox>("allNumbers");
        all->setFocus();
        QTest::keyClick(all, Qt::Key_Space);
        QTest::keyClick(all, Qt::Key_Space);
        QCOMPARE(heightOf(keys), folded);
    }

    void longSentencesKeepTheirNames()
    {
        constexpr int keys = 43;
        StageContent stage{QStringLiteral("Weighted sum"), {}, {}, {}, {}};
        StageStrip weights{{}, 1, keys, std::vector<float>(keys, 1.0F / keys), {}, {}, 20, true};
        StageStrip values{{}, keys, 8, std::vector<float>(keys * 8, 0.5F), {}, {}, 20};
        for (int i = 0; i < keys; ++i) {
            weights.columnNames << QStringLiteral("key%1").arg(i);
            values.rowNames << QStringLiteral("key%1").arg(i);
        }
        stage.strips = {weights, values};
        const auto figure = stagesFigure(FigureSpec{}, {stage}, QSizeF(700, 0));
        const QRegularExpression end(QStringLiteral("[],]"));
        std::map<QString, QRectF> areas; // of the rows of values, and of the weights
        for (int y = 0; y < figure->size().height(); ++y) {
            for (int x = 0; x < 700; x += 2) {
                const FigureHit hit = figure->hitTest(QPointF(x, y));
                if (hit.column)
                    areas[hit.text.section(QLatin1Char('['), 1).section(end, 0, 0)
                          + (hit.text.contains(QLatin1Char(',')) ? QStringLiteral(" row") : QString())] |=
                        QRectF(x, y, 2, 1);
            }
        }
        const auto areaOf = [&](int key, const char* of = "") {
            return areas[QStringLiteral("key%1").arg(key) + QLatin1String(of)];
        };
        // Every row has its name beside it.
        QImage image(figure->size().toSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        figure->paint(painter);
        painter.end();
        for (int row = 0; row < keys; ++row) {
            const QRectF cells = areaOf(row, " row");
            QVERIFY(cells.height() >= 12);
            bool named = false;
            for (int x = 0; x < static_cast<int>(cells.left()) - 4; ++x)
                named = named || image.pixelColor(x, static_cast<int>(cells.center().y())).lightness() < 150;
            QVERIFY2(named, qPrintable(QString::number(row)));
        }
        // The strip of weights is broken into lines, and every cell is found again.
        QVERIFY(areaOf(16).top() > areaOf(0).bottom());
        for (const int key : {0, 15, 16, 42})
            QVERIFY(areaOf(key).width() > 25);
        QVERIFY(!figure->hitTest(areaOf(16).center() - QPointF(0, 18)).column);
        // More rows than have room for their names.
        stage.strips[1].rows = 400;
        stage.strips[1].values.assign(400 * 8, 0.5F);
        QVERIFY(stagesFigure(FigureSpec{}, {stage}, QSizeF(700, 0))->size().height() < 1100);
    }

    void aSentenceSaysTheWeight()
    {
        QCOMPARE(weightText(0.41666), QStringLiteral("0.417"));
        QCOMPARE(weightText(0.99999), QStringLiteral(">0.999"));
        QCOMPARE(weightText(1e-5), QStringLiteral("<0.001"));
        QCOMPARE(weightText(1), QStringLiteral("1"));
        LaboratoryFixture fixture("transformer");
        StepPage& page = openStep(fixture);
        page.lookAt({{Stage::Cross, 0}, 0, 1, 2});
        QTRY_VERIFY(!page.busy());
        const float weight = fixture.trace().matrix({Stage::Cross, 0}, 0).at(1, 2);
        const QString said = fixture.on<QLabel>("result")->text();
        const QStringList parts{QString::fromStdString(fixture.trace().target().tokens[1]), QStringLiteral("s6"),
                                weightText(static_cast<double>(weight))};
        for (const QString& part : parts)
            QVERIFY2(!part.isEmpty() && said.contains(part), qPrintable(said + part));
        const QByteArray svg = fixture.exported(QStringLiteral("signs.svg"));
        QVERIFY(!svg.contains("sqrt") && !svg.contains("√("));
    }

    // The page of a mean shows the head that makes most of the weight, and says so.
    void whichOfSeveralHeadsItIsIsSaid()
    {
        LaboratoryFixture fixture(QStringLiteral("transformer"));
        fixture.window->selection().setSiteAndHead({Stage::Cross, 0}, meanOfHeads);
        StepPage& page = openStep(fixture);
        page.lookAt(Place{FigureCell{1, 0}, {}});
        QTRY_VERIFY(!page.busy());
        const Site site{Stage::Cross, 0};
        int most = 0;
        for (int head = 1; head < fixture.trace().heads(site); ++head)
            most =
                fixture.trace().matrix(site, head).at(1, 0) > fixture.trace().matrix(site, most).at(1, 0) ? head : most;
        const auto said = [&] { return fixture.on<QLabel>("result")->text(); };
        QTRY_VERIFY2(said().contains(QStringLiteral("head %1, which looks there most").arg(most)), qPrintable(said()));
        QVERIFY(said().contains(QStringLiteral("mean of %1 heads").arg(fixture.trace().heads(site))));
        fixture.window->selection().setHead(most);
        page.lookAt(Place{FigureCell{1, 0}, {}});
        QTRY_VERIFY(!page.busy());
        QTRY_VERIFY2(!said().contains(QStringLiteral("The picture shows")), qPrintable(said()));
    }

    void aCancelledStepShowsNoOldNumbers()
    {
        LaboratoryFixture fixture("transformer");
        StepPage& page = openStep(fixture);
        page.lookAt({page.cell().site, 0, 0, 1});
        QVERIFY(page.busy());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QTRY_VERIFY(page.stages().empty());
        QVERIFY(!page.exportable());
        QVERIFY(!fixture.on<QToolButton>("playStage")->isEnabled());
        auto* row = fixture.on<QComboBox>("stepRow");
        QVERIFY(row->isEnabled());
        row->setFocus();
        QTest::keyClick(row, Qt::Key_Down);
        QTRY_VERIFY(!page.stages().empty());
    }

    void itFollowsTheWindow()
    {
        LaboratoryFixture fixture("recurrent");
        StepPage& page = openStep(fixture);
        QCOMPARE(fixture.on<QComboBox>("stepKey")->count(), 5);
        fixture.send(QStringLiteral("s9 s8"));
        QTRY_COMPARE(fixture.on<QComboBox>("stepKey")->count(), 3);
        QTRY_VERIFY(!page.busy() && !page.stages().empty());
    }

    void itIsExported()
    {
        LaboratoryFixture fixture("transformer");
        const StepPage& page = openStep(fixture);
        auto* all = fixture.on<QCheckBox>("allStages");
        QVERIFY(all->isChecked());
        const QByteArray svg = fixture.exported(QStringLiteral("step.svg"));
        for (const StageContent& stage : page.stages())
            QVERIFY2(svg.contains(stage.title.toUtf8()), qPrintable(stage.title));
        QByteArray csv;
        QTRY_VERIFY(!(csv = fixture.exported(QStringLiteral("step.csv"))).isEmpty());
        qsizetype numbers = 0;
        for (const StageContent& stage : page.stages()) {
            for (const StageStrip& part : stage.strips)
                numbers += static_cast<qsizetype>(part.values.size());
        }
        QCOMPARE(csv.count('\n'), numbers + 1);
        QTest::mouseClick(all, Qt::LeftButton, Qt::NoModifier, QPoint(8, all->height() / 2));
        QVERIFY(!all->isChecked());
        const QByteArray one = fixture.exported(QStringLiteral("one.svg"));
        const int current = fixture.on<QListWidget>("stageList")->currentRow();
        QVERIFY(one.contains(page.stages().at(static_cast<std::size_t>(current)).title.toUtf8()));
        const int softmax = placeOf(page, StepKind::Softmax);
        QVERIFY(current != softmax);
        QVERIFY(!one.contains(page.stages().at(static_cast<std::size_t>(softmax)).title.toUtf8()));
    }

    void anArchiveHasNoNumbersToShow()
    {
        LaboratoryFixture fixture("recurrent");
        const QString archive = fixture.path(QStringLiteral("run.npz"));
        fixture.answers->choice = ExportChoice{archive, {}};
        QTest::keyClick(fixture.window.get(), Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(QFile::exists(archive));
        fixture.window->open(archive);
        QTRY_VERIFY(!fixture.window->study().model());
        QTRY_VERIFY(!fixture.window->controller().busy());
        auto& page = static_cast<StepPage&>(fixture.openPage(*pageOf("step")));
        QVERIFY(page.stages().empty() && !page.exportable());
        showsNothingButAMessage(fixture);
        QVERIFY(!messageOf(fixture).contains(pageName(*pageOf("compare"))));
        fixture.window->open(QStringLiteral("recurrent"));
        QTRY_VERIFY(!page.busy() && !page.stages().empty());
        QVERIFY(fixture.on<QComboBox>("stepKey")->isVisible() && fixture.on<QListWidget>("stageList")->isVisible());
    }

    void aModelWithoutAttentionSaysWhereToLook()
    {
        LaboratoryFixture fixture;
        fixture.show(attn::test::blindModel(fixture.path(QStringLiteral("elsewhere"))), QStringLiteral("s4 s5"));
        QTRY_VERIFY(fixture.window->study().trace().summary() && !fixture.window->controller().busy());
        fixture.openPage(*pageOf("step"));
        showsNothingButAMessage(fixture);
        QVERIFY2(messageOf(fixture).contains(pageName(*pageOf("compare"))), qPrintable(messageOf(fixture)));
    }
};

ATTN_GUI_TEST(TestStepPage)

#include "tst_step_page.moc"
