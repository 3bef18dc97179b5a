// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "io/npz.h"
#include "sites.h"
#include "support/memory_used.h"
#include "support/test_program.h"
#include "support/verify_error.h"
#include "trace/archive.h"
#include "trace/archive_parts.h"
#include "trace/trace_builder.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <stop_token>

using namespace attn;
using namespace attn::test;

namespace {

constexpr int sourceLength = 3;
constexpr int targetLength = 2;

struct Names final : TokenDescriber
{
    Encoding describe(std::span<const TokenId> ids) const override
    {
        static const std::vector<std::string> pieces{"<pad>", "</s>", "\u2581un", "\u2581gar\u00e7on", "s"};
        Encoding result;
        for (const TokenId id : ids) {
            result.ids.push_back(id);
            result.tokens.push_back(pieces.at(static_cast<std::size_t>(id)));
        }
        return result;
    }
};

NumberVector<float> numbers(int count, float first)
{
    NumberVector<float> values;
    for (int i = 0; i < count; ++i)
        values.push_back(first + static_cast<float>(i) / 64);
    return values;
}

// Two encoder layers with two heads, one decoder and one cross layer, two steps, everything captured.
Trace sample()
{
    Encoding source;
    source.ids = {2, 4, 1};
    source.tokens = {"\u2581boy", "s", "</s>"};
    source.text = "boys";
    Provenance provenance;
    provenance.model = "a model";
    provenance.modelType = "marian";
    provenance.text = "boys";
    provenance.secondText = "";
    provenance.decoding = "greedy";
    provenance.seed = 12345678901234567890ULL;
    provenance.programVersion = "1.2.3";
    provenance.edits = {"cross:0=zero", "source:1=word:\u2581é", "cross:0=zero"};
    TraceBuilder builder(std::move(source), std::make_shared<Names>(), std::move(provenance));
    builder.begun(std::vector<TokenId>{2, 4, 1}, 0);
    for (int layer = 0; layer < 2; ++layer) {
        const auto weights = numbers(2 * sourceLength * sourceLength, static_cast<float>(layer));
        builder.attention({{Stage::Encoder, layer},
                           0,
                           0,
                           {weights.data(), 2, sourceLength, sourceLength},
                           {weights.data(), 2, sourceLength, sourceLength}});
        builder.hidden({Stage::Encoder, layer, 0, 0, Numbers{sourceLength, 2, numbers(2 * sourceLength, 5)}});
    }
    const std::vector<TokenId> tokens{3, 1};
    for (int i = 0; i < targetLength; ++i) {
        builder.attention(
            {decoder0, 0, i, Numbers{1, i + 1, numbers(i + 1, 0.5F)}, Numbers{1, i + 1, numbers(i + 1, -3)}});
        builder.attention({cross0, 0, i, Numbers{1, sourceLength, numbers(sourceLength, 0.25F)},
                           Numbers{1, sourceLength, numbers(sourceLength, -1)}});
        builder.hidden({Stage::Decoder, 0, 0, i, Numbers{1, 2, numbers(2, static_cast<float>(i))}});
        builder.logits({0, i, Numbers{1, 5, numbers(5, static_cast<float>(i))}});
        DecodingStep step;
        step.index = StepId{i};
        if (i > 0)
            step.parent = StepId{i - 1};
        step.position = i;
        step.token = tokens[static_cast<std::size_t>(i)];
        step.logProbability = -0.125F * static_cast<float>(i + 1);
        builder.stepped(step);
    }
    builder.finished({{{StepId{targetLength - 1}, -0.375, -0.1875, true}}, 0.1});
    return builder.snapshot();
}

void compareTraces(const Trace& found, const Trace& expected)
{
    QCOMPARE(found.source().ids, expected.source().ids);
    QCOMPARE(found.source().tokens, expected.source().tokens);
    QCOMPARE(found.target().ids, expected.target().ids);
    QCOMPARE(found.target().tokens, expected.target().tokens);
    QCOMPARE(found.decoderInputs().tokens, expected.decoderInputs().tokens);
    QCOMPARE(found.sites(), expected.sites());
    for (const Site& site : expected.sites()) {
        QCOMPARE(found.heads(site), expected.heads(site));
        for (int head = 0; head < expected.heads(site); ++head) {
            QCOMPARE(found.matrix(site, head).values, expected.matrix(site, head).values);
            QCOMPARE(found.scores(site, head).values, expected.scores(site, head).values);
        }
    }
    QCOMPARE(found.stepCount(), expected.stepCount());
    for (int i = 0; i < expected.stepCount(); ++i) {
        QCOMPARE(found.step(StepId{i}).step.logProbability, expected.step(StepId{i}).step.logProbability);
        QCOMPARE(*found.step(StepId{i}).logits, *expected.step(StepId{i}).logits);
        QCOMPARE(*found.step(StepId{i}).hidden.at(0), *expected.step(StepId{i}).hidden.at(0));
    }
    QCOMPARE(found.hiddenStates(Stage::Encoder).size(), expected.hiddenStates(Stage::Encoder).size());
    QCOMPARE(found.hiddenStates(Stage::Encoder).at(1).values, expected.hiddenStates(Stage::Encoder).at(1).values);
    QCOMPARE(found.provenance().model, expected.provenance().model);
    QCOMPARE(found.provenance().modelType, expected.provenance().modelType);
    QCOMPARE(found.provenance().text, expected.provenance().text);
    QVERIFY(found.provenance().secondText == expected.provenance().secondText);
    QCOMPARE(found.provenance().decoding, expected.provenance().decoding);
    QCOMPARE(found.provenance().seed, expected.provenance().seed);
    QCOMPARE(found.provenance().programVersion, expected.provenance().programVersion);
    QCOMPARE(found.provenance().edits, expected.provenance().edits);
    QVERIFY(std::abs(found.summary()->hypotheses.at(0).sum - expected.summary()->hypotheses.at(0).sum) < 1e-6);
}

using Arrays = std::map<std::string, NpyArray>;

NpyArray floats(NpyArray::Shape shape)
{
    std::size_t size = 1;
    for (const auto extent : shape)
        size *= static_cast<std::size_t>(extent);
    return NpyArray::fromFloats(std::move(shape), NumberVector<float>(size, 0.5F));
}

NpyArray integers(const std::vector<std::int64_t>& values)
{
    return NpyArray::fromIntegers({static_cast<std::int64_t>(values.size())}, values);
}

// Hidden states alone, 2000 rows.
Trace largeStates(int width)
{
    constexpr int rows = 2000;
    const Encoding source = plainEncoding(std::vector<TokenId>(rows, 1));
    Provenance provenance;
    provenance.kind = ModelKind::EncoderOnly;
    TraceBuilder builder(source, nullptr, provenance);
    builder.begun(source.ids, {});
    const NumberVector<float> values(std::size_t{rows} * static_cast<std::size_t>(width), 0.5F);
    builder.hidden({Stage::Encoder, 0, 0, 0, {values.data(), rows, width}});
    builder.finished({});
    return builder.snapshot();
}

// An .npy file with the header that is given, for what our own writer does not write.
std::vector<std::byte> npyFile(const std::string& descriptor, bool fortran, const std::string& shape,
                               const std::vector<unsigned char>& data)
{
    std::string header = "{'descr': '" + descriptor + "', 'fortran_order': " + (fortran ? "True" : "False")
        + ", 'shape': " + shape + ", }";
    header.resize((header.size() + 10 + 63) / 64 * 64 - 11, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01", 7);
    file += '\0';
    file += static_cast<char>(header.size() & 0xFFU);
    file += static_cast<char>(header.size() >> 8U);
    file += header;
    std::vector<std::byte> bytes;
    for (const char c : file)
        bytes.push_back(static_cast<std::byte>(c));
    for (const unsigned char c : data)
        bytes.push_back(static_cast<std::byte>(c));
    return bytes;
}

} // namespace

class TestArchive : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("ATTNSCOPE_LIMITS", "archive=128M"); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void aLargeArchiveIsHeldOnce()
    {
        constexpr std::int64_t length = 1024;
        const auto path = file(QStringLiteral("large.npz"));
        {
            NpzWriter writer(Compression::Stored);
            writer.add("source_ids", integers(std::vector<std::int64_t>(length, 5)));
            writer.add("encoder_attentions", floats({8, 2, length, length}));
            writer.save(path);
        }
        Trace trace;
        const auto used = test::mostMemoryOf([&] { trace = readArchive(path); });
        if (!used)
            QSKIP("this system does not say how much memory was used");
        const double share = *used / static_cast<double>(std::filesystem::file_size(path));
        QVERIFY2(share < test::mostShare, qPrintable(QStringLiteral("%1 times the file").arg(share)));
        QCOMPARE(trace.matrix({Stage::Encoder, 7}, 1).at(length - 1, length - 1), 0.5F);
    }

    void aJsonArchiveIsWrittenInParts()
    {
        const auto path = file(QStringLiteral("large.json"));
        const Trace trace = largeStates(2000); // 16 MB
        const auto used = test::mostMemoryOf([&] { writeArchive(path, trace, {.hidden = true}); });
        if (!used)
            QSKIP("this system does not say how much memory was used");
        QVERIFY2(*used < 80e6, qPrintable(QStringLiteral("%1 bytes").arg(*used)));
    }

    void readingEndsWhenItIsToStop_data()
    {
        QTest::addColumn<bool>("isText");
        QTest::newRow("npz") << false;
        QTest::newRow("json") << true;
    }
    void readingEndsWhenItIsToStop()
    {
        QFETCH(bool, isText);
        const auto path = file(isText ? QStringLiteral("stopped.json") : QStringLiteral("stopped.npz"));
        writeArchive(path, readArchive(write({{"source_ids", integers({5})}})));
        std::stop_source stop;
        const ThreadStop ofThisThread(stop.get_token());
        stop.request_stop();
        test::verifyError(ErrorKind::Cancelled, {}, [&] { readArchive(path); });
    }

    void whatIsWrittenIsReadBack_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("npz") << QStringLiteral("a.npz");
        QTest::newRow("json") << QStringLiteral("a.json");
        QTest::newRow("npz in capitals") << QStringLiteral("a.NPZ");
        QTest::newRow("json in capitals") << QStringLiteral("a.JSON");
    }
    void whatIsWrittenIsReadBack()
    {
        QFETCH(QString, name);
        const auto path = file(name);
        const Trace trace = sample();
        writeArchive(path, trace, {.scores = true, .hidden = true, .logits = true});
        QVERIFY(isArchivePath(path));
        compareTraces(readArchive(path), trace);
        // Once more: nothing is lost or added on the way.
        const auto second = file(QStringLiteral("second-") + name);
        writeArchive(second, readArchive(path), {.scores = true, .hidden = true, .logits = true});
        compareTraces(readArchive(second), trace);
    }

    void shapesAreThoseOfTheContract()
    {
        writeArchive(file(QStringLiteral("a.npz")), sample(), {.scores = true, .hidden = true, .logits = true});
        const NpzReader npz(file(QStringLiteral("a.npz")));
        const std::map<std::string, NpyArray::Shape> shapes{{"source_ids", {3}},
                                                            {"source_tokens", {3}},
                                                            {"target_ids", {2}},
                                                            {"target_tokens", {2}},
                                                            {"source_labels", {3}},
                                                            {"target_labels", {2}},
                                                            {"encoder_attentions", {2, 2, 3, 3}},
                                                            {"decoder_attentions", {1, 1, 2, 2}},
                                                            {"cross_attentions", {1, 1, 2, 3}},
                                                            {"encoder_scores", {2, 2, 3, 3}},
                                                            {"decoder_scores", {1, 1, 2, 2}},
                                                            {"cross_scores", {1, 1, 2, 3}},
                                                            {"logprobs", {2}},
                                                            {"logits", {2, 5}},
                                                            {"hidden_states", {1, 2, 2}},
                                                            {"encoder_hidden_states", {2, 3, 2}},
                                                            {"metadata", {}}};
        QCOMPARE(npz.names().size(), shapes.size());
        for (const auto& [name, shape] : shapes) {
            QVERIFY2(npz.contains(name), name.c_str());
            QVERIFY2(npz.find(name)->shape() == shape, name.c_str());
        }
        QCOMPARE(npz.find("decoder_attentions")->floats().at(1), 0.0F);
        QCOMPARE(npz.find("decoder_scores")->floats().at(1), -std::numeric_limits<float>::infinity());
        QCOMPARE(npz.find("source_ids")->kind(), NpyKind::Signed);
        QCOMPARE(npz.find("source_ids")->itemSize(), std::size_t{8});
    }

    void onlyWhatIsAskedForIsWritten()
    {
        writeArchive(file(QStringLiteral("a.npz")), sample());
        const NpzReader npz(file(QStringLiteral("a.npz")));
        for (const char* name : {"encoder_scores", "logits", "hidden_states", "encoder_hidden_states"})
            QVERIFY(!npz.contains(name));
    }

    void jsonSaysNullForWhatItCannotSay()
    {
        writeArchive(file(QStringLiteral("a.json")), sample(), {.scores = true});
        QFile json(m_folder->filePath(QStringLiteral("a.json")));
        QVERIFY(json.open(QIODevice::ReadOnly));
        const QByteArray text = json.readAll();
        QVERIFY(text.contains("\"decoder_scores\":[[[[-3.0,null],"));
        QVERIFY(text.contains("\"logprobs\":[-0.125,-0.25]"));
        QVERIFY(text.contains("\"model\":\"a model\"")); // metadata is an object, not a text in a text
    }

    // Which are spelled some at a time.
    void aLongListIsWrittenWhole()
    {
        constexpr std::size_t count = 10'000;
        QByteArray ids;
        QByteArray pieces;
        for (std::size_t i = 0; i < count; ++i) {
            ids += ',' + QByteArray::number(static_cast<qulonglong>(i));
            pieces += ",\"\u2581" + QByteArray::number(static_cast<qulonglong>(i)) + '"';
        }
        ids = "\"source_ids\":[" + ids.mid(1) + ']';
        pieces = "\"source_tokens\":[" + pieces.mid(1) + ']';
        save(QStringLiteral("a.json"), '{' + ids + ',' + pieces + '}');
        writeArchive(file(QStringLiteral("b.json")), readArchive(file(QStringLiteral("a.json"))));
        QFile json(m_folder->filePath(QStringLiteral("b.json")));
        QVERIFY(json.open(QIODevice::ReadOnly));
        const QByteArray written = json.readAll();
        QVERIFY(written.contains(',' + ids + ','));
        QVERIFY(written.contains(',' + pieces + ','));
    }

    void idsAloneAreEnough()
    {
        const Trace trace = readArchive(write({{"source_ids", integers({5, 6})}}));
        QCOMPARE(trace.source().tokens, (std::vector<std::string>{"<5>", "<6>"}));
        QVERIFY(trace.source().words.empty());
        QVERIFY(trace.sites().empty());
        QVERIFY(trace.summary());
    }

    void aDecoderOnlyArchiveIsRead()
    {
        const Trace trace =
            readArchive(write({{"source_ids", integers({5, 6, 7})}, {"decoder_attentions", floats({2, 4, 3, 3})}}));
        QCOMPARE(trace.sites().size(), std::size_t{2});
        QCOMPARE(trace.heads({Stage::Decoder, 1}), 4);
        QCOMPARE(trace.matrix({Stage::Decoder, 1}, 3).rows, 3);
        QCOMPARE(trace.rowTokens(decoder0).ids,
                 (std::vector<TokenId>{6, 7, noTokenId})); // what comes next is not known
        QCOMPARE(trace.columnTokens(decoder0).ids, (std::vector<TokenId>{5, 6, 7}));
    }

    void onlyAnEncoderDecoderHasAStartToken()
    {
        const auto written = [this](const Trace& trace) {
            writeArchive(file(QStringLiteral("start.json")), trace);
            QFile json(m_folder->filePath(QStringLiteral("start.json")));
            return json.open(QIODevice::ReadOnly) ? json.readAll() : QByteArray();
        };
        const QByteArray decoder = written(
            readArchive(write({{"source_ids", integers({5, 6, 7})}, {"decoder_attentions", floats({2, 4, 3, 3})}})));
        QVERIFY2(decoder.contains("\"decoder_start\":null"), decoder.constData());
        QVERIFY2(decoder.contains("\"second_text\":null"), decoder.constData());
        const QByteArray both = written(sample());
        QVERIFY2(!both.contains("\"decoder_start\":null"), both.constData());
    }

    void numbersThatAreNoneAreReadAsPythonWritesThem()
    {
        save(QStringLiteral("a.json"),
             R"({"source_ids": [1, 2], "encoder_attentions": [[[[NaN, 0.5], [Infinity, -Infinity]]]]})");
        const Trace trace = readArchive(file(QStringLiteral("a.json")));
        const Numbers map = trace.matrix({Stage::Encoder, 0}, 0);
        const NumberView view = map.view();
        QVERIFY(std::isnan(view.row(0)[0]));
        QCOMPARE(view.row(0)[1], 0.5F);
        QCOMPARE(view.row(1)[0], std::numeric_limits<float>::infinity());
        QCOMPARE(view.row(1)[1], -std::numeric_limits<float>::infinity());
    }

    void otherArraysAreLeftAlone()
    {
        const auto path = file(QStringLiteral("a.json"));
        save(QStringLiteral("a.json"), R"({"source_ids": [1, 2], "notes": ["x", 1, [2]], "logprobs": null})");
        QCOMPARE(readArchive(path).source().ids, (std::vector<TokenId>{1, 2}));
        QCOMPARE(readArchive(write({{"source_ids", integers({1})}, {"beam4_score", floats({})}})).source().size(),
                 std::size_t{1});
    }

    void whatIsWrongWithNestedListsIsSaid_data()
    {
        addColumns<QByteArray, QString>("text", "said");
        const auto row = [](const char* text, const char* said) {
            QTest::newRow(text) << QByteArray(text) << QStringLiteral("a.json: ") + QString::fromLatin1(said);
        };
        const auto ids = "source_ids: has lists of different lengths";
        row(R"({"source_ids": [[1, 2], [3]]})", ids);
        row(R"({"source_ids": [[1], 2]})", ids);
        row(R"({"source_ids": [[], [1]]})", ids);
        row(R"({"source_ids": [[1], {"a": 1}]})", ids);
        row(R"({"source_ids": [[1], [[2], 3]]})", ids); // what comes first is said: a list before what is in it
        row(R"({"source_ids": [[1], [[2]], []]})", "source_ids: has lists of different depths");
        row(R"({"source_ids": [1, [2, {"a": [3]}], "x"]})", "source_ids: has lists of different depths");
        row(R"({"source_ids": [1, {"a": [1]}]})", "source_ids: must hold whole numbers");
        row(R"({"source_ids": {"a": [1]}})", "source_ids: must hold whole numbers");
        row(R"({"source_ids": [[1], [2]]})", "source_ids: has shape [2, 1], expected [tokens]");
        row(R"({"source_ids": 3})", "source_ids: has shape [], expected [tokens]");
        row(R"({"source_ids": [1], "source_ids": null})", "source_ids: is missing (this is no attention archive)");
        row(R"({"source_ids": [1], "source_tokens": [1]})", "source_tokens: must hold texts");
        row(R"({"source_ids": [1], "logprobs": ["x"]})", "logprobs: must hold numbers or null");
        row(R"({"logprobs": [NaN], "source_ids": [1.5]})", "source_ids: must hold whole numbers");
        row("[1, {}]", "expected a JSON object, found a list of 2");
        row("\"x\"", "expected a JSON object, found \"x\"");
    }
    void whatIsWrongWithNestedListsIsSaid()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, said);
        save(QStringLiteral("a.json"), text);
        try {
            readArchive(file(QStringLiteral("a.json")));
            QFAIL("it was read");
        } catch (const Error& error) {
            QCOMPARE(QString::fromUtf8(error.what()), said);
        }
    }

    void metadataIsReadInAnyForm()
    {
        for (const auto& [metadata, model] : std::vector<std::pair<const char*, const char*>>{
                 {R"({"b": [1, {}, []], "model": "m, n", "c": null})", "m, n"},
                 {"\"{\\\"model\\\": \\\"m\\\"}\"", "m"},
                 {"[1]", "a.json"},
                 {"null", "a.json"}}) {
            save(QStringLiteral("a.json"),
                 QByteArray(R"({"metadata": )") + metadata + QByteArray(R"(, "source_ids": [1]})"));
            QCOMPARE(readArchive(file(QStringLiteral("a.json"))).provenance().model, std::string(model));
        }
    }

    void editsThatAreNoTextsAreLeftOut()
    {
        for (const auto& [edits, found] : std::vector<std::pair<const char*, std::size_t>>{
                 {R"([1, "cross=zero", null, {"a": []}, "x"])", 2}, {R"("cross=zero")", 0}, {"5", 0}, {"[]", 0}}) {
            save(QStringLiteral("e.json"),
                 QByteArray(R"({"source_ids": [1], "metadata": {"edits": )") + edits + QByteArray("}}"));
            QCOMPARE(readArchive(file(QStringLiteral("e.json"))).provenance().edits.size(), found);
        }
    }

    void numpysOtherFormsAreRead()
    {
        // int32 ids, big endian; f16 weights in Fortran order: column-major 1, 0.25, 0, 0.75 is [[1, 0], [0.25, 0.75]].
        const auto ids = npyFile(">i4", false, "(2,)", {0, 0, 0, 7, 0, 0, 0, 8});
        const auto weights = npyFile("<f2", true, "(1, 1, 2, 2)", {0x00, 0x3C, 0x00, 0x34, 0x00, 0x00, 0x00, 0x3A});
        for (const Compression compression : {Compression::Stored, Compression::Deflated}) {
            ZipWriter zip(compression);
            zip.add("source_ids.npy", ids);
            zip.add("encoder_attentions.npy", weights);
            const auto bytes = zip.finish();
            save(QStringLiteral("b.npz"),
                 QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size())));
            const Trace trace = readArchive(file(QStringLiteral("b.npz")));
            QCOMPARE(trace.source().ids, (std::vector<TokenId>{7, 8}));
            QCOMPARE(trace.matrix(encoder0, 0).values, (NumberVector<float>{1, 0, 0.25F, 0.75F}));
        }
    }

    void whatDoesNotFitIsRefusedByName_data()
    {
        using Change = std::function<void(Arrays&)>;
        addColumns<Change, QString>("change", "named");
        const auto add = [](const char* name, Change change) {
            QTest::newRow(name) << std::move(change) << QString::fromLatin1(name);
        };
        add("source_ids", [](Arrays& a) { a.erase("source_ids"); });
        add("source_ids", [](Arrays& a) { a.insert_or_assign("source_ids", floats({3})); });
        add("source_ids", [](Arrays& a) {
            a.insert_or_assign("source_ids", NpyArray::fromIntegers({1, 1}, std::vector<std::int64_t>{1}));
        });
        add("source_ids", [](Arrays& a) { a.insert_or_assign("source_ids", integers({1, 2, 1LL << 40})); });
        add("source_tokens", [](Arrays& a) {
            a.insert_or_assign("source_tokens", NpyArray::fromTexts({1}, std::vector<std::string>{"x"}));
        });
        add("source_tokens", [](Arrays& a) { a.insert_or_assign("source_tokens", integers({1, 2, 3})); });
        add("encoder_attentions", [](Arrays& a) { a.insert_or_assign("encoder_attentions", floats({1, 1, 3, 2})); });
        add("encoder_attentions", [](Arrays& a) { a.insert_or_assign("encoder_attentions", floats({3, 3})); });
        add("decoder_attentions", [](Arrays& a) { a.insert_or_assign("decoder_attentions", floats({1, 1, 3, 3})); });
        add("cross_attentions", [](Arrays& a) { a.insert_or_assign("cross_attentions", floats({1, 1, 3, 2})); });
        add("cross_attentions", [](Arrays& a) { a.insert_or_assign("cross_attentions", integers({1})); });
        add("cross_scores", [](Arrays& a) { a.insert_or_assign("cross_scores", floats({2, 1, 2, 3})); });
        add("logprobs", [](Arrays& a) { a.insert_or_assign("logprobs", floats({3})); });
        add("logits", [](Arrays& a) { a.insert_or_assign("logits", floats({3, 5})); });
        add("hidden_states", [](Arrays& a) { a.insert_or_assign("hidden_states", floats({1, 3, 4})); });
        add("encoder_hidden_states", [](Arrays& a) { a.insert_or_assign("encoder_hidden_states", floats({1, 2, 4})); });
    }
    void whatDoesNotFitIsRefusedByName()
    {
        QFETCH(std::function<void(Arrays&)>, change);
        QFETCH(QString, named);
        Arrays arrays{{"source_ids", integers({1, 2, 3})},
                      {"target_ids", integers({4, 5})},
                      {"cross_attentions", floats({1, 1, 2, 3})}};
        readArchive(write(arrays));
        change(arrays);
        test::verifyError(ErrorKind::Format, {named.toStdString(), "b.npz"}, [&] { readArchive(write(arrays)); });
    }

    // NumPy keeps each text as wide as the longest.
    void textsThatAreTooWideAreRefused()
    {
        save(QStringLiteral("a.json"),
             "{\"source_ids\":[" + QByteArray("1,").repeated(1999) + "1],\"source_tokens\":["
                 + QByteArray("\"b\",").repeated(1999) + '"' + QByteArray(5000, 'a') + "\"]}");
        refusedAsTooLarge(QStringLiteral("a.json"));
    }

    // All arrays of a JSON archive count together, as those of the other form do.
    void allOfAJsonArchiveCounts()
    {
        const QByteArray ids = QByteArray("1,").repeated(300'000) + '1';
        save(QStringLiteral("a.json"), R"({"source_ids":[1],"target_ids":[)" + ids + "]}");
        refusedAsTooLarge(QStringLiteral("a.json"));
    }

    void whatATraceHasForEachTokenOrRowCounts_data()
    {
        addColumns<QString, QString, int>("name", "shape", "bytes");
        const auto row = [](const char* name, const char* shape, int bytes) {
            QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(shape) << bytes;
        };
        row("source_ids", "(1600000,)", 1'600'000);
        row("target_ids", "(300000,)", 300'000);
        row("cross_attentions", "(1000, 1, 3000, 1)", 3'000'000);
        row("hidden_states", "(800, 1000, 1)", 800'000);
        row("logits", "(800000, 1)", 800'000);
        row("class_logits", "(800000,)", 800'000);
    }
    void whatATraceHasForEachTokenOrRowCounts()
    {
        QFETCH(QString, name);
        QFETCH(QString, shape);
        QFETCH(int, bytes);
        ZipWriter zip(Compression::Deflated);
        zip.add(
            name.toStdString() + ".npy",
            npyFile("|b1", false, shape.toStdString(), std::vector<unsigned char>(static_cast<std::size_t>(bytes))));
        zip.save(file(QStringLiteral("a.npz")));
        refusedAsTooLarge(QStringLiteral("a.npz"));
    }

    void moreLayersOrHeadsThanModelsHaveAreRefused_data()
    {
        addColumns<QString, QString, QList<int>>("name", "said", "shape");
        QTest::newRow("layers") << QStringLiteral("encoder_attentions") << QStringLiteral("1025 layers")
                                << QList<int>{1025, 1, 1, 1};
        QTest::newRow("heads") << QStringLiteral("encoder_attentions") << QStringLiteral("1025 heads")
                               << QList<int>{1, 1025, 1, 1};
        QTest::newRow("hidden states") << QStringLiteral("hidden_states") << QStringLiteral("1026 layers")
                                       << QList<int>{1026, 1, 1};
    }
    void moreLayersOrHeadsThanModelsHaveAreRefused()
    {
        QFETCH(QString, name);
        QFETCH(QString, said);
        QFETCH(QList<int>, shape);
        const auto written = [&] {
            return write({{"source_ids", integers({1})}, {name.toStdString(), floats({shape.begin(), shape.end()})}});
        };
        try {
            readArchive(written());
            QFAIL("it was read");
        } catch (const Error& error) {
            QCOMPARE(QString::fromUtf8(error.what()).section(QStringLiteral(", more"), 0, 0),
                     QStringLiteral("b.npz: %1: has %2").arg(name, said));
        }
        for (int& extent : shape)
            extent -= extent > 1 ? 1 : 0;
        readArchive(written());
    }

    void filesThatAreNoArchiveAreRefused()
    {
        for (const char* text :
             {"", "PK", "[1, 2]", "{\"source_ids\": 3}", "{\"source_ids\": [1.5]}", "{\"source_ids\": [[1], [2, 3]]}",
              "{\"source_ids\": [1, [2]]}", "{\"source_ids\": [1], \"encoder_attentions\": [[[[\"x\"]]]]}"}) {
            for (const char* name : {"bad.json", "bad.npz"}) {
                save(QString::fromLatin1(name), text);
                QVERIFY_EXCEPTION_THROWN(readArchive(file(QString::fromLatin1(name))), Error);
            }
        }
        QVERIFY_EXCEPTION_THROWN(readArchive(file(QStringLiteral("missing.npz"))), Error);
    }

    void everyTruncationIsRefused()
    {
        writeArchive(file(QStringLiteral("a.npz")), sample());
        QFile whole(m_folder->filePath(QStringLiteral("a.npz")));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        for (qsizetype length = 0; length < bytes.size(); length += 17) {
            save(QStringLiteral("cut.npz"), bytes.left(length));
            QVERIFY_EXCEPTION_THROWN(readArchive(file(QStringLiteral("cut.npz"))), Error);
        }
    }

    void aFailedWriteLeavesTheOldFile()
    {
        QVERIFY_EXCEPTION_THROWN(writeArchive(file(QStringLiteral("a.txt")), sample()), Error);
        QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("a.txt"))));
        QVERIFY_EXCEPTION_THROWN(writeArchive(file(QStringLiteral("no/such/folder/a.npz")), sample()), Error);
        save(QStringLiteral("a.npz"), "old");
        writeArchive(file(QStringLiteral("a.npz")), sample());
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden).size(), 1); // no temporary file is left
    }

    void oneHypothesisOfSeveralCanBeWritten()
    {
        TraceBuilder builder({}, nullptr, {});
        builder.begun(std::vector<TokenId>{1}, 0);
        DecodingStep step;
        step.token = 3;
        builder.stepped(step);
        step.index = StepId{1};
        step.token = 4;
        builder.stepped(step);
        builder.finished({{{StepId{0}, -1, -1, true}, {StepId{1}, -2, -2, true}}, 0});
        writeArchive(file(QStringLiteral("a.npz")), builder.snapshot());
        QCOMPARE(readArchive(file(QStringLiteral("a.npz"))).target().ids, (std::vector<TokenId>{3}));
        writeArchive(file(QStringLiteral("a.npz")), builder.snapshot(), {.leaf = StepId{1}});
        QCOMPARE(readArchive(file(QStringLiteral("a.npz"))).target().ids, (std::vector<TokenId>{4}));
    }

    void aMaskIsAWordOfTheText()
    {
        const Encoding bert = encodingOfPieces({1, 2, 3, 4, 5}, {"[CLS]", "The", "[MASK]", "##s", "[SEP]"});
        QCOMPARE(bert.special, (std::vector<bool>{true, false, false, false, true}));
        QCOMPARE(bert.words, (std::vector<int>{-1, 0, 1, 2, -1}));
        QCOMPARE(bert.text, std::string("The [MASK]s"));
        const Encoding roberta = encodingOfPieces({1, 2, 3, 4, 5}, {"<s>", "The", "<mask>", "\u0120sat", "</s>"});
        QCOMPARE(roberta.special, (std::vector<bool>{true, false, false, false, true}));
        QCOMPARE(roberta.words, (std::vector<int>{-1, 0, 1, 2, -1}));
        QCOMPARE(roberta.text, std::string("The <mask> sat"));
    }

private:
    void refusedAsTooLarge(const QString& name) const
    {
        try {
            readArchive(file(name));
            QFAIL("it was read");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Resource);
            const QString said = QString::fromUtf8(error.what());
            QVERIFY2(said.startsWith(name + QStringLiteral(": unpacks to "))
                         && said.contains(QStringLiteral("more than the 134.2 MB that are read")),
                     error.what());
        }
    }

    std::filesystem::path file(const QString& name) const { return m_folder->filePath(name).toStdString(); }
    void save(const QString& name, const QByteArray& content) const
    {
        QFile out(m_folder->filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(content);
    }
    std::filesystem::path write(const Arrays& arrays) const
    {
        NpzWriter npz;
        for (const auto& [name, array] : arrays)
            npz.add(name, array);
        npz.save(file(QStringLiteral("b.npz")));
        return file(QStringLiteral("b.npz"));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestArchive)

#include "tst_archive.moc"
