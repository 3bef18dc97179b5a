// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/scores.h"
#include "base/error.h"
#include "experiments/other_weights.h"
#include "inference/forced_output.h"
#include "support/test_program.h"
#include "workplace.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

using namespace attn;
using test::asked;
using test::Workplace;

namespace {

constexpr double mostChange = 0.05;

OtherWeightsResult replaced(Workplace& place, const std::string& model, Site site, std::optional<int> head = {})
{
    OtherWeightsExperiment experiment(
        {.question = asked(model, "s4 s5 s6 s7"), .site = site, .head = head, .most = mostChange});
    carryOut(experiment, place.bench());
    return experiment.result();
}

// How far the distribution at a place of the output moves with other weights in its row.
double movedBy(Workplace& place, const std::string& path, const Trace& run, const OtherWeights& output, Site site,
               const std::vector<float>& weights)
{
    const auto model = place.load(path);
    ForcedOutput forced(model->model, fitted(asked(path, "s4 s5 s6 s7"), *model), run);
    std::vector<Edit> edits;
    for (std::size_t column = 0; column < weights.size(); ++column)
        edits.push_back(parseEdit(std::string(site.stage == Stage::Cross ? "cross" : "decoder") + ':'
                                  + std::to_string(site.layer) + ":0:" + std::to_string(output.place) + ':'
                                  + std::to_string(column) + "=set:" + std::to_string(weights[column])));
    const auto distributionOf = [&](std::span<const Edit> further) {
        const Tensor logits = forced.logits(further, place.engine, {});
        return softmax(logits.matrix().row(output.place));
    };
    const std::vector<float> before = distributionOf({});
    const std::vector<float> after = distributionOf(edits);
    double sum = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        sum += std::abs(static_cast<double>(before[i]) - static_cast<double>(after[i]));
    return sum / 2;
}

} // namespace

class TestOtherWeights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Of a model with one head the edits can be written down here.
    void changesAreThoseOfTheEdits()
    {
        Workplace place;
        const std::string path = place.model(test::recurrentModel);
        const Site site{Stage::Cross, 0};
        const OtherWeightsResult result = replaced(place, path, site);
        QVERIFY(!result.outputs.empty() && !result.wholeMap);
        QCOMPARE(static_cast<int>(result.outputs.size()), result.run->steps());
        for (const OtherWeights& output : result.outputs) {
            const Numbers map = result.run->matrix(site, 0);
            const auto row = map.row(output.place);
            QVERIFY(std::ranges::equal(output.weights, row));
            QCOMPARE(output.largest, static_cast<double>(*std::ranges::max_element(row)));
            const std::vector<float> equal(
                row.size(), std::accumulate(row.begin(), row.end(), 0.0F) / static_cast<float>(row.size()));
            QVERIFY(std::abs(movedBy(place, path, *result.run, output, site, equal) - output.uniform) < 1e-4);
            QVERIFY(std::abs(movedBy(place, path, *result.run, output, site, output.others) - output.adversarial)
                    < 1e-4);
        }
    }

    void whatIsFoundLeavesTheOutputAndIsUnlike()
    {
        Workplace place;
        const std::string path = place.model(test::transformerModel);
        for (const Site site : {Site{Stage::Cross, 0}, Site{Stage::Decoder, 0}}) {
            const OtherWeightsResult result = replaced(place, path, site, 0);
            for (const OtherWeights& output : result.outputs) {
                QVERIFY(output.adversarial <= mostChange);
                QVERIFY(output.divergence >= 0 && output.divergence <= std::numbers::ln2 + 1e-6);
                QVERIFY(std::ranges::is_sorted(output.shuffled));
                QCOMPARE(output.shuffled.size(), std::size_t{20});
                QVERIFY(output.keeping >= 0 && output.keeping <= 1 + 1e-9);
                const auto sumOf = [](const std::vector<float>& row) {
                    return std::accumulate(row.begin(), row.end(), 0.0);
                };
                QVERIFY(std::abs(sumOf(output.others) - sumOf(output.weights)) < 1e-4);
                for (std::size_t key = 0; key < output.weights.size(); ++key) // masked ones stay so
                    QVERIFY(output.weights[key] > 0 || output.others[key] == 0);
            }
            if (site.stage == Stage::Decoder) // the first row sees one key only
                QVERIFY(std::ranges::find(result.outputs, 0, &OtherWeights::place) == result.outputs.end());
            else
                QVERIFY(result.outputs.front().divergence > 0);
        }
    }

    void whatHasNoSuchAttentionIsRefused()
    {
        Workplace place;
        QVERIFY_THROWS_EXCEPTION(Error, replaced(place, place.model(test::recurrentModel), {Stage::Encoder, 0}));
        QVERIFY_THROWS_EXCEPTION(Error, replaced(place, place.model(test::blindModel), {Stage::Cross, 0}));
    }

    void rowsOfTheSourceChangeTogether()
    {
        Workplace place;
        const OtherWeightsResult result = replaced(place, place.model(test::transformerModel), {Stage::Encoder, 1});
        QVERIFY(result.wholeMap);
        QCOMPARE(result.outputs.size(), std::size_t{1});
        QVERIFY(result.outputs.front().uniform > 0);
    }
};

ATTN_TEST(TestOtherWeights)
#include "tst_other_weights.moc"
