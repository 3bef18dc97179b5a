// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_canvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace attn::ui {

FigureCanvas::FigureCanvas(Height height, QWidget* parent)
    : QWidget(parent)
    , m_height(height)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setSizePolicy(policy);
}

FigureCanvas::~FigureCanvas() = default;

void FigureCanvas::setFigure(FigureLayout layOut)
{
    m_layOut = std::move(layOut);
    m_hover = {};
    m_dirty = true;
    if (m_height == Height::Natural)
        layOutNow(); // its height is needed before it is painted
    update();
}

void FigureCanvas::setMarks(const Highlight& marks)
{
    m_marks = marks;
    update();
}

void FigureCanvas::layOutNow()
{
    if (!m_dirty || !m_layOut)
        return;
    m_dirty = false;
    const bool natural = m_height == Height::Natural;
    m_figure = m_layOut(natural ? QSizeF(width(), 0) : QSizeF(size()));
    if (natural)
        setFixedHeight(static_cast<int>(m_figure->size().height() + 1));
    setAccessibleDescription(m_figure->description());
}

void FigureCanvas::paintEvent(QPaintEvent*)
{
    layOutNow();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_figure) {
        painter.fillRect(rect(), palette().window());
        return;
    }
    Highlight marks = m_marks;
    if (m_hover.row >= 0 || m_hover.column >= 0) {
        marks.row = m_hover.row;
        marks.column = m_hover.column;
        marks.panel = m_hover.panel;
    }
    if (hasFocus()) {
        marks.cursorRow = m_cursorRow;
        marks.cursorColumn = m_cursorColumn;
    }
    m_figure->paint(painter, marks);
    // A figure that is less high than the widget leaves its ground to be filled.
    const QSizeF size = m_figure->size();
    if (size.height() < height())
        painter.fillRect(QRectF(0, size.height(), width(), height() - size.height()), palette().window());
    painter.end();
    Q_EMIT painted();
}

void FigureCanvas::resizeEvent(QResizeEvent* event)
{
    m_dirty = m_dirty || m_height == Height::Filling || event->oldSize().width() != width();
    if (m_height == Height::Natural)
        layOutNow();
    update();
}

void FigureCanvas::hover(const FigureHit& hit)
{
    const bool moved = hit.part != m_hover.part || hit.row != m_hover.row || hit.column != m_hover.column
        || hit.panel != m_hover.panel || hit.text != m_hover.text;
    if (!moved)
        return;
    m_hover = hit;
    update();
    Q_EMIT hovered(hit);
}

void FigureCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (m_figure)
        hover(m_figure->hitTest(event->position()));
}

void FigureCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_figure)
        return QWidget::mouseReleaseEvent(event);
    const FigureHit hit = m_figure->hitTest(event->position());
    if (hit.isCell()) {
        m_cursorRow = hit.row;
        m_cursorColumn = hit.column;
        update();
    }
    Q_EMIT activated(hit);
}

void FigureCanvas::leaveEvent(QEvent*)
{
    hover({});
}

bool FigureCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_figure) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const FigureHit hit = m_figure->hitTest(help->pos());
        if (hit.text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), hit.text.toHtmlEscaped(), this);
        return true;
    }
    return QWidget::event(event);
}

void FigureCanvas::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const int rows = m_figure ? m_figure->rows() : 0;
    const int columns = m_figure ? m_figure->columns() : 0;
    if (rows <= 0 || columns <= 0)
        return QWidget::keyPressEvent(event);
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (!arrow && !(enter && m_cursorRow >= 0))
        return QWidget::keyPressEvent(event);
    if (arrow) {
        const bool first = m_cursorRow < 0;
        const int down = first ? 0 : (key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0);
        const int right = first ? 0 : (key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0);
        m_cursorRow = std::clamp(std::max(m_cursorRow, 0) + down, 0, rows - 1);
        m_cursorColumn = std::clamp(std::max(m_cursorColumn, 0) + right, 0, columns - 1);
        update();
    }
    const FigureHit hit = m_figure->hitTest(m_figure->cellRect(m_cursorRow, m_cursorColumn).center());
    if (enter)
        Q_EMIT activated(hit);
    else
        Q_EMIT hovered(hit);
}

} // namespace attn::ui
