// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/head_squares.h"

#include "figures/look/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn::ui {

namespace {

constexpr int aroundNumber = 5;
constexpr int leastSquare = 5;
constexpr int numberedSquare = 15;
constexpr int gapBetween = 3;

} // namespace

HeadSquares::HeadSquares(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Heads that are shown"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HeadSquares::show(int count, const std::vector<int>& shown, std::optional<int> chosen, Theme theme)
{
    if (m_count != count)
        updateGeometry();
    const bool other = m_count != count || m_shown != shown;
    m_count = count;
    m_shown = shown;
    m_chosen = chosen;
    m_theme = theme;
    m_current = std::clamp(m_current, 0, std::max(0, count - 1));
    QStringList numbers;
    for (const int head : shown)
        numbers << QString::number(head);
    if (other || accessibleDescription().isEmpty()) {
        setAccessibleDescription(numbers.isEmpty() ? tr("none on its own") : numbers.join(QStringLiteral(", ")));
        tellParts(*this, *this);
    }
    update();
}

QSize HeadSquares::sizeHint() const
{
    return {m_count * (largestSide() + gapBetween) + gapBetween, largestSide() + 2 * gapBetween};
}

QSize HeadSquares::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), 80), largestSide() + 2 * gapBetween};
}

int HeadSquares::largestSide() const
{
    return fontMetrics().height() + aroundNumber;
}

int HeadSquares::side() const
{
    const int most = largestSide();
    return m_count == 0 ? most : std::clamp((width() - gapBetween) / m_count - gapBetween, leastSquare, most);
}

QRect HeadSquares::square(int head) const
{
    return {gapBetween + head * (side() + gapBetween), (height() - side()) / 2, side(), side()};
}

std::optional<int> HeadSquares::headAt(QPoint point) const
{
    for (int head = 0; head < m_count; ++head) {
        if (square(head).adjusted(-1, -2, 2, 2).contains(point))
            return head;
    }
    return std::nullopt;
}

bool HeadSquares::isShown(int head) const
{
    return std::find(m_shown.begin(), m_shown.end(), head) != m_shown.end();
}

void HeadSquares::toggle(int head)
{
    m_before = m_shown;
    std::vector<int> heads = m_shown;
    if (isShown(head))
        heads.erase(std::find(heads.begin(), heads.end(), head));
    else
        heads.insert(std::lower_bound(heads.begin(), heads.end(), head), head);
    Q_EMIT headsChosen(heads);
}

AccessPart HeadSquares::part(int head) const
{
    const bool shown = isShown(head);
    return {.role = QAccessible::CheckBox,
            .name = tr("Head %1").arg(head),
            .text = {},
            .value = shown ? 1.0 : 0.0,
            .box = square(head),
            .focused = hasFocus() && head == m_current,
            .checkable = true,
            .checked = shown};
}

void HeadSquares::pressPart(int head)
{
    m_current = head;
    toggle(head);
}

void HeadSquares::walkTo(int head)
{
    if (std::exchange(m_current, head) != head)
        tellPart(*this, head);
    update();
}

void HeadSquares::showAlone(int head, const std::vector<int>& before)
{
    std::vector<int> heads{head};
    if (before == heads) {
        heads.resize(static_cast<std::size_t>(m_count));
        std::iota(heads.begin(), heads.end(), 0);
    }
    Q_EMIT headsChosen(heads);
}

void HeadSquares::mousePressEvent(QMouseEvent* event)
{
    const auto head = event->button() == Qt::LeftButton ? headAt(event->position().toPoint()) : std::nullopt;
    if (!head)
        return event->ignore();
    m_current = *head;
    toggle(*head);
}

void HeadSquares::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto head = headAt(event->position().toPoint()))
        showAlone(*head, m_before);
}

void HeadSquares::keyPressEvent(QKeyEvent* event)
{
    if (m_count == 0)
        return event->ignore();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        return walkTo(std::clamp(m_current + (event->key() == Qt::Key_Left ? -1 : 1), 0, m_count - 1));
    case Qt::Key_Space:
        return toggle(m_current);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return showAlone(m_current, m_shown);
    default:
        event->ignore();
    }
}

bool HeadSquares::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto head = headAt(help->pos()))
        QToolTip::showText(
            help->globalPos(),
            tr("Head %1: a click shows or hides it, a double click shows it alone or all heads").arg(*head), this);
    else
        QToolTip::hideText();
    return true;
}

void HeadSquares::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont font = this->font();
    font.setPixelSize(std::max(8, side() / 2));
    painter.setFont(font);
    for (int head = 0; head < m_count; ++head) {
        const QColor color = headColor(head, m_theme);
        const QRectF box = QRectF(square(head)).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool marked = m_shown.empty() && head == m_chosen;
        painter.setPen(QPen(marked ? palette().color(QPalette::WindowText) : color, marked ? 2 : 1.4));
        painter.setBrush(isShown(head) ? QBrush(color) : Qt::NoBrush);
        painter.drawRoundedRect(box, 3, 3);
        if (side() >= numberedSquare) {
            painter.setPen(isShown(head) ? inkOn(color) : palette().color(QPalette::WindowText));
            painter.drawText(box, Qt::AlignCenter, QString::number(head));
        }
        if (hasFocus() && head == m_current) {
            painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 4, 4);
        }
    }
}

} // namespace attn::ui
