// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "inference/answer.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/golden_case.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attn;
using test::compare;

// Models that read one text: decoder-only ones continue it, encoder-only ones predict its tokens.
class TestOneText : public QObject
{
    Q_OBJECT

private:
    LoadedModel load(const std::string& name) { return test::loadedCase(name, m_engine); }

    Trace read(const LoadedModel& model, std::vector<TokenId> ids, int generate = 0, Search search = Search::Greedy)
    {
        Question question;
        question.sourceIds = std::move(ids);
        question.decoding.generate = generate;
        question.decoding.search = search;
        question.capture.hidden = true;
        question.capture.logits = true;
        return answer(question, model, m_engine);
    }

    ErrorKind failure(const LoadedModel& model, const Question& question)
    {
        try {
            (void)answer(question, model, m_engine);
        } catch (const Error& error) {
            return error.kind();
        }
        return ErrorKind::Cancelled;
    }

    static void verifySame(const Trace& a, std::optional<StepId> leafOfA, const Trace& b)
    {
        for (const Site& site : b.sites()) {
            for (int head = 0; head < b.heads(site); ++head) {
                const Numbers left = a.matrix(site, head, leafOfA);
                const Numbers right = b.matrix(site, head);
                QCOMPARE(left.rows, right.rows);
                QVERIFY(compare(left.values, right.values).largest < 1e-5);
            }
        }
    }

    Engine m_engine{2};
    const std::vector<TokenId> m_prompt{5, 17, 3, 42, 8};

private Q_SLOTS:
    void readingGivesEveryTokenARow_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"gpt2-plain", "llama-gqa", "mistral-wide-window"})
            QTest::newRow(name) << name;
    }
    void readingGivesEveryTokenARow()
    {
        QFETCH(QString, name);
        const Trace trace = read(load(name.toStdString()), m_prompt);
        QVERIFY(trace.kind() == ModelKind::DecoderOnly);
        QCOMPARE(trace.sequence().ids, m_prompt);
        QCOMPARE(trace.path().size(), m_prompt.size() - 1);
        for (const Site& site : trace.sites()) {
            QVERIFY(site.stage == Stage::Decoder);
            std::vector<TokenId> rows = m_prompt; // what each step writes, and what it would write next
            rows.erase(rows.begin());
            const std::vector<float>& logits = *trace.rowPath().back()->logits;
            rows.push_back(static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin()));
            QCOMPARE(trace.rowTokens(site).ids, rows);
            QCOMPARE(trace.columnTokens(site).ids, m_prompt);
            const Numbers matrix = trace.matrix(site, 0);
            QCOMPARE(matrix.rows, 5);
            QCOMPARE(matrix.columns, 5);
            for (int row = 0; row < 5; ++row) {
                float sum = 0;
                for (int column = 0; column < 5; ++column) {
                    sum += matrix.at(row, column);
                    if (column > row)
                        QCOMPARE(matrix.at(row, column), 0.0F);
                }
                QVERIFY(std::abs(sum - 1) < 1e-5F);
            }
        }
        QVERIFY(!trace.path().front()->step.candidates.empty());
    }

    void aPromptOfOneTokenIsReadToo()
    {
        const Trace trace = read(load("gpt2-plain"), {7});
        QCOMPARE(trace.stepCount(), 0);
        QCOMPARE(trace.matrix({Stage::Decoder, 1}, 2).values, NumberVector<float>{1});
        QCOMPARE(trace.sequence().ids, std::vector<TokenId>{7});
    }

    void whatIsGeneratedHasTheRowsOfReadingIt_data()
    {
        test::addColumns<int, QString>("search", "name");
        for (const char* name : {"gpt2-plain", "llama-gqa"}) {
            QTest::addRow("%s greedy", name) << int(Search::Greedy) << name;
            QTest::addRow("%s beam", name) << int(Search::Beam) << name;
            QTest::addRow("%s sampled", name) << int(Search::Sampling) << name;
        }
    }
    void whatIsGeneratedHasTheRowsOfReadingIt()
    {
        QFETCH(int, search);
        QFETCH(QString, name);
        const LoadedModel model = load(name.toStdString());
        const Trace trace = read(model, m_prompt, 6, static_cast<Search>(search));
        QVERIFY(!trace.summary()->hypotheses.empty());
        for (const Hypothesis& hypothesis : trace.summary()->hypotheses) {
            const Encoding all = trace.sequence(hypothesis.step);
            const auto generated = static_cast<double>(all.ids.size() - m_prompt.size());
            QVERIFY(generated == 6 || hypothesis.ended);
            const Trace again = read(model, all.ids);
            verifySame(trace, hypothesis.step, again);
            double sum = 0;
            const auto path = again.path();
            for (std::size_t i = m_prompt.size() - 1; i < path.size(); ++i)
                sum += static_cast<double>(path[i]->step.logProbability);
            QVERIFY(std::abs(sum - hypothesis.sum) < 1e-4);
            QVERIFY(std::abs(sum / generated - hypothesis.score) < 1e-4);
        }
    }

    void generationStopsAtTheEndTokenAndAtTheLastPosition()
    {
        LoadedModel model = load("gpt2-plain"); // 64 positions
        const Trace full = read(model, std::vector<TokenId>(60, 3), 20);
        QCOMPARE(full.sequence().size(), std::size_t{64});
        Question question;
        question.sourceIds = std::vector<TokenId>(65, 3);
        QCOMPARE(failure(model, question), ErrorKind::Input);
    }

    void theArchiveHoldsTheWholeSequence()
    {
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.filePath(QStringLiteral("a.npz")).toStdString());
        const Trace trace = read(load("llama-gqa"), m_prompt, 3);
        writeArchive(path, trace, {.hidden = true, .logits = true});
        const Trace again = readArchive(path);
        QVERIFY(again.kind() == ModelKind::DecoderOnly);
        QCOMPARE(again.sequence().ids, trace.sequence().ids);
        verifySame(trace, std::nullopt, again);
        QCOMPARE(again.path().size(), trace.path().size());
        QCOMPARE(again.path().back()->step.logProbability, trace.path().back()->step.logProbability);
        QCOMPARE(again.rowPath().size(), std::size_t{8});
        QVERIFY(compare(*again.rowPath().back()->logits, *trace.rowPath().back()->logits).largest == 0);
    }

    void aMaskedTokenHeadPredictsEveryPosition()
    {
        const Trace trace = read(load("bert-mlm"), m_prompt);
        QVERIFY(trace.kind() == ModelKind::EncoderOnly);
        QCOMPARE(trace.stepCount(), 0);
        QCOMPARE(trace.predictions().size(), m_prompt.size());
        QCOMPARE(trace.sourceLogits().size(), m_prompt.size());
        for (std::size_t i = 0; i < m_prompt.size(); ++i) {
            const MaskedPrediction& prediction = trace.predictions()[i]->prediction;
            QCOMPARE(prediction.position, static_cast<int>(i));
            const auto& logits = *trace.sourceLogits()[i];
            const auto best = std::ranges::max_element(logits) - logits.begin();
            QCOMPARE(prediction.candidates.front().token, static_cast<TokenId>(best));
            QCOMPARE(trace.predictions()[i]->candidateTexts.size(), prediction.candidates.size());
        }
        QVERIFY(read(load("bert-noprefix"), m_prompt).predictions().empty());
    }

    void segmentsChangeWhatBertReads()
    {
        const LoadedModel model = load("bert-mlm");
        Question question;
        question.sourceIds = m_prompt;
        const Trace one = answer(question, model, m_engine);
        question.sourceSegments = {0, 0, 0, 1, 1};
        const Trace two = answer(question, model, m_engine);
        QCOMPARE(two.source().segments, question.sourceSegments);
        const Site site{Stage::Encoder, 0};
        QVERIFY(compare(one.matrix(site, 0).values, two.matrix(site, 0).values).largest > 1e-3);
        for (const std::vector<int>& wrong :
             {std::vector{0, 1}, std::vector{0, 0, 0, 0, 2}, std::vector{0, 0, 0, 0, -1}}) {
            question.sourceSegments = wrong;
            QCOMPARE(failure(model, question), ErrorKind::Input);
        }
    }

    void robertaReadsAPairWithoutTellingItsTextsApart()
    {
        const LoadedModel model = load("roberta-mlm");
        Question question;
        question.sourceIds = m_prompt;
        const Trace one = answer(question, model, m_engine);
        question.sourceSegments = {0, 0, 1, 1, 1};
        const Trace two = answer(question, model, m_engine);
        const Site site{Stage::Encoder, 1};
        QVERIFY(compare(one.matrix(site, 0).values, two.matrix(site, 0).values).largest == 0);
        QCOMPARE(two.source().segments, question.sourceSegments);
    }

    void mapsThatCannotFitAreRefusedBeforeTheRun()
    {
        Question question;
        question.sourceIds = std::vector<TokenId>(1'000'000, 3); // 32 TB of weights
        QCOMPARE(failure(load("llama-gqa"), question), ErrorKind::Resource);
    }

    void aTargetCannotBeForcedOnThem()
    {
        for (const char* name : {"bert-mlm", "gpt2-plain"}) {
            Question question;
            question.sourceIds = m_prompt;
            question.targetIds = std::vector<TokenId>{4};
            QCOMPARE(failure(load(name), question), ErrorKind::Input);
        }
    }
};

ATTN_TEST(TestOneText)

#include "tst_one_text.moc"
