// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/multi_head.h"
#include "support/compare.h"
#include "support/memory_used.h"
#include "support/random_tensor.h"
#include "support/recording_sink.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

using namespace attn;
using test::compare;
using test::randomTensor;
using test::RecordingSink;

namespace {

constexpr int heads = 8;
constexpr int headWidth = 16;
constexpr int width = heads * headWidth;

MultiHeadAttention attention(Engine& engine, int sharing)
{
    MultiHeadSettings settings;
    settings.shape = {heads, headWidth, sharing};
    settings.scale = 0.25F;
    settings.positions = std::make_shared<RelativePositions>(randomTensor({32, heads}, 9), true, 128);
    const auto layer = [&](int outputs, std::uint32_t seed) {
        return Linear(engine, randomTensor({outputs, width}, seed, 0.1F));
    };
    return {settings, {layer(width, 1), layer(width / sharing, 2), layer(width / sharing, 3), layer(width, 4)}};
}

struct Outcome
{
    RecordingSink sink;
    Tensor sums;
};

void attendToItself(const MultiHeadAttention& attention, const AttentionRun& run, const Tensor& input, Tensor& sums)
{
    const auto own = attention.project(run, input.matrix());
    const AttentionCall call{{Stage::Encoder, 0}, AttentionRows::Positions, 0, 0, static_cast<int>(input.dim(0)),
                             Mask::Causal};
    const std::array groups{AttentionGroup{call, 0, own.keys.matrix(), own.values.matrix()}};
    attention.addTo(run, input.matrix(), groups, sums.matrix());
}

// `inside` asks for the stages of a row, for which all heads are computed together.
std::unique_ptr<Outcome> outcome(const MultiHeadAttention& attention, Engine& engine, const Tensor& input, bool inside)
{
    auto result = std::make_unique<Outcome>(Outcome{{}, Tensor({input.dim(0), width})});
    Capture capture{true, true, false, false};
    const Site site{Stage::Encoder, 0};
    if (inside)
        capture.inside = CellAddress{site, 3, 2, 0};
    attendToItself(attention, {engine, result->sink, capture}, input, result->sums);
    return result;
}

} // namespace

class TestMultiHead : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Heads whose maps are large are computed some at a time, as many as there are threads.
    void headsApartAreTheHeadsTogether_data()
    {
        test::addColumns<int, int>("threads", "sharing");
        QTest::newRow("one thread") << 1 << 1;
        QTest::newRow("more threads than divide the heads") << 3 << 1;
        QTest::newRow("keys and values for two heads") << 1 << 2;
        QTest::newRow("for all heads") << 2 << 8;
    }
    void headsApartAreTheHeadsTogether()
    {
        QFETCH(const int, threads);
        QFETCH(const int, sharing);
        Engine engine(threads);
        const MultiHeadAttention layer = attention(engine, sharing);
        for (const int rows : {5, 300}) { // the maps of 300 are more than a core's cache holds
            const Tensor input = randomTensor({rows, width}, 5);
            const auto apart = outcome(layer, engine, input, false);
            const auto together = outcome(layer, engine, input, true);
            QVERIFY(!together->sink.stages.empty());
            QVERIFY(compare(apart->sums.values(), together->sums.values()).largest < 1e-5);
            const AttentionMap& one = apart->sink.attentions.at(0).map;
            const AttentionMap& other = together->sink.attentions.at(0).map;
            QCOMPARE(one.weights.heads, heads);
            QVERIFY(compare(one.weights.values, other.weights.values).largest < 1e-6);
            QVERIFY(compare(one.scores.values, other.scores.values).largest < 1e-5);
            for (int head = 0; head < heads; ++head) {
                for (const int row : {0, rows / 2, rows - 1}) {
                    const auto weights = one.weights.view().row(head, row);
                    QVERIFY(std::abs(std::accumulate(weights.begin(), weights.end(), 0.0) - 1) < 1e-4);
                    QVERIFY(std::ranges::all_of(weights.subspan(row + 1), [](float weight) { return weight == 0; }));
                }
            }
        }
    }

    // Whole heads are the same to the last bit, whatever the threads that the run had.
    void mapsOfQueriesAndKeysAreThoseOfNumbers_data() { headsApartAreTheHeadsTogether_data(); }
    void mapsOfQueriesAndKeysAreThoseOfNumbers()
    {
        QFETCH(const int, threads);
        QFETCH(const int, sharing);
        Engine engine(threads);
        const MultiHeadAttention layer = attention(engine, sharing);
        for (const int rows : {40, 300, 777}) {
            const Tensor input = randomTensor({rows, width}, 5);
            const auto stored = outcome(layer, engine, input, false);
            const AttentionMap& expected = stored->sink.attentions.at(0).map;
            RecordingSink sink;
            Tensor sums({rows, width});
            const Capture capture{true, true, false, false};
            TraceBuilder builder({}, nullptr, {});
            attendToItself(layer, {engine, builder, capture, true, nullptr, MapForm::QueriesAndKeys}, input, sums);
            QVERIFY(compare(sums.values(), stored->sums.values()).largest == 0);
            const Trace trace = builder.snapshot();
            QVERIFY(trace.computes({Stage::Encoder, 0}));
            for (int head = 0; head < heads; ++head) {
                QCOMPARE(
                    compare(trace.matrix({Stage::Encoder, 0}, head).values, expected.weights.view().head(head).values())
                        .largest,
                    0.0);
                QCOMPARE(
                    compare(trace.scores({Stage::Encoder, 0}, head).values, expected.scores.view().head(head).values())
                        .largest,
                    0.0);
                for (const int row : {0, rows / 2, rows - 1}) {
                    const Numbers one = trace.matrix({Stage::Encoder, 0}, head, {}, {row, 1});
                    QVERIFY(compare(one.values, expected.weights.view().row(head, row)).largest < 1e-6);
                }
            }
        }
    }

    // The maps of as many heads as go together, and queries and keys; all maps are 8 x 9 MB.
    void aLongRunNeedsNoMapOfAllHeads()
    {
        constexpr int rows = 1500;
        constexpr double map = 4.0 * rows * rows;
        Engine engine(1);
        const MultiHeadAttention layer = attention(engine, 1);
        const Tensor input = randomTensor({rows, width}, 5);
        const auto memory = [&](bool reports, MapForm form) {
            TraceBuilder builder({}, nullptr, {});
            Tensor sums({rows, width});
            releaseFreedNumbers();
            return test::mostMemoryOf([&] {
                attendToItself(layer, {engine, builder, {.attention = reports}, true, nullptr, form}, input, sums);
            });
        };
        (void)memory(true, MapForm::QueriesAndKeys); // makes the primitives
        const auto computed = memory(true, MapForm::QueriesAndKeys);
        const auto unreported = memory(false, MapForm::Numbers);
        const auto stored = memory(true, MapForm::Numbers);
        if (!computed || !unreported || !stored)
            QSKIP("the system does not say how much memory is used");
        QVERIFY2(*stored > 7 * map, qPrintable(QString::number(*stored)));
        QVERIFY2(*computed < 5 * map, qPrintable(QString::number(*computed)));
        QVERIFY2(*unreported < 5 * map, qPrintable(QString::number(*unreported)));
    }
};

ATTN_TEST(TestMultiHead)
#include "tst_multi_head.moc"
