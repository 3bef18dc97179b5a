// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/lookup/query_plane.h"

#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>

#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double snap = 5; // pixels

double rounded(double component)
{
    return std::round(component * 100) / 100;
}

} // namespace

QueryPlane::QueryPlane(QWidget* parent)
    : FigureCanvas(Height::Filling, parent)
{
    setObjectName(QStringLiteral("queryPlane"));
    setAccessibleName(tr("Keys and query"));
    setCursor(Qt::CrossCursor);
}

const KeyPlaneFigure* QueryPlane::plane() const
{
    return dynamic_cast<const KeyPlaneFigure*>(figure());
}

void QueryPlane::show(const FigureSpec& spec, const LookupContent& content)
{
    m_spec = spec;
    m_content = content;
    const double limit = m_dragging && plane() != nullptr ? plane()->limit() : 0; // the ground stays under the pointer
    setFigure(
        [spec, content, limit](QSizeF size) { return std::make_unique<KeyPlaneFigure>(spec, content, size, limit); });
}

void QueryPlane::moveTo(QPointF point)
{
    for (const LookupEntry& entry : m_content.entries) {
        const QPointF key(static_cast<double>(entry.key.at(0)), static_cast<double>(entry.key.at(1)));
        if (QLineF(plane()->toPoint(key.x(), key.y()), point).length() < snap)
            return Q_EMIT queryMoved(key.x(), key.y());
    }
    const QPointF free = plane()->toPlane(point);
    Q_EMIT queryMoved(rounded(free.x()), rounded(free.y()));
}

void QueryPlane::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || plane() == nullptr || m_content.query.size() != 2)
        return FigureCanvas::mousePressEvent(event);
    m_dragging = true;
    moveTo(event->position());
}

void QueryPlane::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragging && plane() != nullptr && m_content.query.size() == 2)
        return moveTo(event->position());
    FigureCanvas::mouseMoveEvent(event);
}

void QueryPlane::mouseReleaseEvent(QMouseEvent* event)
{
    if (std::exchange(m_dragging, false))
        show(m_spec, LookupContent(m_content));
    FigureCanvas::mouseReleaseEvent(event);
}

void QueryPlane::keyPressEvent(QKeyEvent* event)
{
    if (m_content.query.size() != 2)
        return FigureCanvas::keyPressEvent(event);
    const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? 0.5 : 0.1;
    double x = static_cast<double>(m_content.query[0]);
    double y = static_cast<double>(m_content.query[1]);
    switch (event->key()) {
    case Qt::Key_Left:
        x -= step;
        break;
    case Qt::Key_Right:
        x += step;
        break;
    case Qt::Key_Up:
        y += step;
        break;
    case Qt::Key_Down:
        y -= step;
        break;
    default:
        return FigureCanvas::keyPressEvent(event);
    }
    Q_EMIT queryMoved(rounded(x), rounded(y));
}

} // namespace attn::ui
