// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/token_figure.h"
#include "views/figure_view.h"

#include <optional>

namespace attn::ui {

// A figure of tokens with a bar of choices below it, or in a corner that the figure leaves free. A click picks a token,
// with Ctrl one more, and lets it go again; arrows walk from token to token, Enter picks, Esc lets all go. What is
// picked is picked in all such views, and is the step that all others show.
class TokenView : public FigureView
{
    Q_OBJECT

public:
    enum class Bar : std::uint8_t { Below, InCorner };

    TokenView(const FigureKind& kind, ViewContext context, QWidget* bar, Bar place = Bar::Below);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent*) override { } // two clicks on a token
    QSizeF room() const override;
    Highlight highlight() const override;
    FigureHit keyboardHit() override;
    void lookAt(const FigureHit& hit) override;
    void choose(const FigureHit& hit) override;
    bool handleKey(QKeyEvent* event) override;

    const TokenFigure* tokens(); // null: nothing is drawn
    void letGo(); // of all picked tokens
    virtual void walkedTo(TokenPlace) { } // by the keyboard

private:
    void placeBar();
    bool pick(TokenPlace place, bool further);
    void pickStep();

    QWidget* m_bar = nullptr; // null: there is none
    Bar m_place;
    std::optional<TokenPlace> m_at; // pointed at last
    Stage m_stage; // of the picked tokens
};

} // namespace attn::ui
