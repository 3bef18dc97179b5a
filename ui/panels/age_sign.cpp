// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/age_sign.h"

#include "figures/look/theme.h"

namespace attn::ui {

AgeSign::AgeSign(Study& study, Appearance& appearance, QWidget* parent)
    : QToolButton(parent)
{
    setObjectName(QStringLiteral("olderSign"));
    setToolTip(tr("What is shown was made before the last changes. Enter, or a click here, runs the model on what is "
                  "chosen now."));
    setAutoRaise(true);
    hide();
    const auto show = [this, &study] {
        const Age age = study.age();
        setText(age == Age::OlderThanText ? tr("Older than the text") : tr("Older than the choices"));
        setVisible(age != Age::Current);
    };
    for (const auto signal :
         {&Study::questionChanged, &Study::modelChanged, &Study::traceChanged, &Study::runBegan, &Study::runEnded})
        connect(&study, signal, this, show);
    const auto color = [this, &appearance] {
        QPalette colors;
        colors.setColor(QPalette::ButtonText, themeColors(appearance.theme()).accent);
        setPalette(colors);
    };
    connect(&appearance, &Appearance::changed, this, color);
    color();
}

} // namespace attn::ui
