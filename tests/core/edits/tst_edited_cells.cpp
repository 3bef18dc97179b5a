// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/attention_edits.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace attn;

namespace {

constexpr Index heads = 3;
constexpr Index rows = 5;
constexpr Index columns = 7;

MapExtent cross()
{
    return {{Stage::Cross, 1}, heads, rows, columns, true};
}

std::vector<Edit> parsed(std::initializer_list<const char*> specs)
{
    std::vector<Edit> edits;
    for (const char* spec : specs)
        edits.push_back(parseEdit(spec));
    return edits;
}

// As letters: '.' unedited, 'c' changed, 'h' hidden; a line a row.
std::string drawn(const std::vector<CellMark>& marks, Index across = columns)
{
    std::string lines;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        lines += marks[i] == CellMark::Hidden ? 'h' : marks[i] == CellMark::Changed ? 'c' : '.';
        if ((i + 1) % static_cast<std::size_t>(across) == 0)
            lines += '/';
    }
    return lines;
}

} // namespace

class TestEditedCells : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsAreMarkedAsTheyAreNamed_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<int>("head"); // -1: all of them
        QTest::addColumn<QByteArray>("marks");
        const QByteArray nothing;
        const QByteArray row("......./");
        QTest::newRow("a cell") << QByteArray("cross:1:0:2:3=zero") << 0 << row + row + "...c.../" + row + row;
        QTest::newRow("of another head") << QByteArray("cross:1:0:2:3=zero") << 1 << nothing;
        QTest::newRow("of another layer") << QByteArray("cross:0:0:2:3=zero") << 0 << nothing;
        QTest::newRow("of another stage") << QByteArray("encoder=zero") << 0 << nothing;
        QTest::newRow("outside") << QByteArray("cross:1:0:9=zero") << 0 << nothing;
        QTest::newRow("hidden columns") << QByteArray("*:*:*:*:1-2=hide") << 2 << QByteArray(".hh..../").repeated(rows);
        QTest::newRow("a token of the source")
            << QByteArray("source:6=hide") << 0 << QByteArray("......h/").repeated(rows);
        QTest::newRow("another token of it") << QByteArray("source:6=token:3") << 0 << nothing;
        QTest::newRow("rows with one of the cells")
            << QByteArray("cross:1:0:1:4=renormalize") << 0 << row + "ccccccc/" + row + row + row;
        QTest::newRow("hidden by one head of three")
            << QByteArray("cross:1:0:0:0=hide") << -1 << "c....../" + row + row + row + row;
        QTest::newRow("hidden by every head")
            << QByteArray("cross:1:0-2:0:0=hide") << -1 << "h....../" + row + row + row + row;
    }

    void cellsAreMarkedAsTheyAreNamed()
    {
        QFETCH(const QByteArray, spec);
        QFETCH(const int, head);
        QFETCH(const QByteArray, marks);
        const auto found =
            editedCells(parsed({spec.constData()}), cross(), head < 0 ? std::nullopt : std::optional(head));
        QCOMPARE(QByteArray::fromStdString(drawn(found)), marks);
    }

    void hidingIsStrongerWhateverComesLast()
    {
        for (const auto& edits :
             {parsed({"cross:1:0:0:0=hide", "cross:1=set:0.5"}), parsed({"cross:1=set:0.5", "cross:1:0:0:0=hide"})}) {
            const auto marks = editedCells(edits, cross(), 0);
            QVERIFY(marks.at(0) == CellMark::Hidden);
            QVERIFY(marks.at(1) == CellMark::Changed);
        }
    }

    void tokensOfTheSourceAreColumnsOnlyWhereColumnsAreTokens()
    {
        MapExtent ofOutput = cross();
        ofOutput.ofSource = false;
        QVERIFY(editedCells(parsed({"source:2=hide"}), ofOutput, 0).empty());
    }

    // What a run does to the cells, and what is said of them.
    void whatIsNotMarkedStaysAsItWas()
    {
        std::mt19937 generator(7);
        const auto upTo = [&generator](int most) { return std::uniform_int_distribution(0, most)(generator); };
        const auto field = [&upTo](int most) -> std::string {
            const int first = upTo(most);
            return upTo(2) == 0 ? "*"
                                : std::to_string(first) + (upTo(1) == 0 ? "" : "-" + std::to_string(first + upTo(2)));
        };
        const std::vector<std::string> whats = {"hide", "zero", "set:0.25", "scale:3", "uniform", "renormalize"};
        for (int round = 0; round < 300; ++round) {
            std::vector<Edit> edits;
            for (int i = upTo(3); i >= 0; --i)
                edits.push_back(parseEdit("cross:" + field(2) + ':' + field(heads) + ':' + field(rows) + ':'
                                          + field(columns) + '=' + whats[static_cast<std::size_t>(upTo(5))]));
            const std::vector<MapExtent> maps{cross()};
            const AttentionEdits applied(edits, maps);
            const RowEdits change = applied.rows({Stage::Cross, 1}, 0, false);
            Numbers scores = Numbers::zeros(heads, rows, columns);
            Numbers weights = scores;
            for (float& weight : weights.values)
                weight = std::uniform_real_distribution(0.1F, 1.0F)(generator);
            const Numbers before = weights;
            change.hide(scores.view());
            change.change(weights.view(), scores);
            for (Index head = 0; head < heads; ++head) {
                const auto marks = editedCells(edits, cross(), head);
                for (Index row = 0; row < rows; ++row) {
                    for (Index column = 0; column < columns; ++column) {
                        const CellMark mark = marks.empty()
                            ? CellMark::Unedited
                            : marks.at(static_cast<std::size_t>(row * columns + column));
                        QCOMPARE(mark == CellMark::Hidden, std::isinf(scores.view().at(head, row, column)));
                        const bool same = weights.view().at(head, row, column) == before.view().at(head, row, column);
                        QVERIFY(mark != CellMark::Unedited || same);
                    }
                }
            }
        }
    }

    void aThousandEditsOfWholeMapsAreNoProblem()
    {
        std::vector<Edit> edits;
        for (int i = 0; i < 1000; ++i)
            edits.push_back(parseEdit("cross=scale:0.999"));
        MapExtent large = cross();
        large.rows = large.columns = 512;
        const auto marks = editedCells(edits, large, 0);
        QCOMPARE(marks.size(), std::size_t{512} * 512);
    }
};

ATTN_TEST(TestEditedCells)
#include "tst_edited_cells.moc"
