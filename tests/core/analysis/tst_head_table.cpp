// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <array>
#include <cmath>
#include <limits>
// clang-format on
#include "analysis/head_table.h"
#include "analysis/output_change.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <memory>
#include <vector>

using namespace attn;

namespace {

constexpr float masked = -std::numeric_limits<float>::infinity();

// One encoder layer with one head over a source of three tokens.
Trace encoderTrace(const std::vector<float>& weights, const std::vector<float>& scores, Encoding source,
                   AttentionAxis rowAxis = AttentionAxis::Tokens)
{
    Provenance provenance;
    provenance.kind = ModelKind::EncoderOnly;
    const int columns = indexSize(source);
    const int rows = indexSize(weights) / columns;
    const std::vector<TokenId> ids = source.ids;
    TraceBuilder builder(std::move(source), nullptr, provenance, {});
    builder.begun(ids, {});
    AttentionBlock block;
    block.weights = {weights.data(), rows, columns};
    if (!scores.empty())
        block.scores = {scores.data(), rows, columns};
    block.rowAxis = rowAxis;
    builder.attention(block);
    builder.finished({});
    return builder.snapshot();
}

bool close(double a, double b)
{
    return std::abs(a - b) < 1e-6;
}

} // namespace

class TestHeadTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void measuresAreMeansOverRowsWithWeight()
    {
        const std::vector<float> weights{0.5F, 0.5F, 0, 0, 0, 0, 0.25F, 0.25F, 0.5F};
        const std::vector<float> scores{1, 1, masked, masked, masked, masked, 0, 0, 1};
        HeadTable table({7});
        table.add(encoderTrace(weights, scores, plainEncoding({5, 6, 7})));
        const HeadRow row = table.rows().at(0);
        QCOMPARE(row.rows, std::int64_t{2});
        const double first = std::log(2.0);
        const double last = 1.5 * std::log(2.0);
        QVERIFY(close(row.entropy, (first + last) / 2));
        QVERIFY(close(row.evenness, (1 + last / std::log(3.0)) / 2)); // two keys, then three
        QVERIFY(close(row.largest, 0.5));
        QVERIFY(close(row.distance, (0.5 + 0.75) / 2));
        QVERIFY(close(row.previous, 0.125));
        QVERIFY(close(row.self, 0.5));
        QVERIFY(close(row.next, 0.25));
        QVERIFY(close(row.first, 0.375));
        QVERIFY(close(row.special, 0.25)); // the last column
    }

    void onlyOneKeyIsEven()
    {
        HeadTable table;
        table.add(encoderTrace({1, 0, 0}, {2, masked, masked}, plainEncoding({5, 6, 7}), AttentionAxis::Text));
        const HeadRow row = table.rows().at(0);
        QCOMPARE(row.evenness, 1.0);
        QCOMPARE(row.entropy, 0.0);
        // A text has no neighbours.
        QVERIFY(std::isnan(row.distance) && std::isnan(row.previous) && std::isnan(row.self) && std::isnan(row.next));
        QCOMPARE(row.first, 1.0);
        QCOMPARE(row.special, 0.0);
    }

    void negativeWeightsHaveNoEntropy()
    {
        HeadTable table;
        table.add(encoderTrace({-0.5F, 1, 0.5F}, {0, 0, 0}, plainEncoding({5, 6, 7}), AttentionAxis::Text));
        QVERIFY(close(table.rows().at(0).entropy, 0.5 * std::log(2.0)));
    }

    void whatTheTokensSayCountsBeforeIds()
    {
        Encoding source = plainEncoding({5, 6, 7});
        source.special = {true, false, false};
        HeadTable table({7});
        table.add(encoderTrace({0.25F, 0.25F, 0.5F}, {}, source, AttentionAxis::Text));
        QVERIFY(close(table.rows().at(0).special, 0.25));
        QVERIFY(close(table.rows().at(0).evenness, 1.5 * std::log(2.0) / std::log(3.0))); // without scores
    }

    void sentencesAreWeighedByTheirRows()
    {
        HeadTable table;
        table.add(encoderTrace({1, 0, 0}, {}, plainEncoding({5, 6, 7}), AttentionAxis::Text));
        table.add(encoderTrace({0, 1, 0, 0, 1, 0, 0, 1, 0}, {}, plainEncoding({5, 6, 7}), AttentionAxis::Text));
        QCOMPARE(table.rows().size(), std::size_t{1});
        QCOMPARE(table.rows().at(0).rows, std::int64_t{4});
        QVERIFY(close(table.rows().at(0).first, 0.25));
        HeadTable empty;
        empty.add(encoderTrace({0, 0, 0}, {}, plainEncoding({5, 6, 7}), AttentionAxis::Text));
        QCOMPARE(empty.rows().at(0).rows, std::int64_t{0});
        QVERIFY(std::isnan(empty.rows().at(0).entropy));
    }

    void aChangeIsTheDivergenceOfBothDistributions()
    {
        const std::vector<float> before{std::log(1.0F), std::log(3.0F), 5, 5, 9, 9};
        const std::vector<float> after{std::log(2.0F), std::log(2.0F), 7, 7, 0, 1};
        const OutputDistributions distributions({before.data(), 3, 2}, {1, 0}); // the last row has no token
        const OutputChange change = distributions.changeTo({after.data(), 3, 2});
        QCOMPARE(change.places, std::int64_t{2});
        QVERIFY(close(change.divergence, 0.25 * std::log(0.5) + 0.75 * std::log(1.5)));
        QVERIFY(close(change.logProbability, std::log(0.5 / 0.75)));
        QVERIFY(close(change.meanDivergence().value(), change.divergence / 2));
        QVERIFY(distributions.changeTo({before.data(), 3, 2}) == (OutputChange{0, 0, 2}));
        QVERIFY(!OutputChange().meanDivergence());
    }

    void whatIsNoNumberStaysSo()
    {
        const std::vector<float> before{0, 1};
        const std::vector<float> after{0, std::numeric_limits<float>::quiet_NaN()};
        const OutputDistributions distributions({before.data(), 1, 2}, {0});
        QVERIFY(std::isnan(distributions.changeTo({after.data(), 1, 2}).divergence));
    }
};

QTEST_GUILESS_MAIN(TestHeadTable)
#include "tst_head_table.moc"
