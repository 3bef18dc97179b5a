// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure_view.h"

namespace attn::ui {

// The sentences above all views: a click on a word that was written chooses its step, arrow keys walk from one to the
// next, and two clicks on a word that was read put the cursor on it in the sentence. As high as its two lines.
class StageView final : public FigureView
{
    Q_OBJECT

public:
    explicit StageView(const ViewContext& context, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {220, sizeHint().height()}; }

    // The map that its lines are drawn of, and where in it a hit is.
    FigureSpec mapSpec() const;
    FigureHit onMap(FigureHit hit) const;

Q_SIGNALS:
    void wordOpened(int token); // of the text that was read, to be changed

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void choose(const FigureHit& hit) override;
    bool handleKey(QKeyEvent* event) override;

private:
    void fit();
    void walk(int words); // by so many words that were written
};

} // namespace attn::ui
