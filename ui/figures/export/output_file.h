// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace attn::ui {

// Writes to a temporary name beside `path` and renames: an existing file stays as it was when anything fails. Throws
// attn::Error{File}.
void writeOutputFile(const QString& path, const QByteArray& bytes);

} // namespace attn::ui
