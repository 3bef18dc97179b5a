// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/appearance.h"
#include "state/document.h"
#include "state/selection.h"

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

namespace attn::ui {

// Walks through the decoding: buttons, slider, the output so far, and which hypothesis of a beam is looked at.
class StepPanel final : public QWidget
{
    Q_OBJECT

public:
    StepPanel(Document& document, Selection& selection, QWidget* parent = nullptr);

    bool playing() const { return m_play.isActive(); }

public Q_SLOTS:
    void first();
    void back();
    void togglePlay();
    void forward();
    void last();

private:
    QToolButton* addButton(const char* name, const QString& text, const QIcon& icon, void (StepPanel::*slot)());
    void traceChanged();
    void fillHypotheses();
    void showStep();
    int length() const;

    Document& m_document;
    Selection& m_selection;
    QSlider* m_slider = nullptr;
    QLabel* m_position = nullptr;
    QLabel* m_output = nullptr;
    QComboBox* m_hypotheses = nullptr;
    QToolButton* m_playButton = nullptr;
    QTimer m_play;
    std::vector<QToolButton*> m_buttons;
};

} // namespace attn::ui
