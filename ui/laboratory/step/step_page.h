// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/charts/stages_figure.h"
#include "laboratory/laboratory_page.h"
#include "laboratory/step/stage_transition.h"
#include "trace/stage.h"
#include "views/figure_canvas.h"

#include <QListWidget>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include <optional>
#include <set>
#include <vector>

namespace attn::ui {

// Which cell the stages are about, in the words of the heatmap.
struct CellNames
{
    QString query; // the row's token
    QStringList keys; // the columns' tokens
    int key = 0; // the column that is looked at
    int heads = 1;
};

// The stages of a step in words (stage_words.cpp): what happens, as a formula, with which shapes and numbers.
std::vector<StageContent> stageContents(const CellStages& reported, const CellNames& cell);

// A cell of an attention matrix, in tokens: what the page computes anew, stage by stage.
struct StepCell
{
    Site site;
    int head = 0;
    int row = 0;
    std::optional<int> key; // none: the one with the largest weight
};

// The computation of one attention weight with its real numbers, to be stepped through and played.
class StepPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit StepPage(const LaboratoryContext& context);

    std::optional<Exportable> exportable() const override;
    void activate() override;
    // Shows the head that gives the cell most, where a place is of a mean or maximum over heads.
    void lookAt(const Place& place) override;
    // Another cell of the run that the window shows.
    void lookAt(const StepCell& cell);

    const std::vector<StageContent>& stages() const { return m_stages; }
    // Stages that a run reported of the cell; empty: nothing is computed.
    const CellStages& reported() const { return m_reported; }
    const StepCell& cell() const { return m_cell; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumn();
    void addCellControls();
    QWidget* stageColumn();
    QToolButton* addButton(QHBoxLayout& row, const char* name, const QString& text, int by);
    void fillPickers();
    int key() const { return m_cell.key.value_or(0); } // that was looked at last
    void lookAtKey(int key);
    void compute();
    void makeStages();
    void goTo(int stage);
    void togglePlay();
    void redraw() override;
    void clear(const QString& why);
    void enableControls();
    FigureLayout layOut(bool marked) const;
    void foldAll(); // but what was unfolded
    void fold(int stage); // or unfold it
    int stageOf(const FigureHit& hit) const;

    StepCell m_cell;
    std::optional<quint64> m_revision; // of the result that the pickers were filled from
    CellStages m_reported;
    std::vector<StageContent> m_stages;
    QStringList m_rows; // names of the matrix' rows and columns
    QStringList m_keys;
    QComboBox* m_site = nullptr;
    QComboBox* m_head = nullptr;
    QComboBox* m_row = nullptr;
    QComboBox* m_key = nullptr;
    QListWidget* m_list = nullptr;
    QCheckBox* m_all = nullptr;
    QCheckBox* m_numbers = nullptr; // of long vectors, in all stages
    std::set<int> m_unfolded; // stages whose long vectors are shown
    QToolButton* m_play = nullptr;
    QTimer m_next;
    FigureCanvas* m_canvas = nullptr;
    QScrollArea* m_scroll = nullptr;
    StageTransition* m_transition = nullptr;
    QStackedWidget* m_right = nullptr; // the stages, or why there are none
    FigureCanvas* m_nothing = nullptr;
    QString m_why;
    QWidget* m_stageColumn = nullptr;
};

} // namespace attn::ui
