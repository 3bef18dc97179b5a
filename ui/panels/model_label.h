// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loading/model_loader.h"

#include <QString>

namespace attn::ui {

// What a list of models says of a bundled one: "Transformer – English to French – translation". Its name where its card
// says nothing.
QString modelLabel(const BundledModel& model);

// Its name and what the card's first sentence says, as a tooltip that is wrapped.
QString modelTip(const BundledModel& model);

} // namespace attn::ui
