// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/sampling.h"
#include "decoding/search.h"
#include "inference/answer.h"
#include "inference/kept_run.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/counting_model.h"
#include "support/golden_case.h"
#include "support/scripted_runs.h"
#include "support/search_of.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::test;

namespace {

struct Kept
{
    Trace trace;
    std::shared_ptr<const KeptRun> run;
};

// A model, and answers that are kept.
class Desk
{
public:
    explicit Desk(const std::shared_ptr<const SequenceModel>& model)
        : counting(std::make_shared<CountingModel>(model))
    {
        m_loaded.model = counting;
        m_loaded.name = "desk";
    }
    explicit Desk(const std::filesystem::path& directory)
        : counting(std::make_shared<CountingModel>(GoldenCase(directory).model(engine)))
    {
        m_loaded.model = counting;
        m_loaded.name = directory.filename().string();
    }

    Kept ask(const Question& question, std::shared_ptr<const KeptRun> before = {})
    {
        Kept result;
        (void)counting->takeWork();
        result.trace = answer(question, m_loaded, engine,
                              {.before = std::move(before), .kept = [&](auto run) { result.run = std::move(run); }});
        work = counting->takeWork();
        return result;
    }

    Engine engine{1};
    std::shared_ptr<CountingModel> counting;
    FakeWork work; // of the last answer

private:
    LoadedModel m_loaded;
};

Question questionTo(const ModelInfo& info, std::vector<TokenId> source, int length)
{
    Question question;
    question.sourceIds = std::move(source);
    question.capture = {true, true, true, true};
    if (info.kind == ModelKind::DecoderOnly)
        question.decoding.generate = length;
    else
        question.decoding.maxLength = length;
    return question;
}

// What was generated along a path.
Tokens outputOf(const Trace& trace, std::optional<StepId> leaf)
{
    Tokens tokens;
    for (const auto& step : trace.path(leaf))
        tokens.push_back(step->step.token);
    if (trace.kind() == ModelKind::DecoderOnly)
        tokens.erase(tokens.begin(), tokens.begin() + std::min(indexSize(tokens), indexSize(trace.source()) - 1));
    return tokens;
}

// The largest difference of two traces' numbers; nothing where their tokens or shapes differ.
std::optional<double> differenceOf(const Trace& a, const Trace& b)
{
    if (a.path().size() != b.path().size() || a.sites() != b.sites() || a.target().ids != b.target().ids
        || a.summary()->hypotheses.size() != b.summary()->hypotheses.size())
        return std::nullopt;
    double largest = std::abs(a.summary()->hypotheses.at(0).sum - b.summary()->hypotheses.at(0).sum);
    bool same = true;
    const auto add = [&](std::span<const float> left, std::span<const float> right) {
        same = same && left.size() == right.size();
        if (same && !left.empty())
            largest = std::max(largest, static_cast<double>(compare(left, right).largest));
    };
    for (const Site& site : b.sites()) {
        for (int head = 0; head < b.heads(site); ++head) {
            add(a.matrix(site, head).values, b.matrix(site, head).values);
            add(a.scores(site, head).values, b.scores(site, head).values);
        }
    }
    for (const Stage stage : {Stage::Encoder, Stage::Decoder}) {
        const auto left = a.hiddenStates(stage);
        const auto right = b.hiddenStates(stage);
        same = same && left.size() == right.size();
        for (std::size_t layer = 0; same && layer < left.size(); ++layer)
            add(left[layer].values, right[layer].values);
    }
    const Trace::Path left = a.rowPath();
    const Trace::Path right = b.rowPath();
    same = same && left.size() == right.size();
    for (std::size_t i = 0; same && i < left.size(); ++i) {
        add(*left[i]->logits, *right[i]->logits);
        const auto numbers = [](const DecodingStep& step) { return std::array{step.logProbability, step.score}; };
        add(numbers(left[i]->step), numbers(right[i]->step));
        same = same && left[i]->step.candidates.size() == right[i]->step.candidates.size();
    }
    return same ? std::optional(largest) : std::nullopt;
}

} // namespace

// A run that begins like a kept one is what the same question gives from the start, and nothing is computed twice.
class TestKeptRun : public QObject
{
    Q_OBJECT

private:
    static void addDecoders()
    {
        QTest::addColumn<QString>("name");
        for (const auto& directory : GoldenCase::directories()) {
            const GoldenCase golden(directory);
            const bool predictsTokens = golden.has("logits"); // not labels
            if (predictsTokens && (golden.has("target_ids") || golden.has("decoder_attentions")))
                QTest::newRow(golden.name().c_str()) << QString::fromStdString(golden.name());
        }
    }
    static std::filesystem::path caseNamed(const QString& name)
    {
        return std::filesystem::path(ATTN_TEST_DATA) / "cases" / name.toStdString();
    }

private Q_SLOTS:
    void aCandidateOfAnyStepIsGoneOnFrom_data() { addDecoders(); }
    void aCandidateOfAnyStepIsGoneOnFrom()
    {
        QFETCH(const QString, name);
        const GoldenCase golden(caseNamed(name));
        Desk desk(caseNamed(name));
        const ModelInfo& info = desk.counting->info();
        const Tokens source = info.kind == ModelKind::DecoderOnly ? firstFive(golden.sourceIds()) : golden.sourceIds();
        double largest = 0;
        for (const char* search : {"greedy", "beam:3", "sample"}) {
            Question question = questionTo(info, source, 6);
            const int length = 6;
            question.decoding.search = searchOf(search).search;
            question.decoding.beamSize = 3;
            const Kept parent = desk.ask(question);
            const Tokens output = outputOf(parent.trace, {});
            const int inputsOfParent = desk.work.inputs;
            QVERIFY(inputsOfParent >= static_cast<int>(output.size()));
            for (std::size_t step = 0; step < output.size(); ++step) {
                Question child = question;
                child.prefixIds = Tokens(output.begin(), output.begin() + static_cast<int>(step));
                child.prefixIds->push_back(otherThan(output[step], parent.trace, step, info));
                if (step % 2 == 1)
                    child.decoding = withSearch(child.decoding, Search::Beam);
                const Kept fresh = desk.ask(child);
                const Kept gone = desk.ask(child, parent.run);
                QCOMPARE(desk.work.encoded, 0);
                const auto difference = differenceOf(gone.trace, fresh.trace);
                QVERIFY2(difference, qPrintable(name + QLatin1String(search)));
                largest = std::max(largest, *difference);
                QCOMPARE(gone.trace.provenance().question, fresh.trace.provenance().question);
                // The same parts, not copies, and of the shared tokens not one is read again.
                if (!rereads(name))
                    verifyShared(gone.trace, parent.trace, step);
                if (child.decoding.search != Search::Beam && !rereads(name)) {
                    const int produced = static_cast<int>(outputOf(gone.trace, {}).size());
                    const int closing = info.kind == ModelKind::DecoderOnly ? 1 : 0;
                    QCOMPARE(desk.work.inputs, produced - static_cast<int>(step) - 1 + closing);
                }
                // A grandchild begins in the child.
                Question grandchild = child;
                grandchild.prefixIds = outputOf(gone.trace, {});
                if (info.ends(grandchild.prefixIds->back()))
                    grandchild.prefixIds->pop_back();
                if (static_cast<int>(grandchild.prefixIds->size()) < length) {
                    const auto again = differenceOf(desk.ask(grandchild, gone.run).trace, desk.ask(grandchild).trace);
                    QVERIFY(again);
                    largest = std::max(largest, *again);
                }
            }
        }
        qInfo("%s: largest difference %g", qPrintable(name), largest);
        QVERIFY2(largest < valueTolerance, std::to_string(largest).c_str());
    }

    void everyHypothesisOfABeamIsGoneOnFrom_data() { addDecoders(); }
    void everyHypothesisOfABeamIsGoneOnFrom()
    {
        QFETCH(const QString, name);
        const GoldenCase golden(caseNamed(name));
        Desk desk(caseNamed(name));
        const ModelInfo& info = desk.counting->info();
        const Tokens source = info.kind == ModelKind::DecoderOnly ? firstFive(golden.sourceIds()) : golden.sourceIds();
        Question question = questionTo(info, source, 5);
        question.decoding = withSearch(question.decoding, Search::Beam);
        const Kept parent = desk.ask(question);
        for (int leaf = 0; leaf < parent.trace.stepCount(); ++leaf) {
            const Tokens output = outputOf(parent.trace, StepId{leaf});
            if (output.empty() || info.ends(output.back()))
                continue;
            Question child = questionTo(info, source, 6);
            child.prefixIds = output;
            const Kept gone = desk.ask(child, parent.run);
            QCOMPARE(desk.work.encoded, 0);
            const auto difference = differenceOf(gone.trace, desk.ask(child).trace);
            QVERIFY(difference);
            QVERIFY2(*difference < valueTolerance, std::to_string(*difference).c_str());
        }
    }

    void aPromptIsCutAtAnyToken_data() { addDecoders(); }
    void aPromptIsCutAtAnyToken()
    {
        QFETCH(const QString, name);
        const GoldenCase golden(caseNamed(name));
        Desk desk(caseNamed(name));
        const ModelInfo& info = desk.counting->info();
        if (info.kind != ModelKind::DecoderOnly)
            QSKIP("reads no prompt");
        const Tokens prompt = golden.sourceIds();
        const Kept parent = desk.ask(questionTo(info, prompt, 3));
        for (int length = 1; length < indexSize(prompt); ++length) {
            Question child = questionTo(info, Tokens(prompt.begin(), prompt.begin() + length), 2);
            child.text = "another";
            child.prefixIds = Tokens{info.ends(5) || prompt[static_cast<std::size_t>(length)] == 5 ? 6 : 5};
            const Kept fresh = desk.ask(child);
            const Kept gone = desk.ask(child, parent.run);
            if (!rereads(name))
                QCOMPARE(desk.work.inputs, indexSize(outputOf(gone.trace, {})));
            const auto difference = differenceOf(gone.trace, fresh.trace);
            QVERIFY2(difference, std::to_string(length).c_str());
            QVERIFY2(*difference < valueTolerance, std::to_string(*difference).c_str());
        }
        Question other = questionTo(info, prompt, 3);
        other.sourceIds->front() = prompt.front() == 7 ? 8 : 7;
        const auto difference = differenceOf(desk.ask(other, parent.run).trace, desk.ask(other).trace);
        QVERIFY(difference && *difference == 0);
    }

    void samplingIsForeseen()
    {
        for (const char* name : {"rnn-bahdanau-gru", "marian-relu", "gpt2-plain"}) {
            Desk desk(caseNamed(QLatin1String(name)));
            const ModelInfo& info = desk.counting->info();
            Question question = questionTo(info, {5, 9, 12, 3}, 5);
            const Kept parent = desk.ask(question);
            DecodingOptions options;
            options.search = Search::Sampling;
            options.temperature = 0.7;
            options.topK = 4;
            for (const auto& step : parent.trace.path()) {
                const DecodingStep& taken = step->step;
                auto logs = logSoftmax(desk.engine, *step->logits);
                if (taken.position + 1 >= indexSize(parent.trace.source()) || info.kind != ModelKind::DecoderOnly)
                    removeTokens(logs, info.badTokens);
                const auto expected = drawProbabilities(logs, options);
                const auto drawn = drawProbabilitiesAt(*parent.run, taken.index, options, desk.engine);
                QCOMPARE(drawn.size(), expected.size());
                for (std::size_t token = 0; token < drawn.size(); ++token)
                    QVERIFY(std::abs(drawn[token] - expected[token]) < 1e-5);
            }
        }
    }

    void theScriptedRunIsComputedOnce()
    {
        Desk desk(std::make_shared<FakeModel>(gardenPath()));
        Question question = questionTo(desk.counting->info(), {4, 3, 2}, 10);
        const Kept parent = desk.ask(question); // 2 end
        QCOMPARE(desk.work.encoded, 1);
        QCOMPARE(desk.work.inputs, 2); // start and 2
        question.prefixIds = Tokens{3};
        const Kept child = desk.ask(question, parent.run); // 3 3 end
        QCOMPARE(desk.work.encoded, 0);
        QCOMPARE(desk.work.inputs, 2); // 3 and 3
        QCOMPARE(child.trace.target().ids, (Tokens{3, 3, end}));
        QCOMPARE(child.trace.step(StepId{0}).rows.front().block, parent.trace.step(StepId{0}).rows.front().block);
        question.prefixIds = Tokens{3, 3};
        const Kept again = desk.ask(question, child.run); // all of it is known but the choice of the last
        QCOMPARE(desk.work.inputs, 0);
        QCOMPARE(again.trace.target().ids, (Tokens{3, 3, end}));
        QCOMPARE(&again.trace.step(StepId{0}), &child.trace.step(StepId{0}));
        QCOMPARE(&again.trace.step(StepId{1}), &child.trace.step(StepId{1}));
    }

    void drawingAgainReadsNothingAgain()
    {
        Desk desk(std::make_shared<FakeModel>(8, end, scripted({}, {0, 0.05, 0.2, 0.15, 0.15, 0.15, 0.15, 0.15})));
        Question question = questionTo(desk.counting->info(), {4, 3, 2}, 10);
        question.decoding.search = Search::Sampling;
        const Kept parent = desk.ask(question);
        question.decoding.seed = 9;
        const Kept sibling = desk.ask(question, parent.run);
        QCOMPARE(desk.work.encoded, 0);
        QCOMPARE(desk.work.inputs, static_cast<int>(sibling.trace.path().size()) - 1); // not even the start token
        QCOMPARE(sibling.trace.target().ids, desk.ask(question).trace.target().ids);
    }

    void aLongerOutputGoesOnWhereTheLimitWas()
    {
        Desk desk(caseNamed(QStringLiteral("gpt2-plain")));
        Question question = questionTo(desk.counting->info(), {5, 17, 3, 42, 8}, 4);
        const Kept parent = desk.ask(question);
        Question longer = question;
        longer.decoding.generate = 9;
        longer.prefixIds = outputOf(parent.trace, {});
        QCOMPARE(longer.prefixIds->size(), std::size_t{4});
        const Kept child = desk.ask(longer, parent.run);
        QCOMPARE(desk.work.inputs, 6); // the last token, and the five that follow
        const auto difference = differenceOf(child.trace, desk.ask(longer).trace);
        QVERIFY(difference && *difference < valueTolerance);
        longer.decoding.generate = 4; // nothing follows: the last token has its row
        QCOMPARE(desk.ask(longer, parent.run).trace.rowPath().size(), std::size_t{9});
    }

    void anotherQuestionSharesNothing()
    {
        Desk desk(caseNamed(QStringLiteral("rnn-bahdanau-gru")));
        const Question question = questionTo(desk.counting->info(), {5, 9, 12, 3}, 4);
        const Kept parent = desk.ask(question);
        const auto encodes = [&](const std::function<void(Question&)>& change) {
            Question other = question;
            change(other);
            (void)desk.ask(other, parent.run);
            return desk.work.encoded == 1;
        };
        QVERIFY(!encodes([](Question&) {}));
        QVERIFY(encodes([](Question& q) { q.sourceIds = Tokens{5, 9, 13, 3}; }));
        QVERIFY(encodes([](Question& q) { q.capture.logits = false; }));
        QVERIFY(encodes([](Question& q) { q.withoutPositions = true; }));
        QVERIFY(encodes([](Question& q) { q.decoding.candidates = 3; }));
        QVERIFY(encodes([](Question& q) { q.targetIds = Tokens{4, 5}; }));
        QVERIFY(encodes([](Question& q) { q.capture.inside = CellAddress{{Stage::Cross, 0}, 0, 1, 0}; }));
        Desk other(caseNamed(QStringLiteral("rnn-bahdanau-gru")));
        (void)other.ask(question, parent.run); // the same weights, loaded again
        QCOMPARE(other.work.encoded, 1);
    }

    void aForcedOutputIsNotTakenForASearch()
    {
        Desk desk(caseNamed(QStringLiteral("rnn-bahdanau-gru")));
        Question forced = questionTo(desk.counting->info(), {5, 9, 12, 3}, 4);
        forced.targetIds = Tokens{4, 5, 6};
        const Kept parent = desk.ask(forced);
        Question question = questionTo(desk.counting->info(), {5, 9, 12, 3}, 4);
        question.prefixIds = Tokens{4, 5};
        (void)desk.ask(question, parent.run);
        QCOMPARE(desk.work.encoded, 1);
    }

private:
    static Tokens firstFive(Tokens ids)
    {
        ids.resize(std::min<std::size_t>(ids.size(), 5));
        return ids;
    }
    static DecodingOptions withSearch(DecodingOptions options, Search search)
    {
        options.search = search;
        options.beamSize = 3;
        return options;
    }
    // Models whose rotation depends on the length of the text read all rows of a longer one again.
    static bool rereads(const QString& name)
    {
        return name.contains(QStringLiteral("dynamic")) || name.contains(QStringLiteral("longrope"));
    }

    // A candidate of a step that was not taken and does not end.
    static TokenId otherThan(TokenId taken, const Trace& trace, std::size_t step, const ModelInfo& info)
    {
        const Trace::Path path = trace.path();
        const std::size_t prompt = path.size() - outputOf(trace, {}).size();
        for (const Candidate& candidate : path.at(prompt + step)->step.candidates) {
            if (candidate.token != taken && !info.ends(candidate.token))
                return candidate.token;
        }
        return taken;
    }

    static void verifyShared(const Trace& child, const Trace& parent, std::size_t step)
    {
        const Trace::Path path = parent.path();
        const std::size_t shared = path.size() - outputOf(parent, {}).size() + step;
        for (std::size_t i = 0; i <= shared; ++i) { // the row of the other token too
            const TraceStep& here = *child.path().at(i);
            QCOMPARE(here.rows.size(), path[i]->rows.size());
            for (std::size_t site = 0; site < here.rows.size(); ++site)
                QCOMPARE(here.rows[site].block, path[i]->rows[site].block);
            QCOMPARE(here.logits, path[i]->logits);
        }
    }
};

ATTN_TEST(TestKeptRun)

#include "tst_kept_run.moc"
