// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/embeddings/embeddings_page.h"

#include "base/index.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/charts/scatter_figure.h"
#include "figures/export/csv_field.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/panel_figure.h"
#include "state/strings.h"

#include <QSignalBlocker>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

constexpr int neighboursShown = 15;
constexpr double listPart = 0.38; // of an export's width
constexpr int playInterval = 1100; // ms

// A token as people read it, with a dot for the space that a piece begins with.
QString tokenName(const Encoding& encoding, std::size_t index)
{
    const auto& names = encoding.labels.empty() ? encoding.tokens : encoding.labels;
    if (index >= names.size())
        return QStringLiteral("<%1>").arg(index < encoding.ids.size() ? encoding.ids[index] : -1);
    return readableToken(pieceText(names[index]).toStdString());
}

QString placeName(const VectorPlace& place)
{
    switch (place.kind) {
    case VectorPlace::Kind::Table:
        return EmbeddingsPage::tr("Embeddings");
    case VectorPlace::Kind::Input:
        return place.positions ? EmbeddingsPage::tr("Entering layer 0, with positions")
                               : EmbeddingsPage::tr("Entering layer 0");
    case VectorPlace::Kind::After:
        break;
    }
    return (place.last ? EmbeddingsPage::tr("After layer %1 (last)") : EmbeddingsPage::tr("After layer %1"))
        .arg(place.layer);
}

} // namespace

EmbeddingsPage::EmbeddingsPage(const LaboratoryContext& context, QWidget* parent)
    : LaboratoryPage(context,
                     tr("Tokens that are used alike point in similar directions: the neighbours of a token by cosine, "
                        "of the whole vocabulary. Beside them the sentence's tokens in the plane in which they vary "
                        "most, layer by layer: attention moves words to what they mean here."),
                     parent)
    , m_search(context.controller)
{
    buildControls();
    setContent(buildContent());
    connect(&m_search, &JobRunner::busyChanged, m_stop, &QWidget::setVisible);
    connect(&m_search, &JobRunner::failed, this, [this](const UserMessage& problem) { message().show(problem); });
    connect(&jobs(), &JobRunner::busyChanged, this, &EmbeddingsPage::redraw);
    activateOnChanges();
    m_next.setInterval(playInterval);
    connect(&m_next, &QTimer::timeout, this, [this] {
        if (m_layer->value() < m_layer->maximum())
            m_layer->setValue(m_layer->value() + 1);
        if (m_layer->value() >= m_layer->maximum())
            m_play->setChecked(false);
    });
}

void EmbeddingsPage::buildControls()
{
    m_text = new QLineEdit;
    m_text->setAccessibleName(tr("Token whose neighbours are searched"));
    m_text->setMinimumWidth(210);
    m_piece = new QComboBox;
    m_piece->setObjectName(QStringLiteral("piece"));
    m_piece->setAccessibleName(tr("Which token of the text"));
    m_piece->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_piece->hide();
    m_stop = new QToolButton;
    m_stop->setObjectName(QStringLiteral("cancelSearch"));
    m_stop->setText(tr("Stop searching"));
    m_stop->hide();
    m_side = new QComboBox;
    m_side->setAccessibleName(tr("Side of the model"));
    m_side->addItems({tr("source (encoder)"), tr("target (decoder)")});
    addControl(tr("&Neighbours of"), m_text, "token");
    controls().addWidget(m_piece);
    controls().addWidget(m_stop);
    controls().addStretch(1);
    m_sideName = addControl(tr("S&ide"), m_side, "side");
    connect(m_text, &QLineEdit::returnPressed, this, &EmbeddingsPage::searchTyped);
    connect(m_piece, &QComboBox::activated, this, [this](int index) {
        if (m_neighbours && static_cast<std::size_t>(index) < m_neighbours->typed().size())
            search(m_neighbours->typed().ids[static_cast<std::size_t>(index)], m_text->text());
    });
    connect(m_stop, &QToolButton::clicked, &m_search, &JobRunner::cancel);
    connect(m_side, &QComboBox::currentIndexChanged, this, &EmbeddingsPage::activate);
}

QWidget* EmbeddingsPage::buildContent()
{
    m_list = makeCanvas("neighbours", tr("Nearest tokens by cosine"));
    m_cloud = makeCanvas("cloud", tr("Tokens of the sentence in a plane"));
    auto* right = new QWidget;
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(buildLayerRow());
    layout->addWidget(m_cloud, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(m_list);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({330, 540});
    splitter->setChildrenCollapsible(false);
    connect(m_list, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
        if (hit.isCell() && m_neighbours && static_cast<std::size_t>(hit.row) < m_neighbours->found().size())
            search(m_neighbours->found()[static_cast<std::size_t>(hit.row)].row, {});
    });
    connect(m_cloud, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
        if (hit.isCell() && m_planes && static_cast<std::size_t>(hit.column) < m_planes->tokens().size())
            search(m_planes->tokens().ids[static_cast<std::size_t>(hit.column)], {});
    });
    return splitter;
}

QWidget* EmbeddingsPage::buildLayerRow()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_play = new QToolButton;
    m_play->setObjectName(QStringLiteral("playLayers"));
    m_play->setText(tr("Play"));
    m_play->setToolTip(tr("Goes from layer to layer"));
    m_play->setCheckable(true);
    m_layer = new QSlider(Qt::Horizontal);
    m_layer->setObjectName(QStringLiteral("layer"));
    m_layer->setAccessibleName(tr("Layer"));
    m_layer->setPageStep(1);
    m_layer->setTickPosition(QSlider::TicksBelow);
    m_layer->setRange(0, 0);
    m_layer->setEnabled(false); // until there are layers
    m_play->setEnabled(false);
    m_layerName = new QLabel;
    m_layerName->setObjectName(QStringLiteral("layerName"));
    m_layerName->setTextFormat(Qt::PlainText);
    m_layerName->setMinimumWidth(210);
    auto* name = new QLabel(tr("&Layer"));
    name->setBuddy(m_layer);
    layout->addWidget(m_play);
    layout->addWidget(name);
    layout->addWidget(m_layer, 1);
    layout->addWidget(m_layerName);
    connect(m_play, &QToolButton::toggled, this, &EmbeddingsPage::play);
    connect(m_layer, &QSlider::valueChanged, this, &EmbeddingsPage::tellLayer);
    return row;
}

Stage EmbeddingsPage::stage() const
{
    const auto& model = context().study.model();
    return model ? embeddingStage(model->info, m_side->currentIndex() == 1) : Stage::Encoder;
}

void EmbeddingsPage::lookAt(Stage side, TokenId token)
{
    if (const auto& model = context().study.model(); model && model->info.kind == ModelKind::EncoderDecoder)
        m_side->setCurrentIndex(side == Stage::Decoder ? 1 : 0);
    if (hasModel())
        search(token, {});
}

void EmbeddingsPage::activate()
{
    const auto& model = context().study.model();
    const bool twoSides = model && model->info.kind == ModelKind::EncoderDecoder;
    m_side->setVisible(twoSides);
    m_sideName->setVisible(twoSides);
    m_text->setEnabled(hasModel());
    m_text->setPlaceholderText(model && !model->readsText ? tr("type an id and press Enter")
                                                          : tr("type a word and press Enter"));
    if (!hasModel()) {
        jobs().cancel();
        m_search.cancel();
        m_asked.reset();
        m_searched.clear();
        m_planes.reset();
        m_neighbours.reset();
        listPieces();
        say(tr("Open a model to see its embeddings; an archive holds none."));
        redraw();
        return;
    }
    readSentence();
    const QString searched = context().model() + QLatin1Char(stage() == Stage::Encoder ? 'e' : 'd');
    if (searched != m_searched) {
        m_searched = searched;
        m_neighbours.reset();
        m_search.cancel();
        listPieces();
        say({});
        if (m_planes)
            chooseDefaultToken();
    }
    redraw();
}

void EmbeddingsPage::readSentence()
{
    const Question question = context().question();
    const Stage side = stage();
    const std::pair asked(question, side);
    if (asked == m_asked && (m_planes || jobs().busy()))
        return;
    m_asked = asked;
    m_planes.reset();
    carryOut(jobs(), PlanesExperiment(question, side),
             [this](std::shared_ptr<const PlanesExperiment> planes) { showPlanes(std::move(planes)); });
}

void EmbeddingsPage::showPlanes(std::shared_ptr<const PlanesExperiment> planes)
{
    m_planes = std::move(planes);
    const int last = std::max(0, static_cast<int>(m_planes->layers().size()) - 1);
    const QSignalBlocker quiet(m_layer);
    m_layer->setRange(0, last);
    m_layer->setEnabled(last > 0);
    m_play->setEnabled(last > 0);
    tellLayer();
    if (!m_neighbours && !m_search.busy())
        chooseDefaultToken();
}

void EmbeddingsPage::tellLayer()
{
    const auto index = static_cast<std::size_t>(m_layer->value());
    const bool known = m_planes && index < m_planes->layers().size();
    m_layerName->setText(!known                      ? QString()
                             : m_planes->hasStates() ? placeName(m_planes->layers()[index].place)
                                                     : tr("This model reports no hidden states."));
    redraw();
}

void EmbeddingsPage::play(bool on)
{
    m_play->setText(on ? tr("Stop") : tr("Play"));
    if (!on) {
        m_next.stop();
        return;
    }
    if (m_layer->value() == m_layer->maximum())
        m_layer->setValue(0);
    m_next.start();
}

int EmbeddingsPage::selectedToken() const
{
    const Trace& trace = context().study.trace();
    const Selection& selection = context().selection;
    const bool decoder = m_planes->stage() == Stage::Decoder;
    const Encoding tokens = decoder ? trace.decoderInputs() : trace.source();
    if ((selection.site().stage == Stage::Decoder) != decoder || selection.column() < 0
        || tokens.ids != m_planes->tokens().ids)
        return -1;
    FigureSpec spec = look();
    spec.site = selection.site();
    spec.specials = context().appearance.specials();
    spec.pair = context().appearance.pair();
    const ShownMatrix shown = shownMatrix(spec, trace);
    const auto column = static_cast<std::size_t>(selection.column());
    return column < shown.columnGroups.size() ? shown.columnGroups[column].first : -1;
}

void EmbeddingsPage::chooseDefaultToken()
{
    const Encoding& tokens = m_planes->tokens();
    const int selected = selectedToken();
    int token = selected;
    for (std::size_t i = 0, longest = 0; selected < 0 && i < tokens.size(); ++i) {
        const bool special = i < tokens.special.size() && tokens.special[i];
        const auto length = static_cast<std::size_t>(tokenName(tokens, i).size());
        if (!special && length > longest) {
            longest = length;
            token = static_cast<int>(i);
        }
    }
    if (token >= 0 && static_cast<std::size_t>(token) < tokens.size())
        search(tokens.ids[static_cast<std::size_t>(token)], {});
}

void EmbeddingsPage::searchTyped()
{
    if (hasModel() && !m_text->text().trimmed().isEmpty())
        search(std::nullopt, m_text->text().trimmed());
}

void EmbeddingsPage::search(std::optional<TokenId> token, const QString& text)
{
    message().hide();
    if (text.isEmpty())
        m_text->clear();
    carryOut(m_search,
             NeighbourExperiment(context().model().toStdString(), stage(), token, text.toStdString(), neighboursShown),
             [this](std::shared_ptr<const NeighbourExperiment> found) { showNeighbours(std::move(found)); });
}

void EmbeddingsPage::showNeighbours(std::shared_ptr<const NeighbourExperiment> neighbours)
{
    m_neighbours = std::move(neighbours);
    listPieces();
    const auto& shown = *m_neighbours;
    const QString name = tokenName(shown.name(), 0);
    if (shown.found().empty())
        say(tr("The vector of “%1” is zero, so it has no direction.").arg(name));
    else if (shown.typed().size() > 1)
        say(tr("“%1” is %2 tokens to this model; the neighbours are those of “%3”.")
                .arg(m_text->text(), QString::number(shown.typed().size()), name));
    else
        say(tr("Of %1 tokens “%2” points most nearly where “%3” does.")
                .arg(grouped(shown.vocabulary()), tokenName(shown.names(), 0), name));
    redraw();
}

void EmbeddingsPage::listPieces()
{
    const QSignalBlocker quiet(m_piece);
    m_piece->clear();
    const bool several = m_neighbours && m_neighbours->typed().size() > 1;
    m_piece->setVisible(several);
    for (std::size_t i = 0; several && i < m_neighbours->typed().size(); ++i) {
        m_piece->addItem(tokenName(m_neighbours->typed(), i));
        if (m_neighbours->typed().ids[i] == m_neighbours->token())
            m_piece->setCurrentIndex(static_cast<int>(i));
    }
}

BarListContent EmbeddingsPage::bars() const
{
    BarListContent content;
    content.empty = !hasModel() ? tr("There are no embeddings to show.")
        : m_search.busy()       ? tr("Searching the vocabulary…")
        : m_neighbours          ? tr("This token has no neighbours.")
                                : tr("Type a word, or click a token of the sentence.");
    if (!m_neighbours)
        return content;
    content.title = {tr("Nearest to %1").arg(tokenName(m_neighbours->name(), 0)),
                     tr("cosine of the embeddings, %1 tokens").arg(grouped(m_neighbours->vocabulary()))};
    for (std::size_t i = 0; i < m_neighbours->found().size(); ++i)
        content.entries.push_back(
            {tokenName(m_neighbours->names(), i), static_cast<double>(m_neighbours->found()[i].cosine)});
    return content;
}

ScatterContent EmbeddingsPage::scatter() const
{
    ScatterContent content;
    const auto index = static_cast<std::size_t>(m_layer->value());
    content.empty = !hasModel() ? tr("There are no embeddings to show.")
        : busy()                ? tr("Reading the sentence…")
                                : tr("There are no tokens to show.");
    if (!m_planes || index >= m_planes->layers().size())
        return content;
    const auto& layer = m_planes->layers()[index];
    content.title = {placeName(layer.place),
                     tr("%1 of the variance; turned to follow the layer before")
                         .arg(percent(layer.plane.explained[0] + layer.plane.explained[1]))};
    if (index == 0)
        content.title.subtitle = tr("%1 of the variance, by principal components")
                                     .arg(percent(layer.plane.explained[0] + layer.plane.explained[1]));
    content.xAxis = tr("%1 of the variance").arg(percent(explainedBy(layer.plane, 0)));
    content.yAxis = tr("%1 of the variance").arg(percent(explainedBy(layer.plane, 1)));
    const NumberView points = layer.plane.points.matrix();
    const Encoding& tokens = m_planes->tokens();
    for (Index i = 0; i < indexSize(tokens); ++i) {
        const auto row = points.row(i);
        const bool chosen =
            m_neighbours && m_neighbours->stage() == m_planes->stage() && m_neighbours->token() == tokens.ids[i];
        content.points.push_back({QPointF(static_cast<double>(row[0]), static_cast<double>(row[1])),
                                  tokenName(tokens, i), i < indexSize(tokens.special) && tokens.special[i], chosen});
    }
    return content;
}

void EmbeddingsPage::redraw()
{
    m_list->setFigure([content = bars(), spec = look()](QSizeF size) { return barListFigure(spec, content, size); });
    m_cloud->setFigure(
        [content = scatter(), spec = look()](QSizeF size) { return scatterFigure(spec, content, size); });
}

QByteArray EmbeddingsPage::csv() const
{
    QString text = QStringLiteral("part,layer,token,id,x,y,cosine\r\n");
    for (std::size_t i = 0; m_neighbours && i < m_neighbours->found().size(); ++i)
        text += QStringLiteral("neighbour,,%1,%2,,,%3\r\n")
                    .arg(csvField(tokenName(m_neighbours->names(), i)), QString::number(m_neighbours->found()[i].row),
                         csvNumber(static_cast<double>(m_neighbours->found()[i].cosine)));
    for (std::size_t layer = 0; m_planes && layer < m_planes->layers().size(); ++layer) {
        const auto& shown = m_planes->layers()[layer];
        for (std::size_t i = 0; i < m_planes->tokens().size(); ++i) {
            const auto point = shown.plane.points.matrix().row(static_cast<int>(i));
            text += QStringLiteral("point,%1,%2,%3,%4,%5,\r\n")
                        .arg(csvField(placeName(shown.place)), csvField(tokenName(m_planes->tokens(), i)),
                             QString::number(m_planes->tokens().ids[i]), csvNumber(static_cast<double>(point[0])),
                             csvNumber(static_cast<double>(point[1])));
        }
    }
    return text.toUtf8();
}

std::optional<Exportable> EmbeddingsPage::exportable() const
{
    if (!m_planes && !m_neighbours)
        return std::nullopt;
    const FigureSpec spec = look();
    const auto layOut = [spec, list = bars(), cloud = scatter()](QSizeF size) {
        const double left = size.width() * listPart;
        auto names = barListFigure(spec, list, QSizeF(left, size.height()));
        const double height = names->size().height();
        auto points = scatterFigure(spec, cloud, QSizeF(size.width() - left, height));
        std::vector<Panel> panels;
        panels.push_back({std::move(names), {}});
        panels.push_back({std::move(points), QPointF(left, 0)});
        return std::make_unique<PanelFigure>(std::move(panels), QSizeF(size.width(), height),
                                             themeColors(spec.theme).background);
    };
    return Exportable{title(), spec.theme, layOut, [bytes = csv()] { return bytes; }, {}};
}

} // namespace attn::ui
