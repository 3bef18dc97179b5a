// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order/order_rotation.h"

#include "figures/charts/rotation_figure.h"
#include "figures/kinds/kinds.h"
#include "figures/look/decimal.h"
#include "figures/parts/panel_figure.h"

#include <QLogValueAxis>
#include <QSplitter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <optional>

namespace attn::ui {

namespace {

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
    const NumberView view = map.matrix();
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

QString restText(double part)
{
    return part < 1e-4 ? OrderRotation::tr("nothing") : percent(part);
}

} // namespace

OrderRotation::OrderRotation(const LaboratoryContext& context)
    : LaboratoryPage(context, {})
    , m_table(new QComboBox)
    , m_offset(new QSpinBox)
    , m_position(new QSpinBox)
    , m_width(new QSpinBox)
    , m_matrixCanvas(makeCanvas("rotationMatrix", tr("Matrix M")))
    , m_dials(makeCanvas("rotationDials", tr("Dials of the frequencies")))
    , m_chart(new ChartCanvas)
    , m_right(new QStackedWidget)
{
    m_table->addItems({tr("sinusoids, interleaved"), tr("sinusoids, halves"), tr("the loaded model's, fitted")});
    m_offset->setRange(0, 64);
    m_offset->setValue(3);
    m_position->setRange(0, ExactOffset::positions - 1);
    m_position->setValue(5);
    m_width->setRange(4, 128);
    m_width->setSingleStep(2);
    m_width->setValue(32);
    addControl(tr("Po&sitions"), m_table, "rotationTable");
    addControl(tr("Offset &k"), m_offset, "rotationOffset");
    addControl(tr("Position &p"), m_position, "rotationPosition");
    addControl(tr("&Width"), m_width, "rotationWidth");
    controls().addStretch(1);
    m_chart->setObjectName(QStringLiteral("rotationChart"));
    m_chart->setAccessibleName(tr("What the best matrix leaves over, by offset"));
    m_right->addWidget(m_dials);
    m_right->addWidget(m_chart);
    auto* splitter = new QSplitter;
    splitter->addWidget(m_matrixCanvas);
    splitter->addWidget(m_right);
    splitter->setSizes({460, 460});
    splitter->setChildrenCollapsible(false);
    setContent(splitter);
    connect(m_table, &QComboBox::currentIndexChanged, this, &OrderRotation::compute);
    for (QSpinBox* box : {m_offset, m_position, m_width})
        connect(box, &QSpinBox::valueChanged, this, &OrderRotation::compute);
}

void OrderRotation::activate()
{
    const auto& model = context().study.model();
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
    const ExactOffset exact = exactOffset(offset, width, layout);
    m_matrix = mapContent(exact.matrix);
    m_matrix.title = {tr("M for k = %1").arg(offset), tr("a 2 × 2 rotation by kω for each of %1 pairs").arg(width / 2)};
    m_matrix.description = tr("The matrix that turns PE(p) into PE(p + %1), %2 by %2.").arg(offset).arg(width);
    m_right->setCurrentWidget(m_dials);
    redraw();
    say(tr("PE(p + %1) = M · PE(p) with one and the same M for every p: over %2 positions the largest difference is "
           "%3. "
           "M only turns: it does not depend on the position, and nothing grows or shrinks.")
            .arg(offset)
            .arg(ExactOffset::positions)
            .arg(orderOfMagnitude(exact.error)));
}

void OrderRotation::startFit()
{
    const QString model = context().model();
    const auto& summary = context().study.model();
    if (model.isEmpty() || !summary)
        return showNothing(tr("No model is open."));
    if (summary->positions.empty())
        return showNothing(tr("%1 adds no positions to its embeddings (positions: %2).")
                               .arg(summary->name, positionsText(summary->info.positions)));
    const int offset = m_offset->value();
    const QString asked = model + QLatin1Char('\n') + QString::number(offset);
    if (asked == m_asked && (m_fit || jobs().busy()))
        return m_fit ? showFit() : void();
    m_asked = asked;
    carryOut(jobs(), OffsetExperiment(model.toStdString(), offset),
             [this](std::shared_ptr<const OffsetExperiment> fit) {
                 m_fit = std::move(fit);
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
    m_right->setCurrentWidget(m_dials);
    redraw();
    m_dials->setFigure({});
    say(why);
}

void OrderRotation::showFit()
{
    const NumberView table = m_fit->table().matrix();
    m_matrix = mapContent(m_fit->map().matrix);
    m_matrix.title = {tr("The best M for k = %1").arg(m_fit->offset()),
                      tr("least squares over %1 pairs of positions").arg(table.rows - m_fit->offset())};
    m_matrix.description =
        tr("The matrix that comes closest to turning the model's row p into row p + %1.").arg(m_fit->offset());
    m_right->setCurrentWidget(m_chart);
    redraw();
    QString text = tr("The best matrix for k = %1 leaves %2 over; fitted without every fourth position, it leaves %3 "
                      "over at those.")
                       .arg(m_fit->offset())
                       .arg(restText(m_fit->map().residual), restText(m_fit->map().unseen));
    if (!m_fit->map().determined)
        text += QLatin1Char(' ')
            + tr("%1 pairs of positions cannot determine %2 unknowns a row, so only the second number tells.")
                  .arg(table.rows - m_fit->offset())
                  .arg(table.columns);
    if (m_fit->formulaError())
        text += QLatin1Char(' ')
            + tr("The formula's rotation fits these rows: the largest difference is %1.")
                  .arg(orderOfMagnitude(*m_fit->formulaError()));
    say(text);
}

FigureLayout OrderRotation::dials() const
{
    const RotationContent content{m_position->value(), m_offset->value(), m_width->value(),
                                  rotationPairs(m_width->value())};
    return [spec = look(), content](QSizeF size) { return rotationFigure(spec, content, size); };
}

void OrderRotation::redraw()
{
    m_matrixCanvas->setFigure(squareMatrix(lookAroundZero(), m_matrix));
    if (m_fit && m_right->currentWidget() == m_chart)
        drawCurve();
    else if (m_matrix.matrix.rows > 0)
        m_dials->setFigure(dials());
}

void OrderRotation::drawCurve()
{
    auto* chart = new QChart;
    chart->setTitle(tr("What the best matrix leaves over"));
    QList<QPointF> fitted;
    QList<QPointF> unseen;
    double most = 0;
    for (std::size_t i = 0; i < m_fit->curve().size(); ++i) {
        const double offset = m_fit->offsets()[i];
        fitted.append({offset, 100 * m_fit->curve()[i].residual});
        unseen.append({offset, 100 * m_fit->curve()[i].unseen});
        most = std::max(most, m_fit->curve()[i].unseen);
    }
    addLine(*chart, tr("at fitted positions"), fitted, true);
    addLine(*chart, tr("at positions left out of the fit"), unseen, true);
    auto* across = new QLogValueAxis;
    across->setBase(2);
    across->setLabelFormat(QStringLiteral("%d"));
    across->setTitleText(tr("offset k"));
    across->setRange(1, std::max(2, m_fit->offsets().empty() ? 2 : m_fit->offsets().back()));
    auto* up = new QValueAxis;
    up->setRange(0, std::max(10.0, std::ceil(most * 10) * 10));
    up->setLabelFormat(QStringLiteral("%d %%"));
    setAxes(*chart, across, up);
    chart->legend()->setAlignment(Qt::AlignBottom);
    m_chart->show(chart, context().appearance.theme());
}

std::optional<Exportable> OrderRotation::exportable() const
{
    if (m_matrix.matrix.rows == 0)
        return std::nullopt;
    Exportable file;
    file.title = tr("Offset as a rotation");
    file.theme = context().appearance.theme();
    const FigureLayout matrix = squareMatrix(lookAroundZero(), m_matrix);
    const FigureLayout right = m_right->currentWidget() == m_chart
        ? m_chart->layout(tr("What the best matrix leaves over, by offset."))
        : dials();
    file.layOut = [matrix, right, theme = file.theme](QSizeF size) {
        return layOutPanels({matrix, right}, 2, size, theme);
    };
    file.csv = [content = m_matrix] { return matrixCsv(content); };
    return file;
}

} // namespace attn::ui
