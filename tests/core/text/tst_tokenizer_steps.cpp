// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"
#include "io/json.h"
#include "support/compare.h"
#include "support/test_program.h"
#include "text/steps/steps.h"
#include "text/unicode/regex.h"
#include "tokenizer_files.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <random>
#include <utility>

using namespace attn;
using namespace attn::test;

using Texts = std::vector<std::string>;

// Normalizers, pre-tokenizers, decoders and regular expressions, each by itself.
class TestTokenizerSteps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void normalizersRewriteTexts_data();
    void normalizersRewriteTexts();
    void normalizedBytesKnowWhereTheyComeFrom_data();
    void normalizedBytesKnowWhereTheyComeFrom();
    void precompiledReplacesShortClusters();
    void preTokenizersSplitTexts_data();
    void preTokenizersSplitTexts();
    void splitBehaviors_data();
    void splitBehaviors();
    void decodersJoinPieces_data();
    void decodersJoinPieces();
    void expressionsFollowTheTokenizersDialect();
    void hopelessExpressionsEnd();
    void manyMatchesAreNotOneThatTakesLong();
    void longPiecesTakeLinearTime();
    void manyMarksAreOrderedInLinearTime_data();
    void manyMarksAreOrderedInLinearTime();
    void longStretchesAreNormalizedLikeShortOnes();
    void unknownStepsAreRefusedByName_data();
    void unknownStepsAreRefusedByName();
    void bytesAreReadable();
};

namespace {

AlignedText normalized(const std::string& spec, const std::string& text)
{
    const Json json = parseJson(spec, "spec");
    return readNormalizer(JsonObject(json, "spec"))(AlignedText(text, 0));
}

Texts split(const std::string& spec, const std::string& text)
{
    const Json json = parseJson(spec, "spec");
    std::vector<AlignedText> texts;
    texts.emplace_back(text, 0);
    Texts result;
    for (const AlignedText& part : readPreTokenizer(JsonObject(json, "spec"))(std::move(texts)))
        result.push_back(part.text());
    return result;
}

Texts texts(const QStringList& list)
{
    Texts result;
    for (const QString& text : list)
        result.push_back(text.toStdString());
    return result;
}

} // namespace

void TestTokenizerSteps::normalizersRewriteTexts_data()
{
    addColumns<QString, QString, QString>("spec", "text", "expected");
    QTest::newRow("NFC") << R"({"type": "NFC"})"
                         << "cafe\u0301 \ufb01"
                         << "caf\u00e9 \ufb01";
    QTest::newRow("NFD") << R"({"type": "NFD"})"
                         << "caf\u00e9 \ud55c"
                         << "cafe\u0301 \u1112\u1161\u11ab";
    QTest::newRow("NFKC") << R"({"type": "NFKC"})"
                          << "\ufb01\u2460 e\u0301"
                          << "fi1 \u00e9";
    QTest::newRow("NFKD") << R"({"type": "NFKD"})"
                          << "\ufb01\u00e9"
                          << "fie\u0301";
    QTest::newRow("Lowercase") << R"({"type": "Lowercase"})"
                               << "\u00c9\u0130\u03a3\u1e9e"
                               << "\u00e9i\u0307\u03c3\u00df";
    QTest::newRow("Strip") << R"({"type": "Strip"})"
                           << "\u3000 a b\n"
                           << "a b";
    QTest::newRow("Strip left") << R"({"type": "Strip", "strip_right": false})"
                                << " a "
                                << "a ";
    QTest::newRow("Strip nothing left") << R"({"type": "Strip"})"
                                        << " \n "
                                        << "";
    QTest::newRow("StripAccents") << R"({"type": "StripAccents"})"
                                  << "e\u0301\u0302a"
                                  << "ea";
    QTest::newRow("Replace text") << R"({"type": "Replace", "pattern": {"String": " "}, "content": "_"})"
                                  << "a b  c"
                                  << "a_b__c";
    QTest::newRow("Replace expression") << R"({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})"
                                        << "a   b c"
                                        << "a b c";
    QTest::newRow("Prepend") << R"({"type": "Prepend", "prepend": "_"})"
                             << "a"
                             << "_a";
    QTest::newRow("Prepend to nothing") << R"({"type": "Prepend", "prepend": "_"})"
                                        << ""
                                        << "";
    QTest::newRow("Nmt") << R"({"type": "Nmt"})"
                         << "a\u0001b\u200bc\td"
                         << "ab c d";
    QTest::newRow("ByteLevel") << R"({"type": "ByteLevel"})"
                               << " \u00e9"
                               << "\u0120\u00c3\u00a9";
    QTest::newRow("Sequence")
        << R"({"type": "Sequence", "normalizers": [{"type": "Lowercase"}, {"type": "Prepend", "prepend": "A"}]})"
        << "BC"
        << "Abc";
    QTest::newRow("Bert") << R"({"type": "BertNormalizer", "strip_accents": null})"
                          << "\u00c9t\u00e9\t\u65e5\u200dx"
                          << "ete  \u65e5 x";
    QTest::newRow("Bert drops controls, formats and private characters, not unassigned ones")
        << R"({"type": "BertNormalizer"})"
        << QString::fromUcs4(U"a\u0001\u00ad\ue000\u0085\ufffd\U000F0000b\u0378\ufdd0\ufffe\u2064c")
        << QString::fromUcs4(U"ab\u0378\ufdd0\ufffec");
    QTest::newRow("Bert cased") << R"({"type": "BertNormalizer", "lowercase": false, "handle_chinese_chars": false})"
                                << "\u00c9\u65e5"
                                << "\u00c9\u65e5";
    QTest::newRow("Bert keeps accents") << R"({"type": "BertNormalizer", "strip_accents": false})"
                                        << "\u00c9"
                                        << "\u00e9";
    QTest::newRow("Precompiled without a map") << R"({"type": "Precompiled", "precompiled_charsmap": null})"
                                               << "\ufb01"
                                               << "\ufb01";
}

void TestTokenizerSteps::normalizersRewriteTexts()
{
    QFETCH(QString, spec);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(normalized(spec.toStdString(), text.toStdString()).text()), expected);
}

void TestTokenizerSteps::normalizedBytesKnowWhereTheyComeFrom_data()
{
    normalizersRewriteTexts_data();
}

void TestTokenizerSteps::normalizedBytesKnowWhereTheyComeFrom()
{
    QFETCH(QString, spec);
    QFETCH(QString, text);
    const std::string original = text.toStdString();
    const AlignedText result = normalized(spec.toStdString(), original);
    ByteSpan last;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const ByteSpan source = result.source({i, i + 1});
        QVERIFY(source.begin <= source.end && source.end <= original.size());
        QVERIFY(source.begin >= last.begin && source.end >= last.end);
        if (const char byte = result.text()[i]; byte != ' ' && original.find(byte) != std::string::npos
            && static_cast<unsigned char>(byte) < 0x80 && source.end == source.begin + 1)
            QCOMPARE(original[source.begin], byte);
        last = source;
    }
}

void TestTokenizerSteps::precompiledReplacesShortClusters()
{
    // A trie of one key, "a", whose replacement is "xy".
    std::vector<std::uint32_t> trie(256, 0x80000000U);
    const auto offset = [](std::uint32_t value) { return value << 10; };
    trie[0] = offset(1);
    const std::uint32_t a = 1 ^ 'a';
    trie[a] = offset(a ^ 3) | 'a' | (1U << 8);
    trie[3] = 0x80000000U;
    Bytes map = littleEndian(static_cast<std::uint32_t>(trie.size() * 4));
    for (const std::uint32_t unit : trie)
        map = std::move(map) + littleEndian(unit);
    map = std::move(map) + bytesOf(std::string_view("xy\0", 3));
    const QByteArray base64 =
        QByteArray(reinterpret_cast<const char*>(map.data()), static_cast<qsizetype>(map.size())).toBase64();
    const std::string spec = R"({"type": "Precompiled", "precompiled_charsmap": ")" + base64.toStdString() + "\"}";
    const AlignedText result = normalized(spec, "bab");
    QCOMPARE(result.text(), std::string("bxyb"));
    QCOMPARE(result.source({1, 3}), (ByteSpan{1, 2}));
    // A cluster of fewer than six bytes goes by its first mapped prefix, as in Hugging Face's library.
    QCOMPARE(normalized(spec, "a\u0301b").text(), std::string("xyb"));
    QVERIFY(!errorOf([&] { normalized(R"({"type": "Precompiled", "precompiled_charsmap": "AAAA"})", "a"); }).empty());
    QVERIFY(!errorOf([&] { normalized(R"({"type": "Precompiled", "precompiled_charsmap": "?"})", "a"); }).empty());
}

void TestTokenizerSteps::preTokenizersSplitTexts_data()
{
    addColumns<QString, QString, QStringList>("spec", "text", "expected");
    QTest::newRow("Bert") << R"({"type": "BertPreTokenizer"})"
                          << "a, b$c\u3002 d" << QStringList{"a", ",", "b", "$", "c", "\u3002", "d"};
    QTest::newRow("Whitespace") << R"({"type": "Whitespace"})"
                                << "don't  stop_it \u65e5\u672c?!"
                                << QStringList{"don", "'", "t", "stop_it", "\u65e5\u672c", "?!"};
    QTest::newRow("WhitespaceSplit") << R"({"type": "WhitespaceSplit"})"
                                     << " a\u00a0b\n"
                                     << QStringList{"a", "b"};
    QTest::newRow("Punctuation") << R"({"type": "Punctuation"})"
                                 << "a!!b" << QStringList{"a", "!", "!", "b"};
    QTest::newRow("Punctuation contiguous") << R"({"type": "Punctuation", "behavior": "Contiguous"})"
                                            << "a!!b" << QStringList{"a", "!!", "b"};
    QTest::newRow("Digits") << R"({"type": "Digits"})"
                            << "a12\u00bd b" << QStringList{"a", "12\u00bd", " b"};
    QTest::newRow("Digits one by one") << R"({"type": "Digits", "individual_digits": true})"
                                       << "a12" << QStringList{"a", "1", "2"};
    QTest::newRow("CharDelimiterSplit") << R"({"type": "CharDelimiterSplit", "delimiter": "|"})"
                                        << "a|b||c" << QStringList{"a", "b", "c"};
    QTest::newRow("ByteLevel") << R"({"type": "ByteLevel", "add_prefix_space": false})"
                               << "I'm  here, 42!"
                               << QStringList{"I", "'m", "\u0120", "\u0120here", ",", "\u012042", "!"};
    QTest::newRow("ByteLevel prefixed") << R"({"type": "ByteLevel"})"
                                        << "a" << QStringList{"\u0120a"};
    QTest::newRow("ByteLevel whole") << R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})"
                                     << "a b" << QStringList{"a\u0120b"};
    QTest::newRow("Metaspace") << R"({"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"})"
                               << "a  b" << QStringList{"\u2581a", "\u2581", "\u2581b"};
    QTest::newRow("Metaspace of old files") << R"({"type": "Metaspace", "str_rep": "_", "replacement": "_",
                                                   "add_prefix_space": true})"
                                            << "a b" << QStringList{"_a", "_b"};
    QTest::newRow("Metaspace never") << R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "never"})"
                                     << "a b" << QStringList{"a", "_b"};
    QTest::newRow("Metaspace old, never") << R"({"type": "Metaspace", "replacement": "_", "add_prefix_space": false})"
                                          << "a" << QStringList{"a"};
    QTest::newRow("Metaspace first") << R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"},
        {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first"}]})"
                                     << "a b" << QStringList{"_a", "b"};
    QTest::newRow("Metaspace unsplit")
        << R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": false})"
        << "a b" << QStringList{"_a_b"};
    QTest::newRow("Split inverted")
        << R"({"type": "Split", "pattern": {"Regex": "\\p{L}+"}, "behavior": "Removed", "invert": true})"
        << "ab1c" << QStringList{"ab", "c"};
}

void TestTokenizerSteps::preTokenizersSplitTexts()
{
    QFETCH(QString, spec);
    QFETCH(QString, text);
    QFETCH(QStringList, expected);
    QCOMPARE(split(spec.toStdString(), text.toStdString()), texts(expected));
}

void TestTokenizerSteps::splitBehaviors_data()
{
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("Removed") << QStringList{"the", "final", "countdown"};
    QTest::newRow("Isolated") << QStringList{"the", "-", "final", "-", "-", "countdown"};
    QTest::newRow("MergedWithPrevious") << QStringList{"the-", "final-", "-", "countdown"};
    QTest::newRow("MergedWithNext") << QStringList{"the", "-final", "-", "-countdown"};
    QTest::newRow("Contiguous") << QStringList{"the", "-", "final", "--", "countdown"};
}

void TestTokenizerSteps::splitBehaviors()
{
    QFETCH(QStringList, expected);
    const std::string spec =
        std::string(R"({"type": "Split", "pattern": {"String": "-"}, "behavior": ")") + QTest::currentDataTag() + "\"}";
    QCOMPARE(split(spec, "the-final--countdown"), texts(expected));
}

void TestTokenizerSteps::decodersJoinPieces_data()
{
    addColumns<QString, QStringList, QString>("spec", "pieces", "expected");
    QTest::newRow("ByteLevel") << R"({"type": "ByteLevel"})" << QStringList{"\u00d0", "\u00b4", "\u0120a"}
                               << "\u0434 a";
    QTest::newRow("WordPiece") << R"({"type": "WordPiece"})" << QStringList{"un", "##able", ",", "yes"}
                               << "unable, yes";
    QTest::newRow("WordPiece untidy") << R"({"type": "WordPiece", "cleanup": false})" << QStringList{"a", "."} << "a .";
    QTest::newRow("Metaspace") << R"({"type": "Metaspace", "replacement": "_"})" << QStringList{"_a", "b", "_c"}
                               << "ab c";
    QTest::newRow("Metaspace never") << R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "never"})"
                                     << QStringList{"_a"} << " a";
    QTest::newRow("BPEDecoder") << R"({"type": "BPEDecoder", "suffix": "</w>"})" << QStringList{"a", "b</w>", "c</w>"}
                                << "ab c";
    QTest::newRow("llama") << R"({"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "_"},
        "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1,
        "stop": 0}]})" << QStringList{"_a", "<0xC3>", "<0xA9>", "_b"}
                           << "a\u00e9 b";
    QTest::newRow("Strip") << R"({"type": "Strip", "content": "x", "start": 0, "stop": 2})" << QStringList{"axxx", "x"}
                           << "ax";
}

void TestTokenizerSteps::decodersJoinPieces()
{
    QFETCH(QString, spec);
    QFETCH(QStringList, pieces);
    QFETCH(QString, expected);
    const Json json = parseJson(spec.toStdString(), "spec");
    Texts result = texts(pieces);
    readTokenDecoder(JsonObject(json, "spec"))(result);
    std::string joined;
    for (const std::string& text : result)
        joined += text;
    QCOMPARE(QString::fromStdString(joined), expected);
}

void TestTokenizerSteps::expressionsFollowTheTokenizersDialect()
{
    using Spans = std::vector<ByteSpan>;
    QCOMPARE(Regex(R"(\s+)", "r").matches("a\u0085\u000bb"), (Spans{{1, 4}}));
    QCOMPARE(Regex(R"([^\s]+)", "r").matches("\u00e9\u000bb"), (Spans{{0, 2}, {3, 4}}));
    QCOMPARE(Regex(R"(\\s)", "r").matches(R"(a\s)"), (Spans{{1, 3}}));
    QCOMPARE(Regex(R"(\h+)", "r").matches("xfF0\t"), (Spans{{1, 4}}));
    QCOMPARE(Regex("\\p{L}", "r").matches("\U0001d49c1"), (Spans{{0, 4}})); // outside the first plane
    QCOMPARE(Regex("x*", "r").matches("a").size(), std::size_t{2});
    QCOMPARE(Regex::literal("a.").matches("aba.a."), (Spans{{2, 4}, {4, 6}}));
    QVERIFY(Regex::literal("").matches("ab").empty());
    const std::string message = errorOf([] { Regex("(a", "tokenizer.json: pre_tokenizer"); });
    QVERIFY2(message.starts_with("tokenizer.json: pre_tokenizer: ") && namesAll(message, {"\"(a\""}), message.c_str());
}

void TestTokenizerSteps::hopelessExpressionsEnd()
{
    const std::string message = errorOf([] { (void)Regex("(a|aa)+$", "r").matches(std::string(200, 'a') + "b"); });
    QVERIFY2(message.find("takes too long") != std::string::npos, message.c_str());
}

// Eleven ways to try for each.
void TestTokenizerSteps::manyMatchesAreNotOneThatTakesLong()
{
    constexpr std::size_t length = 1'500'000;
    const Regex letters("b|c|d|e|f|g|h|i|j|k|a", "r");
    QCOMPARE(letters.matches(std::string(length, 'a')).size(), length);
}

// In quadratic time, every one of them would take many seconds.
void TestTokenizerSteps::longPiecesTakeLinearTime()
{
    constexpr std::size_t length = 1'000'000;
    const auto decoded = [](const char* spec, std::string piece) {
        std::vector<std::string> pieces{std::move(piece)};
        readTokenDecoder(JsonObject(parseJson(spec, "spec"), "spec"))(pieces);
        return pieces.front();
    };
    std::string stops;
    for (std::size_t i = 0; i < length; ++i)
        stops += " .";
    QCOMPARE(decoded(R"({"type": "WordPiece"})", stops), std::string(length, '.'));
    QCOMPARE(
        decoded(R"({"type": "Strip", "content": "a", "start": 2000000, "stop": 0})", std::string(length, 'a') + "b"),
        std::string("b"));
    const std::string wanted = std::string(length / 2, 'a') + "b";
    QVERIFY(Regex::literal(wanted).matches(std::string(length, 'a')).empty());
}

void TestTokenizerSteps::manyMarksAreOrderedInLinearTime_data()
{
    QTest::addColumn<QString>("first");
    QTest::newRow("NFC") << "\u00e1";
    QTest::newRow("NFD") << "a";
    QTest::newRow("NFKC") << "\u00e1";
    QTest::newRow("NFKD") << "a";
}

void TestTokenizerSteps::manyMarksAreOrderedInLinearTime()
{
    QFETCH(QString, first);
    constexpr int marks = 100'000;
    const QString above(marks, QChar(0x0301));
    const QString below(marks, QChar(0x0316));
    const std::string result = normalized(std::string(R"({"type": ")") + QTest::currentDataTag() + "\"}",
                                          ("xa" + above + below + "y").toStdString())
                                   .text();
    const QString left = first == QLatin1String("a") ? above : above.mid(1);
    QVERIFY(result == ("x" + first + below + left + "y").toStdString());
}

// What becomes of letters with many marks, and of Hangul among them, is what Qt makes of it.
void TestTokenizerSteps::longStretchesAreNormalizedLikeShortOnes()
{
    const QStringList letters{QStringLiteral("a"),
                              QStringLiteral("\u00e9"),
                              QStringLiteral("\ufb01"),
                              QStringLiteral("\uac00"),
                              QStringLiteral("\u0958"),
                              QStringLiteral("\u1e9b"),
                              QStringLiteral("\u1112\u1161\u11ab")};
    const QString marks = QStringLiteral("\u0301\u0316\u0323\u0327\u0344\u0345\u0338\u05b4\u0308");
    std::mt19937 random(7);
    QString text;
    for (int stretch = 0; stretch < 60; ++stretch) {
        text += letters[static_cast<int>(random() % letters.size())];
        for (int count = stretch % 2 == 0 ? 200 : stretch % 5; count > 0; --count)
            text += marks[static_cast<int>(random() % marks.size())];
    }
    const std::pair<const char*, QString::NormalizationForm> forms[] = {{"NFC", QString::NormalizationForm_C},
                                                                        {"NFD", QString::NormalizationForm_D},
                                                                        {"NFKC", QString::NormalizationForm_KC},
                                                                        {"NFKD", QString::NormalizationForm_KD}};
    for (const auto& [name, form] : forms) {
        const std::string spec = std::string(R"({"type": ")") + name + "\"}";
        const std::string result = normalized(spec, text.toStdString()).text();
        QVERIFY2(result == text.normalized(form).toStdString(), name);
        QVERIFY2(normalized(spec, result).text() == result, name);
    }
}

void TestTokenizerSteps::unknownStepsAreRefusedByName_data()
{
    addColumns<QString, QString, QString>("part", "spec", "expected");
    QTest::newRow("normalizer") << "normalizer"
                                << R"({"type": "Rot13"})"
                                << "the normalizer \"Rot13\" is not known";
    QTest::newRow("nested normalizer") << "normalizer"
                                       << R"({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Rot13"}]})"
                                       << "spec: normalizers[1]: the normalizer \"Rot13\" is not known";
    QTest::newRow("pre-tokenizer") << "pre"
                                   << R"({"type": "UnicodeScripts"})"
                                   << "the pre-tokenizer \"UnicodeScripts\" is not known";
    QTest::newRow("behavior") << "pre"
                              << R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "Eaten"})"
                              << "the behavior \"Eaten\" is not known";
    QTest::newRow("scheme") << "pre"
                            << R"({"type": "Metaspace", "prepend_scheme": "sometimes"})"
                            << "the prepend_scheme \"sometimes\" is not known";
    QTest::newRow("pattern") << "pre"
                             << R"({"type": "Split", "pattern": {}, "behavior": "Removed"})"
                             << "pattern: expected a String or a Regex";
    QTest::newRow("decoder") << "decoder"
                             << R"({"type": "CTC"})"
                             << "the decoder \"CTC\" is not known";
    QTest::newRow("no type") << "normalizer"
                             << R"({"kind": "NFC"})"
                             << "type: expected a text, found nothing";
    QTest::newRow("steps no list") << "normalizer"
                                   << R"({"type": "Sequence", "normalizers": {}})"
                                   << "normalizers: expected a list, found an object";
    QTest::newRow("flag a number") << "normalizer"
                                   << R"({"type": "BertNormalizer", "lowercase": 1})"
                                   << "lowercase: expected true or false, found 1";
}

void TestTokenizerSteps::unknownStepsAreRefusedByName()
{
    QFETCH(QString, part);
    QFETCH(QString, spec);
    QFETCH(QString, expected);
    const Json json = parseJson(spec.toStdString(), "spec");
    const JsonObject object(json, "spec");
    const std::string message = errorOf([&] {
        if (part == "normalizer")
            (void)readNormalizer(object);
        else if (part == "pre")
            (void)readPreTokenizer(object);
        else
            (void)readTokenDecoder(object);
    });
    QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
}

void TestTokenizerSteps::bytesAreReadable()
{
    for (int byte = 0; byte < 256; ++byte) {
        std::string spelled;
        appendUtf8(spelled, byteLevelCharacter(static_cast<unsigned char>(byte)));
        QCOMPARE(fromByteLevel(spelled), std::optional(std::string(1, static_cast<char>(byte))));
    }
    QCOMPARE(fromByteLevel("\u0120\u010a"), std::optional<std::string>(" \n"));
    QVERIFY(!fromByteLevel("\u65e5").has_value());
    QVERIFY(!fromByteLevel(" ").has_value());
    QCOMPARE(readableBytes(" \u0434\u043e\u043c"), std::string("\u2581\u0434\u043e\u043c"));
    QCOMPARE(readableBytes("a\xE6\x97"), std::string("a<E6 97>"));
    QCOMPARE(readableBytes("\xA5z"), std::string("<A5>z"));
    QCOMPARE(readableBytes(""), std::string());
}

ATTN_TEST(TestTokenizerSteps)
#include "tst_tokenizer_steps.moc"
