// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/theme.h"

#include "figures/look/rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attn::ui {

namespace {

// Hues that people with a colour vision deficiency tell apart in lightness, too (after Okabe and Ito 2008).
constexpr QRgb onLight[] = {0xff0072b2, 0xffd55e00, 0xff009e73, 0xffb5438f,
                            0xff5c4a00, 0xff7a1f1f, 0xff5b3a9b, 0xff7a7a7a};
constexpr QRgb onDark[] = {0xff56b4e9, 0xfff0803c, 0xff2fc79b, 0xffe28fc4,
                           0xffe6c229, 0xffc6f08a, 0xffa070f0, 0xffb5b5b5};

} // namespace

Theme themeFromName(std::string_view id)
{
    return static_cast<Theme>(rowNamed(std::span<const ThemeRow>(themeRows), id, "--theme"));
}

ThemeColors themeColors(Theme theme)
{
    if (theme == Theme::Dark)
        return {QColor(0x1e, 0x1f, 0x22), QColor(0xe8, 0xe8, 0xea), QColor(0xa8, 0xab, 0xb2), QColor(0x4a, 0x4d, 0x55),
                QColor(0x2a, 0x2c, 0x30), QColor(0xf2, 0xa5, 0x4a), QColor(0x6c, 0xb8, 0xff), QColor(0x5f, 0x8f, 0xc9),
                QColor(0x5f, 0xcf, 0xb4), QColor(0xff, 0x9d, 0x73), QColor(0x8c, 0xc4, 0xff), QColor(0x5b, 0x9d, 0xff),
                QColor(0xff, 0x7a, 0x3d), QColor(0xf2, 0x9a, 0xd8)};
    return {QColor(0xff, 0xff, 0xff), QColor(0x1c, 0x1d, 0x21), QColor(0x5a, 0x5e, 0x68), QColor(0xc9, 0xcc, 0xd3),
            QColor(0xf1, 0xf2, 0xf4), QColor(0xad, 0x48, 0x00), QColor(0x15, 0x65, 0xc0), QColor(0x5b, 0x8a, 0xc4),
            QColor(0x00, 0x69, 0x5c), QColor(0xb2, 0x18, 0x2b), QColor(0x21, 0x66, 0xac), QColor(0x0b, 0x5e, 0xd7),
            QColor(0xb8, 0x43, 0x00), QColor(0x96, 0x26, 0x8a)};
}

QColor ThemeColors::ofRole(AttentionRole role) const
{
    switch (role) {
    case AttentionRole::Query:
        return query;
    case AttentionRole::Key:
        return key;
    case AttentionRole::Value:
        return value;
    case AttentionRole::Other:
        break;
    }
    return ink;
}

QColor headColor(int head, Theme theme)
{
    const auto named = static_cast<int>(std::size(onLight));
    if (head < named)
        return {theme == Theme::Dark ? onDark[head] : onLight[head]};
    double whole = 0;
    const double first = theme == Theme::Dark ? 0.45 : 0.55; // far from those with names
    const double hue = std::modf(head * 0.6180339887 + first, &whole); // the golden ratio: none comes back soon
    return QColor::fromHslF(static_cast<float>(hue), 1.0F, theme == Theme::Dark ? 0.60F : 0.30F);
}

QColor foundGround(const ThemeColors& colors)
{
    return luminance(colors.background) > 0.5 ? QColor(0xff, 0xe8, 0xa3) : QColor(0x4d, 0x3f, 0x12);
}

double luminance(const QColor& color)
{
    const auto linear = [](float c) {
        const auto value = static_cast<double>(c);
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

QColor inkOn(const QColor& ground)
{
    const QColor dark(Qt::black); // with pure black and white the worse case is 4.58
    const QColor light(Qt::white);
    return contrast(ground, dark) >= contrast(ground, light) ? dark : light;
}

} // namespace attn::ui
