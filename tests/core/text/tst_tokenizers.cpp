// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/utf8.h"
#include "io/json.h"
#include "loading/model_loader.h"
#include "support/test_program.h"
#include "support/verify_error.h"
#include "tokenizer_files.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace attn;
using namespace attn::test;
namespace fs = std::filesystem;

using Ids = std::vector<TokenId>;
using Texts = std::vector<std::string>;

namespace {

constexpr auto recurrentConfig = R"({"model_type": "rnn_encoder_decoder", "source_vocab_size": 60,
    "target_vocab_size": 60, "source_eos": true, "pad_token_id": 0, "unk_token_id": 1, "bos_token_id": 2,
    "eos_token_id": 3})";

std::vector<bool> specialAtEnd(std::size_t size)
{
    std::vector<bool> special(size, false);
    special.back() = true;
    return special;
}

} // namespace

class TestTokenizers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void jointModelAddsTheEndToken()
    {
        joint(recurrentConfig);
        const Tokenizers tokenizers = loadTokenizers(path());
        const Encoding encoding = tokenizers.source->encode("the small garden.");
        QCOMPARE(encoding.ids, (Ids{14, 9, 28, 29, 22, 3}));
        QCOMPARE(encoding.tokens, (Texts{"▁t", "he", "▁small", "▁garden", ".", "</s>"}));
        QCOMPARE(encoding.words, (std::vector<int>{0, 0, 1, 2, 2, -1}));
        QCOMPARE(encoding.special, specialAtEnd(6));
        QCOMPARE(encoding.spans.back(), (ByteSpan{17, 17}));
        QCOMPARE(encoding.text, std::string("the small garden."));
        QCOMPARE(tokenizers.target->encode("the small garden.").ids, encoding.ids);
        QCOMPARE(tokenizers.source->encode("").ids, (Ids{3}));
        QCOMPARE(tokenizers.source->description(), std::string("SentencePiece unigram, 60 pieces"));
        QVERIFY(!errorOf([&] { (void)tokenizers.source->encode("\xC3("); }).empty());
    }

    void sourceWithoutEndToken()
    {
        joint(R"({"model_type": "rnn_encoder_decoder", "source_eos": false, "eos_token_id": 3})");
        const Tokenizers tokenizers = loadTokenizers(path());
        QCOMPARE(tokenizers.source->encode("the").ids, (Ids{14, 9}));
        QCOMPARE(tokenizers.target->encode("the").ids, (Ids{14, 9, 3}));
    }

    void describeNamesWordsAndText()
    {
        joint(recurrentConfig);
        const auto tokenizer = loadTokenizers(path()).target;
        const Ids ids = {2, 14, 9, 28, 3};
        const Encoding encoding = tokenizer->describe(ids);
        QCOMPARE(encoding.ids, ids);
        QCOMPARE(encoding.tokens, (Texts{"<s>", "▁t", "he", "▁small", "</s>"}));
        QCOMPARE(encoding.words, (std::vector<int>{-1, 0, 0, 1, -1}));
        QCOMPARE(encoding.special, (std::vector<bool>{true, false, false, false, true}));
        QCOMPARE(encoding.text, std::string("the small"));
        QCOMPARE(encoding.spans, (std::vector<ByteSpan>{{0, 0}, {0, 1}, {1, 3}, {3, 9}, {9, 9}}));
        QCOMPARE(tokenizer->decode(ids), std::string("the small"));
    }

    void describeToleratesForeignIds()
    {
        joint(recurrentConfig);
        const Ids ids = {14, 60, -5, std::numeric_limits<TokenId>::max(), 9};
        const Encoding encoding = loadTokenizers(path()).target->describe(ids);
        QCOMPARE(encoding.tokens, (Texts{"▁t", "<60>", "<-5>", "<2147483647>", "he"}));
        QCOMPARE(encoding.text, std::string("the"));
    }

    void unknownTextIsNamedAndKeepsItsSpan()
    {
        joint(recurrentConfig);
        const Encoding encoding = loadTokenizers(path()).source->encode("日本 house");
        QCOMPARE(encoding.tokens, (Texts{"▁", "<unk>", "▁house", "</s>"}));
        QCOMPARE(encoding.ids, (Ids{4, 1, 12, 3}));
        QCOMPARE(encoding.words, (std::vector<int>{0, 0, 1, -1}));
        QCOMPARE(encoding.spans[1], (ByteSpan{0, 6}));
    }

    void specialTokensCannotBeTyped()
    {
        joint(recurrentConfig);
        const Encoding encoding = loadTokenizers(path()).source->encode("</s> <s> <pad>");
        for (std::size_t i = 0; i + 1 < encoding.size(); ++i)
            QVERIFY(encoding.ids[i] != 0 && encoding.ids[i] != 2 && encoding.ids[i] != 3);
    }

    void wordLists()
    {
        writeText(path("source.vocab"), "<pad>\r\n<unk>\n<s>\n</s>\nthe\ncat\n");
        writeText(path("target.vocab"), "<pad>\n<unk>\n<s>\n</s>\nle\nchat");
        writeText(path("config.json"),
                  R"({"model_type": "rnn_encoder_decoder", "source_vocab_size": 6, "eos_token_id": 3,
                                       "unk_token_id": 1, "bos_token_id": 2, "pad_token_id": 0})");
        const Tokenizers tokenizers = loadTokenizers(path());
        const Encoding encoding = tokenizers.source->encode(" the  dog\u00a0cat ");
        QCOMPARE(encoding.ids, (Ids{4, 1, 5, 3}));
        QCOMPARE(encoding.tokens, (Texts{"the", "<unk>", "cat", "</s>"}));
        QCOMPARE(encoding.spans, (std::vector<ByteSpan>{{1, 4}, {6, 9}, {11, 14}, {15, 15}}));
        QCOMPARE(encoding.words, (std::vector<int>{0, 1, 2, -1}));
        const Ids ids = {2, 4, 5, 9, 3};
        const Encoding described = tokenizers.target->describe(ids);
        QCOMPARE(described.text, std::string("le chat"));
        QCOMPARE(described.tokens, (Texts{"<s>", "le", "chat", "<9>", "</s>"}));
        QCOMPARE(described.spans[2], (ByteSpan{3, 7}));
        QCOMPARE(tokenizers.target->encode("le chat").ids, (Ids{4, 5, 3}));

        QVERIFY(QFile::remove(QString::fromStdString(path("target.vocab").string())));
        test::verifyError({"target.vocab"}, [&] { loadTokenizers(path()); });
    }

    void idsOfTheTargetAreWordsOfTheSource()
    {
        writeText(path("source.vocab"), "<unk>\n<pad>\na\nm\nb\nn\n");
        writeText(path("target.vocab"), "<unk>\n<pad>\nx\n</s>\ny\n<s>\n");
        const auto config = [&](const char* fields) {
            writeText(path("config.json"),
                      std::string(R"({"model_type": "rnn_encoder_decoder", "bos_token_id": 5, "eos_token_id": 3)")
                          + fields + '}');
            return loadTokenizers(path());
        };
        for (const char* padding : {"", R"(, "pad_token_id": 1)", R"(, "pad_token_id": 4, "unk_token_id": 0)"}) {
            const Tokenizers tokenizers = config((std::string(R"(, "source_eos": false)") + padding).c_str());
            const Encoding encoding = tokenizers.source->encode("a m b n <pad> o");
            QCOMPARE(encoding.ids, (Ids{2, 3, 4, 5, 0, 0}));
            QCOMPARE(encoding.tokens, (Texts{"a", "m", "b", "n", "<unk>", "<unk>"}));
            QCOMPARE(encoding.words, (std::vector<int>{0, 1, 2, 3, 4, 5}));
            const Ids ids = {2, 3, 4, 5};
            QCOMPARE(tokenizers.source->decode(ids), std::string("a m b n"));
            const Ids target = {5, 2, 4, 3};
            QCOMPARE(tokenizers.target->describe(target).special.front(), true);
            QCOMPARE(tokenizers.target->describe(target).special.back(), true);
        }
        // Read with an end token, the source knows that one too.
        QCOMPARE(config("").source->encode("a b n").ids, (Ids{2, 4, 5, 3}));
    }

    void marianMapsPiecesThroughItsVocabulary()
    {
        marian();
        const Tokenizers tokenizers = loadTokenizers(path());
        const Encoding source = tokenizers.source->encode("the small house.");
        QCOMPARE(source.ids, (Ids{5, 6, 2, 1, 4, 0}));
        QCOMPARE(source.tokens, (Texts{"▁t", "he", "▁small", "<unk>", ".", "</s>"}));
        QCOMPARE(source.words, (std::vector<int>{0, 0, 1, 2, 2, -1}));
        QCOMPARE(tokenizers.target->encode("the").ids, (Ids{7, 0}));
        const Ids ids = {8, 7, 2, 4, 0};
        const Encoding target = tokenizers.target->describe(ids);
        QCOMPARE(target.text, std::string("the small."));
        QCOMPARE(target.special, (std::vector<bool>{true, false, false, false, true}));
    }

    void marianLanguageCodes()
    {
        marian();
        const Encoding encoding = loadTokenizers(path()).source->encode(">>fra<< the");
        QCOMPARE(encoding.ids, (Ids{9, 5, 6, 0}));
        QCOMPARE(encoding.special, (std::vector<bool>{true, false, false, true}));
        QCOMPARE(encoding.spans[0], (ByteSpan{0, 7}));
        QCOMPARE(encoding.spans[2].end, std::size_t{11});

        const Encoding unknown = loadTokenizers(path()).source->encode(">>xyz<< the");
        QCOMPARE(unknown.ids, (Ids{1, 5, 6, 0}));
        QCOMPARE(unknown.tokens.front(), std::string("<unk>"));
        QCOMPARE(unknown.spans[0], (ByteSpan{0, 7}));
        QCOMPARE(unknown.special, (std::vector<bool>{false, false, false, true}));
        QCOMPARE(unknown.words, (std::vector<int>{0, 1, 1, -1}));
        QVERIFY(loadTokenizers(path()).source->encode(">><< the").ids.size() > unknown.ids.size());
        // Only at the start: elsewhere it is text, and so is the end token wherever it is typed.
        const Encoding later = loadTokenizers(path()).source->encode("the >>fra<< </s>");
        QCOMPARE(std::ranges::count(later.ids, 9), 0);
        QCOMPARE(std::ranges::count(later.ids, 0), 1);
        QCOMPARE(later.ids.back(), 0);
        QVERIFY(!errorOf([&] { (void)loadTokenizers(path()).source->encodePair("the", "the"); }).empty());
    }

    void bundledModelsRoundTrip_data()
    {
        QTest::addColumn<QString>("directory");
        const fs::path models = fs::path(ATTN_SOURCE_DIR) / "resources/models";
        for (const auto& entry : fs::directory_iterator(models))
            if (entry.is_directory())
                QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }

    void bundledModelsRoundTrip()
    {
        QFETCH(QString, directory);
        const Tokenizers tokenizers = loadTokenizers(directory.toStdString());
        const std::string type = JsonObject(directory.toStdString() + "/config.json").requireString("model_type");
        const bool readsOnly =
            type == "bert" || type == "rnn_captioner"; // drops what its words do not need, or knows few
        const bool hasEnd = type != "gpt2" && type != "whisper" && type != "vision-encoder-decoder";
        for (const std::string text : {"The cat sleeps in the garden.", "Je n'ai pas vu l'été dernier à Paris !"}) {
            const Encoding encoding = tokenizers.target->encode(text);
            QCOMPARE(encoding.special.back(), hasEnd);
            const Encoding described = tokenizers.target->describe(encoding.ids);
            QCOMPARE(described.tokens, encoding.tokens);
            if (readsOnly)
                continue;
            QCOMPARE(described.text, text);
            QCOMPARE(described.words, encoding.words);
            QCOMPARE(described.spans, encoding.spans);
        }
    }

    void noTokenizerFilesIsNoError()
    {
        const Tokenizers none = loadTokenizers(path());
        QVERIFY(none.source == nullptr && none.target == nullptr);
        writeText(path("config.json"), R"({"model_type": "bert"})");
        QVERIFY(loadTokenizers(path()).source == nullptr);
        fs::copy_file(tokenizerData("unigram.model"), path("tokenizer.model"));
        QVERIFY(errorOf([&] { loadTokenizers(path()); }).find("\"bert\"") != std::string::npos);
        fs::remove(path("config.json"));
        QCOMPARE(loadTokenizers(path()).source->encode("the").ids, (Ids{14, 9, 3}));
    }

    void brokenDirectoriesAreNamed_data()
    {
        addColumns<QString, QByteArray, QString>("file", "content", "expected");
        QTest::newRow("end token outside") << "config.json" << QByteArray(R"({"vocab_size": 10, "eos_token_id": 10})")
                                           << "config.json: eos_token_id: expected an integer from 0 to 9, found 10";
        QTest::newRow("larger vocabulary than the model")
            << "config.json" << QByteArray(R"({"vocab_size": 9})")
            << "vocab.json: has 10 pieces, but vocab_size in config.json is 9";
        QTest::newRow("config not JSON") << "config.json" << QByteArray("oops") << "config.json: is not valid JSON";
        QTest::newRow("vocabulary a list") << "vocab.json" << QByteArray("[]") << "vocab.json: expected a JSON object";
        QTest::newRow("vocabulary empty") << "vocab.json" << QByteArray("{}") << "vocab.json: is empty";
        QTest::newRow("id twice") << "vocab.json" << QByteArray(R"({"a": 1, "b": 1})")
                                  << "vocab.json: gives the id 1 twice";
        QTest::newRow("id outside") << "vocab.json" << QByteArray(R"({"a": 0, "b": 2})")
                                    << "vocab.json: b: expected an integer from 0 to 1, found 2";
        QTest::newRow("id a text") << "vocab.json" << QByteArray(R"({"a": "0"})") << "expected an integer";
        QTest::newRow("model empty") << "source.spm" << QByteArray() << "source.spm: ";
        QTest::newRow("model a pointer") << "target.spm" << QByteArray("version https://git-lfs.github.com/spec/v1")
                                         << "target.spm: ";
    }

    void brokenDirectoriesAreNamed()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, content);
        QFETCH(QString, expected);
        marian();
        writeText(path(file.toLatin1().constData()), content.toStdString());
        const std::string message = errorOf([&] { loadTokenizers(path()); });
        QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
    }

    void damagedVocabularyIsAValueOrAnError()
    {
        marian();
        const Bytes vocabulary = readBytes(path("vocab.json"));
        const std::string problem = surviveDamage(vocabulary, 3, [this](const Bytes& bytes) {
            writeText(path("vocab.json"), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            const Tokenizers tokenizers = loadTokenizers(path());
            (void)tokenizers.target->describe(tokenizers.source->encode("the small garden.").ids);
        });
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void wordsFollowTheMarks()
    {
        joint(recurrentConfig);
        const auto tokenizer = loadTokenizers(path()).target;
        const Encoding encoding = tokenizer->describe(Ids{9, 14, 4, 9, 3, 9, 28, 1});
        QCOMPARE(encoding.tokens, (Texts{"he", "▁t", "▁", "he", "</s>", "he", "▁small", "<unk>"}));
        QCOMPARE(encoding.words, (std::vector<int>{0, 1, 2, 2, -1, 3, 4, 4}));
    }

    void splitsAtUnicodeWhitespace()
    {
        writeText(path("source.vocab"), "<unk>\na\nbc\n");
        writeText(path("target.vocab"), "<unk>\na\n");
        const auto tokenizer = loadTokenizers(path()).source;
        QCOMPARE(tokenizer->encode("\u3000a\u2003bc\n").spans, (std::vector<ByteSpan>{{3, 4}, {7, 9}}));
        QVERIFY(tokenizer->encode(" \t").ids.empty());
        QCOMPARE(validUtf8Prefix("a\uFFFDb"), std::size_t{5});
        QCOMPARE(validUtf8Prefix("a\xED\xA0\x80"), std::size_t{1});
    }

private:
    fs::path path(const char* name = "") const { return fs::path(m_directory->path().toStdString()) / name; }
    void joint(const char* config) const
    {
        fs::copy_file(tokenizerData("unigram.model"), path("tokenizer.model"));
        writeText(path("config.json"), config);
    }

    void marian() const
    {
        fs::copy_file(tokenizerData("unigram.model"), path("source.spm"));
        fs::copy_file(tokenizerData("bpe.model"), path("target.spm"));
        writeText(path("vocab.json"), R"({"</s>": 0, "<unk>": 1, "▁small": 2, "▁garden": 3, ".": 4, "▁t": 5, "he": 6,
                                      "▁the": 7, "<pad>": 8, ">>fra<<": 9})");
        writeText(path("config.json"), R"({"model_type": "marian", "vocab_size": 10, "eos_token_id": 0,
                                       "pad_token_id": 8, "decoder_start_token_id": 8})");
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

ATTN_TEST(TestTokenizers)
#include "tst_tokenizers.moc"
