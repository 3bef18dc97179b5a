// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/line_layout.h"

#include <algorithm>

namespace attn::ui {

LineLayout::~LineLayout()
{
    qDeleteAll(m_items);
}

void LineLayout::addItem(QLayoutItem* item)
{
    m_items.append(item);
    invalidate();
}

QSize LineLayout::minimumSize() const
{
    QSize most;
    for (const QLayoutItem* item : m_items)
        most = most.expandedTo(item->minimumSize());
    return most;
}

QSize LineLayout::sizeHint() const
{
    QSize all;
    for (const QLayoutItem* item : m_items)
        all = {all.width() + item->sizeHint().width() + spacing(), std::max(all.height(), item->sizeHint().height())};
    return all;
}

void LineLayout::setGeometry(const QRect& room)
{
    QLayout::setGeometry(room);
    laidOut(room, true);
}

int LineLayout::laidOut(const QRect& room, bool places) const
{
    QPoint at = room.topLeft();
    int high = 0; // the line
    for (QLayoutItem* item : m_items) {
        const QSize size = item->sizeHint();
        if (at.x() > room.left() && at.x() + size.width() > room.left() + room.width()) {
            at = {room.left(), at.y() + high + spacing()};
            high = 0;
        }
        if (places)
            item->setGeometry({at, size});
        at.rx() += size.width() + spacing();
        high = std::max(high, size.height());
    }
    return at.y() + high - room.top();
}

} // namespace attn::ui
