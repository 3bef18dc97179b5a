// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/length_experiment.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "support/verify_error.h"
#include "workplace.h"

#include <cmath>

using namespace attn;
using test::twelvePairs;
using test::Workplace;

namespace {

// Over the sentences that have so many words, from runs of its own.
double expected(Workplace& place, const std::string& path, LengthMeasure measure, int from, int to)
{
    const auto model = place.load(path);
    double sum = 0;
    int tokens = 0;
    BleuCounts counts;
    for (const QByteArray& line : twelvePairs().trimmed().split('\n')) {
        const QByteArrayList sides = line.split('\t');
        const auto words = sides[0].split(' ').size();
        if (words < from || words > to)
            continue;
        Question question = test::asked(path, sides[0].toStdString());
        if (measure == LengthMeasure::LogProbability)
            question.targetText = sides[1].toStdString();
        const Trace trace = answer(question, *model, place.engine);
        sum += trace.summary()->hypotheses.at(0).sum;
        tokens += trace.stepCount();
        counts += bleuCounts(model->tokenizers.target->decode(trace.target().ids), sides[1].toStdString());
    }
    return measure == LengthMeasure::Bleu ? bleu(counts) : sum / tokens;
}

} // namespace

class TestLengthExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modelsAreMeasuredByLength_data()
    {
        QTest::addColumn<int>("measure");
        QTest::newRow("BLEU") << static_cast<int>(LengthMeasure::Bleu);
        QTest::newRow("log probability") << static_cast<int>(LengthMeasure::LogProbability);
    }
    void modelsAreMeasuredByLength()
    {
        QFETCH(int, measure);
        Workplace place;
        LengthExperiment::Plan plan;
        plan.file = place.write("pairs.tsv", twelvePairs());
        plan.models = {place.model(test::recurrentModel), place.model(test::transformerModel)};
        plan.measure = static_cast<LengthMeasure>(measure);
        plan.question = test::asked("another", "another text"); // texts and search are the experiment's own
        plan.question.targetText = "another output";
        plan.question.decoding.search = Search::Beam;
        plan.question.decoding.maxLength = 1;
        LengthExperiment experiment(plan);
        carryOut(experiment, place.bench());
        const LengthCurves curves = experiment.curves();
        QCOMPARE(curves.sentences, 12);
        QCOMPARE(curves.file, std::string("pairs.tsv"));
        QCOMPARE(curves.curves.size(), std::size_t{2});
        for (const LengthCurve& curve : curves.curves) {
            QCOMPARE(curve.points.size(), std::size_t{6});
            for (const LengthPoint& point : curve.points) {
                QCOMPARE(point.sentences, 2);
                QVERIFY(std::abs(point.value - expected(place, curve.model, plan.measure, point.from, point.to))
                        < 1e-4);
            }
        }
    }

    void curvesGrowAndTellHowFarTheyAre()
    {
        Workplace place;
        LengthExperiment::Plan plan;
        plan.file = place.write("pairs.tsv", twelvePairs());
        plan.models = {place.model(test::recurrentModel)};
        plan.most = 4;
        LengthExperiment experiment(plan);
        std::vector<int> read;
        while (experiment.advance(place.bench()))
            read.push_back(experiment.curves().sentences);
        QCOMPARE(read, (std::vector<int>{0, 0, 1, 2, 3})); // the file, the model, the sentences
        QCOMPARE(experiment.curves().sentences, 4);
        QVERIFY(place.said.front().step == ExperimentProgress::Step::Loading);
        QVERIFY(place.said.back().step == ExperimentProgress::Step::Sentence);
        QCOMPARE(place.said.back().number, 3);
        QCOMPARE(place.said.back().count, 4);
        QCOMPARE(place.said.back().fraction, 0.75);
    }

    void aSentenceThatOneModelRefusesCountsForNone()
    {
        Workplace place;
        LengthExperiment::Plan plan;
        plan.file = place.write("pairs.tsv", twelvePairs() + QByteArray("s5 ").repeated(80) + "\tt4 t5\n");
        plan.models = {place.model(test::recurrentModel), place.model(test::transformerModel)};
        LengthExperiment experiment(plan);
        carryOut(experiment, place.bench());
        const LengthCurves curves = experiment.curves();
        QCOMPARE(curves.leftOut, 1);
        QVERIFY(!curves.reason.empty());
        for (const LengthCurve& curve : curves.curves) {
            int sentences = 0;
            for (const LengthPoint& point : curve.points)
                sentences += point.sentences;
            QCOMPARE(sentences, 12);
        }
    }

    void itIsStopped()
    {
        Workplace place;
        LengthExperiment::Plan plan;
        plan.file = place.write("pairs.tsv", twelvePairs());
        plan.models = {place.model(test::endlessModel)};
        LengthExperiment experiment(plan);
        while (experiment.curves().sentences < 1)
            QVERIFY(experiment.advance(place.bench()));
        place.stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Error, carryOut(experiment, place.bench()));
        QCOMPARE(experiment.curves().sentences, 1);
    }

    void filesThatAreNoneAreNamed_data()
    {
        test::addColumns<QByteArray, QByteArray>("bytes", "named");
        QTest::newRow("no tab") << QByteArray("s4\tt4\ns4 t4\n") << QByteArray("line 2");
        QTest::newRow("empty") << QByteArray() << QByteArray("pairs.tsv");
    }
    void filesThatAreNoneAreNamed()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QByteArray, named);
        Workplace place;
        LengthExperiment::Plan plan;
        plan.file = place.write("pairs.tsv", bytes);
        LengthExperiment experiment(plan);
        test::verifyError({named.toStdString()}, [&] { carryOut(experiment, place.bench()); });
    }
};

ATTN_TEST(TestLengthExperiment)
#include "tst_length_experiment.moc"
