// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QRegularExpression>
#include <QString>

namespace attn::test {

// Where it cannot be done, the test program ends.
inline QByteArray readFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(path));
    return file.readAll();
}

inline void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("%s cannot be written", qPrintable(path));
}

// The bytes of a file without the date that a PDF holds.
inline QByteArray undated(const QByteArray& file)
{
    static const QRegularExpression date(QStringLiteral("/(Creation|Mod)Date \\(D:[^)]*\\)|/ID \\[[^\\]]*\\]"));
    return QString::fromLatin1(file).remove(date).toLatin1();
}

} // namespace attn::test
