// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <map>

class QSocketNotifier;

namespace attn::ui {

// Lets other processes of the same user open models and files in this window, by a local socket in a folder that is the
// user's alone (0700). Of several windows the one that was opened last is asked.
class OpenWindow final : public QObject
{
    Q_OBJECT

public:
    explicit OpenWindow(QObject* parent); // where no socket can be made, nobody asks
    ~OpenWindow() override;

    // Tells those who wait that their files are opened, or cannot be, and needed no longer.
    void answer();

Q_SIGNALS:
    void asked(const QString& model); // bundled name, or absolute path

private:
    void accept();
    void read(int connection);
    void drop(int connection);

    QString m_path; // of the socket; empty: none
    int m_socket = -1;
    std::map<int, QByteArray> m_connections; // by descriptor: what was read of each
    std::map<int, QSocketNotifier*> m_notifiers;
};

// Asks the window that is open, and waits until it has opened the model. False where no window is open.
bool handOver(const QString& model);

} // namespace attn::ui
