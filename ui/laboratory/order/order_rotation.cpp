// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order/order_rotation.h"

#include "analysis/position_schemes.h"
#include "figures/charts/rotation_figure.h"
#include "figures/export/data_export.h"
#include "figures/look/decimal.h"
#include "figures/parts/panel_figure.h"

#include <QLineSeries>
#include <QLogValueAxis>
#include <QSplitter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace attn::ui {

namespace {

constexpr int testedPositions = 128;
constexpr int fittedPositions = 256;

QStringList rotationNumbers(int count)
{
    QStringList labels;
    for (int i = 0; i < count; ++i)
        labels << QString::number(i);
    return labels;
}

MatrixContent mapContent(const Tensor& map)
{
    MatrixContent content;
    const MatrixView view = map.matrix();
    content.matrix = {view.rows, view.columns, {map.values().begin(), map.values().end()}};
    content.rowLabels = content.columnLabels = rotationNumbers(view.rows);
    content.numbered = true;
    content.rowAxis = OrderRotation::tr("dimension of PE(p + k)");
    content.columnAxis = OrderRotation::tr("dimension of PE(p)");
    content.valueName = OrderRotation::tr("value");
    double most = 0;
    for (const float value : content.matrix.values)
        most = std::max(most, std::abs(static_cast<double>(value)));
    content.most = most > 0 ? most : 1;
    content.least = -content.most;
    return content;
}

// Of the rotation in the layout that suits the table better; none when it is no sinusoidal table.
std::optional<double> formulaError(MatrixView table, int offset)
{
    constexpr double alike = 1e-4;
    if (table.columns % 2 == 1)
        return std::nullopt;
    const auto error = [&](SinusoidLayout layout) {
        return offsetError(table, offsetRotation(offset, table.columns, layout).matrix(), offset);
    };
    const double least = std::min(error(SinusoidLayout::Interleaved), error(SinusoidLayout::Halves));
    return least < alike ? std::optional(least) : std::nullopt;
}

QString restText(double part)
{
    return part < 1e-4 ? OrderRotation::tr("nothing") : percent(part);
}

} // namespace

struct OrderRotation::Fit
{
    Tensor table; // empty: the model adds no positions
    int offset = 0;
    OffsetMap map; // for the offset
    std::optional<double> formula; // largest difference of the formula's rotation, where that is what fits
    std::vector<int> offsets; // of the curve, in rising order
    std::vector<double> residuals;
    std::vector<double> unseen;
};

OrderRotation::OrderRotation(const LaboratoryContext& context, JobRunner& jobs)
    : OrderTab(context, jobs)
    , m_table(new QComboBox)
    , m_offset(new QSpinBox)
    , m_position(new QSpinBox)
    , m_width(new QSpinBox)
    , m_matrixCanvas(new FigureCanvas)
    , m_dials(new FigureCanvas)
    , m_chart(new ChartCanvas)
    , m_right(new QStackedWidget)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    auto* controls = new QHBoxLayout;
    m_table->addItems({tr("sinusoids, interleaved"), tr("sinusoids, halves"), tr("the loaded model's, fitted")});
    m_offset->setRange(0, 64);
    m_offset->setValue(3);
    m_position->setRange(0, testedPositions - 1);
    m_position->setValue(5);
    m_width->setRange(4, 128);
    m_width->setSingleStep(2);
    m_width->setValue(32);
    addNamed(*controls, tr("Po&sitions"), m_table, "rotationTable");
    addNamed(*controls, tr("Offset &k"), m_offset, "rotationOffset");
    addNamed(*controls, tr("Position &p"), m_position, "rotationPosition");
    addNamed(*controls, tr("&Width"), m_width, "rotationWidth");
    controls->addStretch(1);
    layout->addLayout(controls);
    m_matrixCanvas->setObjectName(QStringLiteral("rotationMatrix"));
    m_matrixCanvas->setAccessibleName(tr("Matrix M"));
    m_dials->setObjectName(QStringLiteral("rotationDials"));
    m_dials->setAccessibleName(tr("Dials of the frequencies"));
    m_chart->setObjectName(QStringLiteral("rotationChart"));
    m_chart->setAccessibleName(tr("What the best matrix leaves over, by offset"));
    m_right->addWidget(m_dials);
    m_right->addWidget(m_chart);
    auto* splitter = new QSplitter;
    splitter->addWidget(m_matrixCanvas);
    splitter->addWidget(m_right);
    splitter->setSizes({460, 460});
    splitter->setChildrenCollapsible(false);
    layout->addWidget(splitter, 1);
    for (FigureCanvas* canvas : {m_matrixCanvas, m_dials})
        connect(canvas, &FigureCanvas::hovered, this, [this](const FigureHit& hit) { Q_EMIT hovered(hit.text); });
    connect(m_table, &QComboBox::currentIndexChanged, this, &OrderRotation::compute);
    for (QSpinBox* box : {m_offset, m_position, m_width})
        connect(box, &QSpinBox::valueChanged, this, &OrderRotation::compute);
}

void OrderRotation::activate()
{
    const auto& model = context().document.model();
    m_table->setItemText(FromModel, model ? tr("%1's, fitted").arg(model->name) : tr("the loaded model's, fitted"));
    compute();
}

void OrderRotation::compute()
{
    const bool exact = m_table->currentIndex() != FromModel;
    m_position->setEnabled(exact);
    m_width->setEnabled(exact);
    if (!exact)
        return startFit();
    jobs().cancel();
    m_fit.reset();
    m_asked.clear();
    if (m_width->value() % 2 == 1) { // typed
        const QSignalBlocker blocker(m_width);
        m_width->setValue(m_width->value() - 1);
    }
    computeExact();
}

void OrderRotation::computeExact()
{
    const int width = m_width->value();
    const int offset = m_offset->value();
    const auto layout = m_table->currentIndex() == Interleaved ? SinusoidLayout::Interleaved : SinusoidLayout::Halves;
    const Tensor rotation = offsetRotation(offset, width, layout);
    const Tensor table = sinusoids(testedPositions + offset, width, layout);
    m_matrix = mapContent(rotation);
    m_matrix.title = {tr("M for k = %1").arg(offset), tr("a 2 × 2 rotation by kω for each of %1 pairs").arg(width / 2)};
    m_matrix.description = tr("The matrix that turns PE(p) into PE(p + %1), %2 by %2.").arg(offset).arg(width);
    m_right->setCurrentWidget(m_dials);
    present();
    say(tr("PE(p + %1) = M · PE(p) with one and the same M for every p: over %2 positions the largest difference is "
           "%3. "
           "M only turns: it does not depend on the position, and nothing grows or shrinks.")
            .arg(offset)
            .arg(testedPositions)
            .arg(orderOfMagnitude(offsetError(table.matrix(), rotation.matrix(), offset))));
}

void OrderRotation::startFit()
{
    const QString model = context().model();
    const auto& summary = context().document.model();
    if (model.isEmpty() || !summary)
        return showNothing(tr("No model is open."));
    if (summary->positions.empty())
        return showNothing(tr("%1 adds no positions to its embeddings (positions: %2).")
                               .arg(summary->name, QString::fromStdString(describe(summary->info.positions))));
    const int offset = m_offset->value();
    const QString asked = model + QLatin1Char('\n') + QString::number(offset);
    if (asked == m_asked && (m_fit || jobs().busy()))
        return m_fit ? showFit() : void();
    m_asked = asked;
    std::set<int> curve{1, 2, 4, 8, 16, 32, std::max(1, offset)};
    const auto fit = std::make_shared<Fit>();
    fit->offset = offset;
    fit->offsets.assign(curve.begin(), curve.end());
    jobs().start(
        [fit, path = model.toStdString()](JobTools& tools) {
            if (fit->table.empty()) {
                fit->table =
                    tools.models.load(path, tools.engine, {}, tools.stop)->model->positionalEncoding(fittedPositions);
                std::erase_if(fit->offsets, [&](int k) { return k + 8 > fit->table.matrix().rows; });
                fit->map = fitOffset(fit->table.matrix(), std::min(fit->offset, fit->table.matrix().rows - 1));
                fit->formula = formulaError(fit->table.matrix(), std::min(fit->offset, fit->table.matrix().rows - 1));
                return !fit->offsets.empty();
            }
            const std::size_t done = fit->residuals.size();
            const OffsetMap map = fitOffset(fit->table.matrix(), fit->offsets[done]);
            fit->residuals.push_back(map.residual);
            fit->unseen.push_back(map.unseen);
            tools.progress(tr("offset %1").arg(fit->offsets[done]),
                           static_cast<double>(done + 1) / static_cast<double>(fit->offsets.size()));
            return done + 1 < fit->offsets.size();
        },
        [this, fit] {
            m_fit = fit;
            showFit();
        });
}

void OrderRotation::showNothing(const QString& why)
{
    jobs().cancel();
    m_fit.reset();
    m_asked.clear();
    m_matrix = {};
    m_matrix.empty = m_matrix.description = why;
    present();
    m_right->setCurrentWidget(m_dials);
    m_dials->setFigure({});
    say(why);
}

void OrderRotation::showFit()
{
    const MatrixView table = m_fit->table.matrix();
    m_matrix = mapContent(m_fit->map.matrix);
    m_matrix.title = {tr("The best M for k = %1").arg(m_fit->offset),
                      tr("least squares over %1 pairs of positions").arg(table.rows - m_fit->offset)};
    m_matrix.description =
        tr("The matrix that comes closest to turning the model's row p into row p + %1.").arg(m_fit->offset);
    m_right->setCurrentWidget(m_chart);
    present();
    QString text = tr("The best matrix for k = %1 leaves %2 over; fitted without every fourth position, it leaves %3 "
                      "over at those.")
                       .arg(m_fit->offset)
                       .arg(restText(m_fit->map.residual), restText(m_fit->map.unseen));
    if (!m_fit->map.determined)
        text += QLatin1Char(' ')
            + tr("%1 pairs of positions cannot determine %2 unknowns a row, so only the second number tells.")
                  .arg(table.rows - m_fit->offset)
                  .arg(table.columns);
    if (m_fit->formula)
        text += QLatin1Char(' ')
            + tr("The formula's rotation fits these rows: the largest difference is %1.")
                  .arg(orderOfMagnitude(*m_fit->formula));
    say(text);
}

void OrderRotation::present()
{
    m_matrixCanvas->setFigure(squareMatrix(look(true), m_matrix));
    if (m_right->currentWidget() == m_dials) {
        const RotationContent content{m_position->value(), m_offset->value(), m_width->value(),
                                      rotationPairs(m_width->value())};
        m_dials->setFigure([spec = look(false), content](QSizeF size) {
            return std::make_unique<RotationFigure>(spec, content, size);
        });
        return;
    }
    auto* chart = new QChart;
    chart->setTitle(tr("What the best matrix leaves over"));
    for (const bool unseen : {false, true}) {
        auto* line = new QLineSeries;
        line->setName(unseen ? tr("at positions left out of the fit") : tr("at fitted positions"));
        line->setPointsVisible(true);
        for (std::size_t i = 0; i < m_fit->residuals.size(); ++i)
            line->append(m_fit->offsets[i], 100 * (unseen ? m_fit->unseen[i] : m_fit->residuals[i]));
        chart->addSeries(line);
    }
    auto* across = new QLogValueAxis;
    across->setBase(2);
    across->setLabelFormat(QStringLiteral("%d"));
    across->setTitleText(tr("offset k"));
    across->setRange(1, std::max(2, m_fit->offsets.empty() ? 2 : m_fit->offsets.back()));
    auto* up = new QValueAxis;
    double most = 0;
    for (const double value : m_fit->unseen)
        most = std::max(most, value);
    up->setRange(0, std::max(10.0, std::ceil(most * 10) * 10));
    up->setLabelFormat(QStringLiteral("%d %%"));
    chart->addAxis(across, Qt::AlignBottom);
    chart->addAxis(up, Qt::AlignLeft);
    for (QAbstractSeries* series : chart->series()) {
        series->attachAxis(across);
        series->attachAxis(up);
    }
    chart->legend()->setAlignment(Qt::AlignBottom);
    m_chart->show(chart, context().appearance.theme());
}

void OrderRotation::restyle()
{
    if (m_table->currentIndex() != FromModel || m_fit)
        present();
}

std::optional<Exportable> OrderRotation::exportable()
{
    if (m_matrix.matrix.rows == 0)
        return std::nullopt;
    Exportable file;
    file.title = tr("Offset as a rotation");
    file.theme = context().appearance.theme();
    const FigureLayout matrix = squareMatrix(look(true), m_matrix);
    FigureLayout right;
    if (m_right->currentWidget() == m_chart) {
        right = m_chart->layout(tr("What the best matrix leaves over, by offset."));
    } else {
        right = [spec = look(false),
                 content = RotationContent{m_position->value(), m_offset->value(), m_width->value(),
                                           rotationPairs(m_width->value())}](QSizeF size) {
            return std::make_unique<RotationFigure>(spec, content, size);
        };
    }
    file.layOut = [matrix, right, theme = file.theme](QSizeF size) {
        return layOutPanels({matrix, right}, 2, size, theme);
    };
    file.csv = [content = m_matrix] { return matrixCsv(content); };
    return file;
}

} // namespace attn::ui
