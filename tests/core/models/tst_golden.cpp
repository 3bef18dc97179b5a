// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_checks.h"
#include "support/compare.h"
#include "support/golden_case.h"
#include "support/recording_sink.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <filesystem>
#include <utility>

using namespace attn;
using test::GoldenCase;
using test::RecordingSink;

// Every case directory, its target forced: what the model reports is what an independent computation found.
class TestGolden : public QObject
{
    Q_OBJECT

private:
    // [layers, heads, rows, columns] as expected, from blocks of any rows. Decoder rows are padded with `padding`.
    static NumberVector<float> assemble(const RecordingSink& sink, Stage stage, const std::vector<std::int64_t>& shape,
                                        Numbers AttentionMap::*values, float padding)
    {
        const auto at = [&](std::size_t axis) { return static_cast<std::size_t>(shape.at(axis)); };
        NumberVector<float> all(at(0) * at(1) * at(2) * at(3), padding);
        for (const auto& [map, hypothesis] : sink.attentions) {
            if (map.site.stage != stage || !isOfTokens(map))
                continue;
            const NumberView maps = (map.*values).view();
            for (int head = 0; head < maps.heads; ++head) {
                for (int row = 0; row < maps.rows; ++row) {
                    const std::size_t line =
                        (static_cast<std::size_t>(map.site.layer) * at(1) + static_cast<std::size_t>(head)) * at(2)
                        + static_cast<std::size_t>(map.firstRow + row);
                    std::ranges::copy(maps.row(head, row), all.begin() + static_cast<std::ptrdiff_t>(line * at(3)));
                }
            }
        }
        return all;
    }

    static bool isOfTokens(const AttentionMap& map) { return map.rowAxis == AttentionAxis::Tokens; }

    // Maps that make vectors of a text: tokens into one or several, sentences into one.
    static void verifySummaries(const GoldenCase& golden, const RecordingSink& sink)
    {
        for (const std::string name : {"summary", "sentence"}) {
            const AttentionAxis columns = name == "sentence" ? AttentionAxis::Sentences : AttentionAxis::Tokens;
            const auto found = std::ranges::find_if(sink.attentions, [&](const auto& entry) {
                return !isOfTokens(entry.map) && entry.map.columnAxis == columns;
            });
            QCOMPARE(found != sink.attentions.end(), golden.has(name + "_attentions"));
            if (found == sink.attentions.end())
                continue;
            QCOMPARE(found->map.weights.columns, static_cast<int>(golden.shape(name + "_attentions").back()));
            verify(golden, name + "_attentions", found->map.weights.values, test::attentionTolerance);
            verify(golden, name + "_scores", found->map.scores.values, test::valueTolerance);
        }
    }

    static NumberVector<float> assembleHidden(const RecordingSink& sink, Stage stage,
                                              const std::vector<std::int64_t>& shape)
    {
        const auto at = [&](std::size_t axis) { return static_cast<std::size_t>(shape.at(axis)); };
        NumberVector<float> all(at(0) * at(1) * at(2), 99.0F);
        for (const auto& [block, values] : sink.hiddens) {
            if (block.stage != stage)
                continue;
            const std::size_t row =
                static_cast<std::size_t>(block.layer) * at(1) + static_cast<std::size_t>(block.firstRow);
            std::ranges::copy(values, all.begin() + static_cast<std::ptrdiff_t>(row * at(2)));
        }
        return all;
    }

    static void verify(const GoldenCase& golden, const std::string& array, const NumberVector<float>& found,
                       double tolerance)
    {
        const auto difference = test::compare(found, golden.floats(array));
        QVERIFY2(difference.largest <= tolerance, (array + ": " + difference.text()).c_str());
    }

    static void verifyMaps(const GoldenCase& golden, const RecordingSink& sink, Stage stage, const std::string& name)
    {
        const bool reported = std::ranges::any_of(
            sink.attentions, [&](const auto& entry) { return entry.map.site.stage == stage && isOfTokens(entry.map); });
        QCOMPARE(reported, golden.has(name + "_attentions"));
        if (!reported)
            return;
        const auto shape = golden.shape(name + "_attentions");
        verify(golden, name + "_attentions", assemble(sink, stage, shape, &AttentionMap::weights, 0.0F),
               test::attentionTolerance);
        verify(golden, name + "_scores",
               assemble(sink, stage, shape, &AttentionMap::scores, -std::numeric_limits<float>::infinity()),
               test::valueTolerance);
    }

    static void verifyHidden(const GoldenCase& golden, const RecordingSink& sink, const std::string& name, Stage stage)
    {
        verify(golden, name, assembleHidden(sink, stage, golden.shape(name)), test::valueTolerance);
    }

    static void verifyTask(const GoldenCase& golden, const ModelInfo& info, const Tensor& logits)
    {
        for (const auto& [head, array] : {std::pair{TaskHead::Text, "class_logits"},
                                          {TaskHead::Tokens, "token_logits"},
                                          {TaskHead::Span, "span_logits"}}) {
            QCOMPARE(info.task == head, golden.has(array));
            if (info.task == head)
                verify(golden, array, copyOf(logits.matrix()), test::valueTolerance);
        }
    }

    // Each row and what its sink takes make 1.
    static void verifySinks(const GoldenCase& golden, const RecordingSink& sink)
    {
        NumberVector<float> found;
        if (golden.has("decoder_sinks"))
            found.resize(golden.floats("decoder_sinks").size());
        for (const auto& [map, hypothesis] : sink.attentions) {
            QCOMPARE(map.sinks.empty(), !golden.has("decoder_sinks"));
            for (Index head = 0; head < map.sinks.heads && !map.sinks.empty(); ++head) {
                for (Index row = 0; row < map.sinks.rows; ++row) {
                    const auto rows = golden.shape("decoder_sinks").at(2);
                    const float share = map.sinks.view().at(head, row, 0);
                    found.at(static_cast<std::size_t>((map.site.layer * map.weights.heads + head) * rows + map.firstRow
                                                      + row)) = share;
                    double sum = share;
                    for (const float weight : map.weights.view().row(head, row))
                        sum += weight;
                    QVERIFY(std::abs(sum - 1) < 1e-5);
                }
            }
        }
        if (!found.empty())
            verify(golden, "decoder_sinks", found, test::attentionTolerance);
    }

    static void verifyExperts(const GoldenCase& golden, const RecordingSink& sink)
    {
        if (!golden.has("expert_ids"))
            return;
        const auto shape = golden.shape("expert_ids");
        std::vector<TokenId> ids(golden.ids("expert_ids").size(), -1);
        NumberVector<float> weights(ids.size(), 0.0F);
        for (const auto& routing : sink.routings) {
            const auto first =
                static_cast<std::ptrdiff_t>((routing.block.layer * shape.at(1) + routing.block.firstRow) * shape.at(2));
            std::ranges::copy(routing.ids, ids.begin() + first);
            std::ranges::copy(routing.weights, weights.begin() + first);
        }
        QCOMPARE(ids, golden.ids("expert_ids"));
        verify(golden, "expert_weights", weights, test::valueTolerance);
    }

    static NumberVector<float> keepRows(NumberView rows) { return copyOf(rows); }

    static std::vector<TokenId> decoderInputs(const GoldenCase& golden, const SequenceModel& model)
    {
        if (!model.info().predictsTokens)
            return readInputs(model.info(), golden.sourceIds());
        std::vector<TokenId> inputs = golden.ids("target_ids");
        inputs.insert(inputs.begin(), model.info().decoderStart.value());
        inputs.pop_back();
        return inputs;
    }

    static NumberVector<float> read(DecoderState& state, const std::vector<TokenId>& inputs, bool stepByStep,
                                    RunContext& context)
    {
        NumberVector<float> logits;
        if (!stepByStep) {
            state.extend(inputs, context);
            logits = keepRows(state.logits());
        } else {
            for (const TokenId& input : inputs) {
                state.step({&input, 1}, context);
                const auto row = keepRows(state.logits());
                logits.insert(logits.end(), row.begin(), row.end());
            }
        }
        if (state.position() != static_cast<int>(inputs.size()))
            qWarning("the state counts %d inputs of %zu", state.position(), inputs.size());
        return logits;
    }

    static void addCases(bool stepByStep)
    {
        QTest::addColumn<QString>("directory");
        for (const auto& directory : GoldenCase::directories()) {
            // Its frequencies follow the length of the text that was read so far.
            const std::string name = directory.filename().string();
            if (stepByStep && (name.find("dynamic") != std::string::npos || name.find("longrope") != std::string::npos))
                continue;
            QTest::newRow(directory.filename().c_str()) << QString::fromStdString(directory.string());
        }
    }

    static void run(bool stepByStep)
    {
        QFETCH(const QString, directory);
        const GoldenCase golden(directory.toStdString());
        Engine engine(2);
        const auto model = golden.model(engine);
        RecordingSink sink;
        RunContext context{engine, sink, {true, true, true, true}, {}};

        const ModelKind kind = model->info().kind;
        const Source source(golden.sourceIds(), golden.segments());
        NumberVector<float> logits;
        if (kind == ModelKind::EncoderOnly) {
            const auto encoded = model->encode(source, context);
            if (model->info().predictsMasked)
                logits = keepRows(model->predictMasked(*encoded, context).matrix());
            verifyTask(golden, model->info(),
                       model->info().task == TaskHead::None ? Tensor() : model->classify(*encoded, context));
        } else {
            const bool decoderOnly = kind == ModelKind::DecoderOnly;
            const auto state = model->start(decoderOnly ? nullptr : model->encode(source, context), context);
            logits =
                read(*state, decoderOnly ? golden.sourceIds() : decoderInputs(golden, *model), stepByStep, context);
            if (model->info().task != TaskHead::None) {
                const auto rows = static_cast<Index>(golden.sourceIds().size());
                const NumberView all(logits.data(), rows, indexSize(logits) / rows);
                verifyTask(golden, model->info(), Tensor::of(taskRows(model->info(), golden.sourceIds(), all)));
                logits.clear();
            }
        }
        verifySinks(golden, sink);
        verifyExperts(golden, sink);

        verifyMaps(golden, sink, Stage::Encoder, "encoder");
        verifySummaries(golden, sink);
        verifyMaps(golden, sink, Stage::Decoder, "decoder");
        verifyMaps(golden, sink, Stage::Cross, "cross");
        QCOMPARE(logits.empty(), !golden.has("logits"));
        if (!logits.empty())
            verify(golden, "logits", logits, test::valueTolerance);
        verifyHidden(golden, sink, "hidden_states", kind == ModelKind::EncoderOnly ? Stage::Encoder : Stage::Decoder);
        if (kind == ModelKind::EncoderDecoder)
            verifyHidden(golden, sink, "encoder_hidden_states", Stage::Encoder);
    }

private Q_SLOTS:
    void thereAreCases() { QVERIFY(GoldenCase::directories().size() >= 16); }

    void forcedAtOnce_data() { addCases(false); }
    void forcedAtOnce() { run(false); }

    void forcedStepByStep_data() { addCases(true); }
    void forcedStepByStep() { run(true); }
};

ATTN_TEST(TestGolden)

#include "tst_golden.moc"
