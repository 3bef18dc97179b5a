// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/place_popup.h"

#include <QApplication>
#include <QCloseEvent>
#include <QKeyEvent>

#include <algorithm>

namespace attn::ui {

PlacePopup::PlacePopup(QWidget* window)
    : QFrame(window)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    setFrameShadow(QFrame::Raised);
    setAutoFillBackground(true);
    setFocusPolicy(Qt::StrongFocus);
}

void PlacePopup::openAt(QPoint position, QWidget* focus)
{
    m_before = QApplication::focusWidget();
    move(parentWidget()->mapFromGlobal(position));
    stayInside();
    show();
    raise();
    focus->setFocus();
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        if (now != nullptr && now != this && !isAncestorOf(now))
            close();
    });
}

void PlacePopup::stayInside()
{
    adjustSize();
    const QRect room = parentWidget()->rect();
    move(std::clamp(x(), 0, std::max(0, room.width() - width())),
         std::clamp(y(), 0, std::max(0, room.height() - height())));
}

void PlacePopup::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QFrame::keyPressEvent(event);
}

void PlacePopup::closeEvent(QCloseEvent* event)
{
    if (!m_closing && m_before && isAncestorOf(QApplication::focusWidget())) {
        m_closing = true;
        m_before->setFocus();
    }
    QFrame::closeEvent(event);
}

} // namespace attn::ui
