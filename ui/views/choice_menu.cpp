// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/choice_menu.h"

#include "figures/figure_choices.h"
#include "figures/look/translated.h"

#include <QActionGroup>
#include <QMenu>

#include <string>

namespace attn::ui {

namespace {

void addChoiceMenu(QMenu& menu, Appearance& appearance, const OptionRow<FigureChoices>& row)
{
    QMenu* const choices = menu.addMenu(translated(row.label));
    choices->setObjectName(QLatin1String(row.key) + QStringLiteral("Menu"));
    auto* const group = new QActionGroup(choices);
    for (const OptionChoice& choice : offeredChoices(row)) {
        QAction* const action =
            choices->addAction(translated(choice.label), &appearance, [&appearance, &row, name = choice.name] {
                appearance.choose([&](FigureChoices& all) { setOption(row, all, name); });
            });
        action->setObjectName(QLatin1String(row.key) + QLatin1Char('-') + QLatin1String(choice.name));
        action->setData(QLatin1String(choice.name));
        action->setCheckable(true);
        group->addAction(action);
    }
    // Another one that was chosen elsewhere, such as two numbers.
    QAction* const other = choices->addAction(QString());
    other->setObjectName(QLatin1String(row.key) + QStringLiteral("-other"));
    other->setCheckable(true);
    group->addAction(other);
    const auto show = [group, other, &appearance, &row] {
        const auto text = optionText(row, appearance.choices());
        const QString chosen = QString::fromStdString(text.value_or(std::string()));
        QAction* ticked = other;
        for (QAction* action : group->actions()) {
            if (action != other && action->data().toString() == chosen)
                ticked = action;
        }
        other->setVisible(ticked == other);
        other->setText(chosen);
        ticked->setChecked(true);
    };
    QObject::connect(&appearance, &Appearance::changed, group, show);
    show();
}

} // namespace

void addChoiceMenus(QMenu& menu, Appearance& appearance, std::span<const char* const> keys)
{
    for (const char* key : keys)
        addChoiceMenu(menu, appearance, optionRow(figureRows(), key));
}

} // namespace attn::ui
