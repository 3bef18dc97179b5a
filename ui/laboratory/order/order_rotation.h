// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/matrix_figure.h"
#include "laboratory/order/order_tab.h"
#include "views/chart_canvas.h"
#include "views/figure_canvas.h"

#include <QComboBox>
#include <QSpinBox>
#include <QStackedWidget>

#include <memory>

namespace attn::ui {

// PE(p + k) = M PE(p): the matrix of an offset, exact for sinusoids, fitted to the loaded model's positions.
class OrderRotation final : public OrderTab
{
    Q_OBJECT

public:
    OrderRotation(const LaboratoryContext& context, JobRunner& jobs);

    void activate() override;
    void restyle() override;
    std::optional<Exportable> exportable() override;

private:
    enum Table : int { Interleaved, Halves, FromModel };
    struct Fit; // of the loaded model's table

    void compute();
    void computeExact();
    void startFit();
    void showFit();
    void showNothing(const QString& why);
    void present();

    QComboBox* m_table = nullptr;
    QSpinBox* m_offset = nullptr;
    QSpinBox* m_position = nullptr;
    QSpinBox* m_width = nullptr;
    FigureCanvas* m_matrixCanvas = nullptr;
    FigureCanvas* m_dials = nullptr;
    ChartCanvas* m_chart = nullptr;
    QStackedWidget* m_right = nullptr;
    MatrixContent m_matrix;
    std::shared_ptr<const Fit> m_fit;
    QString m_asked;
};

} // namespace attn::ui
