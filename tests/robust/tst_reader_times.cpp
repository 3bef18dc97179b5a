// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "commands/options.h"
#include "commands/unfinished_batch.h"
#include "edits/edit.h"
#include "experiments/sentences.h"
#include "hostile_files.h"
#include "inference/run_edits.h"
#include "io/gguf.h"
#include "io/mapped_file.h"
#include "io/npz.h"
#include "io/zip_archive.h"
#include "loading/length_scores.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "question/question.h"
#include "session/session.h"
#include "support/broken_files.h"
#include "support/gguf_writer.h"
#include "support/sanitizers.h"
#include "support/test_program.h"
#include "trace/archive.h"

#ifdef ATTN_WITH_UI
#include "figures/export/provenance.h"
#endif

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <span>
#include <string>

using namespace attn;
using namespace attn::test;

namespace {

namespace fs = std::filesystem;

// What a file of so many parts is, and how it is read.
struct Reader
{
    const char* name;
    int parts; // of the smaller one
    std::function<void(const fs::path& folder, int parts)> write;
    std::function<void(const fs::path& folder)> read;
};

void put(const fs::path& path, const Bytes& bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void put(const fs::path& path, const std::string& text)
{
    put(path, bytesOf(text));
}

// part(0), between, part(1) ...
std::string repeated(int parts, const char* between, const std::function<std::string(int)>& part)
{
    std::string all;
    for (int i = 0; i < parts; ++i)
        all += (i == 0 ? "" : between) + part(i);
    return all;
}

std::string number(int i)
{
    return std::to_string(i);
}

std::string word(int i)
{
    return "\"w" + number(i) + '"';
}

// "w0": 0, "w1": 1 ...
std::string wordIds(int parts, int from = 0)
{
    return repeated(parts, ",", [from](int i) { return word(i) + ':' + number(i + from); });
}

std::string oneValue(int at)
{
    return R"({"dtype":"F32","shape":[1],"data_offsets":[)" + number(4 * at) + ',' + number(4 * at + 4) + "]}";
}

Bytes tensors(int parts)
{
    return safetensors('{' + repeated(parts, ",", [](int i) { return word(i) + ':' + oneValue(i); }) + '}',
                       std::size_t{4} * static_cast<std::size_t>(parts));
}

std::string lineOfWord(int i)
{
    return "w" + number(i) + '\n';
}

// --- what torch.save writes, a tensor of one value in a storage of its own

// "X", a text behind its length.
std::string pickledText(const std::string& text)
{
    const Bytes length = littleEndian(static_cast<std::uint32_t>(text.size()));
    return 'X' + std::string(reinterpret_cast<const char*>(length.data()), length.size()) + text;
}

// behindSize: what follows the number of values in the name of a storage.
std::string pickledTensors(int parts, const std::string& behindSize)
{
    return "\x80\x02}"
        + repeated(parts, "",
                   [&](int i) {
                       return pickledText("w" + number(i)) + "ctorch._utils\n_rebuild_tensor_v2\n(("
                           + pickledText("storage") + "ctorch\nFloatStorage\n" + pickledText(number(i))
                           + pickledText("cpu") + "K\x01" + behindSize + "tQ" + std::string("K\0", 2)
                           + "K\x01\x85K\x01\x85\x89}tRs";
                   })
        + '.';
}

Bytes torchZip(int parts)
{
    ZipWriter zip(Compression::Stored);
    zip.add("x/data.pkl", bytesOf(pickledTensors(parts, "")));
    for (int i = 0; i < parts; ++i)
        zip.add("x/data/" + number(i), Bytes(4));
    return zip.finish();
}

// A magic number, a version, what is said of the machine, the tensors, the names of their storages, and these.
Bytes legacyTorch(int parts)
{
    const std::string begin = "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}"
        + pickledText("little_endian") + "\x88s.";
    const std::string names = "\x80\x02](" + repeated(parts, "", [](int i) { return pickledText(number(i)); }) + "e.";
    Bytes file = bytesOf(begin + pickledTensors(parts, "N") + names);
    for (int i = 0; i < parts; ++i)
        file = std::move(file) + littleEndian(std::uint64_t{1}) + Bytes(4);
    return file;
}

void readTorch(const fs::path& folder)
{
    (void)openCheckpoint(folder / "pytorch_model.bin");
}

void readTokenizers(const fs::path& folder)
{
    (void)loadTokenizers(folder);
}

// A folder of GPT-2 with this file besides.
void besideWords(const fs::path& folder, const char* name, const std::string& text)
{
    put(folder / "config.json", R"({"model_type":"gpt2"})");
    put(folder / "vocab.json", R"({"<|endoftext|>":0,"a":1,"b":2,"ab":3})");
    put(folder / "merges.txt", "#version: 0.2\na b\n");
    put(folder / name, text);
}

std::string tokenizerJson(const std::string& vocabulary, const std::string& merges, const std::string& added)
{
    return R"({"added_tokens":[)" + added + R"(],"model":{"type":"BPE","vocab":{)" + vocabulary + R"(},"merges":[)"
        + merges + "]}}";
}

std::string addedToken(int i)
{
    return R"({"id":)" + number(i + 3) + R"(,"content":"<)" + number(i) + R"(>"})";
}

const std::vector<Reader>& readers()
{
    static const std::vector<Reader> all = {
        {"safetensors", 25'000,
         [](const fs::path& folder, int parts) { put(folder / "model.safetensors", tensors(parts)); },
         [](const fs::path& folder) { (void)openCheckpoint(folder / "model.safetensors"); }},
        {"shard index", 10'000,
         [](const fs::path& folder, int parts) {
             put(folder / "one.safetensors", tensors(parts));
             put(folder / "model.safetensors.index.json",
                 R"({"weight_map":{)" + repeated(parts, ",", [](int i) { return word(i) + ":\"one.safetensors\""; })
                     + "}}");
         },
         [](const fs::path& folder) { (void)openCheckpoint(folder / "model.safetensors.index.json"); }},
        {"GGUF", 10'000,
         [](const fs::path& folder, int parts) {
             GgufWriter file;
             file.value("general.architecture", "llama");
             for (int i = 0; i < parts; ++i)
                 file.value("k" + number(i), "x").tensor("t" + number(i), {1}, GgufWriter::tensorF32, Bytes(4));
             put(folder / "model.gguf", file.finish());
         },
         [](const fs::path& folder) {
             const std::string bytes = readWholeFile(folder / "model.gguf");
             const GgufFile file(std::as_bytes(std::span(bytes)), "model.gguf");
         }},
        {"GGUF, to its checkpoint", 10'000,
         [](const fs::path& folder, int parts) {
             GgufWriter file;
             file.value("general.architecture", "llama").value("llama.embedding_length", std::uint32_t{32});
             file.value("llama.block_count", std::uint32_t{1}).value("llama.attention.head_count", std::uint32_t{4});
             file.value("llama.feed_forward_length", std::uint32_t{8}).value("llama.context_length", std::uint32_t{64});
             file.value("llama.attention.layer_norm_rms_epsilon", 1e-5F);
             file.tensor("token_embd.weight", {3, 32}, GgufWriter::tensorF32, Bytes(384));
             for (int i = 0; i < parts; ++i)
                 file.tensor("t" + number(i), {1}, GgufWriter::tensorF32, Bytes(4));
             put(folder / "model.gguf", file.finish());
         },
         [](const fs::path& folder) {
             Engine engine;
             (void)errorOf([&] { (void)loadModel((folder / "model.gguf").string(), engine); });
         }},
        {"torch", 2'500, [](const fs::path& folder, int parts) { put(folder / "pytorch_model.bin", torchZip(parts)); },
         readTorch},
        {"torch, as it was before 1.6", 40'000,
         [](const fs::path& folder, int parts) { put(folder / "pytorch_model.bin", legacyTorch(parts)); }, readTorch},
        {"npz", 2'500,
         [](const fs::path& folder, int parts) {
             ZipWriter zip(Compression::Stored);
             for (int i = 0; i < parts; ++i)
                 zip.add("a" + number(i) + ".npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4));
             put(folder / "x.npz", zip.finish());
         },
         [](const fs::path& folder) {
             const NpzReader npz(folder / "x.npz");
             for (const std::string& name : npz.names())
                 (void)npz.find(name);
         }},
        {"JSON archive", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "x.json", R"({"source_ids":[)" + repeated(parts, ",", number) + "]}");
         },
         [](const fs::path& folder) { (void)readArchive(folder / "x.json"); }},
        {"npz archive", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "x.json", R"({"source_ids":[)" + repeated(parts, ",", number) + "]}");
             writeArchive(folder / "x.npz", readArchive(folder / "x.json"));
         },
         [](const fs::path& folder) { (void)readArchive(folder / "x.npz"); }},
        {"session", 50,
         [](const fs::path& folder, int parts) {
             Session session;
             const Trace trace = readArchive(fs::path(ATTN_TEST_DATA) / "hostile/run.npz");
             for (int i = 1; i <= parts; ++i) {
                 SessionRun& run = session.runs.emplace_back();
                 run.id = i;
                 run.parent = i > 1 ? std::optional(i - 1) : std::nullopt;
                 run.trace = trace;
             }
             writeSession(folder / "x.attnscope", session);
         },
         [](const fs::path& folder) { (void)readSession(folder / "x.attnscope"); }},
        {"config.json", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "config.json", R"({"model_type":"gpt2",)" + wordIds(parts) + '}');
             put(folder / "generation_config.json", '{' + wordIds(parts) + '}');
             put(folder / "model.safetensors", smallSafetensors());
         },
         [](const fs::path& folder) {
             Engine engine;
             (void)errorOf([&] { (void)loadModel(folder.string(), engine); });
         }},
        {"vocab.txt", 20'000,
         [](const fs::path& folder, int parts) {
             put(folder / "config.json", R"({"model_type":"bert"})");
             put(folder / "vocab.txt",
                 "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n" + repeated(parts, "\n", [](int i) { return 'w' + number(i); })
                     + '\n');
         },
         readTokenizers},
        {"lists of words", 20'000,
         [](const fs::path& folder, int parts) {
             put(folder / "config.json", R"({"model_type":"rnn_encoder_decoder"})");
             for (const char* name : {"source.vocab", "target.vocab"})
                 put(folder / name,
                     "<pad>\n<unk>\n<s>\n</s>\n" + repeated(parts, "\n", [](int i) { return 'w' + number(i); }) + '\n');
         },
         readTokenizers},
        {"vocab.json and merges.txt", 5'000,
         [](const fs::path& folder, int parts) {
             besideWords(folder, "vocab.json",
                         R"({"<|endoftext|>":0,"a":1,"b":2,)" + repeated(parts, ",", [](int i) {
                             return '"' + number(i) + "\":" + number(2 * i + 3) + ",\"a" + number(i)
                                 + "\":" + number(2 * i + 4);
                         }) + '}');
             put(folder / "merges.txt",
                 "#version: 0.2\n" + repeated(parts, "\n", [](int i) { return "a " + number(i); }) + '\n');
         },
         readTokenizers},
        {"tokenizer_config.json", 2'000,
         [](const fs::path& folder, int parts) {
             besideWords(
                 folder, "tokenizer_config.json",
                 R"({"tokenizer_class":"GPT2Tokenizer","added_tokens_decoder":{)" + repeated(parts, ",", [](int i) {
                     return '"' + number(i + 4) + R"(":{"content":"<)" + number(i) + R"(>"})";
                 }) + "}}");
         },
         readTokenizers},
        {"special_tokens_map.json", 20'000,
         [](const fs::path& folder, int parts) {
             besideWords(folder, "special_tokens_map.json",
                         R"({"additional_special_tokens":[)" + repeated(parts, ",", word) + "],"
                             + repeated(parts, ",", [](int i) { return word(i) + ':' + word(i); }) + '}');
         },
         readTokenizers},
        {"added_tokens.json", 2'000,
         [](const fs::path& folder, int parts) {
             besideWords(folder, "added_tokens.json", '{' + wordIds(parts, 4) + '}');
         },
         readTokenizers},
        {"vocabulary of tokenizer.json", 20'000,
         [](const fs::path& folder, int parts) {
             put(folder / "tokenizer.json", tokenizerJson(R"("a":0,"b":1,"ab":2,)" + wordIds(parts, 3), "\"a b\"", ""));
         },
         readTokenizers},
        {"added tokens of tokenizer.json", 2'000,
         [](const fs::path& folder, int parts) {
             put(folder / "tokenizer.json",
                 tokenizerJson(R"("a":0,"b":1,"ab":2)", "\"a b\"", repeated(parts, ",", addedToken)));
         },
         readTokenizers},
        {"merges of tokenizer.json", 5'000,
         [](const fs::path& folder, int parts) {
             const auto both = [](int i) {
                 return '"' + number(i) + "\":" + number(2 * i + 1) + ",\"a" + number(i) + "\":" + number(2 * i + 2);
             };
             put(folder / "tokenizer.json",
                 tokenizerJson("\"a\":0," + repeated(parts, ",", both),
                               repeated(parts, ",", [](int i) { return "\"a " + number(i) + '"'; }), ""));
         },
         readTokenizers},
        {"Unigram of tokenizer.json", 20'000,
         [](const fs::path& folder, int parts) {
             put(folder / "tokenizer.json",
                 R"({"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],)"
                     + repeated(parts, ",", [](int i) { return '[' + word(i) + ",-1]"; }) + "]}}");
         },
         readTokenizers},
        {"WordPiece of tokenizer.json", 20'000,
         [](const fs::path& folder, int parts) {
             put(folder / "tokenizer.json",
                 R"({"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,)" + wordIds(parts, 1) + "}}}");
         },
         readTokenizers},
        {"tokenizer of GGUF", 5'000,
         [](const fs::path& folder, int parts) {
             std::vector<std::string> pieces{"a"};
             std::vector<std::string> merges;
             for (int i = 0; i < parts; ++i) {
                 pieces.push_back(number(i));
                 pieces.push_back('a' + number(i));
                 merges.push_back("a " + number(i));
             }
             GgufWriter file;
             file.value("general.architecture", "llama").value("tokenizer.ggml.model", "gpt2");
             file.list("tokenizer.ggml.tokens", pieces).list("tokenizer.ggml.merges", merges);
             put(folder / "model.gguf", file.finish());
         },
         [](const fs::path& folder) { (void)loadTokenizers(folder / "model.gguf"); }},
        {"SentencePiece", 10'000,
         [](const fs::path& folder, int parts) {
             Bytes model = testData("tokenizer/unigram.model");
             for (int i = 0; i < parts; ++i) {
                 const std::string piece = "p" + number(i);
                 const auto size = static_cast<char>(piece.size());
                 // Field 1: a piece (field 1) and its score (field 2).
                 std::string entry = std::string("\x0a") + size + piece + '\x15' + std::string("\0\0\x80\xbf", 4);
                 entry = std::string("\x0a") + static_cast<char>(entry.size()) + entry;
                 const Bytes bytes = bytesOf(entry);
                 model.insert(model.end(), bytes.begin(), bytes.end());
             }
             put(folder / "config.json", R"({"model_type":"llama"})");
             put(folder / "tokenizer.model", model);
         },
         readTokenizers},
        {"scores.json", 250, // at most 1000
         [](const fs::path& folder, int parts) {
             put(folder / "scores.json",
                 R"({"beam":1,"bleu_by_length":[)" + repeated(parts, ",", [](int i) {
                     return R"({"from":)" + number(i + 1) + R"(,"to":)" + number(i + 1) + R"(,"sentences":1,"bleu":1})";
                 }) + "]}");
         },
         [](const fs::path& folder) { (void)readLengthScores(folder); }},
        {"model card", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "README.md",
                 "---\nwidget:\n" + repeated(parts, "\n", [](int i) { return "- text: w" + number(i); })
                     + "\n---\ntext\n");
         },
         [](const fs::path& folder) { (void)parseModelCard(readWholeFile(folder / "README.md")); }},
        {"lines of a batch", 100'000,
         [](const fs::path& folder, int parts) { put(folder / "lines.txt", repeated(parts, "", lineOfWord)); },
         [](const fs::path& folder) { (void)app::readLines(folder / "lines.txt"); }},
        {"one text", 4'000'000,
         [](const fs::path& folder, int parts) { put(folder / "x.txt", std::string(parts, 'w')); },
         [](const fs::path& folder) { (void)app::readTextFile(folder / "x.txt"); }},
        {"sentences of the laboratory", 400,
         [](const fs::path& folder, int parts) {
             put(folder / "x.tsv", repeated(parts, "\n", [](int i) {
                     return repeated(100, " ", [i](int) { return 'w' + number(i); }) + "\tw";
                 }));
         },
         [](const fs::path& folder) { (void)readSentencePairs(folder / "x.tsv"); }},
        {"unfinished batch", 25'000,
         [](const fs::path& folder, int parts) {
             put(folder / "lines.txt", repeated(parts, "", lineOfWord));
             put(folder / "x.jsonl.part", repeated(parts, "", [](int i) {
                     return app::answerText({{"source", "w" + number(i)}, {"output", "t"}});
                 }));
             put(folder / "x.al.part", repeated(parts, "", [](int) { return std::string("0-0\n"); }));
         },
         [](const fs::path& folder) {
             (void)app::readFinishedLines(folder / "x.jsonl.part", folder / "x.al.part",
                                          app::readLines(folder / "lines.txt"), {});
         }},
        {"question", 10'000,
         [](const fs::path& folder, int parts) {
             put(folder / "x.json",
                 R"({"text":"a",)" + wordIds(parts) + R"(,"source-ids":[)" + repeated(parts, ",", number) + "]}");
         },
         [](const fs::path& folder) { (void)parseQuestion(readWholeFile(folder / "x.json"), "x.json"); }},
        {"list of edits", 10'000,
         [](const fs::path& folder, int parts) {
             Question question;
             for (int i = 0; i < parts; ++i)
                 question.edits.push_back("cross:0:" + number(i) + "=zero");
             put(folder / "x.json", questionText(question));
         },
         [](const fs::path& folder) {
             const RunEdits edits(parseQuestion(readWholeFile(folder / "x.json"), "x.json").edits);
         }},
        {"edit of many heads", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "x.txt", "cross:0:" + repeated(parts, ",", [](int i) { return number(2 * i); }) + "=zero");
         },
         [](const fs::path& folder) { (void)editText(parseEdit(readWholeFile(folder / "x.txt"))); }},
#ifdef ATTN_WITH_UI
        {"SVG figure", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "x.svg",
                 "<svg>" + repeated(parts, "", [](int i) { return "<g id=\"" + number(i) + "\">&lt;</g>"; })
                     + "<metadata>" + repeated(parts, "\n", [](int i) { return "Text: &lt;" + number(i); })
                     + "</metadata></svg>");
         },
         [](const fs::path& folder) { (void)ui::readProvenance(folder / "x.svg"); }},
        {"TikZ figure", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "x.tex", repeated(parts, "\n", [](int i) { return "% Text: " + number(i); }));
         },
         [](const fs::path& folder) { (void)ui::readProvenance(folder / "x.tex"); }},
        {"HTML figure", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "x.html",
                 "<!--\n" + repeated(parts, "\n", [](int i) { return "Text: &lt;" + number(i); }) + "\n-->");
         },
         [](const fs::path& folder) { (void)ui::readProvenance(folder / "x.html"); }},
        {"GIF figure", 50'000,
         [](const fs::path& folder, int parts) {
             const auto piece = [](int i) {
                 const std::string text = "Text: " + number(i) + '\n';
                 return static_cast<char>(text.size()) + text;
             };
             put(folder / "x.gif",
                 "GIF89a" + std::string(7, '\0') + "!\xfe" + repeated(parts, "", piece) + std::string("\0;", 2));
         },
         [](const fs::path& folder) { (void)ui::readProvenance(folder / "x.gif"); }},
        {"PDF figure", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "x.pdf",
                 "%PDF\n<x:xmpmeta><metadata>\n" + repeated(parts, "\n", [](int i) { return "Text: &lt;" + number(i); })
                     + "\n</metadata></x:xmpmeta>\n");
         },
         [](const fs::path& folder) { (void)ui::readProvenance(folder / "x.pdf"); }},
#endif
    };
    return all;
}

} // namespace

// Reading takes time that grows with what is read, not with its square: four times as many parts take about four times
// as long.
class TestReaderTimes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeGrowsWithTheFile_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < readers().size(); ++i)
            QTest::newRow(readers()[i].name) << static_cast<int>(i);
    }
    void timeGrowsWithTheFile()
    {
        QFETCH(const int, index);
        const Reader& reader = readers()[static_cast<std::size_t>(index)];
        const int fewer = std::max(reader.parts / slowdown(), 1);
        const double small = milliseconds(reader, fewer);
        const double large = milliseconds(reader, 4 * fewer);
        std::printf("%-31s %7d: %8.2f ms, %7d: %8.2f ms\n", reader.name, fewer, small, 4 * fewer, large);
        constexpr double most = 10; // its square takes 16
        constexpr double ofTheClock = 1; // ms: what takes less says little
        QVERIFY(large < most * std::max(small, ofTheClock));
    }

    void manyTensorsTakeLessThanASecond()
    {
        const double took = milliseconds(readers().front(), 100'000);
        QVERIFY2(took < 1000 * slowdown(), qPrintable(QString::number(took)));
    }

private:
    // Of the processor, on this thread, since it has begun.
    static double spent()
    {
        timespec time = {};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    }

    // The least of several, so that what else the machine does counts little.
    static double milliseconds(const Reader& reader, int parts)
    {
        const QTemporaryDir place;
        const fs::path folder(place.path().toStdString());
        reader.write(folder, parts);
        double least = std::numeric_limits<double>::max();
        for (int times = 0; times < 3; ++times) {
            const double before = spent();
            reader.read(folder);
            least = std::min(least, spent() - before);
        }
        return least;
    }
};

ATTN_TEST(TestReaderTimes)

#include "tst_reader_times.moc"
