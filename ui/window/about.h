// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::ui {

// What About says, as rich text: version, licence, the data that the bundled models learned from and the libraries,
// each with its licence.
QString aboutText();

} // namespace attn::ui
