// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "models/families/family.h"
#include "nn/engine.h"
#include "support/broken_files.h"
#include "support/test_program.h"
#include "support/tiny_models.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <filesystem>

using namespace attn;

namespace fs = std::filesystem;

// Configurations of the Transformer families that ask for what does not exist, and what is read of those that do.
class TestTransformerFamilies : public QObject
{
    Q_OBJECT

private:
    static fs::path folder(const std::string& name) { return fs::path(ATTN_TEST_DATA) / "cases" / name; }

    // The case's model with changed settings.
    static FamilyOutput build(const std::string& name, const Json& changes, Engine& engine)
    {
        Json config = readJson(folder(name) / "config.json");
        config.update(changes);
        const JsonObject object = JsonObject::parse(config.dump(), "config.json");
        return familyOf(object).build({object, openCheckpoint(folder(name)), engine, {}, {}});
    }

private Q_SLOTS:
    void whatCannotBeIsRefusedByName_data()
    {
        test::addColumns<QString, QString, QString>("name", "changes", "word");
        const auto add = [](const char* name, const char* changes, const char* word) {
            QTest::addRow("%s %s", name, changes) << name << changes << word;
        };
        add("bert-mlm", R"({"num_attention_heads": 3})", "num_attention_heads");
        add("bert-mlm", R"({"position_embedding_type": "relative_key"})", "position_embedding_type");
        add("bert-mlm", R"({"is_decoder": true})", "is_decoder");
        add("bert-mlm", R"({"hidden_act": "mish"})", "'mish'");
        add("bert-mlm", R"({"hidden_size": 1000000000000})", "hidden_size");
        add("bert-mlm", R"({"layer_norm_eps": -1})", "layer_norm_eps");
        add("bert-mlm", R"({"vocab_size": 161})",
            "bert.embeddings.word_embeddings.weight [160, 32] instead of [161, 32]");
        add("bert-mlm", R"({"num_hidden_layers": 3})", "bert.encoder.layer.2.");
        add("roberta-mlm", R"({"pad_token_id": 65})", "max_position_embeddings");
        add("distilbert-mlm", R"({"n_heads": 5})", "n_heads");
        add("gpt2-plain", R"({"add_cross_attention": true})", "add_cross_attention");
        add("gpt2-plain", R"({"bos_token_id": "first"})", "bos_token_id");
        add("gpt2-plain", R"({"eos_token_id": [3, "end"]})", "eos_token_id");
        add("llama-biases", R"({"attention_bias": false})", "not described there: layers.0.self_attn.k_proj.bias");
        add("llama-gqa", R"({"num_key_value_heads": 3})", "num_key_value_heads");
        add("llama-gqa", R"({"head_dim": 16777216, "num_attention_heads": 16777216, "num_key_value_heads": 1})",
            "head_dim");
        add("llama-gqa", R"({"head_dim": 7})", "head_dim");
        add("llama-gqa", R"({"num_attention_heads": 6})", "num_attention_heads: 6 heads do not divide the width 32");
        add("llama-gqa", R"({"rope_scaling": {"rope_type": "longrope", "factor": 2}})", "short_factor");
        add("llama-gqa", R"({"rope_scaling": {"rope_type": "spiral", "factor": 2}})", "'spiral'");
        add("llama-gqa", R"({"rope_theta": null, "rope_parameters": {"rope_type": "default"}})", "rope_theta");
        add("n-phi3-longrope-newer-keys", R"({"hidden_size": 48})", "short_factor");
        add("llama-gqa", R"({"rope_scaling": {"rope_type": "linear"}})", "factor");
        add("llama-gqa", R"({"rope_scaling": {"type": "yarn", "factor": 0}})", "factor");
        add("llama-gqa", R"({"partial_rotary_factor": 1e300})", "partial_rotary_factor: is above 1");
        add("llama-gqa", R"({"rope_theta": -5})", "rope_theta");
        add("qwen2-window", R"({"layer_types": ["full_attention"]})", "layer_types");
        add("n-gemma2-layer-types", R"({"layer_types": ["full_attention", "chunked_attention", "full_attention"]})",
            "layer_types: layer 1 is \"chunked_attention\"");
        add("n-gemma3-sparse", R"({"text_config": null})", "text_config");
        add("n-mistral3-mistral", R"({"text_config": {"model_type": "qwen2"}})", "model_type");
        add("n-smollm3-list", R"({"no_rope_layers": [0]})", "no_rope_layers");
        add("n-gpt-neo-window", R"({"attention_types": [[["global", "local"], 3]]})", "attention_types");
        add("n-gptj-half", R"({"rotary_dim": 64})", "rotary_dim");
        add("n-falcon-grouped", R"({"num_kv_heads": 3})", "num_kv_heads");
        add("n-qwen3-moe-plain", R"({"num_experts_per_tok": 5})", "num_experts_per_tok");
        add("n-qwen3-moe-plain", R"({"num_experts": 5})", "missing: model.layers.0.mlp.experts.4.");
        add("n-deepseek-v3-plain", R"({"n_group": 3})", "n_group");
        add("n-deberta-v2-base", R"({"pos_att_type": "p2p"})", "pos_att_type");
        add("n-modernbert-every-two", R"({"classifier_pooling": "max"})", "classifier_pooling");
        add("n-head-bert-sequence-two", R"({"id2label": {"0": "a", "2": "c"}})", "id2label.1");
        add("n-head-bert-sequence-two", R"({"id2label": {"0": "a", "1": "b", "2": "c"}})", "classifier.weight");
        add("n-head-bert-sequence-two", R"({"id2label": null, "num_labels": 5})", "names 5 by id2label or num_labels");
        add("n-encoder-decoder-bert-bert", R"({"decoder": {"model_type": "gpt2"}})", "model_type");
        add("llama-gqa", R"({"model_type": "jamba"})", "'jamba'");
        for (const char* base : {"t5-relu", "bart-plain"}) // these cases are tied
            add(base, R"({"tie_word_embeddings": false})", "has no output layer: lm_head.weight [");
        add("bart-plain", R"({"decoder_attention_heads": 5})", "decoder_attention_heads");
        add("t5-relu", R"({"feed_forward_proj": "gated-swiglu"})", "feed_forward_proj");
        add("t5-relu", R"({"relative_attention_num_buckets": 3})", "relative_attention_num_buckets");
        add("t5-relu", R"({"num_heads": 16777216, "d_kv": 16777216})", "d_kv");
    }
    void whatCannotBeIsRefusedByName()
    {
        QFETCH(QString, name);
        QFETCH(QString, changes);
        QFETCH(QString, word);
        Engine engine(1);
        try {
            build(name.toStdString(), Json::parse(changes.toStdString()), engine);
            QFAIL("it was built");
        } catch (const Error& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(word), error.what());
            const bool ofWeights = error.where().find("config.json") == std::string::npos;
            QVERIFY2(!ofWeights || error.where().find(folder(name.toStdString()).string()) == 0, error.what());
        }
    }

    void aTiedTableMayHaveTheNameOfTheHead_data()
    {
        test::addColumns<QString, QString, QString>("name", "embedding", "head");
        const auto add = [](const char* name, const char* embedding, const char* head) {
            QTest::newRow(name) << name << embedding << head;
        };
        add("gpt2-plain", "transformer.wte.weight", "lm_head.weight");
        add("llama-gqa", "model.embed_tokens.weight", "lm_head.weight");
        add("mistral-window", "model.embed_tokens.weight", "lm_head.weight");
        add("qwen2-full", "model.embed_tokens.weight", "lm_head.weight");
        add("bert-mlm", "bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight");
        add("roberta-mlm", "roberta.embeddings.word_embeddings.weight", "lm_head.decoder.weight");
        add("xlm-roberta-padded", "roberta.embeddings.word_embeddings.weight", "lm_head.decoder.weight");
        add("electra-mlm", "electra.embeddings.word_embeddings.weight", "generator_lm_head.weight");
        add("distilbert-mlm", "distilbert.embeddings.word_embeddings.weight", "vocab_projector.weight");
        add("t5-relu", "shared.weight", "lm_head.weight");
        add("mt5-silu", "shared.weight", "lm_head.weight");
    }
    void aTiedTableMayHaveTheNameOfTheHead()
    {
        QFETCH(QString, name);
        QFETCH(QString, embedding);
        QFETCH(QString, head);
        Engine engine(1);
        test::TinyModel tiny = test::tinyCase(name.toStdString());
        Json config = Json::parse(tiny.config);
        config["tie_word_embeddings"] = true;
        tiny.config = config.dump();
        auto& tensors = tiny.checkpoint->tensors;
        const auto parameters = tiny.build(engine)->info().parameters;
        auto node = tensors.extract(embedding.toStdString());
        QVERIFY(!node.empty());
        node.key() = head.toStdString();
        tensors.erase(node.key());
        tensors.insert(std::move(node));
        QCOMPARE(tiny.build(engine)->info().parameters, parameters);
        QVERIFY(tiny.ignoredTensors(engine).empty());
        if (embedding.contains("word_embeddings")) // the others may say that there is no output layer
            config["tie_word_embeddings"] = false;
        else
            tensors.erase(head.toStdString());
        tiny.config = config.dump();
        const std::string message = test::errorOf([&] { tiny.build(engine); });
        QVERIFY2(message.find("missing: " + embedding.toStdString()) != std::string::npos, message.c_str());
    }

    void tokensOutsideTheVocabularyAreAbsent()
    {
        Engine engine(1);
        const ModelInfo info =
            build("gpt2-plain", {{"bos_token_id", 50256}, {"eos_token_id", -1}, {"bad_words_ids", {{7}, {50257}}}},
                  engine)
                .model->info();
        QVERIFY(!info.decoderStart);
        QVERIFY(!info.endToken);
        QCOMPARE(info.badTokens, std::vector<TokenId>{7});
    }

    void endTokensMayBeAList()
    {
        Engine engine(1);
        const ModelInfo info = build("llama-gqa", {{"eos_token_id", {7, 9, 11}}}, engine).model->info();
        QCOMPARE(info.endToken, std::optional<TokenId>(7));
        QCOMPARE(info.otherEndTokens, (std::vector<TokenId>{9, 11}));
    }

    void whatIsStoredButNotNeededIsNamedAsStored()
    {
        Engine engine(1);
        QCOMPARE(build("bert-noprefix", Json::object(), engine).ignoredTensors,
                 (std::vector<std::string>{"pooler.dense.bias", "pooler.dense.weight"}));
    }

    void aModelSaysWhatItIs()
    {
        Engine engine(1);
        const ModelInfo llama = build("llama-gqa", Json::object(), engine).model->info();
        QVERIFY(llama.kind == ModelKind::DecoderOnly);
        QCOMPARE(llama.keyValueHeads, 2);
        QCOMPARE(llama.headWidth, 8);
        QVERIFY(!llama.maximumLength);
        const ModelInfo roberta = build("roberta-mlm", Json::object(), engine).model->info();
        QCOMPARE(roberta.maximumLength, std::optional<int>(64)); // two rows of the table lie before the first position
        QVERIFY(roberta.predictsMasked);
        const ModelInfo camembert = build("roberta-mlm", {{"model_type", "camembert"}}, engine).model->info();
        QCOMPARE(camembert.family, std::string("camembert"));
        QCOMPARE(camembert.parameters, roberta.parameters);
        QVERIFY(camembert.predictsMasked);
        const ModelInfo bart = build("bart-plain", Json::object(), engine).model->info();
        QVERIFY(bart.architecture.form == Architecture::Form::Transformer
                && bart.architecture.norms == NormPlace::After);
        QVERIFY(llama.architecture.norms == NormPlace::Before && llama.architecture.gated && !bart.architecture.gated);
        QCOMPARE(bart.crossLayers, 2);
    }
};

ATTN_TEST(TestTransformerFamilies)

#include "tst_transformer_families.moc"
