// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/line_layout.h"

#include <QFrame>

#include <algorithm>

namespace attn::ui {

namespace {

// A line between two widgets, which is not seen where one of them begins or ends a line of widgets.
bool isRule(const QLayoutItem& item)
{
    const auto* const frame = qobject_cast<const QFrame*>(item.widget());
    return frame != nullptr && frame->frameShape() == QFrame::VLine;
}

} // namespace

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
    QLayoutItem* rule = nullptr; // that came last
    const int height = sizeHint().height(); // of every line, in whose middle its widgets are
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size(std::min(item->sizeHint().width(), room.width()), height);
        const bool divides = isRule(*item);
        if (at.x() > room.left() && at.x() + size.width() > room.left() + room.width()) {
            at = {room.left(), at.y() + high + spacing()};
            high = 0;
            if (QLayoutItem* const needless = divides ? item : rule; needless != nullptr && places)
                needless->setGeometry({room.topRight() + QPoint(1, 0), needless->sizeHint()});
            if (divides)
                continue;
        }
        rule = divides ? item : nullptr;
        if (places)
            item->setGeometry({at, size});
        at.rx() += size.width() + spacing();
        high = std::max(high, size.height());
    }
    return at.y() + high - room.top();
}

} // namespace attn::ui
