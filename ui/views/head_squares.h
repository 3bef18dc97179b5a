// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_choices.h"
#include "views/part_access.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace attn::ui {

// A square in its colour for each head of a layer: a click shows or hides a head, a double click shows it alone, and
// all of them when it was alone; with the keyboard arrows, Space and Enter.
class HeadSquares final : public QWidget, public PartSource
{
    Q_OBJECT

public:
    explicit HeadSquares(QWidget* parent = nullptr);

    // So many heads, of which some are shown; none of them: the one of `chosen`, or what is made of all.
    void show(int count, const std::vector<int>& shown, std::optional<int> chosen, Theme theme);
    using QWidget::show;
    QRect square(int head) const;

    // --- to assistive technology: a box to tick for each head
    int partCount() const override { return m_count; }
    AccessPart part(int head) const override;
    void pressPart(int head) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void headsChosen(const std::vector<int>& heads);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::optional<int> headAt(QPoint point) const;
    int largestSide() const; // follows the text
    int side() const;
    bool isShown(int head) const;
    void toggle(int head);
    void walkTo(int head); // with the keyboard
    void showAlone(int head, const std::vector<int>& before); // or all, where only it was shown

    int m_count = 0;
    std::vector<int> m_shown;
    std::vector<int> m_before; // the click that may be the first half of a double click
    std::optional<int> m_chosen;
    Theme m_theme = Theme::Light;
    int m_current = 0; // of the keyboard
};

} // namespace attn::ui
