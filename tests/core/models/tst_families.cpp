// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/family.h"
#include "models/weight_table.h"
#include "support/test_program.h"
#include "support/tiny_models.h"
#include "support/verify_error.h"

#include <QTest>

#include <set>
#include <string_view>

using namespace attn;
using test::TinyModel;

namespace {

// Has every tensor, of one type.
class TypedCheckpoint final : public Checkpoint
{
public:
    DType type = DType::F32;

    std::string name() const override { return "typed"; }
    std::vector<std::string> tensorNames() const override { return {}; }
    std::optional<TensorView> find(std::string_view /*tensor*/) const override { return TensorView{type, {}, {}}; }
};

} // namespace

// Configurations and tensor names, right and wrong.
class TestFamilies : public QObject
{
    Q_OBJECT

private:
    static void verifyRefused(const TinyModel& tiny, ErrorKind kind, const std::vector<std::string>& words)
    {
        Engine engine(1);
        test::verifyError(kind, words, [&] { tiny.build(engine); });
    }
    static void rename(TinyModel& tiny, const std::string& from, const std::string& to)
    {
        auto node = tiny.checkpoint->tensors.extract(from);
        QVERIFY2(!node.empty(), from.c_str());
        node.key() = to;
        tiny.checkpoint->tensors.insert(std::move(node));
    }

private Q_SLOTS:
    void everyFamilyIsKnownByOneName()
    {
        std::set<std::string_view> names;
        for (const Family& family : families()) {
            QVERIFY(names.insert(family.modelType).second);
            QVERIFY(findFamily(family.modelType)->build == family.build);
            QVERIFY(family.build != nullptr);
        }
        QVERIFY(findFamily("gpt") == nullptr);
        QVERIFY(findFamily("") == nullptr);
        for (const GgufLayout& layout : ggufLayouts())
            QVERIFY(names.contains(layout.modelType) || !layout.refused.empty());
    }

    void tablesThatAreOnlyLookedUpTakeNoMemory()
    {
        WeightTable table;
        table.embedding("words", {7, 2});
        table.linear("layer", 3, 2);
        test::MemoryCheckpoint checkpoint;
        checkpoint.tensors = {{"words", Tensor({7, 2})}, {"layer.weight", Tensor({3, 2})}, {"layer.bias", Tensor({3})}};
        const Engine engine(1);
        QCOMPARE(table.neededMemory(checkpoint, engine).widened, (3 * 2 + 3 + 3 * 2) * sizeof(float));
        table.matrix("words", {7, 2}); // tied
        QCOMPARE(table.neededMemory(checkpoint, engine).widened, (3 * 2 + 3 + 7 * 2 + 7 * 2) * sizeof(float));
    }

    // Columns of blocks, and types that are not multiplied as they are, are widened all the same.
    void onlyMatricesThatCanStayCountAsStored()
    {
        WeightTable table;
        table.linear("linear", 32, 64, false);
        table.convolution("transposed", 64, 32, 1);
        const Engine engine(1);
        const std::size_t matrix = std::size_t{64} * 32;
        const std::size_t copied = (matrix + 32) * sizeof(float);
        TypedCheckpoint checkpoint;
        checkpoint.type = DType::Q4_0;
        QCOMPARE(table.neededMemory(checkpoint, engine).asStored, copied + matrix / 32 * 18);
        // A widened weight keeps its blocks beside for few rows, and the largest may be there twice.
        const std::size_t widened = copied + 2 * matrix * sizeof(float);
        QCOMPARE(table.neededMemory(checkpoint, engine).widened, widened + matrix / 32 * 18);
        QVERIFY(table.neededMemory(checkpoint, Engine(1, Precision::Q8)).widened <= widened + matrix / 32 * 18);
        checkpoint.type = DType::F16;
        QCOMPARE(table.neededMemory(checkpoint, engine).asStored,
                 2 * matrix * sizeof(std::uint16_t) + 32 * sizeof(float));
        checkpoint.type = DType::F8_E4M3;
        QCOMPARE(table.neededMemory(checkpoint, engine).asStored, copied + matrix * sizeof(float));
    }

    void whatDoesNotFitIntoMemoryIsNotRead()
    {
        const TinyModel tiny = test::tinyTransformer({1, 2, 16, 30, 64});
        const JsonObject config = JsonObject::parse(tiny.config, "config.json");
        Engine engine(1);
        bool isRead = false;
        const auto progress = [&](const Progress&) { isRead = true; };
        const auto refuse = [](const WeightMemory&) -> WeightStorage {
            throw Error(ErrorKind::Resource, "memory", "is small");
        };
        QVERIFY_EXCEPTION_THROWN(familyOf(config).build({config, tiny.checkpoint, engine, progress, {}, refuse}),
                                 Error);
        QVERIFY(!isRead);
    }

    void marianIsDescribed()
    {
        Engine engine(1);
        const auto model = test::tinyTransformer({3, 2, 16, 30, 64}).build(engine);
        const ModelInfo& info = model->info();
        QCOMPARE(info.family, std::string("marian"));
        QCOMPARE(info.encoderLayers, 3);
        QCOMPARE(info.crossHeads, 2);
        QCOMPARE(info.modelWidth, 16);
        QCOMPARE(info.maximumLength, std::optional(64));
        QCOMPARE(info.decoderStart, 1);
        QCOMPARE(info.endToken, std::optional(0));
        QCOMPARE(info.badTokens, std::vector<TokenId>{1});
        QCOMPARE(info.storedDType, std::string("f32"));
        QCOMPARE(info.sites().size(), std::size_t{9});
        QVERIFY(info.hasSite({Stage::Cross, 2}));
        QVERIFY(!info.hasSite({Stage::Cross, 3}));
        QVERIFY(!info.hasSite({Stage::Encoder, -1}));
        QCOMPARE(model->positionalEncoding(10).shape(), (Shape{10, 16}));
        QVERIFY((info.bestSite == Site{Stage::Cross, 2}));
        // embeddings and final bias; three encoder layers; three decoder layers
        const std::int64_t attention = 4 * (16 * 16 + 16) + 32;
        const std::int64_t feedForward = 32 * 16 + 32 + 16 * 32 + 16 + 32;
        QCOMPARE(info.parameters, 30 * 16 + 30 + 3 * (attention + feedForward) + 3 * (2 * attention + feedForward));
    }

    void recurrentModelsAreDescribed()
    {
        Engine engine(1);
        const auto model = test::tinyRecurrent().build(engine);
        const Architecture& architecture = model->info().architecture;
        QVERIFY(architecture.form == Architecture::Form::Recurrent && !architecture.encoderLstm);
        QCOMPARE(architecture.score, std::string("additive"));
        QCOMPARE(model->info().sites().size(), std::size_t{1});
        QCOMPARE(model->info().heads({Stage::Cross, 0}), 1);
        QCOMPARE(model->info().decoderStart, 2);
        QVERIFY(!model->info().maximumLength);
        QVERIFY(model->positionalEncoding(5).empty());
    }

    void marianNamesMayLackThePrefix()
    {
        Engine engine(1);
        TinyModel tiny = test::tinyTransformer();
        for (const std::string& name : tiny.checkpoint->tensorNames()) {
            if (name.starts_with("model."))
                rename(tiny, name, name.substr(6));
        }
        QVERIFY(tiny.build(engine));
    }

    void theSharedTableMayBeStoredUnderAnyOfItsNames_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name :
             {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"})
            QTest::newRow(name) << QByteArray(name);
    }
    void theSharedTableMayBeStoredUnderAnyOfItsNames()
    {
        QFETCH(const QByteArray, name);
        Engine engine(1);
        TinyModel tiny = test::tinyTransformer();
        rename(tiny, "model.shared.weight", name.toStdString());
        QVERIFY(tiny.build(engine));
    }

    void whatIsNotNeededIsReportedAndIgnored()
    {
        Engine engine(1);
        TinyModel tiny = test::tinyTransformer();
        tiny.checkpoint->tensors["model.encoder.embed_positions.weight"] = Tensor({64, 16});
        tiny.checkpoint->tensors["lm_head.weight"] = Tensor({30, 16}); // tied: the stored matrix is ignored
        QCOMPARE(tiny.ignoredTensors(engine),
                 (std::vector<std::string>{"lm_head.weight", "model.encoder.embed_positions.weight"}));
    }

    void anUntiedOutputMatrixIsUsed()
    {
        TinyModel tiny = test::tinyTransformer();
        tiny.replace("\"scale_embedding\"", "\"tie_word_embeddings\": false, \"scale_embedding\"");
        verifyRefused(tiny, ErrorKind::Format, {"lm_head.weight [30, 16]"});
        tiny.checkpoint->tensors["lm_head.weight"] = Tensor({30, 16});
        Engine engine(1);
        QVERIFY(tiny.ignoredTensors(engine).empty());
    }

    void allWrongTensorsAreListedTogether()
    {
        TinyModel tiny = test::tinyTransformer();
        tiny.checkpoint->tensors.erase("model.encoder.layers.0.fc1.bias");
        tiny.checkpoint->tensors["model.decoder.layers.1.fc2.weight"] = Tensor({4, 4});
        tiny.checkpoint->tensors["stray"] = Tensor({1});
        verifyRefused(tiny, ErrorKind::Format,
                      {"tiny.safetensors", "model.encoder.layers.0.fc1.bias [32]",
                       "model.decoder.layers.1.fc2.weight [4, 4] instead of [16, 32]", "stray"});
    }

    void whatAModelCannotBeIsRefused_data()
    {
        test::addColumns<bool, QByteArray, QByteArray, QByteArray, ErrorKind>("isRecurrent", "from", "to", "word",
                                                                              "kind");
        const auto transformer = [](const char* row, const char* from, const char* to, const char* word,
                                    ErrorKind kind = ErrorKind::Format) {
            QTest::newRow(row) << false << QByteArray(from) << QByteArray(to) << QByteArray(word) << kind;
        };
        transformer("activation", "\"relu\"", "\"mish\"", "'mish'", ErrorKind::Unsupported);
        transformer("family", "\"marian\"", "\"mumble\"", "models --types", ErrorKind::Unsupported);
        transformer("no family", "\"model_type\": \"marian\",", "",
                    "has no model_type, which says what the model is (add the one that it was trained as; attnscope "
                    "models --types",
                    ErrorKind::Unsupported);
        transformer("heads", "\"encoder_attention_heads\": 2", "\"encoder_attention_heads\": 3",
                    "encoder_attention_heads");
        transformer("no layers", "\"encoder_layers\": 2", "\"encoder_layers\": 0", "encoder_layers");
        transformer("huge", "\"d_model\": 16", "\"d_model\": 4000000000", "d_model");
        transformer("start token", "\"decoder_start_token_id\": 1", "\"decoder_start_token_id\": 30",
                    "decoder_start_token_id");
        transformer("bad words", "[[1]]", "[[\"x\"]]", "bad_words_ids");
        const auto recurrent = [](const char* row, const char* from, const char* to, const char* word) {
            QTest::newRow(row) << true << QByteArray(from) << QByteArray(to) << QByteArray(word) << ErrorKind::Format;
        };
        recurrent("dot", "\"additive\"", "\"dot\"", "attention.score");
        recurrent("no score", "\"additive\"", "\"bilinear\"", "'additive', 'dot'");
        recurrent("style", "\"bahdanau\"", "\"cho\"", "decoder.style");
        recurrent("copy", "\"mean\"", "\"copy\"", "decoder.initial_state");
        recurrent("feeding", "\"input_feeding\": false", "\"input_feeding\": true", "input_feeding");
        recurrent("scope", "\"global\"", "\"local\"", "attention.scope");
        recurrent("mode", "\"soft\"", "\"sharp\"", "attention.mode");
        recurrent("cell", "\"cell\": \"gru\"", "\"cell\": \"rnn\"", "encoder.cell");
        recurrent("tied", "\"tie_output\": false", "\"tie_output\": true", "output_size 10");
        recurrent("missing", "\"embedding_size\": 8,", "", "embedding_size");
    }
    void whatAModelCannotBeIsRefused()
    {
        QFETCH(const bool, isRecurrent);
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QByteArray, word);
        QFETCH(const ErrorKind, kind);
        TinyModel tiny = isRecurrent ? test::tinyRecurrent() : test::tinyTransformer();
        tiny.replace(from.toStdString(), to.toStdString());
        verifyRefused(tiny, kind, {"config.json", word.toStdString()});
    }

    void firstBackwardNeedsTwoDirections()
    {
        TinyModel tiny = test::tinyRecurrent();
        tiny.replace("\"mean\"", "\"first_backward\"");
        tiny.replace("\"bidirectional\": true", "\"bidirectional\": false");
        verifyRefused(tiny, ErrorKind::Format, {"first_backward"});
    }

    void loadingReportsProgressAndStops()
    {
        Engine engine(1);
        const TinyModel tiny = test::tinyTransformer();
        std::vector<double> fractions;
        tiny.build(engine, [&](const Progress& progress) { fractions.push_back(progress.fraction); });
        QVERIFY(fractions.size() > 20);
        QVERIFY(std::ranges::is_sorted(fractions));
        QVERIFY(fractions.back() <= 1.0);

        std::stop_source stop;
        int calls = 0;
        test::verifyError(ErrorKind::Cancelled, {}, [&] {
            tiny.build(
                engine,
                [&](const Progress&) {
                    if (++calls == 3)
                        stop.request_stop();
                },
                stop.get_token());
        });
        QCOMPARE(calls, 3);
    }
};

ATTN_TEST(TestFamilies)

#include "tst_families.moc"
