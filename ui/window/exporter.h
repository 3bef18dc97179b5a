// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/dialogs.h"
#include "run/user_message.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>

namespace attn::ui {

// Writes figures to files, on another thread and from copies, so that the window never waits, and copies them.
class Exporter final : public QObject
{
    Q_OBJECT

public:
    explicit Exporter(Dialogs& dialogs, QObject* parent = nullptr);
    ~Exporter() override; // waits for what is being written

    ExportHabits& habits() { return m_habits; }
    void write(const Exportable& figure, QWidget* parent); // asks where to
    void copy(const Exportable& figure, double width); // in pixels
    void copyNumbers(const QString& text); // as tables are pasted

Q_SIGNALS:
    void said(const QString& text); // how it goes
    void written(const QString& path);
    void failed(const attn::ui::UserMessage& message);

private:
    Dialogs& m_dialogs;
    ExportHabits m_habits;
    QFutureWatcher<std::optional<UserMessage>> m_watcher;
    QString m_path;
};

} // namespace attn::ui
