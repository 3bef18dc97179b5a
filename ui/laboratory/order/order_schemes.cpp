// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/attention_formulas.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "laboratory/order/position_page.h"
#include "maps/map_range.h"
#include "state/strings.h"
#include "views/number_box.h"

#include <QDoubleSpinBox>

#include <algorithm>
#include <tuple>

namespace attn::ui {

namespace {

// A matrix in words.
struct SchemeWords
{
    QString title;
    QString value;
    QString result;
    Formula formula = {}; // that the result is about
    Formula titleFormula = {}; // whose reading the title is
};

// Part of a score that two positions alone make, as a matrix and by distance: from the formula of each scheme, or from
// the loaded model.
class OrderSchemes final : public PositionPage<ModelPositionsExperiment, std::tuple<QString, Stage, int, int>>
{
    Q_DECLARE_TR_FUNCTIONS(OrderSchemes)

public:
    explicit OrderSchemes(const LaboratoryContext& context)
        : PositionPage(context, tr("Positions"), "schemeMatrix", tr("Positions with positions"), "schemeChart",
                       tr("By distance"))
    {
        m_scheme = addChoice({"schemeKind", tr("S&cheme")},
                             {{"interleaved", tr("sinusoidal, interleaved")},
                              {"halves", tr("sinusoidal, halves")},
                              {"rotary", tr("rotary")},
                              {"relative", tr("relative (T5)")},
                              {"alibi", tr("ALiBi")},
                              {"model", tr("from the loaded model")}});
        addControlRow();
        addParameters();
        setContent(split(Qt::Horizontal, {{m_canvas, 480}, {m_chart, 440}}));
        onChange({m_scheme, m_positions}, [this] { compute(); });
        for (const Parameter& parameter : m_parameters)
            onChange({parameter.control}, [this] { compute(); });
    }

    void activate() override
    {
        m_scheme->setItemText(
            static_cast<int>(PositionSource::Model),
            model() ? tr("from %1 (%2)").arg(model()->name, text(positionsText(model()->info.positions, inWords)))
                    : tr("from the loaded model"));
        compute();
    }

private:
    // A control that is shown for some schemes only.
    struct Parameter
    {
        QWidget* control = nullptr;
        std::vector<PositionSource> sources;
    };

    void addParameters()
    {
        using enum PositionSource;
        const auto add = [this]<class Control>(Control* control, std::vector<PositionSource> sources) {
            setShown(control, false);
            m_parameters.push_back({control, std::move(sources)});
            return control;
        };
        m_positions = addNumber({"schemePositions", tr("&Positions")}, 8, 128, 64, 8);
        m_width =
            add(addNumber({"schemeWidth", tr("&Width", "of vectors")}, 4, 512, 128, 2), {Interleaved, Halves, Rotary});
        m_base = add(addControl({"schemeBase", tr("&Base")}, new NumberBox), {Rotary});
        m_base->setRange(2, 1e7);
        m_base->setDecimals(0);
        m_base->setSingleStep(1000);
        m_base->setValue(10000);
        m_buckets = add(addNumber({"schemeBuckets", tr("B&uckets")}, 4, 128, 32, 4), {Relative});
        m_farthest = add(addNumber({"schemeFarthest", tr("&Farthest")}, 8, 1024, 128, 8), {Relative});
        m_heads = add(addNumber({"schemeHeads", tr("Hea&ds")}, 1, 64, 8), {Alibi});
        m_stage =
            add(addChoice({"schemeStage", tr("S&tack")}, {{"encoder", tr("encoder")}, {"decoder", tr("decoder")}}),
                {Model});
        m_head = add(addNumber({"schemeHead", tr("&Head")}, 0, 7, 0), {Alibi, Model});
        m_causal = add(addTick({"schemeCausal", tr("c&ausal")}, true), {Relative, Alibi});
        m_cosine = add(addTick({"schemeCosine", tr("c&osine")}, false), {Interleaved, Halves, Model});
    }

    PositionSource source() const { return static_cast<PositionSource>(m_scheme->currentIndex()); }
    bool cosine() const { return m_cosine->isChecked(); }
    bool adds() const { return model() && !model()->positions.empty(); } // to the embeddings
    // Whether positions enter the scores as a bias that each head has learned: else all heads have the same.
    bool differsByHead() const { return model() && model()->info.positions.scheme == PositionScheme::Relative; }
    // Made of steps and straight lines, where products of waves are smooth.
    bool isBias() const
    {
        using enum PositionSource;
        return source() == Relative || source() == Alibi || (source() == Model && differsByHead());
    }
    bool inDecoder() const
    {
        const ModelKind kind = model()->info.kind;
        return kind == ModelKind::DecoderOnly || (kind == ModelKind::EncoderDecoder && m_stage->currentIndex() == 1);
    }

    bool uses(const Parameter& parameter) const
    {
        if (std::ranges::find(parameter.sources, source()) == parameter.sources.end())
            return false;
        if (source() != PositionSource::Model)
            return true;
        return parameter.control == m_cosine ? adds()
            : parameter.control == m_head    ? differsByHead()
                                             : model() && !adds() && model()->info.kind == ModelKind::EncoderDecoder;
    }

    void fitParameters()
    {
        for (const Parameter& parameter : m_parameters)
            setShown(parameter.control, uses(parameter));
        const bool ofModel = source() == PositionSource::Model && model();
        const int heads =
            ofModel ? std::max({1, model()->info.encoderHeads, model()->info.decoderHeads}) : m_heads->value();
        const QSignalBlocker head(m_head);
        m_head->setRange(0, heads - 1);
        // Half of the buckets for either direction, half of these exact.
        const QSignalBlocker farthest(m_farthest);
        m_farthest->setMinimum(m_buckets->value() / (m_causal->isChecked() ? 2 : 4) + 1);
        makeEven(*m_width);
    }

    SchemeSettings settings() const
    {
        return {source(),
                m_positions->value(),
                m_width->value(),
                m_base->value(),
                m_buckets->value(),
                m_farthest->value(),
                m_heads->value(),
                m_head->value(),
                m_causal->isChecked(),
                cosine() ? ProductKind::Cosine : ProductKind::Dot};
    }

    void compute()
    {
        fitParameters();
        if (source() == PositionSource::Model)
            return askModel();
        forgetModel();
        showMatrix(schemeMatrix(settings()), formulaWords(settings()));
    }

    QString productName() const { return cosine() ? tr("cosine") : tr("dot product"); }

    SchemeWords formulaWords(const SchemeSettings& chosen) const
    {
        switch (chosen.source) {
        case PositionSource::Rotary:
            return {tr("Rotary: one query, one key, turned"), tr("dot product"),
                    tr("Query and key are turned by their positions, so that their product depends on the distance "
                       "only; here both are the same even vector of length 1, which gives the mean cosine of %1 "
                       "angles.")
                        .arg(chosen.width / 2),
                    formulas::rotaryProduct()};
        case PositionSource::Relative:
            return {tr("T5: the bucket of each distance"), tr("bucket"),
                    tr("A learned number for each bucket and head is added to the score. %1 near distances have a "
                       "bucket of their own, farther ones share logarithmically wider buckets up to %2.")
                        .arg(chosen.buckets / (chosen.causal ? 2 : 4))
                        .arg(chosen.farthest),
                    formulas::bucketBias()};
        case PositionSource::Alibi: {
            const std::vector<double> slopes = alibiSlopes(chosen.heads);
            return {tr("ALiBi: what is added to the scores of head %1").arg(chosen.head), tr("bias"),
                    tr("Each head loses its own slope per position of distance, here %1; the slopes of the %2 heads "
                       "run from %3 to %4. Nothing is learned and nothing is added to the embeddings.")
                        .arg(significant(slopes.at(static_cast<std::size_t>(chosen.head)), 3))
                        .arg(slopes.size())
                        .arg(significant(std::ranges::max(slopes), 3), significant(std::ranges::min(slopes), 3)),
                    formulas::linearBias()};
        }
        default:
            return {cosine() ? tr("Cosine of PE(p) and PE(r)") : formulas::positionProduct().reading(), productName(),
                    tr("A sum over the %1 frequencies: it knows the distance, but not which of the two positions comes "
                       "first; both layouts give the same products.")
                        .arg(chosen.width / 2),
                    formulas::sinusoidProduct(), cosine() ? Formula() : formulas::positionProduct()};
        }
    }

    bool causal() const
    {
        if (source() == PositionSource::Model)
            return m_model.result && m_model.result->table().empty() && model() && inDecoder();
        return (source() == PositionSource::Relative || source() == PositionSource::Alibi) && m_causal->isChecked();
    }

    void askModel()
    {
        if (!model())
            return showNothing(tr("No model is open."));
        const Stage stage = inDecoder() ? Stage::Decoder : Stage::Encoder;
        const int head = differsByHead() ? m_head->value() : 0;
        const int positions = m_positions->value();
        ask(
            m_model, std::tuple(model()->path, stage, head, positions),
            [&] { return ModelPositionsExperiment(model()->path.toStdString(), stage, head, positions); },
            [this] { showModel(); });
    }

    void showModel()
    {
        if (!model())
            return showNothing(tr("No model is open."));
        const QString name = model()->name;
        const QString kind = text(positionsText(model()->info.positions, inWords));
        const Tensor& table = m_model.result->table();
        const Tensor& scores = m_model.result->scores();
        if (!table.empty())
            return showMatrix(
                rowProducts(table.matrix(), settings().product),
                {(cosine() ? tr("Cosine of %1's positions") : tr("Dot products of %1's positions")).arg(name),
                 productName(),
                 tr("%1 adds one row per position to its embeddings (%2), here the products of the first %3 rows.")
                     .arg(name, kind)
                     .arg(table.dim(0))});
        if (scores.empty())
            return showNothing(
                tr("In %1 positions enter neither the embeddings nor the scores (positions: %2).").arg(name, kind));
        if (differsByHead())
            return showMatrix(numbersOf(scores),
                              {tr("%1: bias of head %2").arg(name).arg(m_head->value()), tr("bias"),
                               tr("What head %1 of %2 adds to the score of a key by its distance (%3).")
                                   .arg(QString::number(m_head->value()), name, kind)});
        showMatrix(numbersOf(scores),
                   {tr("%1: mean cosine").arg(name), tr("mean cosine"),
                    tr("Queries and keys of %1 are turned by their positions (%2); here the mean cosine of the angles "
                       "between them, all features counted alike.")
                        .arg(name, kind)});
    }

    void showMatrix(Numbers matrix, const SchemeWords& words)
    {
        setMatrix(std::move(matrix));
        m_content.rowAxis = tr("position of the query");
        m_content.columnAxis = tr("position of the key");
        m_content.valueName = words.value;
        m_content.title = {words.title, causal() ? tr("keys after the query are masked") : QString(),
                           words.titleFormula};
        m_content.rowRole = AttentionRole::Query;
        m_content.columnRole = AttentionRole::Key;
        if (causal())
            m_content.map.setBlank([](Index row, Index column) { return column > row; });
        const NumberRange range = rangeOfNumbers(m_content.map.numbers.values).value_or(NumberRange{});
        m_content.least = std::min(0.0, range.least); // as the curve beside it
        m_content.most = std::max(0.0, range.most);
        if (m_content.least == m_content.most)
            m_content.most = 1;
        m_content.description = tr("%1, %2 positions, from %3 to %4.")
                                    .arg(words.title)
                                    .arg(m_content.map.numbers.rows)
                                    .arg(significant(range.least, 3), significant(range.most, 3));
        redraw();
        say(words.result, words.formula);
    }

    FigureLayout beside() const override { return m_chart->layout(tr("The same by distance.")); }

    void redraw() override
    {
        m_canvas->setFigure(squareMatrix(matrixLook(), m_content));
        const DistanceCurve curve = byDistance(m_content.map.numbers, !m_content.map.states.empty());
        m_chart->setVisible(!curve.distances.empty());
        if (!curve.distances.empty())
            drawCurve(curve);
    }

    void drawCurve(const DistanceCurve& curve)
    {
        auto* chart = new QChart;
        chart->setTitle(tr("By distance"));
        const auto add = [&](const QString& name, const std::vector<double>& values) {
            QList<QPointF> points;
            for (std::size_t i = 0; i < values.size(); ++i)
                points.append({static_cast<double>(curve.distances[i]), values[i]});
            addLine(*chart, name, points, isBias() ? LineForm::Straight : LineForm::Smooth);
        };
        add(tr("mean"), curve.means);
        double spread = 0;
        for (std::size_t i = 0; i < curve.means.size(); ++i)
            spread = std::max(spread, curve.most[i] - curve.least[i]);
        // Where the distance is all that counts, the three curves would be one.
        const bool varies = spread > 0.01 * (m_content.most - m_content.least);
        if (varies) {
            add(tr("least"), curve.least);
            add(tr("most"), curve.most);
        }
        QAbstractAxis* across = roundAxis(curve.distances.front(), curve.distances.back(), 7, AxisEnds::Data);
        across->setTitleText(tr("key − query, in positions"));
        QAbstractAxis* up = roundAxis(m_content.least, m_content.most);
        up->setTitleText(m_content.valueName);
        setAxes(*chart, across, up);
        chart->legend()->setVisible(varies);
        chart->legend()->setAlignment(Qt::AlignBottom);
        m_chart->show(chart, look().theme);
    }

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
};

} // namespace

LaboratoryPage* makeOrderSchemes(const LaboratoryContext& context)
{
    return new OrderSchemes(context);
}

} // namespace attn::ui
