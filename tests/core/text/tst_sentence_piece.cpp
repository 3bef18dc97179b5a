// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/thread_stop.h"
#include "support/sanitizers.h"
#include "support/test_program.h"
#include "text/segment/sentence_piece.h"
#include "tokenizer_files.h"

#include <QElapsedTimer>
#include <QtTest>

#include <algorithm>

using namespace attn;
using namespace attn::test;

class TestSentencePiece : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void piecesAgreeWithTheReference();
    void spansAreBytesOfTheOriginal();
    void decodedSpansCoverTheText();
    void knowsItsSpecialTokens();
    void textMustBeUtf8();
    void otherFilesAreRefused();
    void damagedTrieIsRefused();
    void wideKeysAreRefused();
    void itsOwnTestsAreNotRun();
    void replacementsAreCountedAsText();
    void replacementsThatGrowAreRefused();
    void refusalOfGrowthIsQuick();
    void longTextsHaveTheSamePieces_data();
    void longTextsHaveTheSamePieces();
    void manyUnknownCharactersAreOnePiece();
    void cuttingCanBeCancelled();
    void endlessPiecesAreRefused();
    void damageIsAValueOrAnError_data();
    void damageIsAValueOrAnError();
};

namespace {

// A length-delimited protocol buffer field. wide: with a bit in its key that the library does not look at.
Bytes field(int number, const Bytes& content, bool wide = false)
{
    Bytes key = {static_cast<std::byte>((number << 3) | 2)};
    if (wide)
        key = Bytes{key.front() | std::byte{0x80}} + Bytes(3, std::byte{0x80}) + Bytes{std::byte{0x10}};
    std::size_t length = content.size();
    for (; length >= 0x80; length >>= 7)
        key.push_back(static_cast<std::byte>((length & 0x7F) | 0x80));
    key.push_back(static_cast<std::byte>(length));
    return std::move(key) + content;
}

// Of the normalizer, which is field 3, or the denormalizer, which is field 5.
Bytes withCharacterMap(const std::vector<std::uint32_t>& trie, std::string_view replacements, int specification = 3)
{
    Bytes map = littleEndian(static_cast<std::uint32_t>(trie.size() * sizeof(std::uint32_t)));
    for (const std::uint32_t unit : trie)
        map = std::move(map) + littleEndian(unit);
    return readBytes(tokenizerData("unigram.model"))
        + field(specification, field(2, std::move(map) + bytesOf(replacements)));
}

} // namespace

void TestSentencePiece::endlessPiecesAreRefused()
{
    const Bytes model = readBytes(tokenizerData("unigram.model"));
    const auto with = [&](std::size_t length) { return model + field(1, field(1, bytesOf(std::string(length, 'x')))); };
    const SentencePieceModel longest(with(SentencePieceModel::longestPiece), "longest.model");
    QCOMPARE(longest.pieces().back().size(), SentencePieceModel::longestPiece);
    for (const std::size_t length : {SentencePieceModel::longestPiece + 1, std::size_t{200'000}}) {
        const std::string message = errorOf([&] { SentencePieceModel(with(length), "long.model"); });
        QVERIFY2(message.find(std::to_string(length) + " bytes") != std::string::npos, message.c_str());
    }
}

void TestSentencePiece::piecesAgreeWithTheReference()
{
    // Expected values: the Python package's sentencepiece 0.1.97.
    const SentencePieceModel model(tokenizerData("unigram.model"));
    std::vector<std::string> texts;
    for (const auto& piece : model.encode("the small garden is green."))
        texts.push_back(piece.text);
    QCOMPARE(texts, (std::vector<std::string>{"▁t", "he", "▁small", "▁garden", "▁", "is", "▁g", "re", "en", "."}));
    std::vector<std::string> byId;
    for (const std::size_t id : {14, 9, 28, 29, 4, 15, 55, 32, 18, 22})
        byId.push_back(model.pieces().at(id));
    QCOMPARE(byId, texts);
    QCOMPARE(model.algorithm(), std::string("unigram"));
    QCOMPARE(SentencePieceModel(tokenizerData("bpe.model")).algorithm(), std::string("BPE"));
}

void TestSentencePiece::spansAreBytesOfTheOriginal()
{
    // A no-break space, a ligature, an ellipsis, two spaces and a fraction that normalization rewrites.
    const SentencePieceModel model(tokenizerData("unigram.model"));
    const std::string text = "The house\u00a0is ﬁne…  ½ Où 日.";
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    for (const auto& piece : model.encode(text))
        spans.emplace_back(piece.span.begin, piece.span.end);
    QCOMPARE(spans, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 0},   {0, 1},   {1, 3},   {3, 9},   {9, 11},
                                                                      {11, 13}, {13, 14}, {14, 14}, {14, 17}, {17, 18},
                                                                      {18, 19}, {19, 19}, {19, 19}, {19, 22}, {22, 24},
                                                                      {24, 26}, {26, 27}, {27, 28}, {28, 30}, {30, 31},
                                                                      {31, 34}, {34, 35}}));
}

void TestSentencePiece::decodedSpansCoverTheText()
{
    const SentencePieceModel model(tokenizerData("unigram.model"));
    const auto decoded = model.decode({"▁t", "he", "▁small", "▁garden", "."});
    QCOMPARE(decoded.text, std::string("the small garden."));
    QCOMPARE(decoded.spans.size(), std::size_t{5});
    std::size_t end = 0;
    for (const ByteSpan span : decoded.spans) {
        QCOMPARE(span.begin, end);
        end = span.end;
    }
    QCOMPARE(end, decoded.text.size());
    QVERIFY(model.decode({}).text.empty());
}

void TestSentencePiece::knowsItsSpecialTokens()
{
    const SentencePieceModel unigram(tokenizerData("unigram.model"));
    QCOMPARE(unigram.named().pad, std::optional<TokenId>(0));
    QCOMPARE(unigram.named().unk, std::optional<TokenId>(1));
    QCOMPARE(unigram.named().bos, std::optional<TokenId>(2));
    QCOMPARE(unigram.named().eos, std::optional<TokenId>(3));
    QCOMPARE(unigram.controlTokens(), (std::vector<TokenId>{0, 2, 3}));
    QCOMPARE(unigram.pieces().size(), std::size_t{60});
    QVERIFY(!SentencePieceModel(tokenizerData("bpe.model")).named().pad.has_value());
}

void TestSentencePiece::textMustBeUtf8()
{
    const SentencePieceModel model(tokenizerData("unigram.model"));
    QCOMPARE(errorOf([&] { (void)model.encode("abc\xFF"); }),
             std::string("text: is not UTF-8 (byte 3) (save it as UTF-8)"));
    QVERIFY(model.encode("").empty());
    QVERIFY(model.encode("   ").empty());
    QVERIFY(!model.encode(std::string_view("a\0b", 3)).empty());
}

void TestSentencePiece::otherFilesAreRefused()
{
    for (const Bytes& bytes : {Bytes{}, bytesOf("version https://git-lfs"), Bytes(100, std::byte{0}),
                               Bytes(100, std::byte{0xFF}), bytesOf("{}")}) {
        const std::string message = errorOf([&] { SentencePieceModel model(bytes, "tokenizer.model"); });
        QVERIFY2(message.starts_with("tokenizer.model: "), message.c_str());
    }
    const Bytes piecesOnly = field(1, field(1, bytesOf("a")));
    const std::string message = errorOf([&] { SentencePieceModel model(piecesOnly, "tokenizer.model"); });
    QVERIFY2(message.find("ends behind its pieces") != std::string::npos, message.c_str());
}

void TestSentencePiece::damagedTrieIsRefused()
{
    constexpr std::uint32_t hasValue = 1U << 8;
    const auto offset = [](std::uint32_t value) { return value << 10; };
    std::vector<std::uint32_t> sound(256, 0x80000000U);
    sound[0] = offset(1);
    QVERIFY(errorOf([&] { SentencePieceModel model(withCharacterMap(sound, std::string(1, '\0')), "m"); }).empty());

    using Changes = std::vector<std::pair<std::size_t, std::uint32_t>>;
    const auto refused = [&](const Changes& changes) {
        std::vector<std::uint32_t> trie = sound;
        for (const auto& [unit, value] : changes)
            trie[unit] = value;
        return !errorOf([&] { SentencePieceModel model(withCharacterMap(trie, std::string(1, '\0')), "m"); }).empty();
    };
    constexpr std::size_t a = 1 ^ 'a'; // where the root's child for "a" stands
    QVERIFY(refused({{0, 0x80000000U}})); // no root
    QVERIFY(refused({{0, offset(256)}})); // children outside
    QVERIFY(refused({{0, offset(1) | (1U << 9)}})); // the same by the long form of offsets
    QVERIFY(!refused({{a, offset(a ^ 3) | 'a' | hasValue}}));
    QVERIFY(refused({{a, offset(a ^ 3) | 'a' | hasValue}, {3, 0x80000001U}})); // value outside the replacements
    QVERIFY(refused({{a, offset(a ^ 1) | 'a'}})); // "a" leads to itself
    // A key of so many bytes.
    const auto key = [&](std::uint32_t length) {
        Changes changes;
        std::uint32_t unit = 0;
        for (std::uint32_t base = 1, i = 0; i <= length; ++i, base += base == 'a' - 1 ? 2 : 1) {
            changes.emplace_back(unit, offset(unit ^ base) | (i > 0 ? 'a' : 0));
            unit = base ^ 'a';
        }
        return changes;
    };
    QVERIFY(!refused(key(128)));
    QVERIFY(refused(key(129)));
    QVERIFY(!errorOf([&] { SentencePieceModel model(withCharacterMap(sound, "no end"), "m"); }).empty());
    QVERIFY(!errorOf([&] { SentencePieceModel model(withCharacterMap({}, std::string(1, '\0')), "m"); }).empty());
}

// What the library takes for another field than is checked.
void TestSentencePiece::wideKeysAreRefused()
{
    const Bytes model = readBytes(tokenizerData("unigram.model"));
    const Bytes longPiece = bytesOf(std::string(200'000, 'x'));
    for (const Bytes& added : {field(1, field(1, longPiece), true), field(1, field(1, longPiece, true)),
                               field(3, field(2, bytesOf("no table"), true)), field(3, bytesOf(""), true)}) {
        const std::string message = errorOf([&] { SentencePieceModel(model + added, "wide.model"); });
        QVERIFY2(message.starts_with("wide.model: is not a SentencePiece model"), message.c_str());
    }
}

// The library would cut "aaa" and print that it is not "b" then.
void TestSentencePiece::itsOwnTestsAreNotRun()
{
    const Bytes tests = field(4, field(1, field(1, bytesOf("aaa")) + field(2, bytesOf("b"))));
    const SentencePieceModel model(readBytes(tokenizerData("unigram.model")) + tests, "m");
    QCOMPARE(model.pieces().size(), std::size_t{60});
}

// "a" becomes a thousand characters that the model does not know, put together as those of a long text are.
void TestSentencePiece::replacementsAreCountedAsText()
{
    std::vector<std::uint32_t> trie(256, 0x80000000U);
    const std::uint32_t a = 1 ^ 'a';
    trie[0] = 1U << 10;
    trie[a] = ((a ^ 3) << 10) | 'a' | (1U << 8);
    std::string unknown;
    for (int i = 0; i < 1000; ++i)
        unknown += "日";
    const SentencePieceModel model(withCharacterMap(trie, unknown + '\0'), "m");
    QElapsedTimer clock;
    clock.start();
    const auto pieces = model.encode(std::string(300, 'a'));
    QVERIFY2(clock.elapsed() < 3000 * attn::test::slowdown(), qPrintable(QString::number(clock.elapsed())));
    QCOMPARE(pieces.back().text.size(), 300 * unknown.size());
}

// "a" becomes 100 kB: a thousand of them would be 100 MB.
void TestSentencePiece::replacementsThatGrowAreRefused()
{
    std::vector<std::uint32_t> trie(256, 0x80000000U);
    const std::uint32_t a = 1 ^ 'a';
    trie[0] = 1U << 10;
    trie[a] = ((a ^ 3) << 10) | 'a' | (1U << 8);
    const std::string replacement = std::string(100'000, 'b') + '\0';
    const std::string many(1000, 'a');
    const SentencePieceModel model(withCharacterMap(trie, replacement), "m");
    QVERIFY(!model.encode("a").empty());
    QVERIFY(!model.encode(std::string(1000, 'c')).empty());
    const std::string message = errorOf([&] { (void)model.encode(many); });
    QVERIFY2(message.find("becomes longer than") != std::string::npos, message.c_str());

    const SentencePieceModel decoder(withCharacterMap(trie, replacement, 5), "m");
    QVERIFY(!decoder.decode({"c"}).text.empty());
    QVERIFY(errorOf([&] { (void)decoder.decode({many}); }).find("becomes longer than") != std::string::npos);
}

// "a" becomes 4 MB, which nobody reads for every one.
void TestSentencePiece::refusalOfGrowthIsQuick()
{
    std::vector<std::uint32_t> trie(256, 0x80000000U);
    const std::uint32_t a = 1 ^ 'a';
    trie[0] = 1U << 10;
    trie[a] = ((a ^ 3) << 10) | 'a' | (1U << 8);
    const SentencePieceModel model(withCharacterMap(trie, std::string(4'000'000, 'b') + '\0'), "m");
    QElapsedTimer clock;
    clock.start();
    const std::string message = errorOf([&] { (void)model.encode(std::string(50'000, 'a')); });
    QVERIFY2(message.find("becomes longer than") != std::string::npos, message.c_str());
    QVERIFY2(clock.elapsed() < 1000 * attn::test::slowdown(), qPrintable(QString::number(clock.elapsed())));
}

void TestSentencePiece::longTextsHaveTheSamePieces_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("unigram") << "unigram.model";
    QTest::newRow("BPE") << "bpe.model";
}

// The library cuts the short one as it stands.
void TestSentencePiece::longTextsHaveTheSamePieces()
{
    QFETCH(QString, file);
    const SentencePieceModel model(tokenizerData(file.toLatin1().constData()));
    std::string text;
    while (text.size() < 30'000)
        text += "The house\u00a0is ﬁne…  ½ Où 日本e\u0301 <0x41>. ";
    const auto few = model.encode(text);
    const auto many = model.encode(text + text + text);
    QVERIFY(many.size() > few.size());
    for (std::size_t i = 0; i + 10 < few.size(); ++i) {
        QCOMPARE(many[i].text, few[i].text);
        QCOMPARE(many[i].span, few[i].span);
    }
}

void TestSentencePiece::manyUnknownCharactersAreOnePiece()
{
    const SentencePieceModel model(tokenizerData("unigram.model"));
    std::string text;
    for (int i = 0; i < 250'000; ++i)
        text += "日";
    QElapsedTimer clock;
    clock.start();
    const auto pieces = model.encode("the " + text + " the");
    QVERIFY2(clock.elapsed() < 5000 * attn::test::slowdown(), qPrintable(QString::number(clock.elapsed())));
    const auto longest = std::ranges::max_element(pieces, {}, [](const auto& piece) { return piece.text.size(); });
    QVERIFY(longest->text == text);
    QCOMPARE(longest->span.end - longest->span.begin, text.size());
    QCOMPARE(model.pieces().size(), std::size_t{60});
}

void TestSentencePiece::cuttingCanBeCancelled()
{
    const SentencePieceModel model(tokenizerData("unigram.model"));
    std::stop_source source;
    source.request_stop();
    const ThreadStop stop(source.get_token());
    QCOMPARE(errorOf([&] { (void)model.encode("the"); }), std::string("run: cancelled"));
}

void TestSentencePiece::damageIsAValueOrAnError_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("unigram") << "unigram.model";
    QTest::newRow("BPE") << "bpe.model";
}

void TestSentencePiece::damageIsAValueOrAnError()
{
    QFETCH(QString, file);
    const Bytes valid = readBytes(tokenizerData(file.toLatin1().constData()));
    const std::string problem = surviveDamage(valid, 1, [](const Bytes& bytes) {
        const SentencePieceModel model(bytes, "damaged");
        std::vector<std::string> pieces;
        for (const auto& piece : model.encode("The house\u00a0is ﬁne…  ½ Où 日."))
            pieces.push_back(piece.text);
        (void)model.decode(pieces);
    });
    QVERIFY2(problem.empty(), problem.c_str());
}

ATTN_TEST(TestSentencePiece)
#include "tst_sentence_piece.moc"
