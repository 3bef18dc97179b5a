// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <cmath>
#include <limits>
#include <semaphore>
#include <span>
// clang-format on
#include "figures/parts/panel_figure.h"
#include "laboratory/scaling/scaling_text.h"
#include "nn/engine.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "trace/archive.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSet>
#include <QSlider>
#include <QSpinBox>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

constexpr qsizetype randomHistograms = 6; // of three ways to score, scores and weights

// What the histograms are called in the exported table.
QString scoresName(const FigureTitle& title)
{
    return scoreContent(title, scoreNumbers({1, 2, {0, 1}}), {}, {}).name;
}

QString randomScores(Compatibility kind, int width)
{
    return scoresName(sampleTitle(kind, width));
}

QString randomWeights(int width)
{
    return weightContent(sampleTitle(Compatibility::Dot, width), scoreNumbers({1, 2, {0, 1}})).name;
}

HeadScores headThatScores(const SiteScoring& scoring, int head = 0)
{
    HeadScores scores;
    scores.head = head;
    scores.scoring = scoring;
    scores.own = scoreNumbers({1, 2, {0, 1}});
    return scores;
}

// A number of the exported table; NaN when it has none of that name.
double number(const QByteArray& csv, const QString& histogram, const QString& name)
{
    const QString start = QStringLiteral("\"%1\",\"%2\",,,").arg(histogram, name);
    for (const QString& line : QString::fromUtf8(csv).split(QStringLiteral("\r\n"))) {
        if (line.startsWith(start))
            return line.mid(start.size()).toDouble();
    }
    return std::numeric_limits<double>::quiet_NaN();
}

bool close(double a, double b)
{
    return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b));
}

class ScalingFixture : public LaboratoryFixture
{
public:
    using LaboratoryFixture::LaboratoryFixture;

    QByteArray csv() const
    {
        const auto figure = laboratory->page(*pageOf("scaling")).exportable();
        return figure ? figure->csv() : QByteArray();
    }

    // Of the exported table.
    QSet<QString> histograms() const
    {
        QSet<QString> names;
        for (const QString& line : QString::fromUtf8(csv()).split(QStringLiteral("\r\n")).mid(1)) {
            if (!line.isEmpty())
                names.insert(line.section(QLatin1Char('"'), 1, 1));
        }
        return names;
    }
    // Those of random vectors and no others, or others, too.
    bool showsRandom() const { return histograms().size() == randomHistograms; }
    bool showsHead() const { return histograms().size() > randomHistograms; }

    void openScaling()
    {
        openPage(*pageOf("scaling"));
        QTRY_VERIFY(showsRandom() || showsHead());
        QTRY_VERIFY(!busy());
    }
    void showAll() const
    {
        QTest::mouseClick(on<QCheckBox>("allHistograms"), Qt::LeftButton, Qt::NoModifier, {8, 8});
        canvas()->grab(); // lays the figure out
    }

    QString note() const { return on<QLabel>("headNote")->text(); }
    FigureCanvas* canvas() const { return on<FigureCanvas>("histograms"); }
};

// The scores of a sentence as the model reports them, run once more.
Numbers scoresOf(const std::string& model, Site site, int head)
{
    Engine engine;
    const LoadedModel loaded = loadModel(model, engine);
    Question question;
    question.text = "s4 s5 s6 s7";
    question.capture.scores = true;
    return answer(question, loaded, engine).scores(site, head);
}

} // namespace

class TestScalingPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHeadIsPutIntoWords()
    {
        HeadScores t5;
        t5.scoring = {ScoreForm::Product, 1, 64, true, false};
        t5.own = scoreNumbers({1, 2, {0, 1}});
        QVERIFY(headSentence(t5).contains(QStringLiteral("T5")));
        QVERIFY(headSentence(t5).contains(QStringLiteral("√64")));
        t5.scoring = {ScoreForm::Product, 0.0625, 64, false, false};
        t5.other = t5.own;
        QVERIFY(headSentence(t5).contains(QStringLiteral("0.0625")));
        HeadScores pooling;
        pooling.scoring = {ScoreForm::Additive, 1, 0, false, true};
        pooling.own = t5.own;
        QVERIFY(!headSentence(pooling).isEmpty() && headSentence(pooling) != headSentence(t5));
        QVERIFY(test::numbersIn(headSentence(pooling)).isEmpty()); // there is nothing to divide by
        QCOMPARE(headTitle(pooling, false).title, QStringLiteral("v · tanh(Uk)"));
        QVERIFY(headTitle(t5, true).title == QStringLiteral("q · k"));
    }

    void randomScoresSpreadAsTheirWidthSays()
    {
        ScalingFixture fixture("recurrent");
        fixture.openScaling();
        const auto check = [&](int width) {
            const ScoreNumbers expected = scoreNumbers(sampleScores(Compatibility::Dot, {width, 32, 200, 1}));
            const QByteArray csv = fixture.csv();
            const QString dot = randomScores(Compatibility::Dot, width);
            const QString scaled = randomScores(Compatibility::ScaledDot, width);
            QVERIFY(close(number(csv, dot, QStringLiteral("standard deviation")), expected.moments.deviation));
            QVERIFY(close(number(csv, dot, QStringLiteral("in theory")), std::sqrt(width)));
            QVERIFY(std::abs(number(csv, scaled, QStringLiteral("standard deviation")) - 1) < 0.15);
            QVERIFY(close(number(csv, randomWeights(width), QStringLiteral("mean")), expected.meanLargest));
            QVERIFY(fixture.on<QLabel>("result")->text().contains(QString::number(expected.moments.deviation, 'f', 2)));
        };
        check(64);
        auto* slider = fixture.on<QSlider>("widthSlider");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(fixture.on<QSpinBox>("width")->value(), 256);
        QTRY_VERIFY(fixture.histograms().contains(randomWeights(256)));
        check(256);
        auto* width = fixture.on<QSpinBox>("width");
        width->setFocus();
        width->selectAll();
        QTest::keyClicks(width, QStringLiteral("9"));
        QTRY_VERIFY(fixture.histograms().contains(randomWeights(9)));
        QCOMPARE(slider->value(), 3);
        check(9);
    }

    void keysSeedAndAxisChangeWhatIsSeen()
    {
        ScalingFixture fixture("recurrent");
        fixture.openScaling();
        fixture.showAll();
        const QByteArray before = fixture.csv();
        auto* seed = fixture.on<QSpinBox>("seed");
        seed->setFocus();
        QTest::keyClick(seed, Qt::Key_Up);
        QTRY_VERIFY(fixture.csv() != before);
        auto* keys = fixture.on<QSpinBox>("keys");
        keys->setFocus();
        keys->selectAll();
        QTest::keyClicks(keys, QStringLiteral("8"));
        QTRY_COMPARE(number(fixture.csv(), randomWeights(64), QStringLiteral("if uniform")), 0.125);
        // Scores that are divided by 8 are seen on an eighth of a common axis, in as many bins.
        const auto barWidths = [&] {
            FigureCanvas* canvas = fixture.canvas();
            canvas->grab();
            const auto& panels = dynamic_cast<const PanelFigure&>(*canvas->figure());
            return std::pair(panels.panel(0).cellRect(0, 0).width(), panels.panel(1).cellRect(0, 0).width());
        };
        const auto common = barWidths();
        QVERIFY(std::abs(common.first / common.second - 8) < 0.01);
        QTest::mouseClick(fixture.on<QCheckBox>("commonAxis"), Qt::LeftButton, Qt::NoModifier, {8, 8});
        const auto own = barWidths();
        QVERIFY(std::abs(own.first / own.second - 1) < 0.01);
    }

    void theModelsHeadIsSeenWithAndWithoutItsScaling()
    {
        ScalingFixture fixture("transformer");
        fixture.openPage(*pageOf("scaling"));
        fixture.window->selection().setSiteAndHead({Stage::Encoder, 0}, 0);
        const SiteScoring scoring{ScoreForm::Product, 1 / std::sqrt(12.0), 12, false, false};
        const auto own = [&](int head) { return scoresName(headTitle(headThatScores(scoring, head), false)); };
        QVERIFY(own(0) != own(1) && own(0).contains(QStringLiteral("√12")));
        QTRY_VERIFY(!fixture.busy() && fixture.histograms().contains(own(0)));
        for (const int head : {0, 1}) {
            auto* box = fixture.on<QComboBox>("head");
            box->setFocus();
            if (head == 1)
                QTest::keyClick(box, Qt::Key_Down);
            QTRY_VERIFY(!fixture.busy() && fixture.histograms().contains(own(head)));
            const ScoreNumbers expected = scoreNumbers(scoresOf("transformer", {Stage::Encoder, 0}, head));
            const QByteArray csv = fixture.csv();
            QVERIFY(close(number(csv, own(head), QStringLiteral("mean")), expected.moments.mean));
            const QString unscaled = scoresName(headTitle(headThatScores(scoring, head), true));
            QVERIFY(std::abs(number(csv, unscaled, QStringLiteral("standard deviation"))
                             - expected.moments.deviation * std::sqrt(12.0))
                    < 1e-4);
            QVERIFY(fixture.note().contains(QStringLiteral("√12")));
            QVERIFY(fixture.note().contains(QString::number(expected.meanLargest, 'f', 2)));
        }
        // The window's selection is followed.
        fixture.window->selection().setSiteAndHead({Stage::Cross, 0}, 0);
        QTRY_VERIFY(!fixture.busy() && fixture.histograms().contains(own(0)));
        const ScoreNumbers cross = scoreNumbers(scoresOf("transformer", {Stage::Cross, 0}, 0));
        QVERIFY(close(number(fixture.csv(), own(0), QStringLiteral("mean")), cross.moments.mean));
    }

    void anAdditiveModelHasNothingToScale()
    {
        ScalingFixture fixture("recurrent");
        fixture.openScaling();
        const HeadScores additive = headThatScores({ScoreForm::Additive, 1, 0, false, false});
        QTRY_COMPARE(fixture.note(), headSentence(additive));
        const QString own = scoresName(headTitle(additive, false));
        QVERIFY(own.contains(QStringLiteral("v · tanh(Wq + Uk)")));
        QVERIFY(fixture.histograms().contains(own));
        QCOMPARE(fixture.histograms().size(), randomHistograms + 2); // and none of a head scaled otherwise
        const ScoreNumbers expected = scoreNumbers(scoresOf("recurrent", {Stage::Cross, 0}, 0));
        QVERIFY(close(number(fixture.csv(), own, QStringLiteral("standard deviation")), expected.moments.deviation));
    }

    void anArchiveHasNoHeads()
    {
        ScalingFixture fixture("recurrent");
        const QString archive = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(archive.toStdString(), fixture.trace());
        fixture.openScaling();
        QTRY_VERIFY(fixture.showsHead());
        const QString ofHead = fixture.note();
        fixture.window->open(archive);
        QTRY_VERIFY(fixture.showsRandom());
        QVERIFY(!fixture.note().isEmpty() && fixture.note() != ofHead); // says why
        QVERIFY(!fixture.on<QComboBox>("site")->isEnabled());
    }

    void aLongReadingIsCancelled()
    {
        ScalingFixture fixture("recurrent");
        std::binary_semaphore gate(0);
        fixture.window->controller().thread().post([&gate](Engine&) { gate.acquire(); });
        fixture.openPage(*pageOf("scaling"));
        QTRY_VERIFY(fixture.busy());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!fixture.busy());
        gate.release();
        QTRY_VERIFY(!fixture.histograms().isEmpty()); // the other work goes on
        QVERIFY(fixture.showsRandom());
    }

    void binsSayWhatTheyCount()
    {
        ScalingFixture fixture("recurrent");
        fixture.openScaling();
        FigureCanvas* canvas = fixture.canvas();
        QTRY_VERIFY(fixture.showsHead());
        canvas->grab();
        QCOMPARE(dynamic_cast<const PanelFigure&>(*canvas->figure()).panelCount(), 1); // a large one
        QVERIFY(!fixture.on<QCheckBox>("commonAxis")->isEnabled());
        fixture.showAll();
        const auto* panels = dynamic_cast<const PanelFigure*>(canvas->figure());
        QVERIFY(panels != nullptr);
        QCOMPARE(panels->panelCount(), 8); // three random ones and a head, above their weights
        const QRectF bin = panels->panel(0).cellRect(0, 20);
        LaboratoryFixture::pointTo(canvas, panels->panelRect(0).topLeft() + bin.center());
        auto* hover = fixture.laboratory->findChild<QLabel*>(QStringLiteral("laboratoryHover"));
        QTRY_VERIFY(hover->text().contains(QStringLiteral("6400")));
        const QString pointed = hover->text();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Right);
        QTest::keyClick(canvas, Qt::Key_Right);
        QVERIFY(hover->text().contains(QStringLiteral("6400")) && hover->text() != pointed);
    }

    void aNarrowPageStacksTheModelsBelowTheOthers()
    {
        std::vector<HistogramContent> contents;
        const ScoreNumbers numbers = scoreNumbers(sampleScores(Compatibility::Dot, {4, 8, 10, 1}));
        for (int i = 0; i < 10; ++i)
            contents.push_back(weightContent(sampleTitle(Compatibility::Dot, 4), numbers));
        const auto narrow = histogramPanels(FigureSpec{}, contents, {600, 0});
        const auto* groups = dynamic_cast<const PanelFigure*>(narrow.get());
        QVERIFY(groups != nullptr);
        QCOMPARE(groups->panelCount(), 2);
        QVERIFY(groups->panelRect(1).top() >= groups->panelRect(0).bottom() - 0.1);
        QCOMPARE(groups->panelRect(1).width(), 400.0);
        const auto wide = histogramPanels(FigureSpec{}, contents, {1000, 0});
        QCOMPARE(dynamic_cast<const PanelFigure&>(*wide).panelCount(), 10);
    }

    void itIsExported()
    {
        ScalingFixture fixture("recurrent");
        fixture.openScaling();
        fixture.showAll();
        const QByteArray svg = fixture.exported(QStringLiteral("scaling.svg"));
        QVERIFY(svg.contains("tanh(Wq + Uk)"));
        const ScoreNumbers dot = scoreNumbers(sampleScores(Compatibility::Dot, {64, 32, 200, 1}));
        const auto numbers = scoreContent(sampleTitle(Compatibility::Dot, 64), dot, {}, {}).numbers;
        QVERIFY(!numbers.empty());
        for (const auto& each : numbers)
            QVERIFY2(svg.contains(each.name.toUtf8()), qPrintable(each.name));
        QCOMPARE(fixture.exported(QStringLiteral("scaling.csv")), fixture.csv());
    }
};

ATTN_GUI_TEST(TestScalingPage)
#include "tst_scaling_page.moc"
