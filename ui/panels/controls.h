// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/appearance.h"
#include "state/study.h"

#include <QAbstractItemView>
#include <QAction>
#include <QHBoxLayout>
#include <QIcon>
#include <QKeySequence>
#include <QPalette>
#include <QPushButton>
#include <QString>
#include <QToolButton>

#include <cstdint>

namespace attn::ui {

// One of resources/icons, drawn in the text colour of the palette in use, so that it is seen on light and on dark.
// `role`: of a place with another colour.
QIcon themedIcon(const QString& name, QPalette::ColorRole role = QPalette::ButtonText);

// The one of several buttons that is meant to be pressed: in the colour that the palette has for what is chosen.
class PrimaryButton final : public QPushButton
{
    Q_OBJECT

public:
    using QPushButton::QPushButton;

protected:
    void initStyleOption(QStyleOptionButton* option) const override;
    void paintEvent(QPaintEvent* event) override;
};

// An action of a list, in its menu and by a key while it has the focus. An empty tip: its text.
QAction* addListAction(QAbstractItemView& list, const char* name, const QString& text, const QString& tip,
                       const QKeySequence& key);

// Buttons of such actions beside each other.
QLayout* buttonsOf(const QList<QAction*>& actions);

// There while what is shown is older than what is chosen, or than the text that was typed.
enum class AgeSign : std::uint8_t { OfChoices, OfText };
QToolButton* makeAgeSign(AgeSign of, const Study& study, const Appearance& appearance);

// Lets an action's shortcut reach it while the focus is in a line of text that has another use for the keys: with X11
// Ctrl+E goes to the end of a line and Ctrl+K deletes up to it. As long as the window lives.
void claimShortcut(QAction* action, QWidget* window);

} // namespace attn::ui
