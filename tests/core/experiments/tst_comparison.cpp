// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/comparison.h"
#include "support/made_maps.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"
#include "workplace.h"

#include <cmath>
#include <memory>

using namespace attn;
using test::Workplace;

class TestComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyModelHasItsMapOnTheSameWords()
    {
        Workplace place;
        const std::vector<std::string> models{place.model(test::recurrentModel), place.model(test::transformerModel),
                                              place.model(test::blindModel)};
        ComparisonExperiment experiment(models, test::asked({}, "s4 s5 s6 s7"), false);
        for (const ComparedRun& run : experiment.runs())
            QVERIFY(run.state == ComparedState::Waiting);
        QVERIFY(experiment.advance(place.bench()));
        QVERIFY(experiment.runs()[0].state == ComparedState::Done);
        QVERIFY(experiment.runs()[1].state == ComparedState::Waiting);
        carryOut(experiment, place.bench());
        const Comparison comparison = comparisonOf(experiment.runs());
        QCOMPARE(comparison.columns.size(), std::size_t{5}); // special tokens last
        QCOMPARE(std::vector(comparison.columns.begin(), comparison.columns.begin() + 4),
                 (std::vector<std::string>{"s4", "s5", "s6", "s7"}));
        QCOMPARE(comparison.maps.size(), std::size_t{3});
        for (const ComparedMap& map : comparison.maps) {
            QCOMPARE(map.site.has_value(), map.name != "blind");
            QCOMPARE(map.map.rows, static_cast<int>(map.words.size()));
            QVERIFY(map.tokens > 0 && map.logProbability < 0);
            for (int row = 0; row < map.map.rows; ++row) {
                double sum = 0;
                for (int column = 0; column < map.map.columns; ++column)
                    sum += static_cast<double>(map.map.at(row, column));
                QVERIFY(std::abs(sum - 1) < 1e-4);
            }
        }
        QCOMPARE(differenceOf(comparison, 0, 2).map.rows, 0);
    }

    // Comparing them again, with those of the next model, asks for no map.
    void everyMapIsAskedForOnce()
    {
        Workplace place;
        ComparisonExperiment experiment({place.model(test::transformerModel)}, test::asked({}, "s4 s5"), false);
        carryOut(experiment, place.bench());
        std::vector<ComparedRun> runs = experiment.runs();
        const Numbers before = comparisonOf(runs).maps.front().map;
        QVERIFY(before.rows > 0 && before.columns > 0);
        const auto maps = std::make_shared<test::MadeMaps>(2, 3, 3);
        TraceBuilder builder(runs.front().trace->source(), nullptr, {});
        builder.begun(runs.front().trace->source().ids, {});
        builder.computableAttention({{Stage::Encoder, 0}, 0, 0, {}, {}}, maps);
        runs.front().trace = builder.snapshot();
        runs.front().site = Site{Stage::Encoder, 0};
        QCOMPARE(comparisonOf(runs).maps.front().map.values, before.values);
        QCOMPARE(maps->computed(), 0);
    }

    void theFirstOutputIsForcedOnTheOthers()
    {
        Workplace place;
        ComparisonExperiment experiment({place.model(test::recurrentModel), place.model(test::endlessModel)},
                                        test::asked({}, "s4 s5 s6"), true);
        carryOut(experiment, place.bench());
        const Comparison comparison = comparisonOf(experiment.runs());
        QVERIFY(!comparison.maps[0].output.empty());
        QCOMPARE(comparison.maps[1].output, comparison.maps[0].output);
        const ComparedDifference difference = differenceOf(comparison, 0, 1);
        const int common = comparison.maps[0].map.rows; // the other one may go on
        QVERIFY(difference.map.rows >= common);
        double variation = 0;
        for (int row = 0; row < difference.map.rows; ++row) {
            const PairedPlace& pair = difference.rows.at(static_cast<std::size_t>(row));
            QCOMPARE(pair.isPaired(), row < common);
            for (int column = 0; column < difference.map.columns; ++column) {
                const float value = difference.map.at(row, column);
                if (!pair.isPaired()) {
                    QVERIFY(std::isnan(value));
                    continue;
                }
                const float expected =
                    comparison.maps[0].map.at(*pair.here, column) - comparison.maps[1].map.at(*pair.there, column);
                QVERIFY(std::abs(value - expected) < 1e-6F);
                variation += std::abs(static_cast<double>(expected)) / 2 / common;
            }
        }
        QVERIFY(std::abs(variation - difference.variation) < 1e-6);
    }

    void aModelThatCannotRunSaysWhy()
    {
        Workplace place;
        ComparisonExperiment experiment({place.model(test::brokenModel), place.model(test::recurrentModel)},
                                        test::asked({}, "s4"), false);
        carryOut(experiment, place.bench());
        QVERIFY(experiment.runs()[0].state == ComparedState::Refused);
        QVERIFY(!experiment.runs()[0].problem.empty());
        QVERIFY(experiment.runs()[1].state == ComparedState::Done);
    }

    void aStoppedOneLeavesTheOthersWaiting()
    {
        Workplace place;
        ComparisonExperiment experiment({place.model(test::recurrentModel), place.model(test::transformerModel)},
                                        test::asked({}, "s4"), false);
        QVERIFY(experiment.advance(place.bench()));
        place.stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Error, carryOut(experiment, place.bench()));
        QVERIFY(experiment.runs()[1].state == ComparedState::Waiting);
    }
};

ATTN_TEST(TestComparison)
#include "tst_comparison.moc"
