// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/window_parts.h"

#include "base/index.h"

#include <QApplication>
#include <QWidget>

namespace attn::ui {

namespace {

// Panels behind others of their place are visible to Qt, outside of the window.
bool takesTab(const QWidget& widget)
{
    const QRect place(widget.mapTo(widget.window(), QPoint()), widget.size());
    return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) != 0
        && widget.focusProxy() == nullptr && place.intersects(widget.window()->rect());
}

// Null: nothing of it can have the keyboard now.
QWidget* entranceOf(const WindowPart& part)
{
    if (part.first != nullptr && takesTab(*part.first))
        return part.first;
    QWidget* widget = part.area;
    do {
        if ((widget == part.area || part.area->isAncestorOf(widget)) && takesTab(*widget))
            return widget;
        widget = widget->nextInFocusChain();
    } while (widget != part.area);
    return nullptr;
}

} // namespace

void goToPart(const std::vector<WindowPart>& parts, int by)
{
    const int count = indexSize(parts);
    const QWidget* const focus = QApplication::focusWidget();
    int at = by > 0 ? -1 : count;
    for (int i = 0; i < count; ++i) {
        if (focus != nullptr && (parts[i].area == focus || parts[i].area->isAncestorOf(focus)))
            at = i;
    }
    for (int step = 1; step <= count; ++step) {
        const int next = ((at + by * step) % count + count) % count;
        QWidget* const entrance = next == at ? nullptr : entranceOf(parts[next]);
        if (entrance == nullptr)
            continue;
        entrance->setFocus(by > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
        return;
    }
}

} // namespace attn::ui
