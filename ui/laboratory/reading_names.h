// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace attn {
struct Reading;
}

namespace attn::ui {

// The reading whose numbers are in such an array ("cross_norms", "source_lrp"), or that a method makes; null: none.
const Reading* readingOfArray(const std::string& array);

// Name of a reading for people by that of its array ("cross_norms", "source_lrp"), by its method, or of the attention
// itself ("raw:LAST"); the given one where there is no such row among the readings.
QString readingName(const std::string& array);

} // namespace attn::ui
