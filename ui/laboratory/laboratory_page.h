// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/exportable.h"
#include "panels/message_bar.h"
#include "run/job_runner.h"
#include "state/appearance.h"
#include "state/document.h"
#include "state/selection.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>
#include <QWidget>

#include <functional>
#include <optional>

namespace attn::ui {

class Dialogs;

// What every page can look at and use.
struct LaboratoryContext
{
    Study& document;
    Selection& selection;
    Appearance& appearance;
    RunController& controller;
    Dialogs& dialogs;

    Question question() const { return document.questionToModel(); }
    QString model() const { return document.model() ? document.model()->path : QString(); }
};

// The sentence that is typed in the window; of an archive, its own.
QString sentenceOnShow(const LaboratoryContext& context);

// An experiment or a reading: a heading, a sentence or two that say what is seen, controls, the picture, and, while
// models run for it, progress with a way to cancel.
class LaboratoryPage : public QWidget
{
    Q_OBJECT

public:
    LaboratoryPage(const LaboratoryContext& context, const QString& about, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    QString title() const;
    bool busy() const { return m_jobs.busy(); }
    // What is seen, for exports; none while there is nothing.
    virtual std::optional<Exportable> exportable() const = 0;
    // The page has come to the front, perhaps with another model, sentence or cell than last time.
    virtual void activate() { }

Q_SIGNALS:
    void hovered(const QString& text); // for the status bar

protected:
    const LaboratoryContext& context() const { return m_context; }
    QHBoxLayout& controls() { return *m_controls; }
    void addControl(const QString& label, QWidget* control); // with its name before it
    // Stands above the content, unless the page has placed the notes in it.
    void setContent(QWidget* content);
    // Messages, the result and the progress: under the last controls, so that they never move these.
    QWidget* notes() { return m_notes; }
    JobRunner& jobs() { return m_jobs; }
    MessageBar& message() { return *m_message; }
    // Activates the page in front again whenever the window has another model or result, and nothing runs there.
    void activateOnChanges();
    // A result in a sentence.
    void say(const QString& text);
    // A spec with the colours that the window has.
    FigureSpec look() const;

private:
    LaboratoryContext m_context;
    QLabel* m_heading = nullptr;
    QVBoxLayout* m_layout = nullptr;
    QHBoxLayout* m_controls = nullptr;
    QWidget* m_notes = nullptr;
    MessageBar* m_message = nullptr;
    QLabel* m_result = nullptr;
    QWidget* m_progressRow = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_progressText = nullptr;
    JobRunner m_jobs;
};

} // namespace attn::ui
