// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/embedding_space.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attn;

namespace {

// Points and their plane as NumPy's singular value decomposition gives it.
const Tensor cloud({5, 4}, {1, 2, 3, 4, 2, 1, 0, 1, 0, 1, 1, 0, 3, 3, 1, 2, 1, 0, 0, 5});
const std::vector<double> planeOfCloud{1.79639127,  1.36205124,  -1.48655281, -0.5904129, -2.27905031,
                                       -0.94057726, -0.61555138, 1.84505201,  2.58476323, -1.6761131};

bool near(float a, double b)
{
    return std::abs(static_cast<double>(a) - b) < 1e-5;
}

} // namespace

class TestEmbeddingSpace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neighboursComeByCosine()
    {
        const Tensor table({5, 2}, {10, 0, 1, 1, 0, 0.1F, -3, 0, 0, 0});
        const auto found = nearestRows(table.matrix(), std::vector<float>{2, 1}, 3);
        QCOMPARE(found.size(), std::size_t{3});
        QCOMPARE(found[0].row, 1);
        QVERIFY(near(found[0].cosine, 3 / std::sqrt(10.0)));
        QCOMPARE(found[1].row, 0);
        QVERIFY(near(found[1].cosine, 2 / std::sqrt(5.0)));
        QCOMPARE(found[2].row, 2);
    }

    void rowsOfZerosHaveNoNeighbours()
    {
        const Tensor table({3, 2}, {0, 0, 1, 0, 2, 0});
        QCOMPARE(nearestRows(table.matrix(), std::vector<float>{1, 0}, 9).size(), std::size_t{2});
        QCOMPARE(nearestRows(table.matrix(), std::vector<float>{1, 0}, 9)[0].row, 1); // the first of equals
        QVERIFY(nearestRows(table.matrix(), std::vector<float>{0, 0}, 9).empty());
        QVERIFY(nearestRows(table.matrix(), std::vector<float>{1, 0}, 0).empty());
    }

    void rowsWithoutNumbersAreNoNeighbours()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const Tensor table({4, 2}, {1, 1, nan, 0, std::numeric_limits<float>::infinity(), 1, 2, 0});
        const auto found = nearestRows(table.matrix(), std::vector<float>{1, 0}, 9);
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].row, 3);
        QVERIFY(nearestRows(table.matrix(), std::vector<float>{nan, 0}, 9).empty());
    }

    void thePlaneIsThatOfThePrincipalComponents()
    {
        const Plane plane = principalPlane(cloud.matrix());
        for (std::size_t i = 0; i < planeOfCloud.size(); ++i)
            QVERIFY2(near(plane.points.values()[i], planeOfCloud[i]), qPrintable(QString::number(i)));
        QVERIFY(std::abs(plane.explained[0] - 0.52651296) < 1e-6);
        QVERIFY(std::abs(plane.explained[1] - 0.27684609) < 1e-6);
    }

    void whatHoldsNoNumbersHasNoPlace()
    {
        Tensor lost({7, 4});
        std::copy_n(cloud.values().begin(), 8, lost.data() + 4);
        std::copy_n(cloud.values().begin() + 8, 12, lost.data() + 16);
        lost.data()[2] = std::numeric_limits<float>::quiet_NaN();
        lost.data()[15] = std::numeric_limits<float>::infinity();
        Plane plane = principalPlane(lost.matrix());
        const Plane whole = principalPlane(cloud.matrix());
        const auto isAsBefore = [&] {
            for (int row = 0; row < 5; ++row) {
                const int place = row < 2 ? row + 1 : row + 2;
                for (const std::size_t axis : {0, 1}) {
                    if (!near(plane.points.matrix().row(place)[axis],
                              static_cast<double>(whole.points.matrix().row(row)[axis])))
                        return false;
                }
            }
            return std::isnan(plane.points.matrix().row(0)[0]) && std::isnan(plane.points.matrix().row(3)[1]);
        };
        QVERIFY(isAsBefore());
        QCOMPARE(plane.explained[0], whole.explained[0]);
        QVERIFY(std::abs(explainedBy(plane, 0) - plane.explained[0]) < 1e-6);
        Plane turned = plane;
        for (int row = 0; row < 7; ++row)
            std::swap(turned.points.data()[2 * row], turned.points.data()[2 * row + 1]);
        std::swap(plane, turned);
        alignPlane(plane, turned);
        QVERIFY(isAsBefore());
        const Plane none = principalPlane(Tensor({1, 2}, {std::numeric_limits<float>::quiet_NaN(), 1}).matrix());
        QVERIFY(std::isnan(none.points.values()[0]));
        QCOMPARE(none.explained[0], 0.0);
        QCOMPARE(explainedBy(none, 0), 0.0);
    }

    void aLineNeedsOneAxis()
    {
        const Tensor line({4, 3}, {0, 0, 0, 1, 2, 2, 2, 4, 4, 4, 8, 8});
        const Plane plane = principalPlane(line.matrix());
        QVERIFY(std::abs(plane.explained[0] - 1) < 1e-9);
        QVERIFY(std::abs(plane.points.values()[7]) < 1e-5F);
        QVERIFY(near(plane.points.values()[6] - plane.points.values()[0], 12));
    }

    void oneOrEqualPointsLieAtTheOrigin()
    {
        const Plane one = principalPlane(Tensor({1, 3}, {1, 2, 3}).matrix());
        QCOMPARE(one.points.values()[0], 0.0F);
        const Plane equal = principalPlane(Tensor({3, 1}, {7, 7, 7}).matrix());
        QCOMPARE(equal.explained[0], 0.0);
        QCOMPARE(equal.points.values()[4], 0.0F);
    }

    void aTurnedPlaneIsTurnedBack()
    {
        const Plane first = principalPlane(cloud.matrix());
        Plane second = first;
        for (int row = 0; row < 5; ++row) {
            float* point = second.points.data() + std::ptrdiff_t{row} * 2;
            const float x = point[0];
            point[0] = 0.6F * x + 0.8F * point[1]; // turned and mirrored
            point[1] = 0.8F * x - 0.6F * point[1];
        }
        alignPlane(second, first);
        for (std::size_t i = 0; i < 10; ++i)
            QVERIFY(near(second.points.values()[i], static_cast<double>(first.points.values()[i])));
        Plane other = principalPlane(Tensor({1, 2}, {1, 2}).matrix());
        alignPlane(other, first); // another number of words: left alone
        QCOMPARE(other.points.dim(0), 1);
    }
};

ATTN_TEST(TestEmbeddingSpace)

#include "tst_embedding_space.moc"
