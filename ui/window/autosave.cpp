// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/autosave.h"

#include "window/saved_state.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QUuid>

#include <exception>
#include <utility>

namespace attn::ui {

namespace {

const QString sessionName = QStringLiteral("unsaved.attnscope");
const QString lockName = QStringLiteral("lock");

// Below XDG_STATE_HOME.
QString sessionsFolderName()
{
    return QCoreApplication::organizationName() + QLatin1Char('/') + QCoreApplication::applicationName()
        + QStringLiteral("/sessions");
}

QString stateHome()
{
    const QString set = qEnvironmentVariable("XDG_STATE_HOME");
    return QDir::isAbsolutePath(set) ? set : QDir::home().filePath(QStringLiteral(".local/state"));
}

QDir sessionsFolder()
{
    return QDir(stateHome()).filePath(sessionsFolderName());
}

// That no age breaks, only the end of the program that has it.
std::unique_ptr<QLockFile> lockOf(const QString& folder)
{
    const QString path = QDir(folder).filePath(lockName);
    const QFileInfo info(path);
    if (info.isSymLink() || (info.exists() && !info.isFile())) // no lock of ours, and one might wait for a pipe
        return nullptr;
    auto lock = std::make_unique<QLockFile>(path);
    lock->setStaleLockTime(0);
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

} // namespace

StateFolder::StateFolder()
{
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (!makeOwnFolder(stateHome(), sessionsFolderName() + QLatin1Char('/') + name))
        return;
    const QString path = sessionsFolder().filePath(name);
    m_lock = lockOf(path);
    if (m_lock)
        m_path = path;
    else
        QDir(path).removeRecursively(); // or there would be one more with every try
}

StateFolder::StateFolder(QString path, std::unique_ptr<QLockFile> lock)
    : m_path(std::move(path))
    , m_lock(std::move(lock))
{
}

StateFolder::~StateFolder()
{
    if (!m_lock)
        return;
    m_lock.reset();
    if (std::uncaught_exceptions() > m_exceptions) // the program does not end cleanly
        return;
    QDir(m_path).removeRecursively();
}

std::vector<StateFolder> StateFolder::leftBehind()
{
    std::vector<StateFolder> found;
    const QDir folder = sessionsFolder();
    const auto own = QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks;
    for (const QFileInfo& one : folder.entryInfoList(own, QDir::Time | QDir::Reversed)) {
        const QDir inside(one.filePath());
        if (!inside.exists(sessionName) && !inside.exists(lockName))
            continue; // somebody is making it
        auto lock = lockOf(inside.path());
        if (!lock)
            continue;
        StateFolder left(inside.path(), std::move(lock));
        if (inside.exists(sessionName)) // nobody writes it any more
            found.push_back(std::move(left)); // one without is taken away
    }
    return found;
}

QString StateFolder::place()
{
    return sessionsFolder().path();
}

QString StateFolder::session() const
{
    return m_path.isEmpty() ? QString() : QDir(m_path).filePath(sessionName);
}

} // namespace attn::ui
