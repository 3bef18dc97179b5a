// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/positions.h"
#include "figures/look/attention_formulas.h"
#include "state/strings.h"
#include "views/chart_canvas.h"
#include "views/figure_view.h"
#include "views/formula_label.h"

#include <QChart>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr int leastHeight = 70; // of the matrix and of the curves, on a small screen
constexpr int leastWithFormula = 760; // width of the view
constexpr int curveCount = 5;
constexpr int mostIntervals = 8; // between the ticks of the positions

// The positional encoding of the loaded model: as a heatmap, and as curves over the positions.
class PositionView final : public QWidget
{
    Q_DECLARE_TR_FUNCTIONS(attn::ui::PositionView)

public:
    explicit PositionView(const ViewContext& context)
        : m_context(context)
        , m_pages(new QStackedWidget)
        , m_none(plainLabel())
        , m_figure(new FigureView(positionsKind, context))
        , m_curves(new ChartCanvas)
        , m_firstDimension(new QSpinBox)
        , m_dimensionStep(new QSpinBox)
    {
        setObjectName(QStringLiteral("positionView"));
        m_none->setAlignment(Qt::AlignCenter);
        m_none->setWordWrap(true);
        m_none->setObjectName(QStringLiteral("noPositions"));
        m_figure->setObjectName(QStringLiteral("positionFigure"));
        m_figure->setAccessibleName(tr("Positional encoding, positions by dimensions"));
        m_curves->setObjectName(QStringLiteral("positionCurves"));
        m_curves->setAccessibleName(tr("Positional encoding as curves over the positions"));
        m_figure->setMinimumHeight(leastHeight);
        m_curves->setMinimumHeight(leastHeight);
        m_firstDimension->setObjectName(QStringLiteral("firstDimension"));
        m_firstDimension->setAccessibleName(tr("First dimension shown as a curve"));
        m_dimensionStep->setAccessibleName(tr("Distance between the dimensions shown as curves"));

        auto* controls = new QHBoxLayout;
        controls->setContentsMargins(8, 4, 8, 0);
        controls->setSpacing(8);
        controls->addWidget(plainLabel(tr("Curves of %1 dimensions from").arg(curveCount)));
        controls->addWidget(m_firstDimension);
        controls->addWidget(plainLabel(tr("every")));
        controls->addWidget(m_dimensionStep);
        controls->addStretch();
        controls->addWidget(m_formula = new FormulaLabel);
        controls->addStretch();
        controls->addWidget(orderButton("askOrder"));
        auto* lower = new QWidget;
        auto* lowerLayout = new QVBoxLayout(lower);
        lowerLayout->setContentsMargins(0, 0, 0, 0);
        lowerLayout->addLayout(controls);
        lowerLayout->addWidget(m_curves, 1);
        auto* splitter = new QSplitter(Qt::Vertical);
        splitter->addWidget(m_figure);
        splitter->addWidget(lower);
        splitter->setStretchFactor(0, 1);
        splitter->setStretchFactor(1, 1);
        m_pages->addWidget(nonePage());
        m_pages->addWidget(splitter);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_pages);

        connect(&m_context.study, &Study::modelChanged, this, &PositionView::modelChanged);
        connect(&m_context.appearance, &Appearance::changed, this, &PositionView::drawCurves);
        connect(m_firstDimension, &QSpinBox::valueChanged, this, &PositionView::drawCurves);
        connect(m_dimensionStep, &QSpinBox::valueChanged, this, &PositionView::drawCurves);
        modelChanged();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        showFormula();
        QWidget::resizeEvent(event);
    }

private:
    QPushButton* orderButton(const char* name)
    {
        auto* ask = new QPushButton(tr("Does order matter?"));
        ask->setObjectName(QLatin1String(name));
        ask->setToolTip(tr("Opens the laboratory: shuffle the words, with and without positions"));
        connect(ask, &QPushButton::clicked, m_figure, &FigureView::orderAsked);
        return ask;
    }

    QWidget* nonePage()
    {
        auto* page = new QWidget;
        auto* layout = new QVBoxLayout(page);
        layout->addStretch();
        layout->addWidget(m_none);
        layout->addWidget(m_noneFormula = new FormulaLabel, 0, Qt::AlignHCenter);
        layout->addWidget(orderButton("askOrderAnyway"), 0, Qt::AlignHCenter);
        layout->addStretch();
        return page;
    }

    // Beside the controls as long as it has room there.
    void showFormula() { m_formula->setVisible(m_hasFormula && width() >= leastWithFormula); }

    void modelChanged()
    {
        const auto& model = m_context.study.model();
        const Formula formula = model ? formulas::ofScheme(model->info.positions.scheme) : Formula();
        for (FormulaLabel* label : {m_formula, m_noneFormula})
            label->setFormula(formula);
        m_noneFormula->setVisible(!formula.empty());
        m_hasFormula = !formula.empty();
        showFormula();
        if (!model || model->positions.empty()) {
            m_none->setText(!model ? tr("An archive does not say how its model encodes positions.")
                                   : model->name + QLatin1Char(' ') + otherPositions(model->info.positions)
                                    + tr(". The laboratory shows how much the order matters to it."));
            m_pages->setCurrentIndex(0);
            return;
        }
        const int width = static_cast<int>(model->positions.dim(1));
        const QSignalBlocker first(m_firstDimension);
        const QSignalBlocker step(m_dimensionStep);
        m_firstDimension->setRange(0, width - 1);
        m_dimensionStep->setRange(1, std::max(1, width / 2));
        m_dimensionStep->setValue(std::max(1, width / 32));
        m_pages->setCurrentIndex(1);
        drawCurves();
    }

    void drawCurves()
    {
        const auto& model = m_context.study.model();
        if (!model || model->positions.empty())
            return;
        const Tensor& positions = model->positions;
        const auto rows = static_cast<int>(positions.dim(0));
        const auto width = static_cast<int>(positions.dim(1));
        auto* chart = new QChart;
        double least = 0;
        double most = 0;
        for (int i = 0; i < curveCount; ++i) {
            const int dimension = m_firstDimension->value() + i * m_dimensionStep->value();
            if (dimension >= width)
                break;
            QList<QPointF> points;
            for (int position = 0; position < rows; ++position) {
                const auto value =
                    static_cast<double>(positions.matrix().row(position)[static_cast<std::size_t>(dimension)]);
                points.append({static_cast<double>(position), value});
                least = std::min(least, value);
                most = std::max(most, value);
            }
            addLine(*chart, tr("dimension %1").arg(dimension), points);
        }
        auto* across = new QValueAxis;
        across->setTitleText(tr("position"));
        across->setLabelFormat(QStringLiteral("%d"));
        across->setRange(0, rows);
        across->setTickType(QValueAxis::TicksDynamic);
        const int interval = (rows + mostIntervals - 1) / mostIntervals;
        across->setTickInterval(interval);
        setAxes(*chart, across, roundAxis(least, most));
        chart->legend()->setAlignment(Qt::AlignRight);
        m_curves->show(chart, m_context.appearance.theme());
    }

    ViewContext m_context;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_none = nullptr; // why there is nothing to draw
    FigureView* m_figure = nullptr;
    ChartCanvas* m_curves = nullptr;
    bool m_hasFormula = false;
    FormulaLabel* m_formula = nullptr; // how the positions are made
    FormulaLabel* m_noneFormula = nullptr; // likewise, where there is nothing to draw
    QSpinBox* m_firstDimension = nullptr;
    QSpinBox* m_dimensionStep = nullptr;
};

} // namespace

QWidget* makePositionView(const ViewContext& context)
{
    return new PositionView(context);
}

} // namespace attn::ui
