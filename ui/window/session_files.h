// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/seen_file.h"
#include "panels/dialogs.h"
#include "panels/message_bar.h"
#include "run/run_controller.h"
#include "state/appearance.h"
#include "state/edit_list.h"
#include "state/selection.h"
#include "window/autosave.h"
#include "window/view_tabs.h"

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace attn::ui {

// Keeps the study's runs in files: the one that the user names, and one that nobody sees, which is offered after a
// crash. Files are written on another thread, from copies.
class SessionFiles final : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        Study& study;
        Selection& selection;
        Appearance& appearance;
        EditList& edits;
        RunController& controller;
        ViewTabs& views;
        Dialogs& dialogs;
        MessageBar& offer; // of what is left of a crash
        QWidget& window;
    };

    explicit SessionFiles(const Parts& parts);
    ~SessionFiles() override; // waits for what the user has asked for and not given up

    bool save(); // asks where to for the first time; false: nowhere
    bool saveAs();
    // A study that is not in its file is saved, or given up, or false: not now. A study without a file asks nothing.
    // Once what is saved is in the file, the window is closed; to be asked again until then is to ask whether to give
    // that up.
    bool mayClose();
    // The same before another session is opened, which is what `open` does.
    bool mayReplace(std::function<void()> open);

    // From now on what is made is kept through a crash; what another one left is offered.
    void guard();

Q_SIGNALS:
    void said(const QString& text); // how it goes
    void failed(const attn::ui::UserMessage& message);

private:
    // Work of writing, and its result.
    struct Work
    {
        Session session;
        QString path;
        QString file; // that the study is in then; empty: it stays as it is
        quint64 study = 0; // as Study::sessions() counts them
        std::vector<SeenFile> weightFiles; // of the session's model; none: they are not known
        quint64 changes = 0;
        std::stop_token stop = {};
    };
    struct Written
    {
        std::optional<UserMessage> problem;
        QString digest;
        qint64 milliseconds = 0;
    };

    static Written write(Work work);
    Session now() const;
    void start(const QString& path, const QString& file);
    void launch(Work work);
    void ended();
    void watch(); // for something to keep
    void place(); // what is looked at as the session says
    void offerNext();
    void restore();
    void discard();
    void giveUp(quint64 request, bool mayTryAgain); // a restored session is not read: it stays where it is
    bool asksToSave() const;
    const Work* saving() const; // what the user has asked for and not given up; null: nothing
    enum class Leaving : std::uint8_t { Closing, Opening };
    bool mayLeave(Leaving what, std::function<void()> leave);

    Parts m_parts;
    QFutureWatcher<Written> m_watcher;
    std::optional<Work> m_work; // on its way, without its session
    std::deque<Work> m_next; // to write after it
    std::map<std::vector<SeenFile>, QString> m_digests; // of weights that were seen
    // Once what is being saved is saved.
    struct Departure
    {
        Leaving what;
        std::function<void()> leave;
    };
    std::optional<Departure> m_leaves;
    std::stop_source m_stop; // of what is kept through a crash
    std::stop_source m_stopSaving; // of what the user has asked for
    bool m_warned = false; // that nothing is kept through a crash
    bool m_warnedLong = false; // likewise, because of the runs' length
    QTimer m_clock;
    qint64 m_rest = 0; // milliseconds before the next time
    std::unique_ptr<StateFolder> m_state;
    quint64 m_kept = 0; // changes that are in it
    std::vector<StateFolder> m_left; // by crashes, to offer
    // Study that is being restored, or was, until it is kept again.
    struct Restored
    {
        StateFolder folder;
        quint64 request = 0; // that reads it; 0: it is not asked for yet
        bool isShown = false;
    };
    std::optional<Restored> m_restored;
    std::shared_ptr<const Session> m_opened; // until its model is there, too
};

} // namespace attn::ui
