// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "figures/charts/bar_list_figure.h"
#include "state/appearance.h"
#include "state/selection.h"
#include "state/study.h"
#include "views/figure_canvas.h"

#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace attn::ui {

// The most probable next tokens of the chosen step, or what a masked-token head expects at the chosen token, as bars;
// the token that was taken or stands there stands out. Those that matter are listed as far as there is room, the rest
// when asked for. Of an output any other can be taken, by a click or Enter, and any word that is typed.
class CandidatesPanel final : public QWidget
{
    Q_OBJECT

public:
    CandidatesPanel(Study& study, Selection& selection, Appearance& appearance, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {300, 360}; }
    bool hasHeightForWidth() const override { return false; } // the bars take the room that there is

    // Whether those that hardly matter are listed, too.
    bool showsAll() const { return m_all->isChecked(); }
    void setShowsAll(bool all) { m_all->setChecked(all); }
    const std::vector<BarListContent::Entry>& candidates() const { return m_candidates; } // also those not listed

    // With what probability each would be drawn; empty: as the model has it.
    void setDrawn(const std::map<TokenId, double>& drawn);
    // To type another word.
    void focusWord() { m_word->setFocus(); }

Q_SIGNALS:
    // Readings are to explain why the token of the chosen step, or the label, is not this one.
    void whyNotAsked(int id);
    // Goes on with these tokens in the place of what the chosen step produced.
    void taken(int step, const std::vector<attn::TokenId>& tokens);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // Tokens of what is typed; none where it cannot be taken, and why.
    struct TypedWord
    {
        std::vector<TokenId> tokens = {};
        QString said; // below the field
    };

    bool canTake() const; // something, at the chosen step
    bool offers(const BarListContent::Entry& candidate) const; // where something can be taken
    void take(int line);
    void showMenu(QPoint at);
    void takeWord();
    TypedWord typedWord() const;
    TypedWord readWord() const;
    void showWord();
    std::vector<BarListContent::Entry> thoseThatMatter(int room) const;
    int room() const;
    double leastLine() const; // pixels
    void later();
    void draw();
    void drawText();
    void takeCandidates();
    QString readCandidates();

    Study& m_study;
    Selection& m_selection;
    Appearance& m_appearance;
    std::vector<BarListContent::Entry> m_candidates;
    std::shared_ptr<const BarListContent> m_listed; // never null
    std::tuple<quint64, std::optional<StepId>, std::optional<int>, bool> m_read; // which candidates they are
    bool m_comes = false; // the step is still being written
    std::map<TokenId, double> m_drawn;
    QTimer m_later{this}; // many changes, one drawing
    QLabel* m_title = nullptr;
    FigureCanvas* m_bars = nullptr;
    QScrollArea* m_scroll = nullptr; // around the bars
    FigureCanvas* m_text = nullptr; // with the label of each token, or an answer; of other predictions hidden
    QScrollArea* m_textScroll = nullptr; // around it
    QToolButton* m_all = nullptr;
    QLabel* m_drawnNote = nullptr;
    QLineEdit* m_word = nullptr;
    QLabel* m_pieces = nullptr; // of the word, or why it cannot be taken
};

} // namespace attn::ui
