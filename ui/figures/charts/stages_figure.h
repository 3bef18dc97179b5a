// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"

#include <QStringList>

#include <utility>
#include <vector>

namespace attn::ui {

// Numbers with a name: one vector, or several below each other.
struct StageStrip
{
    QString name;
    int rows = 1;
    int columns = 0;
    std::vector<float> values; // [rows, columns]
    QStringList rowNames; // empty: the rows have none
    QStringList columnNames; // empty: the columns are features, counted from 0
    int marked = -1; // row, or of a single vector with named columns the column, that is being looked at
    bool weights = false; // 0 .. 1; others are coloured around zero
};

// One stage of a computation: what happens, as a formula, and with which numbers.
struct StageContent
{
    QString title;
    QString formula;
    QString shape; // "[9] → [9]"
    QString text; // a sentence
    std::vector<StageStrip> strips; // inputs first, the result last
};

// The stages of one attention step below each other: what happens, formula, shapes, and every vector as a strip of
// coloured cells. Numbers of either sign are coloured around zero, weights from 0 to 1. As high as its content.
class StagesFigure final : public Figure
{
public:
    // current: the stage that is marked; -1: none.
    StagesFigure(const FigureSpec& look, std::vector<StageContent> stages, QSizeF size, int current = -1);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    // A cell's name and value; `column` is the key's number where the cells stand for keys.
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int, int) const override { return {}; }
    int rows() const override { return 0; }
    int columns() const override { return 0; }
    QString description() const override;

    QRectF stageRect(int stage) const;
    // Where one of a stage's numbers is painted.
    QRectF numberRect(int stage, int numbers, int row, int column) const;
    // The rows of a stage's matrix that have their names beside them.
    std::vector<int> namedRows(int stage, int numbers) const;

private:
    // Numbers as laid out; of many rows only those around the marked one.
    struct Strip
    {
        const StageStrip* numbers = nullptr;
        int firstRow = 0;
        int rows = 0;
        QRectF cells;
        bool named = false; // the columns' names stand above the cells
        int perLine = 1; // cells beside each other; a long strip with names has several lines
        double pitch = 0; // from one line to the next
        double most = 1; // largest absolute value
    };
    struct Block
    {
        const StageContent* stage = nullptr;
        QRectF header;
        QRectF text; // wrapped
        std::vector<Strip> strips;
        double bottom = 0;
    };

    Block layOutBlock(const StageContent& stage, double& top) const;
    Strip layOutStrip(const StageStrip& numbers, double& top) const;
    QRectF cellOf(const Strip& strip, int row, int column) const;
    int lines(const Strip& strip) const { return (strip.numbers->columns + strip.perLine - 1) / strip.perLine; }
    // Row and column of the cell at a point; -1: none.
    std::pair<int, int> cellAt(const Strip& strip, QPointF point) const;
    FigureHit hitOf(const Strip& strip, int row, int column) const;
    QColor colorOf(const Strip& strip, float value) const;
    void paintBlock(QPainter& painter, const Block& block) const;
    void paintStrip(QPainter& painter, const Strip& strip) const;
    void paintCells(QPainter& painter, const Strip& strip) const;
    void paintNames(QPainter& painter, const Strip& strip) const;
    std::vector<int> namedRows(const Strip& strip) const;
    void paintValues(QPainter& painter, const Strip& strip) const;

    FigureSpec m_look;
    FigureStyle m_style;
    std::vector<StageContent> m_stages;
    std::vector<Block> m_blocks;
    int m_current = -1;
    double m_nameWidth = 0;
    QSizeF m_size;
};

} // namespace attn::ui
