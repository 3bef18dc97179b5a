// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::ui {

// Makes PLACE/FOLDER. The folders below the place are their owner's alone: what people type is kept in them. False
// where that cannot be.
bool makeOwnFolder(const QString& place, const QString& folder);

// Makes the file of settings a regular one, its owner's alone, before the first setting is read. Throws Error{File}
// where something else has its name, such as a pipe, at which Qt would wait.
void prepareSettings();

} // namespace attn::ui
