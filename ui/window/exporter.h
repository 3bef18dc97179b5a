// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "panels/dialogs.h"
#include "run/user_message.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>
#include <stop_token>

namespace attn::ui {

// Writes figures to files, one at a time, on another thread and from copies, so that the window never waits, and copies
// them.
class Exporter final : public QObject
{
    Q_OBJECT

public:
    explicit Exporter(Dialogs& dialogs, QObject* parent = nullptr);
    ~Exporter() override; // cancels

    ExportHabits& habits() { return m_habits; }
    void write(const Exportable& figure, QWidget* parent); // asks where to
    bool writing() const { return m_watcher.isRunning(); }
    void cancel(); // soon; a file that was there stays as it was
    void copy(const Exportable& figure, double width); // in pixels
    void copyNumbers(const QString& text); // as tables are pasted

Q_SIGNALS:
    void said(const QString& text); // how it goes
    void written(const QString& path);
    void failed(const attn::ui::UserMessage& message);
    void writingChanged();

private:
    Dialogs& m_dialogs;
    ExportHabits m_habits;
    QFutureWatcher<std::optional<Error>> m_watcher; // what went wrong
    std::stop_source m_stop;
    QString m_path;
};

} // namespace attn::ui
