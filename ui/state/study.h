// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "question/question.h"
#include "state/model_summary.h"
#include "trace/trace.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace attn::ui {

// What was asked, and what came of it.
struct Run
{
    std::optional<Question> question; // none: an archive, or nothing yet
    Trace trace;
};

// Where the result on show is older than what is chosen now.
enum class Age : std::uint8_t { Current, OlderThanChoices, OlderThanText };

// What the window is about: the model that is open, the question that is being edited, and the runs made. Panels edit
// the question, views show a run, and all of them listen here and do not know each other. What of a run is looked at is
// Selection's.
class Study : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // --- what is open
    const std::optional<ModelSummary>& model() const { return m_model; } // none for an archive
    const QString& opened() const { return m_opened; } // opens it again: as ModelSummary::path, or the archive's
    bool showsArchive() const { return !m_model && !m_opened.isEmpty(); }
    ModelKind kind() const { return m_model ? m_model->info.kind : trace().kind(); }
    bool predicts() const; // tokens or classes
    void setModel(ModelSummary model);
    void setArchive(const QString& path);
    // Directories and archives, most recent first.
    const QStringList& recent() const { return m_recent; }
    void setRecent(const QStringList& recent);

    // --- the question that is being edited
    // Its model is what is being opened, its `generate` how far a text is continued at once, and an empty output to
    // follow is one that has not been typed yet.
    const Question& edited() const { return m_edited; }
    // `change` changes a Question; what is new is told.
    template<class Change>
    void edit(const Change& change)
    {
        Question next = m_edited;
        change(next);
        setEdited(std::move(next));
    }
    // To ask now: what is edited, with so many tokens written on a text.
    Question question(int generate = 0) const;
    // The same of the model that is open; its model is empty when there is none.
    Question questionToModel() const;

    // --- the runs
    const Trace& trace() const { return m_shown.trace; } // on show
    bool running() const { return m_running; } // and growing
    quint64 revision() const { return m_revision; } // another number for every state of the trace
    // What the run that goes on was asked with, and what that one or else the one on show.
    const std::optional<Question>& going() const { return m_going; }
    const std::optional<Question>& asked() const { return m_going ? m_going : m_shown.question; }
    const std::deque<Run>& earlier() const { return m_earlier; } // that were on show, the last ones, oldest first
    Age age() const;
    // Of a text that a decoder-only model continued, and that still stands there: by how much, and whether it came to
    // its end by itself.
    int written() const;
    bool ended() const;

    // A run is on its way; without a question a model or an archive is being opened.
    void begin(const std::optional<Question>& question);
    // Its first result takes the place of another: what views remember of the old one (hypothesis, step, zoom) ends.
    void replaceTrace(Trace trace, bool running);
    // The result on show has grown.
    void growTrace(Trace trace, bool running);
    // Nothing of the model that is open is on show.
    void clearTrace();
    // Nothing is on its way any more.
    void end();

Q_SIGNALS:
    void modelChanged(); // or archive
    void recentChanged();
    void questionChanged(); // that is edited
    void traceReplaced(); // before traceChanged(), while trace() is still the old one
    void traceChanged();
    void runningChanged(bool running);
    void runBegan();
    void runEnded();

private:
    void setEdited(Question question);
    void setRunning(bool running);
    void showInstead(Run run, bool running);

    std::optional<ModelSummary> m_model;
    QString m_opened;
    QStringList m_recent;
    Question m_edited;
    std::optional<Question> m_going; // asked by the run that goes on
    Run m_shown;
    std::deque<Run> m_earlier;
    bool m_running = false;
    quint64 m_revision = 0;
};

} // namespace attn::ui
