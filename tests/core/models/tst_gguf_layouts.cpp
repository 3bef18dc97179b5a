// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/family.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/gguf_writer.h"
#include "support/golden_case.h"
#include "support/recording_sink.h"
#include "support/test_program.h"
#include "support/tiny_models.h"
#include "support/whole_files.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

using namespace attn;
using test::GgufWriter;
using test::RecordingSink;
using test::TinyModel;

namespace fs = std::filesystem;

namespace {

using Names = std::map<std::string, std::string, std::less<>>; // Hugging Face's parts of names, and llama.cpp's

Names llamaNames(Names more = {})
{
    more.merge(Names{{"model.embed_tokens", "token_embd"},
                     {"model.norm", "output_norm"},
                     {"lm_head", "output"},
                     {"input_layernorm", "attn_norm"},
                     {"post_attention_layernorm", "ffn_norm"},
                     {"self_attn.q_proj", "attn_q"},
                     {"self_attn.k_proj", "attn_k"},
                     {"self_attn.v_proj", "attn_v"},
                     {"self_attn.o_proj", "attn_output"},
                     {"mlp.gate_proj", "ffn_gate"},
                     {"mlp.up_proj", "ffn_up"},
                     {"mlp.down_proj", "ffn_down"}});
    return more;
}

// A model of the cases as llama.cpp writes it.
struct Written
{
    const char* name = ""; // of the case
    const char* architecture = "";
    Json changes = {}; // of config.json, to what a GGUF file can say
    Names names = llamaNames();
    std::function<void(GgufWriter&, const std::string& architecture)> describe = [](auto&, const auto&) {};
    bool neighbours = false; // queries and keys are turned in pairs of neighbours
};

// [heads, 2, features / 2] rows to [heads, features / 2, 2].
Tensor inNeighbours(const Tensor& matrix, std::int64_t heads)
{
    const NumberView rows = matrix.matrix();
    const Index features = rows.rows / static_cast<Index>(heads);
    Tensor result(matrix.shape());
    for (Index row = 0; row < rows.rows; ++row) {
        const Index place = row % features;
        const Index to = row - place + place % (features / 2) * 2 + place / (features / 2);
        std::ranges::copy(rows.row(row), result.matrix().row(to).begin());
    }
    return result;
}

// "model.layers.0.mlp.up_proj.weight": "blk.0.ffn_up.weight"; empty: llama.cpp does not store it.
std::string storedName(const Written& written, const std::string& name)
{
    constexpr std::string_view layers = "model.layers.";
    const std::size_t end = name.rfind('.');
    std::string part = name.substr(0, end);
    std::string before;
    if (part.starts_with(layers)) {
        const std::size_t dot = part.find('.', layers.size());
        before = "blk." + part.substr(layers.size(), dot - layers.size()) + '.';
        part = part.substr(dot + 1);
    }
    const auto found = written.names.find(part);
    return found == written.names.end() ? std::string() : before + found->second + name.substr(end);
}

test::Bytes ggufOf(const Written& written, const TinyModel& tiny)
{
    const Json config = Json::parse(tiny.config);
    const std::string a = written.architecture;
    const auto heads = config.at("num_attention_heads").get<std::uint32_t>();
    const auto keyHeads = config.value("num_key_value_heads", heads);
    GgufWriter file;
    file.value("general.architecture", a)
        .value(a + ".embedding_length", config.at("hidden_size").get<std::uint32_t>())
        .value(a + ".block_count", config.at("num_hidden_layers").get<std::uint32_t>())
        .value(a + ".context_length", config.at("max_position_embeddings").get<std::uint32_t>())
        .value(a + ".feed_forward_length", config.at("intermediate_size").get<std::uint32_t>())
        .value(a + ".attention.head_count", heads)
        .value(a + ".attention.head_count_kv", keyHeads)
        .value(a + ".attention.layer_norm_rms_epsilon", config.value("rms_norm_eps", 1e-5F));
    if (config.contains("rope_theta"))
        file.value(a + ".rope.freq_base", config.at("rope_theta").get<float>());
    written.describe(file, a);
    for (const auto& [name, values] : tiny.checkpoint->tensors) {
        const std::string stored = storedName(written, name);
        if (stored.empty())
            continue;
        const bool query = stored.ends_with("attn_q.weight");
        const bool turned = written.neighbours && (query || stored.ends_with("attn_k.weight"));
        const Tensor& own = turned ? inNeighbours(values, query ? heads : keyHeads) : values;
        const auto bytes = std::as_bytes(own.values());
        file.tensor(stored, {own.shape().begin(), own.shape().end()}, GgufWriter::tensorF32,
                    {bytes.begin(), bytes.end()});
    }
    return file.finish();
}

struct Ran
{
    NumberVector<float> states; // of all layers
    NumberVector<float> logits; // after the text and after each token that is read behind it
};

Ran ran(const SequenceModel& model, std::span<const TokenId> ids, Engine& engine, std::size_t steps)
{
    RecordingSink sink;
    RunContext context{engine, sink, {true, false, true, false}, {}};
    Ran result;
    if (model.info().kind == ModelKind::EncoderOnly) {
        (void)model.encode(ids, context);
    } else {
        const auto state = model.start(nullptr, context);
        state->extend(ids.first(ids.size() - steps), context);
        result.logits = copyOf(state->logits());
        for (const TokenId id : ids.last(steps)) {
            state->extend(std::span(&id, 1), context);
            std::ranges::copy(copyOf(state->logits()), std::back_inserter(result.logits));
        }
    }
    for (const auto& hidden : sink.hiddens)
        std::ranges::copy(hidden.values, std::back_inserter(result.states));
    return result;
}

const std::vector<Written>& writtenModels()
{
    const Names olmo = llamaNames({{"post_attention_layernorm", "post_attention_norm"},
                                   {"post_feedforward_layernorm", "post_ffw_norm"},
                                   {"self_attn.q_norm", "attn_q_norm"},
                                   {"self_attn.k_norm", "attn_k_norm"}});
    Names experts = llamaNames({{"block_sparse_moe.gate", "ffn_gate_inp"}});
    for (const char* expert : {"0", "1", "2"})
        for (const auto& [own, stored] : {std::pair{"w1", "ffn_gate."}, {"w3", "ffn_up."}, {"w2", "ffn_down."}})
            experts[std::string("block_sparse_moe.experts.") + expert + '.' + own] = std::string(stored) + expert;
    static const std::vector<Written> rows{
        {"n-olmo2-newer-keys", "olmo2", {{"rope_parameters", nullptr}, {"rope_theta", 20000}}, olmo},
        {"n-olmo3-plain",
         "olmo2",
         {{"layer_types", nullptr}},
         olmo,
         [](GgufWriter& file, const std::string& a) {
             file.value(a + ".attention.sliding_window", 4U)
                 .value(a + ".rope.scaling.type", "yarn")
                 .value(a + ".rope.scaling.factor", 4.0F)
                 .value(a + ".rope.scaling.original_context_length", 16U);
         }},
        {"n-granite-plain",
         "granite",
         {},
         llamaNames(),
         [](GgufWriter& file, const std::string& a) {
             file.value(a + ".attention.scale", 0.1F)
                 .value(a + ".embedding_scale", 4.0F)
                 .value(a + ".residual_scale", 0.4F)
                 .value(a + ".logit_scale", 2.0F);
         },
         true},
        {"n-smollm3-list",
         "smollm3",
         {{"no_rope_layers", nullptr}},
         llamaNames(),
         [](GgufWriter&, const std::string&) {},
         true},
        {"n-cohere2-plain",
         "cohere2",
         {{"layer_types", nullptr}},
         llamaNames(),
         [](GgufWriter& file, const std::string& a) {
             file.value(a + ".attention.sliding_window", 4U)
                 .value(a + ".attention.layer_norm_epsilon", 1e-5F)
                 .value(a + ".logit_scale", 0.5F);
         }},
        {"n-modernbert-every-two",
         "modern-bert",
         {{"global_attn_every_n_layers", nullptr}},
         {{"model.embeddings.tok_embeddings", "token_embd"},
          {"model.embeddings.norm", "token_embd_norm"},
          {"model.final_norm", "output_norm"},
          {"attn_norm", "attn_norm"},
          {"attn.Wqkv", "attn_qkv"},
          {"attn.Wo", "attn_output"},
          {"mlp_norm", "ffn_norm"},
          {"mlp.Wi", "ffn_up"},
          {"mlp.Wo", "ffn_down"}},
         [](GgufWriter& file, const std::string& a) {
             file.value(a + ".attention.sliding_window", 6U)
                 .value(a + ".attention.layer_norm_epsilon", 1e-5F)
                 .value(a + ".rope.freq_base", 160000.0F)
                 .value(a + ".rope.freq_base_swa", 10000.0F);
         }},
        {"n-mixtral-plain",
         "llama",
         {},
         experts,
         [](GgufWriter& file, const std::string& a) {
             file.value(a + ".expert_count", 3U).value(a + ".expert_used_count", 2U);
         },
         true},
    };
    return rows;
}

} // namespace

// GGUF files against the directories that they were made from.
class TestGgufLayouts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFileIsTheModelOfItsDirectory_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < writtenModels().size(); ++i)
            QTest::addRow("%s of %s", writtenModels()[i].architecture, writtenModels()[i].name) << static_cast<int>(i);
    }
    void aFileIsTheModelOfItsDirectory()
    {
        QFETCH(const int, index);
        const Written& written = writtenModels()[static_cast<std::size_t>(index)];
        TinyModel tiny = test::tinyCase(written.name);
        Json config = Json::parse(tiny.config);
        if (!written.changes.is_null())
            config.update(written.changes);
        tiny.config = config.dump();
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("model.gguf"));
        const test::Bytes file = ggufOf(written, tiny);
        test::writeFile(path, {reinterpret_cast<const char*>(file.data()), static_cast<qsizetype>(file.size())});
        const auto ids = test::GoldenCase(fs::path(ATTN_TEST_DATA) / "cases" / written.name).sourceIds();
        Engine engine(1);
        const auto checkpoint = openCheckpoint(path.toStdString(), ggufLayouts());
        const FamilyOutput built =
            familyOf(*checkpoint->config()).build({*checkpoint->config(), checkpoint, engine, {}, {}});
        QVERIFY(built.ignoredTensors.empty());
        const Ran found = ran(*built.model, ids, engine, 0);
        const Ran expected = ran(*tiny.build(engine), ids, engine, 0);
        const auto ofStates = test::compare(found.states, expected.states);
        QVERIFY2(ofStates.largest < 1e-5, ofStates.text().c_str());
        const auto ofLogits = test::compare(found.logits, expected.logits);
        QVERIFY2(ofLogits.largest < 1e-5, ofLogits.text().c_str());
    }

    void weightsAsStoredAreThoseThatAreWidened_data()
    {
        QTest::addColumn<QString>("name");
        for (const fs::path& path : test::GoldenCase::directories())
            if (const std::string name = path.filename().string();
                name.starts_with("g-") || name.starts_with("gpt2") || name.find("gpt-oss") != std::string::npos)
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    // A pass of several rows is the same bit for bit; single steps add the same products in another order.
    void weightsAsStoredAreThoseThatAreWidened()
    {
        QFETCH(const QString, name);
        const test::GoldenCase golden(fs::path(ATTN_TEST_DATA) / "cases" / name.toStdString());
        const auto ids = golden.sourceIds();
        Engine engine(1);
        const auto widened = golden.model(engine);
        const auto asStored = golden.model(engine, WeightStorage::AsStored);
        if (widened->info().expertsOfToken == 0) // an expert may get a single row
            QCOMPARE(ran(*asStored, ids, engine, 0).states, ran(*widened, ids, engine, 0).states);
        constexpr std::size_t steps = 3;
        const auto difference =
            test::compare(ran(*asStored, ids, engine, steps).logits, ran(*widened, ids, engine, steps).logits);
        QVERIFY2(difference.largest < 1e-4, difference.text().c_str());
    }
};

ATTN_TEST(TestGgufLayouts)

#include "tst_gguf_layouts.moc"
