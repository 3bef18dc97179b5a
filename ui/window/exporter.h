// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/user_message.h"
#include "window/dialogs.h"

#include <QDir>
#include <QFutureWatcher>
#include <QObject>

#include <optional>

namespace attn::ui {

// Writes figures to files, on another thread and from copies, so that the window never waits, and copies them.
class Exporter final : public QObject
{
    Q_OBJECT

public:
    // As chosen last time.
    struct Choices
    {
        ExportOptions options;
        QString suffix = QStringLiteral("png");
        QString folder = QDir::homePath();
    };

    explicit Exporter(Dialogs& dialogs, QObject* parent = nullptr);
    ~Exporter() override; // waits for what is being written

    Choices& choices() { return m_choices; }
    void write(const Exportable& figure, QWidget* parent); // asks where to
    void copy(const Exportable& figure, double width); // in pixels

Q_SIGNALS:
    void said(const QString& text); // how it goes
    void failed(const attn::ui::UserMessage& message);

private:
    Dialogs& m_dialogs;
    Choices m_choices;
    QFutureWatcher<std::optional<UserMessage>> m_watcher;
    QString m_path;
};

} // namespace attn::ui
