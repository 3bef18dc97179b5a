// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/order_experiment.h"
#include "support/test_program.h"
#include "workplace.h"

#include <algorithm>
#include <cmath>

using namespace attn;
using test::Workplace;

namespace {

double largestDifference(const Numbers& a, const Numbers& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(a.values[i] - b.values[i])));
    return largest;
}

} // namespace

class TestOrderExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutPositionsTheOutputMerelyMoves()
    {
        const std::vector<std::string> words{"the", "cat", "sees", "a", "dog"};
        const OrderResult result = smallOrderResult(words, {2, 0, 4, 1, 3});
        QCOMPARE(result.words, words);
        QCOMPARE(result.places(), (std::vector<int>{1, 3, 0, 4, 2}));
        QVERIFY(result.sides[0].largestGap() < result.rounding);
        QVERIFY(result.sides[1].largestGap() > 0.01);
        QVERIFY(largestDifference(result.sides[0].weights, result.sides[0].weightsBack) < 1e-5);
        QVERIFY(largestDifference(result.sides[0].outputs, result.sides[0].outputsBack) < 1e-5);
    }

    void aTransformerIsRunFourTimes()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::transformerModel), "s4 s5 s6 s7");
        OrderExperiment experiment(question, {3, 1, 0, 2});
        carryOut(experiment, place.bench());
        QCOMPARE(place.said.size(), std::size_t{4});
        QCOMPARE(place.said.back().fraction, 1.0);
        QCOMPARE(experiment.layers(), 2);
        QVERIFY(!experiment.causal());
        for (int layer = 0; layer < 2; ++layer) {
            const OrderResult result = experiment.result(layer);
            QCOMPARE(result.words.size(), std::size_t{5}); // and the end
            QVERIFY(result.sides[0].largestGap() < result.rounding);
            QVERIFY(result.sides[1].largestGap() > result.rounding);
        }
        Question own = question;
        own.withoutPositions = true;
        own.capture.hidden = true;
        const Trace trace = answer(own, *place.load(question.model), place.engine);
        const NumberVector<float> hidden = trace.hiddenStates(Stage::Encoder).back().values;
        const NumberVector<float> shown = experiment.result(1).sides[0].outputs.values;
        QCOMPARE(shown.size(), hidden.size());
        for (std::size_t i = 0; i < hidden.size(); ++i)
            QVERIFY(std::abs(shown[i] - hidden[i]) < 1e-5F);
    }

    void whatIsNoNumberIsNotCompared()
    {
        Workplace place;
        const std::string path = place.model(test::lostModel);
        OrderExperiment experiment(test::asked(path, "s4 s5 s6 s7"), {3, 1, 0, 2});
        carryOut(experiment, place.bench());
        for (const OrderSide& side : experiment.result(1).sides)
            QCOMPARE(side.incomparable(), 5); // the words and the end: each reads them all
        OrderExperiment other(test::asked(path, "s4 s5 s7 s8"), {3, 1, 0, 2});
        carryOut(other, place.bench());
        for (const OrderSide& side : other.result(1).sides)
            QCOMPARE(side.incomparable(), 0);
    }

    void aRecurrentModelDoesNotReadInParallel()
    {
        Workplace place;
        QVERIFY(!readsInParallel(place.load(place.model(test::recurrentModel))->model->info()));
        QVERIFY(readsInParallel(place.load(place.model(test::transformerModel))->model->info()));
    }

    void itIsStopped()
    {
        Workplace place;
        OrderExperiment experiment(test::asked(place.model(test::transformerModel), "s4 s5"), {1, 0});
        QVERIFY(experiment.advance(place.bench()));
        place.stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Error, carryOut(experiment, place.bench()));
    }
};

ATTN_TEST(TestOrderExperiment)
#include "tst_order_experiment.moc"
