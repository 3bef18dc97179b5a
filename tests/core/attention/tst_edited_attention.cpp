// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/attention.h"
#include "edits/attention_edits.h"
#include "support/compare.h"
#include "support/random_tensor.h"
#include "support/recording_sink.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using test::compare;
using test::randomTensor;
using test::RecordingSink;

namespace {

constexpr float masked = -std::numeric_limits<float>::infinity();

using Values = NumberVector<float>;
using Specs = std::vector<std::string>;

struct Maps
{
    Values weights;
    Values scores;
    Values context;
    Values sinks = {};
};

// The heads of a call attend to random values with these scores; what is reported, and what comes out.
class EditedCall
{
public:
    AttentionCall call{{Stage::Cross, 0}};
    int heads = 1;
    int columns = 0;
    bool reportsScores = true;

    Maps attend(const Values& scores, const Specs& specs)
    {
        std::vector<Edit> edits;
        std::ranges::transform(specs, std::back_inserter(edits),
                               [](const std::string& spec) { return parseEdit(spec); });
        const MapExtent map{call.site, heads, {}, {}, call.site.stage == Stage::Cross};
        const AttentionEdits own(edits, std::span(&map, 1));
        RecordingSink sink;
        const Capture capture{true, reportsScores, false, false, inside};
        const AttentionRun run{m_engine, sink, capture, true, own.empty() ? nullptr : &own};
        const Tensor values = randomTensor({columns, heads * 3}, 7);
        Tensor context({call.rows, heads * 3});
        attn::attend(
            run, call,
            [&](MutableView output, Index, const StageReport&) { std::ranges::copy(scores, output.values().begin()); },
            values.matrix().split(heads), context.matrix().split(heads));
        stages = sink.stages;
        Maps result{{}, {}, copyOf(std::as_const(context).matrix())};
        for (const auto& [reported, hypothesis] : sink.attentions) {
            result.weights.insert(result.weights.end(), reported.weights.values.begin(), reported.weights.values.end());
            result.scores.insert(result.scores.end(), reported.scores.values.begin(), reported.scores.values.end());
            result.sinks.insert(result.sinks.end(), reported.sinks.values.begin(), reported.sinks.values.end());
        }
        return result;
    }

    std::optional<CellAddress> inside = {};
    CellStages stages;

private:
    Engine m_engine{1};
};

// One row whose weights are those given; they sum to 1. sink: a score beside them.
Maps rowOf(const Values& weights, const Specs& specs, int row = 0, const std::vector<float>& sink = {})
{
    EditedCall edited;
    edited.call.sinks = sink;
    edited.call.rows = 1;
    edited.call.firstRow = row;
    edited.columns = static_cast<int>(weights.size());
    Values scores;
    for (const float weight : weights)
        scores.push_back(std::log(weight)); // of 0: masked
    return edited.attend(scores, specs);
}

void near(const Values& found, const Values& expected)
{
    const auto difference = compare(found, expected);
    QVERIFY2(difference.largest < 1e-6, difference.text().c_str());
}

Values reported(const Maps& maps)
{
    Values all = maps.weights;
    all.insert(all.end(), maps.scores.begin(), maps.scores.end());
    all.insert(all.end(), maps.context.begin(), maps.context.end());
    return all;
}

} // namespace

class TestEditedAttention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The exponentials of these scores sum to 1, and that of the sink is 1.
    void aSinkTakesPartInTheSoftmaxAndInNoEditAfterIt()
    {
        const Values row{0.2F, 0.3F, 0.5F};
        const auto withSink = [&](const Specs& specs) { return rowOf(row, specs, 0, {0.0F}); };
        const Maps plain = withSink({});
        near(plain.weights, {0.1F, 0.15F, 0.25F});
        near(plain.sinks, {0.5F});
        const Maps hidden = withSink({"cross:0:0:0:2=hide"});
        near(hidden.weights, {0.2F / 1.5F, 0.3F / 1.5F, 0});
        near(hidden.sinks, {1 / 1.5F});
        const Maps none = withSink({"cross:0:0:0:0-2=hide"});
        near(none.weights, {0, 0, 0});
        near(none.sinks, {1});
        const Maps zero = withSink({"cross:0:0:0:2=zero"});
        near(zero.weights, {0.1F, 0.15F, 0});
        near(zero.sinks, {0.5F});
        const Maps again = withSink({"cross:0:0:0:2=zero", "cross:0:0:0=renormalize"});
        near(again.weights, {0.4F, 0.6F, 0});
        near(again.sinks, {0.5F});
    }

    void whatEachChangeDoesToARow_data()
    {
        test::addColumns<Specs, Values>("specs", "weights");
        const auto row = [](const char* name, Specs specs, Values weights) {
            QTest::newRow(name) << std::move(specs) << std::move(weights);
        };
        // Of 0.5, 0.3, 0.2 and a masked cell.
        row("nothing", {}, {0.5F, 0.3F, 0.2F, 0});
        row("hide shares the weight", {"cross:0:0:0:0=hide"}, {0, 0.6F, 0.4F, 0});
        row("hide all", {"cross=hide"}, {0, 0, 0, 0});
        row("hides act together", {"cross:0:0:0:0=zero", "*:0:0:0:1=hide"}, {0, 0, 2.0F / 7, 0});
        row("zero", {"cross:0:0:0:1-2=zero"}, {0.5F, 0, 0, 0});
        row("set", {"cross:0:0:0:0,2=set:-0.25"}, {-0.25F, 0.3F, -0.25F, 0});
        row("scale", {"cross:0:0:0:1=scale:2.5"}, {0.5F, 0.75F, 0.2F, 0});
        row("uniform", {"cross:0:0:0:1-3=uniform"}, {0.5F, 0.25F, 0.25F, 0});
        row("renormalize", {"cross:0:0:0:0=zero", "cross:0:0:0:1=renormalize"}, {0, 0.6F, 0.4F, 0});
        row("a masked cell concerns nothing", {"cross:0:0:0:0=zero", "cross:0:0:0:3=renormalize"}, {0, 0.3F, 0.2F, 0});
        row("nor does a hidden one", {"cross:0:0:0:0=hide", "cross:0:0:0:1=zero", "cross:0:0:0:0=renormalize"},
            {0, 0, 0.4F, 0});
        row("no sum to divide by", {"cross=zero", "cross=renormalize"}, {0, 0, 0, 0});
        row("a negative sum", {"cross=set:-0.5", "cross=renormalize"}, {1.0F / 3, 1.0F / 3, 1.0F / 3, 0});
        row("in the order given", {"cross:0:0:0:0=scale:2", "cross:0:0:0:0-1=uniform", "cross:0:0:0:1=zero"},
            {0.65F, 0, 0.2F, 0});
        row("in another order", {"cross:0:0:0:1=zero", "cross:0:0:0:0-1=uniform", "cross:0:0:0:0=scale:2"},
            {0.5F, 0.25F, 0.2F, 0});
        row("other places",
            {"encoder=zero", "decoder=zero", "cross:1=zero", "cross:0:1=zero", "cross:0:0:1=zero",
             "cross:0:0:0:4-9=zero"},
            {0.5F, 0.3F, 0.2F, 0});
        row("a source token", {"source:0=hide"}, {0, 0.6F, 0.4F, 0});
        row("a token that is replaced", {"source:0=token:5"}, {0.5F, 0.3F, 0.2F, 0});
    }
    void whatEachChangeDoesToARow()
    {
        QFETCH(const Specs, specs);
        QFETCH(const Values, weights);
        const Maps maps = rowOf({0.5F, 0.3F, 0.2F, 0}, specs);
        near(maps.weights, weights);
        const Tensor values = randomTensor({4, 3}, 7);
        for (int feature = 0; feature < 3; ++feature) {
            double sum = 0;
            for (int key = 0; key < 4; ++key)
                sum += static_cast<double>(weights[static_cast<std::size_t>(key)]) * values.data()[key * 3 + feature];
            QVERIFY(std::abs(maps.context[static_cast<std::size_t>(feature)] - sum) < 1e-5);
        }
    }

    void reportedScoresAreThoseAfterHide()
    {
        const Maps maps = rowOf({0.5F, 0.3F, 0.2F}, {"cross:0:0:0:1=zero", "cross:0:0:0:2=hide"});
        near(maps.scores, {std::log(0.5F), std::log(0.3F), masked});
        EditedCall quiet;
        quiet.call.rows = 1;
        quiet.columns = 2;
        quiet.reportsScores = false;
        const Maps plain = quiet.attend({0, 0}, {"cross=zero"});
        QVERIFY(plain.scores.empty());
        near(plain.weights, {0, 0});
    }

    void rowsAreCountedFromTheCallsFirst()
    {
        EditedCall edited;
        edited.call.firstRow = 4;
        edited.call.rows = 3;
        edited.columns = 2;
        const Values even(6, 0.0F);
        near(edited.attend(even, {"cross:0:0:0-3=zero", "cross:0:0:5=zero", "cross:0:0:7-9=zero"}).weights,
             {0.5F, 0.5F, 0, 0, 0.5F, 0.5F});
        near(edited.attend(even, {"cross:0:0:6:1=hide"}).weights, {0.5F, 0.5F, 0.5F, 0.5F, 1, 0});
        edited.call.meaning = AttentionRows::Hypotheses; // all of them are row 4, each by itself
        near(edited.attend(even, {"cross:0:0:5=zero", "cross:0:0:4:1=hide"}).weights, {1, 0, 1, 0, 1, 0});
        near(edited.attend({0, 0, 0, std::log(3.0F), 0, 0}, {"cross:0:0:4:1=scale:2", "cross:0:0:4=renormalize"})
                 .weights,
             {1.0F / 3, 2.0F / 3, 1.0F / 7, 6.0F / 7, 1.0F / 3, 2.0F / 3});
    }

    void headsAreEditedByThemselves()
    {
        EditedCall edited;
        edited.call.rows = 1;
        edited.heads = 3;
        edited.columns = 2;
        const Values even(6, 0.0F);
        near(edited.attend(even, {"cross:0:1=zero", "cross:0:2:0:0=hide"}).weights, {0.5F, 0.5F, 0, 0, 0, 1});
        near(edited.attend(even, {"cross:0:0,2-5=zero"}).weights, {0, 0, 0.5F, 0.5F, 0, 0});
    }

    void whatTheModelMasksStaysAsItIs()
    {
        EditedCall edited;
        edited.call = {{Stage::Decoder, 1}, AttentionRows::Positions, 0, 0, 3, Mask::Causal, AttentionMode::Soft, 2};
        edited.columns = 3;
        const Maps maps = edited.attend(Values(9, 0.0F), {"decoder=set:0.4", "decoder:1:0:2=uniform"});
        near(maps.weights, {0.4F, 0, 0, 0.4F, 0.4F, 0, 0, 0.4F, 0.4F});
    }

    void edgesOfLocalAttention()
    {
        EditedCall edited;
        LocalScope local{{2.4F}, 1, true};
        edited.call.rows = 1;
        edited.call.local = &local;
        edited.columns = 5;
        const Values even(5, 0.0F);
        const auto gauss = [](int key) {
            const double distance = (key - static_cast<double>(2.4F)) / 0.5;
            return static_cast<float>(std::exp(-distance * distance / 2));
        };
        // Hiding shares the weight before the Gaussian and leaves the centre; the others come after it.
        near(edited.attend(even, {"cross:0:0:0:2=hide"}).weights, {0, gauss(1) / 2, 0, gauss(3) / 2, 0});
        near(edited.attend(even, {"cross=uniform"}).weights,
             {0, (gauss(1) + gauss(2) + gauss(3)) / 9, (gauss(1) + gauss(2) + gauss(3)) / 9,
              (gauss(1) + gauss(2) + gauss(3)) / 9, 0});
    }

    void hardAttentionChoosesAmongWhatIsNotHidden()
    {
        EditedCall edited;
        edited.call.rows = 1;
        edited.call.mode = AttentionMode::Hard;
        edited.columns = 3;
        near(edited.attend({1, 3, 2}, {"cross:0:0:0:1=hide"}).weights, {0, 0, 1});
        near(edited.attend({1, 3, 2}, {"cross=hide"}).weights, {0, 0, 0});
        near(edited.attend({1, 3, 2}, {"cross:0:0:0:1=scale:0.5", "cross:0:0:0:0=set:0.25"}).weights, {0.25F, 0.5F, 0});
    }

    void whatChangesNothingChangesNoBit()
    {
        for (std::uint32_t seed = 1; seed <= 20; ++seed) {
            EditedCall edited;
            edited.call = {{Stage::Decoder, 0}, AttentionRows::Positions, 0, 2, 4, Mask::Causal};
            edited.heads = 2;
            edited.columns = 6;
            const Tensor random = randomTensor({48}, seed);
            const Values scores(random.values().begin(), random.values().end());
            const Values plain = reported(edited.attend(scores, {}));
            for (const Specs& specs :
                 {Specs{"decoder=scale:1"}, Specs{"decoder:0:*:2:3-5=zero", "decoder:0:*:3:4-9=set:3"},
                  Specs{"decoder:0:0:3:5=hide"}, Specs{"decoder:0:1:4:2=uniform"},
                  Specs{"decoder:7=zero", "source:1=hide", "*=scale:1"}})
                QVERIFY2(reported(edited.attend(scores, specs)) == plain, specs.front().c_str());
        }
    }

    void thousandsActInOrder()
    {
        Specs specs(5000, "cross:0:0:0:0-1=uniform");
        specs.emplace_back("cross:0:0:0:0=set:0.125");
        for (int column = 2; column < 5000; ++column)
            specs.push_back("cross:0:0:" + std::to_string(column) + ":0=zero");
        near(rowOf({0.7F, 0.1F, 0.2F}, specs).weights, {0.125F, 0.4F, 0.2F});
    }

    void theInsideOfACellShowsTheEdit()
    {
        EditedCall edited;
        edited.call.rows = 1;
        edited.columns = 2;
        edited.inside = CellAddress{edited.call.site, 0, 0, 0};
        edited.attend({0, 0}, {"cross:0:0:0:1=zero"});
        near({edited.stages.values(StageKind::Softmax).begin(), edited.stages.values(StageKind::Softmax).end()},
             {0.5F, 0.5F});
        near({edited.stages.weights().begin(), edited.stages.weights().end()}, {0.5F, 0});
        edited.attend({0, 0}, {});
        QVERIFY(!edited.stages.has(StageKind::Edited));
    }
};

ATTN_TEST(TestEditedAttention)

#include "tst_edited_attention.moc"
