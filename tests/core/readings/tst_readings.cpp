// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "readings/head_reading.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace attn;

namespace {

constexpr Site layer0{Stage::Encoder, 0};

// Two tokens, three layers of two heads, the last of one row.
Trace someRun(float first = 0.25F)
{
    Encoding source;
    source.ids = {5, 6};
    TraceBuilder builder(source, nullptr, {});
    builder.begun(source.ids, 9);
    const NumberVector<float> weights{first, 0.75F, 0.5F, 0.5F, 1, 0, 0, 1};
    builder.attention({layer0, 0, 0, {weights.data(), 2, 2, 2}, {}});
    builder.attention({{Stage::Encoder, 1}, 0, 0, {weights.data(), 2, 2, 2}, {}});
    builder.attention({{Stage::Encoder, 2}, 0, 0, {weights.data(), 2, 1, 2}, {}});
    return builder.snapshot();
}

NumberVector<float> combined(const Trace& trace, const Reading& reading, const HeadSet& picked)
{
    return reading.compute(readingInput(trace, {layer0, reading}, {}, picked), {}).values;
}

} // namespace

class TestReadings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachHasOneId()
    {
        std::set<std::string> ids;
        for (const Reading* reading : readings())
            QVERIFY(ids.insert(reading->id).second);
        QVERIFY(readings().front() == &oneHead);
    }

    void headsOfSeveralLayersGoTogether()
    {
        const Trace trace = someRun();
        const HeadSet picked{{0}, {{1, 1}, {0, 1}, {7, 0}, {1, 9}}}; // of the layer itself, and two that do not exist
        QVERIFY((picked.existing(trace, layer0) == std::vector<HeadPlace>{{0, 0}, {1, 1}}));
        QVERIFY((combined(trace, meanOfHeads, picked) == NumberVector<float>{0.625F, 0.375F, 0.25F, 0.75F}));
        QVERIFY((combined(trace, maximumOfHeads, picked) == NumberVector<float>{1, 0.75F, 0.5F, 1}));
        QVERIFY((combined(trace, oneHead, picked) == NumberVector<float>{0.25F, 0.75F, 0.5F, 0.5F}));
    }

    void mapsOfAnotherSizeAreLeftOut()
    {
        QVERIFY((combined(someRun(), meanOfHeads, {{0}, {{2, 1}}}) == NumberVector<float>{0.25F, 0.75F, 0.5F, 0.5F}));
    }

    void pickedHeadsMoveWithTheLayer()
    {
        const HeadSet picked = HeadSet::of({{1, 0}, {1, 1}, {2, 0}}, 1);
        QVERIFY((picked.ofLayer == std::vector<int>{0, 1}));
        QVERIFY((picked.places(0) == std::vector<HeadPlace>{{0, 0}, {0, 1}, {2, 0}}));
    }

    // All heads and picked ones alike.
    void noReadingHidesNaN()
    {
        const Trace trace = someRun(std::numeric_limits<float>::quiet_NaN());
        for (const HeadSet& picked : {HeadSet(), HeadSet{{0, 1}, {}}, HeadSet{{1}, {{1, 0}}}}) {
            for (const Reading* reading : {&meanOfHeads, &maximumOfHeads})
                QVERIFY(std::isnan(combined(trace, *reading, picked).front()));
        }
    }

    // Its numbers are combined as those of the heads are.
    void aSinkIsAColumnMore()
    {
        Encoding source;
        source.ids = {5, 6};
        TraceBuilder builder(source, nullptr, {});
        builder.begun(source.ids, 9);
        const NumberVector<float> weights{0.25F, 0.5F, 0.5F, 0.25F, 0.5F, 0, 0.25F, 0.75F};
        const NumberVector<float> sinks{0.25F, 0.25F, 0.5F, 0};
        builder.attention(
            {.site = layer0, .weights = {weights.data(), 2, 2, 2}, .scores = {}, .sinks = {sinks.data(), 2, 2, 1}});
        const Trace trace = builder.snapshot();
        const auto read = [&](const HeadReading& head, RowSpan rows) {
            const ReadingInput input = readingInput(trace, {layer0, head});
            return computeWithSinks(head.reading(), input, rows).values;
        };
        QVERIFY((read(1, {}) == NumberVector<float>{0.5F, 0.5F, 0, 0, 0.25F, 0.75F}));
        QVERIFY((read(meanOfHeads, {}) == NumberVector<float>{0.375F, 0.375F, 0.25F, 0.125F, 0.375F, 0.5F}));
        QVERIFY((read(meanOfHeads, {1, 1}) == NumberVector<float>{0.125F, 0.375F, 0.5F}));
        QVERIFY((read(maximumOfHeads, {}) == NumberVector<float>{0.5F, 0.5F, 0.5F, 0.25F, 0.5F, 0.75F}));
        for (const Reading* reading : readings()) // rows of others have no part that goes to no token
            QVERIFY(reading->of != ReadingOf::Layers || !hasSinks(*reading, readingInput(trace, {layer0, *reading})));
        QVERIFY(!hasSinks(oneHead, readingInput(someRun(), {layer0, oneHead})));
    }

    void aRunWithoutTheSiteGivesNothing()
    {
        for (const Reading* reading : {&oneHead, &meanOfHeads, &maximumOfHeads})
            QVERIFY(readWeights(Trace(), {layer0, *reading}).empty());
        QVERIFY_EXCEPTION_THROWN(readWeights(someRun(), {layer0, 2}), Error);
    }
};

ATTN_TEST(TestReadings)

#include "tst_readings.moc"
