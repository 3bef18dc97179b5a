// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/encoding.h"
#include "base/index.h"
#include "experiments/embedding_experiment.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/charts/scatter_figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/panel_figure.h"
#include "laboratory/laboratory_page.h"
#include "state/strings.h"

#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <chrono>
#include <utility>

namespace attn::ui {

namespace {

constexpr int neighboursShown = 15;
constexpr double listPart = 0.38; // of an export's width
constexpr auto layerTime = std::chrono::milliseconds(1100); // when played

// A token as people read it, with a dot for the space that a piece begins with.
QString tokenName(const Encoding& encoding, Index index)
{
    const auto& names = encoding.labels.empty() ? encoding.tokens : encoding.labels;
    if (index >= indexSize(names))
        return index < indexSize(encoding.ids) ? QString::fromStdString(unknownPiece(encoding.ids[index])) : QString();
    return readableToken(pieceText(names[index]).toStdString());
}

// The neighbours of a token in the embedding table, and the sentence's tokens in a plane, layer by layer.
class EmbeddingsPage final : public LaboratoryPage
{
    Q_DECLARE_TR_FUNCTIONS(EmbeddingsPage)

public:
    explicit EmbeddingsPage(const LaboratoryContext& context)
        : LaboratoryPage(context,
                         tr("Tokens that are used alike point in similar directions: the neighbours of a token by "
                            "cosine, of the whole vocabulary. Beside them the sentence's tokens in the plane in which "
                            "they vary most, layer by layer: attention moves words to what they mean here."))
        , m_search(context.controller)
    {
        addControls();
        setContent(makeContent());
        connect(&m_search, &JobRunner::busyChanged, m_stop, &QWidget::setVisible);
        connect(&m_search, &JobRunner::failed, this, [this](const UserMessage& problem) { message().show(problem); });
        connect(&jobs(), &JobRunner::busyChanged, this, &EmbeddingsPage::redraw);
        activateOnChanges();
        m_next.setInterval(layerTime);
        connect(&m_next, &QTimer::timeout, this, [this] {
            m_layer->setValue(m_layer->value() + 1);
            if (m_layer->value() == m_layer->maximum())
                m_play->setChecked(false);
        });
    }

    void activate() override
    {
        setShown(m_side, hasSides());
        m_text->setEnabled(model() != nullptr);
        m_text->setPlaceholderText(model() && !model()->readsText ? tr("type an id and press Enter")
                                                                  : tr("type a word and press Enter"));
        if (!model()) {
            jobs().cancel();
            m_search.cancel();
            m_searched.reset();
            m_planes = {};
            m_neighbours.reset();
            listPieces();
            say(tr("Open a model to see its embeddings; an archive holds none."));
            return redraw();
        }
        const Question question = context().question();
        ask(
            m_planes, std::pair(question, stage()), [&] { return PlanesExperiment(question, stage()); },
            [this] { showPlanes(); });
        if (const std::pair searched(model()->path, stage()); searched != m_searched) {
            m_searched = searched;
            m_neighbours.reset();
            m_search.cancel();
            listPieces();
            say({});
            if (m_planes.result)
                chooseDefaultToken();
        }
        redraw();
    }

    void lookAt(const Place& place) override
    {
        if (!place.token)
            return;
        if (hasSides())
            m_side->setCurrentIndex(place.token->side == Stage::Decoder ? 1 : 0);
        search(place.token->id, {});
    }

    std::optional<Exportable> exportable() const override
    {
        if (!m_planes.result && !m_neighbours)
            return std::nullopt;
        const auto layOut = [spec = look(), list = bars(), cloud = scatter()](QSizeF size) {
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
        return shown(layOut, [neighbours = m_neighbours, planes = m_planes.result]() -> QByteArray {
            return neighboursCsv(neighbours.get()) + pointsCsv(planes.get());
        });
    }

private:
    void addControls()
    {
        m_text = addControl({"token", tr("&Neighbours of"), tr("Token whose neighbours are searched")}, new QLineEdit);
        m_text->setMinimumWidth(210);
        m_piece = addChoice({"piece", {}, tr("Which token of the text")});
        m_piece->hide();
        m_stop = addControl({"cancelSearch", tr("Stop searching")}, new QToolButton);
        m_stop->hide();
        m_side = addChoice({"side", tr("S&ide"), tr("Side of the model")},
                           {{"source", tr("source (encoder)")}, {"target", tr("target (decoder)")}});
        connect(m_text, &QLineEdit::returnPressed, this, [this] {
            if (const QString typed = m_text->text().trimmed(); !typed.isEmpty())
                search(std::nullopt, typed);
        });
        connect(m_piece, &QComboBox::activated, this,
                [this](int index) { search(m_neighbours->typed().ids.at(index), m_text->text()); });
        connect(m_stop, &QToolButton::clicked, &m_search, &JobRunner::cancel);
        onChange({m_side}, [this] { activate(); });
    }

    QWidget* makeContent()
    {
        m_list = makeCanvas("neighbours", tr("Nearest tokens by cosine"));
        m_cloud = makeCanvas("cloud", tr("Tokens of the sentence in a plane"));
        auto* right = new QWidget;
        auto* layout = new QVBoxLayout(right);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addLayout(makeLayerRow());
        layout->addWidget(m_cloud, 1);
        connect(m_list, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
            if (hit.isCell() && m_neighbours && hit.row < indexSize(m_neighbours->found()))
                search(m_neighbours->found()[*hit.row].row, {});
        });
        connect(m_cloud, &FigureCanvas::activated, this, [this](const FigureHit& hit) {
            if (hit.isCell() && m_planes.result && hit.column < indexSize(m_planes.result->tokens()))
                search(m_planes.result->tokens().ids[*hit.column], {});
        });
        return split(Qt::Horizontal, {{m_list, 330, 2}, {right, 540, 3}});
    }

    QLayout* makeLayerRow()
    {
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
        setLayers(0);
        m_layerName = plainLabel();
        m_layerName->setObjectName(QStringLiteral("layerName"));
        m_layerName->setMinimumWidth(210);
        auto* name = plainLabel(tr("&Layer"));
        name->setBuddy(m_layer);
        auto* row = new QHBoxLayout;
        row->addWidget(m_play);
        row->addWidget(name);
        row->addWidget(m_layer, 1);
        row->addWidget(m_layerName);
        connect(m_play, &QToolButton::toggled, this, &EmbeddingsPage::play);
        connect(m_layer, &QSlider::valueChanged, this, &EmbeddingsPage::tellLayer);
        return row;
    }

    void setLayers(int last)
    {
        m_layer->setRange(0, last);
        m_layer->setEnabled(last > 0);
        m_play->setEnabled(last > 0);
    }

    // With an embedding table each: patches and frames of a sound have none.
    bool hasSides() const
    {
        return model() && model()->info.kind == ModelKind::EncoderDecoder && model()->info.input == InputKind::Text;
    }
    Stage stage() const
    {
        return embeddingStage(model()->info, m_side->currentIndex() == 1 || model()->info.input != InputKind::Text);
    }

    void showPlanes()
    {
        const QSignalBlocker quiet(m_layer);
        setLayers(std::max(0, indexSize(m_planes.result->layers()) - 1));
        tellLayer();
        if (!m_neighbours && !m_search.busy())
            chooseDefaultToken();
    }

    // The one that is looked at; null: nothing is known of it.
    const PlanesExperiment::Layer* layer() const
    {
        const bool known = m_planes.result && m_layer->value() < indexSize(m_planes.result->layers());
        return known ? &m_planes.result->layers()[m_layer->value()] : nullptr;
    }

    static QString placeName(const VectorPlace& place)
    {
        if (place.kind == VectorPlace::Kind::Table)
            return tr("Embeddings");
        if (place.kind == VectorPlace::Kind::Input)
            return place.positions ? tr("Entering layer 0, with positions") : tr("Entering layer 0");
        return (place.last ? tr("After layer %1 (last)") : tr("After layer %1")).arg(place.layer);
    }

    void tellLayer()
    {
        m_layerName->setText(layer() == nullptr                 ? QString()
                                 : m_planes.result->hasStates() ? placeName(layer()->place)
                                                                : tr("This model reports no hidden states."));
        redraw();
    }

    void play(bool on)
    {
        m_play->setText(on ? tr("Stop") : tr("Play"));
        if (!on)
            return m_next.stop();
        if (m_layer->value() == m_layer->maximum())
            m_layer->setValue(0);
        m_next.start();
    }

    // Token in the planes that is selected, under the window's selection.
    std::optional<int> selectedToken() const
    {
        const Trace& trace = context().study.trace();
        const Selection& selection = context().selection;
        const bool decoder = m_planes.result->stage() == Stage::Decoder;
        const Encoding tokens = decoder ? trace.decoderInputs() : trace.source();
        if ((selection.site().stage == Stage::Decoder) != decoder || !selection.column()
            || tokens.ids != m_planes.result->tokens().ids)
            return std::nullopt;
        FigureSpec spec = look();
        spec.site = selection.site();
        spec.specials = context().appearance.choices().specials;
        spec.pair = context().appearance.choices().pair;
        const Map shown = mapAxes(trace, spec.mapSpec());
        if (selection.column() >= indexSize(shown.columns.groups) || shown.columns.isSink(*selection.column()))
            return std::nullopt;
        return shown.columns.groups[static_cast<std::size_t>(*selection.column())].first;
    }

    // The selected one, else the longest that is not special.
    void chooseDefaultToken()
    {
        const Encoding& tokens = m_planes.result->tokens();
        std::vector<qsizetype> lengths; // 0 of special ones
        for (Index i = 0; i < indexSize(tokens); ++i)
            lengths.push_back(isSpecial(tokens, i) ? 0 : tokenName(tokens, i).size());
        const auto longest = std::ranges::max_element(lengths);
        const auto selected = selectedToken();
        if (selected ? *selected < indexSize(tokens) : longest != lengths.end() && *longest > 0)
            search(tokens.ids[selected.value_or(static_cast<int>(longest - lengths.begin()))], {});
    }

    // The neighbours of a token, or of the first token that a text names.
    void search(std::optional<TokenId> token, const QString& text)
    {
        if (!model())
            return;
        message().hide();
        if (text.isEmpty())
            m_text->clear();
        carryOut(m_search,
                 NeighbourExperiment(model()->path.toStdString(), stage(), token, text.toStdString(), neighboursShown),
                 [this](std::shared_ptr<const NeighbourExperiment> found) {
                     m_neighbours = std::move(found);
                     listPieces();
                     say(outcome());
                     redraw();
                 });
    }

    QString outcome() const
    {
        const int lost = m_neighbours->withoutNumbers();
        return neighboursText()
            + (lost == 0 ? QString()
                         : QLatin1Char(' ')
                       + tr("Tokens whose vectors hold what is no number: %1; they are left out.").arg(grouped(lost)));
    }

    QString neighboursText() const
    {
        const QString name = tokenName(m_neighbours->name(), 0);
        if (!m_neighbours->hasNumbers())
            return tr("The vector of “%1” holds what is no number, so it has no direction.").arg(name);
        if (m_neighbours->found().empty())
            return tr("The vector of “%1” is zero, so it has no direction.").arg(name);
        if (m_neighbours->typed().size() > 1)
            return tr("“%1” is %2 tokens to this model; the neighbours are those of “%3”.")
                .arg(m_text->text(), QString::number(m_neighbours->typed().size()), name);
        return tr("Of %1 tokens “%2” points most nearly where “%3” does.")
            .arg(grouped(m_neighbours->vocabulary()), tokenName(m_neighbours->names(), 0), name);
    }

    // Lists the pieces of a text that is several tokens.
    void listPieces()
    {
        const QSignalBlocker quiet(m_piece);
        m_piece->clear();
        const Encoding typed = m_neighbours ? m_neighbours->typed() : Encoding();
        m_piece->setVisible(typed.size() > 1);
        for (Index i = 0; i < indexSize(typed); ++i) {
            m_piece->addItem(tokenName(typed, i));
            if (typed.ids[i] == m_neighbours->token())
                m_piece->setCurrentIndex(i);
        }
    }

    BarListContent bars() const
    {
        BarListContent content;
        content.empty = !model() ? tr("There are no embeddings to show.")
            : m_search.busy()    ? tr("Searching the vocabulary…")
            : m_neighbours       ? tr("This token has no neighbours.")
                                 : tr("Type a word, or click a token of the sentence.");
        if (!m_neighbours)
            return content;
        content.title = {tr("Nearest to %1").arg(tokenName(m_neighbours->name(), 0)),
                         tr("cosine of the embeddings, %1 tokens").arg(grouped(m_neighbours->vocabulary()))};
        for (Index i = 0; i < indexSize(m_neighbours->found()); ++i)
            content.entries.push_back(
                {tokenName(m_neighbours->names(), i), static_cast<double>(m_neighbours->found()[i].cosine)});
        return content;
    }

    ScatterContent scatter() const
    {
        ScatterContent content;
        content.empty = !model() ? tr("There are no embeddings to show.")
            : busy()             ? tr("Reading the sentence…")
                                 : tr("There are no tokens to show.");
        if (layer() == nullptr)
            return content;
        const Plane& plane = layer()->plane;
        const bool first = m_layer->value() == 0;
        content.title = {placeName(layer()->place),
                         (first ? tr("%1 of the variance, by principal components")
                                : tr("%1 of the variance; turned to follow the layer before"))
                             .arg(percent(plane.explained[0] + plane.explained[1]))};
        content.xAxis = tr("%1 of the variance").arg(percent(explainedBy(plane, 0)));
        content.yAxis = tr("%1 of the variance").arg(percent(explainedBy(plane, 1)));
        const NumberView points = plane.points.matrix();
        const Encoding& tokens = m_planes.result->tokens();
        for (Index i = 0; i < indexSize(tokens); ++i) {
            const auto row = points.row(i);
            const bool chosen = m_neighbours && m_neighbours->stage() == m_planes.result->stage()
                && m_neighbours->token() == tokens.ids[i];
            const QPointF at(static_cast<double>(row[0]), static_cast<double>(row[1]));
            content.points.push_back({std::isfinite(at.x() + at.y()) ? std::optional(at) : std::nullopt,
                                      tokenName(tokens, i), isSpecial(tokens, i), chosen});
        }
        return content;
    }

    void redraw() override
    {
        m_list->setFigure(
            [content = bars(), spec = look()](QSizeF size) { return barListFigure(spec, content, size); });
        m_cloud->setFigure(
            [content = scatter(), spec = look()](QSizeF size) { return scatterFigure(spec, content, size); });
    }

    static QByteArray neighboursCsv(const NeighbourExperiment* neighbours) // null: none
    {
        QString text = QStringLiteral("part,layer,token,id,x,y,cosine\r\n");
        for (Index i = 0; neighbours != nullptr && i < indexSize(neighbours->found()); ++i)
            text += QStringLiteral("neighbour,,%1,%2,,,%3\r\n")
                        .arg(csvField(tokenName(neighbours->names(), i)), QString::number(neighbours->found()[i].row),
                             csvNumber(static_cast<double>(neighbours->found()[i].cosine)));
        return text.toUtf8();
    }

    static QByteArray pointsCsv(const PlanesExperiment* planes) // null: none
    {
        if (planes == nullptr)
            return {};
        QString text;
        const Encoding& tokens = planes->tokens();
        for (const PlanesExperiment::Layer& layer : planes->layers()) {
            for (Index i = 0; i < indexSize(tokens); ++i) {
                const auto point = layer.plane.points.matrix().row(i);
                text += QStringLiteral("point,%1,%2,%3,%4,%5,\r\n")
                            .arg(csvField(placeName(layer.place)), csvField(tokenName(tokens, i)),
                                 QString::number(tokens.ids[i]), csvNumber(static_cast<double>(point[0])),
                                 csvNumber(static_cast<double>(point[1])));
            }
        }
        return text.toUtf8();
    }

    JobRunner m_search; // beside the reading of the sentence
    QLineEdit* m_text = nullptr;
    QComboBox* m_piece = nullptr; // of a text that is several tokens
    QToolButton* m_stop = nullptr;
    QComboBox* m_side = nullptr; // of an encoder-decoder
    QToolButton* m_play = nullptr;
    QSlider* m_layer = nullptr;
    QLabel* m_layerName = nullptr;
    FigureCanvas* m_list = nullptr;
    FigureCanvas* m_cloud = nullptr;
    QTimer m_next;
    Answered<PlanesExperiment, std::pair<Question, Stage>> m_planes;
    std::optional<std::pair<QString, Stage>> m_searched; // model and side that the neighbours are of
    std::shared_ptr<const NeighbourExperiment> m_neighbours;
};

} // namespace

LaboratoryPage* makeEmbeddingsPage(const LaboratoryContext& context)
{
    return new EmbeddingsPage(context);
}

} // namespace attn::ui
