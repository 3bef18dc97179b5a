// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;

namespace attn::ui {

class FigureView;
class ViewTabs;

// Finds tokens in the view in front, and walks from one to the next.
class FindBar final : public QFrame
{
    Q_OBJECT

public:
    explicit FindBar(ViewTabs& views, QWidget* parent = nullptr);

    void begin(); // shows the bar, with the keyboard
    void go(int step); // 1: to the next one, -1: to the one before

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void look(); // in the view in front
    void tell();

    ViewTabs& m_views;
    QPointer<FigureView> m_view; // that is searched
    QLineEdit* m_text;
    QLabel* m_count;
};

} // namespace attn::ui
