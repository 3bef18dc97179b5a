// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QLockFile>
#include <QString>

#include <exception>
#include <memory>
#include <vector>

namespace attn::ui {

// A folder for one session in the state folder of the user, which a clean end takes away. Its lock says whether the
// program that made it still runs.
class StateFolder
{
public:
    // Makes a new one; where that fails, path() is empty.
    StateFolder();
    ~StateFolder(); // takes it away, unless keep() was called or an exception ends what has it
    StateFolder(StateFolder&&) noexcept = default;
    StateFolder& operator=(StateFolder&&) = delete;

    // Sessions of programs that ended without taking them away, with a session in them, the latest last. Those without
    // one are taken away.
    static std::vector<StateFolder> leftBehind();

    // Where they are made.
    static QString place();

    QString session() const; // path of its file; empty where there is no folder
    void keep() { m_lock.reset(); } // for another program, or another time

private:
    StateFolder(QString path, std::unique_ptr<QLockFile> lock);

    QString m_path;
    std::unique_ptr<QLockFile> m_lock; // null: it is not ours
    int m_exceptions = std::uncaught_exceptions();
};

} // namespace attn::ui
