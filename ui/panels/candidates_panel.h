// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/appearance.h"
#include "state/document.h"
#include "state/selection.h"

#include <QChartView>
#include <QLabel>
#include <QWidget>

namespace attn::ui {

// The most probable next tokens of the chosen step, as bars; the token that was taken stands out. The chart is made
// when it is first needed, so that it costs nothing at the start.
class CandidatesPanel final : public QWidget
{
    Q_OBJECT

public:
    CandidatesPanel(Document& document, Selection& selection, Appearance& appearance, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {300, 360}; }

    // From now on the chart follows the selection.
    void activate();

private:
    void draw();

    Document& m_document;
    Selection& m_selection;
    Appearance& m_appearance;
    QLabel* m_title = nullptr;
    QChartView* m_view = nullptr;
};

} // namespace attn::ui
