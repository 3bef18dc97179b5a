// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/grounding.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace attn;

namespace {

// A special token before four quarters of a picture.
Encoding quarters()
{
    const float none = std::nanf("");
    Encoding source;
    source.ids = {noTokenId, 0, 1, 2, 3};
    source.boxes = {
        {none, none, none, none}, {0, 0, 0.5F, 0.5F}, {0.5F, 0, 1, 0.5F}, {0, 0.5F, 0.5F, 1}, {0.5F, 0.5F, 1, 1}};
    return source;
}

void compareNumbers(double found, double expected)
{
    QVERIFY2(std::abs(found - expected) < 1e-6, qPrintable(QString::number(found)));
}

} // namespace

class TestGrounding : public QObject
{
    Q_OBJECT

private slots:
    void overlappingBoxesCountOnce()
    {
        const PictureBox place{0, 0, 1, 1};
        const PictureBox boxes[] = {{0, 0, 0.5F, 1}, {0.25F, 0, 0.75F, 1}, {2, 2, 3, 3}};
        compareNumbers(coveredShare(place, boxes), 0.75);
        compareNumbers(coveredShare(place, {}), 0);
    }

    void weightsInsideAndOutside()
    {
        const PictureBox left{0, 0, 0.5F, 0.75F}; // the first quarter, and half of the third
        const std::vector<float> weights{0.2F, 0.1F, 0.3F, 0.4F, 0};
        const Grounding found = groundingOf(weights, quarters(), std::span(&left, 1));
        compareNumbers(found.special, 0.2);
        compareNumbers(found.inside, (0.1 + 0.4 / 2) / 0.8);
        compareNumbers(found.uniform, 1.5 / 4);
        compareNumbers(found.hit, 0); // the centre of the third quarter lies on the edge
    }

    void theFirstOfEqualsIsTheLargest()
    {
        const PictureBox right{0.5F, 0, 1, 1};
        const std::vector<float> weights{0, 0, 0.5F, 0.5F, 0};
        compareNumbers(groundingOf(weights, quarters(), std::span(&right, 1)).hit, 1);
    }

    void aRowWithoutWeightOnPlacesIsNowhere()
    {
        const PictureBox all{0, 0, 1, 1};
        const Grounding found = groundingOf(std::vector<float>{1, 0, 0, 0, 0}, quarters(), std::span(&all, 1));
        compareNumbers(found.inside, 0);
        compareNumbers(found.hit, 0);
        compareNumbers(found.special, 1);
        compareNumbers(found.uniform, 1);
    }

    void tokensBelongToTheWordOfTheirFirstLetter()
    {
        Encoding tokens;
        tokens.text = "a  red box";
        tokens.ids = {5, 6, 7, 8, 9, 1};
        tokens.spans = {{0, 1}, {1, 3}, {3, 5}, {5, 6}, {6, 10}, {10, 10}};
        tokens.special = {false, false, false, false, false, true};
        QCOMPARE(blankWords(tokens), (std::vector<int>{0, 1, 1, 1, 2, noWord}));
    }
};

ATTN_TEST(TestGrounding)

#include "tst_grounding.moc"
