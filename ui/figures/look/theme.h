// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"

#include <QColor>

#include <cstdint>
#include <string_view>

namespace attn::ui {

// Queries, keys and values have one colour each, wherever it is named or drawn.
enum class AttentionRole : std::uint8_t { Other, Query, Key, Value };

// The colours of everything in a figure that is not data. Text has a contrast of at least 4.5 on the background.
struct ThemeColors
{
    QColor background;
    QColor ink; // tokens, title
    QColor muted; // axis names, ticks
    QColor grid; // frames and lines between cells
    QColor blank; // cells that cannot have a value
    QColor accent; // marked row, selected head; readable as text
    QColor cursor; // keyboard cell, crosshair
    QColor bar; // bars and lines that stand for a value
    QColor generated; // tokens that a model added to its prompt
    QColor more; // of a difference: what the run has more of, or has alone; readable as text
    QColor less; // and what the other one has
    QColor query; // these three are told apart by people with any colour vision, and readable as text
    QColor key;
    QColor value;

    // The text colour for what has no role.
    QColor ofRole(AttentionRole role) const;

    const QColor& ofSign(double value) const { return value > 0 ? more : less; }
};

ThemeColors themeColors(Theme theme);

// The colour that a head has wherever several are drawn over each other. Neighbours differ most; what is said by colour
// has to be said by the head's number, too.
QColor headColor(int head, Theme theme);

// Behind a label that was found; text is readable on it.
QColor foundGround(const ThemeColors& colors);

// A theme as it is chosen; in the order of Theme.
struct ThemeRow
{
    const char* id; // on the command line
    const char* title; // in a menu, for translated()
};
inline constexpr ThemeRow themeRows[] = {{"light", QT_TRANSLATE_NOOP("attn::ui", "&Light")},
                                         {"dark", QT_TRANSLATE_NOOP("attn::ui", "&Dark")}};
// Throws attn::Error{Input} that lists the ids.
Theme themeFromName(std::string_view id);

// Relative luminance and contrast as WCAG 2.1 defines them: 0 .. 1 and 1 .. 21.
double luminance(const QColor& color);
double contrast(const QColor& a, const QColor& b);

// Dark or light text, whichever reads better on the ground.
QColor inkOn(const QColor& ground);

} // namespace attn::ui
