// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/json.h"
#include "loading/model_loader.h"
#include "support/test_program.h"
#include "text/pipeline_tokenizer.h"
#include "tokenizer_files.h"

#include <nlohmann/json.hpp>

#include <QtTest>

using namespace attn;
using namespace attn::test;
namespace fs = std::filesystem;

using Ids = std::vector<TokenId>;
using Texts = std::vector<std::string>;

namespace {

fs::path fixtures()
{
    const QByteArray given = qgetenv("ATTNSCOPE_FIXTURES");
    return given.isEmpty() ? fs::path(ATTN_FIXTURES) : fs::path(given.toStdString());
}

fs::path stories()
{
    return fixtures().parent_path() / "checkpoints" / "stories260K";
}

// A directory with only these of another's files.
void copyFiles(const fs::path& from, const fs::path& to, const std::vector<std::string>& names)
{
    for (const std::string& name : names)
        fs::copy_file(from / name, to / name, fs::copy_options::overwrite_existing);
}

// A span lies in the text, none begins or ends before the one in front, and together they leave out only white space
// and what `droppable` says normalization drops.
std::string spanProblem(const Encoding& encoding)
{
    ByteSpan last;
    for (std::size_t i = 0; i < encoding.size(); ++i) {
        const ByteSpan span = encoding.spans[i];
        if (span.begin > span.end || span.end > encoding.text.size())
            return "outside at token " + std::to_string(i);
        if (span.begin < last.begin || span.end < last.end)
            return "goes back at token " + std::to_string(i);
        for (std::size_t byte = last.end; byte < span.begin; ++byte)
            if (static_cast<unsigned char>(encoding.text[byte]) > 0x20
                && static_cast<unsigned char>(encoding.text[byte]) < 0x7F)
                return "leaves out byte " + std::to_string(byte);
        last = span;
    }
    return {};
}

bool sameTokens(const Encoding& encoding, const Texts& expected, const std::string& unknown)
{
    if (encoding.size() != expected.size())
        return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        // Some reference implementations spell an unknown token as its text.
        if (encoding.tokens[i] != expected[i] && encoding.tokens[i] != unknown)
            return false;
    }
    return true;
}

} // namespace

// Published ids of real tokenizers. The files are not part of the repository: ATTNSCOPE_FIXTURES names the directory
// that holds them.
class TestTokenizerFixtures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void idsAreThePublishedOnes_data()
    {
        addColumns<QString, QStringList, int>("kind", "files", "cases");
        QTest::newRow("BERT tokenizer.json") << "bert-base-uncased" << QStringList{"tokenizer.json"} << 142;
        for (const auto& [kind, cases] : {std::pair("bert-base-uncased", 142), {"gpt2", 139}, {"t5-small", 142}})
            QTest::addRow("%s tokenizer.json, tokenizer_config.json", kind)
                << QString(kind) << QStringList{"tokenizer.json", "tokenizer_config.json"} << cases;
        QTest::newRow("GPT-2 tokenizer.json") << "gpt2" << QStringList{"tokenizer.json"} << 139;
        QTest::newRow("T5 tokenizer.json") << "t5-small" << QStringList{"tokenizer.json"} << 142;
        QTest::newRow("BERT vocab.txt") << "bert-base-uncased" << QStringList{"vocab.txt", "tokenizer_config.json"}
                                        << 142;
        QTest::newRow("GPT-2 vocab.json, merges.txt")
            << "gpt2" << QStringList{"vocab.json", "merges.txt", "tokenizer_config.json"} << 139;
    }

    void idsAreThePublishedOnes()
    {
        QFETCH(QString, kind);
        QFETCH(QStringList, files);
        QFETCH(int, cases);
        const fs::path directory = fixtures() / "tokenizers" / kind.toStdString();
        if (!fs::exists(directory))
            QSKIP("the fixtures are not on this machine");
        QTemporaryDir copy;
        for (const QString& file : files)
            fs::copy_file(directory / file.toStdString(), fs::path(copy.path().toStdString()) / file.toStdString());
        const auto tokenizer =
            std::dynamic_pointer_cast<const PipelineTokenizer>(loadTokenizers(copy.path().toStdString()).source);
        QVERIFY(tokenizer != nullptr);
        const auto plain = tokenizer->with({});
        const std::string unknown = kind == "bert-base-uncased" ? "[UNK]" : "<unk>";
        int checked = 0;
        const Json document = readJson(directory / "cases.json");
        for (const Json& given : document.at("cases")) {
            const auto text = given.at("text").get<std::string>();
            const Encoding encoding = tokenizer->encode(text);
            const std::string name = given.at("set").get<std::string>() + " " + given.at("id").get<std::string>();
            QVERIFY2(encoding.ids == given.at("ids").get<Ids>(), name.c_str());
            QVERIFY2(plain->encode(text).ids == given.at("ids_plain").get<Ids>(), name.c_str());
            QVERIFY2(sameTokens(encoding, given.at("tokens").get<Texts>(), unknown), name.c_str());
            const std::string problem = spanProblem(encoding);
            QVERIFY2(problem.empty(), (name + ": " + problem).c_str());
            const Encoding described = tokenizer->describe(encoding.ids);
            QCOMPARE(described.tokens, encoding.tokens);
            if (kind == "gpt2") {
                QCOMPARE(described.text, text);
                QCOMPARE(described.words, encoding.words);
                QCOMPARE(described.spans, encoding.spans);
            }
            ++checked;
        }
        QCOMPARE(checked, cases);
    }

    void storiesIdsAreThePublishedOnes()
    {
        if (!fs::exists(stories()))
            QSKIP("the fixtures are not on this machine");
        QTemporaryDir copy;
        copyFiles(stories(), copy.path().toStdString(), {"config.json", "tokenizer.json", "tokenizer_config.json"});
        const auto tokenizer = loadTokenizers(copy.path().toStdString()).source;
        const Json expected = readJson(stories() / "expected.json");
        QVERIFY(expected.at("tokenizer").size() >= 25);
        for (const Json& given : expected.at("tokenizer")) {
            const auto text = given.at("text").get<std::string>();
            const Encoding encoding = tokenizer->encode(text);
            QVERIFY2(encoding.ids == given.at("ids").get<Ids>(), text.c_str());
            const std::string problem = spanProblem(encoding);
            QVERIFY2(problem.empty(), (text + ": " + problem).c_str());
            QCOMPARE(tokenizer->decode(encoding.ids), text);
        }
        QCOMPARE(tokenizer->decode(expected.at("greedy").at("greedy_source_ids").get<Ids>()),
                 expected.at("greedy").at("text").get<std::string>());
    }

    void storiesSentencePieceIdsAreThePublishedOnes()
    {
        if (!fs::exists(stories()))
            QSKIP("the fixtures are not on this machine");
        QTemporaryDir copy;
        copyFiles(stories(), copy.path().toStdString(), {"config.json", "tokenizer.model", "tokenizer_config.json"});
        const auto tokenizer = loadTokenizers(copy.path().toStdString()).source;
        const Json expected = readJson(stories() / "expected.json");
        for (const Json& given : expected.at("tokenizer")) {
            const char* field = given.contains("ids_by_tokenizer_model") ? "ids_by_tokenizer_model" : "ids";
            const auto text = given.at("text").get<std::string>();
            QVERIFY2(tokenizer->encode(text).ids == given.at(field).get<Ids>(), text.c_str());
        }
    }

    void storiesGgufIdsAreThePublishedOnes()
    {
        if (!fs::exists(stories()))
            QSKIP("the fixtures are not on this machine");
        const auto tokenizer = loadTokenizers(stories() / "stories260K.f32.gguf").source;
        QVERIFY(tokenizer != nullptr);
        const Json expected = readJson(stories() / "expected.json");
        for (const Json& given : expected.at("tokenizer")) {
            const auto text = given.at("text").get<std::string>();
            const Encoding encoding = tokenizer->encode(text);
            QVERIFY2(encoding.ids == given.at("ids").get<Ids>(), text.c_str());
            QCOMPARE(tokenizer->decode(encoding.ids), text);
        }
    }

    // tests/data/gguf-tokenizers: files without tensors, found and not listed, and llama.cpp's ids of the same lines.
    void ggufIdsAreThoseOfLlamaCpp_data()
    {
        QTest::addColumn<QString>("file");
        for (const auto& entry : fs::directory_iterator(fs::path(ATTN_TEST_DATA) / "gguf-tokenizers"))
            if (entry.path().extension() == ".gguf")
                QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
    }
    void ggufIdsAreThoseOfLlamaCpp()
    {
        QFETCH(const QString, file);
        const fs::path path = file.toStdString();
        const auto tokenizer = loadTokenizers(path).source;
        const Json lines = readJson(path.parent_path() / "lines.json");
        const Json all = readJson(path.parent_path() / "ids.json");
        const Json& expected = all.at(path.stem().string());
        QCOMPARE(lines.size(), expected.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto text = lines[i].get<std::string>();
            const auto found = tokenizer->encode(text).ids;
            QVERIFY2(found == expected[i].get<Ids>(),
                     (text + ": " + Json(found).dump() + " instead of " + expected[i].dump()).c_str());
        }
    }

    void opensQuickly()
    {
        const fs::path directory = fixtures() / "tokenizers" / "gpt2";
        if (!fs::exists(directory))
            QSKIP("the fixtures are not on this machine");
        QBENCHMARK_ONCE
        {
            QVERIFY(loadTokenizers(directory).source != nullptr);
        }
    }
};

ATTN_TEST(TestTokenizerFixtures)
#include "tst_tokenizer_fixtures.moc"
