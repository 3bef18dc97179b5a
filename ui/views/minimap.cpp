// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr int longestSide = 110;
constexpr int fromCorner = 8;
constexpr int frame = 2;

} // namespace

Minimap::Minimap(QWidget& view)
    : QWidget(&view)
{
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("The whole matrix, small"));
    setToolTip(tr("The whole matrix: click or drag to look elsewhere"));
    setCursor(Qt::CrossCursor);
    hide();
}

void Minimap::follow(const Figure& figure, const QRectF& visible)
{
    if (visible.isNull()) {
        m_figure = nullptr;
        return hide();
    }
    if (m_figure == &figure && m_visible == visible && isVisible())
        return;
    m_figure = &figure;
    m_visible = visible;
    m_cells = QSize(figure.columns(), figure.rows());
    const QSize inner =
        QSizeF(m_cells).scaled(longestSide, longestSide, Qt::KeepAspectRatio).toSize().expandedTo({1, 1});
    m_image = figure.overview(inner);
    if (m_image.isNull())
        return hide();
    const QSize size = inner + QSize(2 * frame, 2 * frame);
    QRect place(QPoint(parentWidget()->width() - size.width() - fromCorner,
                       parentWidget()->height() - size.height() - fromCorner),
                size);
    // Left of a colour bar that reaches down to here, and of its numbers.
    if (const auto bar = figure.scaleBar(); bar && bar->box.bottom() + fromCorner > place.top())
        place.moveRight(static_cast<int>(bar->box.left()) - fromCorner);
    setGeometry(place);
    show();
    update();
}

void Minimap::paintEvent(QPaintEvent*)
{
    const QRectF inner = QRectF(rect()).adjusted(frame, frame, -frame, -frame);
    QPainter painter(this);
    painter.fillRect(rect(), palette().window());
    painter.drawImage(inner, m_image);
    painter.setPen(QPen(palette().mid().color(), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    const double across = inner.width() / std::max(1, m_cells.width());
    const double down = inner.height() / std::max(1, m_cells.height());
    const QRectF seen(inner.left() + m_visible.x() * across, inner.top() + m_visible.y() * down,
                      m_visible.width() * across, m_visible.height() * down);
    for (const auto& [color, width] :
         {std::pair(palette().base().color(), 3.0), {palette().highlight().color(), 1.5}}) {
        painter.setPen(QPen(color, width));
        painter.drawRect(seen);
    }
}

void Minimap::goTo(QPointF point)
{
    const double across = std::max(1, width() - 2 * frame);
    const double down = std::max(1, height() - 2 * frame);
    Q_EMIT pointed(
        QPointF((point.x() - frame) / across * m_cells.width(), (point.y() - frame) / down * m_cells.height()));
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        goTo(event->position());
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) != 0)
        goTo(event->position());
}

void Minimap::mouseReleaseEvent(QMouseEvent*)
{
    // Not a click on the figure below.
}

} // namespace attn::ui
