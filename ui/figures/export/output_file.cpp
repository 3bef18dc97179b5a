// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/output_file.h"

#include "base/error.h"

#include <QSaveFile>

namespace attn::ui {

void writeOutputFile(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        throw Error(ErrorKind::File, path.toStdString(), "cannot be written: " + file.errorString().toStdString(),
                    "check the folder, its permissions and the space left");
}

} // namespace attn::ui
