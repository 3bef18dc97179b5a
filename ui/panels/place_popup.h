// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

namespace attn::ui {

// Something small over the window, beside what it is about: closed by Escape, and when the focus goes elsewhere.
class PlacePopup : public QFrame
{
    Q_OBJECT

public:
    explicit PlacePopup(QWidget* window);

    void openAt(QPoint position, QWidget* focus); // on the screen

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void stayInside(); // of the window, with the size that it asks now

private:
    QPointer<QWidget> m_before; // had the focus
    bool m_closing = false;
};

} // namespace attn::ui
