// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/transformer.h"
#include "support/compare.h"
#include "support/recording_sink.h"
#include "support/test_program.h"
#include "support/tiny_models.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace attn;
using test::compare;
using test::RecordingSink;
using test::TinyModel;

namespace {

const std::vector<TokenId> source{5, 9, 12, 7, 3};

// A model, its engine and a run on it.
struct Bench
{
    explicit Bench(const TinyModel& tiny)
        : model(tiny.build(engine))
    {
    }

    RunContext context() { return {engine, sink, {true, true, true, false}, stop.get_token()}; }
    std::unique_ptr<DecoderState> start()
    {
        RunContext run = context();
        return start(run);
    }
    std::unique_ptr<DecoderState> start(RunContext& run) { return model->start(model->encode(source, run), run); }

    Engine engine{1};
    std::shared_ptr<const SequenceModel> model;
    RecordingSink sink;
    std::stop_source stop;
};

} // namespace

class TestSequenceModels : public QObject
{
    Q_OBJECT

private:
    static TinyModel tiny(const QString& kind)
    {
        return kind == QStringLiteral("transformer") ? test::tinyTransformer()
                                                     : test::tinyRecurrent(kind.toStdString());
    }
    static void addKinds()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"transformer", "gru", "lstm"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    template<typename Body>
    static ErrorKind kindOf(Body body)
    {
        try {
            body();
        } catch (const Error& error) {
            return error.kind();
        }
        QTest::qFail("nothing was thrown", __FILE__, __LINE__);
        return ErrorKind::File;
    }

private Q_SLOTS:
    void rowsSumToOne_data() { addKinds(); }
    void rowsSumToOne()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext context = bench.context();
        bench.start()->extend(std::vector<TokenId>{1, 4, 6, 8}, context);
        QVERIFY(!bench.sink.attentions.empty());
        for (const auto& [map, hypothesis] : bench.sink.attentions) {
            const NumberView weights = map.weights.view();
            for (int i = 0; i < weights.heads * weights.rows; ++i) {
                const auto row = weights.row(i / weights.rows, i % weights.rows);
                QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1.0) < 1e-5);
            }
        }
    }

    void decoderRowsSeeNothingAhead()
    {
        Bench bench(test::tinyTransformer());
        RunContext context = bench.context();
        bench.start()->extend(std::vector<TokenId>{1, 4, 6, 8}, context);
        int checked = 0;
        for (const auto& [map, hypothesis] : bench.sink.attentions) {
            if (map.site.stage != Stage::Decoder)
                continue;
            for (int head = 0; head < map.weights.heads; ++head) {
                for (int row = 0; row < map.weights.rows; ++row) {
                    for (int column = row + 1; column < map.weights.columns; ++column) {
                        QCOMPARE(map.weights.view().at(head, row, column), 0.0F);
                        ++checked;
                    }
                }
            }
        }
        QCOMPARE(checked, 2 * 2 * 6);
    }

    void aChangedLaterTokenLeavesEarlierLogits_data() { addKinds(); }
    void aChangedLaterTokenLeavesEarlierLogits()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext context = bench.context();
        const auto first = bench.start();
        first->extend(std::vector<TokenId>{1, 4, 6}, context);
        const auto second = bench.start();
        second->extend(std::vector<TokenId>{1, 4, 7}, context);
        for (const int row : {0, 1})
            QVERIFY(compare(first->logits().row(row), second->logits().row(row)).largest < 1e-6);
        QVERIFY(compare(first->logits().row(2), second->logits().row(2)).largest > 1e-3);
    }

    void extendingEqualsStepping_data() { addKinds(); }
    void extendingEqualsStepping()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext context = bench.context();
        const std::vector<TokenId> inputs{1, 4, 6, 8, 2};
        const auto whole = bench.start();
        whole->extend(inputs, context);
        const auto mixed = bench.start(); // two at once, one, then two
        mixed->extend(std::span(inputs).first(2), context);
        QCOMPARE(mixed->logits().rows, 2);
        mixed->step(std::span(inputs).subspan(2, 1), context);
        QVERIFY(compare(mixed->logits().row(0), whole->logits().row(2)).largest < 1e-5);
        mixed->extend(std::span(inputs).subspan(3), context);
        QVERIFY(compare(mixed->logits().row(1), whole->logits().row(4)).largest < 1e-5);
        QCOMPARE(mixed->position(), 5);
    }

    void aBatchOfHypothesesEqualsSingleOnes_data() { addKinds(); }
    void aBatchOfHypothesesEqualsSingleOnes()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext context = bench.context();
        const std::vector<std::vector<TokenId>> targets{{1, 4, 6}, {1, 5, 7}, {1, 4, 8}};
        const auto batch = bench.start();
        batch->step(std::vector<TokenId>{1}, context);
        batch->reorder(std::vector<int>{0, 0});
        batch->step(std::vector<TokenId>{4, 5}, context);
        batch->reorder(std::vector<int>{0, 1, 0}); // 4, 5, 4
        bench.sink.attentions.clear();
        batch->step(std::vector<TokenId>{6, 7, 8}, context);
        const NumberVector<float> together = copyOf(batch->logits());
        const auto batchMaps = bench.sink.attentions;

        for (std::size_t i = 0; i < targets.size(); ++i) {
            const auto single = bench.start();
            for (const TokenId& token : targets[i]) {
                bench.sink.attentions.clear();
                single->step({&token, 1}, context);
            }
            const auto row = std::span(together).subspan(i * 30, 30);
            QVERIFY2(compare(row, single->logits().row(0)).largest < 1e-5, qPrintable(QString::number(i)));
            for (const auto& expected : bench.sink.attentions) {
                const auto same = std::ranges::find_if(batchMaps, [&](const auto& found) {
                    return found.map.site == expected.map.site && found.hypothesis == static_cast<int>(i);
                });
                QVERIFY(same != batchMaps.end());
                QCOMPARE(same->map.firstRow, 2);
                QVERIFY(compare(same->map.weights.values, expected.map.weights.values).largest < 1e-6);
                QVERIFY(compare(same->map.scores.values, expected.map.scores.values).largest < 1e-4);
            }
        }
    }

    void reorderingMayDropAndSwap_data() { addKinds(); }
    void reorderingMayDropAndSwap()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext context = bench.context();
        const auto state = bench.start();
        state->step(std::vector<TokenId>{1}, context);
        state->reorder(std::vector<int>{0, 0, 0});
        state->step(std::vector<TokenId>{4, 5, 6}, context);
        state->reorder(std::vector<int>{2, 1});
        state->step(std::vector<TokenId>{9, 9}, context);
        const auto third = bench.start();
        third->extend(std::vector<TokenId>{1, 6, 9}, context);
        QVERIFY(compare(state->logits().row(0), third->logits().row(2)).largest < 1e-5);
        QCOMPARE(kindOf([&] { state->reorder(std::vector<int>{2}); }), ErrorKind::Input);
    }

    void aDecoderGoesOnFromWhatItHasRead()
    {
        const std::vector<TokenId> inputs{1, 8, 7, 4, 3};
        Bench bench(test::tinyCase("gpt2-plain"));
        RunContext context = bench.context();
        const auto whole = bench.model->start(nullptr, context);
        whole->extend(inputs, context);
        for (int read = 1; read < indexSize(inputs); ++read) {
            const auto copy = whole->upTo(read, context);
            QCOMPARE(copy->position(), read);
            copy->extend(std::span(inputs).subspan(static_cast<std::size_t>(read)), context);
            QVERIFY(compare(copy->logits().row(copy->logits().rows - 1), whole->logits().row(4)).largest < 1e-5);
        }
        whole->reorder(std::vector<int>{0, 0});
        QVERIFY(!whole->upTo(2, context));
        QVERIFY(!Bench(test::tinyRecurrent()).start()->upTo(0, context));
    }

    void furtherStepsNeedNoNewPrimitive_data() { addKinds(); }
    void furtherStepsNeedNoNewPrimitive()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext context = bench.context();
        const auto state = bench.start();
        const TokenId token = 4;
        state->step({&token, 1}, context);
        const std::size_t created = bench.engine.primitivesCreated();
        for (int step = 1; step < 60; ++step)
            state->step({&token, 1}, context);
        QCOMPARE(bench.engine.primitivesCreated(), created);
    }

    void nothingIsReportedThatWasNotAskedFor_data() { addKinds(); }
    void nothingIsReportedThatWasNotAskedFor()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext quiet{bench.engine, bench.sink, {false, true, false, true}, {}};
        const auto state = bench.model->start(bench.model->encode(source, quiet), quiet);
        state->step(std::vector<TokenId>{1}, quiet);
        QVERIFY(bench.sink.attentions.empty());
        QVERIFY(bench.sink.hiddens.empty());

        RunContext plain{bench.engine, bench.sink, {}, {}};
        bench.model->start(bench.model->encode(source, plain), plain)->step(std::vector<TokenId>{1}, plain);
        QVERIFY(!bench.sink.attentions.empty());
        for (const auto& [map, hypothesis] : bench.sink.attentions)
            QVERIFY(map.scores.empty());
    }

    void encoderLayersAreReportedInOrder()
    {
        Bench bench(test::tinyTransformer());
        bench.start();
        QCOMPARE(bench.sink.progress.size(), std::size_t{2});
        for (const int layer : {0, 1}) {
            const Progress& progress = bench.sink.progress.at(static_cast<std::size_t>(layer));
            QVERIFY(progress.part == Progress::Part::EncoderLayer);
            QCOMPARE(progress.number, layer);
            QCOMPARE(progress.count, 2);
        }
        QCOMPARE(bench.sink.attentions.size(), std::size_t{2});
        for (const int layer : {0, 1}) {
            const AttentionMap& map = bench.sink.attentions.at(static_cast<std::size_t>(layer)).map;
            QVERIFY((map.site == Site{Stage::Encoder, layer}));
            QCOMPARE(map.weights.heads, 2);
            QCOMPARE(map.weights.rows, 5);
            QCOMPARE(map.weights.columns, 5);
        }
        QCOMPARE(bench.sink.hiddens.size(), std::size_t{3});
    }

    void aStopBetweenLayersEndsTheRun()
    {
        Bench bench(test::tinyTransformer());
        bench.sink.onProgress = [&] { bench.stop.request_stop(); };
        QCOMPARE(kindOf([&] { bench.start(); }), ErrorKind::Cancelled);
        QCOMPARE(bench.sink.progress.size(), std::size_t{1});
        QCOMPARE(bench.sink.attentions.size(), std::size_t{1});
    }

    void aStopBetweenStepsEndsTheRun_data() { addKinds(); }
    void aStopBetweenStepsEndsTheRun()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        const auto state = bench.start();
        RunContext context = bench.context();
        state->step(std::vector<TokenId>{1}, context);
        bench.stop.request_stop();
        QCOMPARE(kindOf([&] { state->step(std::vector<TokenId>{1}, context); }), ErrorKind::Cancelled);
    }

    void wrongInputIsRefused_data() { addKinds(); }
    void wrongInputIsRefused()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext context = bench.context();
        const auto encode = [&](const std::vector<TokenId>& ids) { bench.model->encode(ids, context); };
        QCOMPARE(kindOf([&] { encode({}); }), ErrorKind::Input);
        QCOMPARE(kindOf([&] { encode({4, 30}); }), ErrorKind::Input);
        QCOMPARE(kindOf([&] { encode({-1}); }), ErrorKind::Input);
        const auto state = bench.start();
        QCOMPARE(kindOf([&] { state->step(std::vector<TokenId>{30}, context); }), ErrorKind::Input);
        QCOMPARE(kindOf([&] { state->step(std::vector<TokenId>{1, 1}, context); }), ErrorKind::Input);
        QCOMPARE(kindOf([&] { state->extend(std::vector<TokenId>{1, -5}, context); }), ErrorKind::Input);
        QCOMPARE(state->position(), 0);
    }

    void morePositionsThanTheModelHasAreRefused()
    {
        Bench bench(test::tinyTransformer());
        RunContext context = bench.context();
        const std::vector<TokenId> longest(64, 4);
        const std::vector<TokenId> tooLong(65, 4);
        bench.model->encode(longest, context);
        QCOMPARE(kindOf([&] { bench.model->encode(tooLong, context); }), ErrorKind::Input);
        const auto state = bench.start();
        state->extend(longest, context);
        QCOMPARE(kindOf([&] { state->step(std::vector<TokenId>{4}, context); }), ErrorKind::Input);
    }

    void anotherModelsSourceIsRefused()
    {
        Bench transformer(test::tinyTransformer());
        Bench recurrent(test::tinyRecurrent());
        RunContext context = transformer.context();
        const auto encoded = transformer.model->encode(source, context);
        QCOMPARE(kindOf([&] { recurrent.model->start(encoded, context); }), ErrorKind::Input);
    }

    void anotherEngineRunsTheSameModel_data() { addKinds(); }
    void anotherEngineRunsTheSameModel()
    {
        QFETCH(const QString, kind);
        Bench bench(tiny(kind));
        RunContext context = bench.context();
        const auto first = bench.start();
        first->extend(std::vector<TokenId>{1, 4}, context);
        Engine other(2);
        RunContext otherContext{other, bench.sink, {}, {}};
        const auto second = bench.model->start(bench.model->encode(source, otherContext), otherContext);
        second->extend(std::vector<TokenId>{1, 4}, otherContext);
        QVERIFY(compare(copyOf(first->logits()), copyOf(second->logits())).largest < 1e-5);
    }

    void positionsAreSinesThenCosines()
    {
        const std::vector<int> all{0, 1, 2, 3, 4, 5};
        const Tensor table = sinusoidalPositions(all, 8, AddedPositions::Sinusoidal);
        for (int position = 0; position < 6; ++position) {
            for (int frequency = 0; frequency < 4; ++frequency) {
                const double angle = position / std::pow(10000.0, 2.0 * frequency / 8);
                const auto row = table.matrix().row(position);
                QVERIFY(std::abs(row[static_cast<std::size_t>(frequency)] - std::sin(angle)) < 1e-6);
                QVERIFY(std::abs(row[static_cast<std::size_t>(4 + frequency)] - std::cos(angle)) < 1e-6);
            }
        }
        const Tensor later = sinusoidalPositions(std::vector{4, 5}, 8, AddedPositions::Sinusoidal);
        QVERIFY(compare(later.values(), table.values().subspan(32)).largest == 0);
    }
};

ATTN_TEST(TestSequenceModels)

#include "tst_sequence_models.moc"
