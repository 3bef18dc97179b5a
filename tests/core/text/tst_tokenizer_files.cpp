// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loading/model_loader.h"
#include "support/test_program.h"
#include "tokenizer_files.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace attn;
using namespace attn::test;
namespace fs = std::filesystem;

using Ids = std::vector<TokenId>;
using Texts = std::vector<std::string>;
using Words = std::vector<int>;

// Tokenizers from the plain files of each kind of model, with ids worked out by hand.
class TestTokenizerFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }
    void vocabularyTextFollowsItsConfiguration_data();
    void vocabularyTextFollowsItsConfiguration();
    void theLastOfEqualLinesCounts();
    void unassignedCharactersAreUnknownWords();
    void vocabularyTextReadsPairs();
    void aVocabularyThatWasCutOffIsNamed_data();
    void aVocabularyThatWasCutOffIsNamed();
    void addedTokensAreNotMissing();
    void aVocabularyCutInACharacterIsRefused();
    void aListOfWordsThatWasCutOffIsNamed();
    void gpt2AddsNothing();
    void aVocabularyOfCharactersNeedsNoMerges();
    void robertaSurroundsAndItsMaskTakesTheSpace();
    void qwen2SplitsDigits();
    void addedTokensOfTheConfiguration();
    void llamaBeginsTexts();
    void onlyTheFirstStretchHasAPrefixUnlessLegacy();
    void t5EndsTextsAndHasSentinels();
    void byT5ReadsBytes();
    void classesAreFoundInAnySpelling();
    void anUnknownClassWithoutFilesIsNamed();
    void xlmRobertaNumbersAsFairseq();
    void languagesStandWhereTheFamilyPutsThem_data();
    void languagesStandWhereTheFamilyPutsThem();
    void languagesCanBeChosen();
    void tokenizerJsonWins();
    void theConfigurationStandsOverTokenizerJson_data();
    void theConfigurationStandsOverTokenizerJson();
    void tokensThatTokenizerJsonLacksAreAdded();
    void aGenericClassHasTheLanguagesOfItsCodes_data();
    void aGenericClassHasTheLanguagesOfItsCodes();
    void filesOfOtherKindsArePassedOver_data();
    void filesOfOtherKindsArePassedOver();
    void otherKindsAreRefusedByName_data();
    void otherKindsAreRefusedByName();
    void brokenFilesAreNamed_data();
    void brokenFilesAreNamed();

private:
    fs::path path(const char* name = "") const { return fs::path(m_directory->path().toStdString()) / name; }
    void write(const char* name, std::string_view text) const { writeText(path(name), text); }
    void configure(const char* config) const { write("tokenizer_config.json", config); }
    void sentencePiece(const char* name) const { fs::copy_file(tokenizerData("bpe.model"), path(name)); }
    void byteLevel() const;
    Tokenizers load() const { return loadTokenizers(path()); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestTokenizerFiles::byteLevel() const
{
    write("vocab.json", R"({"a": 0, "b": 1, "ab": 2, "Ġ": 3, "Ġab": 4, "<s>": 5, "</s>": 6, "<pad>": 7, "<unk>": 8,
                            "<mask>": 9, "1": 10, "2": 11, "12": 12})");
    write("merges.txt", "#version: 0.2\na b\nĠ ab\r\n1 2\n");
}

void TestTokenizerFiles::vocabularyTextFollowsItsConfiguration_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QList<int>>("expected"); // of "The thé 日本"
    QTest::newRow("lower case") << QByteArray("{}") << QList<int>{2, 5, 5, 9, 10, 3};
    QTest::newRow("cased") << QByteArray(R"({"do_lower_case": false})") << QList<int>{2, 6, 7, 9, 10, 3};
    QTest::newRow("lower case, accents stay")
        << QByteArray(R"({"strip_accents": false})") << QList<int>{2, 5, 7, 9, 10, 3};
    QTest::newRow("Chinese unsplit") << QByteArray(R"({"tokenize_chinese_chars": false})")
                                     << QList<int>{2, 5, 5, 11, 3};
}

void TestTokenizerFiles::vocabularyTextFollowsItsConfiguration()
{
    QFETCH(QByteArray, config);
    QFETCH(QList<int>, expected);
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nThe\nthé\n##e\n日\n本\n日本\n");
    configure(config.constData());
    QCOMPARE(load().source->encode("The thé 日本").ids, (Ids(expected.begin(), expected.end())));
}

void TestTokenizerFiles::theLastOfEqualLinesCounts()
{
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nthe\n[SEP]\n");
    QCOMPARE(load().source->encode("the").ids, (Ids{2, 6, 7}));
}

void TestTokenizerFiles::unassignedCharactersAreUnknownWords()
{
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n");
    const auto tokenizer = load().source;
    QCOMPARE(tokenizer->encode("the \u0378 \uFDD0 \uFFFE the").ids, (Ids{2, 5, 1, 1, 1, 5, 3}));
    QCOMPARE(tokenizer->encode("t\u0001h\u00ADe \uE000 the").ids, (Ids{2, 5, 5, 3})); // controls are none
}

void TestTokenizerFiles::vocabularyTextReadsPairs()
{
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe");
    const auto tokenizer = load().source;
    const Encoding encoding = tokenizer->encodePair("the", "[MASK] cat");
    QCOMPARE(encoding.ids, (Ids{2, 5, 3, 4, 1, 3}));
    QCOMPARE(encoding.segments, (Words{0, 0, 0, 1, 1, 1}));
    QCOMPARE(tokenizer->namedTokens().pad, std::optional<TokenId>(0));
    QCOMPARE(tokenizer->maskToken(), std::optional<TokenId>(4));
    QCOMPARE(tokenizer->description(), std::string("WordPiece, 6 pieces (vocab.txt)"));
}

void TestTokenizerFiles::aVocabularyThatWasCutOffIsNamed_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("expected"); // empty: it is read
    const QByteArray head = R"({"model_type": "bert", "vocab_size": )";
    QTest::newRow("whole") << QByteArray(head + R"(6, "pad_token_id": 0, "sep_token_id": 3})") << QString();
    QTest::newRow("padded to 8") << QByteArray(head + "8}") << QString();
    QTest::newRow("padded to 1024") << QByteArray(head + "1024}") << QString();
    QTest::newRow("thousands are missing")
        << QByteArray(head + "30522}")
        << QStringLiteral("vocab.txt: has 6 lines, but vocab_size in config.json is 30522 (");
    QTest::newRow("a named one is missing")
        << QByteArray(head + R"(8, "eos_token_id": 7})")
        << QStringLiteral("has 6 lines, but vocab_size in config.json is 8, and eos_token_id 7 is not in it (");
    QTest::newRow("another model's") << QByteArray(head + R"(8, "eos_token_id": 50256})")
                                     << QString(); // of GPT-2's class
    QTest::newRow("none") << QByteArray(head + R"(8, "eos_token_id": null})") << QString();
}

void TestTokenizerFiles::aVocabularyThatWasCutOffIsNamed()
{
    QFETCH(QByteArray, config);
    QFETCH(QString, expected);
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n");
    write("config.json", config.toStdString());
    const std::string message = errorOf([this] { (void)load(); });
    QVERIFY2(expected.isEmpty() == message.empty(), message.c_str());
    QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
}

void TestTokenizerFiles::addedTokensAreNotMissing()
{
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n");
    write("config.json", R"({"model_type": "bert", "vocab_size": 7, "bos_token_id": 6})");
    QVERIFY(!errorOf([this] { (void)load(); }).empty());
    write("added_tokens.json", R"({"<bos>": 6})");
    QCOMPARE(load().source->encode("the").ids, (Ids{2, 5, 3}));
}

void TestTokenizerFiles::aVocabularyCutInACharacterIsRefused()
{
    write("vocab.txt", std::string("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nth\xC3"));
    const std::string message = errorOf([this] { (void)load(); });
    QVERIFY2(message.find("vocab.txt: is not UTF-8 (byte 33)") != std::string::npos, message.c_str());
}

void TestTokenizerFiles::aListOfWordsThatWasCutOffIsNamed()
{
    for (const char* name : {"source.vocab", "target.vocab"})
        write(name, "<pad>\n<unk>\n<s>\n</s>\ngo\n");
    const auto load = [this](const std::string& sizes) {
        write("config.json", R"({"model_type": "rnn_encoder_decoder", )" + sizes + '}');
        return errorOf([this] { (void)TestTokenizerFiles::load(); });
    };
    QCOMPARE(load(R"("source_vocab_size": 8, "target_vocab_size": 6, "eos_token_id": 3)"), std::string());
    QVERIFY(load(R"("source_vocab_size": 5000, "target_vocab_size": 5)").find("source.vocab: has 5 lines")
            != std::string::npos);
    QVERIFY(load(R"("source_vocab_size": 5, "target_vocab_size": 5000)").find("target.vocab: has 5 lines")
            != std::string::npos);
    // The ids are the target's.
    QVERIFY(load(R"("source_vocab_size": 8, "target_vocab_size": 8, "unk_token_id": 6)").find("target.vocab: has 5")
            != std::string::npos);
}

void TestTokenizerFiles::gpt2AddsNothing()
{
    byteLevel();
    write("config.json", R"({"model_type": "gpt2"})");
    QCOMPARE(load().source->encode("ab ab 12").ids, (Ids{2, 4, 3, 12}));
    configure(R"({"add_prefix_space": true, "add_bos_token": true, "bos_token": {"content": "<s>"}})");
    QCOMPARE(load().source->encode("ab").ids, (Ids{5, 4}));
    QCOMPARE(load().source->namedTokens().bos, std::optional<TokenId>(5));
}

void TestTokenizerFiles::aVocabularyOfCharactersNeedsNoMerges()
{
    write("vocab.json", R"({"a": 0, "Ġ": 1, "日": 2, "<pad>": 3, "[MASK]": 4, "madeupword": 5, "eos": 6})");
    write("merges.txt", "#version: 0.2\n");
    write("added_tokens.json", R"({"madeupword": 5})");
    configure(R"({"tokenizer_class": "GPT2Tokenizer", "eos_token": "eos"})");
    QCOMPARE(load().source->encode("a aa").ids, (std::vector<TokenId>{0, 1, 0, 0}));
}

void TestTokenizerFiles::robertaSurroundsAndItsMaskTakesTheSpace()
{
    byteLevel();
    configure(R"({"tokenizer_class": "RobertaTokenizer"})");
    const auto tokenizer = load().source;
    const Encoding encoding = tokenizer->encode("ab <mask> ab");
    QCOMPARE(encoding.ids, (Ids{5, 2, 9, 4, 6}));
    QCOMPARE(encoding.spans, (std::vector<ByteSpan>{{0, 0}, {0, 2}, {3, 9}, {10, 12}, {12, 12}}));
    QCOMPARE(tokenizer->encodePair("a", "b").ids, (Ids{5, 0, 6, 6, 1, 6}));
    QCOMPARE(tokenizer->maskToken(), std::optional<TokenId>(9));
    configure(R"({"tokenizer_class": "LEDTokenizer"})"); // Longformer's encoder-decoder: the same
    QCOMPARE(load().source->encode("ab <mask> ab").ids, encoding.ids);
    write("config.json", R"({"model_type": "bart"})");
    fs::remove(path("tokenizer_config.json"));
    QCOMPARE(load().source->encode("a").ids, (Ids{5, 0, 6}));
}

void TestTokenizerFiles::qwen2SplitsDigits()
{
    byteLevel();
    write("config.json", R"({"model_type": "qwen2"})");
    QCOMPARE(load().source->encode("ab12").ids, (Ids{2, 10, 11}));
}

void TestTokenizerFiles::addedTokensOfTheConfiguration()
{
    byteLevel();
    configure(R"({"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|end|>", "added_tokens_decoder":
        {"20": {"content": "<|end|>", "special": true, "lstrip": false, "rstrip": false, "normalized": false},
         "21": {"content": "<tool>", "special": false}}})");
    const auto tokenizer = load().source;
    const Encoding encoding = tokenizer->encode("a<tool>b<|end|>");
    QCOMPARE(encoding.ids, (Ids{0, 21, 1, 20}));
    QCOMPARE(encoding.special, (std::vector<bool>{false, false, false, true}));
    QCOMPARE(tokenizer->describe(encoding.ids).text, std::string("a<tool>b"));
    QCOMPARE(tokenizer->namedTokens().eos, std::optional<TokenId>(20));
    configure(R"({"tokenizer_class": "GPT2Tokenizer"})");
    write("added_tokens.json", R"({"<x>": 30})");
    QCOMPARE(load().source->encode("a<x>").ids, (Ids{0, 30}));
}

void TestTokenizerFiles::llamaBeginsTexts()
{
    sentencePiece("tokenizer.model");
    write("config.json", R"({"model_type": "llama"})");
    const auto tokenizer = load().source;
    const Encoding encoding = tokenizer->encode("the house</s>");
    QCOMPARE(encoding.ids, (Ids{1, 25, 26, 2}));
    QCOMPARE(encoding.tokens, (Texts{"<s>", "▁the", "▁house", "</s>"}));
    QCOMPARE(encoding.words, (Words{-1, 0, 1, -1}));
    QCOMPARE(encoding.spans, (std::vector<ByteSpan>{{0, 0}, {0, 3}, {3, 9}, {9, 13}}));
    QCOMPARE(tokenizer->decode(encoding.ids), std::string("the house"));
    configure(R"({"tokenizer_class": "LlamaTokenizer", "add_bos_token": false, "add_eos_token": true})");
    QCOMPARE(load().source->encode("the house").ids, (Ids{25, 26, 2}));
}

void TestTokenizerFiles::onlyTheFirstStretchHasAPrefixUnlessLegacy()
{
    for (const auto& [name, type] : {std::pair("tokenizer.model", "llama"), {"spiece.model", "t5"}}) {
        sentencePiece(name);
        write("config.json", std::string(R"({"model_type": ")") + type + "\"}");
        const auto tokens = [&](const char* config, const char* text) {
            configure(config);
            const Texts all = load().source->encode(text).tokens;
            const bool hasBegin = all.front() == "<s>";
            return Texts(all.begin() + (hasBegin ? 1 : 0), all.end() - (hasBegin ? 0 : 1));
        };
        constexpr auto fresh = R"({"legacy": false})";
        for (const char* old : {"{}", R"({"legacy": true})"})
            QCOMPARE(tokens(old, "the</s>the</s> house"), (Texts{"▁the", "</s>", "▁the", "</s>", "▁house"}));
        QCOMPARE(tokens(fresh, "the house"), (Texts{"▁the", "▁house"}));
        const Texts found = tokens(fresh, "the</s>the</s> house");
        QCOMPARE(found.front(), std::string("▁the"));
        QCOMPARE(found.back(), std::string("▁house"));
        QVERIFY2(!found.at(2).starts_with("▁"), found.at(2).c_str());
        QVERIFY(!tokens(fresh, "</s>the").at(1).starts_with("▁"));
        fs::remove(path(name));
    }
}

void TestTokenizerFiles::t5EndsTextsAndHasSentinels()
{
    sentencePiece("spiece.model");
    write("config.json", R"({"model_type": "t5"})");
    const auto tokenizer = load().source;
    const Encoding encoding = tokenizer->encode("the <extra_id_0> house <extra_id_99>");
    QCOMPARE(encoding.ids, (Ids{25, 169, 26, 70, 2}));
    QCOMPARE(encoding.special, (std::vector<bool>{false, false, false, false, true}));
    configure(R"({"extra_ids": 2})");
    QCOMPARE(load().source->encode("<extra_id_0>").ids, (Ids{71, 2}));
}

void TestTokenizerFiles::byT5ReadsBytes()
{
    write("config.json", R"({"model_type": "t5", "vocab_size": 384})");
    configure(R"({"tokenizer_class": "ByT5Tokenizer"})");
    const auto tokenizer = load().source;
    const Encoding encoding = tokenizer->encode("a é\n<extra_id_1>");
    QCOMPARE(encoding.ids, (Ids{100, 35, 198, 172, 13, 260, 1}));
    QCOMPARE(encoding.special, (std::vector<bool>{false, false, false, false, false, false, true}));
    QCOMPARE(encoding.words[1], encoding.words[3]);
    QVERIFY(encoding.words[0] != encoding.words[1]);
    QCOMPARE(tokenizer->decode(encoding.ids), std::string("a é\n<extra_id_1>"));
}

void TestTokenizerFiles::classesAreFoundInAnySpelling()
{
    sentencePiece("tokenizer.model");
    for (const char* name : {"LLaMATokenizer", "LlamaTokenizerFast", "llamaTokenizer"}) {
        configure((std::string(R"({"bos_token": "", "eos_token": "", "tokenizer_class": ")") + name + "\"}").c_str());
        QCOMPARE(load().source->encode("the house").ids, (Ids{1, 25, 26}));
    }
}

void TestTokenizerFiles::anUnknownClassWithoutFilesIsNamed()
{
    configure(R"({"tokenizer_class": "CanineTokenizer"})");
    const std::string message = errorOf([&] { (void)load(); });
    QVERIFY2(message.find("CanineTokenizer") != std::string::npos, message.c_str());
}

void TestTokenizerFiles::xlmRobertaNumbersAsFairseq()
{
    sentencePiece("sentencepiece.bpe.model");
    write("config.json", R"({"model_type": "xlm-roberta"})");
    const auto tokenizer = load().source;
    const Encoding encoding = tokenizer->encode("the <mask> 日");
    QCOMPARE(encoding.ids, (Ids{0, 26, 71, 43, 3, 2}));
    QCOMPARE(encoding.tokens, (Texts{"<s>", "▁the", "<mask>", "▁", "<unk>", "</s>"}));
    QCOMPARE(tokenizer->encodePair("the", "the").ids, (Ids{0, 26, 2, 2, 26, 2}));
    QCOMPARE(tokenizer->namedTokens().pad, std::optional<TokenId>(1));
    QCOMPARE(tokenizer->decode(Ids{0, 26, 27, 2}), std::string("the house"));
}

void TestTokenizerFiles::languagesStandWhereTheFamilyPutsThem_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QList<int>>("source"); // of "the house"
    addColumns<QList<int>, int, int>("target", "decoderStart", "forcedFirst");
    QTest::newRow("mBART") << QByteArray(R"({"tokenizer_class": "MBartTokenizer", "tgt_lang": "ro_RO"})")
                           << QList<int>{26, 27, 2, 74} << QList<int>{26, 27, 2} << 90 << -1;
    QTest::newRow("mBART-50") << QByteArray(
        R"({"tokenizer_class": "MBart50TokenizerFast", "src_lang": "en_XX", "tgt_lang": "fr_XX"})")
                              << QList<int>{74, 26, 27, 2} << QList<int>{78, 26, 27, 2} << -1 << 78;
    QTest::newRow("NLLB") << QByteArray(
        R"({"tokenizer_class": "NllbTokenizer", "src_lang": "ace_Arab", "tgt_lang": "ace_Latn"})")
                          << QList<int>{71, 26, 27, 2} << QList<int>{72, 26, 27, 2} << -1 << 72;
    QTest::newRow("NLLB of old") << QByteArray(
        R"({"tokenizer_class": "NllbTokenizer", "src_lang": "ace_Arab", "legacy_behaviour": true})")
                                 << QList<int>{26, 27, 2, 71} << QList<int>{26, 27, 2} << -1 << -1;
    QTest::newRow("M2M-100") << QByteArray(R"({"tokenizer_class": "M2M100Tokenizer", "tgt_lang": "fr"})")
                             << QList<int>{24, 4, 5, 2} << QList<int>{30, 4, 5, 2} << -1 << 30;
}

void TestTokenizerFiles::languagesStandWhereTheFamilyPutsThem()
{
    QFETCH(QByteArray, config);
    QFETCH(QList<int>, source);
    QFETCH(QList<int>, target);
    QFETCH(int, decoderStart);
    QFETCH(int, forcedFirst);
    sentencePiece("sentencepiece.bpe.model");
    write("vocab.json", R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "▁the": 4, "▁house": 5})");
    configure(config.constData());
    const Tokenizers tokenizers = load();
    QVERIFY(tokenizers.languages.has_value());
    QCOMPARE(tokenizers.source->encode("the house").ids, (Ids(source.begin(), source.end())));
    QCOMPARE(tokenizers.target->encode("the house").ids, (Ids(target.begin(), target.end())));
    QCOMPARE(tokenizers.languages->decoderStart.value_or(-1), decoderStart);
    QCOMPARE(tokenizers.languages->forcedFirst.value_or(-1), forcedFirst);
    const Encoding encoding = tokenizers.target->encode("the house");
    QCOMPARE(tokenizers.target->decode(encoding.ids), std::string("the house"));
}

void TestTokenizerFiles::languagesCanBeChosen()
{
    sentencePiece("sentencepiece.bpe.model");
    write("config.json", R"({"model_type": "mbart", "decoder_start_token_id": 90})");
    const Tokenizers tokenizers = load();
    QCOMPARE(tokenizers.languages->codes.size(), std::size_t{25});
    QCOMPARE(tokenizers.languages->source, std::string("en_XX"));
    QCOMPARE(tokenizers.languages->target, std::string("ro_RO")); // whose token decoding starts from
    const Tokenizers others = chooseLanguages(tokenizers, "fr_XX", "de_DE");
    QCOMPARE(others.source->encode("the").ids, (Ids{26, 2, 78}));
    QCOMPARE(others.languages->decoderStart, std::optional<TokenId>(73));
    QCOMPARE(others.source->encode("the <mask>").ids, (Ids{26, 96, 2, 78}));
    QCOMPARE(errorOf([&] { (void)chooseLanguages(tokenizers, "fr_XX", "klingon"); }),
             std::string("language: \"klingon\" is none of this model's languages"));
    QVERIFY(!errorOf([&] { (void)chooseLanguages({}, "fr_XX", "de_DE"); }).empty());
}

void TestTokenizerFiles::tokenizerJsonWins()
{
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe");
    write("tokenizer.json", R"({"model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "the": 1}}})");
    QCOMPARE(load().source->encode("the").ids, (Ids{1}));
}

void TestTokenizerFiles::theConfigurationStandsOverTokenizerJson_data()
{
    addColumns<QByteArray, QByteArray, QList<int>>("kind", "settings", "expected");
    const auto add = [](const char* kind, const char* settings, const QList<int>& expected) {
        QTest::addRow("%s %s", kind, settings) << QByteArray(kind) << QByteArray(settings) << expected;
    };
    add("LlamaTokenizer", R"("unused": 1)", {2, 1});
    add("LlamaTokenizer", R"("add_bos_token": true, "add_eos_token": false)", {2, 1});
    add("LlamaTokenizer", R"("add_bos_token": false)", {1});
    add("LlamaTokenizerFast", R"("add_eos_token": true)", {2, 1, 3});
    add("CodeLlamaTokenizer", R"("add_bos_token": false, "add_eos_token": true)", {1, 3});
    add("PreTrainedTokenizerFast", R"("add_bos_token": false)", {2, 1});
    for (const char* kind : {"GPT2Tokenizer", "RobertaTokenizerFast", "BartTokenizer"}) {
        add(kind, R"("unused": 1)", {0});
        add(kind, R"("add_prefix_space": false)", {0});
        add(kind, R"("add_prefix_space": true)", {1});
    }
    add("Qwen2Tokenizer", R"("add_prefix_space": true)", {0});
    for (const char* kind : {"BertTokenizer", "DistilBertTokenizerFast", "ElectraTokenizer"}) {
        add(kind, R"("unused": 1)", {1, 4});
        add(kind, R"("do_lower_case": true)", {1, 4});
        add(kind, R"("do_lower_case": false)", {2, 4});
        add(kind, R"("strip_accents": false)", {3, 4});
        add(kind, R"("strip_accents": null, "tokenize_chinese_chars": false)", {1, 4});
    }
    add("T5Tokenizer", R"("do_lower_case": false)", {1, 4});
}

// A text whose tokens tell the settings apart.
void TestTokenizerFiles::theConfigurationStandsOverTokenizerJson()
{
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, settings);
    QFETCH(QList<int>, expected);
    const bool isLlama = kind.contains("Llama") || kind.startsWith("PreTrained");
    const bool isBytes =
        kind.startsWith("GPT2") || kind.contains("Roberta") || kind.contains("Bart") || kind.startsWith("Qwen2");
    const char* text = isLlama || isBytes ? "a" : "Th\u00e9 b";
    if (isLlama)
        write("tokenizer.json", R"({"model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "a": 1}},
            "added_tokens": [{"id": 2, "content": "<s>", "special": true}, {"id": 3, "content": "</s>", "special": true}],
            "post_processor": {"type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "special_tokens": {"<s>": {"ids": [2]}}}})");
    else if (isBytes)
        write("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 0, "\u0120a": 1, "\u0120": 2},
            "merges": ["\u0120 a"]}, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}})");
    else
        write("tokenizer.json", R"({"model": {"type": "WordLevel", "unk_token": "?",
            "vocab": {"?": 0, "the": 1, "Th\u00e9": 2, "th\u00e9": 3, "b": 4}},
            "normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": null,
                           "handle_chinese_chars": true, "clean_text": true},
            "pre_tokenizer": {"type": "BertPreTokenizer"}})");
    write("tokenizer_config.json",
          R"({"tokenizer_class": ")" + kind.toStdString() + "\", " + settings.toStdString() + "}");
    write("config.json", R"({"model_type": "llama"})");
    QCOMPARE(load().source->encode(text).ids, (Ids(expected.begin(), expected.end())));
}

void TestTokenizerFiles::tokensThatTokenizerJsonLacksAreAdded()
{
    write("tokenizer.json", R"({"model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "a": 1}},
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "added_tokens": [{"id": 2, "content": "<x>", "special": true}]})");
    write("added_tokens.json", R"({"<pad>": 7, "<x>": 8, "<y>": 2, "<z>": 1, "a": 9})");
    QCOMPARE(load().source->encode("a<pad>a<x> <z>").ids, (Ids{1, 7, 1, 2, 0}));
    configure(R"({"added_tokens_decoder": {"5": {"content": "<new>", "special": true}}, "pad_token": "<new>"})");
    const auto tokenizer = load().source;
    QCOMPARE(tokenizer->encode("a<new><pad>").ids, (Ids{1, 5, 0}));
    QCOMPARE(tokenizer->namedTokens().pad, std::optional<TokenId>(5));
}

void TestTokenizerFiles::aGenericClassHasTheLanguagesOfItsCodes_data()
{
    addColumns<QByteArray, QByteArray, QByteArray>("codes", "type", "tokenizerClass");
    QTest::addColumn<QList<int>>("expected"); // of "the"
    for (const char* name : {"PreTrainedTokenizerFast", "PreTrainedTokenizer", "TokenizersBackend", ""}) {
        const QByteArray given(name);
        QTest::addRow("NLLB %s", name) << QByteArray("eng_Latn fra_Latn") << QByteArray("m2m_100") << given
                                       << QList<int>{3, 1, 2};
        QTest::addRow("M2M-100 %s", name)
            << QByteArray("__en__ __fr__") << QByteArray("m2m_100") << given << QList<int>{3, 1, 2};
        QTest::addRow("mBART %s", name) << QByteArray("en_XX fr_XX") << QByteArray("mbart") << given
                                        << QList<int>{1, 2, 3};
        QTest::addRow("mBART-50 %s", name)
            << QByteArray("en_XX gl_ES") << QByteArray("mbart") << given << QList<int>{3, 1, 2};
        QTest::addRow("none %s", name) << QByteArray("<a> <b>") << QByteArray("mbart") << given << QList<int>{1};
    }
    const QByteArray unknown("FancyTokenizer");
    QTest::newRow("M2M-100, an unknown class")
        << QByteArray("__en__ __fr__") << QByteArray("m2m_100") << unknown << QList<int>{3, 1, 2};
    QTest::newRow("mBART, an unknown class")
        << QByteArray("en_XX fr_XX") << QByteArray("mbart") << unknown << QList<int>{1};
}

void TestTokenizerFiles::aGenericClassHasTheLanguagesOfItsCodes()
{
    QFETCH(QByteArray, codes);
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, tokenizerClass);
    QFETCH(QList<int>, expected);
    write("config.json", R"({"model_type": ")" + type.toStdString() + "\"}");
    write("tokenizer_config.json",
          R"({"eos_token": "</s>", "tokenizer_class": ")" + tokenizerClass.toStdString() + "\"}");
    std::string added = R"([{"id": 2, "content": "</s>", "special": true})";
    int id = 3;
    for (const QByteArray& code : codes.split(' '))
        added +=
            R"(, {"id": )" + std::to_string(id++) + R"(, "content": ")" + code.toStdString() + R"(", "special": true})";
    write("tokenizer.json",
          R"({"model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "the": 1}}, "added_tokens": )" + added
              + "]}");
    const Tokenizers tokenizers = load();
    QCOMPARE(tokenizers.source->encode("the").ids, (Ids(expected.begin(), expected.end())));
    QCOMPARE(tokenizers.languages.has_value(), expected.size() > 1);
    if (tokenizers.languages)
        QCOMPARE(tokenizers.languages->codes.size(), std::size_t{2});
}

void TestTokenizerFiles::filesOfOtherKindsArePassedOver_data()
{
    addColumns<QByteArray, QByteArray>("type", "file");
    QTest::addColumn<QList<int>>("expected"); // of "the house"
    QTest::newRow("Llama") << QByteArray("llama") << QByteArray("tokenizer.model") << QList<int>{1, 25, 26};
    QTest::newRow("T5") << QByteArray("t5") << QByteArray("spiece.model") << QList<int>{25, 26, 2};
    QTest::newRow("a model that is not run")
        << QByteArray("umt5") << QByteArray("spiece.model") << QList<int>{25, 26, 2};
}

void TestTokenizerFiles::filesOfOtherKindsArePassedOver()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, file);
    QFETCH(QList<int>, expected);
    byteLevel();
    for (const char* name : {"tokenizer.model", "spiece.model", "sentencepiece.bpe.model"})
        sentencePiece(name);
    write("vocab.txt", "a\nb\n");
    write("config.json", R"({"model_type": ")" + type.toStdString() + "\"}");
    QCOMPARE(load().source->encode("the house").ids, (Ids(expected.begin(), expected.end())));
    fs::remove(path(file.constData()));
    const std::string message = errorOf([&] { (void)load(); });
    QVERIFY2(message.find('"' + type.toStdString() + '"') != std::string::npos, message.c_str());
}

void TestTokenizerFiles::otherKindsAreRefusedByName_data()
{
    addColumns<QByteArray, QString>("file", "expected");
    QTest::newRow("vocab.txt") << QByteArray("vocab.txt")
                               << "the tokenizer FancyTokenizer without a tokenizer.json is not read";
    QTest::newRow("spiece.model") << QByteArray("spiece.model") << "the tokenizer Fancy";
    QTest::newRow("tokenizer.model") << QByteArray("tokenizer.model") << "the tokenizer Fancy";
    QTest::newRow("sentencepiece.bpe.model") << QByteArray("sentencepiece.bpe.model") << "the tokenizer Fancy";
    QTest::newRow("merges.txt") << QByteArray("merges.txt") << "the tokenizer Fancy";
}

void TestTokenizerFiles::otherKindsAreRefusedByName()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, expected);
    byteLevel();
    write(file.constData(), "[UNK]\n");
    configure(R"({"tokenizer_class": "FancyTokenizerFast"})");
    const std::string message = errorOf([&] { (void)load(); });
    QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
}

void TestTokenizerFiles::brokenFilesAreNamed_data()
{
    addColumns<QByteArray, QByteArray, QString>("file", "content", "expected");
    QTest::newRow("no such piece") << QByteArray("merges.txt") << QByteArray("a c\n")
                                   << "/merges.txt: merge 0 (a c) needs the piece \"c\"";
    for (const char* name : {"merges.txt", "vocab.txt", "tokenizer.model"}) {
        QTest::addRow("%s, a Git LFS pointer", name)
            << QByteArray(name)
            << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 456318\n")
            << QString::fromLatin1("/%1: is a Git LFS pointer").arg(QLatin1String(name));
        QTest::addRow("%s, a web page", name) << QByteArray(name) << QByteArray("\n<!DOCTYPE html>\n<html></html>\n")
                                              << QString::fromLatin1("/%1: is a web page").arg(QLatin1String(name));
    }
    QTest::newRow("an empty model") << QByteArray("tokenizer.model") << QByteArray() << "tokenizer.model: is empty";
    QTest::newRow("a line of one piece") << QByteArray("merges.txt") << QByteArray("#version\nab\n")
                                         << "merges.txt: line 2 is not two pieces";
    QTest::newRow("not UTF-8") << QByteArray("merges.txt") << QByteArray("a b\n\xFF") << "merges.txt: is not UTF-8";
    for (const char* const empty : {"", "#version: 0.2\n"})
        QTest::addRow("no merges: %d bytes", static_cast<int>(std::string_view(empty).size()))
            << QByteArray("merges.txt") << QByteArray(empty)
            << "merges.txt: holds no merges, but \"ab\" of vocab.json is made by one";
    QTest::newRow("id twice") << QByteArray("vocab.json") << QByteArray(R"({"a": 0, "b": 0})")
                              << "vocab.json: gives the id 0 twice";
    QTest::newRow("no vocabulary") << QByteArray("vocab.json") << QByteArray("{}") << "vocab.json: is empty";
    QTest::newRow("configuration a list")
        << QByteArray("tokenizer_config.json") << QByteArray("[]") << "tokenizer_config.json: expected a JSON object";
    QTest::newRow("class a number") << QByteArray("tokenizer_config.json") << QByteArray(R"({"tokenizer_class": 1})")
                                    << "tokenizer_class: expected a text";
    QTest::newRow("added id no number") << QByteArray("tokenizer_config.json")
                                        << QByteArray(R"({"added_tokens_decoder": {"x": {"content": "y"}}})")
                                        << "added_tokens_decoder: \"x\" is not an id";
    QTest::newRow("added ids twice") << QByteArray("added_tokens.json") << QByteArray(R"({"x": 30, "y": 30})")
                                     << "adds two tokens with the id 30";
    QTest::newRow("special tokens no object")
        << QByteArray("special_tokens_map.json") << QByteArray(R"({"eos_token": 3})") << "eos_token: expected a text";
    QTest::newRow("vocab.txt without its tokens")
        << QByteArray("vocab.txt") << QByteArray("a\nb\n") << "vocab.txt: its vocabulary lacks the unknown token";
    QTest::newRow("tokenizer.json broken")
        << QByteArray("tokenizer.json") << QByteArray("{") << "tokenizer.json: is not valid JSON";
}

void TestTokenizerFiles::brokenFilesAreNamed()
{
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, expected);
    byteLevel();
    write(file.constData(), content.toStdString());
    const std::string message = errorOf([&] { (void)load(); });
    QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
}

ATTN_TEST(TestTokenizerFiles)
#include "tst_tokenizer_files.moc"
