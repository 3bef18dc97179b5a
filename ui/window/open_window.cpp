// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/open_window.h"

#include "window/saved_state.h"

#include <QFile>
#include <QFileInfo>
#include <QSocketNotifier>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace attn::ui {

namespace {

constexpr qsizetype longestRequest = 64 * 1024; // bytes
constexpr char opened = 'o';

QString socketPath()
{
    const QString place = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    return place.isEmpty() ? QString() : place + QStringLiteral("/attnscope/window");
}

std::optional<sockaddr_un> addressOf(const QString& path)
{
    const QByteArray name = QFile::encodeName(path);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (name.isEmpty() || static_cast<std::size_t>(name.size()) >= sizeof(address.sun_path))
        return std::nullopt;
    std::ranges::copy(name, address.sun_path);
    return address;
}

// Whoever is at the other end is the same user.
bool isOwn(int connection)
{
    ucred peer = {};
    socklen_t size = sizeof(peer);
    return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

const sockaddr* plain(const sockaddr_un& address)
{
    return reinterpret_cast<const sockaddr*>(&address);
}

} // namespace

OpenWindow::OpenWindow(QObject* parent)
    : QObject(parent)
{
    const QString path = socketPath();
    const auto address = addressOf(path);
    if (!address
        || !makeOwnFolder(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation),
                          QStringLiteral("attnscope")))
        return;
    m_socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ::unlink(address->sun_path); // of the window before
    constexpr int waiting = 8;
    if (m_socket < 0 || ::bind(m_socket, plain(*address), sizeof(*address)) != 0 || ::listen(m_socket, waiting) != 0)
        return;
    m_path = path;
    auto* notifier = new QSocketNotifier(m_socket, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &OpenWindow::accept);
}

OpenWindow::~OpenWindow()
{
    while (!m_connections.empty())
        drop(m_connections.begin()->first);
    const auto address = addressOf(m_path);
    const int other = address ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (m_socket >= 0)
        ::close(m_socket);
    if (other >= 0) { // that nobody answers: it was this window's
        if (::connect(other, plain(*address), sizeof(*address)) != 0)
            ::unlink(address->sun_path);
        ::close(other);
    }
}

void OpenWindow::accept()
{
    const int connection = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0)
        return;
    if (!isOwn(connection)) {
        ::close(connection);
        return;
    }
    m_connections[connection] = {};
    auto* notifier = new QSocketNotifier(connection, QSocketNotifier::Read, this);
    m_notifiers[connection] = notifier;
    connect(notifier, &QSocketNotifier::activated, this, [this, connection] { read(connection); });
}

void OpenWindow::read(int connection)
{
    std::array<char, 4096> part{};
    const ssize_t count = ::read(connection, part.data(), part.size());
    QByteArray& request = m_connections[connection];
    if (count > 0 && request.size() + count <= longestRequest) {
        request.append(part.data(), count);
        return;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    m_notifiers[connection]->setEnabled(false); // all of it is there, and the other waits
    if (count != 0 || request.isEmpty())
        return drop(connection);
    Q_EMIT asked(QString::fromUtf8(request));
}

void OpenWindow::answer()
{
    std::vector<int> waiting;
    for (const auto& [connection, notifier] : m_notifiers) {
        if (!notifier->isEnabled())
            waiting.push_back(connection);
    }
    for (const int connection : waiting) {
        (void)::send(connection, &opened, 1, MSG_NOSIGNAL);
        drop(connection);
    }
}

void OpenWindow::drop(int connection)
{
    m_notifiers[connection]->deleteLater();
    m_notifiers.erase(connection);
    m_connections.erase(connection);
    ::close(connection);
}

bool handOver(const QString& model)
{
    const auto address = addressOf(socketPath());
    const int connection = address ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (connection < 0)
        return false;
    const QFileInfo file(model);
    const QByteArray request = (file.exists() ? file.absoluteFilePath() : model).toUtf8();
    char answered = 0;
    const bool isOpen = ::connect(connection, plain(*address), sizeof(*address)) == 0 && isOwn(connection)
        && ::send(connection, request.constData(), static_cast<std::size_t>(request.size()), MSG_NOSIGNAL)
            == request.size()
        && ::shutdown(connection, SHUT_WR) == 0 && ::read(connection, &answered, 1) == 1 && answered == opened;
    ::close(connection);
    return isOpen;
}

} // namespace attn::ui
