// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/edit_list.h"
#include "window/prediction.h"
#include "window/run_commands.h"

#include <QObject>

#include <optional>
#include <vector>

namespace attn::ui {

// The first minute: one sentence, and one question about it that is answered by a click. The model then writes the word
// that was asked for, the word that it looked at is dragged out of the sentence, and what it writes then is another
// one. Its runs are gone once it ends.
class Wager final : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        Study& study;
        Selection& selection;
        EditList& edits;
        RunController& controller;
        RunCommands& running;
        StepPanel& steps;
        StageView& stage;
        GuideCard& card;
    };

    explicit Wager(const Parts& parts);

    static const char* model();
    static const char* sentence();

    bool isOn() const { return m_beat != Beat::None; }
    void begin();
    void end(); // with what was there before

Q_SIGNALS:
    void over(); // to be followed by a sentence of one's own

private:
    enum class Beat : std::uint8_t { None, Reads, Predicts, Drags, Explains };

    void runEnded();
    bool ask();
    void reveal();
    void dragOut();
    void explain();
    void leave();
    void forgetRuns();
    void show(const GuideContent& content);
    QString written(const Trace& trace, int word) const;

    Parts m_parts;
    Prediction m_prediction;
    Beat m_beat = Beat::None;
    Question m_before; // asked by the user
    std::optional<int> m_shown; // likewise
    std::optional<Trace> m_plain; // the run that nothing is changed in
    std::vector<int> m_runs; // that go
};

} // namespace attn::ui
