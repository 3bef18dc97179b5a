// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/embedding_experiment.h"
#include "laboratory/laboratory_page.h"
#include "views/figure_canvas.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <memory>
#include <optional>
#include <vector>

namespace attn::ui {

struct BarListContent;
struct ScatterContent;

// The neighbours of a token in the embedding table, and the sentence's tokens in a plane, layer by layer.
class EmbeddingsPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit EmbeddingsPage(const LaboratoryContext& context, QWidget* parent = nullptr);

    std::optional<Exportable> exportable() const override;
    void activate() override;
    // The neighbours of a token of the source's (Encoder) or target's (Decoder) table.
    void lookAt(Stage side, TokenId token);

private:
    void buildControls();
    QWidget* buildContent();
    QWidget* buildLayerRow();
    Stage stage() const;
    bool hasModel() const { return !context().model().isEmpty(); }
    void readSentence();
    void showPlanes(std::shared_ptr<const PlanesExperiment> planes);
    int selectedToken() const; // under the window's selection, of those in the planes; -1: none
    void chooseDefaultToken(); // the selected one, else the longest that is not special
    void searchTyped();
    // The neighbours of a token, or of the first token that a text names.
    void search(std::optional<TokenId> token, const QString& text);
    void showNeighbours(std::shared_ptr<const NeighbourExperiment> neighbours);
    void listPieces();
    void play(bool on);
    void tellLayer();
    void redraw() override;
    BarListContent bars() const;
    ScatterContent scatter() const;
    QByteArray csv() const;

    JobRunner m_search; // beside the reading of the sentence
    QLineEdit* m_text = nullptr;
    QComboBox* m_piece = nullptr; // of a text that is several tokens
    QToolButton* m_stop = nullptr;
    QLabel* m_sideName = nullptr;
    QComboBox* m_side = nullptr; // of an encoder-decoder
    QToolButton* m_play = nullptr;
    QSlider* m_layer = nullptr;
    QLabel* m_layerName = nullptr;
    FigureCanvas* m_list = nullptr;
    FigureCanvas* m_cloud = nullptr;
    QTimer m_next;
    std::optional<std::pair<Question, Stage>> m_asked; // what the planes are of
    QString m_searched; // model and side that the neighbours are of
    std::shared_ptr<const PlanesExperiment> m_planes;
    std::shared_ptr<const NeighbourExperiment> m_neighbours;
};

} // namespace attn::ui
