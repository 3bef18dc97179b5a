// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/step_stages.h"
#include "figures/figure.h"
#include "figures/look/style.h"

#include <utility>
#include <vector>

namespace attn::ui {

// The stages of one attention step below each other: what happens, formula, shapes, and every vector as a strip of
// coloured cells. Numbers of either sign are coloured around zero, weights from 0 to 1. As high as its content.
class StagesFigure final : public Figure
{
public:
    // current: the stage that is marked; -1: none.
    StagesFigure(const FigureSpec& look, std::vector<StepStage> stages, QSizeF size, int current = -1);

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
        const StageNumbers* numbers = nullptr;
        int firstRow = 0;
        int rows = 0;
        QRectF cells;
        bool named = false; // the columns' names stand above the cells
        int perLine = 1; // cells beside each other; a long strip with names has several lines
        double pitch = 0; // from one line to the next
        bool weights = false;
        double most = 1; // largest absolute value
    };
    struct Block
    {
        const StepStage* stage = nullptr;
        QRectF header;
        QRectF text; // wrapped
        std::vector<Strip> strips;
        double bottom = 0;
    };

    Block layOutBlock(const StepStage& stage, double& top) const;
    Strip layOutStrip(const StageNumbers& numbers, double& top) const;
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
    std::vector<StepStage> m_stages;
    std::vector<Block> m_blocks;
    int m_current = -1;
    double m_nameWidth = 0;
    QSizeF m_size;
};

} // namespace attn::ui
