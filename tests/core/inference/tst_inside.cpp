// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/answer.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/golden_case.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

using namespace attn;
using test::compare;
using test::GoldenCase;

namespace {

using Values = NumberVector<float>;
using View = std::span<const float>;

Values softmaxOf(View scores)
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

Values sumOf(const CellStages& inside)
{
    const Numbers& values = *inside.find(StageKind::Values);
    Values sum(static_cast<std::size_t>(values.columns), 0);
    for (int row = 0; row < values.rows; ++row) {
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += inside.weights()[static_cast<std::size_t>(row)] * values.row(row)[i];
    }
    return sum;
}

double productOf(View a, View b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace

// What a run reports of the inside of one cell: every number follows from the ones before.
class TestInside : public QObject
{
    Q_OBJECT

private:
    Engine m_engine{2};

    Trace runCase(const GoldenCase& golden, const CellAddress& cell)
    {
        LoadedModel model;
        model.model = golden.model(m_engine);
        Question question;
        question.sourceIds = golden.sourceIds();
        if (model.model->info().kind == ModelKind::EncoderDecoder)
            question.targetIds = golden.ids("target_ids");
        question.capture.scores = true;
        question.capture.inside = cell;
        return answer(question, model, m_engine);
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
        const Site site{static_cast<Stage>(stage), 1};
        const Trace trace = runCase(golden, {site, 3, 4});
        const CellStages& inside = trace.stages();

        const View query =
            inside.values(inside.has(StageKind::RotatedQuery) ? StageKind::RotatedQuery : StageKind::Query);
        const bool rotary = name.startsWith(QStringLiteral("llama")) || name.startsWith(QStringLiteral("mistral"));
        QCOMPARE(inside.has(StageKind::RotatedQuery), rotary);
        const Numbers scores = trace.scores(site, 3);
        const Numbers weights = trace.matrix(site, 3);
        const View ownScores = inside.values(StageKind::Scores);
        const View products = inside.values(StageKind::Products);
        const float scale = inside.values(StageKind::Scale).front();
        const View biases = inside.values(StageKind::PositionBias);
        const auto columns = static_cast<int>(inside.weights().size());
        QCOMPARE(columns, scores.columns);
        for (int column = 0; column < columns; ++column) {
            const auto at = static_cast<std::size_t>(column);
            const View key = inside.find(StageKind::Keys)->row(column);
            QVERIFY(std::abs(productOf(query, key) - static_cast<double>(products[at])) < 1e-4);
            QCOMPARE(inside.weights()[at], weights.at(4, column));
            QCOMPARE(ownScores[at], scores.at(4, column));
            if (std::isinf(ownScores[at]))
                continue;
            const float bias = biases.empty() ? 0 : biases[at];
            QVERIFY(std::abs(products[at] * scale + bias - ownScores[at]) < 1e-4F);
        }
        QVERIFY(compare(softmaxOf(ownScores), inside.weights()).largest < 1e-5);
        const View context = inside.values(StageKind::Context);
        QVERIFY(compare(sumOf(inside), context).largest < 1e-5);
        const View own = inside.values(StageKind::Heads).subspan(3 * context.size(), context.size());
        QVERIFY(std::ranges::equal(context, own));
        QVERIFY(inside.has(StageKind::Input) && inside.has(StageKind::Output));
    }

    // One head and another way to score; what follows the softmax is recorded too.
    void theReaderOfItsOwnPastNamesItsParts()
    {
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / "text-lstmn-last");
        const Trace trace = runCase(golden, {{Stage::Encoder, 0}, 0, 3});
        const CellStages& inside = trace.stages();
        const View query = inside.values(StageKind::Query);
        const View summary = inside.values(StageKind::Summary);
        QVERIFY(summary.size() < query.size() && std::ranges::equal(summary, query.last(summary.size())));
        const Numbers* const annotations = inside.find(StageKind::Annotations);
        const Numbers* const values = inside.find(StageKind::Values);
        QVERIFY(annotations != nullptr && values != nullptr);
        QCOMPARE(annotations->rows, values->rows);
        QCOMPARE(2 * annotations->columns, values->columns); // the values are [h; c]
        for (int row = 0; row < annotations->rows; ++row) {
            const View h = annotations->row(row);
            QVERIFY(std::ranges::equal(h, values->row(row).first(h.size())));
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
        const Site site{static_cast<Stage>(stage), 0};
        const Trace trace = runCase(golden, {site, 0, row});
        const CellStages& inside = trace.stages();
        QVERIFY(!inside.empty());
        const Numbers weights = trace.matrix(site, 0);
        const View scores = inside.values(StageKind::Scores);
        const View raw = inside.has(StageKind::Undiscounted) ? inside.values(StageKind::Undiscounted) : scores;
        const View own = inside.weights();
        const auto columns = static_cast<int>(own.size());
        const float scale = inside.has(StageKind::Scale) ? inside.values(StageKind::Scale).front() : 1;
        for (int column = 0; column < columns; ++column) {
            const auto at = static_cast<std::size_t>(column);
            QCOMPARE(own[at], weights.at(row, column));
            if (std::isinf(raw[at]))
                continue;
            const double score = inside.has(StageKind::TanhLayer)
                ? productOf(inside.find(StageKind::TanhLayer)->row(column), inside.values(StageKind::ScoreVector))
                : static_cast<double>(inside.values(StageKind::Products)[at] * scale);
            QVERIFY(std::abs(score - static_cast<double>(raw[at])) < 1e-4);
        }
        const Values soft = softmaxOf(scores);
        QVERIFY(compare(soft, inside.values(StageKind::Softmax)).largest < 1e-5);
        QCOMPARE(inside.has(StageKind::Choice), name.contains(QStringLiteral("hard")));
        QCOMPARE(inside.has(StageKind::Gaussian), name.contains(QStringLiteral("local-p")));
        QCOMPARE(inside.has(StageKind::Window), name.contains(QStringLiteral("local")));
        if (inside.has(StageKind::Choice))
            QCOMPARE(own[static_cast<std::size_t>(std::ranges::max_element(soft) - soft.begin())], 1.0F);
        for (int column = 0; inside.has(StageKind::Gaussian) && column < columns; ++column) {
            const View window = inside.values(StageKind::Window);
            const double distance = static_cast<double>(static_cast<float>(column) - window[0]) / (window[1] / 2.0);
            const auto at = static_cast<std::size_t>(column);
            const double expected = static_cast<double>(soft[at]) * std::exp(-distance * distance / 2);
            QVERIFY(std::abs(expected - static_cast<double>(own[at])) < 1e-5);
        }
        const View context = inside.values(StageKind::Context);
        QVERIFY(compare(sumOf(inside), context).largest < 1e-5);
        QCOMPARE(inside.has(StageKind::AttentionalState),
                 name.startsWith(QStringLiteral("rnn-luong")) || name == QStringLiteral("rnn-paulus-lstm"));
        if (inside.has(StageKind::AttentionalState)) {
            QVERIFY(std::ranges::equal(context, inside.values(StageKind::JointState).first(context.size())));
            QVERIFY(std::ranges::all_of(inside.values(StageKind::AttentionalState),
                                        [](float unit) { return std::abs(unit) <= 1; }));
        }
    }

    void aRowThatDoesNotExistIsNotFound()
    {
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / "bert-mlm");
        for (const auto& [row, head, layer] : {std::tuple{99, 0, 0}, {0, 99, 0}, {0, 0, 99}}) {
            QVERIFY(runCase(golden, {{Stage::Encoder, layer}, head, row}).stages().empty());
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
            return answer(question, model, m_engine).hiddenStates(Stage::Encoder).back().values;
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

ATTN_TEST(TestInside)

#include "tst_inside.moc"
