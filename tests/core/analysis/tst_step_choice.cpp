// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/output_change.h"
#include "analysis/words.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>

using namespace attn;

namespace {

constexpr TokenId unknownToken = 1;

Trace::Path pathOf(const std::vector<std::vector<double>>& probabilities)
{
    Trace::Path path;
    for (const auto& step : probabilities) {
        auto made = std::make_shared<TraceStep>();
        for (const double probability : step)
            made->step.candidates.push_back({0, static_cast<float>(std::log(probability))});
        path.push_back(std::move(made));
    }
    return path;
}

} // namespace

// Which step a run is first looked at in, and what of its text the model could not read.
class TestStepChoice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theStepOfLargestEntropyIsChosen()
    {
        QCOMPARE(mostUncertainStep(pathOf({{0.9, 0.1}, {0.4, 0.3, 0.3}, {0.5, 0.5}, {1.0}})), 1);
        QCOMPARE(mostUncertainStep(pathOf({{0.6, 0.4}, {0.6, 0.4}})), 0); // the first on ties
        QCOMPARE(mostUncertainStep(pathOf({{0.99}, {0.3}})), 1); // what is left over counts
    }

    void stepsWithoutProbabilitiesArePassedOver()
    {
        const double nan = std::nan("");
        QCOMPARE(mostUncertainStep(pathOf({{0.9, 0.1}, {0.5, 0.4, nan}, {0.8, 0.2}})), 2);
        QCOMPARE(mostUncertainStep(pathOf({{nan}, {0.9, 0.1}})), 1);
        QCOMPARE(mostUncertainStep(pathOf({{0.9, 0.1}, {0.5, 0.5, 0.0}})), 1); // the impossible is a number
    }

    void withoutCandidatesItIsTheFirst()
    {
        QCOMPARE(mostUncertainStep({}), 0);
        QCOMPARE(mostUncertainStep(pathOf({{}, {}})), 0);
    }

    void unknownWordsAreNamedWithTheirPieces()
    {
        Encoding text;
        text.text = "a zebra, a zebra z";
        text.ids = {5, 6, 1, 7, 5, 6, 1, 1, 3};
        text.tokens = {"\u2581a", "\u2581ze", "<unk>", ",", "\u2581a", "\u2581ze", "<unk>", "<unk>", "</s>"};
        text.spans = {{0, 1}, {1, 4}, {4, 7}, {7, 8}, {8, 10}, {10, 13}, {13, 16}, {16, 18}, {18, 18}};
        text.words = {0, 1, 1, 2, 3, 4, 4, 5, -1};
        const auto words = unknownWords(text, unknownToken);
        QCOMPARE(words.size(), std::size_t{2}); // each once
        QCOMPARE(words[0].text, std::string("zebra"));
        QCOMPARE(words[0].pieces, (std::vector<std::string>{"\u2581ze", "<unk>"}));
        QCOMPARE(words[1].text, std::string("z"));
        QVERIFY(unknownWords(text, 99).empty());
    }

    void idsWithoutATextHaveNoWords()
    {
        Encoding ids;
        ids.ids = {1, 1};
        QVERIFY(unknownWords(ids, unknownToken).empty());
    }
};

ATTN_TEST(TestStepChoice)

#include "tst_step_choice.moc"
