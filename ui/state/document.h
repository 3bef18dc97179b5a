// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/study.h"

namespace attn::ui {

using Document = Study; // until the laboratory and the views say Study

} // namespace attn::ui
