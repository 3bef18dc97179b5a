// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "base/index.h"
#include "experiments/other_weights.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/value_scale.h"
#include "figures/parts/panel_figure.h"
#include "laboratory/laboratory_page.h"
#include "laboratory/result_table.h"
#include "state/strings.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace attn::ui {

namespace {

ResultCell movedCell(double value)
{
    return {decimal(value, 3), value};
}

// Attention weights replaced by equal, shuffled and adversarial ones, output by output.
class OtherWeightsPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(OtherWeightsPage)

public:
    explicit OtherWeightsPage(const LaboratoryContext& context)
        : LaboratoryPage(context, {})
        , m_canvas(makeCanvas("otherWeightsMaps", tr("The weights, and the most different ones that leave the output")))
        , m_table(new ResultTable(
              "otherWeightsTable", tr("Output tokens with other weights"),
              {{"token", tr("Output")},
               {"largest", tr("Largest"), tr("Largest weight that is replaced")},
               {"uniform", tr("Equal"),
                tr("How far the token's distribution moves (total variation distance, 0 to 1) with equal weights")},
               {"shuffled", tr("Shuffled"), tr("How far with the weights in random orders: the median")},
               {"keeping", tr("Same word"), tr("Share of these orders that leave the most probable token as it is")},
               {"divergence", tr("Unlike"),
                tr("How unlike the most different weights are that were found while the distribution hardly moves: "
                   "Jensen–Shannon divergence, at most 0.69")},
               {"adversarial", tr("Moves"), tr("How far the distribution moves with these")}}))
    {
        setTitle(tr("Other weights"));
        m_of = addChoice({"otherWeightsOf", tr("&Replace"), tr("Which weights are replaced")},
                         {{"layer", tr("the layer on show")},
                          {"head", tr("the head on show")},
                          {"all", tr("all layers of this attention")}});
        m_most = addControl({"otherWeightsMost", tr("&Hardly: at most"), tr("Distance that counts as no change"),
                             tr("How far the distribution may move with the most different weights (total variation "
                                "distance)")},
                            new QDoubleSpinBox);
        m_most->setRange(0.01, 0.5);
        m_most->setSingleStep(0.01);
        m_most->setValue(0.05);
        m_start = addControl({"startOtherWeights", tr("St&art")}, new QPushButton);
        setContent(split(Qt::Vertical, {{m_canvas, 330, 3}, {m_table, 220, 2}}));
        onChange({m_of, m_most}, [this] {
            jobs().cancel();
            activate();
        });
        connect(m_start, &QPushButton::clicked, this, [this] {
            m_asked.reset();
            activate();
        });
        connect(m_table, &ResultTable::chosen, this, [this](int row) {
            if (!m_result.wholeMap)
                this->context().selection.setStep(m_result.outputs.at(static_cast<std::size_t>(row)).place);
        });
        connect(&jobs(), &JobRunner::busyChanged, this, &OtherWeightsPage::refresh);
        connect(&context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
            if (fields & (Selection::SiteField | Selection::HeadField) && isVisible())
                activate();
        });
        activateOnChanges();
    }

    // Unless that is what was asked last.
    void activate() override
    {
        if (!model()) {
            jobs().cancel();
            m_asked.reset();
            m_result = {};
            return refresh();
        }
        OtherWeightsExperiment::Plan plan;
        plan.question = context().question();
        plan.site = context().selection.site();
        plan.allLayers = m_of->currentData() == QStringLiteral("all");
        if (m_of->currentData() == QStringLiteral("head"))
            plan.head = context().selection.head().head();
        plan.most = m_most->value();
        Asked asked{plan.question, plan.site, plan.head, plan.allLayers, plan.most};
        if (m_asked == asked)
            return refresh();
        m_asked = std::move(asked);
        m_result = {};
        message().hide();
        carryOut(jobs(), OtherWeightsExperiment(std::move(plan)), std::mem_fn(&OtherWeightsExperiment::result),
                 [this](const OtherWeightsResult& result) {
                     m_result = result;
                     refresh();
                 });
        refresh();
    }

    std::optional<Exportable> exportable() const override
    {
        if (m_result.outputs.empty())
            return std::nullopt;
        return shown(maps(), [csv = m_table->csv()] { return csv; });
    }

private:
    using Asked = std::tuple<Question, Site, std::optional<int>, bool, double>;

    QString nameOf(const OtherWeights& output) const
    {
        return m_result.wholeMap ? tr("the answer") : labels(m_result.run->stepTokens()).value(tokenOf(output));
    }

    int tokenOf(const OtherWeights& output) const { return output.place + m_result.run->firstStepToken(); }

    static QStringList labels(const Encoding& tokens) { return axisLabels({.groups = tokenAxis(tokens)}); }

    // The weights, or those that were found, of the outputs that have some.
    MatrixContent matrix(std::vector<float> OtherWeights::*part, const QString& title) const
    {
        MatrixContent content;
        content.title.title = title;
        std::size_t columns = 0;
        for (const OtherWeights& output : m_result.outputs)
            columns = std::max(columns, (output.*part).size());
        content.map.numbers = Numbers::zeros(1, indexSize(m_result.outputs), static_cast<Index>(columns));
        for (Index row = 0; row < indexSize(m_result.outputs); ++row) {
            const OtherWeights& output = m_result.outputs[static_cast<std::size_t>(row)];
            content.rowLabels << nameOf(output);
            std::ranges::copy(output.*part, content.map.numbers.row(row).begin());
        }
        content.columnLabels = labels(m_result.run->columnTokens(m_result.site));
        content.valueName = tr("attention weight");
        content.description = title;
        content.most = weightScaleEnd(content.map.numbers.values);
        return content;
    }

    FigureLayout maps() const
    {
        if (m_result.outputs.empty())
            return emptyFigure(look(), reason());
        const MatrixContent before = matrix(&OtherWeights::weights, tr("The weights of the model"));
        MatrixContent others = matrix(&OtherWeights::others, tr("The most different ones with nearly the same output"));
        others.most = std::max(others.most, before.most);
        const auto layOut = [spec = look()](const MatrixContent& content) -> FigureLayout {
            return [spec, content](QSizeF size) { return std::make_unique<MatrixFigure>(spec, content, size); };
        };
        return [panels = std::vector{layOut(before), layOut(others)}, theme = look().theme](QSizeF size) {
            return layOutPanels(panels, 2, size, theme);
        };
    }

    ResultCell cell(int row, int column) const
    {
        const OtherWeights& output = m_result.outputs.at(static_cast<std::size_t>(row));
        const double values[] = {output.largest, output.uniform,    output.medianShuffled(),
                                 output.keeping, output.divergence, output.adversarial};
        if (column == 0)
            return {nameOf(output), nameOf(output)};
        return column == 4 ? ResultCell{percent(output.keeping), output.keeping} : movedCell(values[column - 1]);
    }

    QString reason() const
    {
        if (!model())
            return tr("Open a model to give it other weights; an archive holds none.");
        if (busy())
            return tr("Reading the sentence…");
        return m_result.run ? tr("No output token sees more than one token here.")
                            : tr("Nothing has been replaced yet.");
    }

    void refresh()
    {
        m_start->setEnabled(model() != nullptr);
        m_start->setText(m_asked ? tr("Start &again") : tr("St&art"));
        m_table->show(indexSize(m_result.outputs), [this](int row, int column) { return cell(row, column); });
        redraw();
    }

    void redraw() override
    {
        m_canvas->setFigure(maps());
        if (m_result.outputs.empty())
            return say({});
        const auto mean = [this](auto numberOf) {
            double sum = 0;
            for (const OtherWeights& output : m_result.outputs)
                sum += numberOf(output);
            return decimal(sum / static_cast<double>(m_result.outputs.size()), 2);
        };
        say(tr("The output's distributions move by %1 with equal weights and by %2 with shuffled ones (0: not at all, "
               "1: entirely). Weights that differ by %3 of at most 0.69 move them by %4 only.")
                .arg(mean([](const OtherWeights& output) { return output.uniform; }),
                     mean([](const OtherWeights& output) { return output.medianShuffled(); }),
                     mean([](const OtherWeights& output) { return output.divergence; }),
                     mean([](const OtherWeights& output) { return output.adversarial; })));
    }

    QComboBox* m_of = nullptr;
    QDoubleSpinBox* m_most = nullptr;
    QPushButton* m_start = nullptr;
    FigureCanvas* m_canvas = nullptr;
    ResultTable* m_table = nullptr;
    std::optional<Asked> m_asked;
    OtherWeightsResult m_result;
};

} // namespace

LaboratoryPage* makeOtherWeights(const LaboratoryContext& context)
{
    return new OtherWeightsPage(context);
}

} // namespace attn::ui
