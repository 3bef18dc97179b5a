// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/words.h"
#include "base/error.h"
#include "edits/edit_check.h"
#include "inference/answer.h"
#include "run/inference_thread.h"
#include "run/latest_request.h"
#include "run/model_store.h"
#include "run/picture_reader.h"
#include "run/user_message.h"
#include "state/study.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn::ui {

// Runs models on the inference thread and brings what they compute into the study, the latest request only. However
// fast the core is, at most one event is on its way to the window, and the next snapshot is taken only after the last
// one was painted.
class RunController : public QObject
{
    Q_OBJECT

public:
    explicit RunController(Study& study, QObject* parent = nullptr);
    ~RunController() override; // cancels and waits

    // When something of a run is shown first: as soon as there is something, or, so that one whole answer follows the
    // other, not before it has gone on for long.
    enum class FirstLook : std::uint8_t { Soon, Late };
    // Loads the question's model where needed and runs it on what the model can do of the question. Returns the run's
    // number.
    quint64 ask(const Question& question, FirstLook look = FirstLook::Soon,
                ModelStore::Reuse reuse = ModelStore::Reuse::Always);
    // Only loads, anew where its files have changed.
    quint64 load(const QString& model);
    // Shows an attention archive; nothing is run.
    quint64 openArchive(const QString& path);
    // Shows a session; nothing is run, but its model is loaded where it is there, anew where its files have changed.
    quint64 openSession(const QString& path);
    void cancel();
    bool busy() const { return m_latest.pending(); }

    // For other work with models, between the runs.
    InferenceThread& thread() { return *m_thread; }
    const std::shared_ptr<ModelStore>& models() const { return m_store; }
    const SessionInputs& inputs() const { return m_study.inputs(); }

public Q_SLOTS:
    // A view has painted the last snapshot.
    void framePainted();

Q_SIGNALS:
    void started(quint64 number);
    void progressed(const QString& what, double fraction);
    // Words of the run's texts that the vocabulary lacks; before finished(), and only when there are any.
    void unknownWordsRead(const std::vector<attn::UnknownWord>& words);
    // Its tokenizer cannot tell the text of a run's output, which is shown in pieces; before finished().
    void outputUnread(const attn::ui::UserMessage& message);
    // Some of a run's edits fit neither its model nor its sentence; before failed(), unless something is asked then.
    void editsRefused(const std::vector<std::string>& edits, const std::vector<attn::EditProblem>& problems);
    // A run's text is longer than the model reads, which reads this much of it; before failed().
    void textTooLong(const attn::TextBeginning& beginning);
    // Its runs are in the study; what is known of the model follows.
    void sessionShown(const QString& path, const std::shared_ptr<const attn::Session>& session);
    // The model of the session that is shown is not there, or is another one by now; before finished().
    void sessionModelDiffers(const QString& text);
    void finished(quint64 number);
    void cancelled(quint64 number);
    void failed(quint64 number, const attn::ui::UserMessage& message);
    void busyChanged(bool busy);

private:
    struct Feed; // shared with the job that runs

    using Ticket = LatestRequest::Ticket;

    Ticket begin(const std::optional<Question>& question);
    void post(const Ticket& ticket, std::function<void(Engine&)> work);
    void reportEdits(const Ticket& ticket, const Question& question, const LoadedModel& model);
    void reportBeginning(const Ticket& ticket, const Question& question, const LoadedModel& model);
    void appended();
    void startFrame();
    void takeSnapshot();
    void show(Trace trace, bool running);
    void readOnThread(const Ticket& ticket, const QString& path, Engine& engine);
    void end(); // of the run, however it ends
    void finish();
    void fail(const Error& error);
    static QString progressText(const Progress& progress);
    // Model that a request needs, and whether it may have changed files.
    struct ModelRequest
    {
        Question question;
        bool runs = true; // false: it is only loaded
        ModelStore::Reuse reuse = ModelStore::Reuse::Always;
        SessionInputs inputs = {}; // files that are known
        std::shared_ptr<const SourceMedia> media = {}; // of the run on show
    };
    quint64 start(const ModelRequest& wanted);
    void runOnThread(const Ticket& ticket, const ModelRequest& wanted, const std::shared_ptr<Feed>& feed,
                     Engine& engine);

    Study& m_study;
    LatestRequest m_latest;
    QTimer m_frame; // 16 ms between snapshots
    QTimer m_unpainted{this}; // a window that is not painted must not stop the flow for good
    bool m_awaitsPaint = false;
    bool m_hasNews = false;
    FirstLook m_look = FirstLook::Soon;
    bool m_shown = false; // something of this run is on show already
    std::shared_ptr<Feed> m_feed;
    std::shared_ptr<ModelStore> m_store = std::make_shared<ModelStore>();
    std::shared_ptr<PictureReader> m_pictures = std::make_shared<PictureReader>();
    std::unique_ptr<InferenceThread> m_thread; // last: ends first
};

} // namespace attn::ui
