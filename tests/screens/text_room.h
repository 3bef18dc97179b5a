// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace attn::test {

// What a window does not show as it should.
struct Finding
{
    QString widget; // where it is: names or classes of widgets, from the outside
    QString problem; // "cut: has 40 of 61 pixels"
    QString text; // whose; empty: of no text

    friend bool operator==(const Finding&, const Finding&) = default;
};

// Texts of labels, buttons, boxes, tabs and headers that have less room than they need, widgets that stick out of what
// they are in, and toolbars and menus that hide a part of what they hold. A box that says itself that its text goes on
// (ElidedComboBox), and what scrolls, is none.
std::vector<Finding> findingsIn(const QWidget& window);

// A line each.
QString textOf(const std::vector<Finding>& findings);

} // namespace attn::test
