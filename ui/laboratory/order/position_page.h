// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/position_experiment.h"
#include "figures/kinds/positions.h"
#include "figures/parts/panel_figure.h"
#include "laboratory/laboratory_page.h"
#include "views/chart_canvas.h"

namespace attn::ui {

// A quadratic matrix of positions or their dimensions with something beside it: by a formula, or of the loaded model.
template<class Experiment, class Asked>
class PositionPage : public LaboratoryPage
{
public:
    std::optional<Exportable> exportable() const override
    {
        if (m_content.map.numbers.rows == 0)
            return std::nullopt;
        const FigureLayout matrix = squareMatrix(matrixLook(), m_content);
        return shown(
            [matrix, right = beside(), theme = look().theme](QSizeF size) {
                return layOutPanels({matrix, right}, 2, size, theme);
            },
            [content = m_content] { return matrixCsv(content); });
    }

protected:
    PositionPage(const LaboratoryContext& context, const QString& title, const char* canvas, const QString& canvasName,
                 const char* chart, const QString& chartName)
        : LaboratoryPage(context, {})
        , m_canvas(makeCanvas(canvas, canvasName))
        , m_chart(new ChartCanvas)
    {
        setTitle(title);
        m_chart->setObjectName(QLatin1String(chart));
        m_chart->setAccessibleName(chartName);
    }

    // Its colours.
    virtual FigureSpec matrixLook() const { return look(); }
    // Layout beside the matrix.
    virtual FigureLayout beside() const = 0;

    static Numbers numbersOf(const Tensor& tensor)
    {
        const NumberView view = tensor.matrix();
        return {view.rows, view.columns, {tensor.values().begin(), tensor.values().end()}};
    }

    // Odd numbers can be typed.
    static void makeEven(QSpinBox& width)
    {
        const QSignalBlocker blocker(width);
        width.setValue(width.value() - width.value() % 2);
    }

    // Whose rows and columns are counted.
    void setMatrix(Numbers numbers)
    {
        m_content = {};
        for (int i = 0; i < numbers.rows; ++i)
            m_content.rowLabels << QString::number(i);
        m_content.columnLabels = m_content.rowLabels;
        m_content.numbered = true;
        m_content.map.numbers = std::move(numbers);
    }

    void forgetModel()
    {
        jobs().cancel();
        m_model = {};
    }

    void showNothing(const QString& why)
    {
        forgetModel();
        m_content = {};
        m_content.empty = m_content.description = why;
        redraw();
        say(why);
    }

    FigureCanvas* m_canvas = nullptr;
    ChartCanvas* m_chart = nullptr;
    MatrixContent m_content;
    Answered<Experiment, Asked> m_model; // of the loaded one
};

} // namespace attn::ui
