// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/answer.h"
#include "inference/forced_output.h"
#include "nn/engine.h"
#include "support/golden_case.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attn;

// An output as another question sees it, against runs in which it is forced, or found, by that question itself.
class TestOutputUnder : public QObject
{
    Q_OBJECT

private:
    LoadedModel load(const std::string& name) { return test::loadedCase(name, m_engine); }

    static Question asked(std::vector<TokenId> source, int generate = 0)
    {
        Question question;
        question.sourceIds = std::move(source);
        question.decoding.generate = generate;
        question.decoding.maxLength = 8;
        return question;
    }

    static double largestGap(const Trace& trace, const OutputScore& score)
    {
        const Trace::Path path = trace.path();
        double largest = path.size() == score.tokens.size() ? 0 : 1e9;
        for (std::size_t i = 0; i < std::min(path.size(), score.tokens.size()); ++i) {
            if (!std::isnan(score.tokens[i]))
                largest = std::max(largest, std::abs(score.tokens[i] - double{path[i]->step.logProbability}));
        }
        return largest;
    }

    Engine m_engine{2};

private Q_SLOTS:
    void underItsOwnQuestionItIsWhatTheRunSays_data()
    {
        test::addColumns<QString, int>("name", "generate");
        QTest::newRow("recurrent") << "rnn-bahdanau-gru" << 0;
        QTest::newRow("read") << "gpt2-plain" << 0;
        QTest::newRow("continued") << "gpt2-plain" << 4;
    }
    void underItsOwnQuestionItIsWhatTheRunSays()
    {
        QFETCH(const QString, name);
        QFETCH(const int, generate);
        const LoadedModel model = load(name.toStdString());
        const Question question = asked({5, 9, 7, 11}, generate);
        const Trace run = answer(question, model, m_engine);
        const OutputScore score = outputUnder(run, question, model, m_engine);
        QVERIFY(largestGap(run, score) < 1e-4);
        const auto known =
            std::count_if(score.tokens.begin(), score.tokens.end(), [](double v) { return !std::isnan(v); });
        QCOMPARE(static_cast<int>(known), generate > 0 ? generate : static_cast<int>(score.tokens.size()));
        const double sum = std::accumulate(score.tokens.begin(), score.tokens.end(), 0.0,
                                           [](double a, double b) { return std::isnan(b) ? a : a + b; });
        QVERIFY(std::abs(sum - score.sum) < 1e-9);
    }

    void underAnotherItIsForced()
    {
        const LoadedModel model = load("rnn-bahdanau-gru");
        const Trace run = answer(asked({5, 9, 7, 11}), model, m_engine);
        for (const bool edited : {false, true}) {
            Question other = asked(edited ? std::vector<TokenId>{5, 9, 7, 11} : std::vector<TokenId>{6, 3});
            if (edited)
                other.edits = {"cross:0:0=uniform"};
            other.targetText = "what is forced there"; // is not asked here
            other.decoding.search = Search::Beam;
            const OutputScore score = outputUnder(run, other, model, m_engine);
            other.targetText.reset();
            other.targetIds = run.target().ids;
            const Trace forced = answer(other, model, m_engine);
            QVERIFY(largestGap(forced, score) < 1e-6);
            QVERIFY(largestGap(run, score) > 1e-4);
        }
    }

    void aContinuationFollowsTheOtherPrompt()
    {
        const LoadedModel model = load("gpt2-plain");
        const Trace run = answer(asked({5, 17, 3}, 3), model, m_engine);
        const OutputScore score = outputUnder(run, asked({8, 42}, 5), model, m_engine);
        QCOMPARE(score.tokens.size(), run.path().size());
        std::vector<TokenId> whole{8, 42};
        const auto ids = run.sequence().ids;
        whole.insert(whole.end(), ids.begin() + 3, ids.end());
        const Trace read = answer(asked(whole), model, m_engine);
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(std::abs(score.tokens[2 + i] - double{read.path()[1 + i]->step.logProbability}) < 1e-4);
        QVERIFY(std::isnan(score.tokens[0]) && std::isnan(score.tokens[1]));
    }

    void editsThatNameWhatIsNotThereChangeNothing()
    {
        const LoadedModel model = load("rnn-bahdanau-gru");
        const Trace run = answer(asked({5, 9, 7, 11}), model, m_engine);
        Question other = asked({5, 9, 7, 11});
        other.edits = {"cross:0:0:500=uniform"}; // of an output that may still come
        QVERIFY(largestGap(run, outputUnder(run, other, model, m_engine)) < 1e-4);
    }

    void anotherKindOfModelCannotSay()
    {
        const LoadedModel model = load("rnn-bahdanau-gru");
        const LoadedModel other = load("gpt2-plain");
        const Trace run = answer(asked({5, 9}), model, m_engine);
        QVERIFY(outputUnder(run, asked({5, 9}), other, m_engine).tokens.empty());
    }
};

ATTN_TEST(TestOutputUnder)

#include "tst_output_under.moc"
