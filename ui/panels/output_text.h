// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/selection.h"
#include "state/study.h"

#include <QPlainTextEdit>
#include <QString>
#include <QToolButton>
#include <QWidget>

#include <optional>

namespace attn::ui {

// Text that the model wrote, as running text in the direction of its script, to be selected and copied; hidden for
// models that only read.
class OutputText final : public QWidget
{
    Q_OBJECT

public:
    OutputText(Study& study, Selection& selection, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showOutput();
    void fit(); // to the lines that there are, up to some
    void copy();

    Study& m_study;
    Selection& m_selection;
    QPlainTextEdit* m_text;
    QToolButton* m_copy;
};

// Text that a model wrote on the way to `leaf`, of a text that was continued with its beginning; empty: it wrote
// nothing. At most so many tokens, with an ellipsis for the others.
QString writtenText(const Trace& trace, std::optional<StepId> leaf, std::optional<int> most = {});

} // namespace attn::ui
