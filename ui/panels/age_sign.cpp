// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/age_sign.h"

#include "figures/look/theme.h"

namespace attn::ui {

QToolButton* makeAgeSign(const Study& study, const Appearance& appearance)
{
    auto* sign = new QToolButton;
    sign->setObjectName(QStringLiteral("olderSign"));
    sign->setToolTip(Study::tr("What is shown was made before the last changes. Enter, or a click here, runs the model "
                               "on what is chosen now."));
    sign->setAutoRaise(true);
    sign->hide();
    const auto show = [sign, &study] {
        const Age age = study.age();
        sign->setText(age == Age::OlderThanText ? Study::tr("Older than the text")
                                                : Study::tr("Older than the choices"));
        sign->setVisible(age != Age::Current);
    };
    for (const auto signal :
         {&Study::questionChanged, &Study::modelChanged, &Study::traceChanged, &Study::runBegan, &Study::runEnded})
        QObject::connect(&study, signal, sign, show);
    const auto color = [sign, &appearance] {
        QPalette colors;
        colors.setColor(QPalette::ButtonText, themeColors(appearance.theme()).accent);
        sign->setPalette(colors);
    };
    QObject::connect(&appearance, &Appearance::changed, sign, color);
    color();
    return sign;
}

} // namespace attn::ui
