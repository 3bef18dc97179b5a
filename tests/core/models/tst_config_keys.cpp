// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "nn/engine.h"
#include "support/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <filesystem>
#include <set>
#include <string>

using namespace attn;

namespace fs = std::filesystem;

// Keys of config.json: what is computed otherwise is refused by name, what changes nothing is let pass.
class TestConfigKeys : public QObject
{
    Q_OBJECT

private:
    // tests/data/configurations.json: the keys that each configuration class of Hugging Face's transformers 4.57 (5.0
    // for ministral3) writes and those of published models, each with a default.
    static Json classes() { return readJson(fs::path(ATTN_TEST_DATA) / "configurations.json"); }

    static Json configurationOf(const std::string& type)
    {
        const Json all = classes();
        Json config = all.at("common");
        config.update(all.at(type));
        config["model_type"] = type;
        return config;
    }

    // The key that is refused; empty: none.
    static std::string refusedKey(const Json& json)
    {
        const JsonObject config(json, "config.json");
        const Family& family = familyOf(config);
        try {
            checkConfigKeys(config, family);
        } catch (const Error& error) {
            const std::string start = "config.json: ";
            return error.where().starts_with(start) ? error.where().substr(start.size()) : error.where();
        }
        return {};
    }

private Q_SLOTS:
    void configurationClassesAreRead_data()
    {
        QTest::addColumn<std::string>("type");
        const Json all = classes();
        for (const auto& [type, keys] : all.items())
            if (type != "common")
                QTest::newRow(type.c_str()) << type;
    }
    void configurationClassesAreRead()
    {
        QFETCH(std::string, type);
        QCOMPARE(refusedKey(configurationOf(type)), std::string());
    }

    void anotherComputationIsRefusedByItsKey_data()
    {
        test::addColumns<std::string, std::string>("type", "change");
        const auto add = [](const char* type, const char* change) {
            QTest::addRow("%s %s", type, change) << std::string(type) << std::string(change);
        };
        for (const char* change :
             {R"("normalize_before": true)", R"("add_final_layer_norm": true)", R"("normalize_embedding": false)",
              R"("static_position_embeddings": true)", R"("extra_pos_embeddings": 0)", R"("add_bias_logits": true)"})
            add("bart", change);
        add("mbart", R"("normalize_before": false)");
        add("mbart", R"("add_final_layer_norm": false)");
        add("m2m_100", R"("normalize_before": false)");
        add("m2m_100", R"("normalize_embedding": true)");
        add("marian", R"("normalize_before": true)");
        add("marian", R"("normalize_embedding": true)");
        add("marian", R"("static_position_embeddings": false)");
        for (const char* change :
             {R"("is_causal": false)", R"("use_bidirectional_attention": true)", R"("sliding_window": 4096)",
              R"("attn_logit_softcapping": 50.0)", R"("final_logit_softcapping": 30)", R"("clip_qkv": 8)",
              R"("qk_layernorm": true)", R"("use_qk_norm": true)", R"("num_local_experts": 8)", R"("logit_scale": 0.5)",
              R"("residual_multiplier": 0.22)", R"("embedding_multiplier": 12)", R"("scale_emb": 12)",
              R"("alibi": true)", R"("layer_types": ["full_attention", "sliding_attention"])",
              R"("attention_temperature": 2)", R"("rotary_dim": 32)", R"("no_rope_layers": [1, 0])",
              R"("position_embedding_type": "relative_key")"})
            add("llama", change);
        add("mistral", R"("attention_bias": true)");
        add("mistral", R"("mlp_bias": true)");
        add("gpt2", R"("alibi": true)");
        add("gpt2", R"("rope_theta": 10000)");
        add("gpt2", R"("is_causal": false)");
        add("gpt2", R"("multi_query": true)");
        add("gpt2", R"("num_hidden_layers": 6)");
        add("t5", R"("scalable_attention": true)");
        add("t5", R"("num_hidden_layers": 5)");
        add("bert", R"("is_causal": true)");
        add("bert", R"("relative_attention": true)");
        add("bert", R"("emb_layer_norm_before": true)");
        add("bert", R"("use_task_id": true)");
        add("roberta", R"("attention_window": [512])");
        add("distilbert", R"("hidden_size": 512)");
        add("bert", R"("embedding_size": 128)");
        add("blenderbot-small", R"("do_blenderbot_90_layernorm": false)");
        add("blenderbot-small", R"("learn_positional_embeddings": false)");
        add("phi3", R"("full_attn_mod": 2)");
        add("gemma3", R"("is_causal": false)");
        add("gemma3", R"("text_config": {"clip_qkv": 8})"); // a configuration of its own
        add("mistral3", R"("text_config": {"is_causal": false})");
        add("encoder-decoder", R"("encoder": {"is_causal": true})");
        add("encoder-decoder", R"("decoder": {"add_cross_attention": false})");
        add("encoder-decoder", R"("decoder": {"relative_attention": true})");
    }
    void anotherComputationIsRefusedByItsKey()
    {
        QFETCH(std::string, type);
        QFETCH(std::string, change);
        const Json changes = Json::parse('{' + change + '}');
        Json config = configurationOf(type);
        config.merge_patch(changes);
        const auto first = changes.begin();
        const std::string part = first->is_object() ? ": " + first->begin().key() : "";
        QCOMPARE(refusedKey(config), first.key() + part);
    }

    void noFamilyPassesOverWhatItDoesNotKnow_data() { configurationClassesAreRead_data(); }
    void noFamilyPassesOverWhatItDoesNotKnow()
    {
        QFETCH(std::string, type);
        Json config = configurationOf(type);
        config["attention_temperature"] = 2;
        QCOMPARE(refusedKey(config), std::string("attention_temperature"));
    }

    void everyFamilyHasItsClass()
    {
        const Json all = classes();
        for (const Family& family : families())
            QVERIFY2(all.contains(family.modelType) || family.published == "of this program", family.modelType.data());
    }

    void allKeysOfAnotherComputationAreNamed()
    {
        Json config = configurationOf("bart");
        config.update({{"normalize_before", true}, {"add_final_layer_norm", true}});
        QCOMPARE(refusedKey(config), std::string("add_final_layer_norm, normalize_before"));
    }

    void whatChangesNothingIsLetPass_data()
    {
        test::addColumns<std::string, std::string>("type", "change");
        const auto add = [](const char* type, const char* change) {
            QTest::addRow("%s %s", type, change) << std::string(type) << std::string(change);
        };
        add("llama", R"("is_causal": true)");
        add("llama", R"("logit_scale": 1.0)");
        add("llama", R"("attn_logit_softcapping": null)");
        add("llama", R"("sliding_window": null)");
        add("llama", R"("use_sliding_window": false)");
        add("llama", R"("num_experts": 0)");
        add("llama", R"("no_rope_layers": [])");
        add("llama", R"("max_window_layers": 28)");
        add("llama", R"("tensor_parallel_degree": 2)");
        add("llama", R"("unsloth_version": "2024.9")");
        add("llama", R"("_attn_implementation_internal": "eager")");
        add("llama", R"("use_flash_attention_2": true)");
        add("llama", R"("attention_dropout_prob": 0.3)");
        add("llama", R"("my_experiment": {"seed": 3})");
        add("bert", R"("is_causal": false)");
        add("bert", R"("hidden_size": null)");
        add("gpt2", R"("num_hidden_layers": 12)");
        add("bart", R"("num_hidden_layers": 6)");
        add("bart", R"("hidden_size": 1024)");
    }
    void whatChangesNothingIsLetPass()
    {
        QFETCH(std::string, type);
        QFETCH(std::string, change);
        Json config = configurationOf(type);
        config.update(Json::parse('{' + change + '}'));
        QCOMPARE(refusedKey(config), std::string());
    }

    // A key that is listed as read and is not would be the fault that the lists are to prevent.
    void keysThatAreListedAsReadAreLookedAt_data()
    {
        QTest::addColumn<std::string>("name");
        for (const char* name : {"bart-plain", "mbart-scaled", "m2m-padded", "marian-separate", "bert-mlm",
                                 "roberta-mlm", "distilbert-mlm", "electra-mlm", "llama-gqa", "mistral-window",
                                 "qwen2-window", "gpt2-plain", "t5-relu", "mt5-silu"})
            QTest::newRow(name) << std::string(name);
    }
    void keysThatAreListedAsReadAreLookedAt()
    {
        QFETCH(std::string, name);
        const fs::path directory = fs::path(ATTN_TEST_DATA) / "cases" / name;
        const Json original = readJson(directory / "config.json");
        const JsonObject object(original, "config.json");
        const Family& family = familyOf(object);
        const auto checkpoint = openCheckpoint(directory);
        Engine engine(1);
        std::set<std::string_view> fixed; // by the family, of what others like it read
        for (auto next = family.keys; next != nullptr; next = next().more) {
            for (const FixedKey& key : next().fixed)
                fixed.insert(key.name);
            for (const std::string_view key : next().read) {
                if (fixed.contains(key))
                    continue;
                Json changed = original;
                if (key == "max_window_layers")
                    changed.erase("layer_types"); // which counts before it
                changed[std::string(key)] = Json::array({Json::object()});
                const JsonObject config(changed, "config.json");
                try {
                    family.build({config, checkpoint, engine, {}, {}});
                } catch (const Error& error) {
                    QVERIFY2(std::string(error.what()).find(key) != std::string::npos, error.what());
                    continue;
                }
                QFAIL(qPrintable(QString::fromStdString(std::string(key) + " is passed over")));
            }
        }
    }
};

ATTN_TEST(TestConfigKeys)

#include "tst_config_keys.moc"
