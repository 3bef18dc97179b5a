// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "help/guide_card.h"
#include "panels/step_panel.h"
#include "views/stage_view.h"

#include <QObject>

#include <optional>
#include <vector>

namespace attn::ui {

// A question that a click on a word answers: at which word will the model look most when it writes one of its own? The
// model then writes that word, and what it looked at is said.
class Prediction final : public QObject
{
    Q_OBJECT

public:
    // Something that was read, as the question offers it.
    struct Word
    {
        QString label;
        int token = 0;
        double weight = 0; // of the step
    };

    Prediction(Study& study, Selection& selection, StepPanel& steps, StageView& stage);

    // Stands right before the step's word is written. False where there is no such question.
    bool ask(int step);
    bool asks() const { return m_asks; }
    void drop(); // with all words written

    int step() const { return m_step; }
    const QString& asked() const { return m_asked; } // the word of the step
    const Word& most() const; // looked at
    std::vector<GuideButton> buttons(); // a word each
    QString verdict() const; // on what was said: "Right: “she”, 97 %"

    void guess(int token);

Q_SIGNALS:
    void revealed();

private:
    Study& m_study;
    Selection& m_selection;
    StepPanel& m_steps;
    const StageView& m_stage;
    std::vector<Word> m_words;
    QString m_asked;
    int m_step = 0;
    std::optional<int> m_said; // of m_words
    bool m_asks = false;
};

} // namespace attn::ui
