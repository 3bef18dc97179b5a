// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/selection.h"
#include "state/study.h"

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QTextBrowser>
#include <QTextCharFormat>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <optional>

namespace attn::ui {

// Walks through the decoding: buttons, slider, the output so far, and which hypothesis of a beam is looked at. Of an
// encoder-only run it shows the text, whose tokens can be chosen.
class StepPanel final : public QWidget
{
    Q_OBJECT

public:
    StepPanel(Study& study, Selection& selection, QWidget* parent = nullptr);

    bool playing() const { return m_play.isActive(); }

public Q_SLOTS:
    void first();
    void back();
    void togglePlay();
    void forward();
    void last();

Q_SIGNALS:
    void lastTokenChosen(); // of a decoder-only model: no step follows it yet

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* addButton(const char* name, const QString& text, const char* icon, void (StepPanel::*slot)());
    int next() const; // after the chosen step; of none, the first
    void go(int step); // or the nearest one that there is
    void traceChanged();
    void traceReplaced();
    void showTheResult(); // of a run that has come to its end
    void fillHypotheses();
    void showStep();
    void showOutput();
    void showPlaying();
    void showText(const Encoding& text, int firstGenerated);
    int mostShownTokens() const;
    void fitOutput();
    QTextCharFormat tokenFormat(int step, bool generated) const;
    void choose(int token);
    bool reads() const; // encoder-only: steps are tokens of the text
    bool continues() const; // decoder-only: a step reads a token and predicts what follows
    int length() const;

    Study& m_study;
    Selection& m_selection;
    QWidget* m_controls = nullptr;
    QSlider* m_slider = nullptr;
    QLabel* m_position = nullptr;
    QTextBrowser* m_output = nullptr;
    QComboBox* m_hypothesisPicker = nullptr;
    QToolButton* m_playButton = nullptr;
    QTimer m_play;
    std::optional<int> m_kept; // the step that was shown before the edits of a run were changed
    std::vector<QToolButton*> m_buttons;
    bool m_partial = false; // only a part of the text is shown
};

} // namespace attn::ui
