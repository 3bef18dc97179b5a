// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/attention_edits.h"
#include "inference/answer.h"
#include "inference/run_edits.h"
#include "io/npz.h"
#include "models/run_checks.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/golden_case.h"
#include "support/recording_sink.h"
#include "support/search_of.h"
#include "support/test_program.h"
#include "support/tiny_models.h"
#include "trace/archive.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace attn;
using nlohmann::json;
using test::GoldenCase;

namespace fs = std::filesystem;

namespace {

using Specs = std::vector<std::string>;

json runs()
{
    std::ifstream file(fs::path(ATTN_TEST_DATA) / "edited" / "runs.json");
    return json::parse(file);
}

GoldenCase caseNamed(const std::string& name)
{
    return GoldenCase(fs::path(ATTN_TEST_DATA) / "cases" / name);
}

// The checkpoint of a case, where `change` is not null with another configuration.
LoadedModel loaded(const std::string& name, Engine& engine, const json& change = {})
{
    LoadedModel result;
    result.name = name;
    if (!change.is_object()) {
        result.model = caseNamed(name).model(engine);
        return result;
    }
    test::TinyModel tiny = test::tinyCase(name);
    json config = json::parse(tiny.config);
    config.merge_patch(change);
    tiny.config = config.dump();
    result.model = tiny.build(engine);
    return result;
}

// The source and the output of a case, with everything that a run reports.
Question forcedQuestion(const GoldenCase& golden)
{
    Question question;
    question.sourceIds = golden.sourceIds();
    question.sourceSegments = golden.segments();
    if (golden.has("target_ids") && !golden.has("class_logits"))
        question.targetIds = golden.ids("target_ids");
    question.capture.logits = question.capture.scores = question.capture.hidden = true;
    return question;
}

// Edits that every map takes, where it has what they name.
Specs someEdits()
{
    return {"*:*:*:*:1=hide", "*:*:*:2=uniform", "*:0:0:*:0=scale:0.5", "*:*:*:3:2=set:0.25", "*:*:*:1-3=renormalize"};
}

Specs fitting(const Specs& specs, const EditExtent& extent)
{
    Specs result;
    for (const std::string& spec : specs) {
        try {
            checkEdit(parseEdit(spec), spec, extent);
            result.push_back(spec);
        } catch (const EditError&) { // a short map
        }
    }
    return result;
}

AttentionEdits attentionEdits(const Specs& specs, const ModelInfo& info)
{
    return {RunEdits(specs).edits(), editExtent(info).maps};
}

void addCases()
{
    QTest::addColumn<QByteArray>("name");
    for (const auto& directory : GoldenCase::directories())
        QTest::newRow(directory.filename().c_str()) << QByteArray(directory.filename().c_str());
}

} // namespace

class TestEditedRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // tests/data/reference/edited_cases.py computed what is expected.
    void anEditedRunIsWhatTheReferenceComputes_data()
    {
        QTest::addColumn<int>("number");
        const json all = runs();
        QVERIFY(all.size() > 100);
        for (int i = 0; i < static_cast<int>(all.size()); ++i)
            QTest::newRow(qPrintable(QStringLiteral("%1 %2 %3")
                                         .arg(i)
                                         .arg(QString::fromStdString(all.at(i).at("case").get<std::string>()),
                                              QString::fromStdString(all.at(i).at("search").get<std::string>()))))
                << i;
    }
    void anEditedRunIsWhatTheReferenceComputes()
    {
        QFETCH(const int, number);
        const json run = runs().at(static_cast<std::size_t>(number));
        const std::string name = run.at("case");
        const std::string search = run.at("search");
        Engine engine(2);
        const LoadedModel model = loaded(name, engine, run.value("config", json()));
        Question question = forcedQuestion(caseNamed(name));
        question.edits = run.at("edits").get<Specs>();
        if (search != "forced") {
            question.targetIds.reset();
            const auto blank = search.find(' ');
            question.decoding = test::searchOf(search.substr(0, blank));
            const int length = std::stoi(search.substr(blank));
            (model.model->info().kind == ModelKind::DecoderOnly ? question.decoding.generate
                                                                : question.decoding.maxLength) = length;
        }
        const NpzReader found = archive(answer(question, model, engine));
        const NpzReader expected(fs::path(ATTN_TEST_DATA) / "edited" / "expected.npz");
        const std::string prefix = std::to_string(number) + '_';
        int compared = 0;
        for (const std::string& array : expected.names()) {
            if (!array.starts_with(prefix))
                continue;
            ++compared;
            verify(found, array.substr(prefix.size()), *expected.find(array));
        }
        QVERIFY(compared >= 2);
    }

    // Rows that are read one after the other, from what is cached, are those of the whole text.
    void stepByStepIsAllAtOnce_data() { addCases(); }
    void stepByStepIsAllAtOnce()
    {
        QFETCH(const QByteArray, name);
        const GoldenCase golden = caseNamed(name.toStdString());
        Engine engine(2);
        const auto model = golden.model(engine);
        const ModelInfo& info = model->info();
        if (info.kind == ModelKind::EncoderOnly || name.contains("dynamic")
            || name.contains("longrope")) // those read further with other frequencies
            return;
        const bool decoderOnly = info.kind == ModelKind::DecoderOnly;
        std::vector<TokenId> inputs = golden.sourceIds();
        if (!decoderOnly) {
            inputs = golden.ids("target_ids");
            inputs.insert(inputs.begin(), info.decoderStart.value());
            inputs.pop_back();
        }
        const AttentionEdits edits = attentionEdits(fitting(someEdits(), editExtent(info)), info);
        NumberVector<float> logits[2];
        test::RecordingSink sinks[2];
        for (const bool whole : {true, false}) {
            RunContext context{engine, sinks[whole], {true, true, false, false}, {}};
            context.edits = &edits;
            const auto state = model->start(
                decoderOnly ? nullptr : model->encode(Source(golden.sourceIds(), golden.segments()), context), context);
            if (whole) {
                state->extend(inputs, context);
                logits[whole] = copyOf(state->logits());
                continue;
            }
            for (const TokenId& input : inputs) {
                state->step({&input, 1}, context);
                const auto row = copyOf(state->logits());
                logits[whole].insert(logits[whole].end(), row.begin(), row.end());
            }
        }
        const auto difference = test::compare(logits[0], logits[1]);
        QVERIFY2(difference.largest < test::valueTolerance, difference.text().c_str());
        const auto rows = rowsOf(sinks[true]);
        QVERIFY(rowsOf(sinks[false]).size() == rows.size());
        for (const auto& [place, row] : rowsOf(sinks[false])) {
            const auto own = rows.at(place).size();
            QVERIFY(test::compare({row.data(), row.size()}, {rows.at(place).data(), std::min(own, row.size())}).largest
                    < test::attentionTolerance);
        }
    }

    void whatChangesNothingChangesNoBit_data() { addCases(); }
    void whatChangesNothingChangesNoBit()
    {
        QFETCH(const QByteArray, name);
        const GoldenCase golden = caseNamed(name.toStdString());
        Engine engine(2);
        const LoadedModel model = loaded(name.toStdString(), engine);
        Question question = forcedQuestion(golden);
        const NpzReader plain = archive(answer(question, model, engine));
        question.edits = {"*=scale:1", "source:0=token:" + std::to_string(golden.sourceIds().front())};
        // Cells that the model masks: of what comes later, in every head of every layer.
        const bool readsForward = model.model->info().kind == ModelKind::DecoderOnly;
        if (readsForward)
            question.edits.insert(question.edits.end(),
                                  {"decoder:*:*:0:1-3=zero", "decoder:*:*:1:2=set:5", "decoder:*:*:2:4=hide"});
        const NpzReader edited = archive(answer(question, model, engine));
        QVERIFY(plain.names() == edited.names());
        for (const std::string& array : plain.names()) {
            if (array == "metadata")
                continue;
            const NpyArray before = *plain.find(array);
            const NpyArray after = *edited.find(array);
            QCOMPARE(before.shape(), after.shape());
            if (before.kind() == NpyKind::Float) {
                const auto a = before.floats();
                const auto b = after.floats();
                QVERIFY2(std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b))), array.c_str());
            }
        }
    }

    // Where a whole row is hidden, its weights are zeros; and a hidden source token gets no weight from anywhere.
    void whatIsHiddenHasNoWeight_data() { addCases(); }
    void whatIsHiddenHasNoWeight()
    {
        QFETCH(const QByteArray, name);
        Engine engine(2);
        const LoadedModel model = loaded(name.toStdString(), engine);
        Question question = forcedQuestion(caseNamed(name.toStdString()));
        question.edits = {"source:2=hide"};
        if (!model.model->info().sites().empty())
            question.edits.emplace_back("*:0:*:1=hide");
        if (name.contains("hierarchical")) // its second layer has one row only
            question.edits.back() = "encoder:0:*:1=hide";
        if (name.contains("pooling"))
            question.edits.pop_back();
        const Trace trace = answer(question, model, engine);
        for (const Site& site : trace.sites()) {
            const bool ofSource = site.stage != Stage::Decoder || trace.kind() == ModelKind::DecoderOnly;
            const bool sentences = trace.columnAxis(site) == AttentionAxis::Sentences;
            for (int head = 0; head < trace.heads(site); ++head) {
                const Numbers map = trace.matrix(site, head);
                for (int row = 0; row < map.rows; ++row) {
                    if (ofSource && !sentences)
                        QCOMPARE(map.at(row, 2), 0.0F);
                    const auto weights = map.row(row);
                    if (row == 1 && site.layer == 0 && question.edits.size() > 1)
                        QVERIFY(std::ranges::all_of(weights, [](float weight) { return weight == 0; }));
                }
            }
        }
    }

    void theArchiveTellsTheEdits()
    {
        Engine engine(1);
        const LoadedModel model = loaded("marian-relu", engine);
        Question question = forcedQuestion(caseNamed("marian-relu"));
        question.edits = {"cross:0:*:*:3,3=zero", "source:1=token:5", "cross=scale:1"};
        const Trace trace = answer(question, model, engine);
        QCOMPARE(trace.provenance().edits, question.edits);
        QCOMPARE(trace.source().ids[1], 5);
        const std::string path = m_folder.filePath(QStringLiteral("told.npz")).toStdString();
        writeArchive(path, trace);
        QCOMPARE(readArchive(path).provenance().edits, question.edits); // as given, in order
        const NpzReader npz{fs::path(path)};
        QCOMPARE(npz.find("source_ids")->integers()[1], std::int64_t{5});
        const json metadata = json::parse(npz.find("metadata")->texts().front());
        QCOMPARE(metadata.at("edits").get<Specs>(), question.edits);
        QVERIFY(parseQuestion(metadata.at("question").dump(), "metadata") == question);
        question.edits.clear();
        QVERIFY(answer(question, model, engine).provenance().edits.empty());
    }

    void whatDoesNotFitTheRunIsRefused_data()
    {
        test::addColumns<QByteArray, QByteArray>("name", "spec");
        QTest::addColumn<QByteArray>("range"); // empty: it fits
        QTest::addColumn<bool>("forced");
        const auto row = [](const char* name, const char* spec, const char* range, bool forced = true) {
            QTest::addRow("%s %s%s", name, spec, forced ? "" : " growing")
                << QByteArray(name) << QByteArray(spec) << QByteArray(range) << forced;
        };
        // Eleven tokens in, nine out; two layers read, one writes, of two heads.
        row("marian-relu", "encoder:0:0:10:10=zero", "");
        row("marian-relu", "encoder:0:0:11=zero", "0 to 10");
        row("marian-relu", "cross:0:0:8:10=zero", "");
        row("marian-relu", "cross:0:0:9=zero", "0 to 8");
        row("marian-relu", "cross:0:0:9=zero", "", false);
        row("marian-relu", "cross:0:0:0:11=zero", "0 to 10", false);
        row("marian-relu", "decoder:0:0:0:9=zero", "0 to 8");
        row("marian-relu", "decoder:0:0:99:99=zero", "", false);
        row("marian-relu", "decoder:1=zero", "layer 0", false);
        row("marian-relu", "source:11=hide", "0 to 10");
        row("marian-relu", "source:0=token:140", "0 to ");
        row("marian-relu", "source:0=word:house", "token:ID"); // without a tokenizer
        row("gpt2-plain", "decoder:0:0:9:9=zero", "");
        row("gpt2-plain", "decoder:0:0:10=zero", "0 to 9");
        row("gpt2-plain", "decoder:0:0:10:11=zero", "", false);
        row("gpt2-plain", "source:10=hide", "0 to 9", false);
        row("gpt2-plain", "cross=zero", "decoder");
        row("rnn-luong-dot", "cross:0:0:6:6=zero", "");
        row("rnn-luong-dot", "cross:0:1=zero", "head 0");
        row("rnn-luong-dot", "encoder=zero", "cross");
        row("rnn-paulus-lstm", "decoder:0:0:7:7=zero", "");
        row("rnn-paulus-lstm", "decoder:0:0:8=zero", "0 to 7");
        row("rnn-none-unidirectional", "*=zero", "");
        row("rnn-none-unidirectional", "cross=zero", "none");
        row("text-structured", "encoder:0:0:3:9=zero", "");
        row("text-structured", "encoder:0:0:4=zero", "0 to 3");
        row("text-pooling-lstm", "encoder:0:0:1=zero", "row 0");
        row("text-hierarchical-gru", "encoder:0:0:2:10=zero", "");
        row("text-hierarchical-gru", "encoder:0:0:3=zero", "0 to 2");
        row("text-hierarchical-gru", "encoder:1:0:0:3=zero", "0 to 2");
        row("text-lstmn-2layers", "encoder:1:0:7:6=zero", "");
        row("text-lstmn-2layers", "encoder:2=zero", "0 to 1");
    }
    void whatDoesNotFitTheRunIsRefused()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, spec);
        QFETCH(const QByteArray, range);
        QFETCH(const bool, forced);
        Engine engine(1);
        const LoadedModel model = loaded(name.toStdString(), engine);
        Question question = forcedQuestion(caseNamed(name.toStdString()));
        question.edits = {spec.toStdString()};
        if (!forced) {
            question.targetIds.reset();
            question.decoding.maxLength = 3;
            question.decoding.generate = model.model->info().kind == ModelKind::DecoderOnly ? 2 : 0;
        }
        QByteArray problem;
        try {
            answer(question, model, engine);
        } catch (const EditError& error) {
            problem = error.what();
        }
        QCOMPARE(problem.isEmpty(), range.isEmpty());
        QVERIFY2(problem.contains(range), problem.constData());
    }

    // A new end token makes another sentence, which has a row.
    void tokensAreReplacedBeforeAnythingElse()
    {
        Engine engine(1);
        const LoadedModel model = loaded("text-hierarchical-gru", engine);
        Question question = forcedQuestion(caseNamed("text-hierarchical-gru"));
        question.edits = {"source:1=token:3", "encoder:0:0:3:3=scale:2"};
        const Trace edited = answer(question, model, engine);
        QCOMPARE(edited.matrix({Stage::Encoder, 0}, 0).rows, 4);
        (*question.sourceIds)[1] = 3;
        question.edits.erase(question.edits.begin());
        const Trace given = answer(question, model, engine);
        QCOMPARE(edited.source().ids, given.source().ids);
        QCOMPARE(edited.source().tokens, given.source().tokens);
        QVERIFY(edited.classification()->logits == given.classification()->logits);
        // The last one for a place counts.
        question.edits = {"source:0=token:9", "source:0=token:8", "source:0=token:7"};
        QCOMPARE(answer(question, model, engine).source().ids[0], 7);
    }

    void ofSeveralSentencesOneMayLackWhatIsNamed()
    {
        Engine engine(1);
        const LoadedModel model = loaded("marian-relu", engine);
        Question question = forcedQuestion(caseNamed("marian-relu"));
        const Trace plain = answer(question, model, engine);
        question.edits = {"encoder:0:0:50:60=zero", "source:40=hide", "source:41=token:3", "cross:0:0:30=uniform"};
        const Trace edited = answer(question, model, engine, {}, EditsFit::WherePossible);
        for (const Site& site : plain.sites())
            QVERIFY(plain.matrix(site, 0).values == edited.matrix(site, 0).values);
        QCOMPARE(edited.source().ids, plain.source().ids);
        QVERIFY_EXCEPTION_THROWN(answer(question, model, engine), EditError);
        question.edits = {"encoder:0:7=zero"};
        QVERIFY_EXCEPTION_THROWN(answer(question, model, engine, {}, EditsFit::WherePossible), EditError);
        QVERIFY_EXCEPTION_THROWN(checkEdits(question, model), EditError);
        question.edits = {"encoder:0:0:50=zero"};
        checkEdits(question, model);
    }

    void aWordIsTheTokenThatItIsAfterABlank_data()
    {
        test::addColumns<QByteArray, QByteArray>("model", "text");
        QTest::addColumn<QByteArray>("like"); // the same with the word in its place
        QTest::addColumn<QByteArray>("spec");
        for (const auto& [model, text, like, spec] : std::vector<std::array<const char*, 4>>{
                 {"gpt-small-en", "The house is small", "The house was small", "source:2=word:was"},
                 {"gpt-small-en", "The house is small", "A house is small", "source:0=word:A"}, // the first word
                 {"bert-small-en", "The house is small", "The door is small", "source:2=word:door"},
                 {"bert-small-en", "The house is small", "The [MASK] is small", "source:2=word:[MASK]"},
                 {"transformer-en-fr", "The house is small", "A house is small", "source:0=word:A"},
                 {"transformer-en-fr", "The house is small", "The house is big", "source:3=word:big"},
                 {"rnnsearch-en-fr", "The house is small", "The house is big", "source:3=word:big"}})
            QTest::addRow("%s %s", model, spec)
                << QByteArray(model) << QByteArray(text) << QByteArray(like) << QByteArray(spec);
    }
    void aWordIsTheTokenThatItIsAfterABlank()
    {
        QFETCH(const QByteArray, model);
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, like);
        QFETCH(const QByteArray, spec);
        const auto tokenizer = tokenizerOf(model);
        const Encoding edited =
            RunEdits(Specs{spec.toStdString()}).applied(tokenizer->encode(text.toStdString()), tokenizer.get());
        const Encoding expected = tokenizer->encode(like.toStdString());
        QCOMPARE(edited.ids, expected.ids);
        QCOMPARE(edited.tokens, expected.tokens);
        QCOMPARE(edited.words, expected.words);
    }

    void aWordOfSeveralTokensIsAnErrorThatShowsThem()
    {
        const auto tokenizer = tokenizerOf("transformer-en-fr");
        const Encoding source = tokenizer->encode("The house is small");
        const Encoding pieces = tokenizer->encode("unbelievableness");
        QVERIFY(pieces.size() > 2);
        try {
            RunEdits(Specs{"source:1=word:unbelievableness"}).applied(source, tokenizer.get());
            QFAIL("it was taken");
        } catch (const EditError& error) {
            QVERIFY2(QByteArray(error.what()).contains(pieces.tokens.front().c_str()), error.what());
        }
        QVERIFY_EXCEPTION_THROWN(RunEdits(Specs{"source:1=word: "}).applied(source, tokenizer.get()), EditError);
    }

private:
    NpzReader archive(const Trace& trace)
    {
        const std::string path = m_folder.filePath(QStringLiteral("run%1.npz").arg(m_files++)).toStdString();
        writeArchive(path, trace, {true, true, true, {}});
        return NpzReader(fs::path(path));
    }

    static std::shared_ptr<const Tokenizer> tokenizerOf(const QByteArray& model)
    {
        return loadTokenizers(fs::path(ATTN_SOURCE_DIR) / "resources/models" / model.toStdString()).source;
    }

    static void verify(const NpzReader& found, const std::string& array, const NpyArray& expected)
    {
        const bool generated = array == "generated_logprobs";
        const std::string name = generated ? "logprobs" : array;
        QVERIFY2(found.contains(name), array.c_str());
        const NpyArray got = *found.find(name);
        if (expected.kind() != NpyKind::Float) {
            QCOMPARE(got.integers(), expected.integers());
            return;
        }
        auto values = got.floats();
        const auto wanted = expected.floats();
        if (generated) // what follows the prompt
            values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(wanted.size()));
        else
            QCOMPARE(got.shape(), expected.shape());
        const auto difference = test::compare(values, wanted);
        const double tolerance = array.ends_with("_attentions") ? test::attentionTolerance : test::valueTolerance;
        QVERIFY2(difference.largest <= tolerance, (array + ": " + difference.text()).c_str());
    }

    // Stage, layer, head and row of what was reported.
    static std::map<std::array<int, 4>, NumberVector<float>> rowsOf(const test::RecordingSink& sink)
    {
        std::map<std::array<int, 4>, NumberVector<float>> rows;
        for (const auto& [map, hypothesis] : sink.attentions) {
            const NumberView maps = map.weights.view();
            for (int head = 0; head < maps.heads; ++head) {
                for (int row = 0; row < maps.rows; ++row) {
                    const auto values = maps.row(head, row);
                    rows[{static_cast<int>(map.site.stage), map.site.layer, head, map.firstRow + row}] = {
                        values.begin(), values.end()};
                }
            }
        }
        return rows;
    }

    QTemporaryDir m_folder;
    int m_files = 0;
};

ATTN_TEST(TestEditedRuns)

#include "tst_edited_runs.moc"
