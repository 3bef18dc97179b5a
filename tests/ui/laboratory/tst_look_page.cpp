// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/look_experiment.h"
#include "figures/kinds/picture_figure.h"
#include "figures/parts/panel_figure.h"
#include "nn/engine.h"
#include "pictures/picture_file.h"
#include "state/run_words.h"
#include "support/test_program.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

const QString captioner = QStringLiteral(ATTN_SOURCE_DIR "/tests/data/pictures/captioner-soft");
constexpr int patience = 60000;

// Models loaded once, and pictures decoded.
struct LookBench
{
    Workbench bench()
    {
        return {engine,
                [this](const std::string& path) {
                    auto& model = models[path];
                    if (!model)
                        model = std::make_shared<const LoadedModel>(loadModel(path, engine));
                    return model;
                },
                {},
                {},
                readPictureFile};
    }

    Engine engine{2};
    std::map<std::string, std::shared_ptr<const LoadedModel>> models;
};

Question lookQuestion(const QString& folder)
{
    Question question;
    question.model = folder.toStdString();
    question.image = captioner.toStdString() + "/picture.png";
    question.decoding.maxLength = 8;
    return question;
}

// The captioner with another word in its configuration.
void copyCaptioner(const QString& folder, const QByteArray& from, const QByteArray& to)
{
    for (const char* name : {"model.safetensors", "preprocessor_config.json", "config.json"}) {
        QFile file(captioner + QLatin1Char('/') + QLatin1String(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QFile copy(folder + QLatin1Char('/') + QLatin1String(name));
        QVERIFY(copy.open(QIODevice::WriteOnly));
        copy.write(QLatin1String(name) == QLatin1String("config.json") ? file.readAll().replace(from, to)
                                                                       : file.readAll());
    }
}

class LookFixture : public LaboratoryFixture
{
public:
    LookFixture()
    {
        open(QStringLiteral("transformer"));
        qputenv("ATTNSCOPE_MODELS", ATTN_SOURCE_DIR "/resources/models");
        openPage(*pageOf("look"));
        waitForResult();
    }

    void waitForResult() const
    {
        QTRY_VERIFY_WITH_TIMEOUT(!busy() && !said().isEmpty(), patience);
        canvas().grab();
    }

    QString said() const { return on<QLabel>("result")->text(); }
    FigureCanvas& canvas() const { return *on<FigureCanvas>("lookFigure"); }
};

} // namespace

// A captioner by soft and hard attention, without its gate, and with patches made grey.
class TestLookPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void editsDoWhatSuchModelsDo_data()
    {
        QTest::addColumn<bool>("hard");
        QTest::newRow("hard") << true;
        QTest::newRow("without its gate") << false;
    }

    // Beside a model of the same weights that has its configuration say so.
    void editsDoWhatSuchModelsDo()
    {
        QFETCH(bool, hard);
        LookBench work;
        const QTemporaryDir folder;
        copyCaptioner(folder.path(), hard ? "\"soft\"" : "\"gate\": true", hard ? "\"hard\"" : "\"gate\": false");
        const Trace expected = work.bench().ask(lookQuestion(folder.path()));
        LookExperiment experiment({lookQuestion(captioner), hard});
        carryOut(experiment, work.bench());
        const Trace& found = hard ? experiment.hard() : experiment.soft();
        QCOMPARE(found.target().ids, expected.target().ids);
        const Numbers weights = found.matrix({Stage::Cross, 0}, 0);
        for (int step = 0; step < found.steps(); ++step) {
            const auto at = static_cast<std::size_t>(step);
            QVERIFY(std::abs(found.path()[at]->step.logProbability - expected.path()[at]->step.logProbability) < 1e-4F);
            if (hard)
                QCOMPARE(std::ranges::count(weights.row(step), 1.0F), std::ptrdiff_t{1});
        }
        const Trace plain = work.bench().ask(lookQuestion(captioner));
        if (hard)
            QCOMPARE(experiment.soft().target().ids, plain.target().ids);
    }

    void patchesBecomeGreyByFallingWeight()
    {
        LookBench work;
        GreyExperiment experiment({lookQuestion(captioner), 0});
        carryOut(experiment, work.bench());
        const std::vector<Trace>& runs = experiment.runs();
        QVERIFY(runs.size() > 1);
        const Numbers weights = runs.front().matrix({Stage::Cross, 0}, 0);
        const std::vector<std::string>& edits = runs.back().provenance().edits;
        QCOMPARE(edits.size(), runs.size() - 1);
        float last = 1;
        for (const std::string& edit : edits) {
            const int patch = std::stoi(edit.substr(std::string("source:").size()));
            QCOMPARE(edit, "source:" + std::to_string(patch) + "=grey");
            QVERIFY(weights.at(0, patch) <= last);
            last = weights.at(0, patch);
        }
        QCOMPARE(experiment.isOther() || edits.size() == runs.front().source().size(), true);
        for (std::size_t i = 0; i + 1 < runs.size(); ++i)
            QCOMPARE(runs[i].target().ids, runs.front().target().ids); // only the last one is another
    }

    void coverageAddsUpToTheWords()
    {
        LookBench work;
        const Trace run = work.bench().ask(lookQuestion(captioner));
        const std::vector<double> sums = coverage(run);
        double sum = 0;
        for (const double one : sums)
            sum += one;
        QVERIFY(std::abs(sum - run.steps()) < 1e-4);
        QCOMPARE(coverageLoss({0.5, 1, 1.5, 1}), 0.125);
    }

    void anotherModelIsRefused()
    {
        LookBench work;
        Question question;
        question.model = ATTN_SOURCE_DIR "/tests/data/pictures/vit-classes";
        question.image = ATTN_SOURCE_DIR "/tests/data/pictures/vit-classes/picture.png";
        LookExperiment experiment({question, true});
        QVERIFY_THROWS_EXCEPTION(Error, experiment.advance(work.bench()));
    }

    void itOpensWithACaption()
    {
        const LookFixture fixture;
        const auto* figure = dynamic_cast<const PanelFigure*>(fixture.canvas().figure());
        QVERIFY(figure != nullptr);
        QCOMPARE(figure->panelCount(), 2);
        for (int i = 0; i < 2; ++i) {
            const auto* sheet = dynamic_cast<const PictureFigure*>(&figure->panel(i));
            QVERIFY(sheet != nullptr && sheet->isSheet());
        }
        QVERIFY(fixture.said().contains(QStringLiteral("Soft attention writes"))
                || fixture.said().contains(QStringLiteral("write the same")));
        QVERIFY(fixture.said().contains(QStringLiteral("The gate lets through")));
    }

    void theGateIsUnticked()
    {
        const LookFixture fixture;
        QTest::mouseClick(fixture.on<QCheckBox>("lookGate"), Qt::LeftButton, {}, QPoint(8, 8));
        QVERIFY(!fixture.on<QCheckBox>("lookGate")->isChecked());
        fixture.waitForResult();
        QTRY_VERIFY_WITH_TIMEOUT(fixture.said().contains(QStringLiteral("All of the context is read")), patience);
    }

    void allWordsTogetherAreOnePicture()
    {
        const LookFixture fixture;
        fixture.pick("lookShow", "coverage");
        fixture.waitForResult();
        const auto* picture = dynamic_cast<const PictureFigure*>(fixture.canvas().figure());
        QVERIFY(picture != nullptr && !picture->isSheet());
        QVERIFY(fixture.said().contains(QStringLiteral("looks at each patch between")));
    }

    void patchesAreMadeGreyUntilTheCaptionIsAnother()
    {
        LookFixture fixture;
        fixture.pick("lookShow", "grey");
        QTRY_VERIFY_WITH_TIMEOUT(fixture.said().contains(QStringLiteral("first changes")), patience);
        auto* grey = fixture.on<QSpinBox>("lookGrey");
        QVERIFY(grey->maximum() > 0);
        QCOMPARE(grey->value(), grey->maximum());
        const auto caption = [&] {
            fixture.canvas().grab();
            return fixture.canvas().figure()->rowLabels().join(QLatin1Char(' '));
        };
        const QString after = caption();
        grey->setFocus();
        QTest::keyClick(grey, Qt::Key_Down);
        QVERIFY(caption() != after);
        const QByteArray csv = fixture.exported(QStringLiteral("grey.csv"));
        QCOMPARE(csv.count('\n'), grey->maximum() + 2);
    }

    void withoutACaptionerItSaysSo()
    {
        LaboratoryFixture fixture;
        fixture.open(QStringLiteral("transformer"));
        fixture.openPage(*pageOf("look"));
        QTRY_VERIFY(!fixture.busy());
        fixture.on<FigureCanvas>("lookFigure")->grab();
        QVERIFY(fixture.on<FigureCanvas>("lookFigure")
                    ->figure()
                    ->description()
                    .contains(QStringLiteral("Open a captioner")));
    }

    void thePictureOnShowComesFirst()
    {
        LaboratoryFixture fixture;
        fixture.open();
        fixture.window->open(captioner);
        QTRY_VERIFY(!fixture.window->controller().busy());
        fixture.window->open(captioner + QStringLiteral("/picture.png"));
        QTRY_VERIFY(!fixture.trace().source().boxes.empty());
        QTRY_VERIFY(!fixture.window->controller().busy());
        fixture.openPage(*pageOf("look"));
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.on<QLabel>("result")->text().isEmpty(), patience);
        QCOMPARE(fixture.on<QComboBox>("lookPicture")->currentText(), QStringLiteral("picture.png"));
        QVERIFY(fixture.on<QLabel>("result")->text().contains(runOutput(fixture.trace())));
    }
};

ATTN_GUI_TEST(TestLookPage)
#include "tst_look_page.moc"
