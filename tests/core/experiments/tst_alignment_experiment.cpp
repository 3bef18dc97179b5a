// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "experiments/alignment_experiment.h"
#include "support/test_program.h"
#include "workplace.h"

#include <algorithm>

using namespace attn;
using test::asked;
using test::Workplace;

namespace {

AlignmentPairs somePairs()
{
    return parseAlignmentPairs({"pairs.tsv", {"s4 s5 s6\tt4 t5", "", "s7 s8\tt6 t7 t8"}},
                               NamedLines{"gold.txt", {"0-0 1?1", "", "0-0 1-1 1-2"}}, 0);
}

std::vector<AlignedBy> everything(const ModelInfo& info)
{
    std::vector<AlignedBy> sites = crossSites(info, TokenRow::Predicting);
    std::ranges::copy(crossSites(info, TokenRow::Reading), std::back_inserter(sites));
    std::ranges::copy(alignedReadings(info, TokenRow::Predicting), std::back_inserter(sites));
    return sites;
}

AlignmentResult aligned(Workplace& place, const std::string& model, const AlignmentPairs& pairs)
{
    AlignmentExperiment experiment({asked(model, {}), [&pairs] { return pairs; }, everything});
    carryOut(experiment, place.bench());
    return experiment.result();
}

} // namespace

class TestAlignmentExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySiteHasTheLinksOfItsWeights()
    {
        Workplace place;
        const std::string path = place.model(test::transformerModel);
        const AlignmentPairs pairs = somePairs();
        const AlignmentResult result = aligned(place, path, pairs);
        QCOMPARE(result.done.size(), std::size_t{3});
        QCOMPARE(result.failed, std::size_t{0});
        const auto model = place.load(path);
        std::vector<AlignmentScore> scores(result.by.size());
        for (std::size_t pair = 0; pair < 3; ++pair) {
            if (pair == 1) { // without words
                QVERIFY(result.done[1]->by[0].links.empty());
                continue;
            }
            Question question = asked(path, pairs.pairs[pair].source);
            question.targetText = pairs.pairs[pair].reference;
            const Trace trace = answer(question, *model, place.engine);
            const Encoding target = model->tokenizers.target->encode(pairs.pairs[pair].reference);
            for (std::size_t site = 0; site < result.by.size(); ++site) {
                const auto* const choice = std::get_if<SiteChoice>(&result.by[site].site);
                if (choice == nullptr)
                    continue;
                const auto links = wordLinks(readWeights(trace, *choice), trace.source(), target, result.by[site].row);
                QCOMPARE(result.done[pair]->by[site].links, pharaoh(links));
                scores[site].add(links, pairs.gold[pair]);
                QCOMPARE(result.scores[site].found >= scores[site].found, true);
            }
        }
        for (std::size_t site = 0; site < 8; ++site) // one layer: two heads, mean and maximum, at both steps
            QCOMPARE(result.scores[site].errorRate(), scores[site].errorRate());
        for (const double confidence : result.confidences)
            QVERIFY(confidence >= 0);
        const std::size_t best = result.best().value();
        for (std::size_t site = 0; site < result.by.size(); ++site)
            QVERIFY(!result.absent[site].empty() || result.scores[best].errorRate() <= result.scores[site].errorRate());
    }

    void readingsThatAModelLacksAreNamed()
    {
        Workplace place;
        const AlignmentResult result = aligned(place, place.model(test::recurrentModel), somePairs());
        QCOMPARE(result.failed, std::size_t{0});
        bool hasNorms = false;
        for (std::size_t site = 0; site < result.by.size(); ++site) {
            const std::string name = result.by[site].name();
            hasNorms = hasNorms || (name == "norms:0:0" && result.absent[site].empty());
            if (name == "lrp" || name == "rollout" || name == "value_zeroing:0")
                QVERIFY2(!result.absent[site].empty(), name.c_str());
        }
        QVERIFY(hasNorms);
    }

    void aPairThatIsRefusedLeavesTheOthers()
    {
        Workplace place;
        AlignmentPairs pairs = somePairs();
        for (int i = 0; i < 100; ++i)
            pairs.pairs[0].source += " s4";
        const AlignmentResult result = aligned(place, place.model(test::transformerModel), pairs);
        QCOMPARE(result.failed, std::size_t{1});
        QVERIFY(result.problem.starts_with("line 1: "));
        QVERIFY(!result.done[0]->problem.empty() && result.done[0]->by[0].links.empty());
        QCOMPARE(result.done[0]->by[0].score.sure, std::int64_t{1}); // which was not found
        QVERIFY(!result.done[2]->by[0].links.empty());
    }

    void whatAlignsNothingIsRefused()
    {
        Workplace place;
        const AlignmentPairs pairs = somePairs();
        QVERIFY_THROWS_EXCEPTION(Error, aligned(place, place.model(test::blindModel), pairs));
    }

    void whatIsWrongWithAFileNamesTheLine_data()
    {
        test::addColumns<QStringList, QStringList, QString>("pairs", "gold", "where");
        const QString good = QStringLiteral("a b\tc");
        const auto line = [](const char* text) { return QStringList{QString::fromLatin1(text)}; };
        QTest::newRow("no tab") << QStringList{good, QStringLiteral("a b")} << QStringList()
                                << QStringLiteral("pairs.tsv line 2");
        QTest::newRow("two tabs") << line("a\tb\tc") << QStringList() << QStringLiteral("pairs.tsv line 1");
        QTest::newRow("nothing") << QStringList() << QStringList() << QStringLiteral("pairs.tsv");
        QTest::newRow("too few") << QStringList{good, good} << line("0-0") << QStringLiteral("gold.txt");
        QTest::newRow("beyond the words")
            << QStringList{good, good} << QStringList{QStringLiteral("0-0"), QStringLiteral("0-1")}
            << QStringLiteral("gold.txt line 2");
        QTest::newRow("no link") << QStringList{good} << line("0+0") << QStringLiteral("gold.txt line 1");
    }
    void whatIsWrongWithAFileNamesTheLine()
    {
        QFETCH(QStringList, pairs);
        QFETCH(QStringList, gold);
        QFETCH(QString, where);
        const auto linesOf = [](const QStringList& lines) {
            std::vector<std::string> texts;
            for (const QString& line : lines)
                texts.push_back(line.toStdString());
            return texts;
        };
        try {
            parseAlignmentPairs({"pairs.tsv", linesOf(pairs)},
                                gold.isEmpty() ? std::nullopt : std::optional(NamedLines{"gold.txt", linesOf(gold)}),
                                0);
            QFAIL("it is taken");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.where()), where);
        }
    }
};

ATTN_TEST(TestAlignmentExperiment)
#include "tst_alignment_experiment.moc"
