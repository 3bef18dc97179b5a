// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/token_text.h"
#include "io/npz.h"
#include "sites.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "trace/archive_parts.h"
#include "trace/trace_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <map>

using namespace attn;
using namespace attn::test;

namespace {

using Texts = std::vector<std::string>;
using SideArrays = std::map<std::string, NpyArray>;

Encoding described(const Texts& pieces)
{
    return encodingOfPieces(std::vector<TokenId>(pieces.size(), 7), pieces);
}

Texts shownLabels(const Encoding& encoding)
{
    Texts labels;
    for (std::size_t token = 0; token < encoding.size(); ++token)
        labels.push_back(tokenLabel(encoding, token));
    return labels;
}

Texts specialOnes(const Encoding& encoding)
{
    Texts found;
    for (std::size_t token = 0; token < encoding.size(); ++token) {
        if (encoding.special[token])
            found.push_back(encoding.tokens[token]);
    }
    return found;
}

NpyArray textArray(const Texts& texts)
{
    return NpyArray::fromTexts({std::ssize(texts)}, texts);
}

NpyArray numberArray(const std::vector<std::int64_t>& numbers)
{
    return NpyArray::fromIntegers({std::ssize(numbers)}, numbers);
}

NpyArray offsetArray(const std::vector<std::int64_t>& numbers)
{
    return NpyArray::fromIntegers({std::ssize(numbers) / 2, 2}, numbers);
}

Trace readOf(const SideArrays& arrays)
{
    NpzWriter writer;
    for (const auto& [name, array] : arrays)
        writer.add(name, array);
    return readArchive(writer.finish(), "a.npz");
}

// A decoder-only run over these tokens.
Trace generated(const Encoding& tokens)
{
    struct Known final : TokenDescriber
    {
        Encoding tokens;
        Encoding describe(std::span<const TokenId> ids) const override { return partOf(tokens, 0, ids.size()); }
    };
    auto names = std::make_shared<Known>();
    names->tokens = tokens;
    Provenance provenance;
    provenance.kind = ModelKind::DecoderOnly;
    TraceBuilder builder(partOf(tokens, 0, 1), names, provenance);
    builder.begun(std::span(tokens.ids).first(1), tokens.ids.front());
    const int last = static_cast<int>(tokens.size()) - 1;
    for (int i = 0; i <= last; ++i) {
        const NumberVector<float> weights(static_cast<std::size_t>(i) + 1, 0.5F);
        builder.attention({decoder0, 0, i, Numbers{1, i + 1, weights}, {}});
        if (i == last)
            break;
        DecodingStep step;
        step.index = StepId{i};
        step.parent = i > 0 ? std::optional(StepId{i - 1}) : std::nullopt;
        step.position = i;
        step.token = tokens.ids[static_cast<std::size_t>(i) + 1];
        builder.stepped(step);
    }
    builder.closed(StepId{last - 1}, 0, {});
    builder.finished({{{StepId{last - 1}, 0, 0, true}}, 0});
    return builder.snapshot();
}

void compareTokens(const Encoding& found, const Encoding& expected)
{
    QCOMPARE(found.ids, expected.ids);
    QCOMPARE(found.tokens, expected.tokens);
    QCOMPARE(found.labels, expected.labels);
    QCOMPARE(found.words, expected.words);
    QCOMPARE(found.special, expected.special);
    QCOMPARE(found.spans, expected.spans);
    QCOMPARE(found.text, expected.text);
}

// Tokens that could not be guessed: one id for several, parts of a character, a word of two tokens with a blank.
Encoding peculiar()
{
    return {.ids = {0, 3, 3, 5, 3, 0},
            .tokens = {"<s>", "\u0120New", "\u0120York", "\u00C3", "\u00A9", "</s>"},
            .spans = {{0, 0}, {0, 3}, {3, 8}, {8, 9}, {9, 10}, {10, 10}},
            .words = {noWord, 0, 0, 1, 1, noWord},
            .special = {true, false, false, false, false, true},
            .segments = {},
            .text = "New York\u00E9",
            .labels = {"<s>", "\u2581New", "\u2581York", "\u00E9[1/2]", "\u00E9[2/2]", "</s>"}};
}

} // namespace

class TestArchiveTokens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void piecesOfVocabulariesAreRead_data()
    {
        addColumns<Texts, Texts, std::vector<int>, QString>("pieces", "labels", "words", "text");
        const auto row = [](const char* name, Texts pieces, Texts labels, std::vector<int> words, const char* text) {
            QTest::newRow(name) << pieces << labels << words << QString::fromUtf8(text);
        };
        row("SentencePiece", {"\u2581The", "\u2581b", "oy", "</s>"}, {"The", "b", "oy", "</s>"}, {0, 1, 1, -1},
            "The boy");
        row("SentencePiece, bytes", {"<s>", "\u2581Once", "<0x0A>", "\u2581a", "<0xC3>", "<0xA9>"},
            {"<s>", "Once", "\u240A", "a", "\u00E9[1/2]", "\u00E9[2/2]"}, {-1, 0, 1, 2, 2, 2}, "Once\n a\u00E9");
        row("bytes, marks removed", {"caf", "<0xC3>", "<0xA9>", "<0x0A>", "bar"},
            {"caf", "\u00E9[1/2]", "\u00E9[2/2]", "\u240A", "bar"}, {0, 0, 0, 1, 2}, "caf\u00E9\n bar");
        row("bytes without a blank", {"\u00E4\u00BD\u0142\u00E5\u00A5\u00BD", "\u00E5\u0132\u0139"},
            {"\u4F60\u597D", "\u5417"}, {0, 0}, "\u4F60\u597D\u5417");
        row("bytes, a plain token", {"\u0120f", "\u010A", "    ", "return", "\u0120\u00C3\u00A9"},
            {"f", "\u240A", "    ", "return", "\u00E9"}, {0, 1, 2, 3, 4}, "f\n    return \u00E9");
        row("bytes, a foreign token", {"\u0434\u043E\u043C", "\u0120a"}, {"\u0434\u043E\u043C", "a"}, {0, 1},
            "\u0434\u043E\u043C a");
        row("bytes that end too early", {"\u0120a", "\u0120\u00E6\u0139"}, {"a", "<E6 97>"}, {0, 1}, "a \uFFFD\uFFFD");
        row("French words", {"\u00E9t\u00E9", "\u00E0", "No\u00EBl"}, {"\u00E9t\u00E9", "\u00E0", "No\u00EBl"},
            {0, 1, 2}, "\u00E9t\u00E9 \u00E0 No\u00EBl");
        row("Maltese words", {"\u0120es\u00F9", "\u0127abib", "ta\u2019"}, {"\u0120es\u00F9", "\u0127abib", "ta\u2019"},
            {0, 1, 2}, "\u0120es\u00F9 \u0127abib ta\u2019");
        row("WordPiece", {"[CLS]", "play", "##ing", "[SEP]"}, {"[CLS]", "play", "##ing", "[SEP]"}, {-1, 0, 0, -1},
            "playing");
        row("headings", {"##", "Title", "##AT##-##AT##", "page"}, {"##", "Title", "##AT##-##AT##", "page"},
            {0, 1, 2, 3}, "## Title ##AT##-##AT## page");
        row("a heading first", {"##Title", "page"}, {"##Title", "page"}, {0, 1}, "##Title page");
        row("subword-nmt", {"das", "wo@@", "chen@@", "ende", "</s>"}, {"das", "wo", "chen", "ende", "</s>"},
            {0, 1, 1, 1, -1}, "das wochenende");
        row("joiners", {"pre\uFFED", "fix", "\uFFED,", "a", "\uFFED-\uFFED", "b"}, {"pre", "fix", ",", "a", "-", "b"},
            {0, 0, 0, 1, 1, 1}, "prefix, a-b");
        row("a joiner by itself", {"a", "\uFFED", "b", "c"}, {"a", "\uFFED", "b", "c"}, {0, 0, 0, 1}, "ab c");
        row("ends of words", {"low", "er</w>", "the</w>", "x"}, {"low", "er", "the", "x"}, {0, 0, 1, 2}, "lower the x");
        row("tabs and line ends", {"\u2581a", "\t", "b", "\n\n", "\u2581c"}, {"a", "\u2409", "b", "\u240A\u240A", "c"},
            {0, 1, 2, 3, 4}, "a\tb\n\n c");
    }
    void piecesOfVocabulariesAreRead()
    {
        QFETCH(Texts, pieces);
        const Encoding found = described(pieces);
        QTEST(shownLabels(found), "labels");
        QTEST(found.words, "words");
        QTEST(QString::fromStdString(found.text), "text");
        QCOMPARE(found.tokens, pieces);
        QCOMPARE(found.spans.size(), pieces.size());
        for (const ByteSpan span : found.spans)
            QVERIFY(span.begin <= span.end && span.end <= found.text.size());
    }

    void specialIsWhatVocabulariesCallSo_data()
    {
        addColumns<Texts, Texts>("pieces", "special");
        const auto row = [](const char* name, Texts pieces, Texts special) {
            QTest::newRow(name) << pieces << special;
        };
        row("BERT", {"[CLS]", "a", "[MASK]", "[UNK]", "[unused12]", "[SEP]", "[PAD]"},
            {"[CLS]", "[unused12]", "[SEP]", "[PAD]"});
        row("sequences", {"<s>", "a", "<unk>", "<mask>", "</s>", "<pad>", "<BOS>", "<eos>"},
            {"<s>", "</s>", "<pad>", "<BOS>", "<eos>"});
        row("GPT", {"<|endoftext|>", "a", "<|im_end|>", "<\uFF5Cend\u2581of\u2581sentence\uFF5C>"},
            {"<|endoftext|>", "<|im_end|>", "<\uFF5Cend\u2581of\u2581sentence\uFF5C>"});
        row("text in brackets", {"see", "[12]", "<code5e>", "<b>", "[sic]", "<12>", "[unused]"}, {});
        row("bytes and sentinels", {"\u2581a", "<0x0A>", "<extra_id_0>"}, {});
        row("Marian", {">>deu<<", "\u2581I", "\u2581>>x<<", "</s>"}, {">>deu<<", "</s>"});
        row("mBART", {"\u2581I", "\u2581am", "</s>", "en_XX"}, {"</s>", "en_XX"});
        row("NLLB", {"eng_Latn", "\u2581I", "</s>"}, {"eng_Latn", "</s>"});
        row("M2M-100", {"__fr__", "\u2581je", "</s>"}, {"__fr__", "</s>"});
        row("codes in a text", {"set", "de_DE", "or", "__en__", "or", ">>fra<<", "here"}, {});
        row("names like codes", {"__init__", "en_US", "xyz_Abcd"}, {});
    }
    void specialIsWhatVocabulariesCallSo()
    {
        QFETCH(Texts, pieces);
        const Encoding found = described(pieces);
        QTEST(specialOnes(found), "special");
        for (std::size_t token = 0; token < found.size(); ++token)
            QCOMPARE(found.words[token] == noWord, bool(found.special[token]));
    }

    void eachPositionHasItsOwnName()
    {
        const Trace trace = readOf({{"source_ids", numberArray({3, 3, 2})},
                                    {"source_tokens", textArray({"Mr", "Kovacs", "</s>"})},
                                    {"target_ids", numberArray({3, 3, 3, 2})},
                                    {"target_tokens", textArray({"Herr", "Kovacs", "Nowak", "</s>"})},
                                    {"cross_attentions", NpyArray::fromFloats({1, 1, 4, 3}, std::vector<float>(12))}});
        QCOMPARE(trace.source().tokens, (Texts{"Mr", "Kovacs", "</s>"}));
        QCOMPARE(trace.target().tokens, (Texts{"Herr", "Kovacs", "Nowak", "</s>"}));
        QCOMPARE(trace.decoderInputs().tokens, (Texts{"<start>", "Herr", "Kovacs", "Nowak"}));
        QCOMPARE(trace.step(StepId{2}).text, std::string("Nowak"));
        QCOMPARE(trace.target(StepId{1}).tokens, (Texts{"Herr", "Kovacs"}));
        const Trace sequence =
            readOf({{"source_ids", numberArray({0, 0, 0})},
                    {"source_tokens", textArray({"a", "b", "c"})},
                    {"decoder_attentions", NpyArray::fromFloats({1, 1, 3, 3}, std::vector<float>(9))}});
        QCOMPARE(sequence.sequence().tokens, (Texts{"a", "b", "c"}));
        QCOMPARE(sequence.rowTokens(decoder0).tokens, (Texts{"b", "c", "?"}));
        QCOMPARE(sequence.target().tokens, (Texts{"b", "c"}));
        QCOMPARE(sequence.step(StepId{1}).text, std::string("c"));
    }

    void tokensWithoutIdsAreShown()
    {
        const NpyArray map = NpyArray::fromFloats({1, 1, 2, 2}, std::vector<float>(4, 0.5F));
        const Trace read = readOf({{"source_tokens", textArray({"Hello", "world"})}, {"encoder_attentions", map}});
        QCOMPARE(read.kind(), ModelKind::EncoderOnly);
        QCOMPARE(read.source().tokens, (Texts{"Hello", "world"}));
        QCOMPARE(read.source().ids, (std::vector<TokenId>{noTokenId, noTokenId}));
        const Trace written = readOf({{"source_tokens", textArray({"Hello", "world"})},
                                      {"target_tokens", textArray({"Hallo", "Welt"})},
                                      {"cross_attentions", map}});
        QCOMPARE(written.target().tokens, (Texts{"Hallo", "Welt"}));
        QCOMPARE(readArchive(archiveBytes(written), "b.npz").target().tokens, (Texts{"Hallo", "Welt"}));
        const Trace decoder = readOf({{"source_tokens", textArray({"Hello", "world"})}, {"decoder_attentions", map}});
        QCOMPARE(decoder.kind(), ModelKind::DecoderOnly);
        QCOMPARE(decoder.sequence().tokens, (Texts{"Hello", "world"}));
    }

    void tokensThatAMapNeedsAreNamed_data()
    {
        addColumns<QString, bool, QString>("map", "hasSource", "missing");
        QTest::newRow("encoder") << "encoder_attentions" << false << "source_ids";
        QTest::newRow("decoder") << "decoder_attentions" << false << "source_ids";
        QTest::newRow("cross") << "cross_attentions" << true << "target_ids";
        QTest::newRow("both") << "cross_attentions" << false << "target_ids";
        QTest::newRow("scores") << "encoder_scores" << false << "source_ids";
    }
    void tokensThatAMapNeedsAreNamed()
    {
        QFETCH(QString, map);
        QFETCH(bool, hasSource);
        QFETCH(QString, missing);
        SideArrays arrays{{map.toStdString(), NpyArray::fromFloats({1, 1, 2, 2}, std::vector<float>(4))}};
        if (hasSource)
            arrays.emplace("source_ids", numberArray({1, 2}));
        refused(arrays, {missing, map, QString(missing).replace("_ids", "_tokens")});
    }

    void whatATokenizerKnewIsReadBack_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("npz") << QStringLiteral("a.npz");
        QTest::newRow("json") << QStringLiteral("a.json");
    }
    void whatATokenizerKnewIsReadBack()
    {
        QFETCH(QString, name);
        const std::filesystem::path path = m_folder.filePath(name).toStdString();
        const Trace run = generated(peculiar());
        writeArchive(path, run);
        const Trace stored = readArchive(path);
        compareTokens(stored.sequence(), peculiar());
        compareTokens(stored.decoderInputs(), run.decoderInputs());
        QCOMPARE(stored.step(StepId{3}).text, peculiar().labels.at(4));
        writeArchive(path, stored); // as the window does with one that was opened
        compareTokens(readArchive(path).sequence(), peculiar());
    }

    void textsMayEndInZeros()
    {
        Encoding tokens = peculiar();
        tokens.tokens[4] = "<0x00>";
        tokens.labels[4] = std::string(1, '\0');
        tokens.text = std::string("New York\u00E9", 8) + std::string(2, '\0');
        const Encoding read = readArchive(archiveBytes(generated(tokens)), "a.npz").sequence();
        QCOMPARE(read.text, std::string("New York"));
        QCOMPARE(read.spans.at(4), (ByteSpan{8, 8}));
        QCOMPARE(tokenLabel(read, 4), tokenLabel(tokens, 4));
    }

    void eachArrayMayBeMissing_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* part : {"labels", "words", "special", "offsets"})
            QTest::newRow(part) << QStringLiteral("source_%1").arg(QString::fromLatin1(part));
    }
    void eachArrayMayBeMissing()
    {
        QFETCH(QString, name);
        SideArrays arrays = sideArrays();
        arrays.erase(name.toStdString());
        const Encoding found = readOf(arrays).source();
        QCOMPARE(found.size(), std::size_t{3});
        QCOMPARE(tokenLabel(found, 1), name == "source_labels" ? std::string("b") : std::string("B!"));
        QCOMPARE(found.words, name == "source_words" ? (std::vector<int>{0, 1, -1}) : (std::vector<int>{0, 0, -1}));
        QCOMPARE(bool(found.special.at(2)), name != "source_special"); // "end" is no usual name of a special token
        QCOMPARE(found.text, std::string("a  b"));
        QCOMPARE(found.spans.at(1), (ByteSpan{3, 4}));
    }

    void labelsAreShownAsTheyAreGiven()
    {
        const Encoding found = readOf(sideArrays()).source();
        QCOMPARE(shownLabels(found), (Texts{"A!", "B!", "E!"}));
        QCOMPARE(found.tokens, (Texts{"\u2581a", "\u2581b", "end"}));
    }

    void whatDoesNotFitIsNamed_data()
    {
        addColumns<QString, std::function<NpyArray()>>("name", "array");
        const auto row = [](const char* title, const char* name, std::function<NpyArray()> array) {
            QTest::newRow(title) << QString::fromLatin1(name) << std::move(array);
        };
        row("too few labels", "source_labels", [] { return textArray({"a"}); });
        row("numbers as labels", "source_labels", [] { return numberArray({1, 2, 3}); });
        row("too many words", "source_words", [] { return numberArray({0, 1, 2, 3}); });
        row("a word below none", "source_words", [] { return numberArray({0, -2, 1}); });
        row("a word beyond the tokens", "source_words", [] { return numberArray({0, 1, 3}); });
        row("a huge word", "source_words", [] { return numberArray({0, 1, std::int64_t{1} << 40}); });
        row("texts as words", "source_words", [] { return textArray({"a", "b", "c"}); });
        row("neither true nor false", "source_special", [] { return numberArray({0, 1, 2}); });
        row("too few flags", "source_special", [] { return numberArray({0, 1}); });
        row("flat offsets", "source_offsets", [] { return numberArray({0, 1, 3, 4, -1, -1}); });
        row("too few offsets", "source_offsets", [] { return offsetArray({0, 1, 3, 4}); });
        row("beyond the text", "source_offsets", [] { return offsetArray({0, 1, 3, 5, -1, -1}); });
        row("an end before its beginning", "source_offsets", [] { return offsetArray({0, 1, 4, 3, -1, -1}); });
        row("half a place", "source_offsets", [] { return offsetArray({0, 1, -1, 4, -1, -1}); });
        row("places that go back", "source_offsets", [] { return offsetArray({3, 4, 0, 1, -1, -1}); });
        row("a list of texts", "source_text", [] { return textArray({"a", "b"}); });
    }
    void whatDoesNotFitIsNamed()
    {
        QFETCH(QString, name);
        QFETCH(std::function<NpyArray()>, array);
        SideArrays arrays = sideArrays();
        arrays.insert_or_assign(name.toStdString(), array());
        refused(arrays, {name});
    }

    void whatStandsAloneIsNamed()
    {
        SideArrays arrays = sideArrays();
        arrays.erase("source_text");
        refused(arrays, {"source_offsets", "source_text"});
        for (const char* part : {"target_labels", "target_text"}) {
            arrays = sideArrays();
            arrays.emplace(part, NpyArray::fromText("x"));
            refused(arrays, {QString::fromLatin1(part), "target_ids", "target_tokens"});
        }
    }

private:
    static SideArrays sideArrays()
    {
        return {{"source_ids", numberArray({1, 2, 3})},
                {"source_tokens", textArray({"\u2581a", "\u2581b", "end"})},
                {"source_labels", textArray({"A!", "B!", "E!"})},
                {"source_words", numberArray({0, 0, -1})},
                {"source_special", NpyArray::fromBooleans({3}, {false, false, true})},
                {"source_text", NpyArray::fromText("a  b")},
                {"source_offsets", offsetArray({0, 1, 3, 4, -1, -1})}};
    }

    static void refused(const SideArrays& arrays, const QStringList& named)
    {
        try {
            readOf(arrays);
            QFAIL("it was read");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Format);
            for (const QString& name : named)
                QVERIFY2(QString::fromUtf8(error.what()).contains(name), error.what());
        }
    }

    QTemporaryDir m_folder;
};

ATTN_TEST(TestArchiveTokens)

#include "tst_archive_tokens.moc"
