// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/curves_figure.h"
#include "support/test_program.h"
#include "ui/figures/figure_texts.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::ui;

namespace {

CurvesContent measuredAndExpected()
{
    return {{QStringLiteral("Time"), {}},
            {{QStringLiteral("measured"), {{16, 2, 1.5, 3}, {32, 4, 4, 5}, {64, 20, 18, 21}}, true},
             {QStringLiteral("expected"), {{16, 1, 0, 0}, {64, 4, 0, 0}}, false}},
            QStringLiteral("tokens"),
            QStringLiteral("milliseconds")};
}

} // namespace

class TestCurvesFigure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bothAxesAreLogarithmic()
    {
        const auto figure = curvesFigure({}, measuredAndExpected(), {500, 0});
        const QPointF first = figure->cellRect(0, 0).center();
        const QPointF second = figure->cellRect(0, 1).center();
        const QPointF third = figure->cellRect(0, 2).center();
        QCOMPARE(second.x() - first.x(), third.x() - second.x()); // twice as many each time
        QVERIFY(qAbs((first.y() - third.y()) / (first.y() - second.y()) - std::log2(10.0)) < 1e-9); // 10 times, twice
        QCOMPARE(figure->cellRect(1, 1).center(), QPointF(third.x(), second.y()));
        QVERIFY(figure->cellRect(1, 2).isNull());
    }

    void aPointSaysWhatItIs()
    {
        const auto figure = curvesFigure({}, measuredAndExpected(), {500, 300});
        const FigureHit hit = figure->hitTest(figure->cellRect(0, 1).center());
        QVERIFY(hit.isCell());
        QCOMPARE(hit.text, QStringLiteral("measured: 32, 4"));
        QCOMPARE(hit.value, 4.0F);
    }

    void everythingIsNamed()
    {
        const QSet<QString> texts = test::textsOf(*curvesFigure({}, measuredAndExpected(), {500, 0}));
        for (const char* text : {"Time", "measured", "expected", "tokens", "milliseconds", "16", "64", "1", "100"})
            QVERIFY2(texts.contains(QString::fromLatin1(text)), text);
        QVERIFY(!texts.contains(QStringLiteral("1000")));
    }

    void theNumbersHaveTheirQuartiles()
    {
        const QByteArrayList lines = curvesCsv(measuredAndExpected()).split('\n');
        QCOMPARE(lines.at(0), "curve,x,y,lower,upper\r");
        QCOMPARE(lines.at(1), "\"measured\",16,2,1.5,3\r");
        QCOMPARE(lines.at(4), "\"expected\",16,1,,\r");
    }

    void oneLengthIsEnough()
    {
        CurvesContent content = measuredAndExpected();
        content.curves = {{QStringLiteral("measured"), {{16, 10, 10, 10}}, true}};
        const auto figure = curvesFigure({}, content, {120, 80});
        QVERIFY(qIsFinite(figure->cellRect(0, 0).x()) && qIsFinite(figure->cellRect(0, 0).y()));
        QVERIFY(!test::textsOf(*figure).isEmpty());
    }
};

ATTN_GUI_TEST(TestCurvesFigure)
#include "tst_curves_figure.moc"
