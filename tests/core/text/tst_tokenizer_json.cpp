// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"
#include "io/json.h"
#include "support/compare.h"
#include "support/test_program.h"
#include "text/files/tokenizer_json.h"
#include "tokenizer_files.h"

#include <nlohmann/json.hpp>

#include <QRandomGenerator>
#include <QtTest>

using namespace attn;
using namespace attn::test;

using Ids = std::vector<TokenId>;
using Texts = std::vector<std::string>;
using Words = std::vector<int>;
using Spans = std::vector<ByteSpan>;

namespace {

constexpr auto wordPieceSpec = R"({"added_tokens": [
    {"id": 0, "content": "[UNK]", "special": true, "normalized": false},
    {"id": 1, "content": "[CLS]", "special": true, "normalized": false},
    {"id": 2, "content": "[SEP]", "special": true, "normalized": false},
    {"id": 3, "content": "[MASK]", "special": true, "normalized": false}],
  "normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
  "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
  "decoder": {"type": "WordPiece"},
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 12, "vocab": {"[UNK]": 0, "[CLS]": 1,
    "[SEP]": 2, "[MASK]": 3, "un": 4, "##aff": 5, "##able": 6, "the": 7, ",": 8, "##s": 9, "##a": 10}}})";

std::shared_ptr<const PipelineTokenizer> read(const std::string& text)
{
    return buildTokenizerJson(parseJson(text, "dir/tokenizer.json"), "dir/tokenizer.json", {}, {});
}

// A tokenizer of a model without anything around it.
std::shared_ptr<const PipelineTokenizer> ofModel(const std::string& model, const std::string& rest = {})
{
    return read(R"({"model": )" + model + (rest.empty() ? "" : ", ") + rest + "}");
}

std::string spelled(int byte)
{
    std::string result;
    appendUtf8(result, byteLevelCharacter(static_cast<unsigned char>(byte)));
    return result;
}

// Every byte is a piece whose id is the byte; `more` follow, with these merges.
std::string byteLevelModel(const Texts& more, const Texts& merges)
{
    Json vocabulary;
    for (int byte = 0; byte < 256; ++byte)
        vocabulary[spelled(byte)] = byte;
    for (const std::string& piece : more)
        vocabulary[piece] = vocabulary.size();
    return Json({{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}).dump();
}

constexpr auto byteLevelRest = R"("pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
                                  "decoder": {"type": "ByteLevel"})";

} // namespace

// Whole tokenizers from small descriptions, with ids worked out by hand.
class TestTokenizerJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wordPieceTakesTheLongestPiece()
    {
        const auto tokenizer = read(wordPieceSpec);
        const std::string text = "The unaffable, thés [MASK] xyz";
        const Encoding encoding = tokenizer->encode(text);
        QCOMPARE(encoding.ids, (Ids{1, 7, 4, 5, 6, 8, 7, 9, 3, 0, 2}));
        QCOMPARE(encoding.tokens,
                 (Texts{"[CLS]", "the", "un", "##aff", "##able", ",", "the", "##s", "[MASK]", "[UNK]", "[SEP]"}));
        QCOMPARE(encoding.words, (Words{-1, 0, 1, 1, 1, 2, 3, 3, 4, 5, -1}));
        QCOMPARE(
            encoding.spans,
            (Spans{
                {0, 0}, {0, 3}, {4, 6}, {6, 9}, {9, 13}, {13, 14}, {15, 19}, {19, 20}, {21, 27}, {28, 31}, {31, 31}}));
        QCOMPARE(encoding.special,
                 (std::vector<bool>{true, false, false, false, false, false, false, false, false, false, true}));
        QVERIFY(encoding.labels.empty() && encoding.segments.empty());
        QCOMPARE(tokenizer->maskToken(), std::optional<TokenId>(3));
        QCOMPARE(tokenizer->description(), std::string("WordPiece, 11 pieces (tokenizer.json)"));
        const Encoding described = tokenizer->describe(encoding.ids);
        QCOMPARE(described.text, std::string("the unaffable, thes [MASK] [UNK]"));
        QCOMPARE(described.words, encoding.words);
        QCOMPARE(tokenizer->describe(Ids{7, 99, -1}).tokens, (Texts{"the", "<99>", "<-1>"}));
        QCOMPARE(tokenizer->encode("unaffableaaa").ids, (Ids{1, 4, 5, 6, 10, 10, 10, 2})); // twelve characters
        QCOMPARE(tokenizer->encode("unaffableaaaa").ids, (Ids{1, 0, 2})); // one more than are read
        QCOMPARE(tokenizer->encode("").ids, (Ids{1, 2}));
    }

    void sentencePairsHaveSegments()
    {
        const Encoding encoding = read(wordPieceSpec)->encodePair("the", "un the");
        QCOMPARE(encoding.ids, (Ids{1, 7, 2, 4, 7, 2}));
        QCOMPARE(encoding.segments, (Words{0, 0, 0, 1, 1, 1}));
        QCOMPARE(encoding.text, std::string("the\nun the"));
        QCOMPARE(encoding.spans, (Spans{{0, 0}, {0, 3}, {3, 3}, {4, 6}, {7, 10}, {10, 10}}));
        QCOMPARE(encoding.words, (Words{-1, 0, -1, 1, 2, -1}));
    }

    void earlierMergesComeFirst_data()
    {
        addColumns<QString, QString, QStringList>("merges", "text", "expected");
        QTest::newRow("rank before place") << R"(["b c", "a b"])"
                                           << "abc" << QStringList{"a", "bc"};
        QTest::newRow("other rank") << R"(["a b", "b c"])"
                                    << "abc" << QStringList{"ab", "c"};
        QTest::newRow("pairs as lists") << R"([["b", "c"], ["a", "bc"]])"
                                        << "abc" << QStringList{"abc"};
        QTest::newRow("leftmost of equals") << R"(["a a"])"
                                            << "aaa" << QStringList{"aa", "a"};
        QTest::newRow("merged pieces merge") << R"(["a a", "aa aa"])"
                                             << "aaaaa" << QStringList{"aaaa", "a"};
        QTest::newRow("no merges") << "[]"
                                   << "abc" << QStringList{"a", "b", "c"};
    }

    void earlierMergesComeFirst()
    {
        QFETCH(QString, merges);
        QFETCH(QString, text);
        QFETCH(QStringList, expected);
        const auto tokenizer =
            ofModel(R"({"vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5, "aa": 6, "aaaa": 7}, "merges": )"
                    + merges.toStdString() + "}");
        QStringList tokens;
        for (const std::string& token : tokenizer->encode(text.toStdString()).tokens)
            tokens << QString::fromStdString(token);
        QCOMPARE(tokens, expected);
    }

    void unknownCharactersOfBpe_data()
    {
        addColumns<QString, QList<int>>("options", "expected");
        QTest::newRow("unknown each") << R"("unk_token": "?")" << QList<int>{1, 0, 0, 1};
        QTest::newRow("unknown fused") << R"("unk_token": "?", "fuse_unk": true)" << QList<int>{1, 0, 1};
        QTest::newRow("bytes") << R"("unk_token": "?", "byte_fallback": true)" << QList<int>{1, 2, 3, 0, 1};
        QTest::newRow("dropped without an unknown token") << R"("fuse_unk": true)" << QList<int>{1, 1};
        QTest::newRow("whole stretches") << R"("unk_token": "?", "ignore_merges": true)" << QList<int>{4};
    }

    void unknownCharactersOfBpe()
    {
        QFETCH(QString, options);
        QFETCH(QList<int>, expected);
        const auto tokenizer =
            ofModel(R"({"vocab": {"?": 0, "a": 1, "<0xC3>": 2, "<0xA9>": 3, "aé日a": 4}, "merges": [], )"
                    + options.toStdString() + "}");
        const Encoding encoding = tokenizer->encode("aé日a");
        QCOMPARE(encoding.ids, (Ids(expected.begin(), expected.end())));
        if (expected.size() == 5)
            QCOMPARE(encoding.spans, (Spans{{0, 1}, {1, 2}, {2, 3}, {3, 6}, {6, 7}}));
    }

    void wordEndsAndContinuations()
    {
        const auto ends =
            ofModel(R"({"vocab": {"a": 0, "b": 1, "b</w>": 2, "ab</w>": 3, "a</w>": 4}, "merges": ["a b</w>"],
        "end_of_word_suffix": "</w>"})",
                    R"("pre_tokenizer": {"type": "WhitespaceSplit"})");
        QCOMPARE(ends->encode("ab ba a").ids, (Ids{3, 1, 4, 4}));
        const auto continues = ofModel(R"({"vocab": {"a": 0, "##b": 1, "ab": 2, "##a": 3}, "merges": ["a ##b"],
        "continuing_subword_prefix": "##"})");
        QCOMPARE(continues->encode("aba").ids, (Ids{2, 3}));
    }

    void byteLevelRoundTrips()
    {
        const auto tokenizer = ofModel(byteLevelModel({"Ġt", "he", "Ġthe"}, {"Ġ t", "h e", "Ġt he"}), byteLevelRest);
        QCOMPARE(tokenizer->encode(" the").ids, (Ids{258}));
        QRandomGenerator random(7);
        for (int round = 0; round < 200; ++round) {
            QString text;
            for (int i = 0; i < 40; ++i) {
                constexpr std::array<std::pair<char32_t, char32_t>, 6> ranges{
                    {{0x20, 0x7E}, {0x09, 0x0D}, {0x410, 0x44F}, {0x4E00, 0x9FFF}, {0x1F300, 0x1F64F}, {0x300, 0x36F}}};
                const auto& [first, last] = ranges[random.bounded(6U)];
                const char32_t c = first + random.bounded(static_cast<quint32>(last - first + 1));
                text += QString::fromUcs4(&c, 1);
            }
            const std::string original = text.toStdString();
            const Encoding encoding = tokenizer->encode(original);
            QCOMPARE(tokenizer->decode(encoding.ids), original);
            std::size_t end = 0; // every byte belongs to one token
            for (const ByteSpan span : encoding.spans) {
                QCOMPARE(span.begin, end);
                end = span.end;
            }
            QCOMPARE(end, original.size());
            const Encoding described = tokenizer->describe(encoding.ids);
            QCOMPARE(described.words, encoding.words);
            QCOMPARE(described.spans, encoding.spans);
            QCOMPARE(described.labels, encoding.labels);
        }
    }

    void byteLevelLabelsAreReadable()
    {
        const auto tokenizer =
            ofModel(byteLevelModel({"Ð´", "Ð¾", "Ð´Ð¾", "ĠÐ´Ð¾"}, {"Ð ´", "Ð ¾", "Ð´ Ð¾", "Ġ Ð´Ð¾"}), byteLevelRest);
        const Encoding encoding = tokenizer->encode("а до日");
        QCOMPARE(encoding.labels, (Texts{"а[1/2]", "а[2/2]", "▁до", "日[1/3]", "日[2/3]", "日[3/3]"}));
        QCOMPARE(encoding.tokens, (Texts{"Ð", "°", "ĠÐ´Ð¾", "æ", "Ĺ", "¥"}));
        QCOMPARE(encoding.words, (Words{0, 0, 1, 1, 1, 1}));
        QCOMPARE(encoding.spans, (Spans{{0, 1}, {1, 2}, {2, 7}, {7, 8}, {8, 9}, {9, 10}}));
        QCOMPARE(tokenizer->encode(" я").labels, (Texts{"▁", "я[1/2]", "я[2/2]"}));
        const Encoding cut = tokenizer->describe(Ids{0xE6, 0x97, 'a'});
        QCOMPARE(cut.text, std::string("\uFFFD\uFFFDa")); // no character by themselves
        QCOMPARE(cut.labels, (Texts{"<E6>", "<97>", "a"}));
    }

    void unigramTakesTheMostProbable()
    {
        // "abc": a + bc = -1 - 2.5, ab + c = -2 - 4, abc = -4: the pair wins. "x" is worth -4.5 - 10.
        constexpr auto model = R"({"unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], ["bc", -2.5], ["ab", -2], ["c", -4],
        ["abc", -4], ["b", -4.5]]})";
        const auto tokenizer = ofModel(model);
        QCOMPARE(tokenizer->encode("abc").ids, (Ids{1, 2}));
        QCOMPARE(tokenizer->encode("abxyc").ids, (Ids{3, 0, 4})); // unknown neighbours are one
        QCOMPARE(tokenizer->encode("abxyc").spans, (Spans{{0, 2}, {2, 4}, {4, 5}}));
        QCOMPARE(tokenizer->encode("xx").ids, (Ids{0}));
        QVERIFY(tokenizer->encode("").ids.empty());
        QCOMPARE(tokenizer->description(), std::string("Unigram, 7 pieces (tokenizer.json)"));
        const auto ignorant = ofModel(R"({"type": "Unigram", "vocab": [["a", -1]]})");
        const std::string message = errorOf([&] { (void)ignorant->encode("ab"); });
        QVERIFY2(message.starts_with("text: ") && message.find("\"b\"") != std::string::npos, message.c_str());
    }

    void unigramBytes()
    {
        const auto tokenizer =
            ofModel(R"({"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": [["<unk>", 0],
        ["a", -1], ["<0xC3>", -5], ["<0xA9>", -5]]})");
        const Encoding encoding = tokenizer->encode("aé日");
        QCOMPARE(encoding.ids, (Ids{1, 0})); // the bytes of the neighbour are missing, so both are unknown
        QCOMPARE(tokenizer->encode("aéa").ids, (Ids{1, 2, 3, 1}));
        QCOMPARE(tokenizer->encode("aéa").labels, (Texts{"a", "é[1/2]", "é[2/2]", "a"}));
    }

    void wordLevelLooksUp()
    {
        const auto tokenizer = ofModel(R"({"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "cat": 1}})",
                                       R"("pre_tokenizer": {"type": "Whitespace"})");
        QCOMPARE(tokenizer->encode("cat dog cat").ids, (Ids{1, 0, 1}));
        QCOMPARE(tokenizer->decode(Ids{1, 0}), std::string("cat ?"));
    }

    void wordsOfUnsplitText()
    {
        const auto tokenizer =
            ofModel(R"({"type": "BPE", "vocab": {"▁": 0, "a": 1, "▁a": 2, "b": 3}, "merges": ["▁ a"]})",
                    R"("normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
                                      {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
                                      "decoder": {"type": "Metaspace", "replacement": "▁"})");
        const Encoding encoding = tokenizer->encode("ab  a b");
        QCOMPARE(encoding.tokens, (Texts{"▁a", "b", "▁", "▁a", "▁", "b"}));
        QCOMPARE(encoding.words, (Words{0, 0, 1, 2, 3, 3}));
        QCOMPARE(encoding.spans, (Spans{{0, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 6}, {6, 7}}));
        const Encoding described = tokenizer->describe(encoding.ids);
        QCOMPARE(described.text, encoding.text);
        QCOMPARE(described.words, encoding.words);
    }

    void whiteSpaceEndsWordsOfUnsplitText()
    {
        const auto tokenizer = ofModel(
            R"({"type": "BPE", "byte_fallback": true, "vocab": {"▁": 0, "a": 1, "▁a": 2, "b": 3, "\n": 4, "\t": 5,
            "<0xE3>": 6, "<0x80>": 7, "b\n": 8}, "merges": ["▁ a", "b \n"]})",
            R"("normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
                              {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
           "decoder": {"type": "Sequence", "decoders": [{"type": "Metaspace", "replacement": "▁"},
                          {"type": "ByteFallback"}]})");
        const Encoding encoding = tokenizer->encode("ab\na\n\n\tb a\u3000a");
        QCOMPARE(encoding.tokens,
                 (Texts{"▁a", "b\n", "a", "\n", "\n", "\t", "b", "▁a", "<0xE3>", "<0x80>", "<0x80>", "a"}));
        QCOMPARE(encoding.words, (Words{0, 0, 1, 2, 2, 2, 3, 4, 5, 5, 5, 6}));
        const Encoding described = tokenizer->describe(encoding.ids);
        QCOMPARE(described.text, encoding.text);
        QCOMPARE(described.words, encoding.words);
    }

    void addedTokens_data()
    {
        addColumns<QString, QString, QStringList>("token", "text", "expected");
        QTest::newRow("plain") << R"({"id": 9, "content": "<m>", "normalized": false})"
                               << "a <m>b" << QStringList{"a", " ", "<m>", "b"};
        QTest::newRow("takes space in front") << R"({"id": 9, "content": "<m>", "normalized": false, "lstrip": true})"
                                              << "a \n<m> b" << QStringList{"a", "<m>", " ", "b"};
        QTest::newRow("takes space behind") << R"({"id": 9, "content": "<m>", "normalized": false, "rstrip": true})"
                                            << "a <m> b" << QStringList{"a", " ", "<m>", "b"};
        QTest::newRow("single word") << R"({"id": 9, "content": "ab", "normalized": false, "single_word": true})"
                                     << "ab aab ab" << QStringList{"ab", " ", "a", "a", "b", " ", "ab"};
        QTest::newRow("single word, letters of other scripts")
            << R"({"id": 9, "content": "ab", "normalized": false, "single_word": true})"
            << "abé" << QStringList{"a", "b", "?"};
        QTest::newRow("raw text") << R"({"id": 9, "content": "AB", "normalized": false})"
                                  << "ABab" << QStringList{"AB", "a", "b"};
        QTest::newRow("normalized text") << R"({"id": 9, "content": "AB", "normalized": true})"
                                         << "aBAB" << QStringList{"AB", "AB"};
    }

    void addedTokens()
    {
        QFETCH(QString, token);
        QFETCH(QString, text);
        QFETCH(QStringList, expected);
        const auto tokenizer =
            ofModel(R"({"vocab": {"?": 0, "a": 1, "b": 2, " ": 3, "\n": 4}, "merges": [],
        "unk_token": "?"})",
                    R"("normalizer": {"type": "Lowercase"}, "added_tokens": [)" + token.toStdString() + "]");
        const Encoding encoding = tokenizer->encode(text.toStdString());
        QStringList tokens;
        for (const std::string& piece : encoding.tokens)
            tokens << QString::fromStdString(piece);
        QCOMPARE(tokens, expected);
        std::size_t end = 0;
        for (const ByteSpan span : encoding.spans) {
            QCOMPARE(span.begin, end);
            end = span.end;
        }
        QCOMPARE(end, encoding.text.size());
    }

    void postProcessors_data()
    {
        addColumns<QString, QList<int>, QList<int>, QList<int>>("spec", "single", "pair", "segments");
        QTest::newRow("none") << "null" << QList<int>{0} << QList<int>{0, 1} << QList<int>{0, 1};
        QTest::newRow("Bert") << R"({"type": "BertProcessing", "sep": ["s", 6], "cls": ["c", 5]})"
                              << QList<int>{5, 0, 6} << QList<int>{5, 0, 6, 1, 6} << QList<int>{0, 0, 0, 1, 1};
        QTest::newRow("Roberta") << R"({"type": "RobertaProcessing", "sep": ["s", 6], "cls": ["c", 5]})"
                                 << QList<int>{5, 0, 6} << QList<int>{5, 0, 6, 6, 1, 6} << QList<int>{0, 0, 0, 0, 0, 0};
        QTest::newRow("ByteLevel") << R"({"type": "ByteLevel"})" << QList<int>{0} << QList<int>{0, 1}
                                   << QList<int>{0, 1};
        constexpr auto layout = R"({"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "s", "type_id": 0}}], "pair": [{"Sequence": {"id": "B", "type_id": 1}},
        {"SpecialToken": {"id": "s", "type_id": 1}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "special_tokens": {"s": {"id": "s", "ids": [6, 5], "tokens": ["s", "c"]}}})";
        QTest::newRow("template") << layout << QList<int>{0, 6, 5} << QList<int>{1, 6, 5, 0} << QList<int>{1, 1, 1, 0};
        QTest::newRow("sequence") << QStringLiteral(
                                         R"({"type": "Sequence", "processors": [{"type": "ByteLevel"}, %1]})")
                                         .arg(QLatin1String(layout))
                                  << QList<int>{0, 6, 5} << QList<int>{1, 6, 5, 0} << QList<int>{1, 1, 1, 0};
    }

    void postProcessors()
    {
        QFETCH(QString, spec);
        QFETCH(QList<int>, single);
        QFETCH(QList<int>, pair);
        QFETCH(QList<int>, segments);
        const auto tokenizer = ofModel(R"({"vocab": {"a": 0, "b": 1, "c": 5, "s": 6}, "merges": []})",
                                       R"("post_processor": )" + spec.toStdString());
        QCOMPARE(tokenizer->encode("a").ids, (Ids(single.begin(), single.end())));
        const Encoding encoding = tokenizer->encodePair("a", "b");
        QCOMPARE(encoding.ids, (Ids(pair.begin(), pair.end())));
        QCOMPARE(encoding.segments, (Words(segments.begin(), segments.end())));
        const auto plain = tokenizer->with({});
        QCOMPARE(plain->encode("a").ids, (Ids{0}));
    }

    void namedTokensAreFound()
    {
        const NamedTokens usual = read(wordPieceSpec)->namedTokens();
        QCOMPARE(usual.cls, std::optional<TokenId>(1));
        QCOMPARE(usual.sep, std::optional<TokenId>(2));
        QCOMPARE(usual.unk, std::optional<TokenId>(0));
        QVERIFY(!usual.bos && !usual.eos && !usual.pad);
        NamedSpellings named;
        named.eos = "[SEP]";
        named.pad = "the";
        named.mask = "[NONE]";
        const NamedTokens configured = buildTokenizerJson(parseJson(wordPieceSpec, "t"), "t", named, {})->namedTokens();
        QCOMPARE(configured.eos, std::optional<TokenId>(2));
        QCOMPARE(configured.pad, std::optional<TokenId>(7));
        QVERIFY(!configured.mask);
    }

    void spansAreTrimmedOnRequest()
    {
        const std::string model = byteLevelModel({"Ġt"}, {"Ġ t"});
        const std::string rest =
            std::string(byteLevelRest) + R"(, "post_processor": {"type": "ByteLevel", "trim_offsets": )";
        QCOMPARE(ofModel(model, rest + "true}")->encode(" t \n").spans, (Spans{{1, 2}, {2, 3}, {3, 4}}));
        QCOMPARE(ofModel(model, rest + "false}")->encode(" t \n").spans, (Spans{{0, 2}, {2, 3}, {3, 4}}));
        const auto trimming = ofModel(model, rest + "true}"); // also where ids are named
        QCOMPARE(trimming->describe(trimming->encode(" t \n").ids).spans, (Spans{{1, 2}, {2, 3}, {3, 4}}));
    }

    // A normalizer makes many tokens of one stretch. In quadratic time the test would take half a minute.
    void tokensOfOneStretchAreTrimmedTogether()
    {
        std::string content;
        for (int i = 0; i < 20'000; ++i)
            content += "a ";
        const auto tokenizer = ofModel(R"({"vocab": {"a": 0}, "merges": []})",
                                       R"("normalizer": {"type": "Replace", "pattern": {"Regex": " +"}, "content": ")"
                                           + content + R"("}, "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {"type": "ByteLevel", "trim_offsets": true})");
        const Encoding encoding = tokenizer->encode(std::string(200'000, ' '));
        QCOMPARE(encoding.size(), std::size_t{20'000});
        QCOMPARE(encoding.spans.back(), (ByteSpan{0, 200'000}));
    }

    void manyAddedTokensTakeLinearTime()
    {
        constexpr TokenId count = 100'000;
        std::vector<AddedToken> own;
        std::vector<AddedToken> more;
        for (TokenId id = 0; id < count; ++id) {
            own.push_back({.id = id, .content = "<own " + std::to_string(id) + ">"});
            more.push_back({.id = count + id, .content = "<more " + std::to_string(id) + ">"});
        }
        more[1].id = 5;
        more[2].content = own[7].content;
        const AddedTokens tokens(withMissing(own, more), {}, "added_tokens.json");
        for (const AddedToken& token : own)
            QCOMPARE(tokens.find(token.content)->id, token.id);
        QCOMPARE(tokens.find("<more 0>")->id, count);
        QVERIFY(tokens.find("<more 1>") == nullptr);
        QVERIFY(tokens.find(count + 2) == nullptr);
    }

    void longTextsTakeLinearTime_data()
    {
        QTest::addColumn<QString>("spec");
        const auto whole = [](const std::string& model, const std::string& rest) {
            return QString::fromStdString(R"({"model": )" + model + ", " + rest + "}");
        };
        QTest::newRow("byte-level BPE") << whole(
            byteLevelModel({"aa", "aaaa", "aaaaaaaa"}, {"a a", "aa aa", "aaaa aaaa"}), byteLevelRest);
        QTest::newRow("BPE") << R"({"model": {"vocab": {"a": 0, "aa": 1, "aaaa": 2}, "merges": ["a a", "aa aa"]}})";
        QTest::newRow("Unigram") << R"({"model": {"unk_id": 0, "vocab": [["?", 0], ["a", -1], ["aaaaaaaa", -2]]}})";
        QTest::newRow("WordPiece") << R"({"model": {"type": "WordPiece", "max_input_chars_per_word": 1000000,
        "vocab": {"[UNK]": 0, "a": 1, "##aa": 2, "##a": 3}}, "pre_tokenizer": {"type": "BertPreTokenizer"},
        "normalizer": {"type": "BertNormalizer"}})";
        QTest::newRow("normalizers") << R"({"model": {"vocab": {"a": 0}, "merges": []},
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "NFC"}, {"type": "Replace",
        "pattern": {"Regex": "a"}, "content": "a"}]}, "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a"},
        "behavior": "Isolated"}})";
    }

    void longTextsTakeLinearTime()
    {
        QFETCH(QString, spec);
        const auto tokenizer = read(spec.toStdString());
        // In quadratic time the test would run into its limit.
        const std::string text(800'000, 'a');
        const Encoding encoding = tokenizer->encode(text);
        QVERIFY(encoding.size() >= 100'000);
        QCOMPARE(encoding.spans.back().end, text.size());
    }

    void hostileFilesAreRefused_data()
    {
        addColumns<QByteArray, QString>("spec", "expected");
        const auto row = [](const char* name, const char* expected, const QByteArray& spec) {
            QTest::newRow(name) << spec << expected;
        };
        row("empty", "is not valid JSON", "");
        row("a list", "expected a JSON object, found a list", "[]");
        row("no model", "model: expected an object", "{}");
        row("model a text", "model: expected an object", R"({"model": "BPE"})");
        row("model unknown", "the model \"Neural\" is not known", R"({"model": {"type": "Neural"}})");
        row("no vocabulary", "vocab: expected an object", R"({"model": {}})");
        row("vocabulary a list of texts", "entry 0 is not a piece and its score", R"({"model": {"vocab": ["a"]}})");
        row("vocabulary empty", "vocab: expected a list of pieces", R"({"model": {"type": "Unigram", "vocab": []}})");
        row("id negative", "vocab.a: expected an integer", R"({"model": {"vocab": {"a": -1}, "merges": []}})");
        row("id a text", "vocab.a: expected an integer", R"({"model": {"vocab": {"a": "0"}, "merges": []}})");
        row("id far beyond", "gives \"a\" the id 2000000000, though there are 1 pieces",
            R"({"model": {"vocab": {"a": 2000000000}, "merges": []}})");
        row("id beyond 32 bits", "vocab.a: expected an integer",
            R"({"model": {"vocab": {"a": 4294967296}, "merges": []}})");
        row("id twice", "gives the id 1 twice", R"({"model": {"vocab": {"a": 1, "b": 1}, "merges": []}})");
        row("merge of nothing", "needs the piece \"b\"", R"({"model": {"vocab": {"a": 0}, "merges": ["a b"]}})");
        row("merge into nothing", "needs the piece \"aa\"", R"({"model": {"vocab": {"a": 0}, "merges": ["a a"]}})");
        row("merge of three", "merge 0 is not two pieces", R"({"model": {"vocab": {"a": 0}, "merges": ["a a a"]}})");
        row("merge of one", "merge 0 is not two pieces", R"({"model": {"vocab": {"a": 0}, "merges": [["a"]]}})");
        row("merges no list", "merges: expected a list", R"({"model": {"vocab": {"a": 0}, "merges": {"a": 1}}})");
        row("merge without the mark", "lacks the mark",
            R"({"model": {"vocab": {"a": 0, "b": 1}, "merges": ["a b"], "continuing_subword_prefix": "####"}})");
        row("unknown token missing", "lacks the unknown token \"?\"",
            R"({"model": {"vocab": {"a": 0}, "merges": [], "unk_token": "?"}})");
        row("WordPiece without its unknown token", "lacks the unknown token \"[UNK]\"",
            R"({"model": {"type": "WordPiece", "vocab": {"a": 0}}})");
        row("unknown id outside", "unk_id: expected an integer from 0 to 0",
            R"({"model": {"unk_id": 1, "vocab": [["a", 0]]}})");
        row("score a text", "entry 0 is not a piece", R"({"model": {"unk_id": 0, "vocab": [["a", "0"]]}})");
        row("added id twice", "adds two tokens with the id 3",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "added_tokens": [{"id": 3, "content": "x"},
            {"id": 3, "content": "y"}]})");
        row("added id of another", "adds the token \"x\" with the id 0, which is \"a\" in the vocabulary",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "added_tokens": [{"id": 0, "content": "x"}]})");
        row("added id negative", "id: expected an integer",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "added_tokens": [{"id": -3, "content": "x"}]})");
        row("added without content", "content: expected a text",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "added_tokens": [{"id": 3}]})");
        row("template of an unknown token", "special_tokens.s: expected an object",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "s", "type_id": 0}}], "special_tokens": {}}})");
        row("template of an id outside", "adds the id 7, which no token has",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "post_processor": {"type": "BertProcessing", "sep": ["s", 7],
            "cls": ["a", 0]}})");
        row("post-processor unknown", "the post-processor \"Chat\" is not known",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "post_processor": {"type": "Chat"}})");
        row("piece of 2 kB", "more than the 1024 that are read",
            R"({"model": {"unk_id": 0, "vocab": [[")" + QByteArray(2000, 'a') + R"(", 0]]}})");
        row("nested deeply", "is nested deeper", QByteArray(R"({"normalizer": )") + QByteArray(200, '['));
        row("many ids", "ids: expected a list of at most 64 ids",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "s", "type_id": 0}}],
            "special_tokens": {"s": {"id": "s", "ids": [0)"
                + QByteArray(", 0").repeated(64) + "]}}}}");
        const QByteArray sequence = R"({"type": "Sequence", "normalizers": [{"type": "NFC"})"
            + QByteArray(R"(, {"type": "NFC"})").repeated(39) + "]}";
        row("many steps in lists of lists", "normalizers: expected a list of at most 64 steps",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "normalizer": {"type": "Sequence", "normalizers": [)"
                + sequence + ", " + sequence + "]}}");
        row("many steps", "expected a list of at most 64",
            R"({"model": {"vocab": {"a": 0}, "merges": []}, "normalizer": {"type": "Sequence", "normalizers": [)"
                + QByteArray(R"({"type": "NFC"},)").repeated(64) + R"({"type": "NFC"}]}})");
    }

    void hostileFilesAreRefused()
    {
        QFETCH(QByteArray, spec);
        QFETCH(QString, expected);
        const std::string message = errorOf([&] { (void)read(spec.toStdString()); });
        QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
        QVERIFY2(message.starts_with("dir/tokenizer.json"), message.c_str());
    }

    void damageIsAValueOrAnError()
    {
        const std::string problem = surviveDamage(bytesOf(wordPieceSpec), 5, [](const Bytes& bytes) {
            const auto tokenizer = read({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            (void)tokenizer->describe(tokenizer->encodePair("The unaffable, thés [MASK] xyz", "日 un").ids);
        });
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void textMustBeUtf8()
    {
        const auto tokenizer = read(wordPieceSpec);
        const std::string first = errorOf([&] { (void)tokenizer->encode("the \xFF"); });
        QVERIFY2(first.starts_with("text: ") && namesAll(first, {"UTF-8", "byte 4"}), first.c_str());
        const std::string second = errorOf([&] { (void)tokenizer->encodePair("the", "\xC3"); });
        QVERIFY2(second.starts_with("second text: ") && namesAll(second, {"UTF-8", "byte 0"}), second.c_str());
        QCOMPARE(tokenizer->encode(std::string_view("the\0un", 6)).ids, (Ids{1, 0, 2}));
    }
};

ATTN_TEST(TestTokenizerJson)
#include "tst_tokenizer_json.moc"
