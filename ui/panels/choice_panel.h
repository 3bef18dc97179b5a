// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/head_facts.h"
#include "state/appearance.h"
#include "state/edit_list.h"
#include "state/selection.h"
#include "state/study.h"
#include "views/figure_canvas.h"

#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace attn::ui {

// The chosen place, and no more than it has: of a word the weights by which it was read, of one of these what can be
// done to it, of a head what it does.
class ChoicePanel final : public QWidget
{
    Q_OBJECT

public:
    ChoicePanel(Study& study, Selection& selection, Appearance& appearance, const EditList& edits,
                QWidget* parent = nullptr);

    // A cell of the selected attention, by its tokens.
    void chooseCell(int rowToken, int columnToken);

Q_SIGNALS:
    // One of editRows() is wanted at a place of the figure that the spec asks for.
    void editAsked(const char* id, const attn::ui::FigureSpec& spec, const attn::ui::FigureHit& hit, QPoint position);
    void whyAsked(const attn::ui::FigureHit& hit);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Cell
    {
        Site site;
        int row = 0; // tokens
        int column = 0;
    };

    QToolButton* addButton(const char* name, const char* edit, const QString& text);
    void chooseWeight(int column);
    FigureSpec spec() const;
    std::optional<FigureHit> hit() const; // the chosen cell's
    void later();
    void show();
    void showWeights(const FigureSpec& spec);
    double hiddenShare(MapSpec wanted, const Map& shown, int step) const;
    void showCell();
    void showHead(const FigureSpec& spec);

    Study& m_study;
    Selection& m_selection;
    Appearance& m_appearance;
    const EditList& m_edits;
    std::optional<Cell> m_cell;
    bool m_comes = false; // the step is still being written
    bool m_isLow = false; // the window
    std::vector<int> m_columns; // first tokens of the bars
    std::shared_ptr<const HeadFacts> m_facts; // null: not known
    std::tuple<quint64, std::optional<StepId>, Stage> m_factsOf;
    QTimer m_later{this}; // many changes, one drawing
    QLabel* m_title = nullptr;
    FigureCanvas* m_bars = nullptr;
    QWidget* m_cellRow = nullptr;
    std::vector<std::pair<QToolButton*, const char*>> m_buttons; // with their edits
    QLabel* m_head = nullptr;
};

} // namespace attn::ui
