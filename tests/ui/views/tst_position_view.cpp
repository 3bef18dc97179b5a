// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/positions.h"
#include "figures/look/theme.h"
#include "figures/parts/matrix_figure.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "views/chart_canvas.h"
#include "views/figure_view.h"

#include <QCategoryAxis>
#include <QChart>
#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QXYSeries>

#include <cmath>
#include <memory>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
QWidget* makePositionView(const ViewContext& context); // has no header
}

namespace {

ModelSummary modelWith(const Positions& positions)
{
    ModelSummary model;
    model.name = QStringLiteral("tiny");
    model.info.positions = positions;
    return model;
}

// A table whose values lie in -0.13 .. 0.13.
ModelSummary modelWithTable(std::optional<int> all)
{
    constexpr int rows = 8;
    constexpr int width = 4;
    ModelSummary model = modelWith({PositionScheme::Learned});
    NumberVector<float> values;
    for (int i = 0; i < rows * width; ++i)
        values.push_back(i % 2 == 0 ? 0.13F : -0.13F);
    model.positions = Tensor({rows, width}, std::move(values));
    model.info.maximumLength = all;
    return model;
}

struct Fixture
{
    Study study;
    Selection selection;
    Appearance appearance;
    std::unique_ptr<QWidget> made{makePositionView({study, selection, appearance})};
    QWidget& view = *made;

    const FigureView& figure() const { return *view.findChild<FigureView*>(QStringLiteral("positionFigure")); }
};

} // namespace

class TestPositionView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modelsWithoutATableSayHowTheyKnowTheOrder_data()
    {
        test::addColumns<Positions, QStringList>("positions", "parts");
        const auto row = [](const char* name, const Positions& positions, const QStringList& parts = {}) {
            QTest::newRow(name) << positions << parts;
        };
        row("rotary", {PositionScheme::Rotary, "yarn", 4}, {QStringLiteral("yarn"), QStringLiteral("4")});
        row("large factor", {PositionScheme::Rotary, "linear", 4194304},
            {QStringLiteral("linear"), QStringLiteral("4194304")});
        row("relative", {.scheme = PositionScheme::Relative, .buckets = 32}, {QStringLiteral("32")});
        row("recurrent", {PositionScheme::Recurrent});
        row("none", {PositionScheme::None});
    }

    void modelsWithoutATableSayHowTheyKnowTheOrder()
    {
        QFETCH(const Positions, positions);
        QFETCH(const QStringList, parts);
        Fixture fixture;
        fixture.study.setModel(modelWith(positions));
        fixture.view.resize(800, 600);
        fixture.view.show();
        const auto* text = fixture.view.findChild<QLabel*>(QStringLiteral("noPositions"));
        QVERIFY(text->isVisible());
        QVERIFY2(text->text().startsWith(QStringLiteral("tiny ")), qPrintable(text->text()));
        for (const QString& part : parts)
            QVERIFY2(text->text().contains(part), qPrintable(text->text()));
        for (const PositionScheme scheme :
             {PositionScheme::None, PositionScheme::Recurrent, PositionScheme::Rotary, PositionScheme::Relative}) {
            Positions other = positions;
            other.scheme = scheme;
            QCOMPARE(text->text().contains(otherPositions(other)), scheme == positions.scheme);
        }
        const QSignalSpy asked(fixture.view.findChild<FigureView*>(), &FigureView::orderAsked);
        auto* ask = fixture.view.findChild<QPushButton*>(QStringLiteral("askOrderAnyway"));
        QVERIFY(ask->isVisible());
        QTest::mouseClick(ask, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
    }

    void aPartOfThePositionsIsCalledOne_data()
    {
        test::addColumns<int, QStringList>("all", "numbers");
        const QString shown = QStringLiteral("8");
        const QString dimensions = QStringLiteral("4");
        QTest::newRow("part") << 256 << QStringList{shown, QStringLiteral("256"), dimensions};
        QTest::newRow("whole") << 8 << QStringList{shown, dimensions};
        QTest::newRow("endless") << 0 << QStringList{shown, dimensions};
    }

    void aPartOfThePositionsIsCalledOne()
    {
        QFETCH(const int, all);
        QFETCH(const QStringList, numbers);
        Fixture fixture;
        const auto said = [&fixture](std::optional<int> count) {
            fixture.study.setModel(modelWithTable(count));
            return positionsKind.numbers(fixture.figure().spec(), Trace()).title.subtitle;
        };
        const QString part = said(all > 0 ? std::optional(all) : std::nullopt);
        QCOMPARE(test::numbersIn(part), numbers);
        QCOMPARE(part == said(8), all == 8);
    }

    void aPlaceIsNamedByItsAxes()
    {
        Fixture fixture;
        fixture.study.setModel(modelWithTable(8));
        const auto figure = layoutFigure(fixture.figure().spec(), Trace(), {700, 500});
        const FigureHit hit = figure->hitTest(figure->cellRect(5, 2).center());
        const MatrixContent content = positionsKind.numbers(fixture.figure().spec(), Trace());
        for (const QString& axis : {content.rowAxis, content.columnAxis})
            QVERIFY2(!axis.isEmpty() && hit.text.contains(axis), qPrintable(hit.text));
        QCOMPARE(test::numbersIn(hit.text).mid(0, 2), (QStringList{QStringLiteral("5"), QStringLiteral("2")}));
    }

    void curvesHaveTheColoursOfTheFigures_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(Theme::Light);
        QTest::newRow("dark") << static_cast<int>(Theme::Dark);
    }

    void curvesHaveTheColoursOfTheFigures()
    {
        QFETCH(const int, theme);
        Fixture fixture;
        fixture.study.setModel(modelWithTable(8));
        fixture.appearance.setTheme(static_cast<Theme>(theme));
        const ThemeColors colors = themeColors(static_cast<Theme>(theme));
        const auto* chart = fixture.view.findChild<ChartCanvas*>(QStringLiteral("positionCurves"))->chart();
        for (QAbstractAxis* axis : chart->axes())
            QVERIFY(axis->gridLineColor() == colors.grid && axis->linePenColor() == colors.grid);
        QSet<QRgb> lines;
        for (QAbstractSeries* series : chart->series())
            lines.insert(qobject_cast<QXYSeries*>(series)->pen().color().rgb());
        QCOMPARE(lines.size(), chart->series().size()); // told apart
        QVERIFY(lines.contains(colors.bar.rgb()) && lines.contains(colors.accent.rgb()));
    }

    void ticksOfTheCurvesAreRound()
    {
        Fixture fixture;
        fixture.study.setModel(modelWithTable(8));
        const auto* curves = fixture.view.findChild<ChartCanvas*>(QStringLiteral("positionCurves"));
        auto* axis = qobject_cast<QCategoryAxis*>(curves->chart()->axes(Qt::Vertical).value(0));
        QVERIFY(axis->min() <= -0.13 && axis->max() >= 0.13);
        QStringList ticks = axis->categoriesLabels();
        QVERIFY(ticks.size() >= 3);
        QCOMPARE(axis->startValue(ticks.front()), axis->min());
        QVERIFY(!axis->labelsTruncated() && !axis->truncateLabels());
        for (QString tick : ticks) {
            const double value = axis->endValue(tick);
            QVERIFY2(!tick.contains(QLatin1Char('-')), qPrintable(tick));
            const double written = tick.replace(QChar(0x2212), QLatin1Char('-')).toDouble();
            QVERIFY2(std::abs(written - value) < 1e-9, qPrintable(tick));
        }
        QVERIFY(ticks.contains(QStringLiteral("0.0")) || ticks.contains(QStringLiteral("0.00")));
        QCOMPARE(ticks.removeDuplicates(), 0);
        const auto* across = qobject_cast<QValueAxis*>(curves->chart()->axes(Qt::Horizontal).value(0));
        const double interval = across->tickInterval(); // positions are whole numbers
        QVERIFY(across->tickType() == QValueAxis::TicksDynamic && interval >= 1 && std::floor(interval) == interval);
    }
};

ATTN_GUI_TEST(TestPositionView)
#include "tst_position_view.moc"
