// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/elided_combo_box.h"

#include <QAbstractItemView>
#include <QStyle>
#include <QStyleOptionComboBox>

namespace attn::ui {

namespace {

constexpr int popupMargin = 24; // pixels: frame and scroll bar
constexpr int elisionMargin = 4;

} // namespace

ElidedComboBox::ElidedComboBox(QWidget* parent)
    : QComboBox(parent)
{
}

void ElidedComboBox::showPopup()
{
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + popupMargin);
    QComboBox::showPopup();
}

void ElidedComboBox::initStyleOption(QStyleOptionComboBox* option) const
{
    QComboBox::initStyleOption(option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this);
    option->currentText =
        option->fontMetrics.elidedText(option->currentText, Qt::ElideRight, room.width() - elisionMargin);
}

} // namespace attn::ui
