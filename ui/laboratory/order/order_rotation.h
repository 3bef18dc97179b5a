// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/position_experiment.h"
#include "figures/parts/matrix_figure.h"
#include "laboratory/laboratory_page.h"
#include "views/chart_canvas.h"
#include "views/figure_canvas.h"

#include <QComboBox>
#include <QSpinBox>
#include <QStackedWidget>

#include <memory>

namespace attn::ui {

// PE(p + k) = M PE(p): the matrix of an offset, exact for sinusoids, fitted to the loaded model's positions.
class OrderRotation final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit OrderRotation(const LaboratoryContext& context);

    void activate() override;
    std::optional<Exportable> exportable() const override;

private:
    enum Table : int { Interleaved, Halves, FromModel };

    void redraw() override;
    void compute();
    void computeExact();
    void startFit();
    void showFit();
    void showNothing(const QString& why);
    FigureLayout dials() const;
    void drawCurve();

    QComboBox* m_table = nullptr;
    QSpinBox* m_offset = nullptr;
    QSpinBox* m_position = nullptr;
    QSpinBox* m_width = nullptr;
    FigureCanvas* m_matrixCanvas = nullptr;
    FigureCanvas* m_dials = nullptr;
    ChartCanvas* m_chart = nullptr;
    QStackedWidget* m_right = nullptr;
    MatrixContent m_matrix;
    std::shared_ptr<const OffsetExperiment> m_fit; // of the loaded model's table
    QString m_asked;
};

} // namespace attn::ui
