// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>
// clang-format on

#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/parts/panel_figure.h"
#include "inference/answer.h"
#include "nn/engine.h"
#include "panels/text_line.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "trace/archive.h"
#include "ui/laboratory/order_fixture.h"
#include "views/formula_label.h"

#include <QChart>
#include <QChartView>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QListWidget>
#include <QMenu>
#include <QSet>
#include <QSignalSpy>
#include <QSpinBox>
#include <QValueAxis>
#include <QXYSeries>

using namespace attn;
using namespace attn::ui;
using namespace attn::test;

namespace {

QString casePath(const char* name)
{
    return QStringLiteral(ATTN_TEST_DATA "/cases/") + QLatin1String(name);
}

} // namespace

class TestOrderPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // As words of Chinese may stand in one.
    void aTextLongerThanALineIsShownWhole()
    {
        LaboratoryFixture fixture;
        fixture.show(QStringLiteral("transformer"), QString(40'000, QLatin1Char('0')) + QStringLiteral(" s5 s6"));
        QTRY_VERIFY(!fixture.window->controller().busy());
        LaboratoryPage& page = fixture.openPage(*pageOf("order"));
        QTRY_VERIFY(!page.busy() && page.exportable());
        QCOMPARE(fixture.on<QLineEdit>("orderSentence")->text().size(), qsizetype{40'006});
        QVERIFY(!page.grab().isNull());
    }

    void aTextThatCannotBeEditedIsTakenAway()
    {
        LaboratoryFixture fixture;
        fixture.show(QStringLiteral("transformer"),
                     QString(TextLine::longest, QLatin1Char('0')) + QStringLiteral(" s5 s6"));
        QTRY_VERIFY(!fixture.window->controller().busy());
        LaboratoryPage& page = fixture.openPage(*pageOf("order"));
        QTRY_VERIFY(!page.busy());
        auto* sentence = fixture.on<TextLine>("orderSentence");
        auto* words = fixture.on<QListWidget>("orderWords");
        QVERIFY(!sentence->isWhole());
        QCOMPARE(words->count(), 3);
        sentence->actions().constLast()->trigger();
        QVERIFY(sentence->isWhole() && sentence->text().isEmpty());
        QCOMPARE(words->count(), 0);
        fixture.click("orderShuffle");
        QTest::keyClicks(sentence, QStringLiteral("s4 s5"));
        QTest::keyClick(sentence, Qt::Key_Return);
        QTRY_VERIFY(!page.busy() && page.exportable());
        QCOMPARE(words->count(), 2);
    }

    void theSmallLayerKnowsNoOrderWithoutPositions()
    {
        OrderFixture fixture;
        QVERIFY(fixture.left(Without) < 1e-5 && fixture.left(With) > 0.01);
        const std::vector<Block> without = fixture.numbers();
        QCOMPARE(without.size(), std::size_t{3});
        QCOMPARE(without[0].rows, list("s4 s5 s6 s7 s8"));
        QVERIFY(largestDifference(without[0], without[1]) < 1e-5);
        const QSet<QString> wordsWithout = wordsOf(fixture.exported(QStringLiteral("without.svg")));
        fixture.pick("orderPositions", "with");
        const QSet<QString> wordsWith = wordsOf(fixture.exported(QStringLiteral("with.svg")));
        QVERIFY(!(wordsWith - wordsWithout).isEmpty() && !(wordsWithout - wordsWith).isEmpty()); // it is said
        const std::vector<Block> with = fixture.numbers();
        QVERIFY(largestDifference(with[0], with[1]) > 0.01);
        QVERIFY(largestDifference(with[0], without[0]) > 0.01);
    }

    void whatIsLeftIsTheDistanceOfTheOutputs()
    {
        OrderFixture fixture;
        fixture.pick("orderPicture", "outputs");
        fixture.pick("orderPositions", "with");
        const std::vector<Block> blocks = fixture.numbers();
        QCOMPARE(blocks[0].values.front().size(), std::size_t{32});
        const auto* positions = fixture.on<QComboBox>("orderPositions");
        QCOMPARE(blocks[2].columns, (QStringList{positions->itemText(Without), positions->itemText(With)}));
        double largest = 0;
        for (std::size_t word = 0; word < 5; ++word) {
            const double expected = gap(blocks[0].values[word], blocks[1].values[word]);
            QVERIFY(std::abs(blocks[2].values[word][1] - expected) < 1e-4);
            QVERIFY(blocks[2].values[word][0] < 1e-5);
            largest = std::max(largest, expected);
        }
        const QString percent = QStringLiteral("(%1 %)").arg(largest * 100, 0, 'f', largest < 0.095 ? 1 : 0);
        QVERIFY2(fixture.result().contains(percent), qPrintable(fixture.result() + percent));
    }

    void outputsThatAreNoNumbersAreNotCalledTheSame()
    {
        const QTemporaryDir folder;
        OrderFixture fixture(lostModel(folder.path()), QStringLiteral("s4 s5 s6 s7"));
        fixture.pick("orderEngine", "model");
        QTRY_VERIFY(!fixture.busy() && fixture.page->exportable());
        QCOMPARE(numbersIn(fixture.result()), (QStringList{QStringLiteral("5"), QStringLiteral("5")}));
        QVERIFY(fixture.exported(QStringLiteral("lost.svg")).contains("no number in 10 of 10 cells"));
        fixture.pick("orderEngine", "small");
        QTRY_VERIFY(!numbersIn(fixture.result()).contains(QStringLiteral("5")));
    }

    void wordsAreMovedByKeysAndShuffledByTheButton()
    {
        OrderFixture fixture;
        auto* words = fixture.on<QListWidget>("orderWords");
        const auto order = [words] {
            QStringList texts;
            for (int i = 0; i < words->count(); ++i)
                texts << words->item(i)->text();
            return texts;
        };
        const QStringList shuffled = order();
        QTest::mouseClick(fixture.on<QPushButton>("orderRestore"), Qt::LeftButton);
        QCOMPARE(order(), list("s4 s5 s6 s7 s8"));
        QVERIFY(shuffled != order());
        QCOMPARE(fixture.left(With), 0.0);
        QTest::mouseClick(words->viewport(), Qt::LeftButton, Qt::NoModifier,
                          words->visualItemRect(words->item(1)).center());
        QTest::keyClick(words, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(order(), list("s4 s6 s5 s7 s8"));
        QVERIFY(fixture.left(With) > 0.01);
        QTest::keyClick(words, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(fixture.left(With), 0.0);
        QTest::mouseClick(fixture.on<QPushButton>("orderShuffle"), Qt::LeftButton);
        const QStringList once = order();
        QTest::mouseClick(fixture.on<QPushButton>("orderShuffle"), Qt::LeftButton);
        QVERIFY(order() != once);
    }

    // What dropping a word elsewhere does.
    void aWordThatIsDroppedElsewhereCounts()
    {
        OrderFixture fixture;
        QTest::mouseClick(fixture.on<QPushButton>("orderRestore"), Qt::LeftButton);
        QVERIFY(fixture.on<QListWidget>("orderWords")->model()->moveRow({}, 0, {}, 5));
        QTRY_VERIFY(fixture.left(With) > 0.01);
    }

    void anArchiveHasNoModelToRun()
    {
        OrderFixture fixture;
        const QString archive = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(archive.toStdString(), fixture.trace());
        fixture.pick("orderEngine", "model");
        QVERIFY(fixture.finished());
        QVERIFY(fixture.page->exportable());
        fixture.window->open(archive);
        QTRY_VERIFY(!fixture.window->study().model());
        QTRY_VERIFY(!fixture.page->exportable());
        QVERIFY(fixture.on<QLabel>("result")->isVisible()); // says why
        fixture.showTab(Rotation);
        QVERIFY(fixture.page->exportable());
        fixture.pick("rotationTable", "model");
        QVERIFY(!fixture.page->exportable());
        fixture.showTab(Schemes);
        fixture.pick("schemeKind", "model");
        QVERIFY(!fixture.page->exportable());
        fixture.showTab(Shuffle);
        fixture.pick("orderEngine", "small");
        QVERIFY(fixture.page->exportable());
    }

    void aSentenceOfItsOwnIsTyped()
    {
        OrderFixture fixture;
        auto* sentence = fixture.on<QLineEdit>("orderSentence");
        sentence->selectAll();
        QTest::keyClicks(sentence, QStringLiteral("one"));
        QVERIFY(!fixture.page->exportable());
        QTest::keyClicks(sentence, QStringLiteral(" two three"));
        QCOMPARE(fixture.numbers()[0].rows, list("one two three"));
    }

    void theLoadedModelRunsOnBothOrders()
    {
        OrderFixture fixture;
        fixture.pick("orderEngine", "model");
        QVERIFY(fixture.finished());
        QVERIFY(fixture.left(Without) < 1e-3 && fixture.left(With) > 0.01);
        QCOMPARE(fixture.on<QComboBox>("orderLayer")->count(), 2);
        fixture.pick("orderPicture", "outputs");
        fixture.pick("orderLayer", 0);
        const std::vector<Block> blocks = fixture.numbers();
        QVERIFY(largestDifference(blocks[0], blocks[1]) < 1e-4);
        // The hidden states of a run of our own.
        Engine engine;
        const LoadedModel model = loadModel("transformer", engine);
        Question question;
        question.text = "s4 s5 s6 s7 s8";
        question.withoutPositions = true;
        question.capture.hidden = true;
        const Trace trace = answer(question, model, engine);
        const NumberVector<float> hidden = trace.hiddenStates(Stage::Encoder).at(1).values;
        QCOMPARE(blocks[0].values.size(), trace.source().size());
        std::size_t i = 0;
        for (const auto& row : blocks[0].values) {
            for (const double value : row)
                QVERIFY(std::abs(value - static_cast<double>(hidden.at(i++))) < 1e-5);
        }
        QCOMPARE(i, hidden.size());
    }

    void theCausalMaskKnowsTheOrder()
    {
        OrderFixture fixture(casePath("gpt2-plain"), QStringLiteral("5 9 2 7"));
        fixture.pick("orderEngine", "model");
        QVERIFY(fixture.finished());
        QVERIFY(fixture.left(Without) > 1e-3);
        QCOMPARE(fixture.numbers()[0].rows.size(), 4);
    }

    void keysThatAreMaskedAreBlank()
    {
        OrderFixture fixture(casePath("gpt2-plain"), QStringLiteral("5 9 2 7"));
        fixture.pick("orderEngine", "model");
        QVERIFY(fixture.finished());
        std::vector<int> places(4); // of the words in the other order
        auto* words = fixture.on<QListWidget>("orderWords");
        for (int i = 0; i < 4; ++i)
            places[static_cast<std::size_t>(words->item(i)->data(Qt::UserRole).toInt())] = i;
        QVERIFY(!std::ranges::is_sorted(places));
        fixture.window->setThemeMode(ThemeMode::Light);
        QCoreApplication::processEvents();
        auto* canvas = fixture.canvas("orderFigure");
        const QImage picture = canvas->grab().toImage();
        const auto& figure = dynamic_cast<const PanelFigure&>(*canvas->figure());
        const QColor blank = themeColors(Theme::Light).blank;
        for (int panel = 0; panel < 2; ++panel) {
            for (int query = 0; query < 4; ++query) {
                for (int key = 0; key < 4; ++key) {
                    const QRectF cell = figure.panel(panel).cellRect(query, key);
                    const QPoint corner =
                        (figure.panelRect(panel).topLeft() + cell.topLeft() + QPointF(3, 3)).toPoint();
                    const bool later = panel == 0
                        ? key > query
                        : places[static_cast<std::size_t>(key)] > places[static_cast<std::size_t>(query)];
                    QCOMPARE(picture.pixelColor(corner) == blank, later);
                }
            }
        }
    }

    void tokensAreNamedAsInTheHeatmap()
    {
        const QString model = QStringLiteral(ATTN_SOURCE_DIR "/resources/models/gpt-small-en");
        if (!QFileInfo::exists(model))
            QSKIP("the bundled models are not in this tree");
        OrderFixture fixture(model, QStringLiteral("The cat sleeps"));
        fixture.pick("orderEngine", "model");
        QVERIFY(fixture.finished());
        const QStringList rows = fixture.numbers().at(0).rows;
        QVERIFY2(rows.contains(QStringLiteral("The")), qPrintable(rows.join(QLatin1Char(' '))));
    }

    void relativePositionsAreLeftOutToo()
    {
        OrderFixture fixture(casePath("t5-relu"), QStringLiteral("5 9 3 7"));
        fixture.pick("orderEngine", "model");
        QVERIFY(fixture.finished());
        QVERIFY(fixture.left(Without) < 1e-3 && fixture.left(With) > 1e-3);
    }

    void aRecurrentModelHasNoPositions()
    {
        OrderFixture fixture(QStringLiteral("recurrent"));
        fixture.pick("orderEngine", "model");
        QVERIFY(!fixture.busy());
        QVERIFY(!fixture.page->exportable());
        fixture.showTab(Rotation);
        fixture.pick("rotationTable", "model");
        QVERIFY(!fixture.page->exportable());
        fixture.showTab(Schemes);
        fixture.pick("schemeKind", "model");
        QVERIFY(fixture.finished());
        QVERIFY(!fixture.page->exportable());
    }

    void workIsCancelled()
    {
        OrderFixture fixture;
        fixture.pick("orderEngine", "model");
        QVERIFY(fixture.busy());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!fixture.busy());
        fixture.settle();
        QVERIFY(!fixture.page->exportable());
        QTest::mouseClick(fixture.on<QPushButton>("orderShuffle"), Qt::LeftButton);
        QVERIFY(fixture.finished());
        QVERIFY(fixture.page->exportable());
    }

    void pointingAtACellTellsIt()
    {
        OrderFixture fixture;
        QSignalSpy spy(fixture.page, &LaboratoryPage::hovered);
        FigureCanvas* canvas = fixture.canvas("orderFigure");
        const QPointF cell = canvas->figure()->cellRect(1, 2).center();
        LaboratoryFixture::pointTo(canvas, cell);
        QVERIFY(!spy.isEmpty());
        QVERIFY(spy.last().first().toString().startsWith(QStringLiteral("s5 \u2190 s6")));
    }

    void theMatrixTurnsEveryPosition_data()
    {
        QTest::addColumn<bool>("halves");
        QTest::addRow("interleaved") << false;
        QTest::addRow("halves") << true;
    }

    void theMatrixTurnsEveryPosition()
    {
        QFETCH(bool, halves);
        OrderFixture fixture;
        fixture.showTab(Rotation);
        fixture.pick("rotationTable", halves ? "halves" : "interleaved");
        fixture.enter("rotationOffset", 7);
        fixture.enter("rotationWidth", 12);
        const std::vector<Block> blocks = fixture.numbers();
        QCOMPARE(blocks.size(), std::size_t{1});
        QCOMPARE(blocks[0].values.size(), std::size_t{12});
        const auto encoding = [halves](int position) {
            std::vector<double> row(12);
            for (int pair = 0; pair < 6; ++pair) {
                row[static_cast<std::size_t>(halves ? pair : 2 * pair)] = sine(position, pair, 12);
                row[static_cast<std::size_t>(halves ? 6 + pair : 2 * pair + 1)] = cosine(position, pair, 12);
            }
            return row;
        };
        for (const int position : {0, 3, 40}) {
            const std::vector<double> from = encoding(position);
            const std::vector<double> to = encoding(position + 7);
            for (std::size_t row = 0; row < 12; ++row) {
                double sum = 0;
                for (std::size_t column = 0; column < 12; ++column)
                    sum += blocks[0].values[row][column] * from[column];
                QVERIFY(std::abs(sum - to[row]) < 1e-5);
            }
        }
    }

    void theDialsTellTheirAngles()
    {
        OrderFixture fixture;
        fixture.showTab(Rotation);
        fixture.enter("rotationOffset", 2);
        FigureCanvas* dials = fixture.canvas("rotationDials");
        QSignalSpy spy(fixture.page, &LaboratoryPage::hovered);
        LaboratoryFixture::pointTo(dials, dials->figure()->cellRect(0, 0).center());
        QVERIFY(!spy.isEmpty());
        const QStringList angle = list("0 1 2 115"); // of pair 0, ω = 1, in radians and degrees
        QCOMPARE(attn::test::numbersIn(spy.last().first().toString()), angle);
        const QByteArray svg = fixture.exported(QStringLiteral("dials.svg"));
        QVERIFY(svg.contains("k = 2") && svg.contains("ω = 1")); // the matrix and the dials
    }

    void theModelsPositionsAreFitted()
    {
        OrderFixture fixture;
        fixture.showTab(Rotation);
        fixture.pick("rotationTable", "model");
        QVERIFY(fixture.finished());
        QVERIFY(!fixture.on<QSpinBox>("rotationWidth")->isEnabled());
        const NumberView rows = fixture.window->study().model()->positions.matrix();
        const auto map = fixture.numbers().at(0).values; // of the offset 3, which leaves nothing over
        QCOMPARE(static_cast<int>(map.size()), rows.columns);
        for (const int position : {0, 7, rows.rows - 4}) {
            for (int i = 0; i < rows.columns; ++i) {
                double sum = 0;
                for (int j = 0; j < rows.columns; ++j)
                    sum += map.at(i).at(j) * static_cast<double>(rows.row(position)[j]);
                QVERIFY(std::abs(sum - static_cast<double>(rows.row(position + 3)[i])) < 1e-3);
            }
        }
    }

    void formulasAreShownReadAndCopied()
    {
        OrderFixture fixture;
        fixture.showTab(Rotation);
        QCOMPARE(fixture.on<FormulaLabel>("resultFormula")->accessibleName(), QStringLiteral("PE(p + k) = M_k PE(p)"));
        fixture.showTab(Schemes);
        auto* label = fixture.on<FormulaLabel>("resultFormula");
        QSet<QString> readings;
        for (const char* id : {"interleaved", "rotary", "relative", "alibi"}) {
            fixture.pick("schemeKind", id);
            QVERIFY(label->isVisible());
            QTRY_VERIFY(label->height() >= label->layOut().size().height());
            readings.insert(label->accessibleName());
        }
        QCOMPARE(readings.size(), 4);
        QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(3, 3), label->mapToGlobal(QPoint(3, 3)));
        QApplication::sendEvent(label, &event);
        auto* menu = label->findChild<QMenu*>(QStringLiteral("formulaMenu"));
        QVERIFY(menu != nullptr && menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QCOMPARE(QGuiApplication::clipboard()->text(), label->accessibleName());
        // It grows with the window's letters.
        const QSize before = label->sizeHint();
        QFont large = label->font();
        large.setPointSizeF(large.pointSizeF() * 2);
        label->setFont(large);
        QVERIFY(label->sizeHint().width() > 1.5 * before.width());
        fixture.pick("schemeKind", "model"); // of which nothing is known yet
        QVERIFY(fixture.finished());
    }

    void schemesAreTheirFormulas_data()
    {
        QTest::addColumn<int>("scheme");
        for (int scheme = 0; const char* id : {"interleaved", "halves", "rotary", "relative", "alibi"})
            QTest::addRow("%s", id) << scheme++;
    }

    void schemesAreTheirFormulas()
    {
        QFETCH(int, scheme);
        OrderFixture fixture;
        fixture.showTab(Schemes);
        fixture.pick("schemeKind", QTest::currentDataTag());
        fixture.enter("schemePositions", 20);
        if (scheme < 3)
            fixture.enter("schemeWidth", 16);
        if (scheme == 4) {
            fixture.enter("schemeHeads", 4);
            fixture.enter("schemeHead", 2);
        }
        const auto expected = [scheme](int distance) {
            if (scheme == 3) // exact up to 15 before the query; 16 .. 19 are 16 + log(d / 16) / log(8) * 16
                return std::abs(distance) < 16
                    ? std::abs(distance) * 1.0
                    : 16 + std::floor(std::log(std::abs(distance) / 16.0) / std::log(8.0) * 16);
            if (scheme == 4) // 2^(-8 * 3 / 4)
                return -std::abs(distance) / 64.0;
            double sum = 0;
            for (int pair = 0; pair < 8; ++pair)
                sum += cosine(distance, pair, 16);
            return scheme == 2 ? sum / 8 : sum;
        };
        const std::vector<Block> blocks = fixture.numbers();
        QCOMPARE(blocks.at(0).values.size(), std::size_t{20});
        const bool causal = scheme >= 3;
        for (int query = 0; query < 20; ++query) {
            for (int key = 0; key < (causal ? query + 1 : 20); ++key) {
                const double value = blocks[0].values[static_cast<std::size_t>(query)][static_cast<std::size_t>(key)];
                QVERIFY2(std::abs(value - expected(key - query)) < 1e-4,
                         qPrintable(QStringLiteral("%1 %2: %3").arg(query).arg(key).arg(value)));
            }
        }
        const QChart& chart = *fixture.on<QChartView>("schemeChart")->chart();
        const auto* line = qobject_cast<QXYSeries*>(chart.series().front());
        const auto* across = qobject_cast<QValueAxis*>(chart.axes(Qt::Horizontal).front());
        QCOMPARE(across->min(), line->points().front().x());
        QCOMPARE(across->max(), line->points().back().x());
        const bool waves = scheme <= 2;
        QCOMPARE(line->type() == QAbstractSeries::SeriesTypeSpline, waves);
        const QString title = chart.title();
        QVERIFY(!title.isEmpty() && fixture.exported(QStringLiteral("scheme.svg")).contains(title.toUtf8()));
        if (scheme == 4)
            QVERIFY(fixture.canvas("schemeMatrix")->figure()->description().contains(significant(expected(-19), 3)));
    }

    void theModelsTableIsMultiplied()
    {
        OrderFixture fixture;
        fixture.showTab(Schemes);
        fixture.pick("schemeKind", "model");
        QVERIFY(fixture.finished());
        const auto width = static_cast<int>(fixture.window->study().model()->positions.dim(1));
        const Block block = fixture.numbers().at(0);
        double expected = 0;
        for (int pair = 0; pair < width / 2; ++pair)
            expected += cosine(4, pair, width);
        QVERIFY(std::abs(block.values[3][7] - expected) < 1e-4);
        QTest::mouseClick(fixture.on<QCheckBox>("schemeCosine"), Qt::LeftButton, Qt::NoModifier, {8, 8});
        QVERIFY(std::abs(fixture.numbers().at(0).values[3][7] - expected / (width / 2)) < 1e-4);
    }

    void theBiasOfAT5IsShownByHead()
    {
        OrderFixture fixture(casePath("t5-relu"), QStringLiteral("5 9 3 7"));
        fixture.showTab(Schemes);
        fixture.pick("schemeKind", "model");
        fixture.enter("schemeHead", 1);
        QVERIFY(fixture.finished());
        Engine engine;
        const LoadedModel model = loadModel(casePath("t5-relu").toStdString(), engine);
        const Tensor bias = model.model->positionScores(Stage::Encoder, 1, 64);
        const Block block = fixture.numbers().at(0);
        QCOMPARE(block.values.size(), std::size_t{64});
        for (std::size_t key = 0; key < 64; ++key)
            QVERIFY(std::abs(block.values[20][key] - static_cast<double>(bias.matrix().row(20)[key])) < 1e-6);
        fixture.pick("schemeStage", "decoder");
        QVERIFY(fixture.finished());
        const Tensor causal = model.model->positionScores(Stage::Decoder, 1, 64);
        QVERIFY(std::abs(fixture.numbers().at(0).values[20][4] - static_cast<double>(causal.matrix().row(20)[4]))
                < 1e-6);
    }

    void rotaryPositionsOfAModelAreItsMeanCosine()
    {
        OrderFixture fixture(casePath("llama-gqa"), QStringLiteral("5 9 3 7"));
        fixture.showTab(Schemes);
        fixture.pick("schemeKind", "model");
        QVERIFY(fixture.finished());
        QVERIFY(!fixture.on<QSpinBox>("schemeHead")->isVisible()); // all heads turn alike
        const int width = fixture.window->study().model()->info.headWidth;
        double expected = 0;
        for (int pair = 0; pair < width / 2; ++pair)
            expected += cosine(6, pair, width);
        QVERIFY(std::abs(fixture.numbers().at(0).values[16][10] - expected / (width / 2)) < 1e-5);
    }
};

ATTN_GUI_TEST(TestOrderPage)
#include "tst_order_page.moc"
