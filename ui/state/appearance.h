// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"

#include <QObject>

namespace attn::ui {

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

    void setWords(bool words);
    void setSpecials(SpecialTokens specials);
    void setPair(PairFilter pair);
    void setColorMap(ColorMapName name);
    void setTheme(Theme theme);

Q_SIGNALS:
    void changed();

private:
    bool m_words = false;
    SpecialTokens m_specials = SpecialTokens::Shown;
    PairFilter m_pair = PairFilter::All;
    ColorMapName m_colorMap{};
    Theme m_theme = Theme::Light;
};

} // namespace attn::ui
