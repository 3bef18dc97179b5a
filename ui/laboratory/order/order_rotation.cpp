// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/rotation_figure.h"
#include "figures/look/attention_formulas.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "laboratory/order/position_page.h"
#include "maps/map_range.h"
#include "state/strings.h"

#include <QLogValueAxis>
#include <QStackedWidget>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

// PE(p + k) = M PE(p): the matrix of an offset, exact for sinusoids, fitted to the loaded model's positions.
class OrderRotation final : public PositionPage<OffsetExperiment, std::pair<QString, int>>
{
    Q_DECLARE_TR_FUNCTIONS(OrderRotation)

public:
    explicit OrderRotation(const LaboratoryContext& context)
        : PositionPage(context, tr("Offset as a rotation"), "rotationMatrix", tr("Matrix M"), "rotationChart",
                       tr("What the best matrix leaves over, by offset"))
        , m_dials(makeCanvas("rotationDials", tr("Dials of the frequencies")))
        , m_right(new QStackedWidget)
    {
        m_table = addChoice({"rotationTable", tr("Po&sitions")},
                            {{"interleaved", tr("sinusoids, interleaved")},
                             {"halves", tr("sinusoids, halves")},
                             {"model", tr("the loaded model's, fitted")}});
        m_offset = addNumber({"rotationOffset", tr("Offset &k")}, 0, 64, 3);
        m_position = addNumber({"rotationPosition", tr("Position &p")}, 0, ExactOffset::positions - 1, 5);
        m_width = addNumber({"rotationWidth", tr("&Width", "of vectors")}, 4, 128, 32, 2);
        m_right->addWidget(m_dials);
        m_right->addWidget(m_chart);
        setContent(split(Qt::Horizontal, {{m_canvas, 460}, {m_right, 460}}));
        onChange({m_table, m_offset, m_position, m_width}, [this] { compute(); });
    }

    void activate() override
    {
        m_table->setItemText(FromModel,
                             model() ? tr("%1's, fitted").arg(model()->name) : tr("the loaded model's, fitted"));
        compute();
    }

private:
    enum Table : int { Interleaved, Halves, FromModel };

    FigureSpec matrixLook() const override
    {
        FigureSpec spec = look();
        spec.colorMap = divergingColors();
        return spec;
    }

    bool fitted() const { return m_right->currentWidget() == m_chart; }

    void compute()
    {
        const bool exact = m_table->currentIndex() != FromModel;
        m_position->setEnabled(exact);
        m_width->setEnabled(exact);
        if (!exact)
            return fit();
        forgetModel();
        makeEven(*m_width);
        computeExact();
    }

    void showMatrix(const Tensor& map, const FigureTitle& title, const QString& description)
    {
        setMatrix(numbersOf(map));
        m_content.rowAxis = tr("dimension of PE(p + k)");
        m_content.columnAxis = tr("dimension of PE(p)");
        m_content.valueName = tr("value");
        m_content.most = largestMagnitude(m_content.map.numbers.values);
        m_content.least = -m_content.most;
        m_content.title = title;
        m_content.description = description;
        m_right->setCurrentWidget(m_model.result ? static_cast<QWidget*>(m_chart) : m_dials);
        redraw();
    }

    void computeExact()
    {
        const int width = m_width->value();
        const int offset = m_offset->value();
        const auto layout =
            m_table->currentIndex() == Interleaved ? SinusoidLayout::Interleaved : SinusoidLayout::Halves;
        const ExactOffset exact = exactOffset(offset, width, layout);
        showMatrix(exact.matrix,
                   {tr("M for k = %1").arg(offset), tr("a 2 × 2 rotation by kω for each of %1 pairs").arg(width / 2)},
                   tr("The matrix that turns PE(p) into PE(p + %1), %2 by %2.").arg(offset).arg(width));
        say(tr("k = %1: one and the same M for every position p; over %2 positions the largest difference is %3. M "
               "only "
               "turns: it does not depend on the position, and nothing grows or shrinks.")
                .arg(offset)
                .arg(ExactOffset::positions)
                .arg(orderOfMagnitude(exact.error)),
            formulas::offsetMatrix());
    }

    void fit()
    {
        const bool adds = model() && !model()->positions.empty();
        if (!adds) {
            m_right->setCurrentWidget(m_dials);
            showNothing(!model() ? tr("No model is open.")
                                 : tr("%1 adds no positions to its embeddings (positions: %2).")
                                       .arg(model()->name, text(positionsText(model()->info.positions, inWords))));
            return m_dials->setFigure({});
        }
        const int offset = m_offset->value();
        ask(
            m_model, std::pair(model()->path, offset),
            [&] { return OffsetExperiment(model()->path.toStdString(), offset); }, [this] { showFit(); });
    }

    void showFit()
    {
        const auto rest = [](double part) { return part < 1e-4 ? tr("nothing") : percent(part); };
        const OffsetExperiment& fit = *m_model.result;
        const NumberView table = fit.table().matrix();
        const int pairs = table.rows - fit.offset();
        showMatrix(
            fit.map().matrix,
            {tr("The best M for k = %1").arg(fit.offset()), tr("least squares over %1 pairs of positions").arg(pairs)},
            tr("The matrix that comes closest to turning the model's row p into row p + %1.").arg(fit.offset()));
        QStringList text{tr("The best matrix for k = %1 leaves %2 over; fitted without every fourth position, it "
                            "leaves %3 over at those.")
                             .arg(fit.offset())
                             .arg(rest(fit.map().residual), rest(fit.map().unseen))};
        if (!fit.map().determined)
            text << tr("%1 pairs of positions cannot determine %2 unknowns a row, so only the second number tells.")
                        .arg(pairs)
                        .arg(table.columns);
        if (fit.formulaError())
            text << tr("The formula's rotation fits these rows: the largest difference is %1.")
                        .arg(orderOfMagnitude(*fit.formulaError()));
        say(text.join(QLatin1Char(' ')), formulas::offsetMatrix());
    }

    FigureLayout beside() const override
    {
        if (fitted())
            return m_chart->layout(tr("What the best matrix leaves over, by offset."));
        const RotationContent content{m_position->value(), m_offset->value(), m_width->value(),
                                      rotationPairs(m_width->value())};
        return [spec = look(), content](QSizeF size) { return rotationFigure(spec, content, size); };
    }

    void redraw() override
    {
        m_canvas->setFigure(squareMatrix(matrixLook(), m_content));
        if (fitted() && m_model.result)
            drawCurve();
        else if (!fitted() && m_content.map.numbers.rows > 0)
            m_dials->setFigure(beside());
    }

    void drawCurve()
    {
        const OffsetExperiment& fit = *m_model.result;
        QList<QPointF> seen;
        QList<QPointF> unseen;
        double most = 0;
        for (std::size_t i = 0; i < fit.curve().size(); ++i) {
            seen.append({static_cast<double>(fit.offsets()[i]), 100 * fit.curve()[i].residual});
            unseen.append({seen.back().x(), 100 * fit.curve()[i].unseen});
            most = std::max(most, fit.curve()[i].unseen);
        }
        auto* chart = new QChart;
        chart->setTitle(tr("What the best matrix leaves over"));
        addLine(*chart, tr("at fitted positions"), seen, LineForm::Marked);
        addLine(*chart, tr("at positions left out of the fit"), unseen, LineForm::Marked);
        auto* across = new QLogValueAxis;
        across->setBase(2);
        across->setLabelFormat(QStringLiteral("%d"));
        across->setTitleText(tr("offset k"));
        across->setRange(1, std::max(2, fit.offsets().empty() ? 2 : fit.offsets().back()));
        auto* up = new QValueAxis;
        up->setRange(0, std::max(10.0, std::ceil(most * 10) * 10));
        up->setLabelFormat(QStringLiteral("%d %%"));
        setAxes(*chart, across, up);
        chart->legend()->setAlignment(Qt::AlignBottom);
        m_chart->show(chart, look().theme);
    }

    QComboBox* m_table = nullptr;
    QSpinBox* m_offset = nullptr;
    QSpinBox* m_position = nullptr;
    QSpinBox* m_width = nullptr;
    FigureCanvas* m_dials = nullptr;
    QStackedWidget* m_right = nullptr;
};

} // namespace

LaboratoryPage* makeOrderRotation(const LaboratoryContext& context)
{
    return new OrderRotation(context);
}

} // namespace attn::ui
