// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <stop_token>

namespace attn::ui {

// SHA-256 of these files' bytes, one file after the other, in hexadecimal digits; empty where one cannot be read.
// Throws Error{Cancelled}.
QString weightsSha256(const QStringList& files, const std::stop_token& stop = {});

} // namespace attn::ui
