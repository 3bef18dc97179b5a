// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/unknown_words.h"
#include "base/error.h"
#include "inference/answer.h"
#include "run/inference_thread.h"
#include "run/model_store.h"
#include "run/user_message.h"
#include "state/document.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace attn::ui {

// Runs models on the inference thread and brings what they compute into the document. Requests are numbered: a new one
// cancels the old one without waiting for it, and what a stale one still reports is dropped. However fast the core is,
// at most one event is on its way to the window, and the next snapshot is taken only after the last one was painted.
class RunController : public QObject
{
    Q_OBJECT

public:
    explicit RunController(Document& document, QObject* parent = nullptr);
    ~RunController() override; // cancels and waits

    // Loads the question's model where needed and runs it on what the model can do of the question. Returns the run's
    // number.
    quint64 ask(const Question& question);
    // Only loads.
    quint64 load(const QString& model);
    // Shows an attention archive; nothing is run.
    quint64 openArchive(const QString& path);
    void cancel();
    bool busy() const { return m_busy; }
    // What the result on show, or the one that is on its way, was asked with; none for an archive or without a result.
    const std::optional<Question>& asked() const { return m_asking ? m_asking : m_asked; }

    // For other work with models, between the runs.
    InferenceThread& thread() { return *m_thread; }
    const std::shared_ptr<ModelStore>& models() const { return m_store; }

public Q_SLOTS:
    // A view has painted the last snapshot.
    void framePainted();

Q_SIGNALS:
    void started(quint64 number);
    void progressed(const QString& what, double fraction);
    // Words of the run's texts that the vocabulary lacks; before finished(), and only when there are any.
    void unknownWordsRead(const std::vector<attn::UnknownWord>& words);
    void finished(quint64 number);
    void cancelled(quint64 number);
    void failed(quint64 number, const attn::ui::UserMessage& message);
    void busyChanged(bool busy);

private:
    struct Feed; // shared with the job that runs

    quint64 begin(const std::optional<Question>& question);
    void post(quint64 number, std::function<void(Engine&)> work);
    void notify(quint64 number, std::function<void()> whenCurrent);
    void appended(quint64 number);
    void takeSnapshot();
    void show(Trace trace, bool running);
    void end(quint64 number);
    void fail(quint64 number, const Error& error);
    quint64 start(const Question& question, bool runs);
    void runOnThread(quint64 number, const Question& question, bool runs, const std::shared_ptr<Feed>& feed,
                     const std::stop_token& stop, Engine& engine);

    Document& m_document;
    QTimer m_frame; // 16 ms between snapshots
    QTimer m_unpainted; // a window that is not painted must not stop the flow for good
    quint64 m_number = 0;
    bool m_busy = false;
    bool m_awaitsPaint = false;
    bool m_hasNews = false;
    bool m_shown = false; // something of this run is on show already
    std::optional<Question> m_asking; // for the run that goes on
    std::optional<Question> m_asked; // for what is on show
    std::stop_source m_stop;
    std::shared_ptr<Feed> m_feed;
    std::shared_ptr<ModelStore> m_store = std::make_shared<ModelStore>();
    std::unique_ptr<InferenceThread> m_thread; // last: ends first
};

} // namespace attn::ui
