// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/order/order_runs.h"
#include "laboratory/order/order_tab.h"
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
class OrderShuffle final : public OrderTab
{
    Q_OBJECT

public:
    OrderShuffle(const LaboratoryContext& context, JobRunner& jobs);

    void activate() override;
    void restyle() override;
    std::optional<Exportable> exportable() override;

private:
    enum Engine : int { SmallLayer, LoadedModel };

    void buildOrder(QBoxLayout& layout);
    void buildChoices(QBoxLayout& layout);
    void nameModel();
    void setWords(const QString& sentence);
    void setOrder(const std::vector<int>& order);
    std::vector<int> order() const; // of the words as they stand in the list
    void moveWord(int by);
    void compute();
    void startModel();
    void present();
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
    std::shared_ptr<const OrderRuns> m_runs; // of the loaded model; null: none yet
    std::optional<OrderResult> m_result;
};

} // namespace attn::ui
