// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace attn::ui {

// One of resources/icons, drawn in the text colour of the palette in use, so that it is seen on light and on dark.
// `role`: of a place with another colour.
QIcon themedIcon(const QString& name, QPalette::ColorRole role = QPalette::ButtonText);

} // namespace attn::ui
