// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order/order_schemes.h"

#include "figures/kinds/kinds.h"
#include "figures/look/decimal.h"
#include "figures/parts/panel_figure.h"

#include <QSignalBlocker>
#include <QSplitter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr int mostPositions = 128;

QSpinBox* number(int least, int most, int value, int step = 1)
{
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(value);
    box->setSingleStep(step);
    return box;
}

Numbers matrixOfScheme(const Tensor& tensor)
{
    const NumberView view = tensor.matrix();
    return {view.rows, view.columns, {tensor.values().begin(), tensor.values().end()}};
}

// Whether positions enter the scores as a bias that each head has learned: else all heads have the same.
bool differsByHead(const ModelInfo& info)
{
    return info.positions.scheme == PositionScheme::Relative;
}

} // namespace

OrderSchemes::OrderSchemes(const LaboratoryContext& context)
    : LaboratoryPage(context, {})
    , m_scheme(new QComboBox)
    , m_canvas(makeCanvas("schemeMatrix", tr("Positions with positions")))
    , m_chart(new ChartCanvas)
{
    m_scheme->addItems({tr("sinusoidal, interleaved"), tr("sinusoidal, halves"), tr("rotary"), tr("relative (T5)"),
                        tr("ALiBi"), tr("from the loaded model")});
    m_scheme->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    addControl(tr("S&cheme"), m_scheme, "schemeKind");
    controls().addStretch(1);
    addControlRow();
    buildParameters();
    controls().addStretch(1);
    m_chart->setObjectName(QStringLiteral("schemeChart"));
    m_chart->setAccessibleName(tr("By distance"));
    auto* splitter = new QSplitter;
    splitter->addWidget(m_canvas);
    splitter->addWidget(m_chart);
    splitter->setSizes({480, 440});
    splitter->setChildrenCollapsible(false);
    setContent(splitter);
    connect(m_scheme, &QComboBox::currentIndexChanged, this, &OrderSchemes::compute);
}

void OrderSchemes::buildParameters()
{
    using enum PositionSource;
    m_positions = number(8, mostPositions, 64, 8);
    m_width = number(4, 512, 128, 2);
    m_base = new QDoubleSpinBox;
    m_base->setRange(2, 1e7);
    m_base->setDecimals(0);
    m_base->setSingleStep(1000);
    m_base->setValue(10000);
    m_buckets = number(4, 128, 32, 4);
    m_farthest = number(8, 1024, 128, 8);
    m_heads = number(1, 64, 8);
    m_head = number(0, 7, 0);
    m_stage = new QComboBox;
    m_stage->addItems({tr("encoder"), tr("decoder")});
    m_causal = new QCheckBox(tr("c&ausal"));
    m_causal->setChecked(true);
    m_causal->setAccessibleName(tr("causal"));
    m_cosine = new QCheckBox(tr("c&osine"));
    m_cosine->setAccessibleName(tr("cosine"));
    addParameter(tr("&Positions"), m_positions, "schemePositions",
                 {Interleaved, Halves, Rotary, Relative, Alibi, Model});
    addParameter(tr("&Width"), m_width, "schemeWidth", {Interleaved, Halves, Rotary});
    addParameter(tr("&Base"), m_base, "schemeBase", {Rotary});
    addParameter(tr("B&uckets"), m_buckets, "schemeBuckets", {Relative});
    addParameter(tr("&Farthest"), m_farthest, "schemeFarthest", {Relative});
    addParameter(tr("Hea&ds"), m_heads, "schemeHeads", {Alibi});
    addParameter(tr("S&tack"), m_stage, "schemeStage", {Model});
    addParameter(tr("&Head"), m_head, "schemeHead", {Alibi, Model});
    addParameter({}, m_causal, "schemeCausal", {Relative, Alibi});
    addParameter({}, m_cosine, "schemeCosine", {Interleaved, Halves, Model});
    for (QSpinBox* box : {m_positions, m_width, m_buckets, m_farthest, m_heads, m_head})
        connect(box, &QSpinBox::valueChanged, this, &OrderSchemes::compute);
    connect(m_base, &QDoubleSpinBox::valueChanged, this, &OrderSchemes::compute);
    connect(m_stage, &QComboBox::currentIndexChanged, this, &OrderSchemes::compute);
    connect(m_causal, &QCheckBox::toggled, this, &OrderSchemes::compute);
    connect(m_cosine, &QCheckBox::toggled, this, &OrderSchemes::compute);
}

void OrderSchemes::addParameter(const QString& label, QWidget* control, const char* name,
                                std::vector<PositionSource> sources)
{
    QLabel* text = addControl(label, control, name);
    text->setVisible(false);
    m_parameters.push_back({label.isEmpty() ? nullptr : text, control, std::move(sources)});
}

void OrderSchemes::activate()
{
    const auto& model = context().study.model();
    m_scheme->setItemText(static_cast<int>(PositionSource::Model),
                          model ? tr("from %1 (%2)").arg(model->name, positionsText(model->info.positions))
                                : tr("from the loaded model"));
    compute();
}

void OrderSchemes::fitParameters()
{
    for (const Parameter& parameter : m_parameters) {
        bool used = std::ranges::find(parameter.sources, source()) != parameter.sources.end();
        if (source() == PositionSource::Model) {
            const auto& model = context().study.model();
            const bool added = model && !model->positions.empty();
            if (parameter.control == m_cosine)
                used = added;
            else if (parameter.control == m_head)
                used = model && differsByHead(model->info);
            else if (parameter.control == m_stage)
                used = model && !added && model->info.kind == ModelKind::EncoderDecoder;
        }
        parameter.control->setVisible(used);
        if (parameter.name != nullptr)
            parameter.name->setVisible(used);
    }
    int heads = m_heads->value();
    if (const auto& model = context().study.model(); model && source() == PositionSource::Model)
        heads = std::max({1, model->info.encoderHeads, model->info.decoderHeads});
    const QSignalBlocker blocker(m_head);
    m_head->setRange(0, heads - 1);
    // Half of the buckets for either direction, half of these exact.
    const QSignalBlocker farthest(m_farthest);
    m_farthest->setMinimum(m_buckets->value() / (m_causal->isChecked() ? 2 : 4) + 1);
    if (m_width->value() % 2 == 1) {
        const QSignalBlocker width(m_width);
        m_width->setValue(m_width->value() - 1);
    }
}

SchemeSettings OrderSchemes::settings() const
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
            m_cosine->isChecked() ? ProductKind::Cosine : ProductKind::Dot};
}

void OrderSchemes::compute()
{
    fitParameters();
    if (source() == PositionSource::Model)
        return startModel();
    jobs().cancel();
    m_asked.clear();
    m_model.reset();
    const SchemeSettings chosen = settings();
    show(schemeMatrix(chosen), formulaTitle(chosen), formulaValue(chosen), formulaResult(chosen));
}

QString OrderSchemes::formulaTitle(const SchemeSettings& chosen) const
{
    switch (chosen.source) {
    case PositionSource::Rotary:
        return tr("Rotary: one query, one key, turned");
    case PositionSource::Relative:
        return tr("T5: the bucket of each distance");
    case PositionSource::Alibi:
        return tr("ALiBi: what is added to the scores of head %1").arg(chosen.head);
    default:
        return chosen.product == ProductKind::Cosine ? tr("Cosine of PE(p) and PE(q)") : tr("PE(p) · PE(q)");
    }
}

QString OrderSchemes::formulaValue(const SchemeSettings& chosen) const
{
    if (chosen.source == PositionSource::Relative)
        return tr("bucket");
    if (chosen.source == PositionSource::Alibi)
        return tr("bias");
    const bool cosine = chosen.source != PositionSource::Rotary && chosen.product == ProductKind::Cosine;
    return cosine ? tr("cosine") : tr("dot product");
}

QString OrderSchemes::formulaResult(const SchemeSettings& chosen) const
{
    switch (chosen.source) {
    case PositionSource::Rotary:
        return tr("Query and key are turned by their positions, so that their product depends on the distance only; "
                  "here both are the same even vector of length 1, which gives the mean cosine of %1 angles.")
            .arg(chosen.width / 2);
    case PositionSource::Relative:
        return tr("A learned number for each bucket and head is added to the score. %1 near distances have a bucket of "
                  "their own, farther ones share logarithmically wider buckets up to %2.")
            .arg(chosen.buckets / (chosen.causal ? 2 : 4))
            .arg(chosen.farthest);
    case PositionSource::Alibi: {
        const std::vector<double> slopes = alibiSlopes(chosen.heads);
        return tr("Each head loses its own slope per position of distance, here %1; the slopes of the %2 heads run "
                  "from %3 to %4. Nothing is learned and nothing is added to the embeddings.")
            .arg(significant(slopes.at(static_cast<std::size_t>(chosen.head)), 3))
            .arg(slopes.size())
            .arg(significant(std::ranges::max(slopes), 3), significant(std::ranges::min(slopes), 3));
    }
    default:
        return tr("PE(p) · PE(q) = Σ cos(ω(p − q)) over the %1 frequencies: it knows the distance, but not which of "
                  "the two comes first; both layouts give the same products.")
            .arg(chosen.width / 2);
    }
}

bool OrderSchemes::causal() const
{
    if (source() == PositionSource::Model) {
        const auto& model = context().study.model();
        const bool scores = m_model && m_model->table().empty();
        return scores && model
            && (model->info.kind == ModelKind::DecoderOnly
                || (model->info.kind == ModelKind::EncoderDecoder && m_stage->currentIndex() == 1));
    }
    return (source() == PositionSource::Relative || source() == PositionSource::Alibi) && m_causal->isChecked();
}

void OrderSchemes::startModel()
{
    const QString model = context().model();
    const auto& summary = context().study.model();
    if (model.isEmpty() || !summary)
        return showNothing(tr("No model is open."));
    const ModelInfo& info = summary->info;
    const bool decoder =
        info.kind == ModelKind::DecoderOnly || (info.kind == ModelKind::EncoderDecoder && m_stage->currentIndex() == 1);
    const Stage stage = decoder ? Stage::Decoder : Stage::Encoder;
    const int head = differsByHead(info) ? m_head->value() : 0;
    const int positions = m_positions->value();
    const QString asked =
        QStringLiteral("%1\n%2 %3 %4").arg(model).arg(static_cast<int>(stage)).arg(head).arg(positions);
    if (asked == m_asked && (m_model || jobs().busy()))
        return m_model ? showModel() : void();
    m_asked = asked;
    carryOut(jobs(), ModelPositionsExperiment(model.toStdString(), stage, head, positions),
             [this](std::shared_ptr<const ModelPositionsExperiment> numbers) {
                 m_model = std::move(numbers);
                 showModel();
             });
}

void OrderSchemes::showModel()
{
    const auto& summary = context().study.model();
    if (!summary)
        return showNothing(tr("No model is open."));
    const QString kind = positionsText(summary->info.positions);
    if (!m_model->table().empty()) {
        const bool cosine = m_cosine->isChecked();
        return show(rowProducts(m_model->table().matrix(), settings().product),
                    cosine ? tr("Cosine of %1's positions").arg(summary->name)
                           : tr("Dot products of %1's positions").arg(summary->name),
                    cosine ? tr("cosine") : tr("dot product"),
                    tr("%1 adds one row per position to its embeddings (%2), here the products of the first %3 rows.")
                        .arg(summary->name, kind)
                        .arg(m_model->table().dim(0)));
    }
    if (m_model->scores().empty())
        return showNothing(tr("In %1 positions enter neither the embeddings nor the scores (positions: %2).")
                               .arg(summary->name, kind));
    const bool bias = differsByHead(summary->info);
    show(matrixOfScheme(m_model->scores()),
         bias ? tr("%1: bias of head %2").arg(summary->name).arg(m_head->value())
              : tr("%1: mean cosine").arg(summary->name),
         bias ? tr("bias") : tr("mean cosine"),
         bias ? tr("What head %1 of %2 adds to the score of a key by its distance (%3).")
                    .arg(QString::number(m_head->value()), summary->name, kind)
              : tr("Queries and keys of %1 are turned by their positions (%2); here the mean cosine of the angles "
                   "between "
                   "them, all features counted alike.")
                    .arg(summary->name, kind));
}

void OrderSchemes::show(Numbers matrix, const QString& title, const QString& value, const QString& result)
{
    m_content = {};
    const int positions = matrix.rows;
    for (int i = 0; i < positions; ++i)
        m_content.rowLabels << QString::number(i);
    m_content.columnLabels = m_content.rowLabels;
    m_content.numbered = true;
    m_content.rowAxis = tr("position of the query");
    m_content.columnAxis = tr("position of the key");
    m_content.valueName = value;
    m_content.title = {title, causal() ? tr("keys after the query are masked") : QString()};
    if (causal())
        m_content.blank = [](int row, int column) { return column > row; };
    const auto [least, most] = std::ranges::minmax_element(matrix.values);
    m_content.least = static_cast<double>(*least);
    m_content.most = static_cast<double>(*most);
    if (!(m_content.least < m_content.most))
        m_content.most = m_content.least + 1;
    m_content.matrix = std::move(matrix);
    m_content.description =
        tr("%1, %2 positions, from %3 to %4.").arg(title).arg(positions).arg(m_content.least).arg(m_content.most);
    redraw();
    say(result);
}

void OrderSchemes::showNothing(const QString& why)
{
    jobs().cancel();
    m_asked.clear();
    m_model.reset();
    m_content = {};
    m_content.empty = m_content.description = why;
    redraw();
    say(why);
}

void OrderSchemes::redraw()
{
    m_canvas->setFigure(squareMatrix(look(), m_content));
    m_chart->setVisible(m_content.matrix.rows > 0);
    if (m_content.matrix.rows > 0)
        drawCurve();
}

void OrderSchemes::drawCurve()
{
    const DistanceCurve curve = byDistance(m_content.matrix, causal());
    auto* chart = new QChart;
    chart->setTitle(tr("By distance"));
    const auto add = [&](const QString& name, const std::vector<double>& values) {
        QList<QPointF> points;
        for (std::size_t i = 0; i < values.size(); ++i)
            points.append({static_cast<double>(curve.distances[i]), values[i]});
        addLine(*chart, name, points);
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
    const int reach = m_content.matrix.rows;
    QAbstractAxis* across = roundAxis(-reach, causal() ? 0 : reach);
    across->setTitleText(tr("key − query"));
    const auto [least, most] = std::ranges::minmax(varies ? curve.least : curve.means);
    QAbstractAxis* up = roundAxis(least, varies ? std::ranges::max(curve.most) : most);
    up->setTitleText(m_content.valueName);
    setAxes(*chart, across, up);
    chart->legend()->setVisible(varies);
    chart->legend()->setAlignment(Qt::AlignBottom);
    m_chart->show(chart, context().appearance.theme());
}

std::optional<Exportable> OrderSchemes::exportable() const
{
    if (m_content.matrix.rows == 0)
        return std::nullopt;
    Exportable file;
    file.title = tr("Positions");
    file.theme = context().appearance.theme();
    const FigureLayout matrix = squareMatrix(look(), m_content);
    file.layOut = [matrix, curve = m_chart->layout(tr("The same by distance.")), theme = file.theme](QSizeF size) {
        return layOutPanels({matrix, curve}, 2, size, theme);
    };
    file.csv = [content = m_content] { return matrixCsv(content); };
    return file;
}

} // namespace attn::ui
