// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment.h"
#include "base/error.h"
#include "support/test_program.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

using namespace attn;

namespace {

struct Token
{
    const char* piece;
    ByteSpan span;
    bool special = false;
};

Encoding encoded(const char* text, const std::vector<Token>& tokens)
{
    Encoding encoding;
    encoding.text = text;
    for (const Token& token : tokens) {
        encoding.ids.push_back(static_cast<TokenId>(encoding.ids.size()));
        encoding.tokens.emplace_back(token.piece);
        encoding.spans.push_back(token.span);
        encoding.special.push_back(token.special);
        encoding.words.push_back(token.special ? -1 : static_cast<int>(encoding.words.size())); // the tokenizer's own
    }
    return encoding;
}

} // namespace

class TestAlignment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linksWordsWithoutSpecialTokens()
    {
        const Encoding source = encoded(">>fr<< the house",
                                        {{">>fr<<", {0, 6}, true},
                                         {"▁the", {6, 10}},
                                         {"▁hou", {10, 14}},
                                         {"se", {14, 16}},
                                         {"</s>", {16, 16}, true}});
        const Encoding target =
            encoded("la maison", {{"▁la", {0, 2}}, {"▁mai", {2, 6}}, {"son", {6, 9}}, {"</s>", {9, 9}, true}});
        const Numbers matrix{4, 5, {0.0F, 0.6F, 0.1F, 0.1F, 0.2F, //
                                    0.1F, 0.3F, 0.2F, 0.3F, 0.1F, //
                                    0.1F, 0.1F, 0.2F, 0.1F, 0.5F, //
                                    0.0F, 0.0F, 0.0F, 0.1F, 0.9F}};
        const auto links = wordLinks(matrix, source, target);
        QCOMPARE(links.size(), std::size_t{2});
        QCOMPARE(links[0], (AlignmentLink{1, 0, 0.6F})); // the language code is a word of the text, though never linked
        // (0.2 + 0.3 + 0.2 + 0.1) / 2, although the end token has as much as 0.5
        QCOMPARE(links[1], (AlignmentLink{2, 1, 0.4F}));
        QCOMPARE(pharaoh(links), std::string("1-0 2-1"));
        QCOMPARE(pharaoh({}), std::string());
    }

    void wordsAreWhatBlanksSeparate()
    {
        // The full stop is a word of the tokenizer's own.
        const Encoding source =
            encoded("I am\there.", {{"▁I", {0, 1}}, {"▁am", {1, 4}}, {"▁here", {4, 9}}, {".", {9, 10}}});
        QCOMPARE(blankSeparatedWords(source), (std::vector<int>{0, 1, 2, 2}));
        const Numbers matrix{4,
                             4,
                             {0.9F, 0.1F, 0.0F, 0.0F, //
                              0.1F, 0.4F, 0.3F, 0.2F, //
                              0.0F, 0.3F, 0.6F, 0.1F, //
                              0.0F, 0.8F, 0.1F, 0.1F}};
        QCOMPARE(pharaoh(wordLinks(matrix, source, source)), std::string("0-0 2-1 1-2"));
    }

    void tokensOfBlanksBelongToTheNextWord()
    {
        const Encoding encoding = encoded(" a  bc d \n",
                                          {{"▁", {0, 0}},
                                           {"▁", {0, 1}},
                                           {"a", {1, 2}},
                                           {"▁▁", {2, 4}},
                                           {"b", {4, 5}},
                                           {"<0x63>", {5, 6}},
                                           {"<0x00>", {6, 6}},
                                           {"▁d", {6, 8}},
                                           {"▁", {8, 10}}});
        QCOMPARE(blankSeparatedWords(encoding), (std::vector<int>{0, 0, 0, 1, 1, 1, 1, 2, -1}));
    }

    void theFirstOfEqualWordsIsLinked()
    {
        const Encoding three = encoded("a b c", {{"a", {0, 1}}, {"b", {2, 3}}, {"c", {4, 5}}});
        const Numbers matrix{3, 3, {0.25F, 0.5F, 0.5F, 0.0F, 0.0F, 0.0F, 0.5F, 0.25F, 0.5F}};
        QCOMPARE(pharaoh(wordLinks(matrix, three, three)), std::string("1-0 0-2"));
    }

    void rowsWithoutWeightHaveNoLink()
    {
        const Encoding source = encoded("a", {{"▁a", {0, 1}}, {"</s>", {1, 1}, true}});
        const Encoding target = encoded("x y", {{"▁x", {0, 1}}, {"▁y", {1, 3}}});
        const auto links = wordLinks({2, 2, {0, 1, 0.25F, 0.75F}}, source, target);
        QCOMPARE(links, (std::vector<AlignmentLink>{{0, 1, 0.25F}}));
    }

    void idsWithoutTokenizerAreWords()
    {
        Encoding ids;
        ids.ids = {5, 6};
        QCOMPARE(pharaoh(wordLinks({2, 2, {0.5F, 0.5F, 0.1F, 0.9F}}, ids, ids)), std::string("0-0 1-1"));
        QVERIFY(wordLinks({}, {}, {}).empty());
    }

    void everyRowHasItsLargestColumn()
    {
        QCOMPARE(strongestLinks({3, 2, {0.5F, 0.5F, 0, 0, 0.125F, 0.25F}}),
                 (std::vector<AlignmentLink>{{0, 0, 0.5F}, {1, 2, 0.25F}}));
    }

    void whatIsNoNumberIsNotLinked()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float infinity = std::numeric_limits<float>::infinity();
        const Numbers matrix{3, 3, {nan, 0.2F, 0.7F, infinity, 0.3F, nan, nan, nan, infinity}};
        QCOMPARE(strongestLinks(matrix), (std::vector<AlignmentLink>{{2, 0, 0.7F}, {1, 1, 0.3F}}));
    }

    void aTokenCanBeReadFromWhereTheDecoderReadsIt()
    {
        const Encoding ids = plainEncoding({1, 2, 3});
        const Numbers matrix{3, 3, {1, 0, 0, 0, 0, 1, 0, 1, 0}};
        QCOMPARE(pharaoh(wordLinks(matrix, ids, ids)), std::string("0-0 2-1 1-2"));
        QCOMPARE(pharaoh(wordLinks(matrix, ids, ids, TokenRow::Reading)),
                 std::string("2-0 1-1")); // the last has no row
    }

    void errorsAreCountedAsInTheContract()
    {
        AlignmentScore score;
        score.add({{0, 0, 1}, {1, 1, 1}, {2, 2, 1}}, parseGoldLinks("0-0 1?1", 3, 3, 0, "gold"));
        QVERIFY(std::abs(score.precision() - 2.0 / 3) < 1e-9);
        QCOMPARE(score.recall(), std::optional(1.0));
        QCOMPARE(score.errorRate(), 0.25);
        score.add({}, parseGoldLinks("2-2", 3, 3, 0, "gold")); // over a corpus: |A| 3, |S| 2
        QCOMPARE(score.recall(), std::optional(0.5));
        QVERIFY(std::abs(score.errorRate() - (1 - 3.0 / 5)) < 1e-9);
    }

    void aCorpusWithoutLinksHasItsNumbers()
    {
        AlignmentScore score;
        QCOMPARE(score.precision(), 0.0);
        QCOMPARE(score.errorRate(), 1.0);
        QVERIFY(!score.recall());
        score.add({{0, 0, 1}, {1, 0, 1}}, parseGoldLinks("0?0", 2, 1, 0, "gold"));
        QVERIFY(!score.recall()); // nothing is sure
        QCOMPARE(score.errorRate(), 0.5);
        AlignmentScore missed;
        missed.add({}, parseGoldLinks("0-0", 2, 1, 0, "gold"));
        QCOMPARE(missed.recall(), std::optional(0.0));
        QCOMPARE(missed.errorRate(), 1.0);
    }

    void goldLinksAreRead()
    {
        const GoldLinks links = parseGoldLinks(" 1-1 2?1  2?1 1?1 3?2", 3, 2, 1, "gold");
        QCOMPARE(links.sure, (std::set<std::pair<int, int>>{{0, 0}})); // both markers: sure
        QCOMPARE(links.possible, (std::set<std::pair<int, int>>{{0, 0}, {1, 0}, {2, 1}}));
    }

    void goldLinksBeyondTheWordsAreRefused()
    {
        for (const char* text : {"3-0", "0-2", "0", "a-0", "0-", "-1-0", "0--1"})
            QVERIFY_EXCEPTION_THROWN(parseGoldLinks(text, 3, 2, 0, "gold"), Error);
        QVERIFY_EXCEPTION_THROWN(parseGoldLinks("0-1", 3, 2, 1, "gold"), Error);
    }

    // Worked out by hand from FORMATS 7a.6: two target words by three source words.
    void measuresAreThoseOfTheContract()
    {
        const Numbers words{2, 3, {0.5F, 0.5F, 0, 1, 0, 0}};
        const AlignmentMeasures measures = alignmentMeasures(words, strongestLinks(words));
        const auto close = [](double a, double b) { return std::abs(a - b) < 1e-6; };
        QVERIFY(close(measures.confidence, 0.75));
        QVERIFY(close(measures.coverage, -(std::log(1.25) + std::log(1.25) + std::log(2.0)) / 3)); // sums 1.5, 0.5, 0
        QVERIFY(close(measures.absentOut, std::log(0.5) / 2));
        const double column = (1 / 3.0) * std::log(1 / 3.0) + (2 / 3.0) * std::log(2 / 3.0);
        QVERIFY(close(measures.absentIn, column / 2));
        QVERIFY(close(measures.score(), measures.coverage + measures.absentOut + measures.absentIn));
        QCOMPARE(measures.absent, 2); // both link to the first
        QCOMPARE(measures.repeated, 1);

        // One word on one word is the best that there is.
        const Numbers sure{2, 2, {1, 0, 0, 1}};
        QCOMPARE(alignmentMeasures(sure, strongestLinks(sure)).score(), 0.0);
        QCOMPARE(alignmentMeasures({}, {}).confidence, 0.0);
    }

    void goldLinksMarkTheCellsOfTheirTokens()
    {
        const Encoding source = encoded("a bc", {{"a", {0, 1}}, {"b", {2, 3}}, {"c", {3, 4}}, {"</s>", {4, 4}, true}});
        const Encoding target = encoded("d e", {{"d", {0, 1}}, {"e", {2, 3}}});
        const GoldTexts gold{"a  bc", "d e", parseGoldLinks("0-0 1?1", 2, 2, 0, "gold")};
        std::vector<std::tuple<Index, Index, bool>> cells;
        for (const GoldCell& cell : goldCells(gold, target, source))
            cells.emplace_back(cell.row, cell.column, cell.sure);
        QCOMPARE(cells, (std::vector<std::tuple<Index, Index, bool>>{{0, 0, true}, {1, 1, false}, {1, 2, false}}));
        QVERIFY(goldCells({"a bd", "d e", gold.links}, target, source).empty()); // another text
    }
};

ATTN_TEST(TestAlignment)
#include "tst_alignment.moc"
