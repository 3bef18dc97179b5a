// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/position_schemes.h"
#include "figures/parts/matrix_figure.h"
#include "laboratory/order/order_tab.h"
#include "views/chart_canvas.h"
#include "views/figure_canvas.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include <memory>
#include <vector>

namespace attn::ui {

// What two positions alone make of a score, as a matrix and by distance: from the formula of each scheme, or from the
// loaded model.
class OrderSchemes final : public OrderTab
{
    Q_OBJECT

public:
    OrderSchemes(const LaboratoryContext& context, JobRunner& jobs);

    void activate() override;
    void restyle() override;
    std::optional<Exportable> exportable() override;

private:
    enum Scheme : int { Interleaved, Halves, Rotary, Relative, Alibi, FromModel };
    struct ModelNumbers; // the loaded model's table or scores

    // A control with its name, shown for some schemes only.
    struct Parameter
    {
        QLabel* name = nullptr;
        QWidget* control = nullptr;
        std::vector<Scheme> schemes;
    };

    void addParameter(QBoxLayout& row, const QString& label, QWidget* control, const char* name,
                      std::vector<Scheme> schemes);
    void buildParameters(QBoxLayout& row);
    Scheme scheme() const { return static_cast<Scheme>(m_scheme->currentIndex()); }
    ProductKind product() const { return m_cosine->isChecked() ? ProductKind::Cosine : ProductKind::Dot; }
    void fitParameters();
    void compute();
    void computeSinusoids();
    void computeRotary();
    void computeRelative();
    void computeAlibi();
    void startModel();
    void showModel();
    void show(AttentionMatrix matrix, const QString& title, const QString& value, const QString& result);
    void showNothing(const QString& why);
    void present();
    void drawCurve();
    bool causal() const;

    QComboBox* m_scheme = nullptr;
    QSpinBox* m_positions = nullptr;
    QSpinBox* m_width = nullptr;
    QDoubleSpinBox* m_base = nullptr;
    QSpinBox* m_buckets = nullptr;
    QSpinBox* m_farthest = nullptr;
    QSpinBox* m_heads = nullptr;
    QSpinBox* m_head = nullptr;
    QComboBox* m_stage = nullptr;
    QCheckBox* m_causal = nullptr;
    QCheckBox* m_cosine = nullptr;
    std::vector<Parameter> m_parameters;
    FigureCanvas* m_canvas = nullptr;
    ChartCanvas* m_chart = nullptr;
    MatrixContent m_content;
    std::shared_ptr<const ModelNumbers> m_model;
    QString m_asked;
};

} // namespace attn::ui
