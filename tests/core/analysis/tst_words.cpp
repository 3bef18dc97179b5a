// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "support/broken_files.h"
#include "support/test_program.h"

#include <QtTest>

using namespace attn;
using namespace attn::test;

namespace {

Encoding encoding()
{
    return {{5, 6, 7, 8, 3},
            {"▁un", "known", "▁", "日", "</s>"},
            {{0, 2}, {2, 7}, {7, 8}, {8, 11}, {11, 11}},
            {0, 0, 1, 1, -1},
            {false, false, false, false, true},
            {},
            "unknown 日",
            {}};
}

std::vector<std::string> labels(const std::vector<AxisGroup>& groups)
{
    std::vector<std::string> texts;
    for (const AxisGroup& group : groups)
        texts.push_back(group.label);
    return texts;
}

} // namespace

// The text that the pieces stand for, with their places in it.
Encoding fromPieces(const std::vector<std::string>& pieces, const std::vector<int>& words)
{
    Encoding encoding;
    encoding.tokens = pieces;
    encoding.words = words;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        QString piece = QString::fromStdString(pieces[i]);
        encoding.ids.push_back(static_cast<TokenId>(i));
        encoding.special.push_back(words[i] < 0);
        if (words[i] < 0)
            piece.clear();
        piece.replace(QChar(0x2581), QLatin1Char(' '));
        const std::string text = (encoding.text.empty() ? piece.trimmed() : piece).toStdString();
        encoding.spans.push_back({encoding.text.size(), encoding.text.size() + text.size()});
        encoding.text += text;
    }
    return encoding;
}

class TestWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokenLabelsAreForPeople()
    {
        QCOMPARE(labels(tokenAxis(encoding())), (std::vector<std::string>{"un", "known", "▁", "日", "</s>"}));
        Encoding odd;
        odd.ids = {1, 2, 3};
        odd.tokens = {"a\nb", "\x7F\u0085", "\xFF"};
        QCOMPARE(labels(tokenAxis(odd)), (std::vector<std::string>{"a␊b", "␡<U+0085>", "\uFFFD"}));
    }

    void labelsTakeThePlaceOfUnreadablePieces()
    {
        Encoding given;
        given.ids = {1, 2, 3};
        given.tokens = {"Ð´Ð¾", "ĠÐ¼", "æ"};
        given.labels = {"до", "▁м", "<E6>"};
        given.words = {0, 1, 1};
        QCOMPARE(labels(tokenAxis(given)), (std::vector<std::string>{"до", "м", "<E6>"}));
        QCOMPARE(labels(wordAxis(given)), (std::vector<std::string>{"до", "м<E6>"}));
        given.text = "до м日";
        given.spans = {{0, 4}, {4, 7}, {7, 10}};
        QCOMPARE(labels(wordAxis(given)), (std::vector<std::string>{"до", "м日"}));
    }

    void wordLabelsComeFromTheText()
    {
        const auto groups = wordAxis(encoding());
        QCOMPARE(labels(groups), (std::vector<std::string>{"unknown", "日", "</s>"}));
        QCOMPARE(groups[1].first, 2);
        QCOMPARE(groups[1].count, 2);
        Encoding pieces = encoding();
        pieces.text.clear();
        pieces.spans.clear();
        pieces.tokens[3] = std::string("x");
        QCOMPARE(labels(wordAxis(pieces)), (std::vector<std::string>{"unknown", "▁x", "</s>"}));
    }

    void punctuationIsAWordOfItsOwn_data()
    {
        addColumns<std::vector<std::string>, std::vector<int>, std::vector<std::string>>("pieces", "tokenizerWords",
                                                                                         "expected");
        using Pieces = std::vector<std::string>;
        using Numbers = std::vector<int>;
        QTest::newRow("full stop") << Pieces{"▁to", "night", "."} << Numbers{0, 0, 0} << Pieces{"tonight", "."};
        QTest::newRow("both sides") << Pieces{"▁(", "so", ")", "!"} << Numbers{0, 0, 0, 0} << Pieces{"(", "so", ")!"};
        QTest::newRow("inside") << Pieces{"▁don", "'", "t", ","} << Numbers{0, 0, 0, 0} << Pieces{"don't", ","};
        QTest::newRow("mark alone") << Pieces{"▁", "«", "▁", "oui"} << Numbers{0, 0, 1, 1} << Pieces{"«", "oui"};
        QTest::newRow("nothing else") << Pieces{"▁", "...", "?"} << Numbers{0, 0, 0} << Pieces{"...?"};
        QTest::newRow("in one piece") << Pieces{"▁Mr.", "▁X"} << Numbers{0, 1} << Pieces{"Mr.", "X"};
        QTest::newRow("special") << Pieces{"▁so", ".", "</s>"} << Numbers{0, 0, -1} << Pieces{"so", ".", "</s>"};
    }

    void punctuationIsAWordOfItsOwn()
    {
        QFETCH(const std::vector<std::string>, pieces);
        QFETCH(const std::vector<int>, tokenizerWords);
        QFETCH(const std::vector<std::string>, expected);
        QCOMPARE(labels(wordAxis(fromPieces(pieces, tokenizerWords))), expected);
    }

    void theCommonGridPartsPunctuationToo()
    {
        const Encoding parts = fromPieces({"▁Not", "▁to", "night", "."}, {0, 1, 1, 1});
        const Encoding whole = fromPieces({"▁Not", "▁tonight", "."}, {0, 1, 1});
        const WordGrid grid = commonWordGrid(std::vector<const Encoding*>{&parts, &whole});
        QCOMPARE(grid.labels, (std::vector<std::string>{"Not", "tonight", "."}));
        const Encoding glued = fromPieces({"▁Not", "▁tonight."}, {0, 1}); // no border there
        QCOMPARE(commonWordGrid(std::vector<const Encoding*>{&parts, &glued}).labels,
                 (std::vector<std::string>{"Not", "tonight."}));
    }

    void withoutWordsEveryTokenStandsAlone()
    {
        Encoding ids;
        ids.ids = {9, 4};
        QCOMPARE(labels(wordAxis(ids)), (std::vector<std::string>{"<9>", "<4>"}));
    }

    void mergedRowsStillSumToOne()
    {
        const Numbers matrix{2, 5, {0.1F, 0.2F, 0.3F, 0.3F, 0.1F, 0.5F, 0.1F, 0.0F, 0.2F, 0.2F}};
        const Numbers merged = merge(matrix, {{"row", 0, 2}}, wordAxis(encoding()));
        QCOMPARE(merged.rows, 1);
        QCOMPARE(merged.columns, 3);
        QCOMPARE(merged.at(0, 0), 0.45F);
        QCOMPARE(merged.at(0, 1), 0.4F);
        QCOMPARE(merged.at(0, 2), 0.15F);
    }

    void mergingByTokensChangesNothing()
    {
        const Numbers matrix{1, 5, {0.1F, 0.2F, 0.3F, 0.3F, 0.1F}};
        QCOMPARE(merge(matrix, {{"row", 0, 1}}, tokenAxis(encoding())).values, matrix.values);
    }

    void groupsMustCoverTheMatrix()
    {
        const Numbers matrix{1, 2, {0.5F, 0.5F}};
        const std::vector<AxisGroup> row = {{"row", 0, 1}};
        for (const std::vector<AxisGroup>& columns : {std::vector<AxisGroup>{},
                                                      {{"a", 0, 1}},
                                                      {{"a", 0, 3}},
                                                      {{"a", 1, 1}},
                                                      {{"a", 0, 1}, {"b", 0, 1}},
                                                      {{"a", 0, 0}, {"b", 0, 2}}})
            QVERIFY(!errorOf([&] { merge(matrix, row, columns); }).empty());
    }

    void whatTwoTextsHaveOtherwise()
    {
        const auto text = [](const std::string& words) {
            std::vector<AxisGroup> groups;
            for (const char letter : words)
                groups.push_back({std::string(1, letter), indexSize(groups), 1});
            return groups;
        };
        const auto changed = [&](const char* now, const char* before) { return changedWords(text(now), text(before)); };
        QVERIFY(changed("abcd", "abcd").empty());
        QVERIFY((changed("axcyd", "abcde") == std::vector<ChangedWord>{{1, 1}, {3, 3}, {4, 4}}));
        QVERIFY((changed("axcd", "abbcd") == std::vector<ChangedWord>{{1, {}}}));
        QVERIFY((changed("aab", "ab") == std::vector<ChangedWord>{{1, {}}}));
        QVERIFY(changed("ab", "aab").empty()); // one is not there any more
    }
};

ATTN_TEST(TestWords)
#include "tst_words.moc"
