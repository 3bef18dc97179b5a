// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/look/style.h"
#include "figures/parts/cell_marks.h"
#include "figures/parts/matrix_content.h"

#include <QImage>
#include <QSize>
#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace attn::ui {

// A matrix and what is known of all of its cells, whichever part of it is shown and how large. Figures share it.
class MatrixCells
{
public:
    // look.strong is the font that labels are measured in.
    MatrixCells(const FigureSpec& spec, MatrixContent content, const FigureStyle& look);

    const FigureSpec& spec() const { return m_spec; }
    const MatrixContent& content() const { return m_content; }
    const CellMarks& edits() const { return m_edits; }
    int rows() const { return m_content.rows(); }
    int columns() const { return m_content.columns(); }

    bool isZeroRow(int row) const { return m_zeroRows[static_cast<std::size_t>(row)]; }
    bool isBlank(int row, int column) const;
    int noNumbers() const { return m_noNumbers; }
    bool hasAbove() const { return m_hasAbove; } // the scale's end
    bool hasBelow() const { return m_hasBelow; }
    const std::vector<double>& margins(TokenSide side) const { return m_sides[at(side)].margins; } // empty: none
    // Labels as they are drawn: among many tokens those that are alike say which token each is, "the #1034".
    const QStringList& names(TokenSide side) const { return m_sides[at(side)].names; }
    double labelWidth(TokenPlace place) const // in the strong font
    {
        return m_sides[at(place.side)].widths[static_cast<std::size_t>(place.index)];
    }

    // So many rows or columns from the first one on, in so many dots, at most as many as there are cells.
    struct Span
    {
        int first = 0;
        int count = 0;
        int dots = 0;

        int startOf(int dot) const { return first + static_cast<int>(qint64{dot} * count / dots); }
    };
    // Cells that share a dot have the colour of the largest of them, or of their mean, as spec().pooling says; of what
    // is no number where one of them is none.
    QImage picture(const Span& down, const Span& across, const FigureStyle& style) const;
    // Picture of all cells; the last one is kept.
    const QImage& overview(QSize size, const FigureStyle& style) const;

private:
    static std::size_t at(TokenSide side) { return side == TokenSide::Rows ? 0 : 1; }
    void lookAtRow(int row);
    void measureMargins();
    std::optional<double> pooled(int firstRow, int endRow, int firstColumn, int endColumn) const;
    QImage plainPicture(const Span& down, const Span& across, const FigureStyle& style) const;

    FigureSpec m_spec;
    MatrixContent m_content;
    ValueScale m_scale;
    std::vector<bool> m_zeroRows;
    CellMarks m_edits;
    int m_noNumbers = 0;
    bool m_hasAbove = false;
    bool m_hasBelow = false;
    // Every cell has a number on one scale, but for those at the ends of rows that are blank and zero: where these
    // begin.
    bool m_plain = false;
    bool m_anyBlank = false;
    float m_least = 0; // of the numbers, where it is below zero
    std::vector<int> m_blankFrom;
    struct Side
    {
        std::vector<double> margins;
        QStringList names;
        std::vector<double> widths; // of the names
    };
    std::array<Side, 2> m_sides; // rows, columns
    mutable QImage m_overview;
};

} // namespace attn::ui
