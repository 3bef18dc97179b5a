// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "figures/export/copied_text.h"
#include "panels/dialogs.h"
#include "run/latest_request.h"
#include "run/user_message.h"
#include "state/study.h"
#include "views/figure_recipe.h"

#include <QFutureWatcher>
#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace attn::ui {

// Writes figures to files, one at a time, and puts them into the clipboard, on other threads and from copies, so that
// the window never waits.
class Exporter final : public QObject
{
    Q_OBJECT

public:
    explicit Exporter(Dialogs& dialogs, QObject* parent = nullptr);
    ~Exporter() override; // cancels

    ExportHabits& habits() { return m_habits; }
    void write(const Exportable& figure, QWidget* parent); // asks where to
    bool busy() const { return m_watcher.isRunning() || m_copies.pending(); }
    void cancel(); // soon; a file that was there stays as it was, and so does the clipboard
    // The last copy counts.
    void copy(const Exportable& figure, double width); // in pixels
    void copyNumbers(const FigureSpec& spec, const Trace& trace, const FigureHit& hit, CopyRow::What what);

Q_SIGNALS:
    void said(const QString& text); // how it goes
    void written(const QString& path);
    void failed(const attn::ui::UserMessage& message);
    void busyChanged();

private:
    using PutCopy = std::function<QString()>; // into the clipboard; what is said then
    using MakeCopy = std::function<PutCopy(const std::stop_token& stop)>; // on another thread
    void begin(MakeCopy make);
    void cancelCopy();

    Dialogs& m_dialogs;
    ExportHabits m_habits;
    QFutureWatcher<std::optional<Error>> m_watcher; // what went wrong
    std::stop_source m_stop;
    QString m_path;
    LatestRequest m_copies;
};

// Origin of the run on show, whatever a view shows of it.
FigureOrigin runOrigin(const Study& study);

// Origin of what a view of the study shows. What only a session can make again needs that the study is saved in one.
FigureOrigin figureOrigin(const Study& study, const FigureSpec& spec);

// Run that a figure from there is compared with: runs of a session are called as its file calls them.
std::shared_ptr<const ReferenceRun> againstAsIn(const FigureOrigin& origin, const Study& study,
                                                std::shared_ptr<const ReferenceRun> against);

} // namespace attn::ui
