// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_theme.h"

#include <QApplication>
#include <QProxyStyle>
#include <QStyleOption>

namespace attn::ui {

namespace {

QPalette darkPalette()
{
    const QColor window(0x2b, 0x2d, 0x31);
    const QColor base(0x1e, 0x1f, 0x22);
    const QColor text(0xe6, 0xe6, 0xe8);
    const QColor disabled(0x8a, 0x8d, 0x94);
    const QColor highlight(0x2f, 0x6f, 0xb8);
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, QColor(0x26, 0x28, 0x2c));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, QColor(0x9a, 0x9d, 0xa4));
    palette.setColor(QPalette::Button, QColor(0x36, 0x39, 0x3e));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::ToolTipBase, QColor(0x3a, 0x3d, 0x43));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor(0x6c, 0xb8, 0xff));
    palette.setColor(QPalette::LinkVisited, QColor(0xb4, 0x9c, 0xf0));
    palette.setColor(QPalette::Light, QColor(0x4a, 0x4d, 0x55));
    palette.setColor(QPalette::Midlight, QColor(0x40, 0x43, 0x4a));
    palette.setColor(QPalette::Mid, QColor(0x24, 0x26, 0x2a));
    palette.setColor(QPalette::Dark, QColor(0x1a, 0x1b, 0x1e));
    palette.setColor(QPalette::Shadow, Qt::black);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
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

} // namespace attn::ui
