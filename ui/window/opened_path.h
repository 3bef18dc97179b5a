// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::ui {

// Whether a path is an attention archive's by its ending.
bool isArchivePath(const QString& path);

// Whether a name is a bundled model's, which has no place in the list of what was opened lately.
bool isBundled(const QString& path);

// What a chosen or dropped file means: a file that belongs to a checkpoint directory stands for the directory, others
// for themselves. Absolute, without "..".
QString openedPath(const QString& path);

} // namespace attn::ui
