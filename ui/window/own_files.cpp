// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/own_files.h"

#include "base/error.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace attn::ui {

namespace {

constexpr auto ownFile = QFile::ReadOwner | QFile::WriteOwner;
constexpr auto ownFolder = ownFile | QFile::ExeOwner;

void requireRegular(const QString& path)
{
    const QFileInfo info(path);
    if (info.exists() && !info.isFile())
        throw Error(ErrorKind::File, path.toStdString(), "is to hold the settings and is not a file", "move it away");
}

} // namespace

bool makeOwnFolder(const QString& place, const QString& folder)
{
    if (!QDir().mkpath(place))
        return false;
    QString path = place;
    for (const QString& name : folder.split(QLatin1Char('/'), Qt::SkipEmptyParts)) {
        path += QLatin1Char('/') + name;
        // Another window may make it at the same time; earlier versions let others read it.
        if (!QDir().mkdir(path, ownFolder) && !QFileInfo(path).isDir())
            return false;
        QFile::setPermissions(path, ownFolder);
    }
    return true;
}

void prepareSettings()
{
    const QString place = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    const QString organization = QCoreApplication::organizationName();
    const QString file = QStringLiteral("%1/%2/%3.conf").arg(place, organization, QCoreApplication::applicationName());
    requireRegular(file);
    requireRegular(QStringLiteral("%1/%2.conf").arg(place, organization)); // the settings fall back to it
    if (!makeOwnFolder(place, organization))
        return; // they are not kept, which is said where they are written
    QFile settings(file);
    if (settings.exists())
        settings.setPermissions(ownFile);
    else
        settings.open(QIODevice::WriteOnly | QIODevice::NewOnly, ownFile);
}

} // namespace attn::ui
