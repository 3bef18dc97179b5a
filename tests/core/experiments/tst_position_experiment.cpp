// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/position_experiment.h"
#include "support/test_program.h"
#include "workplace.h"

#include <algorithm>
#include <cmath>

using namespace attn;
using test::Workplace;

class TestPositionExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFormulaTurnsEveryPosition()
    {
        for (const SinusoidLayout layout : {SinusoidLayout::Interleaved, SinusoidLayout::Halves}) {
            const ExactOffset exact = exactOffset(7, 12, layout);
            QCOMPARE(exact.matrix.dim(0), 12);
            QVERIFY(exact.error < 1e-5);
        }
    }

    void theModelsSinusoidsAreFound()
    {
        Workplace place;
        OffsetExperiment experiment(place.model(test::transformerModel), 3);
        carryOut(experiment, place.bench());
        QVERIFY(experiment.formulaError().value() < 1e-4);
        QVERIFY(experiment.map().unseen < 1e-3);
        QCOMPARE(experiment.curve().size(), experiment.offsets().size());
        QVERIFY(std::ranges::is_sorted(experiment.offsets()));
        QVERIFY(std::ranges::count(experiment.offsets(), 3) == 1);
        QVERIFY(place.said.back().step == ExperimentProgress::Step::Offset);
        QCOMPARE(place.said.back().number, experiment.offsets().back());
    }

    void schemesAreTheirFormulas_data()
    {
        QTest::addColumn<int>("source");
        QTest::newRow("interleaved") << static_cast<int>(PositionSource::Interleaved);
        QTest::newRow("halves") << static_cast<int>(PositionSource::Halves);
        QTest::newRow("rotary") << static_cast<int>(PositionSource::Rotary);
        QTest::newRow("relative") << static_cast<int>(PositionSource::Relative);
        QTest::newRow("ALiBi") << static_cast<int>(PositionSource::Alibi);
    }
    void schemesAreTheirFormulas()
    {
        QFETCH(int, source);
        SchemeSettings settings;
        settings.source = static_cast<PositionSource>(source);
        settings.positions = 20;
        settings.width = 16;
        settings.heads = 4;
        settings.head = 2;
        const Numbers matrix = schemeMatrix(settings);
        QCOMPARE(matrix.rows, 20);
        const auto expected = [&](int distance) {
            if (settings.source == PositionSource::Relative) // exact up to 15 before the query, then logarithmic
                return distance < 16 ? distance * 1.0 : 16 + std::floor(std::log(distance / 16.0) / std::log(8.0) * 16);
            if (settings.source == PositionSource::Alibi) // 2^(-8 * 3 / 4)
                return -distance / 64.0;
            double sum = 0;
            for (int pair = 0; pair < 8; ++pair)
                sum += std::cos(distance / std::pow(10000.0, 2.0 * pair / 16));
            return settings.source == PositionSource::Rotary ? sum / 8 : sum;
        };
        for (int query = 0; query < 20; ++query) {
            for (int key = 0; key <= query; ++key)
                QVERIFY(std::abs(static_cast<double>(matrix.at(query, key)) - expected(query - key)) < 1e-4);
        }
    }

    void aModelTellsItsTableOrItsScores()
    {
        Workplace place;
        ModelPositionsExperiment added(place.model(test::transformerModel), Stage::Encoder, 0, 20);
        carryOut(added, place.bench());
        QCOMPARE(added.table().dim(0), 20);
        QVERIFY(added.scores().empty());
        const std::string t5 = ATTN_TEST_DATA "/cases/t5-relu";
        ModelPositionsExperiment biased(t5, Stage::Encoder, 1, 20);
        carryOut(biased, place.bench());
        QVERIFY(biased.table().empty());
        const Tensor expected = place.load(t5)->model->positionScores(Stage::Encoder, 1, 20);
        QVERIFY(std::ranges::equal(biased.scores().values(), expected.values()));
        ModelPositionsExperiment none(place.model(test::recurrentModel), Stage::Encoder, 0, 20);
        carryOut(none, place.bench());
        QVERIFY(none.table().empty() && none.scores().empty());
    }
};

ATTN_TEST(TestPositionExperiment)
#include "tst_position_experiment.moc"
