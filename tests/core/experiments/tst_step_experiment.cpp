// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/step_experiment.h"
#include "support/sanitizers.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"
#include "workplace.h"

#include <algorithm>
#include <cmath>

using namespace attn;
using test::Workplace;

namespace {

// Whether the inside of a cell ends in the row of weights that the run reported.
bool endsInRow(const CellStages& stages, std::span<const float> row)
{
    const auto weights = stages.weights();
    if (weights.empty() || weights.size() > row.size())
        return false;
    const auto near = [](float a, float b) { return std::abs(a - b) <= 1e-5F; };
    return std::ranges::equal(weights, row.first(weights.size()), near)
        && std::ranges::all_of(row.subspan(weights.size()), [](float hidden) { return hidden == 0; });
}

CellStages inside(Workplace& place, const Question& question, const Trace& run, std::optional<StepId> leaf,
                  const CellAddress& cell)
{
    StepExperiment experiment(question, run, leaf, cell);
    carryOut(experiment, place.bench());
    return experiment.stages();
}

} // namespace

class TestStepExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunThatBeganWithAPrefixIsLookedInto()
    {
        Workplace place;
        Question question = test::asked(place.model(test::recurrentModel), "s4 s5 s6");
        question.prefixIds = std::vector<TokenId>{7, 9};
        const Trace run = place.bench().ask(question);
        const Numbers map = run.matrix({Stage::Cross, 0}, 0);
        for (const int row : {0, 1, 2})
            QVERIFY(endsInRow(inside(place, question, run, {}, {{Stage::Cross, 0}, 0, row}), map.row(row)));
    }

    void everyCellEndsInTheWeightsOfTheRun_data()
    {
        QTest::addColumn<bool>("recurrent");
        QTest::newRow("transformer") << false;
        QTest::newRow("recurrent") << true;
    }

    void everyCellEndsInTheWeightsOfTheRun()
    {
        QFETCH(const bool, recurrent);
        Workplace place;
        const Question question =
            test::asked(place.model(recurrent ? test::recurrentModel : test::transformerModel), "s4 s5 s6");
        const Trace run = place.bench().ask(question);
        QCOMPARE(run.sites().size(), std::size_t{recurrent ? 1U : 4U});
        for (const Site& site : run.sites()) {
            for (int head = 0; head < run.heads(site); ++head) {
                const Numbers map = run.matrix(site, head);
                for (int row = 0; row < map.rows; row += test::slowdown())
                    QVERIFY(endsInRow(inside(place, question, run, {}, {site, head, row}), map.row(row)));
            }
        }
    }

    void anotherHypothesisOfASearchIsWrittenOnceMore()
    {
        Workplace place;
        Question question = test::asked(place.model(test::transformerModel), "s4 s5 s6");
        question.decoding.search = Search::Beam;
        question.decoding.beamSize = 3;
        const Trace run = place.bench().ask(question);
        const auto leaf = run.summary()->hypotheses.at(1).step;
        QVERIFY(run.target(leaf).ids != run.target().ids);
        const Site cross{Stage::Cross, 0};
        StepExperiment experiment(question, run, leaf, {cross, 1, 0});
        QCOMPARE(experiment.question().targetIds.value(), run.target(leaf).ids);
        const Numbers map = run.matrix(cross, 1, leaf);
        for (int row = 0; row < map.rows; ++row)
            QVERIFY(endsInRow(inside(place, question, run, leaf, {cross, 1, row}), map.row(row)));
    }

    void aRowBehindTheLastHasNoInside()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::transformerModel), "s4");
        const Trace run = place.bench().ask(question);
        QVERIFY(inside(place, question, run, {}, {{Stage::Encoder, 0}, 0, 99}).empty());
        QVERIFY(inside(place, question, run, {}, {{Stage::Encoder, 0}, 9, 0}).empty());
    }

    void aRowThatAttendsToNothingIsPassedOver()
    {
        constexpr Site site{Stage::Encoder, 0};
        TraceBuilder builder({}, nullptr, {});
        builder.begun(std::vector<TokenId>{4, 5, 6}, {});
        builder.attention({site, 0, 0, Numbers{3, 2, {0, 0, 0.5F, 0.5F, 0, 0}}, {}});
        const Trace trace = builder.snapshot();
        QCOMPARE(firstAttending(trace, site, 0), 1);
        QCOMPARE(firstAttending(trace, site, 1), 1);
        QCOMPARE(firstAttending(trace, site, 2), 2); // none follows
        QCOMPARE(firstAttending(trace, site, -1), 1);
    }

    void theStrongestHeadGivesACellTheLargestWeight()
    {
        constexpr Site site{Stage::Encoder, 0};
        TraceBuilder builder({}, nullptr, {});
        builder.begun(std::vector<TokenId>{4, 5}, {});
        const std::vector<float> heads{0.4F, 0.6F, 0.1F, 0.9F, /* the second */ 0.7F, 0.3F, 0.1F, 0.9F};
        builder.attention({site, 0, 0, {heads.data(), 2, 2, 2}, {}});
        const Trace trace = builder.snapshot();
        QCOMPARE(strongestHead(trace, site, 0, 0), 1);
        QCOMPARE(strongestHead(trace, site, 0, 1), 0);
        QCOMPARE(strongestHead(trace, site, 1, 1), 0); // both the same: the first
        QCOMPARE(strongestHead(trace, site, 9, 9), 0); // there is no such cell
        QCOMPARE(strongestHead(trace, {Stage::Cross, 0}, 0, 0), 0);
    }
};

ATTN_TEST(TestStepExperiment)

#include "tst_step_experiment.moc"
