// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QRect>
#include <QString>

class QWidget;

namespace attn::ui {

// A part that a widget paints as a control of its own: an end of a scale, a box to tick.
struct AccessPart
{
    QAccessible::Role role = QAccessible::NoRole; // a slider's value can be set, all can be pressed
    QString name;
    QString text; // of its value
    double value = 0;
    QRect box; // in the widget
    bool focused = false;
    bool checkable = false;
    bool checked = false;
};

// A widget of which assistive technology sees such parts.
class PartSource
{
public:
    PartSource();
    virtual ~PartSource() = default;

    virtual int partCount() const = 0;
    virtual AccessPart part(int index) const = 0;
    virtual void pressPart(int /*index*/) { }
    virtual void setPart(int /*index*/, double /*value*/) { } // of a slider
};

// Tell assistive technology, where there is any: one has the keyboard now; some have another value.
void tellPart(QWidget& widget, int index);
void tellParts(QWidget& widget, const PartSource& source);

} // namespace attn::ui
