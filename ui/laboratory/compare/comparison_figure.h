// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/comparison.h"
#include "figures/parts/matrix_cells.h"
#include "figures/parts/panel_figure.h"
#include "figures/parts/text_figure.h"

#include <QByteArray>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace attn::ui {

// State of a model that has not run.
enum class NotRun : std::uint8_t { Yet, Cancelled };

// Pixels of height in which every row can have its name.
int leastHeight(const Comparison& comparison, int width);
// About how many numbers are gone through to draw it, to decide where to do it.
std::size_t drawingCost(const Comparison& comparison);

// Drawing of a comparison, whatever its size: the maps with their colours, and which of their rows are the same
// words. For large maps making it takes longer than a frame; it throws attn::Error{Cancelled} by ThreadStop.
class ComparisonPicture
{
public:
    struct Map
    {
        std::shared_ptr<const MatrixCells> cells;
        std::vector<Paragraph> text; // right below it
    };
    // For every panel, which of its rows has the word of a row in another one.
    using RowTable = std::vector<std::vector<std::vector<std::optional<int>>>>; // [from][to][row]

    ComparisonPicture(const Comparison& comparison, const FigureSpec& look, NotRun others = NotRun::Yet);

    // The maps beside each other on one colour scale, with outputs and log probabilities beneath; models without a map
    // as rows of text above. Copies no map.
    std::unique_ptr<const PanelFigure> layOut(QSizeF size) const;

private:
    FigureSpec m_look;
    double m_most = 0; // end of the colour scale
    std::vector<Map> m_maps;
    std::vector<std::vector<Paragraph>> m_rows; // of models without a map
    std::shared_ptr<const RowTable> m_matching;
};

// Difference of maps of the comparison.
std::unique_ptr<const Figure> layOutDifference(const Comparison& comparison,
                                               const std::shared_ptr<const ComparedDifference>& difference,
                                               const FigureSpec& look, QSizeF size);

// "model,output word,source word,weight", a line for every cell of every map.
QByteArray comparisonCsv(const Comparison& comparison);
QByteArray differenceCsv(const Comparison& comparison, const ComparedDifference& difference);

} // namespace attn::ui
