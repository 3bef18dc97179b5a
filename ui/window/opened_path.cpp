// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/opened_path.h"

#include <QDir>
#include <QFileInfo>

namespace attn::ui {

namespace {

// Files that only make sense within their directory; the others are a checkpoint or an archive of their own.
bool belongsToDirectory(const QFileInfo& file)
{
    const QString suffix = file.suffix().toLower();
    if (suffix == QLatin1String("gguf") || suffix == QLatin1String("npz"))
        return false;
    return file.dir().exists(QStringLiteral("config.json"));
}

} // namespace

bool isArchivePath(const QString& path)
{
    const bool belongsToModel = path.endsWith(QLatin1String("/config.json"))
        || path.endsWith(QLatin1String(".index.json"), Qt::CaseInsensitive);
    return path.endsWith(QLatin1String(".npz"), Qt::CaseInsensitive)
        || (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) && !belongsToModel);
}

bool isBundled(const QString& path)
{
    return !path.contains(QLatin1Char('/'));
}

QString openedPath(const QString& path)
{
    const QFileInfo file(path);
    if (path.isEmpty() || (isBundled(path) && !file.exists()))
        return path;
    const QString whole = QDir::cleanPath(file.absoluteFilePath());
    return file.isFile() && belongsToDirectory(file) ? QFileInfo(whole).absolutePath() : whole;
}

} // namespace attn::ui
