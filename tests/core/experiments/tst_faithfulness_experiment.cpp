// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "experiments/faithfulness_experiment.h"
#include "support/test_program.h"
#include "workplace.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace attn;
using test::asked;
using test::Workplace;

namespace {

FaithfulnessResult compared(Workplace& place, FaithfulnessExperiment::Plan plan)
{
    FaithfulnessExperiment experiment(std::move(plan));
    carryOut(experiment, place.bench());
    return experiment.result();
}

const Faithfulness& rowOf(const FaithfulnessResult& result, const char* reading)
{
    const auto found = std::ranges::find(result.rows, reading, &Faithfulness::reading);
    if (found == result.rows.end())
        qFatal("there is no %s", reading);
    return *found;
}

} // namespace

class TestFaithfulnessExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The correlation is that of the tokens that it is made of, row by row.
    void everyReadingHasItsTokens()
    {
        Workplace place;
        const FaithfulnessResult result =
            compared(place, {.question = asked(place.model(test::transformerModel), "s4 s5 s6 s7"), .shuffled = true});
        QVERIFY(result.run.has_value());
        const int outputs = result.run->steps();
        const int sources = static_cast<int>(result.run->source().size());
        for (const char* reading :
             {"raw:LAST", "cross_norms", "cross_value_zeroing", "source_gradients", "source_lrp"}) {
            const Faithfulness& row = rowOf(result, reading);
            QVERIFY(row.rows > 0 && row.rows <= outputs);
            QCOMPARE(static_cast<int>(row.tokens.size()), row.rows * sources);
            QVERIFY(row.shuffled.has_value());
            double sum = 0;
            for (int first = 0; first < row.rows; ++first) {
                std::vector<float> readings;
                std::vector<float> erasures;
                for (int token = 0; token < sources; ++token) {
                    const ComparedToken& one = row.tokens[static_cast<std::size_t>(first * sources + token)];
                    QCOMPARE(one.token, token);
                    readings.push_back(one.reading);
                    erasures.push_back(one.erasure);
                }
                sum += rankCorrelation(readings, erasures).value();
            }
            QVERIFY(std::abs(sum / row.rows - row.correlation) < 1e-9);
        }
        QVERIFY(result.absent.contains("gradients")); // of one position
        QCOMPARE(result.paths, outputs);
        QVERIFY(result.unsettled >= 0 && result.unsettled <= outputs);
    }

    void onePositionIsComparedAlone()
    {
        Workplace place;
        const FaithfulnessResult result =
            compared(place, {.question = asked(place.model(test::transformerModel), "s4 s5 s6 s7"), .of = 1});
        for (const char* reading : {"cross_gradients", "source_lrp"}) {
            for (const ComparedToken& token : rowOf(result, reading).tokens)
                QCOMPARE(token.output, 1);
        }
        QVERIFY(!result.absent.contains("gradients"));
    }

    void aModelSaysWhatItLacks()
    {
        Workplace place;
        Question question = asked(place.model(test::recurrentModel), "s4 s5 s6");
        question.decoding.maxLength = 4; // it does not end by itself
        const FaithfulnessResult result = compared(place, {.question = question});
        for (const char* method : {"lrp", "rollout", "value_zeroing"})
            QVERIFY2(!result.absent.at(method).empty(), method);
        QVERIFY(std::isfinite(rowOf(result, "source_gradients").correlation));
    }

    void aFileHasTheMeansOfItsSentences()
    {
        Workplace place;
        const std::string path = place.model(test::transformerModel);
        const std::vector<std::string> sentences{"s4 s5 s6", std::string(1000, 's'), "s7 s8 s9 s5"};
        FaithfulnessExperiment::Plan plan{.question = asked(path, {})};
        std::string tooLong;
        for (int i = 0; i < 100; ++i)
            tooLong += "s4 ";
        plan.sentences = [&] { return std::vector<std::string>{sentences[0], tooLong, sentences[2]}; };
        const FaithfulnessResult result = compared(place, plan);
        QCOMPARE(result.sentences, 2);
        QCOMPARE(result.leftOut, 1);
        QVERIFY(result.reason.starts_with("line 2: "));
        double sum = 0;
        for (const std::size_t sentence : {0, 2})
            sum += rowOf(compared(place, {.question = asked(path, sentences[sentence])}), "source_lrp").correlation;
        const auto mean = std::ranges::find(result.means, "source_lrp", &MeanFaithfulness::reading);
        QVERIFY(mean != result.means.end());
        QCOMPARE(mean->sentences, 2);
        QVERIFY(std::abs(mean->correlation.mean - sum / 2) < 1e-9);
        QVERIFY(mean->correlation.low <= mean->correlation.mean && mean->correlation.mean <= mean->correlation.high);
    }

    void itIsStopped()
    {
        Workplace place;
        FaithfulnessExperiment experiment({.question = asked(place.model(test::transformerModel), "s4 s5")});
        QVERIFY(experiment.advance(place.bench()));
        place.stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Error, experiment.advance(place.bench()));
    }
};

ATTN_TEST(TestFaithfulnessExperiment)
#include "tst_faithfulness_experiment.moc"
