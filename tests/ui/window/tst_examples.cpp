// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "state/run_words.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"

#include <QComboBox>
#include <QMenu>
#include <QToolButton>

#include <cmath>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

namespace {

class ExamplesFixture : public WindowFixture
{
public:
    explicit ExamplesFixture(const QString& model)
    {
        qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models");
        show(model, QStringLiteral("Hello."));
        settle();
    }

    QMenu& menu() const { return *find<QMenu>("examplesMenu"); }

    void chooseExample(int number) const
    {
        menu().actions().at(number)->trigger();
        settle();
    }
};

} // namespace

// The menu of the sentences that come with a model.
class TestExamples : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyExampleShowsWhatItSays_data()
    {
        QTest::addColumn<QString>("name");
        for (const BundledModel& model : bundledModels())
            QTest::newRow(model.name.c_str()) << QString::fromStdString(model.name);
    }
    void everyExampleShowsWhatItSays()
    {
        QFETCH(const QString, name);
        ExamplesFixture fixture(name);
        const auto examples =
            readModelCard(std::filesystem::path(ATTN_SOURCE_DIR "/resources/models") / name.toStdString()).examples;
        QCOMPARE(fixture.menu().actions().size(), indexSize(examples));
        QVERIFY(examples.size() >= 3);
        for (int i = 0; i < indexSize(examples); ++i) {
            const ModelExample& example = examples[static_cast<std::size_t>(i)];
            QVERIFY2(example.attention || !example.output.empty(), example.text.c_str());
            fixture.chooseExample(i);
            const Trace& trace = fixture.trace();
            QTRY_COMPARE(trace.provenance().text, example.text);
            QCOMPARE(trace.media() != nullptr, !example.file.empty());
            if (!example.output.empty())
                QCOMPARE(runOutput(trace), QString::fromStdString(example.output));
            if (!example.attention)
                continue;
            const auto& [site, query, key, weight] = *example.attention;
            const Selection& selection = fixture.window->selection();
            QTRY_VERIFY2(selection.site() == site.site && selection.head() == site.head, example.text.c_str());
            QTRY_COMPARE(fixture.find<ViewTabs>("viewTabs")->currentId(), QStringLiteral("arcs"));
            FigureSpec spec = fixture.find<ViewTabs>("viewTabs")->current().spec();
            spec.words = true;
            const Map shown = mapOf(trace, spec.mapSpec());
            const auto row = axisLabels(shown.rows).indexOf(QString::fromStdString(query));
            const auto column = axisLabels(shown.columns).indexOf(QString::fromStdString(key));
            QVERIFY2(row >= 0 && column >= 0, example.text.c_str());
            const float found = shown.at(static_cast<int>(row), static_cast<int>(column));
            QVERIFY2(std::abs(found - weight) < 0.0051F,
                     qPrintable(QString::fromStdString(example.text) + QLatin1Char(' ') + decimal(found, 4)));
            QTRY_COMPARE(fixture.find<ViewTabs>("viewTabs")->current().spec().picked,
                         std::vector<int>{shown.rows.groups[static_cast<std::size_t>(row)].first});
            if (site.site.stage == Stage::Cross)
                QCOMPARE(selection.step(), shown.rows.groups[static_cast<std::size_t>(row)].first);
            QVERIFY(fixture.menu().actions().at(i)->text().contains(decimal(weight, 2)));
        }
    }

    // Nothing that was chosen for another sentence changes what an example shows.
    void anExampleIsAskedAsItsCardSays()
    {
        ExamplesFixture fixture(QStringLiteral("transformer-en-fr"));
        fixture.choose("decode", "beam");
        fixture.window->edits().add({"source:0=hide"});
        fixture.settle();
        fixture.chooseExample(0);
        QTRY_COMPARE(fixture.window->study().asked()->decoding.search, Search::Greedy);
        QVERIFY(fixture.window->study().asked()->edits.empty());
    }

    // It must not jump there when something else is run meanwhile.
    void anExampleThatIsNotAnsweredShowsNothing()
    {
        ExamplesFixture fixture(QStringLiteral("transformer-en-fr"));
        const QString view = fixture.find<ViewTabs>("viewTabs")->currentId();
        fixture.menu().actions().front()->trigger();
        fixture.run(QStringLiteral("She sings well."));
        QTRY_COMPARE(fixture.trace().provenance().text, std::string("She sings well."));
        QTest::qWait(50);
        QCOMPARE(fixture.find<ViewTabs>("viewTabs")->currentId(), view);
    }

    void anotherModelHasOthers()
    {
        ExamplesFixture fixture(QStringLiteral("bert-small-en"));
        auto* button = fixture.find<QToolButton>("examplesButton");
        QCOMPARE(button->menu(), &fixture.menu());
        QVERIFY(button->isEnabled());
        const QString first = fixture.menu().actions().front()->text();
        QVERIFY(first.contains(QStringLiteral("[MASK]")));
        fixture.window->open(QStringLiteral("gpt-small-en"));
        QTRY_COMPARE(fixture.window->study().opened(), QStringLiteral("gpt-small-en"));
        fixture.settle();
        QVERIFY(!fixture.menu().actions().isEmpty() && fixture.menu().actions().front()->text() != first);
    }

    void aModelOfFilesOpensWithItsFirst_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* name : {"captioner-scenes", "vit-gpt2-scenes", "whisper-digits"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void aModelOfFilesOpensWithItsFirst()
    {
        QFETCH(const QString, model);
        ExamplesFixture fixture(model);
        fixture.settle();
        QTRY_VERIFY(fixture.trace().media() != nullptr);
        const std::string first =
            readModelCard(QString(QStringLiteral(ATTN_SOURCE_DIR "/resources/models/") + model).toStdString())
                .examples.at(0)
                .output;
        QTRY_COMPARE(runOutput(fixture.trace()), QString::fromStdString(first));
        fixture.window->open(QStringLiteral("gpt-small-en")); // which reads what was typed
        QTRY_COMPARE(fixture.window->study().opened(), QStringLiteral("gpt-small-en"));
        fixture.settle();
        QTRY_COMPARE(fixture.trace().provenance().text, std::string("Hello."));
    }

    // A text of one's own is first seen by the head of the first example; one that was chosen stays.
    void anOwnTextOpensOnAHeadWorthSeeing()
    {
        for (const char* name : {"gpt-small-en", "bert-small-en"}) {
            ExamplesFixture fixture(QString::fromLatin1(name));
            const auto first =
                readModelCard(std::filesystem::path(ATTN_SOURCE_DIR "/resources/models") / name).examples.at(0);
            const Selection& selection = fixture.window->selection();
            QTRY_VERIFY(selection.site() == first.attention->site.site);
            QVERIFY(selection.head() == first.attention->site.head);
            fixture.window->selection().setSiteAndHead({selection.site().stage, 0}, meanOfHeads);
            auto* sentence = fixture.find<QLineEdit>("sentence");
            sentence->setText(QStringLiteral("She sings well."));
            QTest::keyClick(sentence, Qt::Key_Return);
            fixture.settle();
            QTRY_COMPARE(fixture.trace().provenance().text, std::string("She sings well."));
            QVERIFY(selection.head() == HeadReading(meanOfHeads) && selection.site().layer == 0);
        }
    }

    // Whether or not the program comes with it.
    void aFolderOpensWithTheFirstExampleOfItsCard()
    {
        WindowFixture fixture; // with other bundled models
        const QString folder = test::trainedModels + QStringLiteral("gpt-small-en");
        fixture.show(folder, QString());
        fixture.settle();
        const auto first = readModelCard(folder.toStdString()).examples.at(0);
        QTRY_COMPARE(fixture.trace().provenance().text, first.text);
        QVERIFY(first.attention);
        QTRY_VERIFY(fixture.window->selection().head().head().has_value()); // no mean
        QCOMPARE(fixture.window->selection().site().layer, first.attention->site.site.layer);
        QVERIFY(!fixture.find<QMenu>("examplesMenu")->actions().isEmpty());
        const auto* models = fixture.find<QComboBox>("modelPicker"); // which calls it what its card does
        const QString title = models->currentText();
        QVERIFY2(title.contains(QStringLiteral("GPT")), qPrintable(title));
        QVERIFY2(fixture.window->windowTitle().startsWith(title), qPrintable(fixture.window->windowTitle()));
        QCOMPARE(models->toolTip(), folder);
        fixture.run(QStringLiteral("The dog is here."));
        fixture.window->open(test::trainedModels + QStringLiteral("bert-small-en"));
        fixture.settle();
        QTRY_COMPARE(fixture.trace().provenance().text, std::string("The dog is here.")); // what was typed
    }

    void aModelWithoutExamplesHasNone()
    {
        WindowFixture fixture("recurrent");
        QVERIFY(!fixture.find<QToolButton>("examplesButton")->isEnabled());
        QVERIFY(!fixture.find<QMenu>("examplesMenu")->isEnabled());
    }
};

ATTN_GUI_TEST(TestExamples)
#include "tst_examples.moc"
