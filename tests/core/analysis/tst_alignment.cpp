// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment.h"
#include "analysis/statistics.h"

#include <QtTest>

#include <cmath>

using namespace attn;

class TestAlignment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linksWordsWithoutSpecialTokens();
    void rowsWithoutWeightHaveNoLink();
    void idsWithoutTokenizerAreWords();
    void rowStatisticsOfKnownRows();
    void rowsWithoutWeightDoNotCount();
};

namespace {

Encoding words(std::vector<std::string> tokens, std::vector<int> numbers)
{
    Encoding encoding;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        encoding.ids.push_back(static_cast<TokenId>(i));
        encoding.special.push_back(numbers[i] < 0);
    }
    encoding.tokens = std::move(tokens);
    encoding.words = std::move(numbers);
    return encoding;
}

} // namespace

void TestAlignment::linksWordsWithoutSpecialTokens()
{
    const Encoding source = words({"<lang>", "▁the", "▁hou", "se", "</s>"}, {-1, 0, 1, 1, -1});
    const Encoding target = words({"▁la", "▁mai", "son", "</s>"}, {0, 1, 1, -1});
    const AttentionMatrix matrix{4, 5, {0.0F, 0.6F, 0.1F, 0.1F, 0.2F, //
                                        0.1F, 0.3F, 0.2F, 0.3F, 0.1F, //
                                        0.1F, 0.1F, 0.2F, 0.1F, 0.5F, //
                                        0.0F, 0.0F, 0.0F, 0.1F, 0.9F}};
    const auto links = alignmentLinks(matrix, source, target);
    QCOMPARE(links.size(), std::size_t{2});
    QCOMPARE(links[0].source, 0);
    QCOMPARE(links[0].target, 0);
    QCOMPARE(links[0].weight, 0.6F);
    QCOMPARE(links[1].source, 1);
    QCOMPARE(links[1].target, 1);
    QCOMPARE(links[1].weight, 0.4F); // (0.2 + 0.3 + 0.2 + 0.1) / 2, although the end token has as much as 0.5
    QCOMPARE(pharaoh(links), std::string("0-0 1-1"));
    QCOMPARE(pharaoh({}), std::string());
}

void TestAlignment::rowsWithoutWeightHaveNoLink()
{
    const Encoding source = words({"▁a", "</s>"}, {0, -1});
    const Encoding target = words({"▁x", "▁y"}, {0, 1});
    const auto links = alignmentLinks({2, 2, {0, 1, 0.25F, 0.75F}}, source, target);
    QCOMPARE(links, (std::vector<AlignmentLink>{{0, 1, 0.25F}}));
}

void TestAlignment::idsWithoutTokenizerAreWords()
{
    Encoding ids;
    ids.ids = {5, 6};
    QCOMPARE(pharaoh(alignmentLinks({2, 2, {0.5F, 0.5F, 0.1F, 0.9F}}, ids, ids)), std::string("0-0 1-1"));
}

void TestAlignment::rowStatisticsOfKnownRows()
{
    const RowStatistics uniform = rowStatistics({2, 4, std::vector<float>(8, 0.25F)});
    QCOMPARE(uniform.rows, 2);
    QCOMPARE(uniform.meanMaximum, 0.25);
    QVERIFY(std::abs(uniform.meanEntropy - std::log(4.0)) < 1e-12);
    const RowStatistics hard = rowStatistics({2, 3, {0, 1, 0, 1, 0, 0}});
    QCOMPARE(hard.meanMaximum, 1.0);
    QCOMPARE(hard.meanEntropy, 0.0);
}

void TestAlignment::rowsWithoutWeightDoNotCount()
{
    const RowStatistics statistics = rowStatistics({2, 2, {0, 0, 1, 0}});
    QCOMPARE(statistics.rows, 1);
    QCOMPARE(statistics.meanMaximum, 1.0);
    QCOMPARE(rowStatistics({}).rows, 0);
}

QTEST_GUILESS_MAIN(TestAlignment)
#include "tst_alignment.moc"
