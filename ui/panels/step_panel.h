// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/words.h"
#include "state/selection.h"
#include "state/study.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <chrono>
#include <optional>
#include <vector>

namespace attn::ui {

// Walks through the decoding: buttons, slider, and which hypothesis of a beam is looked at. Plays the output word by
// word, also a new one while it comes (setWritesOut()). Hidden where nothing is written.
class StepPanel final : public QWidget
{
    Q_OBJECT

public:
    StepPanel(Study& study, Selection& selection, QWidget* parent = nullptr);

    bool playing() const { return m_play.isActive(); }
    // Whether a new output is played as soon as it comes, once somebody looks on. The run does not wait for it.
    bool writesOut() const { return m_writesOut; }
    void setWritesOut(bool writesOut);
    void setWatched() { m_watched = true; }
    // Stands right before a word is written, until writeHeld() writes it, or the user goes elsewhere.
    void holdAt(int step);
    void writeHeld();
    void release(); // with all words written

public Q_SLOTS:
    void first();
    void back();
    void togglePlay();
    void playFromTheStart();
    void forward();
    void last();

Q_SIGNALS:
    void writesOutChanged();
    void wordWritten(); // that was held

private:
    QToolButton* addButton(const char* name, const QString& text, const char* icon, void (StepPanel::*slot)());
    int next() const; // after the chosen step; of none, the first
    void go(int step); // or the nearest one that there is
    void goBack(int step); // that was shown before edits
    void traceChanged();
    void traceReplaced();
    void showTheResult(); // of a run that has come to its end
    void rest(); // where there is most to see
    void fillHypotheses();
    void nameHypotheses(); // by what has room
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showStep();
    void showPlaying();
    void play(int step); // and what follows
    void playOn();
    void begin(int step); // to write its word
    void writeChanges(); // once more, of what edits have changed
    int firstWritten() const; // the first step that was not given; without any, the first
    std::optional<int> newStep() const; // the first that is to be played of a new output; none: it is still to come
    void stop();
    void pause(); // as it stands
    void goOn();
    void scrub(int step); // by the slider: what is to come of an output that is played stays away
    int lastWord() const; // the last step whose word is no special token; of none, the last step
    bool moves() const;
    bool reads() const; // encoder-only: steps are tokens of the text
    bool continues() const; // decoder-only: the text that was read goes on
    int length() const;

    Study& m_study;
    Selection& m_selection;
    QWidget* m_controls = nullptr;
    QSlider* m_slider = nullptr;
    QLabel* m_position = nullptr;
    QLabel* m_note = nullptr; // why a run rests where it does
    QComboBox* m_hypothesisPicker = nullptr;
    QToolButton* m_playButton = nullptr;
    QTimer m_play;
    std::optional<int> m_rests; // the step where there was most to see; none: another one is shown
    std::optional<int> m_kept; // the step that was shown before the edits of a run were changed
    std::vector<QToolButton*> m_buttons;
    QElapsedTimer m_clock; // since the word was begun
    std::chrono::milliseconds m_pace{};
    bool m_writesOut = true;
    bool m_watched = false;
    bool m_awaited = false; // the output of a run that has begun is to be played
    bool m_follows = false; // and is being played
    bool m_moves = false; // the step is chosen by what plays
    bool m_held = false; // before a word
    std::optional<qint64> m_paused; // milliseconds of the word that had passed; none: it is not paused
    qint64 m_passed = 0; // of the word, before m_clock was started
    std::optional<int> m_changed; // the first step that edits changed, where playing begins next
    bool m_single = false; // no more than one word is played
    std::vector<AxisGroup> m_before; // words of the output that was on show
    bool m_edited = false; // they were written without the edits of the run that goes on
    std::vector<int> m_again; // steps whose words come once more, where all others stand; the one that comes is first
    std::optional<int> m_back; // the step to be shown after them
};

} // namespace attn::ui
