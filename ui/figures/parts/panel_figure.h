// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "figures/parts/exportable.h"
#include "figures/parts/matrix_figure.h"

#include <QColor>

#include <functional>
#include <memory>
#include <vector>

namespace attn::ui {

// A figure within a larger one.
struct Panel
{
    std::unique_ptr<const Figure> figure;
    QPointF origin; // of its upper left corner
};

// Several figures on one ground: hits say which panel they are in, and marks go to the panels that they mean.
class PanelFigure final : public Figure
{
public:
    // Mark of a panel when the pointer is in another; as it is when empty. Called for every panel.
    using Spread = std::function<Highlight(int panel, const Highlight& highlight)>;

    PanelFigure(std::vector<Panel> panels, QSizeF size, QColor ground, Spread spread = {});

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // the first panel's, as rows and columns
    int rows() const override { return m_panels.empty() ? 0 : panel(0).rows(); }
    int columns() const override { return m_panels.empty() ? 0 : panel(0).columns(); }
    QString description() const override;
    FigureTable table() const override; // below each other

    int panelCount() const { return indexSize(m_panels); }
    const Figure& panel(int index) const { return *m_panels.at(index).figure; }
    QRectF panelRect(int index) const;

private:
    std::vector<Panel> m_panels;
    QSizeF m_size;
    QColor m_ground;
    Spread m_spread;
};

// Figures beside each other in equally wide columns, `columns` in a row; each row is as high as its highest figure
// (natural height) or they share the height. Empty layouts are left out.
std::unique_ptr<const PanelFigure> layOutPanels(const std::vector<FigureLayout>& figures, int columns, QSizeF size,
                                                Theme theme, PanelFigure::Spread spread = {});

// A matrix of as many rows as columns, with square cells at the top of its room.
FigureLayout squareMatrix(const FigureSpec& spec, const MatrixContent& content);

} // namespace attn::ui
