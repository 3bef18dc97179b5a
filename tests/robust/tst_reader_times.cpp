// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "hostile_files.h"
#include "io/gguf.h"
#include "io/mapped_file.h"
#include "io/npz.h"
#include "io/zip_archive.h"
#include "loading/length_scores.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "session/session.h"
#include "support/broken_files.h"
#include "support/gguf_writer.h"
#include "support/sanitizers.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
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
        {"scores.json", 3'000,
         [](const fs::path& folder, int parts) {
             put(folder / "scores.json",
                 R"({"beam":1,"lengths":[)" + repeated(parts, ",", [](int i) {
                     return R"({"from":)" + number(i + 1) + R"(,"to":)" + number(i + 1) + R"(,"sentences":1,"bleu":1})";
                 }) + "]}");
         },
         [](const fs::path& folder) { (void)errorOf([&] { (void)readLengthScores(folder); }); }},
        {"model card", 50'000,
         [](const fs::path& folder, int parts) {
             put(folder / "README.md",
                 "---\nwidget:\n" + repeated(parts, "\n", [](int i) { return "- text: w" + number(i); })
                     + "\n---\ntext\n");
         },
         [](const fs::path& folder) { (void)parseModelCard(readWholeFile(folder / "README.md")); }},
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
    // The least of several, so that what else the machine does counts little.
    static double milliseconds(const Reader& reader, int parts)
    {
        const QTemporaryDir place;
        const fs::path folder(place.path().toStdString());
        reader.write(folder, parts);
        double least = std::numeric_limits<double>::max();
        for (int times = 0; times < 3; ++times) {
            QElapsedTimer timer;
            timer.start();
            reader.read(folder);
            least = std::min(least, static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        }
        return least;
    }
};

ATTN_TEST(TestReaderTimes)

#include "tst_reader_times.moc"
