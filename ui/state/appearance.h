// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/look/language.h"
#include "figures/look/theme.h"

#include <QObject>

#include <cstdint>
#include <utility>

namespace attn::ui {

// Theme of the whole program: the system's, or one of the themes.
enum class ThemeMode : std::uint8_t { System, Light, Dark };
constexpr ThemeMode modeOf(Theme theme)
{
    return theme == Theme::Dark ? ThemeMode::Dark : ThemeMode::Light;
}

inline constexpr ThemeRow themeModeRows[] = {
    {"system", QT_TRANSLATE_NOOP("attn::ui", "Like the &system")}, themeRows[0], themeRows[1]};

// Choices of how figures look, shared by all views.
class Appearance : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    const FigureChoices& choices() const { return m_choices; }
    Theme theme() const { return m_choices.theme; }
    // Whether a run that is compared with another is shown as their difference.
    bool difference() const { return m_difference; }
    ThemeMode themeMode() const { return m_mode; }
    LanguageMode languageMode() const { return m_languageMode; } // of the next start

    // Changes the choices: takes them and returns nothing.
    template<class Change>
    void choose(const Change& change)
    {
        FigureChoices next = m_choices;
        change(next);
        set(m_choices, next);
    }
    void setWords(bool words) { set(m_choices.words, words); }
    void setTextSize(double points) { set(m_choices.baseFontPoints, points); } // of figures, as the system has it
    void setTheme(Theme theme) { set(m_choices.theme, theme); }
    void setDifference(bool difference) { set(m_difference, difference); }
    void setThemeMode(ThemeMode mode)
    {
        if (mode != m_mode)
            Q_EMIT themeModeChanged(mode);
        set(m_mode, mode);
    }
    void setLanguageMode(LanguageMode mode)
    {
        const bool other = mode != m_languageMode;
        set(m_languageMode, mode);
        if (other)
            Q_EMIT languageModeChanged();
    }

Q_SIGNALS:
    void changed();
    void themeModeChanged(attn::ui::ThemeMode mode);
    void languageModeChanged();

private:
    template<class Value>
    void set(Value& value, Value next)
    {
        if (std::exchange(value, next) != next)
            Q_EMIT changed();
    }

    FigureChoices m_choices;
    bool m_difference = true;
    ThemeMode m_mode = ThemeMode::System;
    LanguageMode m_languageMode{};
};

} // namespace attn::ui
