// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/kept_reading.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/parts/matrix_content.h"
#include "panels/candidates_panel.h"
#include "support/test_program.h"
#include "support/whole_files.h"
#include "trace/archive.h"
#include "trace/kept_readings.h"
#include "ui/window/window_fixture.h"
#include "window/view_tabs.h"

#include <QContextMenuEvent>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QStandardItemModel>
#include <QTemporaryDir>

#include <cmath>
#include <numeric>
#include <utility>

using namespace attn;
using namespace attn::ui;
using attn::test::trainedModels;
using attn::test::waitForRun;
using attn::test::WindowFixture;

namespace {

constexpr int patience = 30000; // ms, for what a loaded machine computes

const QString continuingModel = trainedModels + QStringLiteral("gpt-small-en");
const QString translator = trainedModels + QStringLiteral("transformer-en-fr");

void openModel(WindowFixture& fixture, const QString& model, const QString& text)
{
    fixture.show(model, text);
    waitForRun(fixture);
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture.window->heatmap().figure() != nullptr && fixture.window->heatmap().figure()->rows() > 0, patience);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.trace().readings() != nullptr, patience); // what it lacks is known
}

bool isComputed(const WindowFixture& fixture, const std::string& method, const ReadingAbout& about)
{
    return fixture.trace().readings() && fixture.trace().readings()->computed.contains({method, about});
}

void clickCell(FigureView& view, int row, int column)
{
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, view.figure()->cellRect(row, column).center().toPoint());
}

// A model of the golden cases that has no output, with a word list.
QString headlessModel(const QString& folder)
{
    const QString from = QStringLiteral(ATTN_TEST_DATA "/cases/bert-noprefix/");
    for (const char* const name : {"config.json", "model.safetensors"})
        QFile::copy(from + QLatin1String(name), folder + QLatin1Char('/') + QLatin1String(name));
    const QByteArray config = attn::test::readFile(from + QStringLiteral("config.json"));
    QByteArray words = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
    const int size = QJsonDocument::fromJson(config).object()[QStringLiteral("vocab_size")].toInt();
    for (int id = 5; id < size; ++id)
        words += 's' + QByteArray::number(id) + '\n';
    attn::test::writeFile(folder + QStringLiteral("/vocab.txt"), words);
    return folder;
}

} // namespace

class TestWindowReadings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReadingExplainsTheTokenThatIsClicked()
    {
        WindowFixture fixture;
        openModel(fixture, translator, QStringLiteral("I am not deaf."));
        Selection& selection = fixture.window->selection();
        fixture.choose("readingPicker", "lrp");
        QVERIFY(selection.head().reading().id == std::string("lrp"));
        FigureView& view = fixture.window->heatmap();
        QTRY_VERIFY_WITH_TIMEOUT(selection.about().of && isComputed(fixture, "lrp", selection.about()), patience);
        QTRY_VERIFY(view.figure()->scaleBar() && view.figure()->scaleBar()->scale.least() < 0); // signs
        clickCell(view, 1, 0);
        QCOMPARE(selection.step(), std::optional(1));
        QTRY_VERIFY_WITH_TIMEOUT(isComputed(fixture, "lrp", {.of = 1, .all = false, .against = {}}), patience);
        QVERIFY(selection.about().of == 1);
        const auto* explained = fixture.find<QLabel>("explainedToken");
        const QString first = explained->text();
        clickCell(view, 2, 0);
        QTRY_VERIFY(selection.about().of == 2 && explained->text() != first);
        fixture.choose("readingPicker", "");
        QTRY_VERIFY(view.figure()->scaleBar() && view.figure()->scaleBar()->scale.least() >= 0);
        QVERIFY(!explained->isVisible());
    }

    void aReadingIsSaidToBeComputedWhileItIs()
    {
        WindowFixture fixture;
        openModel(fixture, translator, QStringLiteral("I am not deaf."));
        const FigureView& view = fixture.window->heatmap();
        fixture.choose("readingPicker", "erasure");
        QVERIFY(fixture.window->study().computesReadings());
        const auto text = [&] { return missingText(Missing::Reading, view.spec(), fixture.trace()); };
        QVERIFY2(text().startsWith(QStringLiteral("Computing ")), qPrintable(text()));
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->study().computesReadings(), patience);
    }

    void allFillsARowForEachToken()
    {
        WindowFixture fixture;
        openModel(fixture, translator, QStringLiteral("I am not deaf."));
        fixture.choose("readingPicker", "lrp");
        const auto* others = fixture.find<QLabel>("explainOthers");
        QVERIFY(others->isVisible());
        fixture.click("explainAll");
        QVERIFY(!others->isVisible()); // no row stays grey
        QTRY_VERIFY_WITH_TIMEOUT(isComputed(fixture, "lrp", {.of = {}, .all = true, .against = {}}), patience);
        for (int step = 0; step < fixture.trace().steps(); ++step)
            QVERIFY(isComputed(fixture, "lrp", {.of = step, .all = false, .against = {}}));
        const FigureSpec spec = fixture.window->heatmap().spec();
        QCOMPARE(spec.kind->numbers(spec, fixture.trace()).map.count(CellState::Blank), std::int64_t{0});
    }

    void theMenuOfACandidateAsksWhyNot()
    {
        WindowFixture fixture;
        openModel(fixture, translator, QStringLiteral("I am not deaf."));
        fixture.window->selection().setStep(0);
        auto* bars = fixture.find<FigureCanvas>("candidatesChart");
        auto* panel = fixture.find<CandidatesPanel>("candidatesPanel");
        // The bars follow the step a little later.
        const TokenId written = fixture.trace().stepTokens().ids.front();
        QTRY_VERIFY(std::ranges::any_of(panel->candidates(), [&](const BarListContent::Entry& entry) {
            return entry.taken && entry.id == written;
        }));
        QTRY_VERIFY(bars->figure() != nullptr && bars->figure()->rows() > 1);
        QTRY_VERIFY(fixture.find<QWidget>("choiceWeights")->isVisible()); // stands above the candidates
        QRectF place;
        const auto settled = [&] {
            bars->repaint();
            const QRectF before = std::exchange(place, bars->figure()->cellRect(0, 0));
            return before == place;
        };
        QTRY_VERIFY(settled());
        const auto other = std::ranges::find(panel->candidates(), false, &BarListContent::Entry::taken);
        const auto row = static_cast<int>(other - panel->candidates().begin());
        const int id = other->id;
        const QPoint at = bars->figure()->cellRect(row, 0).center().toPoint();
        QTRY_VERIFY((QTest::mouseMove(bars, at), bars->place().row == row));
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, bars->mapToGlobal(at));
        QApplication::sendEvent(bars, &event);
        auto* menu = panel->findChild<QMenu*>(QStringLiteral("candidateMenu"));
        QVERIFY(menu != nullptr);
        QTest::mouseClick(menu, Qt::LeftButton, Qt::NoModifier, menu->actionGeometry(menu->actions().front()).center());
        const Selection& selection = fixture.window->selection();
        QCOMPARE(selection.about().against, std::optional(id));
        QVERIFY(explainsOutput(selection.head().reading()));
        const std::string method = selection.head().reading().computed->method;
        QTRY_VERIFY_WITH_TIMEOUT(isComputed(fixture, method, {.of = 0, .all = false, .against = id}), patience);
        fixture.click("explainAlone");
        QVERIFY(!selection.about().against);
    }

    void howAReadingIsComputedIsChosen()
    {
        WindowFixture fixture;
        openModel(fixture, QStringLiteral("transformer"), QStringLiteral("s4 s5 s6"));
        auto* hides = fixture.find<QCheckBox>("eraseHides");
        auto* steps = fixture.find<QSpinBox>("readingSteps");
        QVERIFY(!hides->isVisible() && !steps->isVisible());
        const auto kept = [&](const char* array) -> const ReadArray* {
            const auto& readings = fixture.trace().readings();
            return readings ? readings->find(array, fixture.window->selection().about()) : nullptr;
        };
        fixture.choose("readingPicker", "erasure");
        QVERIFY(hides->isVisible() && !steps->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(kept("source_erasure") != nullptr, patience);
        QVERIFY(kept("source_erasure")->erase != "hide");
        QTest::mouseClick(hides, Qt::LeftButton, Qt::NoModifier, QPoint(8, hides->height() / 2));
        QTRY_VERIFY_WITH_TIMEOUT(kept("source_erasure")->erase == "hide", patience);
        fixture.choose("readingPicker", "integrated_gradients");
        QVERIFY(!hides->isVisible() && steps->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(kept("source_integrated_gradients") != nullptr, patience);
        steps->setFocus();
        steps->selectAll();
        QTest::keyClicks(steps, QStringLiteral("5"));
        QTest::keyClick(steps, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(kept("source_integrated_gradients")->steps == 5, patience);
        QVERIFY(kept("source_integrated_gradients")->baseline == "zero");
        QVERIFY(fixture.find<QComboBox>("baselinePicker")->isVisible());
        fixture.choose("baselinePicker", "unk");
        QTRY_VERIFY_WITH_TIMEOUT(kept("source_integrated_gradients")->baseline == "1", patience); // its id
        QVERIFY(kept("source_integrated_gradients")->steps == 5);
    }

    // Rows come and go with the reading, and each that is there can be seen.
    void everyChoiceKeepsItsRoom()
    {
        WindowFixture fixture;
        openModel(fixture, translator, QStringLiteral("I am not deaf."));
        const auto* picker = fixture.find<QComboBox>("readingPicker");
        const auto* explained = fixture.find<QLabel>("explainedToken");
        const int height = picker->height();
        for (const char* const reading : {"gradients", "lrp", "gradients", "attention_gradients"}) {
            fixture.choose("readingPicker", reading);
            QTRY_VERIFY(explained->isVisible());
            QApplication::processEvents();
            QCOMPARE(picker->height(), height);
            QVERIFY(explained->height() > height / 3 && !explained->toolTip().isEmpty());
            QVERIFY(explained->mapTo(fixture.window.get(), QPoint()).y()
                    >= picker->mapTo(fixture.window.get(), QPoint(0, height)).y());
        }
    }

    // Of each kind of model: what is grey, and the beginning of its reason, and the views about layers that there are.
    void whatAModelHasNotIsGreyAndSaysWhy_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("grey");
        QTest::addColumn<QStringList>("views");
        const auto add = [](const char* name, const QString& model, const char* text,
                            std::initializer_list<std::pair<const char*, const char*>> grey,
                            std::initializer_list<const char*> views = {}) {
            QStringList lines;
            for (const auto& [readings, reason] : grey) {
                for (const QString& reading : QString::fromLatin1(readings).split(QLatin1Char(' ')))
                    lines << reading + QStringLiteral(": ") + QString::fromLatin1(reason);
            }
            QStringList shown;
            for (const char* const view : views)
                shown << QString::fromLatin1(view);
            QTest::newRow(name) << model << QString::fromLatin1(text) << lines << shown;
        };
        const auto trained = [](const char* name) -> QString { return trainedModels + QLatin1String(name); };
        constexpr auto transformers = "it is defined for Transformers only";
        constexpr auto encoder = "it needs the self-attention of the encoder";
        constexpr auto below = "it needs the maps of all layers below";
        constexpr auto hard = "hard attention chooses one place";
        constexpr auto rows = "the rows of this attention are no tokens";
        constexpr auto norms = "it is defined for Transformers and recurrent decoders only";
        constexpr auto zeroing = "value_zeroing value_zeroing_rollout";
        constexpr auto ofWeights = "gradients attention_gradients";
        constexpr auto ofInputs = "input_gradients times_gradients integrated_gradients";
        for (const char* const name : {"rnnsearch-en-fr", "luong-local-p-en-fr"})
            add(name, trained(name), "I am here.",
                {{"rollout", encoder}, {zeroing, transformers}, {"lrp", transformers}});
        add("hard attention", QStringLiteral("hard"), "s4 s5 s6",
            {{"rollout", encoder},
             {zeroing, transformers},
             {ofWeights, hard},
             {ofInputs, hard},
             {"lrp", transformers}});
        add("pooling", trained("question-pooling-en"), "Who are you?",
            {{"rollout", below}, {"norms", norms}, {zeroing, transformers}, {ofWeights, rows}, {"lrp", transformers}});
        for (const char* const name : {"question-structured-en", "question-hierarchical-en"})
            add(name, trained(name), "Who are you?",
                {{"rollout", below},
                 {"norms", norms},
                 {zeroing, transformers},
                 {ofWeights, rows},
                 {ofInputs, rows},
                 {"lrp erasure", rows}});
        add("masked words", trained("bert-small-en"), "The [MASK] is here.", {}, {"lens"});
        constexpr auto headless = "the model has no head that says what is probable";
        add("no head", QStringLiteral("headless"), "s5 s6 s7",
            {{ofWeights, headless}, {ofInputs, headless}, {"lrp erasure", headless}});
        add("decoder only", continuingModel, "The dog is", {}, {"lens", "direct"});
        add("encoder-decoder", translator, "I am here.", {}, {"lens"});
        add("captions", trained("captioner-scenes"), "umbrella-below-butterfly.png",
            {{"rollout", encoder}, {zeroing, transformers}, {"lrp", transformers}});
        constexpr auto never = "Not in this archive: the model computes it";
        add("archive", QStringLiteral(ATTN_TEST_DATA "/cases/marian-relu/expected.npz"), "",
            {{"norms", never}, {zeroing, never}, {ofWeights, never}, {ofInputs, never}, {"lrp erasure", never}});
    }
    void whatAModelHasNotIsGreyAndSaysWhy()
    {
        QFETCH(QString, model);
        QFETCH(const QString, text);
        QFETCH(const QStringList, grey);
        QFETCH(const QStringList, views);
        const QTemporaryDir folder;
        if (model == QStringLiteral("hard"))
            model = attn::test::hardModel(folder.path());
        if (model == QStringLiteral("headless"))
            model = headlessModel(folder.path());
        WindowFixture fixture;
        const bool isPicture = text.endsWith(QStringLiteral(".png"));
        fixture.show(model, isPicture ? QString() : text);
        waitForRun(fixture);
        if (isPicture)
            fixture.dropFile(model + QLatin1Char('/') + text);
        if (!model.endsWith(QStringLiteral(".npz")))
            QTRY_VERIFY_WITH_TIMEOUT(fixture.trace().readings() != nullptr, patience); // what it lacks is known
        const auto* picker = fixture.find<QComboBox>("readingPicker");
        const auto& items = *qobject_cast<const QStandardItemModel*>(picker->model());
        QStringList found;
        const auto isAsExpected = [&] {
            found.clear();
            for (int i = 0; i < items.rowCount(); ++i) {
                if (!items.item(i)->isEnabled())
                    found << picker->itemData(i).toString() + QStringLiteral(": ") + items.item(i)->toolTip();
            }
            return std::ranges::equal(found, grey, [](const QString& tip, const QString& line) {
                const QString reading = line.section(QStringLiteral(": "), 0, 0) + QStringLiteral(": ");
                return tip.startsWith(reading) && tip.contains(line.mid(reading.size()));
            });
        };
        QVERIFY2(QTest::qWaitFor(isAsExpected, patience), qPrintable(found.join(QStringLiteral(" | "))));
        QStringList shown;
        auto* bar = fixture.find<QTabWidget>("viewTabs")->tabBar();
        for (int i = 0; const ui::ViewRow& view : ui::viewRows()) {
            const QString id = QString::fromLatin1(view.id);
            if ((id == QStringLiteral("lens") || id == QStringLiteral("direct")) && bar->isTabVisible(i))
                shown << id;
            ++i;
        }
        QCOMPARE(shown, views);
    }

    void anArchiveShowsTheReadingsThatItHolds_data()
    {
        attn::test::addColumns<bool, int>("all", "shown"); // the position that is shown where step 1 is chosen
        QTest::newRow("one position") << false << 2;
        QTest::newRow("all positions") << true << 1;
    }
    void anArchiveShowsTheReadingsThatItHolds()
    {
        QFETCH(const bool, all);
        QFETCH(const int, shown);
        WindowFixture fixture;
        openModel(fixture, translator, QStringLiteral("I am not deaf."));
        FigureView& view = fixture.window->heatmap();
        clickCell(view, 2, 0);
        fixture.choose("readingPicker", "lrp");
        if (all)
            fixture.click("explainAll");
        const ReadingAbout about{.of = all ? std::nullopt : std::optional(2), .all = all, .against = {}};
        QTRY_VERIFY_WITH_TIMEOUT(isComputed(fixture, "lrp", about), patience);
        const auto numbers = [&] { return view.spec().kind->numbers(view.spec(), fixture.trace()).map; };
        QTRY_VERIFY(numbers().hasNumber(shown, 0));
        const float number = numbers().at(shown, 0);
        const QString file = fixture.path(QStringLiteral("held.npz"));
        writeArchive(file.toStdString(), fixture.trace());

        fixture.dropFile(file);
        QVERIFY(!fixture.study().model());
        const auto* picker = fixture.find<QComboBox>("readingPicker");
        const auto& items = *qobject_cast<const QStandardItemModel*>(picker->model());
        QTRY_VERIFY(items.item(picker->findData(QStringLiteral("lrp")))->isEnabled());
        QVERIFY(!items.item(picker->findData(QStringLiteral("erasure")))->isEnabled());
        fixture.choose("readingPicker", "lrp");
        if (all && fixture.find<QAbstractButton>("explainAll")->isChecked())
            fixture.click("explainAll");
        fixture.window->selection().setStep(1);
        QTRY_VERIFY(fixture.window->selection().about().of == shown);
        QTRY_COMPARE(numbers().at(shown, 0), number);
    }

    void aCellOfTheLensOpensItsLayer()
    {
        WindowFixture fixture;
        openModel(fixture, continuingModel, QStringLiteral("The dog is"));
        fixture.showTab("lens");
        auto* view = fixture.find<FigureView>("lensView");
        QTRY_VERIFY_WITH_TIMEOUT(view->figure() != nullptr && view->figure()->columns() > 1, patience);
        QVERIFY(view->figure()->rows() > 2);
        clickCell(*view, 2, 1);
        QTRY_COMPARE(fixture.find<QTabWidget>("viewTabs")->currentIndex(), 0);
        QVERIFY((fixture.window->selection().site() == Site{Stage::Decoder, 1}));
        QCOMPARE(fixture.window->selection().step(), std::optional(1));
    }

    // About the token that is chosen in the lens.
    void barsBesideTheLensFollowIt()
    {
        WindowFixture fixture;
        openModel(fixture, continuingModel, QStringLiteral("The dog is"));
        fixture.showTab("lens");
        auto* lens = fixture.find<FigureView>("lensView");
        auto* bars = fixture.find<FigureView>("lensBars");
        const auto& tabs = *fixture.window->findChild<ViewTabs*>();
        QTRY_VERIFY_WITH_TIMEOUT(lens->figure() != nullptr && lens->figure()->columns() > 1, patience);
        QVERIFY(lens->isVisible() && bars->isVisible() && &tabs.current() == lens);
        for (const int step : {0, 1, 0}) {
            clickCell(*lens, 0, step); // what enters the first layer, which has no maps
            QCOMPARE(fixture.window->selection().step(), std::optional(step));
            QTRY_VERIFY_WITH_TIMEOUT(
                bars->spec().about.of == step + 1 && !contributionsOf(bars->spec(), fixture.trace()).empty(), patience);
            QVERIFY(bars->isVisible());
        }
        QTRY_VERIFY(bars->figure() != nullptr && bars->figure()->rows() > 3);
        QVERIFY(&tabs.current() == lens); // what is exported
        const std::vector<Contribution> parts = contributionsOf(bars->spec(), fixture.trace());
        const auto head = std::ranges::find(parts, Contribution::Part::Head, &Contribution::part);
        clickCell(*bars, static_cast<int>(head - parts.begin()), 0);
        QTRY_COMPARE(fixture.find<QTabWidget>("viewTabs")->currentIndex(), 0);
        QVERIFY(fixture.window->selection().site() == head->site);
    }

    void aBarOfAHeadOpensIt()
    {
        WindowFixture fixture;
        openModel(fixture, continuingModel, QStringLiteral("The dog is"));
        fixture.window->selection().setStep(1);
        fixture.showTab("direct");
        auto* view = fixture.find<FigureView>("directView");
        for (const int step : {1, 0, 1}) { // what was looked at before is there again
            fixture.window->selection().setStep(step);
            QTRY_VERIFY_WITH_TIMEOUT(
                view->spec().about.of == step + 1 && !contributionsOf(view->spec(), fixture.trace()).empty(), patience);
        }
        QTRY_VERIFY_WITH_TIMEOUT(view->figure() != nullptr && view->figure()->rows() > 3, patience);
        const std::vector<Contribution> parts = contributionsOf(view->spec(), fixture.trace());
        const auto head = std::ranges::find(parts, Contribution::Part::Head, &Contribution::part);
        clickCell(*view, static_cast<int>(head - parts.begin()), 0);
        QTRY_COMPARE(fixture.find<QTabWidget>("viewTabs")->currentIndex(), 0);
        QVERIFY(fixture.window->selection().site() == head->site);
        QCOMPARE(fixture.window->selection().head(), HeadReading(head->head));
    }
};

ATTN_GUI_TEST(TestWindowReadings)

#include "tst_window_readings.moc"
