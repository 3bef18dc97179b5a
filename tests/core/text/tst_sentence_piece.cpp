// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "support/test_program.h"
#include "text/segment/sentence_piece.h"
#include "tokenizer_files.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <random>
#include <set>

using namespace attn;
using namespace attn::test;

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

// A number below 128.
Bytes numberField(int number, int value)
{
    Bytes result;
    for (const int part : {number << 3, value}) {
        if (part >= 0x80)
            result.push_back(static_cast<std::byte>((part & 0x7F) | 0x80));
        result.push_back(static_cast<std::byte>(part >= 0x80 ? part >> 7 : part));
    }
    return result;
}

Bytes pieceField(const std::string& text, float score, PieceType type)
{
    return field(1,
                 field(1, bytesOf(text)) + Bytes{std::byte{2 << 3 | 5}} + littleEndian(score)
                     + numberField(3, static_cast<int>(type)));
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

// Maps "x" to `replacement`.
Bytes mapOfX(std::string_view replacement)
{
    std::vector<std::uint32_t> trie(256, 0x80000000U);
    const std::uint32_t x = 1 ^ 'x';
    trie[0] = 1U << 10;
    trie[x] = ((x ^ 3) << 10) | 'x' | (1U << 8);
    Bytes map = littleEndian(static_cast<std::uint32_t>(trie.size() * sizeof(std::uint32_t)));
    for (const std::uint32_t unit : trie)
        map = std::move(map) + littleEndian(unit);
    return std::move(map) + bytesOf(replacement) + Bytes(1, std::byte{0});
}

template<class T>
const T& anyOf(const std::vector<T>& values, std::mt19937& random)
{
    return values[random() % values.size()];
}

std::string anyText(std::size_t most, const std::vector<std::string>& characters, std::mt19937& random)
{
    std::string text;
    for (std::size_t i = random() % (most + 1); i > 0; --i)
        text += anyOf(characters, random);
    return text;
}

// A model of random pieces, scores (many of them equal) and settings.
Bytes anyModel(std::mt19937& random)
{
    const auto flag = [&] { return random() % 2 == 0; };
    const bool spellsBytes = flag();
    const bool isCoarse = flag();
    std::set<std::string> taken = {"\u2581"};
    Bytes model = pieceField("<unk>", 0, PieceType::Unknown) + pieceField("<s>", 0, PieceType::Control)
        + pieceField("</s>", 0, PieceType::Control) + pieceField("\u2581", -3, PieceType::Normal);
    for (int byte = 0; spellsBytes && byte < 256; ++byte)
        model = std::move(model) + pieceField(fmt::format("<0x{:02X}>", byte), 0, PieceType::Byte);
    const std::vector<PieceType> types = {PieceType::Normal,     PieceType::Normal, PieceType::Normal,
                                          PieceType::Normal,     PieceType::Normal, PieceType::Unused,
                                          PieceType::UserDefined};
    for (int i = 0; i < 120; ++i) {
        const std::string text = anyText(4, {"a", "b", "c", "\u2581", "\u00e9", "\u65e5"}, random);
        if (text.empty() || !taken.insert(text).second)
            continue;
        const auto step = static_cast<float>(random() % 1000) / 100;
        model = std::move(model) + pieceField(text, isCoarse ? -std::floor(step) : -step, anyOf(types, random));
    }
    Bytes normalizer = numberField(3, flag()) + numberField(4, flag());
    if (flag())
        normalizer = std::move(normalizer)
            + field(2, mapOfX(anyOf<std::string>({"", " ", "  b", "b ", "\u65e5a", "b  a"}, random)));
    return std::move(model)
        + field(2,
                numberField(3, static_cast<int>(1 + random() % 4)) + numberField(24, flag())
                    + numberField(35, spellsBytes))
        + field(3, normalizer);
}

// Compares the model with a line of sentence_piece_reference.py; words say where they differ.
std::string difference(const SentencePieceModel& model, const Vocabulary& vocabulary, const QJsonObject& expected)
{
    const QString text = expected[QLatin1String("text")].toString();
    QJsonArray ids;
    QJsonArray begins;
    QJsonArray ends;
    std::vector<std::string> pieces;
    for (const auto& piece : model.encode(text.toStdString())) {
        ids.push_back(piece.id);
        begins.push_back(static_cast<qint64>(piece.span.begin));
        ends.push_back(static_cast<qint64>(piece.span.end));
        pieces.push_back(piece.text);
    }
    const bool hidesBlank = std::ranges::any_of(pieces, [&](const std::string& piece) {
        return !vocabulary.find(piece) && piece.find("\u2581") != std::string::npos; // the library shows it as a mark
    });
    model.decode(pieces);
    QJsonObject found{{QStringLiteral("text"), text},
                      {QStringLiteral("ids"), ids},
                      {QStringLiteral("begins"), begins},
                      {QStringLiteral("ends"), ends},
                      {QStringLiteral("decoded"), expected[QLatin1String("decoded")]}};
    if (!hidesBlank)
        found[QLatin1String("decoded")] =
            QString::fromStdString(std::accumulate(pieces.begin(), pieces.end(), std::string()));
    if (found == expected)
        return {};
    const auto asText = [](const QJsonObject& object) {
        return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
    };
    return asText(found) + " instead of " + asText(expected);
}

QList<QByteArray> linesOf(const QByteArray& output)
{
    QList<QByteArray> lines = output.split('\n');
    lines.removeLast();
    return lines;
}

// Output of sentence_piece_reference.py; nothing where the library is not installed.
std::optional<QList<QByteArray>> libraryOn(QStringList arguments)
{
    QProcess script;
    arguments.prepend(QStringLiteral(ATTN_SOURCE_DIR "/tests/core/text/sentence_piece_reference.py"));
    script.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    script.start(QStringLiteral("/usr/bin/python3"), arguments);
    if (!script.waitForFinished(-1) || script.exitCode() != 0)
        return std::nullopt;
    return linesOf(script.readAllStandardOutput());
}

} // namespace

class TestSentencePiece : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void piecesAgreeWithTheReference()
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

    void bundledModelsAgreeWithTheLibrary_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("translation") << "luong-general-en-fr";
        QTest::newRow("questions") << "question-pooling-en";
    }

    // A sample of texts; 20,000 lines of training data with ATTNSCOPE_THOROUGH=1.
    void bundledModelsAgreeWithTheLibrary()
    {
        QFETCH(const QString, model);
        QFile sample(QStringLiteral(ATTN_TEST_DATA "/tokenizer/%1.jsonl").arg(model));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        QList<QByteArray> lines = linesOf(sample.readAll());
        QVERIFY(lines.size() > 20);
        const QString file = QStringLiteral(ATTN_SOURCE_DIR "/resources/models/%1/tokenizer.model").arg(model);
        if (qEnvironmentVariableIsSet("ATTNSCOPE_THOROUGH")) {
            const QString data = QStringLiteral(ATTN_FIXTURES "/../data/%1/train.tsv.xz");
            const auto more = libraryOn({QStringLiteral("10000"), file, data.arg(QLatin1String("tatoeba-en-fr")), file,
                                         data.arg(QLatin1String("europarl-en-fr"))});
            if (!more)
                QSKIP("the library or the training data is missing (install python3-sentencepiece)");
            lines += *more;
        }
        const SentencePieceModel read(file.toStdString());
        const Vocabulary vocabulary(read.pieces());
        for (const QByteArray& line : lines) {
            const std::string problem = difference(read, vocabulary, QJsonDocument::fromJson(line).object());
            QVERIFY2(problem.empty(), problem.c_str());
        }
    }

    void anyModelAgreesWithTheLibrary()
    {
        constexpr int models = 60;
        constexpr int texts = 60;
        const QTemporaryDir folder;
        QStringList arguments = {QString::number(texts)};
        std::mt19937 random(1);
        for (int i = 0; i < models; ++i) {
            arguments +=
                {folder.filePath(QString::number(i)), folder.filePath(QString::number(i) + QLatin1String(".texts"))};
            const Bytes model = anyModel(random);
            writeText(arguments[arguments.size() - 2].toStdString(),
                      {reinterpret_cast<const char*>(model.data()), model.size()});
            std::string lines;
            for (int text = 0; text < texts; ++text)
                lines += '"'
                    + anyText(20, {"a", "b", "c", "d", "x", " ", "  ", "\u00e9", "\u65e5", "\u2581", "<unk>"}, random)
                    + "\"\n";
            writeText(arguments.back().toStdString(), lines);
        }
        const auto expected = libraryOn(arguments);
        if (!expected)
            QSKIP("the library is not installed (install python3-sentencepiece)");
        QCOMPARE(expected->size(), models * texts);
        for (int i = 0; i < models; ++i) {
            const SentencePieceModel model(arguments[1 + 2 * i].toStdString());
            const Vocabulary vocabulary(model.pieces());
            for (int text = 0; text < texts; ++text) {
                const std::string problem =
                    difference(model, vocabulary, QJsonDocument::fromJson(expected->at(i * texts + text)).object());
                QVERIFY2(problem.empty(), (model.algorithm() + ": " + problem).c_str());
            }
        }
    }

    // Each is the beginning of the next; the library's buffer holds 64 (CVE-2026-1260 is of this kind).
    void manyNestedUserDefinedPiecesAreRead()
    {
        Bytes model = readBytes(tokenizerData("bpe.model"));
        for (std::size_t length = 1; length <= 200; ++length)
            model = std::move(model) + pieceField(std::string(length, 'z'), 0, PieceType::UserDefined);
        const SentencePieceModel nested(model, "nested.model");
        const auto pieces = nested.encode(std::string(450, 'z'));
        QVERIFY(pieces.size() >= 3);
        QCOMPARE(pieces.back().text.size(), std::size_t{50});
        QCOMPARE(pieces[pieces.size() - 2].text.size(), std::size_t{200});
    }

    void spansAreBytesOfTheOriginal()
    {
        // A no-break space, a ligature, an ellipsis, two spaces and a fraction that normalization rewrites.
        const SentencePieceModel model(tokenizerData("unigram.model"));
        const std::string text = "The house\u00a0is ﬁne…  ½ Où 日.";
        std::vector<std::pair<std::size_t, std::size_t>> spans;
        for (const auto& piece : model.encode(text))
            spans.emplace_back(piece.span.begin, piece.span.end);
        QCOMPARE(spans,
                 (std::vector<std::pair<std::size_t, std::size_t>>{
                     {0, 0},   {0, 1},   {1, 3},   {3, 9},   {9, 11},  {11, 13}, {13, 14}, {14, 14},
                     {14, 17}, {17, 18}, {18, 19}, {19, 19}, {19, 19}, {19, 22}, {22, 24}, {24, 26},
                     {26, 27}, {27, 28}, {28, 30}, {30, 31}, {31, 34}, {34, 35}}));
    }

    void decodedPiecesAreTheText()
    {
        const SentencePieceModel model(tokenizerData("unigram.model"));
        std::vector<std::string> pieces = {"▁t", "he", "▁small", "▁garden", "."};
        model.decode(pieces);
        QCOMPARE(pieces, (std::vector<std::string>{"t", "he", " small", " garden", "."}));
        pieces.clear();
        model.decode(pieces);
        QVERIFY(pieces.empty());
    }

    void knowsItsSpecialTokens()
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

    void textMustBeUtf8()
    {
        const SentencePieceModel model(tokenizerData("unigram.model"));
        QCOMPARE(errorOf([&] { (void)model.encode("abc\xFF"); }),
                 std::string("text: is not UTF-8 (byte 3) (save it as UTF-8)"));
        QVERIFY(model.encode("").empty());
        QVERIFY(model.encode("   ").empty());
        QVERIFY(!model.encode(std::string_view("a\0b", 3)).empty());
    }

    void otherFilesAreRefused()
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

    void damagedTrieIsRefused()
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
            return !errorOf([&] {
                        SentencePieceModel model(withCharacterMap(trie, std::string(1, '\0')), "m");
                    }).empty();
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

    // Bytes that the library takes for another field than is checked.
    void wideKeysAreRefused()
    {
        const Bytes model = readBytes(tokenizerData("unigram.model"));
        const Bytes longPiece = bytesOf(std::string(200'000, 'x'));
        for (const Bytes& added : {field(1, field(1, longPiece), true), field(1, field(1, longPiece, true)),
                                   field(3, field(2, bytesOf("no table"), true)), field(3, bytesOf(""), true)}) {
            const std::string message = errorOf([&] { SentencePieceModel(model + added, "wide.model"); });
            QVERIFY2(message.starts_with("wide.model: is not a SentencePiece model"), message.c_str());
        }
    }

    // "a" becomes a thousand characters that the model does not know, put together as those of a long text are.
    void replacementsAreCountedAsText()
    {
        std::vector<std::uint32_t> trie(256, 0x80000000U);
        const std::uint32_t a = 1 ^ 'a';
        trie[0] = 1U << 10;
        trie[a] = ((a ^ 3) << 10) | 'a' | (1U << 8);
        std::string unknown;
        for (int i = 0; i < 1000; ++i)
            unknown += "日";
        const SentencePieceModel model(withCharacterMap(trie, unknown + '\0'), "m");
        const auto pieces = model.encode(std::string(300, 'a'));
        QCOMPARE(pieces.back().text.size(), 300 * unknown.size());
    }

    // "a" becomes 100 kB: a thousand of them would be 100 MB.
    void replacementsThatGrowAreRefused()
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
        std::vector<std::string> few = {"c"};
        decoder.decode(few);
        QVERIFY(!few.front().empty());
        std::vector<std::string> decoded = {many};
        QVERIFY(errorOf([&] { decoder.decode(decoded); }).find("becomes longer than") != std::string::npos);
    }

    void manyUnknownCharactersAreOnePiece()
    {
        const SentencePieceModel model(tokenizerData("unigram.model"));
        std::string text;
        for (int i = 0; i < 250'000; ++i)
            text += "日";
        const auto pieces = model.encode("the " + text + " the");
        const auto longest = std::ranges::max_element(pieces, {}, [](const auto& piece) { return piece.text.size(); });
        QVERIFY(longest->text == text);
        QCOMPARE(longest->span.end - longest->span.begin, text.size());
        QCOMPARE(model.pieces().size(), std::size_t{60});
    }

    void cuttingCanBeCancelled()
    {
        const SentencePieceModel model(tokenizerData("unigram.model"));
        std::stop_source source;
        source.request_stop();
        const ThreadStop stop(source.get_token());
        QCOMPARE(errorOf([&] { (void)model.encode("the"); }), std::string("run: cancelled"));
    }

    void endlessPiecesAreRefused()
    {
        const Bytes model = readBytes(tokenizerData("unigram.model"));
        const auto with = [&](std::size_t length) {
            return model + field(1, field(1, bytesOf(std::string(length, 'x'))));
        };
        const SentencePieceModel longest(with(1024), "longest.model");
        QCOMPARE(longest.pieces().back().size(), std::size_t{1024});
        for (const std::size_t length : {std::size_t{1025}, std::size_t{200'000}}) {
            const std::string message = errorOf([&] { SentencePieceModel(with(length), "long.model"); });
            QVERIFY2(message.find(std::to_string(length) + " bytes") != std::string::npos, message.c_str());
        }
    }

    void damageIsAValueOrAnError_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("unigram") << "unigram.model";
        QTest::newRow("BPE") << "bpe.model";
    }

    void damageIsAValueOrAnError()
    {
        QFETCH(QString, file);
        const Bytes valid = readBytes(tokenizerData(file.toLatin1().constData()));
        const std::string problem = surviveDamage(valid, 1, [](const Bytes& bytes) {
            const SentencePieceModel model(bytes, "damaged");
            std::vector<std::string> pieces;
            for (const auto& piece : model.encode("The house\u00a0is ﬁne…  ½ Où 日."))
                pieces.push_back(piece.text);
            model.decode(pieces);
        });
        QVERIFY2(problem.empty(), problem.c_str());
    }
};

ATTN_TEST(TestSentencePiece)
#include "tst_sentence_piece.moc"
