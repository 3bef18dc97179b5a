// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/spotlight.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>

#include <chrono>

namespace attn::ui {

namespace {

constexpr auto litFor = std::chrono::milliseconds(3500);
constexpr double rim = 4; // around the place
constexpr int shade = 110; // of what is not lit, of 255

} // namespace

Spotlight::Spotlight(QWidget& over)
    : QWidget(&over)
{
    setObjectName(QStringLiteral("spotlight"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    m_end.setSingleShot(true);
    m_end.setInterval(litFor);
    connect(&m_end, &QTimer::timeout, this, &QWidget::hide);
    over.installEventFilter(this);
    hide();
}

void Spotlight::shine(const QRectF& place)
{
    m_place = place;
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
    m_end.start();
}

void Spotlight::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF lit = m_place.adjusted(-rim, -rim, rim, rim);
    QPainterPath all;
    all.addRect(rect());
    QPainterPath hole;
    hole.addRoundedRect(lit, rim, rim);
    painter.fillPath(all.subtracted(hole), QColor(0, 0, 0, shade));
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRoundedRect(lit, rim, rim);
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event)
{
    const bool ends = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::KeyPress
        || event->type() == QEvent::Resize || event->type() == QEvent::Wheel;
    if (ends)
        hide();
    return QWidget::eventFilter(watched, event);
}

} // namespace attn::ui
