// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/weights_digest.h"

#include "base/stop.h"

#include <QCryptographicHash>
#include <QFile>

namespace attn::ui {

QString weightsSha256(const QStringList& files, const std::stop_token& stop)
{
    constexpr qint64 part = qint64{1} << 20;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString& path : files) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return {};
        while (!file.atEnd()) {
            throwIfStopped(stop);
            const QByteArray bytes = file.read(part);
            if (bytes.isEmpty())
                return {};
            hash.addData(bytes);
        }
    }
    return files.isEmpty() ? QString() : QString::fromLatin1(hash.result().toHex());
}

} // namespace attn::ui
