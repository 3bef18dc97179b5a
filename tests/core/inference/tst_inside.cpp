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
#include <functional>
#include <initializer_list>
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

Values sumOf(View a, View b)
{
    Values sum(a.begin(), a.end());
    std::ranges::transform(sum, b, sum.begin(), std::plus<>());
    return sum;
}

// The vector, turned as the stages say.
Values turned(const CellStages& inside, View vector, float growth)
{
    const View said = inside.values(StageKind::Rotation);
    const auto width = static_cast<std::size_t>(said[0]);
    Values result(vector.begin(), vector.end());
    for (std::size_t pair = 0; pair < width / 2; ++pair) {
        const std::size_t first = static_cast<std::size_t>(said[1]) + (said[4] == 1 ? 2 * pair : pair);
        const std::size_t second = first + (said[4] == 1 ? 1 : width / 2);
        const double angle = inside.values(StageKind::Angles)[pair];
        const auto grown = static_cast<double>(said[5]);
        result[first] =
            static_cast<float>(grown * (vector[first] * std::cos(angle) - vector[second] * std::sin(angle)));
        result[second] =
            static_cast<float>(grown * (vector[second] * std::cos(angle) + vector[first] * std::sin(angle)));
    }
    for (float& value : result)
        value *= growth;
    return result;
}

View firstOf(const CellStages& inside, std::initializer_list<StageKind> kinds)
{
    const auto* const found = std::ranges::find_if(kinds, [&](StageKind kind) { return inside.has(kind); });
    return found == kinds.end() ? View() : inside.values(*found);
}

void verifyPositions(const CellStages& inside, int row)
{
    const View query = firstOf(inside, {StageKind::NormedQuery, StageKind::Query});
    const View key = firstOf(inside, {StageKind::NormedKey, StageKind::OwnKey});
    const View said = inside.values(StageKind::Rotation);
    QCOMPARE(inside.has(StageKind::RotatedQuery), !said.empty() && said[0] > 0);
    if (inside.has(StageKind::RotatedQuery)) {
        QVERIFY(compare(turned(inside, query, said[6]), inside.values(StageKind::RotatedQuery)).largest < 1e-5);
        QVERIFY(compare(turned(inside, key, 1), inside.values(StageKind::RotatedKey)).largest < 1e-5);
    }
    if (const View own = firstOf(inside, {StageKind::RotatedKey, StageKind::NormedKey, StageKind::OwnKey});
        !own.empty())
        QVERIFY(compare(own, inside.find(StageKind::Keys)->row(row)).largest < 1e-5);
    if (const View shared = inside.values(StageKind::SharedKey); !shared.empty())
        QVERIFY(std::ranges::equal(shared, inside.values(StageKind::OwnKey).last(shared.size())));
}

void verifyScores(const CellStages& inside, int row)
{
    const View scores = inside.values(StageKind::Scores);
    Values made(inside.values(StageKind::Products).begin(), inside.values(StageKind::Products).end());
    for (const StageKind part : {StageKind::ContentToPosition, StageKind::PositionToContent}) {
        if (inside.has(part))
            made = sumOf(made, inside.values(part));
    }
    for (float& score : made)
        score *= inside.values(StageKind::Scale).front();
    if (inside.has(StageKind::PositionBias))
        made = sumOf(made, inside.values(StageKind::PositionBias));
    if (inside.has(StageKind::Cap)) {
        const float cap = inside.values(StageKind::Cap).front();
        for (float& score : made)
            score = cap * std::tanh(score / cap);
        QVERIFY(compare(made, inside.values(StageKind::Capped)).largest < 1e-4);
    }
    const View reach = inside.values(StageKind::Reach);
    for (std::size_t key = 0; key < scores.size(); ++key) {
        const auto ahead = static_cast<float>(static_cast<int>(key) - row);
        if (!reach.empty() && (ahead > reach[1] || -ahead > reach[0]))
            QVERIFY(std::isinf(scores[key]));
        else if (!std::isinf(scores[key]))
            QVERIFY(std::abs(made[key] - scores[key]) < 1e-4F);
        else
            QVERIFY(ahead > 0); // later than a causal query
    }
    const View softmax = inside.values(StageKind::Softmax);
    const float sink = inside.has(StageKind::Sink) ? inside.values(StageKind::Sink)[1] : 0;
    QVERIFY(std::abs(std::reduce(softmax.begin(), softmax.end()) + sink - 1) < 1e-5F);
}

void verifySum(const CellStages& inside)
{
    Values sum = sumOf(inside.values(StageKind::State), firstOf(inside, {StageKind::Added, StageKind::Output}));
    if (inside.has(StageKind::FeedForward))
        sum = sumOf(sum, inside.values(StageKind::FeedForward));
    QVERIFY(compare(sum, inside.values(StageKind::Sum)).largest < 1e-4);
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
        const ModelInfo& info = model.model->info();
        if (info.kind == ModelKind::EncoderDecoder && info.task == TaskHead::None)
            question.targetIds = golden.ids("target_ids");
        question.capture.scores = true;
        question.capture.inside = cell;
        return answer(question, model, m_engine);
    }

private Q_SLOTS:
    void everyNumberFollowsFromThoseBefore_data()
    {
        test::addColumns<QString, int>("name", "stage");
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

    // Every published type, of all that a Transformer can be told by its configuration.
    void everySwitchIsAStage_data()
    {
        QTest::addColumn<QString>("path");
        for (const auto& directory : GoldenCase::directories()) {
            if (const std::string name = directory.filename().string(); name.starts_with("n-"))
                QTest::newRow(name.c_str()) << QString::fromStdString(directory.string());
        }
    }
    void everySwitchIsAStage()
    {
        QFETCH(QString, path);
        const GoldenCase golden(path.toStdString());
        const Trace whole = runCase(golden, {});
        QVERIFY(!whole.sites().empty());
        for (const Site& site : whole.sites()) {
            const int row = std::min(4, whole.shape(site).rows - 1);
            const Trace trace = runCase(golden, {site, whole.heads(site) - 1, row});
            const CellStages& inside = trace.stages();
            QVERIFY(!inside.empty());
            QCOMPARE(inside.has(StageKind::Embedding), site.layer == 0 && site.stage != Stage::Cross);
            verifyPositions(inside, row);
            verifyScores(inside, row);
            verifySum(inside);
        }
    }

    void theStagesAreThoseOfTheType_data()
    {
        test::addColumns<QString, int, int, bool, QList<float>>("name", "layer", "kind", "there", "begins");
        const auto add = [](const char* name, int layer, StageKind kind, const QList<float>& begins = {},
                            bool there = true) {
            const auto number = static_cast<int>(kind);
            QTest::addRow("%s layer %d stage %d", name, layer, number) << name << layer << number << there << begins;
        };
        const auto lacks = [&](const char* name, int layer, StageKind kind) { add(name, layer, kind, {}, false); };
        add("n-gemma2-defaults", 0, StageKind::EmbeddingScale, {std::sqrt(24.0F)});
        add("n-gemma2-defaults", 0, StageKind::Cap, {50});
        add("n-gemma2-defaults", 0, StageKind::Reach, {4, 0});
        lacks("n-gemma2-defaults", 1, StageKind::Reach);
        lacks("n-gemma2-defaults", 1, StageKind::Embedding);
        lacks("n-gemma2-defaults", 1, StageKind::NormedQuery);
        add("n-gemma3-text-local-first", 0, StageKind::NormedQuery);
        add("n-gemma3-text-local-first", 0, StageKind::NormedKey);
        add("n-gemma3-text-local-first", 0, StageKind::Rotation, {12, 0, 12, 10000, 0});
        add("n-gemma3-text-local-first", 1, StageKind::Rotation, {12, 0, 12, 1e6F, 0});
        add("n-olmo2-newer-keys", 0, StageKind::NormedKey);
        add("n-olmo2-newer-keys", 0, StageKind::Added);
        add("n-phi-half", 0, StageKind::Rotation, {4, 0, 8, 10000, 0});
        add("n-gptj-half", 0, StageKind::Rotation, {4, 0, 8, 10000, 1});
        add("n-gptj-half", 0, StageKind::FeedForward);
        add("n-cohere2-plain", 0, StageKind::Rotation, {8, 0, 8, 50000, 1});
        add("n-cohere2-plain", 1, StageKind::Rotation, {0, 0, 8});
        add("n-cohere2-plain", 1, StageKind::FeedForward);
        add("n-smollm3-list", 0, StageKind::Rotation, {0, 0, 8});
        lacks("n-smollm3-list", 0, StageKind::RotatedQuery);
        add("n-smollm3-list", 1, StageKind::Rotation, {8, 0, 8, 5e6F, 0});
        lacks("n-opt-projected", 0, StageKind::Rotation);
        add("n-granite-plain", 0, StageKind::EmbeddingScale, {4});
        add("n-granite-plain", 0, StageKind::Added);
        lacks("n-granite-plain", 0, StageKind::FeedForward);
        add("n-ministral3-plain", 0, StageKind::Rotation, {14, 0, 14, 1e6F, 0, 1, 1 + 0.2F * std::log(2.0F)});
        add("n-gpt-oss-bf16", 0, StageKind::Sink);
        add("n-gpt-oss-bf16", 0, StageKind::Reach, {3, 0});
        add("n-deepseek-v3-plain", 0, StageKind::KeyLatent);
        add("n-deepseek-v3-plain", 0, StageKind::SharedKey);
        lacks("n-deepseek-v3-plain", 0, StageKind::QueryLatent);
        add("n-deepseek-v3-plain", 0, StageKind::Rotation, {4, 8, 12, 10000, 1});
        add("n-modernbert-every-two", 1, StageKind::Reach, {3, 3});
        lacks("n-modernbert-every-two", 0, StageKind::Reach);
        add("n-modernbert-every-two", 0, StageKind::Rotation, {12, 0, 12, 160000, 0});
        add("n-deberta-v2-base", 0, StageKind::ContentToPosition);
        add("n-deberta-v2-base", 0, StageKind::PositionToContent);
        lacks("n-deberta-v2-p2c-only", 0, StageKind::ContentToPosition);
        add("n-albert-two-groups", 0, StageKind::NormedSum);
    }
    void theStagesAreThoseOfTheType()
    {
        QFETCH(QString, name);
        QFETCH(int, layer);
        QFETCH(int, kind);
        QFETCH(bool, there);
        QFETCH(QList<float>, begins);
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name.toStdString());
        const Stage stage = runCase(golden, {}).sites().front().stage;
        const Trace trace = runCase(golden, {{stage, layer}, 0, 5}); // a second context of 4 (Ministral 3)
        const CellStages& inside = trace.stages();
        const auto asked = static_cast<StageKind>(kind);
        QVERIFY(!inside.empty());
        QCOMPARE(inside.has(asked), there);
        const auto count = static_cast<std::size_t>(begins.size());
        QVERIFY(inside.values(asked).size() >= count);
        const Values expected(begins.begin(), begins.end());
        QVERIFY(compare(inside.values(asked).first(count), expected).largest < 1e-5);
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
        test::addColumns<QString, int, int>("name", "stage", "row");
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
