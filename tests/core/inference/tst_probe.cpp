// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/answer.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/golden_case.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attn;
using test::compare;
using test::GoldenCase;

namespace {

using Values = std::vector<float>;

Values rowOf(const ProbedMatrix& matrix, int row)
{
    const auto from = matrix.values.begin() + std::ptrdiff_t{row} * matrix.columns;
    return {from, from + matrix.columns};
}

Values softmaxOf(const Values& scores)
{
    const float largest = *std::ranges::max_element(scores);
    Values weights;
    for (const float score : scores)
        weights.push_back(std::exp(score - largest));
    const float sum = std::reduce(weights.begin(), weights.end());
    for (float& weight : weights)
        weight /= sum;
    return weights;
}

double productOf(const Values& a, const Values& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace

// What a probe records of a run: every number follows from the ones before.
class TestProbe : public QObject
{
    Q_OBJECT

private:
    Engine m_engine{2};

    Trace runCase(const GoldenCase& golden, const std::shared_ptr<AttentionProbe>& probe)
    {
        LoadedModel model;
        model.model = golden.model(m_engine);
        Question question;
        question.sourceIds = golden.sourceIds();
        if (model.model->info().kind == ModelKind::EncoderDecoder)
            question.targetIds = golden.ids("target_ids");
        question.capture.scores = true;
        return answer(question, model, m_engine, {.probe = probe});
    }

private Q_SLOTS:
    void everyNumberFollowsFromThoseBefore_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("stage");
        const auto add = [](const char* name, Stage stage, const char* what) {
            QTest::addRow("%s %s", name, what) << name << static_cast<int>(stage);
        };
        for (const char* name : {"bert-mlm", "t5-relu", "bart-plain"})
            add(name, Stage::Encoder, "encoder");
        for (const char* name : {"gpt2-plain", "llama-gqa", "mistral-wide-window", "t5-relu"})
            add(name, Stage::Decoder, "decoder");
        for (const char* name : {"marian-swish", "t5-relu"})
            add(name, Stage::Cross, "cross");
    }
    void everyNumberFollowsFromThoseBefore()
    {
        QFETCH(QString, name);
        QFETCH(int, stage);
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name.toStdString());
        const auto probe = std::make_shared<AttentionProbe>();
        probe->site = {static_cast<Stage>(stage), 1};
        probe->head = 3;
        probe->row = 4;
        const Trace trace = runCase(golden, probe);
        QVERIFY(probe->found);

        const Values& query = probe->rotatedQuery.empty() ? probe->query : probe->rotatedQuery;
        const bool rotary = name.startsWith(QStringLiteral("llama")) || name.startsWith(QStringLiteral("mistral"));
        QCOMPARE(!probe->rotatedQuery.empty(), rotary);
        const AttentionMatrix scores = trace.scores(probe->site, probe->head);
        const AttentionMatrix weights = trace.matrix(probe->site, probe->head);
        const auto columns = static_cast<int>(probe->weights.size());
        QCOMPARE(columns, scores.columns);
        for (int column = 0; column < columns; ++column) {
            const auto at = static_cast<std::size_t>(column);
            QVERIFY(std::abs(productOf(query, rowOf(probe->keys, column)) - static_cast<double>(probe->products[at]))
                    < 1e-4);
            QCOMPARE(probe->weights[at], weights.at(4, column));
            QCOMPARE(probe->scores[at], scores.at(4, column));
            if (std::isinf(probe->scores[at]))
                continue;
            const float bias = probe->positionBias.empty() ? 0 : probe->positionBias[at];
            QVERIFY(std::abs(probe->products[at] * probe->scale + bias - probe->scores[at]) < 1e-4F);
        }
        QVERIFY(compare(softmaxOf(probe->scores), probe->weights).largest < 1e-5);
        Values context(probe->context.size(), 0);
        for (int column = 0; column < columns; ++column) {
            const Values value = rowOf(probe->values, column);
            for (std::size_t i = 0; i < context.size(); ++i)
                context[i] += probe->weights[static_cast<std::size_t>(column)] * value[i];
        }
        QVERIFY(compare(context, probe->context).largest < 1e-5);
        const auto own = probe->heads.begin() + std::ptrdiff_t{3} * static_cast<std::ptrdiff_t>(context.size());
        QVERIFY(std::equal(probe->context.begin(), probe->context.end(), own));
        QVERIFY(!probe->input.empty() && !probe->output.empty());
    }

    // One head and another way to score; what follows the softmax is recorded too.
    void theReaderOfItsOwnPastNamesItsParts()
    {
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / "text-lstmn-last");
        const auto probe = std::make_shared<AttentionProbe>();
        probe->site = {Stage::Encoder, 0};
        probe->row = 3;
        (void)runCase(golden, probe);
        QCOMPARE(probe->queryFormula, std::string("[x_t; h~_(t-1)]"));
        QVERIFY(!probe->query.empty());
        QCOMPARE(probe->annotations.rows, probe->values.rows);
        QCOMPARE(2 * probe->annotations.columns, probe->values.columns); // the values are [h; c]
        for (int row = 0; row < probe->annotations.rows; ++row) {
            const auto h = rowOf(probe->annotations, row);
            const auto both = rowOf(probe->values, row);
            QVERIFY(std::equal(h.begin(), h.end(), both.begin()));
        }
    }

    void scoresOfRecurrentModelsFollow_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("stage");
        QTest::addColumn<int>("row");
        const auto add = [](const char* name, Stage stage, int row) {
            QTest::newRow(name) << name << static_cast<int>(stage) << row;
        };
        for (const char* name :
             {"rnn-bahdanau-gru", "rnn-bahdanau-hard", "rnn-luong-concat", "rnn-luong-dot", "rnn-luong-general-feeding",
              "rnn-luong-local-m", "rnn-luong-local-p", "rnn-luong-low-rank-tied", "rnn-luong-scaled-dot",
              "rnn-temporal-bahdanau", "rnn-paulus-lstm"})
            add(name, Stage::Cross, 2);
        add("rnn-intra-bahdanau", Stage::Decoder, 3);
        add("text-lstmn-last", Stage::Encoder, 3);
        add("text-structured", Stage::Encoder, 1);
        for (const char* name : {"text-pooling-gru-dot", "text-pooling-lstm", "text-hierarchical-gru"})
            add(name, Stage::Encoder, 0);
    }
    void scoresOfRecurrentModelsFollow()
    {
        QFETCH(QString, name);
        QFETCH(int, stage);
        QFETCH(int, row);
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name.toStdString());
        const auto probe = std::make_shared<AttentionProbe>();
        probe->site = {static_cast<Stage>(stage), 0};
        probe->row = row;
        const Trace trace = runCase(golden, probe);
        QVERIFY(probe->found);
        const AttentionMatrix weights = trace.matrix(probe->site, 0);
        const Values& raw = probe->undiscounted.empty() ? probe->scores : probe->undiscounted;
        const auto columns = static_cast<int>(probe->weights.size());
        for (int column = 0; column < columns; ++column) {
            const auto at = static_cast<std::size_t>(column);
            QCOMPARE(probe->weights[at], weights.at(row, column));
            if (std::isinf(raw[at]))
                continue;
            const double score = probe->tanhLayer.rows > 0
                ? productOf(rowOf(probe->tanhLayer, column), probe->v)
                : static_cast<double>(probe->products[at]) * static_cast<double>(probe->scale);
            QVERIFY(std::abs(score - static_cast<double>(raw[at])) < 1e-4);
        }
        const Values soft = softmaxOf(probe->scores);
        QCOMPARE(probe->softWeights.empty(), !probe->gaussian && !probe->hard);
        QVERIFY(compare(soft, probe->softWeights.empty() ? probe->weights : probe->softWeights).largest < 1e-5);
        QCOMPARE(probe->hard, name.contains(QStringLiteral("hard")));
        QCOMPARE(probe->gaussian, name.contains(QStringLiteral("local-p")));
        QCOMPARE(probe->center.has_value(), name.contains(QStringLiteral("local")));
        if (probe->hard)
            QCOMPARE(probe->weights.at(static_cast<std::size_t>(std::ranges::max_element(soft) - soft.begin())), 1.0F);
        for (int column = 0; probe->gaussian && column < columns; ++column) {
            const double distance = (column - static_cast<double>(*probe->center)) / (probe->window / 2.0);
            const auto at = static_cast<std::size_t>(column);
            const double expected = static_cast<double>(soft[at]) * std::exp(-distance * distance / 2);
            QVERIFY(std::abs(expected - static_cast<double>(probe->weights[at])) < 1e-5);
        }
        Values context(probe->context.size(), 0);
        for (int column = 0; column < columns; ++column) {
            const Values value = rowOf(probe->values, column);
            for (std::size_t i = 0; i < context.size(); ++i)
                context[i] += probe->weights[static_cast<std::size_t>(column)] * value[i];
        }
        QVERIFY(compare(context, probe->context).largest < 1e-5);
        QCOMPARE(probe->attentional,
                 name.startsWith(QStringLiteral("rnn-luong")) || name == QStringLiteral("rnn-paulus-lstm"));
        if (probe->attentional) {
            QVERIFY(std::equal(context.begin(), context.end(), probe->context.begin(),
                               [](float a, float b) { return std::abs(a - b) < 1e-5F; }));
            QVERIFY(std::equal(probe->context.begin(), probe->context.end(), probe->heads.begin()));
            QVERIFY(!probe->output.empty()
                    && std::ranges::all_of(probe->output, [](float unit) { return std::abs(unit) <= 1; }));
        }
    }

    void aRowThatDoesNotExistIsNotFound()
    {
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / "bert-mlm");
        for (const auto& [row, head, layer] : {std::tuple{99, 0, 0}, {0, 99, 0}, {0, 0, 99}}) {
            const auto probe = std::make_shared<AttentionProbe>();
            probe->site = {Stage::Encoder, layer};
            probe->row = row;
            probe->head = head;
            (void)runCase(golden, probe);
            QVERIFY(!probe->found);
        }
    }

    void withoutPositionsOrderDoesNotMatter_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bert-mlm", "distilbert-mlm", "roberta-mlm"})
            QTest::newRow(name) << name;
    }
    void withoutPositionsOrderDoesNotMatter()
    {
        QFETCH(QString, name);
        LoadedModel model;
        model.model = GoldenCase(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name.toStdString()).model(m_engine);
        const std::vector<TokenId> ids{4, 9, 16, 25, 36};
        const std::vector<int> order{3, 0, 4, 2, 1};
        const auto hidden = [&](bool shuffled, bool withoutPositions) {
            Question question;
            question.capture.hidden = true;
            question.withoutPositions = withoutPositions;
            question.sourceIds.emplace();
            for (std::size_t i = 0; i < ids.size(); ++i)
                question.sourceIds->push_back(ids[shuffled ? static_cast<std::size_t>(order[i]) : i]);
            return *answer(question, model, m_engine).encoderHidden().back();
        };
        const auto permuted = [&](const Values& rows) {
            const std::size_t width = rows.size() / ids.size();
            Values result;
            for (const int from : order)
                result.insert(result.end(), rows.begin() + from * static_cast<std::ptrdiff_t>(width),
                              rows.begin() + (from + 1) * static_cast<std::ptrdiff_t>(width));
            return result;
        };
        QVERIFY(compare(hidden(true, true), permuted(hidden(false, true))).largest < 1e-5);
        QVERIFY(compare(hidden(true, false), permuted(hidden(false, false))).largest > 1e-2);
    }

    void embeddingsAreTheRowsOfTheTable()
    {
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / "gpt2-plain");
        const auto model = golden.model(m_engine);
        const Tensor rows = model->embeddings(std::vector<TokenId>{3, 3, 7}, Stage::Decoder);
        QCOMPARE(rows.shape(), (Shape{3, 32}));
        QVERIFY(compare(rows.matrix().row(0), rows.matrix().row(1)).largest == 0);
        QVERIFY(compare(rows.matrix().row(0), rows.matrix().row(2)).largest > 1e-3);
    }
};

QTEST_GUILESS_MAIN(TestProbe)

#include "tst_probe.moc"
