// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"
#include "base/progress.h"
#include "io/json.h"
#include "support/compare.h"
#include "support/memory_used.h"
#include "support/test_program.h"
#include "support/whole_files.h"
#include "text/files/tokenizer_json.h"
#include "text/segment/sentence_piece.h"
#include "text/segment/subword_model.h"
#include "text/segment/vocabulary.h"
#include "text/unicode/regex.h"
#include "tokenizer_files.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <future>
#include <thread>

using namespace attn;
using namespace attn::test;

// What a hostile tokenizer may take of time and memory for one text.
class TestTokenizerLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv(limitsVariable, "regex-time=1 normalized=1M memory=335500000"); }
    void expressionsEndWithinTheirTime();
    void theNextTextHasItsOwnTime();
    void aSearchCanBeCancelled();
    void cuttingCanBeCancelled_data();
    void cuttingCanBeCancelled();
    void textsThatGrowAreRefused_data();
    void textsThatGrowAreRefused();
    void shortTextsStayShort();
    void longUnknownTokensAreRefused();
    void decodedTextsThatGrowAreRefused();
    void growthIsCountedOverAllSteps();
    void textsThatNeedMuchMemoryAreRefused();
    void filesThatNeedMuchMemoryAreRefused();
    void stepsCanBeCancelled();
    void longMarksAreRefused();
    void expressionsWithManySetsAreRefused();
    void longExpressionsAreRefused();
    void deepExpressionsAreRefused();
};

namespace {

constexpr auto letters = R"("model": {"vocab": {"a": 0, "é": 1}, "merges": []})";

std::shared_ptr<const PipelineTokenizer> tokenizerOf(const std::string& fields)
{
    return buildTokenizerJson(parseJson("{" + fields + "}", "tokenizer.json"), "tokenizer.json", {}, {});
}

// `count` times `step`, with commas between.
std::string steps(const std::string& step, int count)
{
    std::string result = step;
    for (int i = 1; i < count; ++i)
        result += ", " + step;
    return result;
}

std::string replacing(const std::string& letter, const std::string& content)
{
    return R"({"type": "Replace", "pattern": {"String": ")" + letter + R"("}, "content": ")" + content + "\"}";
}

} // namespace

// In threads, each of which has its own time.
void TestTokenizerLimits::expressionsEndWithinTheirTime()
{
    const auto inWords =
        tokenizerOf(std::string(letters) + R"(, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
        {"type": "WhitespaceSplit"}, {"type": "Split", "pattern": {"Regex": "(a*)\\1b"}, "behavior": "Isolated"}]})");
    std::string words;
    for (int i = 0; i < 4000; ++i)
        words += std::string(250, 'a') + ' ';
    const std::string text(100'000, 'a');
    const auto start = [](auto search) { return std::async(std::launch::async, [search] { return errorOf(search); }); };
    std::vector<std::future<std::string>> searches;
    searches.push_back(start([&] { (void)Regex("(a*)\\1b", "r").matches(text); }));
    searches.push_back(start([&] { (void)Regex("(?:(?=.*)a)*b", "r").matches(text); }));
    searches.push_back(start([&] { (void)inWords->encode(words); })); // short ones, but many
    for (auto& search : searches) {
        const std::string message = search.get();
        QVERIFY2(namesAll(message, {"text: ", "takes too long on it", "shorten the text", "regex-time=..."}),
                 message.c_str());
    }
}

void TestTokenizerLimits::theNextTextHasItsOwnTime()
{
    const Regex slow("(a*)\\1b", "r");
    {
        const RegexBudget budget;
        QVERIFY(!errorOf([&] { (void)slow.matches(std::string(100'000, 'a')); }).empty());
    }
    QCOMPARE(slow.matches("aab").size(), std::size_t{1});
}

void TestTokenizerLimits::aSearchCanBeCancelled()
{
    for (const char* expression : {"(a*)\\1b", "(?:(?=.*)a)*b"}) {
        const Regex slow(expression, "r");
        std::stop_source source;
        const auto late = std::async(std::launch::async, [&source] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            source.request_stop();
        });
        const ThreadStop stop(source.get_token());
        QCOMPARE(errorOf([&] { (void)slow.matches(std::string(100'000, 'a')); }), std::string("run: cancelled"));
    }
    QCOMPARE(Regex("(a*)\\1b", "r").matches("aab").size(), std::size_t{1});
}

void TestTokenizerLimits::cuttingCanBeCancelled_data()
{
    QTest::addColumn<std::shared_ptr<const SubwordModel>>("model");
    const std::vector<std::string> pieces = {"a", "aa"};
    const auto vocabulary = std::make_shared<const Vocabulary>(pieces);
    QTest::newRow("merges") << bpeModel(vocabulary, {{"a", "a"}}, {}, "m");
    QTest::newRow("scores") << scoredBpeModel({vocabulary, {-1, -2}}, {}, false, "m");
    QTest::newRow("Viterbi") << unigramModel({vocabulary, {-1, -2}}, {}, "m");
}

void TestTokenizerLimits::cuttingCanBeCancelled()
{
    QFETCH(const std::shared_ptr<const SubwordModel>, model);
    const AlignedText text("aaaa", 0);
    std::vector<Subword> subwords;
    std::stop_source source;
    {
        const ThreadStop outer(source.get_token());
        const ThreadStop inner{std::stop_token()};
        source.request_stop();
        model->cut(text, subwords);
        QVERIFY(!subwords.empty());
    }
    const ThreadStop stop(source.get_token());
    QCOMPARE(errorOf([&] { model->cut(text, subwords); }), std::string("run: cancelled"));
}

void TestTokenizerLimits::textsThatGrowAreRefused_data()
{
    addColumns<QByteArray, QByteArray>("part", "text");
    const auto row = [](const char* name, const std::string& part, const QByteArray& text) {
        QTest::newRow(name) << QByteArray::fromStdString(part) << text;
    };
    row("replacements of replacements",
        R"("normalizer": {"type": "Sequence", "normalizers": [)" + steps(replacing("a", "aa"), 30) + "]}", "a");
    row("one long replacement", R"("normalizer": )" + replacing("a", std::string(2000, 'a')),
        QByteArray("a").repeated(1000));
    row("bytes of bytes",
        R"("pre_tokenizer": {"type": "Sequence", "pretokenizers": [)"
            + steps(R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})", 30) + "]}",
        "é");
    row("all stretches together",
        R"("pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace",
            "split": false, "replacement": ")"
            + std::string(1000, '_') + "\"}]}",
        QByteArray("a ").repeated(2000));
    row("between added tokens",
        R"("normalizer": )" + replacing("a", std::string(1000, 'a'))
            + R"(, "added_tokens": [{"id": 7, "content": "<m>", "special": true}])",
        QByteArray("a<m>").repeated(2000));
}

void TestTokenizerLimits::textsThatGrowAreRefused()
{
    QFETCH(QByteArray, part);
    QFETCH(QByteArray, text);
    const auto tokenizer = tokenizerOf(std::string(letters) + ", " + part.toStdString());
    const std::string message = errorOf([&] { (void)tokenizer->encode(text.toStdString()); });
    QVERIFY2(namesAll(message, {"text: becomes longer than ", " bytes", "split it", "normalized=..."}),
             message.c_str());
}

// However much the limit allows: a few kilobytes of tokenizer.json could have every text take it all.
void TestTokenizerLimits::shortTextsStayShort()
{
    const auto tokenizer = tokenizerOf(std::string(letters) + R"(, "normalizer": {"type": "Sequence", "normalizers": [)"
                                       + steps(replacing("a", "aa"), 21) + "]}");
    QCOMPARE(tokenizer->encode("éé").size(), std::size_t{2});
    std::string message;
    const auto most = mostMemoryOf([&] { message = errorOf([&] { (void)tokenizer->encode(std::string(20, 'a')); }); });
    QVERIFY2(namesAll(message, {"text: becomes longer than 66816 bytes"}), message.c_str());
    QVERIFY2(most.value_or(0) < 8e6, qPrintable(QString::number(most.value_or(0))));
}

void TestTokenizerLimits::longUnknownTokensAreRefused()
{
    const std::string unknown(100'000, 'u');
    const auto tokenizer = tokenizerOf(R"("model": {"unk_token": ")" + unknown + R"(", "vocab": {")" + unknown
                                       + R"(": 0}, "merges": []})");
    QCOMPARE(tokenizer->encode("xyz").size(), std::size_t{3});
    const std::string message = errorOf([&] { (void)tokenizer->encode("twelve words"); });
    QVERIFY2(message.find("becomes longer than") != std::string::npos, message.c_str());
}

void TestTokenizerLimits::decodedTextsThatGrowAreRefused()
{
    const auto tokenizer =
        tokenizerOf(std::string(letters) + R"(, "decoder": )" + replacing("a", std::string(1000, 'b')));
    QCOMPARE(tokenizer->decode(std::vector<TokenId>(2)).size(), std::size_t{2000});
    const std::string message = errorOf([&] { (void)tokenizer->decode(std::vector<TokenId>(2000)); });
    QVERIFY2(message.find("becomes longer than") != std::string::npos, message.c_str());
}

// Little is left of the text in the end.
void TestTokenizerLimits::growthIsCountedOverAllSteps()
{
    const auto withSteps = [](int count, const std::string& kind = "normalizer") {
        return tokenizerOf(std::string(letters) + ", \"" + kind + R"(": {"type": "Sequence", ")" + kind + "s\": ["
                           + replacing("é", std::string(50, 'c')) + ", " + steps(replacing("d", "e"), count) + ", "
                           + replacing("c", "") + "]}");
    };
    std::string text = "a";
    for (int i = 0; i < 900; ++i)
        text += "é";
    QCOMPARE(withSteps(2)->encode(text).size(), std::size_t{1});
    const auto many = withSteps(20);
    const std::string message = errorOf([&] { (void)many->encode(text); });
    QVERIFY2(message.find("becomes longer than") != std::string::npos, message.c_str());
    QCOMPARE(many->encode(std::string(300'000, 'a')).size(), std::size_t{300'000}); // its own bytes are free
    const std::vector<TokenId> ids(900, 1);
    QCOMPARE(withSteps(2, "decoder")->decode(ids), std::string());
    const std::string decoding = errorOf([&] { (void)withSteps(20, "decoder")->decode(ids); });
    QVERIFY2(decoding.find("becomes longer than") != std::string::npos, decoding.c_str());
}

void TestTokenizerLimits::textsThatNeedMuchMemoryAreRefused()
{
    const auto tokenizer = tokenizerOf(letters);
    QCOMPARE(tokenizer->encode(std::string(1000, 'a')).size(), std::size_t{1000});
    const std::string message = errorOf([&] { (void)tokenizer->encode(std::string(1'048'570, 'a')); });
    QVERIFY2(namesAll(message, {"text: needs about 335.5 MB of memory"}), message.c_str());
    std::string vowels;
    for (int i = 0; i < 1048; ++i)
        vowels += "é";
    const auto growing =
        tokenizerOf(std::string(letters) + R"(, "normalizer": )" + replacing("é", std::string(1000, 'a')));
    const std::string grown = errorOf([&] { (void)growing->encode(vowels + std::string(570, 'a')); });
    QVERIFY2(namesAll(grown, {"text: needs about 335.5 MB of memory"}), grown.c_str());
}

void TestTokenizerLimits::filesThatNeedMuchMemoryAreRefused()
{
    const QTemporaryDir directory;
    const QString words = directory.filePath(QStringLiteral("vocab.txt"));
    writeFile(words, QByteArray("a\n").repeated(2'300'000));
    const std::string ofWords = errorOf([&] { (void)readTextLines(words.toStdString()); });
    QVERIFY2(namesAll(ofWords, {"vocab.txt: needs about 354", "335.5 MB are free"}), ofWords.c_str());
    std::string pieces;
    for (int i = 0; i < 1'300'000; ++i)
        pieces += std::string("\x0a\x03\x0a\x01") + "a"; // pieces, whose text is "a"
    pieces += std::string("\x1a\x00", 2); // a normalizer
    const auto ofPieces = errorOf([&] { SentencePieceModel(std::as_bytes(std::span(pieces)), "spiece.model"); });
    QVERIFY2(namesAll(ofPieces, {"spiece.model: needs about 416", "are free"}), ofPieces.c_str());
}

void TestTokenizerLimits::stepsCanBeCancelled()
{
    std::stop_source source;
    source.request_stop();
    const AlignedText text(std::string(10'000, 'a'), 0);
    for (const char* step : {"Lowercase", "StripAccents", "Nmt", "BertNormalizer", "Strip"}) {
        const Json spec{{"type", step}};
        const Normalizer normalizer = readNormalizer(JsonObject(spec, "n"));
        QCOMPARE(normalizer(text).size(), text.size());
        const ThreadStop stop(source.get_token());
        QCOMPARE(errorOf([&] { (void)normalizer(text); }), std::string("run: cancelled"));
    }
    const ThreadStop stop(source.get_token());
    QCOMPARE(errorOf([&] { (void)Regex("a", "r"); }), std::string("run: cancelled"));
}

void TestTokenizerLimits::longMarksAreRefused()
{
    const auto message = [](const char* type, const char* field, std::size_t length) {
        return errorOf([&] {
            (void)tokenizerOf(R"("model": {"type": ")" + std::string(type) + R"(", "vocab": {"a": 0, "[UNK]": 1}, ")"
                              + field + R"(": ")" + std::string(length, 'x') + R"(", "merges": []})");
        });
    };
    for (const auto& [type, field] :
         {std::pair("BPE", "continuing_subword_prefix"), std::pair("BPE", "end_of_word_suffix"),
          std::pair("WordPiece", "continuing_subword_prefix")}) {
        QCOMPARE(message(type, field, 1024), std::string());
        QVERIFY(namesAll(message(type, field, 1025), {"tokenizer.json", "1025 bytes", "1024"}));
    }
}

void TestTokenizerLimits::expressionsWithManySetsAreRefused()
{
    const auto sets = [](const std::string& set, int count) {
        std::string result;
        for (int i = 0; i < count; ++i)
            result += set;
        return result;
    };
    for (const char* set : {"[ab]", "\\p{L}", "\\P{L}", "\\N{DIGIT ONE}", "\\s"}) {
        QVERIFY(errorOf([&] { (void)Regex(sets(set, 500), "r"); }).empty());
        QVERIFY(namesAll(errorOf([&] { (void)Regex(sets(set, 600), "r"); }), {"r: ", "512 sets"}));
    }
    QVERIFY(errorOf([&] { (void)Regex(sets("\\[", 600), "r"); }).empty());
    const auto withSteps = [&](int count) {
        const std::string step =
            R"({"type": "Split", "behavior": "Isolated", "pattern": {"Regex": ")" + sets("[ab]", 30) + "\"}}";
        return errorOf([&] {
            (void)tokenizerOf(std::string(letters) + R"(, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [)"
                              + steps(step, count) + "]}");
        });
    };
    QVERIFY(withSteps(15).empty());
    QVERIFY(namesAll(withSteps(20), {"tokenizer.json", "512 sets"}));
}

void TestTokenizerLimits::longExpressionsAreRefused()
{
    const auto refusal = [](std::size_t bytes) { return errorOf([&] { (void)Regex(std::string(bytes, 'a'), "r"); }); };
    QCOMPARE(refusal(65'536), std::string());
    QVERIFY(namesAll(refusal(65'537), {"r: ", "65537 bytes", "65536"}));
}

void TestTokenizerLimits::deepExpressionsAreRefused()
{
    const auto refusal = [](const std::string& pattern) { return errorOf([&] { (void)Regex(pattern, "r"); }); };
    for (const auto& [open, close] : {std::pair('(', ')'), std::pair('[', ']')}) {
        const auto nested = [open = open, close = close](std::size_t depth) {
            return std::string(depth, open) + 'a' + std::string(depth, close);
        };
        QCOMPARE(refusal(nested(64)), std::string());
        QVERIFY(namesAll(refusal(nested(65)), {"r: ", "64 levels"}));
    }
    QCOMPARE(refusal('[' + std::string(300, '(') + "a]"), std::string()); // in a set they are letters
    QVERIFY(namesAll(refusal('[' + std::string(300, ')') + ']' + std::string(65, '(')), {"64 levels"}));
    std::string flat;
    for (int i = 0; i < 300; ++i)
        flat += "(a)\\(";
    QCOMPARE(refusal(flat), std::string());
}

ATTN_TEST(TestTokenizerLimits)
#include "tst_tokenizer_limits.moc"
