// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/primary_button.h"

#include <QStyleOptionButton>
#include <QStylePainter>

namespace attn::ui {

namespace {

constexpr int deeper = 135; // percent: styles draw buttons lighter than their colour, and the text on it is light

} // namespace

void PrimaryButton::initStyleOption(QStyleOptionButton* option) const
{
    QPushButton::initStyleOption(option);
    if (!isEnabled())
        return;
    option->palette.setColor(QPalette::Button, palette().color(QPalette::Highlight).darker(deeper));
    option->palette.setColor(QPalette::ButtonText, palette().color(QPalette::HighlightedText));
}

void PrimaryButton::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    painter.drawControl(QStyle::CE_PushButton, option);
}

} // namespace attn::ui
