// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/token_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace attn;

class TestTokenText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whiteSpaceWithoutAMarkPartsWords_data()
    {
        test::addColumns<QString, QString, bool>("before", "after", "parts");
        const auto row = [](const char* before, const char* after, bool parts) {
            QTest::addRow("%s|%s", before, after) << QString::fromUtf8(before) << QString::fromUtf8(after) << parts;
        };
        row("a", "b", false);
        row("a", "\n", true);
        row("a", "\t\tb", true);
        row("\n", "b", true);
        row("a\n", "b", true);
        row("a", "\u00A0", true);
        row("\u3000", "b", true);
        row("a", "\u2028b", true);
        row("\n", "\n", false); // white space stays together
        row("\n", "\t", false);
        row("\u2581", "\n", false);
        row("\u2581", "b", false); // vocabularies mark blanks
        row(" ", "b", false);
        row("", "b", false);
    }
    void whiteSpaceWithoutAMarkPartsWords()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        const std::string first = before.toStdString();
        const std::string text = first + after.toStdString();
        QTEST(partsWords(text, {0, first.size()}, {first.size(), text.size()}), "parts");
    }

    // A vocabulary with byte fallback has a token for each byte of U+3000.
    void bytesOfWhiteSpacePartWords()
    {
        const std::string text = "a\u3000b";
        QVERIFY(partsWords(text, {0, 1}, {1, 2}));
        QVERIFY(!partsWords(text, {1, 2}, {2, 3}));
        QVERIFY(partsWords(text, {3, 4}, {4, 5}));
    }

    void aPartHasItsOwnText()
    {
        Encoding whole = plainEncoding({1, 2, 3, 4});
        whole.spans = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
        whole.words = {0, 0, 0, 0};
        whole.text = "aéb";
        const Encoding part = partOf(whole, 2, 2);
        QCOMPARE(part.ids, (std::vector<TokenId>{3, 4}));
        QCOMPARE(part.text, std::string("éb")); // no character is cut
        QCOMPARE(part.spans, (std::vector<ByteSpan>{{1, 2}, {2, 3}}));
        QVERIFY(part.labels.empty());
        QCOMPARE(partOf(whole, 0, 2).text, std::string("aé"));
        QCOMPARE(partOf(whole, 0, 9).text, whole.text);
        QVERIFY(partOf(whole, 9, 1).ids.empty());
    }

    void labelsAreWithoutMarksAndControlCharacters()
    {
        Encoding encoding = plainEncoding({1, 2, 3, 4});
        encoding.tokens = {"\u2581house", "\u2581", "\n", "\u2581\u2581a"};
        const auto label = [&](std::size_t token) { return tokenLabel(encoding, token); };
        QCOMPARE(label(0), std::string("house"));
        QCOMPARE(label(1), std::string("\u2581"));
        QCOMPARE(label(2), std::string("\u240A"));
        QCOMPARE(label(3), std::string("\u2581a"));
        encoding.labels = {"\u2581Haus", "x", "y", "z"};
        QCOMPARE(label(0), std::string("Haus"));
        encoding.labels.clear();
        encoding.tokens.clear();
        QCOMPARE(label(3), std::string("<4>"));
    }
};

ATTN_TEST(TestTokenText)
#include "tst_token_text.moc"
