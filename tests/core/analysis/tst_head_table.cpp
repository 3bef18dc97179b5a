// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <array>
#include <cmath>
#include <limits>
// clang-format on
#include "analysis/head_measures.h"
#include "analysis/head_table.h"
#include "analysis/output_change.h"
#include "base/error.h"
#include "base/progress.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <memory>
#include <numbers>
#include <random>
#include <set>
#include <stop_token>
#include <string>
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

// Rows that give `sharp` of their weight to the column that `place` names, if there is one, and the rest evenly.
std::vector<float> looking(int size, float sharp, const std::function<int(int)>& place, bool causal = false)
{
    std::vector<float> weights(static_cast<std::size_t>(size * size));
    for (int row = 0; row < size; ++row) {
        const int keys = causal ? row + 1 : size;
        const int at = place(row);
        const bool is = at >= 0 && at < keys;
        for (int column = 0; column < keys; ++column)
            weights[static_cast<std::size_t>(row * size + column)] =
                (is ? 1 - sharp : 1.0F) / static_cast<float>(keys) + (is && column == at ? sharp : 0);
    }
    return weights;
}

std::optional<HeadKind> kindOf(const std::vector<float>& weights, Encoding tokens)
{
    HeadTable table;
    table.add(encoderTrace(weights, {}, std::move(tokens)));
    return headKind(table.rows().at(0));
}

Encoding tokensOf(int size)
{
    std::vector<TokenId> ids;
    for (int i = 0; i < size; ++i)
        ids.push_back(10 + i);
    return plainEncoding(ids);
}

HeadSketch sketchOf(int size, const std::vector<float>& weights)
{
    return headSketch({weights.data(), size, size});
}

std::vector<float> randomRows(int size, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<float> weights(static_cast<std::size_t>(size * size));
    for (float& weight : weights)
        weight = static_cast<float>(random() % 1000) / 1000;
    return weights;
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

    // Nor has the mean of what is no number and of another sentence.
    void aHeadWhoseWeightsAreNoNumbersHasNoMeasures()
    {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        for (const float weight : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
            std::vector<float> weights = looking(8, 0.9F, [](int row) { return row - 1; });
            QCOMPARE(kindOf(weights, tokensOf(8)), std::optional(HeadKind::Previous));
            weights[8 * 3 + 5] = weight;
            QCOMPARE(kindOf(weights, tokensOf(8)), std::nullopt);
            HeadTable table;
            table.add(encoderTrace(weights, {}, plainEncoding({1, 1, 2, 2, 3, 3, 4, 4})));
            table.add(encoderTrace(looking(8, 0.9F, [](int row) { return row; }), {}, tokensOf(8)));
            const HeadRow row = table.rows().at(0);
            QCOMPARE(row.rows, std::int64_t{16});
            for (const HeadMeasure& measure : headMeasures())
                QVERIFY2(std::isnan(measure.value({row})), measure.id);
            QVERIFY(std::isnan(row.same) && std::isnan(row.wideEvenness));
        }
    }

    void headsWithoutNumbersAreLikeNoOthers()
    {
        const std::vector<float> even(16, 0.25F);
        std::vector<float> lost = even;
        lost[6] = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(headDistance(sketchOf(4, even), sketchOf(4, even)), 0.0);
        QCOMPARE(headDistance(sketchOf(4, even), sketchOf(4, lost)), std::numbers::ln2);
        QCOMPARE(headDistance(sketchOf(4, lost), sketchOf(4, lost)), std::numbers::ln2);
        const std::vector<int> groups =
            groupHeads({sketchOf(4, even), sketchOf(4, lost), sketchOf(4, even), sketchOf(4, lost)});
        QCOMPARE(groups, (std::vector<int>{0, 1, 0, 2}));
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

    // --- kinds

    void headsAreNamedByWhereTheyLook_data()
    {
        test::addColumns<int, int>("offset", "kind");
        QTest::newRow("previous") << -1 << static_cast<int>(HeadKind::Previous);
        QTest::newRow("self") << 0 << static_cast<int>(HeadKind::Self);
        QTest::newRow("next") << 1 << static_cast<int>(HeadKind::Next);
    }
    void headsAreNamedByWhereTheyLook()
    {
        QFETCH(const int, offset);
        QFETCH(const int, kind);
        const auto place = [offset](int row) { return row + offset; };
        QCOMPARE(kindOf(looking(8, 0.8F, place), tokensOf(8)), std::optional(static_cast<HeadKind>(kind)));
        QCOMPARE(kindOf(looking(8, 0.4F, place), tokensOf(8)), std::optional<HeadKind>()); // not clearly
        QCOMPARE(kindOf(looking(3, 1, place), tokensOf(3)), std::optional<HeadKind>()); // too short to say
        if (offset <= 0)
            QCOMPARE(kindOf(looking(8, 0.9F, place, true), tokensOf(8)), std::optional(static_cast<HeadKind>(kind)));
    }

    void firstAndSpecialTokensAreToldApart()
    {
        Encoding tokens = tokensOf(8);
        tokens.special = {true, false, false, false, false, false, false, true};
        QCOMPARE(kindOf(looking(8, 0.8F, [](int) { return 0; }), tokens), std::optional(HeadKind::First));
        QCOMPARE(kindOf(looking(8, 0.8F, [](int) { return 7; }), tokens), std::optional(HeadKind::Special));
        QCOMPARE(kindOf(looking(8, 0.8F, [](int row) { return row % 2 == 0 ? 0 : 7; }), tokens),
                 std::optional(HeadKind::Special));
        QCOMPARE(kindOf(looking(8, 0.8F, [](int) { return 4; }), tokens), std::optional<HeadKind>());
    }

    void evenRowsAreBroadHoweverLong()
    {
        const auto nowhere = [](int) { return -1; };
        for (const int size : {4, 8, 40}) {
            QCOMPARE(kindOf(looking(size, 0, nowhere), tokensOf(size)), std::optional(HeadKind::Broad));
            // Of a short causal text, too few rows have a choice; half of them even lies on the first token.
            const auto causal = size == 4 ? std::nullopt : std::optional(HeadKind::Broad);
            QCOMPARE(kindOf(looking(size, 0, nowhere, true), tokensOf(size)), causal);
        }
    }

    void onlyRowsWithAChoiceAreBroad()
    {
        const auto first = [](int) { return 0; };
        HeadTable table;
        table.add(encoderTrace(looking(12, 0.2F, first, true), {}, tokensOf(12)));
        const HeadRow row = table.rows().at(0);
        QCOMPARE(row.wideRows, std::int64_t{9});
        QVERIFY(row.evenness > broadEvenness && row.wideEvenness < row.evenness); // by the rows of one to three keys
        HeadRow head = row;
        head.wideEvenness = broadEvenness - 0.001;
        QCOMPARE(headKind(head), std::optional<HeadKind>());
        head.wideEvenness = broadEvenness;
        QCOMPARE(headKind(head), std::optional(HeadKind::Broad));
        // A third of the weight on one of eight tokens: 0.9, which is not clearly broad.
        QCOMPARE(kindOf(looking(8, 0.3F, first), tokensOf(8)), std::optional<HeadKind>());
    }

    void aHeadOfTheSameWordLooksAtTheOthers()
    {
        const Encoding again = plainEncoding({5, 6, 7, 8, 5, 6, 7, 8});
        const auto other = [](int row) { return (row + 4) % 8; };
        QCOMPARE(kindOf(looking(8, 0.8F, other), again), std::optional(HeadKind::SameToken));
        QCOMPARE(kindOf(looking(8, 0.8F, other), tokensOf(8)), std::optional<HeadKind>()); // no word occurs twice
        // Causal: only those that come again have something to look at.
        QCOMPARE(kindOf(looking(
                            8, 0.9F, [](int row) { return row - 4; }, true),
                        again),
                 std::optional(HeadKind::SameToken));
        Encoding separators = again;
        separators.special.assign(8, true); // that look at each other are no same words
        QVERIFY(kindOf(looking(8, 0.8F, other), separators) != HeadKind::SameToken);
    }

    void anInductionHeadLooksBehindTheSameToken()
    {
        const Encoding again = plainEncoding({5, 6, 7, 8, 5, 6, 7, 8});
        const auto after = [](int row) { return row - 3; };
        QCOMPARE(kindOf(looking(8, 0.9F, after, true), again), std::optional(HeadKind::Induction));
        QCOMPARE(kindOf(looking(8, 0.9F, after, true), tokensOf(8)), std::optional<HeadKind>());
    }

    // Nearly everything that can be seen is special: no head has anything else to look at.
    void whatIsNoMoreThanByChanceHasNoName()
    {
        Encoding tokens = tokensOf(8);
        tokens.special = {true, true, true, true, true, true, false, true};
        const auto special = [](int row) { return row == 7 ? 5 : row / 2; };
        const auto rarely = [special](int row) { return row < 3 ? 6 : special(row); };
        QCOMPARE(kindOf(looking(8, 0.9F, special), tokens), std::optional(HeadKind::Special));
        HeadTable table;
        table.add(encoderTrace(looking(8, 0.9F, rarely), {}, tokens));
        const HeadRow row = table.rows().at(0);
        QVERIFY(row.special > kindShare && close(row.shuffled.special, 7.0 / 8));
        QCOMPARE(kindOf(looking(8, 0.9F, rarely), tokens), std::optional<HeadKind>());
        QVERIFY(close(row.shuffled.previous, 7.0 / 64) && close(row.shuffled.first, 1.0 / 8)); // row 0 has none before
    }

    void eachMeasureAndKindIsDescribed()
    {
        std::set<std::string> ids;
        for (const HeadMeasure& measure : headMeasures()) {
            QVERIFY(std::string(measure.title).size() > 0 && std::string(measure.help).size() > 0);
            QVERIFY(ids.insert(measure.id).second);
            QVERIFY(std::isnan(measure.value(DescribedHead{}))); // nothing is known
        }
        QCOMPARE(headKindRows().size(), static_cast<std::size_t>(HeadKind::Broad) + 1);
    }

    void oneStageAndAStopAreObeyed()
    {
        const Trace trace = encoderTrace({1, 0, 0}, {}, plainEncoding({5, 6, 7}), AttentionAxis::Text);
        HeadTable other;
        other.add(trace, {}, Stage::Decoder);
        QVERIFY(other.rows().empty());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Error, other.add(trace, {}, {}, stop.get_token()));
    }

    // --- groups

    void theDistanceIsTheDivergenceOfRows()
    {
        const HeadSketch first = sketchOf(2, {1, 0, 0, 1});
        QVERIFY(close(headDistance(first, first), 0));
        QVERIFY(close(headDistance(first, sketchOf(2, {0, 1, 1, 0})), std::numbers::ln2)); // nothing in common
        QVERIFY(close(headDistance(first, sketchOf(2, {0, 1, 0, 1})), std::numbers::ln2 / 2)); // one row of two
        QVERIFY(close(headDistance(first, sketchOf(2, {4, 0, 0, 0.5F})), 0)); // rows are distributions
        QVERIFY(close(headDistance(first, sketchOf(1, {1})), std::numbers::ln2)); // of another size
        const HeadSketch a = sketchOf(6, randomRows(6, 1));
        const HeadSketch b = sketchOf(6, randomRows(6, 2));
        QVERIFY(headDistance(a, b) > 0 && headDistance(a, b) < std::numbers::ln2);
        QCOMPARE(headDistance(a, b), headDistance(b, a));
    }

    void longTextsAreStillToldApart()
    {
        const auto at = [](int offset) {
            return sketchOf(300, looking(300, 0.9F, [offset](int row) { return row + offset; }));
        };
        QVERIFY(at(0).cells.size() < 32 * 40);
        QVERIFY(headDistance(at(-1), at(0)) > 0.3);
        QVERIFY(headDistance(at(-1), at(-2)) > 0.3);
        QVERIFY(close(headDistance(at(1), at(1)), 0));
    }

    void headsThatAreAlikeAreOneGroupInAnyOrder()
    {
        std::vector<std::vector<float>> maps;
        std::vector<int> made; // which of three patterns
        for (int i = 0; i < 12; ++i) {
            const int pattern = i % 3;
            made.push_back(pattern);
            maps.push_back(looking(10, 0.8F + 0.01F * static_cast<float>(i),
                                   [pattern](int row) { return pattern == 0 ? 0 : row + (pattern == 1 ? 1 : -1); }));
        }
        std::vector<int> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        std::mt19937 random(3);
        for (int turn = 0; turn < 5; ++turn) {
            std::vector<HeadSketch> sketches;
            for (const int i : order)
                sketches.push_back(sketchOf(10, maps[static_cast<std::size_t>(i)]));
            const std::vector<int> groups = groupHeads(sketches);
            QCOMPARE(groups.size(), maps.size());
            QCOMPARE(groups.front(), 0);
            for (std::size_t a = 0; a < groups.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b)
                    QCOMPARE(groups[a] == groups[b],
                             made[static_cast<std::size_t>(order[a])] == made[static_cast<std::size_t>(order[b])]);
            }
            QVERIFY(groups == groupHeads(sketches)); // the same again
            std::ranges::shuffle(order, random);
        }
    }

    void thereAreAtMostEightGroups()
    {
        std::vector<HeadSketch> sketches;
        for (int column = 0; column < 12; ++column) // as far from each other as can be
            sketches.push_back(sketchOf(12, looking(12, 1, [column](int) { return column; })));
        const std::vector<int> groups = groupHeads(sketches);
        QCOMPARE(std::ranges::max(groups), 7);
        QVERIFY(groupHeads({}).empty());
        QCOMPARE(groupHeads({sketches.front()}), std::vector<int>{0});
        std::stop_source stop;
        stop.request_stop();
        const ThreadStop ofGroups(stop.get_token());
        QVERIFY_THROWS_EXCEPTION(Error, (void)groupHeads(sketches));
    }
};

ATTN_TEST(TestHeadTable)
#include "tst_head_table.moc"
