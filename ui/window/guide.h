// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "help/guide_card.h"
#include "help/lessons.h"
#include "state/edit_list.h"
#include "window/help_access.h"
#include "window/prediction.h"
#include "window/run_commands.h"
#include "window/wager.h"

#include <QObject>

#include <optional>

namespace attn::ui {

// Explains the program in its own window: a welcome with things to try, and lessons on the sentence that stands there,
// each of whose steps has three beats: it asks, the window shows the answer, and a sentence explains it.
class Guide final : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        Study& study;
        Selection& selection;
        EditList& edits;
        RunController& controller;
        Opening& opening;
        RunCommands& running;
        LaboratoryAccess& laboratory;
        HelpAccess& help;
        StepPanel& steps;
        StageView& stage;
        ViewTabs& views;
        GuideCard& card;
        Wager& wager;
    };

    struct Trial; // something to try, behind a button of the welcome

    explicit Guide(const Parts& parts);

    void greet(); // with the welcome, unless that was closed for good
    void welcome(); // from now on at every start
    bool welcomes() const { return m_welcomes; }
    void setWelcomes(bool welcomes) { m_welcomes = welcomes; }

    void begin(const Lesson& lesson);
    const Lesson* lesson() const { return m_lesson; } // null: none
    int step() const { return m_step; } // of the lesson

Q_SIGNALS:
    void welcomesChanged();

private:
    void showWelcome();
    void go(int step);
    const LessonStep& lessonStep() const { return m_lesson->steps[static_cast<std::size_t>(m_step)]; }
    void showStep(); // its question, or once that is answered what explains it
    void answer(const QString& verdict);
    void light(); // on the cell of what was asked for
    void ask(const LessonStep& step); // for what it needs to have run
    void arrange(const LessonStep& step); // once that is there
    void end();
    void tryOut(const Trial& trial); // once what is asked has been answered
    void endTrial(); // what was run before it is on show again
    void close();
    void goOn();

    Parts m_parts;
    bool m_welcomes = true;
    const Lesson* m_lesson = nullptr;
    int m_step = 0;
    Prediction m_prediction;
    QString m_verdict; // on the answer that was given
    bool m_answered = false;
    bool m_waiting = false; // for a run before it is arranged
    DecodingOptions m_decoding; // before the lesson
    const Trial* m_next = nullptr; // waits for a run
    std::optional<int> m_before; // the run on show before a trial that is compared with it
    bool m_compares = false; // once its run has ended
    bool m_goesOn = false; // the wager is over, and nothing has been run since
};

} // namespace attn::ui
