// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/alignment.h"
#include "figures/look/decimal.h"
#include "figures/look/style.h"
#include "figures/look/value_scale.h"
#include "maps/map.h"

#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace attn::ui {

// The two texts of an attention: what asks, a row of the matrix each, and what is looked at, a column each.
enum class TokenSide : std::uint8_t { Rows, Columns };
constexpr TokenSide opposite(TokenSide side)
{
    return side == TokenSide::Rows ? TokenSide::Columns : TokenSide::Rows;
}

struct TokenPlace
{
    TokenSide side = TokenSide::Rows;
    int index = 0; // row or column of the matrix

    friend bool operator==(const TokenPlace&, const TokenPlace&) = default;
};

// Rows and columns that come first; more than there are: all.
struct WrittenPart
{
    int rows = std::numeric_limits<int>::max();
    int columns = std::numeric_limits<int>::max();
};

// Content of a matrix of coloured cells with labelled rows and columns; attention maps and positional encodings
// are such.
struct MatrixContent
{
    Map map;
    QStringList rowLabels; // full; elided where they do not fit
    QStringList columnLabels;
    int firstGenerated = std::numeric_limits<int>::max(); // tokens from here on are labelled as generated ones
    WrittenPart written; // the rest has its room, but is not drawn yet
    bool numbered = false; // labels are numbers: thinned out to round ones
    bool numbersColumns = false; // those of the columns are, also where those of the rows are not
    FigureTitle title;
    QString rowAxis; // name of the rows: "source (query)"
    QString columnAxis;
    QString rowNote; // said of the label of a row that is pointed at: what the row is; empty: the label says it
    QStringList queries; // of each row, the tokens that ask where its label names what is written; else empty
    AttentionRole rowRole = AttentionRole::Other; // colours of these names
    AttentionRole columnRole = AttentionRole::Other;
    QString valueName; // "attention weight"
    double least = 0; // of the colour scale
    double most = 1;
    ColorScale scale = ColorScale::Linear;
    std::vector<double> rowEnds; // where rows have scales of their own: the value at the end of each; empty: they share
    QStringList scaleNotes; // said beside the colour bar
    QString moreName; // of numbers of both signs: what is above zero, and below it
    QString lessName;
    bool hasMargins = false; // may say sums and the like of its rows and columns
    bool bar = true; // a colour bar beside it; off where several share one
    std::function<QString(int row, int column)> cellText; // said of a cell; empty: its value
    std::function<QString(int row, int column)> cellLabel; // written into a cell; empty: its value
    QString blankText; // said of blank cells, which tables leave empty; empty: the row may not see them, a zero
    QString zeroRowText; // written across rows that are zeros throughout; empty: zero is a value like any other
    std::optional<int> markedRow; // the decoding step
    std::optional<int> markedColumn; // likewise, where steps are columns
    std::vector<GoldCell> links; // by hand, of its rows and columns
    QString empty; // said instead of the matrix when there is none
    QString description;

    // Scale of values, or of shares of the rows' ends.
    ValueScale valueScale() const
    {
        return rowEnds.empty() ? ValueScale(least, most, scale) : ValueScale(least < 0 ? -1 : 0, 1, scale);
    }
    // A value of the matrix as that scale takes it.
    double onScale(int row, int column) const
    {
        const double value = map.at(row, column);
        return rowEnds.empty() ? value : value / rowEnds[static_cast<std::size_t>(row)];
    }

    // A value, with its sign where there are both.
    QString decimalOf(double value, int places) const
    {
        return map.isSigned ? signedDecimal(value, places) : decimal(value, places);
    }

    // A cell as tables of numbers have it.
    QString tableText(int row, int column) const;

    bool hasColumnNumbers() const { return numbered || numbersColumns; }
    bool hasNumbers(TokenSide side) const { return side == TokenSide::Rows ? numbered : hasColumnNumbers(); }
    const MapAxis& axis(TokenSide side) const { return side == TokenSide::Rows ? map.rows : map.columns; }
    const QStringList& labels(TokenSide side) const { return side == TokenSide::Rows ? rowLabels : columnLabels; }
    const QString& axisName(TokenSide side) const { return side == TokenSide::Rows ? rowAxis : columnAxis; }
    bool isGenerated(TokenPlace place) const { return axis(place.side).textToken(place.index) >= firstGenerated; }
    // Whether a row's word is what would come next.
    bool isUnwritten(TokenPlace place) const;
    // Text behind what is said of a row: the tokens that ask; empty: its label names them.
    QString askedBy(int row) const;
    // Colour of a label: that of the step, what one of two runs has alone, what a model added, or any other.
    QColor inkOf(TokenPlace place, const ThemeColors& colors) const;
    // A hit of a label, with what is said of it.
    FigureHit hitOf(TokenPlace place, const QString& name) const;
    int rows() const { return map.numbers.rows; }
    int columns() const { return map.numbers.columns; }
};

} // namespace attn::ui
