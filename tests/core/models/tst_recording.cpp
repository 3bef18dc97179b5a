// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/attention_edits.h"
#include "edits/edit.h"
#include "models/recording.h"
#include "models/run_checks.h"
#include "models/transformer.h"
#include "support/compare.h"
#include "support/golden_case.h"
#include "support/recording_sink.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <numeric>
#include <random>

using namespace attn;
using namespace attn::test;

namespace {

// A golden case's model, and what its run reads.
struct RecordedCase
{
    Engine engine{1};
    GoldenCase golden;
    std::shared_ptr<const SequenceModel> model;
    std::vector<TokenId> source;
    std::vector<TokenId> target; // inputs of the decoder
    AttentionEdits edits;

    explicit RecordedCase(const QString& name)
        : golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name.toStdString())
        , model(golden.model(engine))
        , source(golden.sourceIds())
    {
        const ModelInfo& info = model->info();
        if (info.kind == ModelKind::EncoderDecoder && info.predictsTokens) {
            target = golden.ids("target_ids");
            target.insert(target.begin(), info.decoderStart.value());
            target.pop_back();
        } else if (info.kind == ModelKind::EncoderDecoder) {
            target = readInputs(info, source);
        }
    }

    void edit(const std::string& spec)
    {
        const Edit one = parseEdit(spec);
        edits = AttentionEdits({&one, 1}, editExtent(model->info()).maps);
    }
    bool isDifferentiable() const
    {
        const Architecture::Form form = model->info().architecture.form;
        return !model->info().hardAttention && form != Architecture::Form::Lstmn;
    }
    bool hasOutput() const
    {
        const ModelInfo& info = model->info();
        return info.task != TaskHead::None
            || (info.kind == ModelKind::EncoderOnly ? info.predictsMasked : info.predictsTokens);
    }
    RecordedInput input() const { return {source, golden.segments(), target, true, edits.empty() ? nullptr : &edits}; }
    // Logits of all recorded rows.
    Variable logits(Tape& tape, const Recording& recording) const
    {
        return model->recordLogits(tape, recording.output, LogitCap::Applied);
    }
    Tensor logitsOfRun()
    {
        QuietSink sink;
        RunContext context{engine, sink, {.attention = false}, {}};
        context.edits = edits.empty() ? nullptr : &edits;
        const ModelInfo& info = model->info();
        auto encoded =
            info.kind == ModelKind::DecoderOnly ? nullptr : model->encode({source, golden.segments()}, context);
        if (info.kind == ModelKind::EncoderOnly)
            return info.task == TaskHead::None ? model->predictMasked(*encoded, context)
                                               : model->classify(*encoded, context);
        const auto state = model->start(std::move(encoded), context);
        state->extend(info.kind == ModelKind::DecoderOnly ? source : target, context);
        return Tensor::of(state->logits());
    }
    // The same random mixture of all logits, which is what is differentiated.
    Tensor mixture(NumberView logits) const
    {
        std::mt19937 generator(7);
        Tensor factors({logits.rows, logits.columns});
        for (float& factor : factors.values())
            factor = static_cast<float>(generator() % 1000) / 500.0F - 1;
        return factors;
    }
    double valueOf(const RecordedInput& read)
    {
        Tape tape(engine);
        const Recording recording = model->record(tape, read);
        const NumberView found = tape.matrix(logits(tape, recording));
        const Tensor factors = mixture(found);
        return std::inner_product(factors.values().begin(), factors.values().end(), found.values().begin(), 0.0);
    }
};

} // namespace

// Recordings of every golden case, by which gradients are computed.
class TestRecording : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void logitsAreThoseOfTheRun_data() { addCases(); }
    void logitsAreThoseOfTheRun()
    {
        QFETCH(QString, name);
        RecordedCase one(name);
        Tape tape(one.engine);
        const Recording recording = one.model->record(tape, one.input());
        const Tensor run = one.logitsOfRun();
        const Variable logits = one.logits(tape, recording);
        const Difference difference = compare(tape.value(logits).values(), run.values());
        QVERIFY2(difference.largest < 2e-5, difference.text().c_str());
    }

    void gradientsAreCentralDifferences_data() { addCases(); }
    void gradientsAreCentralDifferences()
    {
        QFETCH(QString, name);
        RecordedCase one(name);
        // A token that enters the window of predicted positions makes the weights jump: fewer are met on a shorter way.
        checkDirection(one, name.contains(QStringLiteral("local-p")) ? 3e-4 : 2e-3);
    }

    // A weight's gradient is the change that an edit of it makes.
    void gradientsOfWeightsAreDifferencesOfEdits_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"gpt2-plain", "llama-gqa", "n-gpt-oss-bf16", "n-gemma2-defaults", "marian-swish",
                                 "bert-mlm", "n-deberta-v2-base", "rnn-bahdanau-gru", "rnn-luong-local-p"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void gradientsOfWeightsAreDifferencesOfEdits()
    {
        QFETCH(QString, name);
        RecordedCase one(name);
        Tape tape(one.engine);
        const Recording recording = one.model->record(tape, one.input());
        const Variable logits = one.logits(tape, recording);
        std::vector<Variable> wanted;
        for (const RecordedAttention& attention : recording.attentions)
            wanted.push_back(attention.weights);
        const auto gradients = tape.backward(logits, one.mixture(tape.matrix(logits)), wanted, BackwardRule::Gradient);
        const bool isRecurrent = one.model->info().architecture.form == Architecture::Form::Recurrent;
        const char* const stages[] = {"encoder", "decoder", "cross"};
        for (std::size_t i = 0; i < gradients.size(); i += isRecurrent ? 3 : 1) {
            const RecordedAttention& attention = recording.attentions[i];
            const Index rows = tape.matrix(attention.weights).rows / attention.shape.heads;
            const Index head = attention.shape.heads - 1;
            const Index row = rows - 1;
            const Index column = 1;
            const double weight = tape.matrix(attention.weights).at(head * rows + row, column);
            if (attention.masked[static_cast<std::size_t>(head * rows + row) * tape.matrix(attention.weights).columns
                                 + column])
                continue;
            const double expected = gradients[i].matrix().at(head * rows + row, column);
            constexpr double step = 0.02;
            const auto valueAt = [&](double moved) {
                one.edit(fmt::format("{}:{}:{}:{}:{}=set:{:.6f}", stages[static_cast<int>(attention.site.stage)],
                                     attention.site.layer, head, isRecurrent ? static_cast<Index>(i) : row, column,
                                     moved));
                return one.valueOf(one.input());
            };
            const double found = (valueAt(weight + step) - valueAt(weight - step)) / (2 * step);
            QVERIFY2(std::abs(found - expected) < 0.02 * std::max(1.0, std::abs(expected)),
                     fmt::format("{}: {} instead of {}", i, expected, found).c_str());
        }
    }

    // Through each kind of change after the softmax.
    void gradientsGoThroughEdits_data()
    {
        QTest::addColumn<QString>("spec");
        for (const char* spec : {"decoder:0:*:*:1=scale:0.5", "decoder:0:1:*:0-2=uniform", "decoder:*:*:*:0=zero",
                                 "decoder:1:2=hide", "decoder:0:*:3:1=set:0.3"})
            QTest::newRow(spec) << QString::fromLatin1(spec);
    }
    void gradientsGoThroughEdits()
    {
        QFETCH(QString, spec);
        RecordedCase one(QStringLiteral("gpt2-plain"));
        const Edit first = parseEdit(spec.toStdString());
        const Edit second = parseEdit("decoder:*=renormalize");
        const std::vector<Edit> both{first, second};
        one.edits = AttentionEdits(both, editExtent(one.model->info()).maps);
        checkDirection(one, 2e-3);
    }

    void relevanceOfHeldWeightsIsTheLogit()
    {
        RecordedCase one(QStringLiteral("llama-gqa"));
        one.edit("decoder:*:*=set:0.2");
        Tape tape(one.engine);
        const Recording recording = one.model->record(tape, one.input());
        const Variable logits = one.logits(tape, recording);
        const Index last = tape.matrix(logits).rows - 1;
        Tensor seed(tape.value(logits).shape());
        seed.matrix().at(last, 5) = 1;
        const std::vector<Variable> wanted{recording.source};
        const Tensor gradient =
            std::move(tape.backward(logits, std::move(seed), wanted, BackwardRule::Relevance).front());
        const auto embeddings = tape.value(recording.source).values();
        const double sum = std::inner_product(embeddings.begin(), embeddings.end(), gradient.values().begin(), 0.0);
        const double logit = tape.matrix(logits).at(last, 5);
        QVERIFY2(std::abs(sum - logit) < 1e-4 * std::max(1.0, std::abs(logit)),
                 fmt::format("{} instead of {}", sum, logit).c_str());
    }

    void severalPassesAtOnceAreThoseOneByOne()
    {
        RecordedCase one(QStringLiteral("marian-swish"));
        Tape tape(one.engine);
        const Recording recording = one.model->record(tape, one.input());
        const Variable logits = one.logits(tape, recording);
        const Index rows = tape.matrix(logits).rows;
        const std::vector<Variable> wanted{recording.source, recording.target};
        const auto seedOf = [&](Index row) {
            Tensor seed(tape.value(logits).shape());
            seed.matrix().at(row, row + 3) = 1;
            return seed;
        };
        Tensor all({std::int64_t{2} * rows, tape.matrix(logits).columns});
        for (Index row = 0; row < 2; ++row)
            copyRows(seedOf(row).matrix(), all.matrix().rowRange(row * rows, rows));
        const auto together = tape.backward(logits, std::move(all), wanted, BackwardRule::Gradient);
        for (Index row = 0; row < 2; ++row) {
            const auto alone = tape.backward(logits, seedOf(row), wanted, BackwardRule::Gradient);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const Index size = alone[i].matrix().rows;
                const Tensor part = Tensor::of(together[i].matrix().rowRange(row * size, size));
                QVERIFY(compare(part.values(), alone[i].values()).largest < 1e-6);
            }
        }
    }

    // Whichever layers are recorded once, and whichever again for each pass.
    void recordedAgainIsTheSame_data() { addCases(); }
    void recordedAgainIsTheSame()
    {
        QFETCH(QString, name);
        RecordedCase one(name);
        const bool isTransformer = one.model->info().architecture.form == Architecture::Form::Transformer;
        for (const BackwardRule rule : {BackwardRule::Gradient, BackwardRule::Relevance}) {
            const auto gradientsOf = [&](bool endsOnly, std::map<Site, Tensor>& ofWeights) {
                const WeightGradient watch = [&](const Tape&, const RecordedAttention& attention, Tensor gradient) {
                    ofWeights[attention.site] = std::move(gradient);
                };
                RecordedInput input = one.input();
                input.endsOnly = endsOnly;
                input.watch = &watch;
                Tape tape(one.engine);
                const Recording recording = one.model->record(tape, input);
                const Variable logits = one.logits(tape, recording);
                std::vector<Variable> wanted{recording.source};
                if (recording.target.exists())
                    wanted.push_back(recording.target);
                const std::size_t inputs = wanted.size();
                if (isTransformer && !endsOnly)
                    std::ranges::transform(recording.attentions, std::back_inserter(wanted),
                                           &RecordedAttention::weights);
                auto found = tape.backward(logits, one.mixture(tape.matrix(logits)), wanted, rule);
                for (std::size_t i = inputs; i < found.size(); ++i)
                    ofWeights[recording.attentions[i - inputs].site] = std::move(found[i]);
                found.resize(inputs);
                return found;
            };
            std::map<Site, Tensor> weightsOfWhole;
            std::map<Site, Tensor> weightsOfAgain;
            const auto whole = gradientsOf(false, weightsOfWhole);
            const auto again = gradientsOf(true, weightsOfAgain);
            for (std::size_t i = 0; i < whole.size(); ++i)
                compareSums(again[i].values(), whole[i].values());
            QVERIFY(weightsOfWhole.empty() != isTransformer);
            for (const auto& [site, gradient] : weightsOfWhole) {
                if (site.stage != Stage::Pooling) // behind the layers
                    compareSums(weightsOfAgain.at(site).values(), gradient.values());
            }
        }
    }

    void modelsWithoutGradientsSaySo()
    {
        RecordedCase one(QStringLiteral("rnn-bahdanau-hard"));
        Tape tape(one.engine);
        QVERIFY_EXCEPTION_THROWN((void)one.model->record(tape, one.input()), Error);
    }

private:
    // Gradients of what several layers read are sums, in another order.
    static void compareSums(std::span<const float> found, std::span<const float> expected)
    {
        const float largest = std::ranges::max(expected, {}, [](float number) { return std::abs(number); });
        const Difference difference = compare(found, expected);
        QVERIFY2(difference.largest <= 2e-6 * std::max(1.0F, std::abs(largest)), difference.text().c_str());
    }

    static void addCases()
    {
        QTest::addColumn<QString>("name");
        int count = 0;
        for (const auto& directory : GoldenCase::directories()) {
            const QString name = QString::fromStdString(directory.filename().string());
            const RecordedCase one(name);
            if (!one.isDifferentiable() || !one.hasOutput())
                continue;
            QTest::newRow(qPrintable(name)) << name;
            ++count;
        }
        QVERIFY(count > 60);
    }

    // Between two places near the embeddings, in a random direction: the mean of the gradients on the way there is the
    // difference of the values, through bends of ReLU and clamps, too.
    static void checkDirection(RecordedCase& one, double step)
    {
        constexpr int places = 8;
        Tape first(one.engine);
        const Tensor embeddings = first.value(one.model->record(first, one.input()).source);
        const Tensor direction = directionOf(embeddings);
        const auto recordAt = [&](double share, const auto& use) {
            Tensor moved = embeddings;
            for (std::size_t i = 0; i < moved.size(); ++i)
                moved.data()[i] += static_cast<float>(share * direction.values()[i]);
            RecordedInput input = one.input();
            input.sourceEmbeddings = moved.matrix();
            return use(input);
        };
        const auto slopeAt = [&](const RecordedInput& input) {
            Tape tape(one.engine);
            const Recording recording = one.model->record(tape, input);
            const Variable logits = one.logits(tape, recording);
            const std::vector<Variable> wanted{recording.source};
            const Tensor gradient = std::move(
                tape.backward(logits, one.mixture(tape.matrix(logits)), wanted, BackwardRule::Gradient).front());
            return std::inner_product(gradient.values().begin(), gradient.values().end(), direction.values().begin(),
                                      0.0);
        };
        double slope = 0;
        for (int place = 0; place < places; ++place)
            slope += recordAt(step * ((2 * place + 1.0) / places - 1), slopeAt) / places;
        const auto valueAt = [&](const RecordedInput& input) { return one.valueOf(input); };
        const double difference = (recordAt(step, valueAt) - recordAt(-step, valueAt)) / (2 * step);
        QVERIFY2(std::abs(difference - slope) < 0.02 * std::max(1.0, std::abs(difference)),
                 fmt::format("{} instead of {}", slope, difference).c_str());
    }

    // Random, as long as the embeddings in the mean.
    static Tensor directionOf(const Tensor& embeddings)
    {
        std::mt19937 generator(3);
        double length = 0;
        for (const float value : embeddings.values())
            length += value * value;
        const auto scale = static_cast<float>(std::sqrt(length / static_cast<double>(embeddings.size())));
        Tensor direction(embeddings.shape());
        for (float& value : direction.values())
            value = scale * (static_cast<float>(generator() % 1000) / 500.0F - 1);
        return direction;
    }
};

ATTN_TEST(TestRecording)

#include "tst_recording.moc"
