// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/appearance.h"
#include "state/study.h"

#include <QToolButton>

namespace attn::ui {

// Stands over the views while what they show is older than what is chosen.
QToolButton* makeAgeSign(const Study& study, const Appearance& appearance);

} // namespace attn::ui
