// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_theme.h"

#include <QApplication>
#include <QProxyStyle>
#include <QStyleOption>

#include <utility>

namespace attn::ui {

namespace {

QPalette darkPalette()
{
    constexpr QRgb text = 0xffe6e6e8;
    constexpr std::pair<QPalette::ColorRole, QRgb> colors[] = {{QPalette::Window, 0xff2b2d31},
                                                               {QPalette::WindowText, text},
                                                               {QPalette::Base, 0xff1e1f22},
                                                               {QPalette::AlternateBase, 0xff26282c},
                                                               {QPalette::Text, text},
                                                               {QPalette::PlaceholderText, 0xff9a9da4},
                                                               {QPalette::Button, 0xff36393e},
                                                               {QPalette::ButtonText, text},
                                                               {QPalette::BrightText, 0xffffffff},
                                                               {QPalette::ToolTipBase, 0xff3a3d43},
                                                               {QPalette::ToolTipText, text},
                                                               {QPalette::Highlight, 0xff2f6fb8},
                                                               {QPalette::HighlightedText, 0xffffffff},
                                                               {QPalette::Link, 0xff6cb8ff},
                                                               {QPalette::LinkVisited, 0xffb49cf0},
                                                               {QPalette::Light, 0xff4a4d55},
                                                               {QPalette::Midlight, 0xff40434a},
                                                               {QPalette::Mid, 0xff24262a},
                                                               {QPalette::Dark, 0xff1a1b1e},
                                                               {QPalette::Shadow, 0xff000000}};
    QPalette palette;
    for (const auto& [role, color] : colors)
        palette.setColor(role, QColor(color));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(0x8a, 0x8d, 0x94));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(0x4a, 0x4d, 0x55));
    return palette;
}

// Fusion draws the outlines of boxes darker than the window, where a dark one hides them. Boxes of lists and menus come
// here as check boxes.
class FusionStyle : public QProxyStyle
{
public:
    FusionStyle()
        : QProxyStyle(QStringLiteral("Fusion"))
    {
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        const auto* box = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (!box || (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton)
            || themeOf(box->palette) == Theme::Light)
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
        QStyleOptionButton seen(*box);
        seen.palette.setColor(QPalette::Window, QColor(0xb0, 0xb3, 0xba));
        QProxyStyle::drawPrimitive(element, &seen, painter, widget);
    }
};

} // namespace

void applyTheme(ThemeMode mode)
{
    if (mode == ThemeMode::System) {
        QApplication::setPalette(QPalette());
        return;
    }
    // Fusion is the one style that follows any palette.
    if (!dynamic_cast<FusionStyle*>(QApplication::style()))
        QApplication::setStyle(new FusionStyle);
    QApplication::setPalette(mode == ThemeMode::Dark ? darkPalette() : QApplication::style()->standardPalette());
}

Theme themeOf(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? Theme::Dark : Theme::Light;
}

double textSizeOf(const QFont& font)
{
    return QFontInfo(font).pixelSize() * 72.0 / 96.0;
}

} // namespace attn::ui
