// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "robust/hostile_files.h"

#include "io/mapped_file.h"
#include "support/gguf_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace attn::test {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t parts = 16;

std::string wordList(int count)
{
    std::string lines = "<pad>\n<unk>\n<s>\n</s>\n";
    for (int i = 4; i < count; ++i)
        lines += "w" + std::to_string(i) + '\n';
    return lines;
}

HostileSet weightsOf(const char* name, const std::string& folder)
{
    return {name,
            "",
            {{"config.json", testData(folder + "config.json")},
             {"model.safetensors", testData(folder + "model.safetensors")}}};
}

HostileSet recurrent()
{
    HostileSet set = weightsOf("recurrent", "cases/rnn-bahdanau-gru/");
    set.files["source.vocab"] = bytesOf(wordList(120));
    set.files["target.vocab"] = bytesOf(wordList(110));
    return set;
}

HostileSet encoder()
{
    std::string words;
    for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
        words += std::string(special) + '\n';
    for (int i = 5; i < 160; ++i)
        words += "w" + std::to_string(i) + '\n';
    HostileSet set = weightsOf("encoder", "cases/bert-mlm/");
    set.files["vocab.txt"] = bytesOf(words);
    return set;
}

// The weights of a case with `count` rows, zeros, where it has as many as one of its vocabularies.
HostileSet enlarged(const char* name, const std::string& folder, const std::vector<const char*>& sizes, int count)
{
    HostileSet set = weightsOf(name, folder);
    const auto textOf = [](const Bytes& bytes) {
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    Json config = Json::parse(textOf(set.files.at("config.json")));
    const std::string_view file = textOf(set.files.at("model.safetensors"));
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    const Json header = Json::parse(file.substr(sizeof length, length));
    const std::string_view values = file.substr(sizeof length + length);
    Json entries;
    std::string all;
    for (const auto& [key, stored] : header.items()) {
        if (key == "__metadata__")
            continue;
        Json tensor = stored;
        const auto begin = tensor["data_offsets"][0].get<std::size_t>();
        std::string own(values.substr(begin, tensor["data_offsets"][1].get<std::size_t>() - begin));
        const Json rows = tensor["shape"].empty() ? Json() : tensor["shape"][0];
        if (std::ranges::any_of(sizes, [&](const char* size) { return rows == config[size]; })) {
            own = std::string(own.size() / rows.get<std::size_t>() * static_cast<std::size_t>(count), '\0');
            tensor["shape"][0] = count;
        }
        tensor["data_offsets"] = {all.size(), all.size() + own.size()};
        entries[key] = tensor;
        all += own;
    }
    for (const char* size : sizes)
        config[size] = count;
    const std::string text = entries.dump();
    set.files["config.json"] = bytesOf(config.dump());
    set.files["model.safetensors"] = littleEndian(std::uint64_t{text.size()}) + bytesOf(text + all);
    return set;
}

constexpr int manyWords = 3000; // more than embeddings have rows beyond the words

HostileSet largeRecurrent()
{
    HostileSet set =
        enlarged("large recurrent", "cases/rnn-bahdanau-gru/", {"source_vocab_size", "target_vocab_size"}, manyWords);
    set.files["source.vocab"] = set.files["target.vocab"] = bytesOf(wordList(manyWords));
    return set;
}

HostileSet largeEncoder()
{
    HostileSet set = enlarged("large encoder", "cases/bert-mlm/", {"vocab_size"}, manyWords);
    std::string words = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
    for (int i = 5; i < manyWords; ++i)
        words += "w" + std::to_string(i) + '\n';
    set.files["vocab.txt"] = bytesOf(words);
    return set;
}

// How well it translates sentences of which lengths.
HostileSet scored()
{
    HostileSet set = recurrent();
    set.name = "scored";
    set.files["scores.json"] = bytesOf(
        R"({"beam": 4, "bleu_by_length": [{"from": 1, "to": 9, "sentences": 20, "bleu": 31.5},
{"from": 10, "to": 19, "sentences": 20, "bleu": 30.1}]})");
    return set;
}

HostileSet decoder()
{
    HostileSet set = weightsOf("decoder", "cases/llama-gqa/");
    set.files["tokenizer.model"] = testData("tokenizer/bpe.model");
    return set;
}

// A tokenizer without a model.
HostileSet pipeline()
{
    HostileSet set = decoder();
    set.name = "pipeline";
    set.files.erase("tokenizer.model");
    set.files["tokenizer.json"] = bytesOf(
        R"json({"added_tokens": [{"id": 0, "content": "<unk>", "special": true}, {"id": 1, "content": "<s>", "special": true}],
"normalizer": {"type": "NFKC"},
"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "\\s+|(?=[.,])"}, "behavior": "Isolated", "invert": false},
"post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
{"Sequence": {"id": "A", "type_id": 0}}], "pair": [], "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
"model": {"type": "BPE", "unk_token": "<unk>", "vocab": {"<unk>": 0, "<s>": 1, "a": 2, "b": 3, "ab": 4}, "merges": ["a b"]}})json");
    return set;
}

// Words and merges, and what is said about them.
HostileSet merged()
{
    Json words;
    for (int i = 0; i < 149; ++i)
        words[i == 2 ? "ab" : i < 2 ? std::string(1, static_cast<char>('a' + i)) : "w" + std::to_string(i)] = i;
    words["<|endoftext|>"] = 149;
    HostileSet set = weightsOf("merged", "cases/gpt2-plain/");
    set.files["vocab.json"] = bytesOf(words.dump());
    set.files["merges.txt"] = bytesOf("#version: 0.2\na b\n");
    set.files["tokenizer_config.json"] = bytesOf(
        R"({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": false, "eos_token": "<|endoftext|>",
"added_tokens_decoder": {"149": {"content": "<|endoftext|>", "special": true}}})");
    set.files["special_tokens_map.json"] = bytesOf(R"({"eos_token": {"content": "<|endoftext|>", "lstrip": false}})");
    set.files["generation_config.json"] = bytesOf(R"({"eos_token_id": 149, "max_length": 20, "num_beams": 1})");
    return set;
}

// Tokens beside the words.
HostileSet added()
{
    HostileSet set = merged();
    set.name = "added";
    set.files.erase("tokenizer_config.json");
    set.files["added_tokens.json"] = bytesOf(R"({"<|endoftext|>": 149, "w140": 140})");
    return set;
}

// One shard of torch, and its index; the tensors are no model's.
HostileSet shardedTorch()
{
    constexpr auto shard = "pytorch_model-00001-of-00001.bin";
    Json index;
    for (const char* name : {"bfloat16", "double", "empty", "flags", "half", "ids", "matrix", "parameter", "scalar",
                             "shared.even", "shared.head", "shared.tail"})
        index["weight_map"][name] = shard;
    return {"sharded torch",
            "",
            {{"config.json", testData("cases/gpt2-plain/config.json")},
             {shard, testData("torch/zip.bin")},
             {"pytorch_model.bin.index.json", bytesOf(index.dump())}},
            {"pytorch_model.bin.index.json"},
            {},
            false};
}

// One shard, and the index that says which tensors it has.
HostileSet sharded()
{
    constexpr auto shard = "model-00001-of-00001.safetensors";
    HostileSet set = weightsOf("sharded", "cases/gpt2-plain/");
    auto weights = set.files.extract("model.safetensors");
    const auto* const text = reinterpret_cast<const char*>(weights.mapped().data());
    std::uint64_t length = 0;
    std::memcpy(&length, text, sizeof length);
    const Json header = Json::parse(std::string_view(text + sizeof length, length));
    Json index;
    for (const auto& [name, tensor] : header.items())
        if (name != "__metadata__")
            index["weight_map"][name] = shard;
    set.files["model.safetensors.index.json"] = bytesOf(index.dump());
    weights.key() = shard;
    set.files.insert(std::move(weights));
    return set;
}

// A SentencePiece model for each side, and the ids of its pieces.
HostileSet pieces()
{
    Json ids{{"</s>", 0}, {"<unk>", 1}};
    for (int i = 2; i < 139; ++i)
        ids["w" + std::to_string(i)] = i;
    ids["<pad>"] = 139;
    HostileSet set = weightsOf("pieces", "cases/marian-relu/");
    set.files["source.spm"] = testData("tokenizer/unigram.model");
    set.files["target.spm"] = testData("tokenizer/unigram.model");
    set.files["vocab.json"] = bytesOf(ids.dump());
    return set;
}

// Metadata of a model, most of whose tensors are missing.
HostileSet described()
{
    using W = GgufWriter;
    W file;
    file.value("general.architecture", "llama").value("llama.embedding_length", std::uint32_t{32});
    file.value("llama.block_count", std::uint32_t{1}).value("llama.attention.head_count", std::uint32_t{4});
    file.value("llama.feed_forward_length", std::uint32_t{8}).value("llama.context_length", std::uint32_t{64});
    file.value("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    file.list("tokenizer.ggml.tokens", {"<unk>", "a", "b"});
    file.tensor("token_embd.weight", {3, 32}, W::tensorF32, Bytes(384, std::byte{0}));
    return {"described", "model.gguf", {{"model.gguf", file.finish()}}, {"model.gguf"}, {}, false};
}

HostileSet single(const char* name, const char* file, const char* path)
{
    return {name, file, {{file, testData(path)}}};
}

// A set with one file replaced, which the error names.
HostileSet with(HostileSet set, const std::string& what, const std::string& file, Bytes bytes, bool opens = false)
{
    set.name += ": " + what;
    set.files[file] = std::move(bytes);
    set.blamed = {file};
    set.opens = opens;
    return set;
}

// Half a list of words is a list of words, and a byte of binary values may be any; neither goes unnoticed elsewhere.
void damage(std::vector<HostileSet>& sets, const HostileSet& good, const std::string& file)
{
    const Bytes& bytes = good.files.at(file);
    const std::string ending = fs::path(file).extension();
    const bool isWords = ending == ".vocab" || file == "vocab.txt";
    const bool isBinary = !isWords && ending != ".json" && ending != ".txt";
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t at = bytes.size() * i / parts;
        const std::string where = file + ", " + std::to_string(i) + "/16";
        sets.push_back(with(good, where + " left", file,
                            {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at)}, isWords && i > 0));
    }
    for (std::size_t i = 0; i < parts; ++i) {
        Bytes changed = bytes;
        changed[bytes.size() * i / parts] ^= std::byte{0xff};
        sets.push_back(
            with(good, file + ", byte at " + std::to_string(i) + "/16 inverted", file, std::move(changed), isBinary));
    }
}

// A value of config.json that does not go with the rest, or with nothing. A whole number may be one that other weights
// would go with, the absence of a field its default, and `isReal` fields have any number.
void contradict(std::vector<HostileSet>& sets, const HostileSet& good, const char* pointer, const Json& value,
                bool isReal = false)
{
    const Bytes& bytes = good.files.at("config.json");
    Json config = Json::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    config[Json::json_pointer(pointer)] = value;
    HostileSet set = with(good, std::string(pointer + 1) + " = " + value.dump(), "config.json", bytesOf(config.dump()));
    const bool isCount = value.is_number_integer() && value >= 0;
    if (isCount || value.is_null())
        set.blamed.emplace_back("model.safetensors");
    set.opens = isCount || value.is_null() || (isReal && value.is_number() && value > 0);
    if (value != 3) // in range: another field may not go with it
        set.field = pointer + 1;
    std::ranges::replace(set.field, '/', '.');
    sets.push_back(std::move(set));
}

void contradictions(std::vector<HostileSet>& sets)
{
    const HostileSet bert = encoder();
    const HostileSet llama = decoder();
    const HostileSet rnn = recurrent();
    const HostileSet local = weightsOf("local", "cases/rnn-luong-local-m/");
    const std::vector<Json> odd = {0, -1, 3, 1e9, 9007199254740993, 0.5, "4", nullptr, Json::array(), true};
    for (const char* field : {"num_attention_heads", "num_hidden_layers", "hidden_size", "vocab_size"}) {
        for (const Json& value : odd) {
            contradict(sets, bert, ("/" + std::string(field)).c_str(), value);
            contradict(sets, llama, ("/" + std::string(field)).c_str(), value);
        }
    }
    for (const Json& value : odd) {
        contradict(sets, bert, "/max_position_embeddings", value);
        contradict(sets, bert, "/layer_norm_eps", value, true);
        contradict(sets, llama, "/num_key_value_heads", value);
        contradict(sets, llama, "/rope_theta", value, true);
        contradict(sets, rnn, "/source_vocab_size", value);
        contradict(sets, rnn, "/encoder/layers", value);
        contradict(sets, local, "/attention/window", value);
        contradict(sets, rnn, "/eos_token_id", value);
    }
    for (const Json& value : {Json("rnn"), Json("../bert"), Json(7), Json("")})
        contradict(sets, bert, "/model_type", value);
    contradict(sets, rnn, "/attention/score", "softest");
    contradict(sets, rnn, "/encoder/cell", "\u202egru");
    contradict(sets, llama, "/rope_scaling", Json{{"rope_type", "yarn"}, {"factor", -1}});
}

void tokenizersAgainstVocabularies(std::vector<HostileSet>& sets)
{
    for (const int count : {0, 4, 119, 121, 5000})
        sets.push_back(with(recurrent(), "source.vocab of " + std::to_string(count), "source.vocab",
                            bytesOf(wordList(count)), count < 120));
    sets.push_back(
        with(recurrent(), "source.vocab with a word twice", "source.vocab", bytesOf(wordList(119) + "w5\n"), true));
    sets.push_back(with(encoder(), "vocab.txt without special tokens", "vocab.txt", bytesOf("a\nb\n")));
    sets.push_back(with(encoder(), "vocab.txt of 5000", "vocab.txt", bytesOf(wordList(5000))));
    sets.push_back(with(encoder(), "vocab.txt that is not UTF-8", "vocab.txt", bytesOf("a\n\xff\xfe\n")));
    sets.push_back(with(decoder(), "tokenizer.model that is a web page", "tokenizer.model",
                        bytesOf("<!DOCTYPE html><html></html>")));
    sets.push_back(
        with(decoder(), "another tokenizer.model", "tokenizer.model", testData("tokenizer/unigram.model"), true));
}

// Pointers that a clone without Git LFS has in the place of files.
void pointers(std::vector<HostileSet>& sets)
{
    const std::pair<HostileSet, const char*> all[] = {
        {encoder(), "vocab.txt"},
        {decoder(), "tokenizer.model"},
        {merged(), "merges.txt"},
        {merged(), "vocab.json"},
        {pieces(), "source.spm"},
        {single("archive", "run.npz", "hostile/run.npz"), "run.npz"},
        {single("session", "study.attnscope", "hostile/study.attnscope"), "study.attnscope"}};
    for (const auto& [set, file] : all)
        sets.push_back(with(set, std::string(file) + " that is a Git LFS pointer", file,
                            bytesOf("version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 456318\n")));
}

} // namespace

Bytes testData(const std::string& name)
{
    return bytesOf(readWholeFile(fs::path(ATTN_TEST_DATA) / name));
}

std::vector<std::pair<HostileSet, std::vector<std::string>>> goodSets()
{
    return {
        {recurrent(), {"config.json", "model.safetensors", "source.vocab"}},
        {encoder(), {"config.json", "model.safetensors", "vocab.txt"}},
        {decoder(), {"tokenizer.model"}},
        {pipeline(), {"tokenizer.json"}},
        {described(), {"model.gguf"}},
        {single("torch", "weights.bin", "torch/zip.bin"), {"weights.bin"}},
        {single("old torch", "weights.bin", "torch/legacy.bin"), {"weights.bin"}},
        {single("archive", "run.npz", "hostile/run.npz"), {"run.npz"}},
        {single("text archive", "run.json", "hostile/run.json"), {"run.json"}},
        {single("session", "study.attnscope", "hostile/study.attnscope"), {"study.attnscope"}},
    };
}

std::vector<HostileSet> hostileSets()
{
    std::vector<HostileSet> sets;
    auto good = goodSets();
    good.emplace_back(merged(),
                      std::vector<std::string>{"vocab.json", "merges.txt", "tokenizer_config.json",
                                               "special_tokens_map.json", "generation_config.json"});
    good.emplace_back(sharded(), std::vector<std::string>{"model.safetensors.index.json"});
    good.emplace_back(pieces(), std::vector<std::string>{"source.spm", "target.spm", "vocab.json"});
    good.emplace_back(added(), std::vector<std::string>{"added_tokens.json"});
    good.emplace_back(shardedTorch(), std::vector<std::string>{"pytorch_model.bin.index.json"});
    good.emplace_back(scored(), std::vector<std::string>{"scores.json"});
    good.emplace_back(largeRecurrent(), std::vector<std::string>{"source.vocab", "target.vocab"});
    good.emplace_back(largeEncoder(), std::vector<std::string>{"vocab.txt"});
    for (const auto& [set, files] : good) {
        sets.push_back(set);
        for (const std::string& file : files)
            damage(sets, set, file);
    }
    for (const BrokenFile& broken : brokenSafetensors())
        sets.push_back(with(recurrent(), "weights: " + broken.name, "model.safetensors", broken.bytes));
    contradictions(sets);
    tokenizersAgainstVocabularies(sets);
    pointers(sets);
    return sets;
}

} // namespace attn::test
