// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_page.h"
#include "laboratory/length/length_chart.h"

#include <QComboBox>
#include <QListWidget>
#include <QSpinBox>
#include <QStackedWidget>

#include <map>

namespace attn::ui {

// Quality by sentence length: of the bundled models as their cards say, or measured on a file of sentence pairs.
class LengthPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit LengthPage(const LaboratoryContext& context, QWidget* parent = nullptr);

    std::optional<Exportable> exportable() const override;
    void activate() override;
    const LengthCurves& curves() const { return m_shown; }

private:
    enum class Origin : std::uint8_t { Cards, File };

    void buildControls();
    Origin origin() const;
    LengthMeasure measure() const;
    void readCards();
    void listModels();
    void addModel(const QString& name, const std::string& id, bool ticked);
    QStringList tickedModels() const;
    void chooseFile();
    void start();
    void enableControls();
    void redraw() override;
    void keep(const LengthCurves& curves);

    QComboBox* m_origin = nullptr;
    QComboBox* m_measure = nullptr;
    QPushButton* m_choose = nullptr;
    QSpinBox* m_most = nullptr;
    QPushButton* m_start = nullptr;
    QListWidget* m_models = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_empty = nullptr;
    LengthChart* m_chart = nullptr;
    QString m_file;
    bool m_cardsRead = false;
    std::map<std::string, QString> m_tips; // of the bundled models, by name
    LengthCurves m_cards;
    std::map<LengthMeasure, LengthCurves> m_measured; // on the file
    LengthCurves m_shown;
};

} // namespace attn::ui
