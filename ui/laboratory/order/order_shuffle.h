// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_page.h"
#include "laboratory/order/order_figure.h"
#include "views/figure_canvas.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

#include <memory>
#include <optional>

namespace attn::ui {

// The same self-attention on the words of a sentence in two orders, without and with positions: by a small random layer
// or by the loaded model.
class OrderShuffle final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit OrderShuffle(const LaboratoryContext& context);

    void activate() override;
    std::optional<Exportable> exportable() const override;

private:
    enum Engine : int { SmallLayer, LoadedModel };

    void redraw() override;
    void buildOrder();
    void buildChoices();
    void nameModel();
    void setWords(const QString& sentence);
    void setOrder(const std::vector<int>& order);
    std::vector<int> order() const; // of the words as they stand in the list
    void moveWord(int by);
    void compute();
    void startModel();
    std::array<MatrixContent, 3> contents() const; // of the result
    void sayResult();
    bool causal() const { return m_runs && m_runs->causal(); }

    QLineEdit* m_sentence = nullptr;
    QListWidget* m_words = nullptr;
    QComboBox* m_engine = nullptr;
    QComboBox* m_layer = nullptr;
    QLabel* m_layerName = nullptr;
    QComboBox* m_positions = nullptr;
    QComboBox* m_picture = nullptr;
    FigureCanvas* m_canvas = nullptr;
    std::uint64_t m_seed = 0;
    bool m_typed = false; // the sentence is the page's own
    bool m_engineChosen = false; // by hand
    bool m_filling = false;
    QString m_asked; // model, text and order of the runs on hand or under way
    std::shared_ptr<const OrderExperiment> m_runs; // of the loaded model; null: none yet
    std::optional<OrderResult> m_result;
};

} // namespace attn::ui
