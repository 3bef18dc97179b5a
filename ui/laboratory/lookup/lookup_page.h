// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/charts/lookup_figure.h"
#include "laboratory/laboratory_page.h"
#include "laboratory/lookup/lookup_table.h"
#include "laboratory/lookup/query_plane.h"
#include "panels/number_box.h"

#include <QSlider>
#include <QSpinBox>
#include <QTableView>

#include <array>

namespace attn::ui {

// A key-value table and a query, both edited in place, and what a lookup answers exactly and softly.
class LookupPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit LookupPage(const LaboratoryContext& context, QWidget* parent = nullptr);

    std::optional<Exportable> exportable() const override;
    void activate() override;
    const LookupContent& content() const { return m_content; }

private:
    void buildControls();
    QWidget* buildTable();
    void connectFigures();
    void restoreExample();
    void setQuery(const std::vector<double>& query);
    void setSharpness(double sharpness);
    void useScaledDotProduct(); // sharpness 1/sqrt(d)
    void changed();
    void redraw() override;
    QString outcome() const;

    LookupTable* m_table = nullptr;
    QTableView* m_view = nullptr;
    QPushButton* m_add = nullptr;
    QPushButton* m_remove = nullptr;
    std::array<NumberBox*, LookupTable::mostWidth> m_query{};
    QSpinBox* m_width = nullptr;
    QSlider* m_slider = nullptr; // logarithm of the sharpness
    NumberBox* m_sharpness = nullptr;
    QPushButton* m_scaled = nullptr;
    QueryPlane* m_plane = nullptr;
    FigureCanvas* m_weights = nullptr;
    LookupContent m_content;
    bool m_isScaled = true; // the sharpness stays 1/sqrt(d) when d changes
    bool m_settling = false; // several controls change at once
};

} // namespace attn::ui
