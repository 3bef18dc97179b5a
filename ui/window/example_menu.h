// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loading/model_card.h"
#include "run/run_controller.h"
#include "state/appearance.h"
#include "state/selection.h"
#include "window/run_commands.h"
#include "window/view_tabs.h"

#include <QMenu>

#include <optional>

namespace attn::ui {

// Example with which a bundled model, or one whose folder has a card, opens where nobody has chosen a text: the first
// of its card; translators keep the sentence that they are compared on. None: the usual one.
std::optional<ModelExample> openingExample(const std::string& model);
// Whether a text is the one that some bundled model opens with.
bool isOpeningText(const std::string& text);

// The examples of the open model's card: each says beside its text what is seen of it, and a click shows that.
class ExampleMenu final : public QMenu
{
    Q_OBJECT

public:
    struct Parts
    {
        Study& study;
        Selection& selection;
        Appearance& appearance;
        RunController& controller;
        RunCommands& running;
        ViewTabs& views;
    };

    ExampleMenu(const Parts& parts, QWidget* parent);

private:
    void list();
    void ask(const ModelExample& example);
    void askFirstFile();
    bool isFirstLook() const;
    std::optional<int> select(const ExampleWeight& weight);
    void show(const ExampleWeight& weight); // in Lines, the word of its row picked

    Parts m_parts;
    std::optional<ModelExample> m_asked; // until it has been answered
    std::optional<ModelExample> m_first; // of those with a picture
    std::optional<ModelExample> m_opening; // until the model that was opened has read a text
};

} // namespace attn::ui
