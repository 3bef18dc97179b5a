// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/head_color.h"

#include <cmath>
#include <iterator>

namespace attn::ui {

namespace {

// Hues that people with a colour vision deficiency tell apart in lightness, too (after Okabe and Ito 2008).
constexpr QRgb onLight[] = {0xff0072b2, 0xffd55e00, 0xff009e73, 0xffb5438f,
                            0xff8a6d00, 0xff3a87c4, 0xff5b3a9b, 0xff7a7a7a};
constexpr QRgb onDark[] = {0xff56b4e9, 0xfff0803c, 0xff2fc79b, 0xffe28fc4,
                           0xffe6c229, 0xff9db8ff, 0xffb79cf0, 0xffb5b5b5};

} // namespace

QColor headColor(int head, Theme theme)
{
    const auto named = static_cast<int>(std::size(onLight));
    if (head < named)
        return {theme == Theme::Dark ? onDark[head] : onLight[head]};
    double whole = 0;
    const double hue = std::modf(head * 0.6180339887, &whole); // the golden ratio: none comes back soon
    return QColor::fromHslF(static_cast<float>(hue), 0.6F, theme == Theme::Dark ? 0.66F : 0.40F);
}

} // namespace attn::ui
