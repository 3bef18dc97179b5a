// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/position_experiment.h"
#include "figures/parts/matrix_figure.h"
#include "laboratory/laboratory_page.h"
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
class OrderSchemes final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit OrderSchemes(const LaboratoryContext& context);

    void activate() override;
    std::optional<Exportable> exportable() const override;

private:
    // A control with its name, shown for some schemes only.
    struct Parameter
    {
        QLabel* name = nullptr;
        QWidget* control = nullptr;
        std::vector<PositionSource> sources;
    };

    void redraw() override;
    void addParameter(const QString& label, QWidget* control, const char* name, std::vector<PositionSource> sources);
    void buildParameters();
    PositionSource source() const { return static_cast<PositionSource>(m_scheme->currentIndex()); }
    SchemeSettings settings() const;
    QString formulaTitle(const SchemeSettings& chosen) const;
    QString formulaValue(const SchemeSettings& chosen) const;
    QString formulaResult(const SchemeSettings& chosen) const;
    void fitParameters();
    void compute();
    void startModel();
    void showModel();
    void show(Numbers matrix, const QString& title, const QString& value, const QString& result);
    void showNothing(const QString& why);
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
    std::shared_ptr<const ModelPositionsExperiment> m_model; // the loaded one's
    QString m_asked;
};

} // namespace attn::ui
