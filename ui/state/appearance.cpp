// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/appearance.h"

#include <utility>

namespace attn::ui {

void Appearance::setWords(bool words)
{
    if (std::exchange(m_words, words) != words)
        Q_EMIT changed();
}

void Appearance::setSpecials(SpecialTokens specials)
{
    if (std::exchange(m_specials, specials) != specials)
        Q_EMIT changed();
}

void Appearance::setPair(PairFilter pair)
{
    if (std::exchange(m_pair, pair) != pair)
        Q_EMIT changed();
}

void Appearance::setColorMap(ColorMapName name)
{
    if (std::exchange(m_colorMap, name) != name)
        Q_EMIT changed();
}

void Appearance::setThemeMode(ThemeMode mode)
{
    if (std::exchange(m_mode, mode) == mode)
        return;
    Q_EMIT themeModeChanged(mode);
    Q_EMIT changed();
}

void Appearance::setTheme(Theme theme)
{
    if (std::exchange(m_theme, theme) != theme)
        Q_EMIT changed();
}

} // namespace attn::ui
