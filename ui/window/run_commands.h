// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_controller.h"
#include "state/selection.h"
#include "state/study.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

// Asks the model what is edited.
class RunCommands final : public QObject
{
    Q_OBJECT

public:
    RunCommands(Study& study, Selection& selection, RunController& controller);

    bool canContinue() const;
    bool canMask() const;
    bool canDrawAgain() const;
    // The beginning that the model can read of the text asked last, where that was too long.
    const std::optional<TextBeginning>& readableBeginning() const { return m_beginning; }

public Q_SLOTS:
    void run(); // decoder-only: reads the prompt; of an archive: opens it
    void runBeginning(); // readableBeginning() in place of the text
    void runText(const QString& text); // in place of what is typed
    void runOpened(); // likewise, the model that was just chosen, as its files are now
    void continueText(int tokens); // decoder-only: by so many more
    void maskWord(); // encoder-only: the chosen word, and runs
    void applyChoices(); // runs what is chosen now; a text that was continued is continued as far
    // The output on show, or the prompt, up to a step, then these tokens, then whatever follows by what is chosen now.
    void take(int step, const std::vector<attn::TokenId>& tokens);
    void drawAgain(); // with a seed that no run had yet
    void tryChoices(); // likewise, and shows the whole answer at once
    void askAgain(); // what was asked last, with the edits that are left

Q_SIGNALS:
    void asking(); // something is asked next
    void failed(const attn::ui::UserMessage& message);
    void noted(const QString& text);

private:
    void start(int generate, ModelStore::Reuse reuse = ModelStore::Reuse::Always);
    int writtenBefore() const;
    void runSoon(); // where it takes no time to speak of
    void showMask();
    void showTaken();
    void sayUnknown(const std::vector<UnknownWord>& words);

    Study& m_study;
    Selection& m_selection;
    RunController& m_controller;
    int m_generate = 0; // of what was asked last
    std::optional<TextBeginning> m_beginning;
    std::optional<int> m_maskToShow; // of those in the text that is being read, when not the first
    std::optional<int> m_stepToShow; // once the run that goes on has ended
    std::pair<QString, QString> m_unknownSaid; // of which model, and what
    QTimer m_soon; // since the last choice
};

} // namespace attn::ui
