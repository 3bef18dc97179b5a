// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order/order_schemes.h"

#include "figures/export/data_export.h"
#include "figures/look/decimal.h"
#include "figures/parts/panel_figure.h"

#include <QLineSeries>
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

// The same value wherever keys are equally far from queries.
template<class SchemeValue>
AttentionMatrix fromDistances(int positions, const SchemeValue& valueAt)
{
    std::vector<float> values;
    for (int distance = 1 - positions; distance < positions; ++distance)
        values.push_back(static_cast<float>(valueAt(distance)));
    AttentionMatrix result{positions, positions, {}};
    for (int query = 0; query < positions; ++query)
        result.values.insert(result.values.end(), values.begin() + (positions - 1 - query),
                             values.begin() + (2 * positions - 1 - query));
    return result;
}

AttentionMatrix matrixOfScheme(const Tensor& tensor)
{
    const MatrixView view = tensor.matrix();
    return {view.rows, view.columns, {tensor.values().begin(), tensor.values().end()}};
}

// Whether positions enter the scores as a bias that each head has learned: else all heads have the same.
bool differsByHead(const ModelInfo& info)
{
    return info.positions.scheme == PositionScheme::Relative;
}

} // namespace

struct OrderSchemes::ModelNumbers
{
    Tensor table; // added to the embeddings; empty: nothing is
    Tensor scores; // how positions enter the scores of a head; empty: they do not
};

OrderSchemes::OrderSchemes(const LaboratoryContext& context, JobRunner& jobs)
    : OrderTab(context, jobs)
    , m_scheme(new QComboBox)
    , m_canvas(new FigureCanvas)
    , m_chart(new ChartCanvas)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    auto* first = new QHBoxLayout;
    m_scheme->addItems({tr("sinusoidal, interleaved"), tr("sinusoidal, halves"), tr("rotary"), tr("relative (T5)"),
                        tr("ALiBi"), tr("from the loaded model")});
    m_scheme->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    addNamed(*first, tr("S&cheme"), m_scheme, "schemeKind");
    auto* second = new QHBoxLayout;
    buildParameters(*second);
    first->addStretch(1);
    second->addStretch(1);
    layout->addLayout(first);
    layout->addLayout(second);
    m_canvas->setObjectName(QStringLiteral("schemeMatrix"));
    m_canvas->setAccessibleName(tr("Positions with positions"));
    m_chart->setObjectName(QStringLiteral("schemeChart"));
    m_chart->setAccessibleName(tr("By distance"));
    auto* splitter = new QSplitter;
    splitter->addWidget(m_canvas);
    splitter->addWidget(m_chart);
    splitter->setSizes({480, 440});
    splitter->setChildrenCollapsible(false);
    layout->addWidget(splitter, 1);
    connect(m_canvas, &FigureCanvas::hovered, this, [this](const FigureHit& hit) { Q_EMIT hovered(hit.text); });
    connect(m_scheme, &QComboBox::currentIndexChanged, this, &OrderSchemes::compute);
}

void OrderSchemes::buildParameters(QBoxLayout& row)
{
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
    m_cosine = new QCheckBox(tr("c&osine"));
    addParameter(row, tr("&Positions"), m_positions, "schemePositions",
                 {Interleaved, Halves, Rotary, Relative, Alibi, FromModel});
    addParameter(row, tr("&Width"), m_width, "schemeWidth", {Interleaved, Halves, Rotary});
    addParameter(row, tr("&Base"), m_base, "schemeBase", {Rotary});
    addParameter(row, tr("B&uckets"), m_buckets, "schemeBuckets", {Relative});
    addParameter(row, tr("&Farthest"), m_farthest, "schemeFarthest", {Relative});
    addParameter(row, tr("Hea&ds"), m_heads, "schemeHeads", {Alibi});
    addParameter(row, tr("S&tack"), m_stage, "schemeStage", {FromModel});
    addParameter(row, tr("&Head"), m_head, "schemeHead", {Alibi, FromModel});
    addParameter(row, {}, m_causal, "schemeCausal", {Relative, Alibi});
    addParameter(row, {}, m_cosine, "schemeCosine", {Interleaved, Halves, FromModel});
    m_causal->setAccessibleName(tr("causal"));
    m_cosine->setAccessibleName(tr("cosine"));
    for (QSpinBox* box : {m_positions, m_width, m_buckets, m_farthest, m_heads, m_head})
        connect(box, &QSpinBox::valueChanged, this, &OrderSchemes::compute);
    connect(m_base, &QDoubleSpinBox::valueChanged, this, &OrderSchemes::compute);
    connect(m_stage, &QComboBox::currentIndexChanged, this, &OrderSchemes::compute);
    connect(m_causal, &QCheckBox::toggled, this, &OrderSchemes::compute);
    connect(m_cosine, &QCheckBox::toggled, this, &OrderSchemes::compute);
}

void OrderSchemes::addParameter(QBoxLayout& row, const QString& label, QWidget* control, const char* name,
                                std::vector<Scheme> schemes)
{
    addNamed(row, label, control, name);
    auto* text = qobject_cast<QLabel*>(row.itemAt(row.count() - 2)->widget());
    m_parameters.push_back({label.isEmpty() ? nullptr : text, control, std::move(schemes)});
    text->setVisible(false);
}

void OrderSchemes::activate()
{
    const auto& model = context().document.model();
    m_scheme->setItemText(
        FromModel,
        model ? tr("from %1 (%2)").arg(model->name, QString::fromStdString(describe(model->info.positions)))
              : tr("from the loaded model"));
    compute();
}

void OrderSchemes::fitParameters()
{
    for (const Parameter& parameter : m_parameters) {
        bool used = std::ranges::find(parameter.schemes, scheme()) != parameter.schemes.end();
        if (scheme() == FromModel) {
            const auto& model = context().document.model();
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
    if (const auto& model = context().document.model(); model && scheme() == FromModel)
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

void OrderSchemes::compute()
{
    fitParameters();
    if (scheme() == FromModel)
        return startModel();
    jobs().cancel();
    m_asked.clear();
    m_model.reset();
    switch (scheme()) {
    case Interleaved:
    case Halves:
        return computeSinusoids();
    case Rotary:
        return computeRotary();
    case Relative:
        return computeRelative();
    default:
        return computeAlibi();
    }
}

void OrderSchemes::computeSinusoids()
{
    const auto layout = scheme() == Interleaved ? SinusoidLayout::Interleaved : SinusoidLayout::Halves;
    const Tensor table = sinusoids(m_positions->value(), m_width->value(), layout);
    const bool cosine = m_cosine->isChecked();
    show(rowProducts(table.matrix(), product()), cosine ? tr("Cosine of PE(p) and PE(q)") : tr("PE(p) · PE(q)"),
         cosine ? tr("cosine") : tr("dot product"),
         tr("PE(p) · PE(q) = Σ cos(ω(p − q)) over the %1 frequencies: it knows the distance, but not which of the two "
            "comes first; both layouts give the same products.")
             .arg(m_width->value() / 2));
}

void OrderSchemes::computeRotary()
{
    const auto width = static_cast<std::size_t>(m_width->value());
    const std::vector<float> even(width, static_cast<float>(1 / std::sqrt(static_cast<double>(width))));
    show(
        rotaryProducts(even, even, m_positions->value(), m_base->value()), tr("Rotary: one query, one key, turned"),
        tr("dot product"),
        tr("Query and key are turned by their positions, so that their product depends on the distance only; here both "
           "are the same even vector of length 1, which gives the mean cosine of %1 angles.")
            .arg(width / 2));
}

void OrderSchemes::computeRelative()
{
    const bool bidirectional = !causal();
    const AttentionMatrix matrix = fromDistances(m_positions->value(), [&](int distance) {
        return relativeBucket(distance, bidirectional, m_buckets->value(), m_farthest->value());
    });
    const int exact = m_buckets->value() / (bidirectional ? 4 : 2);
    show(matrix, tr("T5: the bucket of each distance"), tr("bucket"),
         tr("A learned number for each bucket and head is added to the score. %1 near distances have a bucket of their "
            "own, farther ones share logarithmically wider buckets up to %2.")
             .arg(exact)
             .arg(m_farthest->value()));
}

void OrderSchemes::computeAlibi()
{
    const std::vector<double> slopes = alibiSlopes(m_heads->value());
    const double slope = slopes.at(static_cast<std::size_t>(m_head->value()));
    show(
        fromDistances(m_positions->value(), [slope](int distance) { return -slope * std::abs(distance); }),
        tr("ALiBi: what is added to the scores of head %1").arg(m_head->value()), tr("bias"),
        tr("Each head loses its own slope per position of distance, here %1; the slopes of the %2 heads run from %3 to "
           "%4. Nothing is learned and nothing is added to the embeddings.")
            .arg(significant(slope, 3))
            .arg(slopes.size())
            .arg(significant(*std::ranges::max_element(slopes), 3), significant(*std::ranges::min_element(slopes), 3)));
}

bool OrderSchemes::causal() const
{
    if (scheme() == FromModel) {
        const auto& model = context().document.model();
        const bool scores = m_model && m_model->table.empty();
        return scores && model
            && (model->info.kind == ModelKind::DecoderOnly
                || (model->info.kind == ModelKind::EncoderDecoder && m_stage->currentIndex() == 1));
    }
    return (scheme() == Relative || scheme() == Alibi) && m_causal->isChecked();
}

void OrderSchemes::startModel()
{
    const QString model = context().model();
    const auto& summary = context().document.model();
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
    const auto numbers = std::make_shared<ModelNumbers>();
    const bool hasHeads = info.heads({stage, 0}) > head;
    jobs().start(
        [numbers, path = model.toStdString(), stage, head, positions, hasHeads](JobTools& tools) {
            const auto loaded = tools.models.load(path, tools.engine, {}, tools.stop);
            numbers->table = loaded->model->positionalEncoding(positions);
            if (numbers->table.empty() && hasHeads)
                numbers->scores = loaded->model->positionScores(stage, head, positions);
            return false;
        },
        [this, numbers] {
            m_model = numbers;
            showModel();
        });
}

void OrderSchemes::showModel()
{
    const auto& summary = context().document.model();
    if (!summary)
        return showNothing(tr("No model is open."));
    const QString kind = QString::fromStdString(describe(summary->info.positions));
    if (!m_model->table.empty()) {
        const bool cosine = m_cosine->isChecked();
        return show(rowProducts(m_model->table.matrix(), product()),
                    cosine ? tr("Cosine of %1's positions").arg(summary->name)
                           : tr("Dot products of %1's positions").arg(summary->name),
                    cosine ? tr("cosine") : tr("dot product"),
                    tr("%1 adds one row per position to its embeddings (%2), here the products of the first %3 rows.")
                        .arg(summary->name, kind)
                        .arg(m_model->table.dim(0)));
    }
    if (m_model->scores.empty())
        return showNothing(tr("In %1 positions enter neither the embeddings nor the scores (positions: %2).")
                               .arg(summary->name, kind));
    const bool bias = differsByHead(summary->info);
    show(matrixOfScheme(m_model->scores),
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

void OrderSchemes::show(AttentionMatrix matrix, const QString& title, const QString& value, const QString& result)
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
    present();
    say(result);
}

void OrderSchemes::showNothing(const QString& why)
{
    jobs().cancel();
    m_asked.clear();
    m_model.reset();
    m_content = {};
    m_content.empty = m_content.description = why;
    present();
    say(why);
}

void OrderSchemes::present()
{
    m_canvas->setFigure(squareMatrix(look(false), m_content));
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
        auto* line = new QLineSeries;
        line->setName(name);
        for (std::size_t i = 0; i < values.size(); ++i)
            line->append(curve.distances[i], values[i]);
        chart->addSeries(line);
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
    chart->addAxis(across, Qt::AlignBottom);
    chart->addAxis(up, Qt::AlignLeft);
    for (QAbstractSeries* series : chart->series()) {
        series->attachAxis(across);
        series->attachAxis(up);
    }
    chart->legend()->setVisible(varies);
    chart->legend()->setAlignment(Qt::AlignBottom);
    m_chart->show(chart, context().appearance.theme());
}

void OrderSchemes::restyle()
{
    present();
}

std::optional<Exportable> OrderSchemes::exportable()
{
    if (m_content.matrix.rows == 0)
        return std::nullopt;
    Exportable file;
    file.title = tr("Positions");
    file.theme = context().appearance.theme();
    const FigureLayout matrix = squareMatrix(look(false), m_content);
    file.layOut = [matrix, curve = m_chart->layout(tr("The same by distance.")), theme = file.theme](QSizeF size) {
        return layOutPanels({matrix, curve}, 2, size, theme);
    };
    file.csv = [content = m_content] { return matrixCsv(content); };
    return file;
}

} // namespace attn::ui
