// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/run_difference.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace attn;

namespace {

using Words = std::vector<std::string>;

constexpr Pairing pairings[] = {Pairing::Automatic, Pairing::Position, Pairing::Words, Pairing::Beginning};

// Few different ones, so that texts have much in common.
Words randomWords(std::mt19937& random, int most)
{
    Words words(random() % static_cast<unsigned>(most + 1));
    for (std::string& word : words)
        word = static_cast<char>('a' + random() % 4);
    return words;
}

Numbers randomMatrix(std::mt19937& random, std::size_t rows, std::size_t columns)
{
    Numbers matrix = Numbers::zeros(1, static_cast<Index>(rows), static_cast<Index>(columns));
    for (float& value : matrix.values)
        value = static_cast<float>(random() % 1000) / 1000;
    return matrix;
}

int pairsOf(const PairedPlaces& places)
{
    return static_cast<int>(
        std::count_if(places.begin(), places.end(), [](const auto& place) { return place.isPaired(); }));
}

// Each place of both once, in its order.
bool isWhole(const PairedPlaces& places, std::size_t here, std::size_t there)
{
    Index nextHere = 0;
    Index nextThere = 0;
    for (const PairedPlace& place : places) {
        if ((place.here && place.here != nextHere++) || (place.there && place.there != nextThere++)
            || (!place.here && !place.there))
            return false;
    }
    return nextHere == static_cast<Index>(here) && nextThere == static_cast<Index>(there);
}

// Levenshtein's distance, row by row.
int distanceOf(const Words& a, const Words& b)
{
    std::vector<int> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
}

int costOf(const PairedPlaces& places, const Words& here, const Words& there)
{
    return static_cast<int>(std::count_if(places.begin(), places.end(), [&](const PairedPlace& place) {
        return !place.isPaired()
            || here[static_cast<std::size_t>(*place.here)] != there[static_cast<std::size_t>(*place.there)];
    }));
}

PairedPlaces swapped(PairedPlaces places)
{
    for (PairedPlace& place : places)
        std::swap(place.here, place.there);
    return places;
}

} // namespace

// What two runs have in common and where they part, without a model.
class TestRunDifference : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPlaceStandsOnceInItsOrder()
    {
        std::mt19937 random(1);
        for (int round = 0; round < 300; ++round) {
            const Words a = randomWords(random, 9);
            const Words b = randomWords(random, 9);
            for (const Pairing pairing : pairings)
                QVERIFY(isWhole(pairPlaces(a, b, pairing), a.size(), b.size()));
            QVERIFY(isWhole(alignOutputs(a, b), a.size(), b.size()));
        }
    }

    void whatIsTheSameIsPairedPlaceByPlace()
    {
        std::mt19937 random(2);
        for (int round = 0; round < 50; ++round) {
            const Words a = randomWords(random, 12);
            for (const Pairing pairing : pairings) {
                const PairedPlaces places = pairPlaces(a, a, pairing);
                QCOMPARE(pairsOf(places), static_cast<int>(a.size()));
                QVERIFY(
                    std::all_of(places.begin(), places.end(), [](const auto& one) { return one.here == one.there; }));
            }
        }
    }

    void byWordEqualOnesAreInTheirOrder()
    {
        const Words a{"le", "chat", "noir", "dort", "."};
        const Words b{"un", "chat", "dort", "le", "."};
        const PairedPlaces places = pairPlaces(a, b, Pairing::Words);
        PairedPlaces pairs;
        std::copy_if(places.begin(), places.end(), std::back_inserter(pairs),
                     [](const auto& one) { return one.isPaired(); });
        QCOMPARE(pairs, (PairedPlaces{{1, 1}, {3, 2}, {4, 4}}));
        QCOMPARE(pairsOf(pairPlaces(a, Words{"x"}, Pairing::Words)), 0);
        QCOMPARE(pairsOf(pairPlaces(a, {}, Pairing::Words)), 0);
    }

    void byPositionWhateverStandsThere()
    {
        const PairedPlaces places = pairPlaces(Words{"a", "b", "c"}, Words{"x", "a"}, Pairing::Position);
        QCOMPARE(places, (PairedPlaces{{0, 0}, {1, 1}, {2, {}}}));
    }

    void theBeginningEndsWhereTheyPart()
    {
        const PairedPlaces places =
            pairPlaces(Words{"a", "b", "c", "d"}, Words{"a", "b", "x", "d"}, Pairing::Beginning);
        QCOMPARE(places, (PairedPlaces{{0, 0}, {1, 1}, {2, {}}, {3, {}}, {{}, 2}, {{}, 3}}));
    }

    void outputsAreAlignedWithAsFewDifferencesAsThereCanBe()
    {
        std::mt19937 random(3);
        for (int round = 0; round < 300; ++round) {
            const Words a = randomWords(random, 10);
            const Words b = randomWords(random, 10);
            QCOMPARE(costOf(alignOutputs(a, b), a, b), distanceOf(a, b));
        }
        QCOMPARE(alignOutputs(Words{"the", "cat", "sat"}, Words{"the", "dog", "sat", "down"}),
                 (PairedPlaces{{0, 0}, {1, 1}, {2, 2}, {{}, 3}}));
        QCOMPARE(pairPlaces(Words{"the", "cat"}, Words{"the", "dog"}, Pairing::Automatic),
                 (PairedPlaces{{0, 0}, {1, 1}}));
    }

    void longTextsWithNothingInCommonStayWhole()
    {
        Words a(3000, "a");
        Words b(3000, "b");
        a.front() = b.front() = "first";
        a.back() = b.back() = "last";
        for (const auto& places : {pairPlaces(a, b, Pairing::Words), alignOutputs(a, b)})
            QVERIFY(isWhole(places, a.size(), b.size()) && places.front().isPaired() && places.back().isPaired());
        QCOMPARE(pairsOf(pairPlaces(a, b, Pairing::Words)), 2);
    }

    void aRunAgainstItselfIsZero()
    {
        std::mt19937 random(4);
        const Words rows = randomWords(random, 8);
        const Words columns{"s", "t", "u"};
        const Numbers matrix = randomMatrix(random, rows.size(), columns.size());
        for (const Pairing pairing : pairings) {
            const PairedPlaces rowPairs = pairPlaces(rows, rows, pairing);
            const PairedPlaces columnPairs = pairPlaces(columns, columns, pairing);
            const Numbers difference = matrixDifference(matrix, matrix, rowPairs, columnPairs);
            QCOMPARE(difference.rows, matrix.rows);
            QVERIFY(std::all_of(difference.values.begin(), difference.values.end(), [](float v) { return v == 0; }));
            QCOMPARE(meanVariation(difference, rowPairs, columnPairs), 0.0);
        }
    }

    void swappingTheRunsChangesTheSign()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 100; ++round) {
            const Words rowsA = randomWords(random, 7);
            const Words rowsB = randomWords(random, 7);
            const Words columnsA = randomWords(random, 5);
            const Words columnsB = randomWords(random, 5);
            const Numbers a = randomMatrix(random, rowsA.size(), columnsA.size());
            const Numbers b = randomMatrix(random, rowsB.size(), columnsB.size());
            for (const Pairing pairing : pairings) {
                const PairedPlaces rows = pairPlaces(rowsA, rowsB, pairing);
                const PairedPlaces columns = pairPlaces(columnsA, columnsB, pairing);
                const Numbers forth = matrixDifference(a, b, rows, columns);
                const Numbers back = matrixDifference(b, a, swapped(rows), swapped(columns));
                for (std::size_t i = 0; i < forth.values.size(); ++i)
                    QVERIFY(forth.values[i] == -back.values[i]
                            || (std::isnan(forth.values[i]) && std::isnan(back.values[i])));
            }
        }
    }

    void whatHasNoPartnerIsNoNumber()
    {
        const Numbers a{2, 2, {1, 0, 0.5F, 0.5F}};
        const Numbers b{3, 2, {0, 1, 0.25F, 0.75F, 1, 0}};
        const PairedPlaces columns{{0, 0}, {1, 1}};
        const PairedPlaces rows{{0, 0}, {1, 1}, {{}, 2}};
        const Numbers difference = matrixDifference(a, b, rows, columns);
        QCOMPARE(std::vector<float>(difference.values.begin(), difference.values.begin() + 4),
                 (std::vector<float>{1, -1, 0.25F, -0.25F}));
        QVERIFY(std::isnan(difference.at(2, 0)) && std::isnan(difference.at(2, 1)));
        QCOMPARE(meanVariation(difference, rows, columns), 0.625);
        QCOMPARE(meanVariation({}, {}, {}), 0.0);
        const Numbers lone = matrixDifference(a, b, PairedPlaces{{0, 0}}, PairedPlaces{{0, 0}, {1, {}}});
        QVERIFY(lone.at(0, 0) == 1 && std::isnan(lone.at(0, 1)));
    }

    // What both have counts, though it is no number; what one has alone does not.
    void noMeanOfWhatIsNoNumber()
    {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        const PairedPlaces rows{{0, 0}, {1, 1}};
        const PairedPlaces columns{{0, 0}, {1, {}}};
        const Numbers there{2, 1, {0.25F, 0.5F}};
        for (const float weight : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
            const Numbers alone = matrixDifference({2, 2, {0.5F, weight, 0.5F, 0}}, there, rows, columns);
            QCOMPARE(meanVariation(alone, rows, columns), 0.0625);
            const Numbers both = matrixDifference({2, 2, {weight, 0, 0.5F, 0}}, there, rows, columns);
            QVERIFY(std::isnan(both.at(0, 0)));
            QVERIFY(std::isnan(meanVariation(both, rows, columns)));
        }
    }

    void candidatesWithoutProbabilitiesComeLast()
    {
        const double nan = std::nan("");
        const std::vector<NamedProbability> here{{"a", nan}, {"b", 0.1}, {"c", nan}, {"d", 0.9}, {"e", 0.3}};
        const auto changes = probabilityChanges(here, {});
        std::string order;
        for (const ProbabilityChange& change : changes)
            order += change.name;
        QCOMPARE(order, std::string("debac"));
    }

    void thoseOfOneNameArePairedInOrder()
    {
        const std::vector<NamedProbability> here{{"a", 0.1, false}, {"a", 0.2, true}};
        const std::vector<NamedProbability> there{{"a", 0.5, false}, {"a", 0.2, false}, {"a", 0.4, true}};
        const auto changes = probabilityChanges(here, there);
        QCOMPARE(changes.size(), std::size_t{3});
        QCOMPARE(changes[0].here, std::optional(0.1));
        QCOMPARE(changes[0].there, std::optional(0.5));
        QVERIFY(!changes[1].here && changes[1].takenThere);
    }

    // As many as a classifier may have labels.
    void manyCandidatesArePairedAtOnce()
    {
        constexpr int count = 100'000;
        std::vector<NamedProbability> here;
        for (int i = 0; i < count; ++i)
            here.push_back({"label " + std::to_string(i), 1.0 / count, i == 0});
        std::vector<NamedProbability> there(here.rbegin(), here.rend());
        const auto changes = probabilityChanges(here, there);
        QCOMPARE(changes.size(), here.size());
        QVERIFY(std::ranges::all_of(changes, [](const ProbabilityChange& one) { return one.rise() == 0; }));
    }

    void candidatesRoseAndFell()
    {
        const std::vector<NamedProbability> here{{"le", 0.5, true}, {"un", 0.3, false}, {"ce", 0.1, false}};
        const std::vector<NamedProbability> there{{"un", 0.6, true}, {"le", 0.2, false}, {"la", 0.05, false}};
        const auto changes = probabilityChanges(here, there);
        QCOMPARE(changes.size(), std::size_t{4});
        for (std::size_t i = 1; i < changes.size(); ++i)
            QVERIFY(std::abs(changes[i - 1].rise()) >= std::abs(changes[i].rise()));
        const auto named = [&](const char* name) {
            return *std::find_if(changes.begin(), changes.end(), [name](const auto& one) { return one.name == name; });
        };
        QVERIFY(named("le").rise() > 0 && named("le").takenHere && !named("le").takenThere);
        QVERIFY(named("un").rise() < 0 && named("un").takenThere);
        QVERIFY(named("ce").here && !named("ce").there);
        QVERIFY(!named("la").here && named("la").there);
    }
};

ATTN_TEST(TestRunDifference)

#include "tst_run_difference.moc"
