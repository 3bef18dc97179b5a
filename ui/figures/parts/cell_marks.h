// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/alignment.h"
#include "edits/attention_edits.h"
#include "figures/look/style.h"

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QTransform>

#include <functional>
#include <vector>

class QPainter;

namespace attn::ui {

// A mark with its meaning, for a legend.
struct MarkSample
{
    QString name;
    std::function<void(QPainter& painter, const QRectF& box)> paint;
};
// Samples below each other.
double legendHeight(const FigureStyle& style, const std::vector<MarkSample>& samples); // 0: there are none
void paintLegend(QPainter& painter, const FigureStyle& style, QPointF corner, const std::vector<MarkSample>& samples);

// Look of edited cells in a matrix: a corner of those that were changed, dots in those that were hidden, and
// around small ones a line.
class CellMarks
{
public:
    CellMarks() = default; // none
    // One mark for each cell of the matrix, or none at all.
    CellMarks(std::vector<CellMark> marks, int rows, int columns);

    bool empty() const { return m_marks.empty(); }
    CellMark at(int row, int column) const;
    bool isHidden(int row, int column) const { return at(row, column) == CellMark::Hidden; }
    int count(CellMark mark) const;

    // The visible cells.
    struct Cells
    {
        QRectF room; // that they are painted in
        const std::vector<int>& rows;
        const std::vector<int>& columns;
        QTransform place; // from columns and rows to where they are painted
        std::function<QColor(int row, int column)> ground; // the colour of one
        std::function<bool(int row, int column)> blank; // has no mark
    };
    void paint(QPainter& painter, const FigureStyle& style, const Cells& cells) const;

    std::vector<MarkSample> legend(const FigureStyle& style) const;

private:
    void paintLarge(QPainter& painter, const FigureStyle& style, const Cells& cells) const;
    void paintSmall(QPainter& painter, const FigureStyle& style, const QTransform& place) const;

    std::vector<CellMark> m_marks;
    int m_rows = 0;
    int m_columns = 0;
    std::vector<QLineF> m_outline; // between cells of different marks, in columns and rows
};

// Words for a mark: "edited", "hidden"; empty where there is none.
QString markName(CellMark mark);
QString markNote(CellMark mark); // behind what is said of a cell: " (edited)"

// A mark in a box: the corner or the dots.
void paintMark(QPainter& painter, CellMark mark, const QRectF& box, const QColor& ink);

// The chosen row of a matrix: a line around it, and where that would hide a low row a mark at each of its ends.
void paintChosenRow(QPainter& painter, const QRectF& row, const QColor& color, double width);

// Links by hand in a matrix: a disc in cells that are linked for sure, a ring in those that may be.
void paintLink(QPainter& painter, const QRectF& box, bool sure, const QColor& ink);
std::vector<MarkSample> linkLegend(const FigureStyle& style, const std::vector<GoldCell>& links);
// Said behind what is said of a cell: " (sure link)"; empty where there is none.
QString linkNote(const std::vector<GoldCell>& links, int row, int column);

} // namespace attn::ui
