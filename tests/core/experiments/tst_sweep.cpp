// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <cmath>
#include <limits>
#include <span>
// clang-format on
#include "analysis/head_table.h"
#include "experiments/sweep.h"
#include "loading/special_ids.h"
#include "support/golden_case.h"
#include "support/test_program.h"
#include "support/verify_error.h"
#include "trace/site.h"
#include "workplace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using nlohmann::json;
using test::GoldenCase;
using test::Workplace;

namespace fs = std::filesystem;

namespace {

constexpr const char* measureNames[] = {"entropy", "evenness", "largest", "distance", "previous",
                                        "self",    "next",     "first",   "special"};
constexpr double HeadRow::*measures[] = {&HeadRow::entropy,  &HeadRow::evenness, &HeadRow::largest,
                                         &HeadRow::distance, &HeadRow::previous, &HeadRow::self,
                                         &HeadRow::next,     &HeadRow::first,    &HeadRow::special};

json references()
{
    std::ifstream file(fs::path(ATTN_TEST_DATA) / "heads.json");
    return json::parse(file);
}

Question forcedQuestion(const GoldenCase& golden)
{
    Question question;
    question.model = golden.directory().string();
    question.sourceIds = golden.sourceIds();
    if (golden.has("target_ids"))
        question.targetIds = golden.ids("target_ids");
    question.capture.scores = true;
    return question;
}

bool agrees(double found, double expected)
{
    return std::abs(found - expected) <= 2e-5 + 1e-4 * std::abs(expected);
}

// Null: nothing.
bool agrees(double found, const json& expected)
{
    return expected.is_null() ? std::isnan(found) : agrees(found, expected.get<double>());
}

bool agrees(const OutputChange& found, const json& expected)
{
    return agrees(found.meanDivergence().value_or(HeadRow::nothing), expected.at("kl"))
        && agrees(found.logProbability, expected.at("delta_logprob"));
}

// Counts the sources that a model encodes.
class CountingModel final : public SequenceModel
{
public:
    explicit CountingModel(std::shared_ptr<const SequenceModel> model)
        : m_model(std::move(model))
    {
    }

    const ModelInfo& info() const override { return m_model->info(); }
    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const override
    {
        return m_model->workBytes(length, capture, engine);
    }
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override
    {
        ++encoded;
        return m_model->encode(source, context);
    }
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> source, RunContext& context) const override
    {
        return m_model->start(std::move(source), context);
    }

    mutable int encoded = 0;

private:
    std::shared_ptr<const SequenceModel> m_model;
};

SweepResult swept(Workplace& place, Sweep::Plan plan)
{
    Sweep sweep(std::move(plan));
    carryOut(sweep, place.bench());
    return sweep.result();
}

} // namespace

class TestSweep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // tests/data/reference/head_cases.py computed what is expected.
    void headsAndTokensAreWhatTheReferenceComputes_data()
    {
        QTest::addColumn<int>("number");
        const json all = references();
        QVERIFY(all.size() > 10);
        for (int i = 0; i < static_cast<int>(all.size()); ++i)
            QTest::newRow(qPrintable(QString::number(i) + QLatin1Char(' ')
                                     + QString::fromStdString(all.at(i).at("case").get<std::string>())))
                << i;
    }
    void headsAndTokensAreWhatTheReferenceComputes()
    {
        QFETCH(const int, number);
        const json expected = references().at(static_cast<std::size_t>(number));
        Workplace place;
        Question question =
            forcedQuestion(GoldenCase(fs::path(ATTN_TEST_DATA) / "cases" / expected.at("case").get<std::string>()));
        question.edits = expected.at("edits").get<std::vector<std::string>>();
        HeadTable table(specialIds(*place.load(question.model)));
        const SweepResult heads =
            swept(place, {.question = question, .ran = [&](const Trace& run) { table.add(run); }});
        const std::vector<HeadRow> rows = table.rows();
        QCOMPARE(rows.size(), expected.at("heads").size());
        QCOMPARE(heads.heads.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const json& wanted = expected.at("heads").at(i);
            const QByteArray head =
                QByteArray::fromStdString(siteText(rows[i].site) + ':' + std::to_string(rows[i].head));
            QCOMPARE(head,
                     QByteArray::fromStdString(wanted.at("stage").get<std::string>() + ':'
                                               + std::to_string(wanted.at("layer").get<int>()) + ':'
                                               + std::to_string(wanted.at("head").get<int>())));
            QCOMPARE(rows[i].rows, wanted.at("rows").get<std::int64_t>());
            for (std::size_t m = 0; m < std::size(measures); ++m)
                QVERIFY2(agrees(rows[i].*measures[m], wanted.at(measureNames[m])), head + ' ' + measureNames[m]);
            QVERIFY2(agrees(heads.heads[i].change, wanted), head);
        }
        const SweepResult tokens = swept(place, {.question = question, .over = SweepOver::SourceTokens});
        QCOMPARE(tokens.tokens.size(), expected.at("tokens").size());
        for (std::size_t i = 0; i < tokens.tokens.size(); ++i) {
            QCOMPARE(tokens.tokens[i].position, static_cast<int>(i));
            QVERIFY2(agrees(tokens.tokens[i].change, expected.at("tokens").at(i)), qPrintable(QString::number(i)));
        }
    }

    void whatIsOffAlreadyChangesNothing()
    {
        Workplace place;
        Question question = test::asked(place.model(test::transformerModel), "s4 s5 s6 s7");
        question.edits = {"encoder:1:0=zero", "cross:0:1=zero", "source:1=hide"};
        const SweepResult heads = swept(place, {.question = question});
        int without = 0;
        for (const SweptHead& head : heads.heads) {
            const bool off = (head.site == Site{Stage::Encoder, 1} && head.head == 0)
                || (head.site == Site{Stage::Cross, 0} && head.head == 1);
            without += off ? 1 : 0;
            QVERIFY(head.change.places > 0);
            QCOMPARE(head.change.divergence == 0, off);
            QCOMPARE(head.change.logProbability == 0, off);
        }
        QCOMPARE(without, 2);
        const SweepResult tokens = swept(place, {.question = question, .over = SweepOver::SourceTokens});
        QCOMPARE(tokens.tokens.at(1).change.divergence, 0.0);
        QVERIFY(tokens.tokens.at(0).change.divergence > 0);
        QCOMPARE(tokens.tokens.at(0).token, std::string("s4"));
    }

    void theSourceIsEncodedAgainWhereTheEncoderChanges()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::transformerModel), "s4 s5 s6 s7");
        LoadedModel loaded = *place.load(question.model);
        const auto counting = std::make_shared<const CountingModel>(loaded.model);
        loaded.model = counting;
        const auto model = std::make_shared<const LoadedModel>(std::move(loaded));
        Workbench bench = place.bench();
        bench.load = [model](const std::string&) { return model; };
        Sweep sweep({.question = question});
        carryOut(sweep, bench);
        QCOMPARE(sweep.result().heads.size(), std::size_t{8});
        QCOMPARE(counting->encoded, 1 + 1 + 4); // the run, what is compared with, each head of the encoder
        counting->encoded = 0;
        Sweep nothing({.question = question, .over = {}});
        carryOut(nothing, bench);
        QCOMPARE(counting->encoded, 1);
    }

    void sentencesAddUp()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::transformerModel), "none of these");
        const std::vector<std::string> texts{"s4 s5 s6", "s9 s8 s7 s6 s5"};
        const SweepResult together = swept(place, {.question = question, .sentences = [texts] { return texts; }});
        QCOMPARE(together.sentences, 2);
        std::vector<OutputChange> sums(together.heads.size());
        for (const std::string& text : texts) {
            const SweepResult alone = swept(place, {.question = test::asked(question.model, text)});
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] += alone.heads.at(i).change;
        }
        for (std::size_t i = 0; i < sums.size(); ++i)
            QVERIFY(together.heads[i].change == sums[i]);
        const SweepResult tokens = swept(
            place, {.question = question, .sentences = [texts] { return texts; }, .over = SweepOver::SourceTokens});
        QCOMPARE(tokens.tokens.back().sentence, 1);
        QVERIFY(tokens.tokens.front().sentence == 0 && tokens.tokens.front().position == 0);
    }

    void aSentenceThatTheModelRefusesIsLeftOut()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::transformerModel), {});
        std::string tooLong;
        for (int i = 0; i < 100; ++i)
            tooLong += "s5 ";
        const auto texts = [&](std::vector<std::string> lines) { return [lines] { return lines; }; };
        const SweepResult one = swept(place, {.question = question, .sentences = texts({"s4 s5", tooLong, "s6"})});
        QCOMPARE(one.sentences, 2);
        QCOMPARE(one.leftOut, 1);
        QVERIFY(one.reason.starts_with("line 2: "));
        QVERIFY_EXCEPTION_THROWN(swept(place, {.question = test::asked(question.model, tooLong)}), Error);
    }

    void editsOfOtherSentencesPassOver()
    {
        Workplace place;
        Question question = test::asked(place.model(test::transformerModel), "s4");
        question.edits = {"source:4=hide"};
        QVERIFY_EXCEPTION_THROWN(swept(place, {.question = question}), Error);
        const SweepResult some = swept(place, {.question = question, .sentences = [] {
                                                   return std::vector<std::string>{"s4", "s4 s5 s6 s7 s8"};
                                               }});
        QCOMPARE(some.sentences, 2);
    }

    void itSaysHowFarItIsAndStops()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::transformerModel), "s4 s5 s6 s7");
        swept(place, {.question = question});
        QVERIFY(place.said.size() > 8);
        QVERIFY(std::ranges::is_sorted(place.said, {}, &ExperimentProgress::fraction));
        QVERIFY(place.said.back().fraction < 1);
        Sweep sweep({.question = question});
        while (!sweep.comparing())
            QVERIFY(sweep.advance(place.bench()));
        place.stop.request_stop();
        test::verifyError(ErrorKind::Cancelled, {}, [&] { sweep.advance(place.bench()); });
    }

    void aModelWithoutAttentionHasNothingToTakeAway()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::blindModel), "s4 s5");
        QVERIFY(swept(place, {.question = question}).heads.empty());
        const SweepResult tokens = swept(place, {.question = question, .over = SweepOver::SourceTokens});
        for (const SweptToken& token : tokens.tokens) // the encoder still reads it
            QCOMPARE(token.change.divergence, 0.0);
    }
};

ATTN_TEST(TestSweep)
#include "tst_sweep.moc"
