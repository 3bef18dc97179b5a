// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/look/theme.h"

#include <QObject>

#include <cstdint>
#include <utility>

namespace attn::ui {

// Of the whole program: the system's, or one of the themes.
enum class ThemeMode : std::uint8_t { System, Light, Dark };
constexpr ThemeMode modeOf(Theme theme)
{
    return theme == Theme::Dark ? ThemeMode::Dark : ThemeMode::Light;
}

inline constexpr ThemeRow themeModeRows[] = {
    {"system", QT_TRANSLATE_NOOP("attn::ui", "Like the &system")}, themeRows[0], themeRows[1]};

// How figures look and which tokens they leave out: shared by all views.
class Appearance : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    bool words() const { return m_words; }
    SpecialTokens specials() const { return m_specials; }
    PairFilter pair() const { return m_pair; }
    ColorMapName colorMap() const { return m_colorMap; }
    Theme theme() const { return m_theme; }
    // Whether a run that is compared with another is shown as their difference, and how their rows and columns pair.
    bool difference() const { return m_difference; }
    Pairing pairing() const { return m_pairing; }
    ThemeMode themeMode() const { return m_mode; }

    void setWords(bool words) { set(m_words, words); }
    void setSpecials(SpecialTokens specials) { set(m_specials, specials); }
    void setPair(PairFilter pair) { set(m_pair, pair); }
    void setColorMap(ColorMapName name) { set(m_colorMap, name); }
    void setTheme(Theme theme) { set(m_theme, theme); }
    void setDifference(bool difference) { set(m_difference, difference); }
    void setPairing(Pairing pairing) { set(m_pairing, pairing); }
    void setThemeMode(ThemeMode mode)
    {
        if (mode != m_mode)
            Q_EMIT themeModeChanged(mode);
        set(m_mode, mode);
    }

Q_SIGNALS:
    void changed();
    void themeModeChanged(attn::ui::ThemeMode mode);

private:
    template<class Value>
    void set(Value& value, Value next)
    {
        if (std::exchange(value, next) != next)
            Q_EMIT changed();
    }

    bool m_words = false;
    SpecialTokens m_specials = SpecialTokens::Shown;
    PairFilter m_pair = PairFilter::All;
    ColorMapName m_colorMap{};
    Theme m_theme = Theme::Light;
    bool m_difference = true;
    Pairing m_pairing = Pairing::Automatic;
    ThemeMode m_mode = ThemeMode::System;
};

} // namespace attn::ui
