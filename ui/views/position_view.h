// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/chart_canvas.h"
#include "views/figure_view.h"

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>

namespace attn::ui {

// The positional encoding of the loaded model: as a heatmap, and as curves over the positions.
class PositionView final : public QWidget
{
    Q_OBJECT

public:
    explicit PositionView(ViewContext context, QWidget* parent = nullptr);

Q_SIGNALS:
    void orderAsked(); // what the positions are good for

private:
    QWidget* nonePage();
    QPushButton* orderButton(const char* name);
    void modelChanged();
    void drawCurves();

    ViewContext m_context;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_none = nullptr; // why there is nothing to draw
    FigureView* m_figure = nullptr;
    ChartCanvas* m_curves = nullptr;
    QSpinBox* m_firstDimension = nullptr;
    QSpinBox* m_dimensionStep = nullptr;
};

} // namespace attn::ui
