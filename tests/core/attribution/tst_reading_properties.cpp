// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/faithfulness.h"
#include "attribution/reading_method.h"
#include "inference/answer.h"
#include "loading/special_ids.h"
#include "support/golden_case.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

// A golden case's run, its output given, that readings are computed of.
struct ReadCase
{
    Engine engine{1};
    GoldenCase golden;
    LoadedModel model;
    Question question;

    explicit ReadCase(const QString& name)
        : golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name.toStdString())
        , model(loadedCase(name.toStdString(), engine))
    {
        question.model = golden.name();
        question.sourceIds = golden.sourceIds();
        question.sourceSegments = golden.segments();
        question.capture.scores = true;
        if (info().kind == ModelKind::EncoderDecoder && info().predictsTokens)
            question.targetIds = golden.ids("target_ids");
    }

    const ModelInfo& info() const { return model.model->info(); }
    Trace run() { return answer(question, model, engine); }
};

ReadingResults compute(ExplainedRun& run, std::initializer_list<const char*> ids)
{
    std::vector<const ReadingMethod*> methods;
    for (const char* id : ids)
        methods.push_back(&readingMethod(id));
    return computeReadings(run, methods);
}

ReadingOptions about(int position)
{
    ReadingOptions options;
    options.of = position;
    return options;
}

ReadingOptions aboutAll()
{
    ReadingOptions options;
    options.ofAll = true;
    return options;
}

double sumOf(const ReadArray& array)
{
    return std::accumulate(array.values.begin(), array.values.end(), 0.0);
}

// Whether there is a position besides the one that all are.
bool hasOutputs(const ReadCase& one, const Trace& trace)
{
    return !trace.classification() && one.info().task != TaskHead::Span;
}

} // namespace

// Properties of readings that hold whatever the weights are, on the golden cases: random models of every family.
// That gradients are central differences is seen by tst_recording.
class TestReadingProperties : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsOfRolloutSumToOne_data() { addCases(); }
    void rowsOfRolloutSumToOne()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const Trace trace = one.run();
        ExplainedRun run(one.model, one.question, trace, {}, one.engine, {});
        for (const auto& [array, read] : compute(run, {"rollout"}).arrays) {
            const auto columns = static_cast<std::size_t>(read.shape.back());
            for (std::size_t row = 0; row < read.values.size(); row += columns) {
                const double sum =
                    std::accumulate(read.values.begin() + static_cast<std::ptrdiff_t>(row),
                                    read.values.begin() + static_cast<std::ptrdiff_t>(row + columns), 0.0);
                QVERIFY2(std::abs(sum - 1) < 1e-5, fmt::format("{}: {}", array, sum).c_str());
            }
        }
    }

    // Models of each form; what is not named here is computed.
    void whatAModelHasNotSaysWhy_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("absent");
        const auto add = [](const char* name, std::initializer_list<const char*> absent) {
            QStringList lines;
            for (const char* const line : absent)
                lines << QString::fromLatin1(line);
            lines.sort();
            QTest::newRow(name) << QString::fromLatin1(name) << lines;
        };
        for (const char* const name : {"text-pooling-lstm", "text-structured", "text-hierarchical-gru"})
            add(name,
                {"rollout: it is defined for Transformers only", "value_zeroing: it is defined for Transformers only",
                 "value_zeroing_rollout: it is defined for Transformers only",
                 "norms: it is defined for Transformers and recurrent decoders only",
                 "gradients: the rows of this attention are no tokens",
                 "attention_gradients: the rows of this attention are no tokens",
                 "lens: it is defined for Transformers only", "direct: it is defined for Transformers only",
                 "lrp: it is defined for Transformers only"});
        add("text-lstmn-last",
            {"rollout: it is defined for Transformers only", "value_zeroing: it is defined for Transformers only",
             "value_zeroing_rollout: it is defined for Transformers only",
             "norms: it is defined for Transformers and recurrent decoders only",
             "gradients: this form of model is not differentiated",
             "attention_gradients: this form of model is not differentiated",
             "input_gradients: this form of model is not differentiated",
             "integrated_gradients: this form of model is not differentiated",
             "lens: it is defined for Transformers only", "direct: it is defined for Transformers only",
             "lrp: it is defined for Transformers only"});
        add("rnn-bahdanau-hard",
            {"rollout: it is defined for Transformers only", "value_zeroing: it is defined for Transformers only",
             "value_zeroing_rollout: it is defined for Transformers only",
             "gradients: hard attention chooses one place: its choice has no gradient",
             "attention_gradients: hard attention chooses one place: its choice has no gradient",
             "input_gradients: hard attention chooses one place: its choice has no gradient",
             "integrated_gradients: hard attention chooses one place: its choice has no gradient",
             "lens: it is defined for Transformers only", "direct: it is defined for Transformers only",
             "lrp: it is defined for Transformers only"});
        add("n-gpt-oss-bf16", {}); // sinks and experts, whose choice is a constant
        add("n-mixtral-plain", {});
        add("bert-mlm", {"direct: an encoder's output is not a sum of what its layers add"});
    }
    void whatAModelHasNotSaysWhy()
    {
        QFETCH(const QString, name);
        QFETCH(const QStringList, absent);
        ReadCase one(name);
        const Trace trace = one.run();
        ReadingOptions options;
        options.eraseHides = true;
        options.steps = 2;
        ExplainedRun run(one.model, one.question, trace, options, one.engine, {});
        QStringList found;
        for (const auto& [method, reason] : computeReadings(run, readingMethods()).absent)
            found << QString::fromStdString(method + ": " + reason);
        QCOMPARE(found, absent);
    }

    void zeroingAMaskedKeyChangesNothing_data() { addCases(); }
    void zeroingAMaskedKeyChangesNothing()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const Trace trace = one.run();
        ExplainedRun run(one.model, one.question, trace, {}, one.engine, {});
        const ReadingResults results = compute(run, {"value_zeroing"});
        QCOMPARE(results.absent.empty(), one.info().architecture.form == Architecture::Form::Transformer);
        if (!results.absent.empty())
            return;
        for (const RecordedAttention& attention : run.recording().attentions) {
            const ReadArray& read = results.arrays.at(stageArray(attention.site.stage, "value_zeroing"));
            const auto size = static_cast<std::size_t>(read.shape[1] * read.shape[2]);
            for (std::size_t cell = 0; cell < std::min(size, attention.masked.size()); ++cell) {
                if (attention.masked[cell])
                    QCOMPARE(read.values.at(static_cast<std::size_t>(attention.site.layer) * size + cell), 0.0F);
            }
        }
    }

    void allRowsAreThoseOneByOne_data() { addCases(); }
    void allRowsAreThoseOneByOne()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const Trace trace = one.run();
        if (!hasOutputs(one, trace))
            return;
        ExplainedRun every(one.model, one.question, trace, {}, one.engine, {});
        if (!every.nothingToExplain().empty() || !readingMethod("input_gradients").lack(every).empty())
            return;
        ExplainedRun whole(one.model, one.question, trace, aboutAll(), one.engine, {});
        const ReadingResults all = compute(whole, {"input_gradients", "lrp"});
        for (const ExplainedOutput& output : {every.everyOutput().front(), every.everyOutput().back()}) {
            ExplainedRun alone(one.model, one.question, trace, about(output.position), one.engine, {});
            for (const auto& [array, read] : compute(alone, {"input_gradients", "lrp"}).arrays) {
                const ReadArray& rows = all.arrays.at(array);
                const float largest = std::ranges::max(read.values, {}, [](float value) { return std::abs(value); });
                for (std::size_t i = 0; i < read.values.size(); ++i) {
                    const float row =
                        rows.values.at(static_cast<std::size_t>(output.position) * read.values.size() + i);
                    QVERIFY2(std::abs(row - read.values[i]) <= 2e-4F * std::max(1.0F, std::abs(largest)),
                             fmt::format("{}: {} instead of {}", array, row, read.values[i]).c_str());
                }
            }
        }
    }

    void runsSideBySideAreThoseOneByOne_data() { addCases(); }
    void runsSideBySideAreThoseOneByOne()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const Trace trace = one.run();
        ExplainedRun run(one.model, one.question, trace, {}, one.engine, {});
        if (one.info().architecture.form != Architecture::Form::Recurrent
            || !readingMethod("integrated_gradients").lack(run).empty())
            return;
        constexpr int points = 3;
        const NumberView whole = run.ends().tape->matrix(run.ends().recording.source);
        Tensor together({std::int64_t{whole.rows} * points, whole.columns});
        for (Index row = 0; row < together.matrix().rows; ++row)
            std::ranges::transform(whole.row(row / points), together.matrix().row(row).begin(),
                                   [&](float number) { return number * static_cast<float>(row % points); });
        const auto gradientsOf = [&](NumberView embeddings, int count) {
            RecordedInput input = run.recordedInput();
            input.sourceEmbeddings = embeddings;
            input.points = count;
            Tape tape(one.engine);
            const Recording recording = one.model.model->record(tape, input);
            const std::vector<Variable> wanted{recording.source};
            return std::move(run.gradients(tape, recording, run.explained(), wanted, Explained::LogProbability,
                                           BackwardRule::Gradient)
                                 .front());
        };
        const Tensor found = gradientsOf(together.matrix(), points);
        const float largest = std::ranges::max(found.values(), {}, [](float number) { return std::abs(number); });
        for (int point = 0; point < points; ++point) {
            Tensor own({whole.rows, whole.columns});
            for (Index token = 0; token < whole.rows; ++token)
                std::ranges::copy(together.matrix().row(token * points + point), own.matrix().row(token).begin());
            const Tensor alone = gradientsOf(own.matrix(), 1);
            for (Index token = 0; token < whole.rows; ++token) {
                for (Index column = 0; column < whole.columns; ++column) {
                    const float expected = alone.matrix().at(token, column);
                    const float side = found.matrix().at(token * points + point, column);
                    QVERIFY2(std::abs(side - expected) <= 1e-5F * std::abs(largest),
                             fmt::format("point {}, token {}: {} instead of {}", point, token, side, expected).c_str());
                }
            }
        }
    }

    // Two labels, or two tokens at the end of the output, by which nothing before it changes.
    void whyThisAndNotThatIsAntisymmetric_data() { addCases(); }
    void whyThisAndNotThatIsAntisymmetric()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const bool isText = one.info().kind == ModelKind::EncoderOnly || one.info().task != TaskHead::None;
        const Trace trace = one.run();
        ExplainedRun first(one.model, one.question, trace, {}, one.engine, {});
        if (!first.nothingToExplain().empty() || !readingMethod("input_gradients").lack(first).empty()
            || (isText && !trace.classification()))
            return;
        const ExplainedOutput& last = first.everyOutput().back();
        const int other = last.answer == 0 ? 1 : 0;
        const auto readAgainst = [&](int position, int token) {
            ReadingOptions options = about(position);
            options.against = std::to_string(token);
            const Trace own = one.run();
            ExplainedRun run(one.model, one.question, own, options, one.engine, {});
            return compute(run, {"input_gradients", "lrp"});
        };
        const int position = trace.classification() ? other : last.position;
        const ReadingResults here = readAgainst(last.position, other);
        if (one.info().kind == ModelKind::DecoderOnly && !isText)
            one.question.sourceIds->back() = other;
        else if (!isText)
            one.question.targetIds->back() = other;
        const ReadingResults back = readAgainst(position, last.answer);
        for (const auto& [array, read] : here.arrays) {
            const float sign = array.ends_with("_gradients") && !array.ends_with("times_gradients") ? 1.0F : -1.0F;
            const ReadArray& turned = back.arrays.at(array);
            for (std::size_t i = 0; i < read.values.size(); ++i)
                QVERIFY2(std::abs(read.values[i] - sign * turned.values[i])
                             <= 2e-4F * std::max(1.0F, std::abs(read.values[i])),
                         fmt::format("{}: {} and {}", array, read.values[i], turned.values[i]).c_str());
        }
    }

    // Biases add what is left over: nothing where there are none.
    void contributionsSumToTheLogit_data() { addCases(); }
    void contributionsSumToTheLogit()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const Trace trace = one.run();
        ExplainedRun run(one.model, one.question, trace, {}, one.engine, {});
        const ReadingResults results = compute(run, {"direct"});
        if (!results.absent.empty())
            return;
        double sum = 0;
        for (const auto& [array, read] : results.arrays)
            sum += sumOf(read);
        const double logit = run.logitBeforeCap(run.explained().front());
        QVERIFY2(std::abs(sum - logit) < 1e-4, fmt::format("{} instead of {}", sum, logit).c_str());
        if (hasNoBiases(name))
            QVERIFY2(std::abs(sumOf(results.arrays.at("rest_direct"))) < 1e-4, "biases");
    }

    void theLastOfTheLensIsTheOutput_data() { addCases(); }
    void theLastOfTheLensIsTheOutput()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const Trace trace = one.run();
        ExplainedRun run(one.model, one.question, trace, {}, one.engine, {});
        const ReadingResults results = compute(run, {"lens"});
        if (!results.absent.empty() || one.info().kind == ModelKind::EncoderOnly)
            return;
        const ReadArray& logs = results.arrays.at("lens_answer_logprobs");
        const auto rows = static_cast<std::size_t>(logs.shape[1]);
        const ExplainedRun::FurtherLogits logits = run.logitsOf(run.input(), {});
        for (const ExplainedOutput& output : run.everyOutput()) {
            const float read =
                logs.values.at(logs.values.size() - rows + static_cast<std::size_t>(output.rows.front()));
            QVERIFY(std::abs(read - run.value(output, logits, Explained::LogProbability)) < 1e-4);
        }
    }

    // A token in the place of itself, and one that comes later.
    void erasingNothingChangesNothing_data() { addCases(); }
    void erasingNothingChangesNothing()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const auto mask = sourceIdNamed(one.model, "mask");
        const auto put = mask ? mask : sourceIdNamed(one.model, "unk");
        ReadingOptions options;
        options.eraseHides = !put;
        if (put)
            one.question.sourceIds->at(1) = *put;
        const Trace trace = one.run();
        ExplainedRun run(one.model, one.question, trace, options, one.engine, {});
        if (!run.nothingToExplain().empty())
            return;
        const ReadArray read = compute(run, {"erasure"}).arrays.at("source_erasure");
        const auto columns = static_cast<std::size_t>(read.shape.back());
        const bool isSequence = one.info().kind == ModelKind::DecoderOnly && one.info().task == TaskHead::None;
        for (std::size_t cell = 0; cell < read.values.size(); ++cell) {
            const bool comesLater = isSequence && cell % columns >= cell / columns;
            if (comesLater || (put && cell % columns == 1))
                QVERIFY2(std::abs(read.values[cell]) < 1e-6, fmt::format("{}: {}", cell, read.values[cell]).c_str());
        }
    }

    void rawWeightsAreComparedWithErasure_data() { addCases(); }
    void rawWeightsAreComparedWithErasure()
    {
        QFETCH(const QString, name);
        ReadCase one(name);
        const Trace trace = one.run();
        ReadingOptions options;
        options.eraseHides = true;
        ExplainedRun run(one.model, one.question, trace, options, one.engine, {});
        if (!run.nothingToExplain().empty())
            return;
        const std::vector<Faithfulness> rows = faithfulness(run, compute(run, {"erasure"}));
        QVERIFY(!name.startsWith(QStringLiteral("text-hierarchical")) || !rows.empty());
        for (const Faithfulness& row : rows) {
            QVERIFY2(!(std::abs(row.correlation) > 1 + 1e-9), fmt::format("{}", row.correlation).c_str());
            for (const ComparedToken& token : row.tokens)
                QVERIFY(token.token < indexSize(run.source()));
        }
    }

    // Models without biases and added positions only.
    void relevanceOfHeldWeightsIsTheLogit_data() { addCases(); }
    void relevanceOfHeldWeightsIsTheLogit()
    {
        QFETCH(const QString, name);
        if (!hasNoBiases(name))
            return;
        ReadCase one(name);
        for (const char* const stage : {"encoder", "decoder", "cross"}) {
            if (one.info().kind == ModelKind::EncoderDecoder || std::string_view(stage) == "decoder")
                one.question.edits.push_back(fmt::format("{}:*:*=set:0.2", stage));
        }
        const Trace trace = one.run();
        ExplainedRun run(one.model, one.question, trace, {}, one.engine, {});
        double sum = 0;
        for (const auto& [array, read] : compute(run, {"lrp"}).arrays)
            sum += sumOf(read);
        const ExplainedRun::FurtherLogits logits = run.logitsOf(run.input(), {});
        const double logit = run.value(run.explained().front(), logits, Explained::Logit);
        QVERIFY2(std::abs(sum - logit) < 1e-4 * std::max(1.0, std::abs(logit)),
                 fmt::format("{} instead of {}", sum, logit).c_str());
    }

private:
    static bool hasNoBiases(const QString& name)
    {
        static const QStringList names{
            QStringLiteral("llama-gqa"),       QStringLiteral("mistral-window"),  QStringLiteral("n-gemma-grouped"),
            QStringLiteral("n-gemma3-sparse"), QStringLiteral("n-granite-plain"), QStringLiteral("n-qwen3-grouped"),
            QStringLiteral("n-smollm3-list"),  QStringLiteral("n-phi3-grouped"),  QStringLiteral("n-olmo2-newer-keys"),
            QStringLiteral("n-olmo3-plain"),   QStringLiteral("n-mixtral-plain"), QStringLiteral("n-qwen3-moe-plain"),
            QStringLiteral("n-cohere2-plain"), QStringLiteral("t5-relu"),         QStringLiteral("t5-gated"),
            QStringLiteral("mt5-silu")};
        return names.contains(name);
    }

    // Cases that are differentiated: one for each kind of weights is enough.
    static void addCases()
    {
        QTest::addColumn<QString>("name");
        int count = 0;
        for (const auto& directory : GoldenCase::directories()) {
            const QString name = QString::fromStdString(directory.filename().string());
            if (name.startsWith(QStringLiteral("g-")))
                continue;
            QTest::newRow(qPrintable(name)) << name;
            ++count;
        }
        QVERIFY(count > 100);
    }
};

ATTN_TEST(TestReadingProperties)

#include "tst_reading_properties.moc"
